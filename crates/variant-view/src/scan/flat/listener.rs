//! [`Listener`]: the receiver of a flat pass.

use crate::bytes::Unfit;
use crate::kind::Kind;
use crate::scan::Sink;

/// Receives the values of a flat pass, in the order of their bytes. The methods of [`Sink`] report the records that
/// templates skip.
pub(crate) trait Listener<'a>: Sink<'a, Unfit> {
    /// A value without children, by its start and end in the document.
    fn value(&mut self, start: usize, end: usize, kind: Kind);

    /// The start of a container of `items` items, possibly none.
    fn open(&mut self, start: usize, kind: Kind, items: u32);

    /// The end of the container that was opened last.
    fn close(&mut self);
}

impl Listener<'_> for () {
    #[cfg_attr(not(variant_small), inline(always))]
    fn value(&mut self, _start: usize, _end: usize, _kind: Kind) {}

    #[cfg_attr(not(variant_small), inline(always))]
    fn open(&mut self, _start: usize, _kind: Kind, _items: u32) {}

    #[cfg_attr(not(variant_small), inline(always))]
    fn close(&mut self) {}
}
