//! [`Sink`]: the receiver of a pass.

use crate::bytes::Fault;
use crate::contents::Contents;
use crate::error::{Error, Result};
use crate::header::Header;
use crate::template::RecordPattern;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Step<'a> {
    /// A value without children.
    Leaf(Item<'a>),
    /// A container or full object, possibly empty; [`Step::Exit`] follows in either case.
    Enter(Item<'a>),
    /// The container entered last ends.
    Exit,
}

/// A value that the pass has read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<'a> {
    pub(crate) header: Header,
    /// The number of the value's children, not verified; keys and values both count.
    #[cfg_attr(not(feature = "alloc"), expect(dead_code, reason = "only the tape uses it"))]
    pub(crate) items: u32,
    pub(crate) start: usize,
    /// The offset after the value; for a container, the start of its first child.
    pub(crate) end: usize,
    pub(crate) place: ItemRole<'a>,
    /// The bytes from the header to the end of the document.
    pub(crate) bytes: &'a [u8],
    pub(crate) depth: u32,
}

/// The position of a value in its container.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ItemRole<'a> {
    pub(crate) form: Contents,
    /// The index among the items of the container; keys and values both count.
    pub(crate) index: u32,
    /// The name of a property and the offset of its length word.
    pub(crate) name: Option<(&'a [u8], usize)>,
}

pub(crate) trait Sink<'a, E = Error> {
    /// Whether the pass stops after each step.
    const PAUSES: bool = false;
    /// Whether the pass may skip values and report no event for them.
    const MAY_HURRY: bool = false;

    #[cfg_attr(not(variant_small), inline(always))]
    fn leaf(&mut self, item: &Item<'a>) -> Result<(), E> {
        let _ = item;
        Ok(())
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn enter(&mut self, item: &Item<'a>) -> Result<(), E> {
        let _ = item;
        Ok(())
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn exit(&mut self, end: usize) -> Result<(), E> {
        let _ = end;
        Ok(())
    }

    /// The record that just ended became the template `shape`.
    fn learn(&mut self, shape: RecordPattern) {
        let _ = shape;
    }

    /// From `offset` on, `records` records of the pattern `shape` are valid; no other event reports them.
    fn jump(&mut self, shape: RecordPattern, offset: usize, records: u32) {
        let _ = (shape, offset, records);
    }
}

impl<E: Fault> Sink<'_, E> for () {
    // Exact errors need a check per value.
    const MAY_HURRY: bool = !E::IS_EXACT;
}

/// Keeps the last step.
impl<'a, E> Sink<'a, E> for Option<Step<'a>> {
    const PAUSES: bool = true;

    #[cfg_attr(not(variant_small), inline(always))]
    fn leaf(&mut self, item: &Item<'a>) -> Result<(), E> {
        *self = Some(Step::Leaf(*item));
        Ok(())
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn enter(&mut self, item: &Item<'a>) -> Result<(), E> {
        *self = Some(Step::Enter(*item));
        Ok(())
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn exit(&mut self, _end: usize) -> Result<(), E> {
        *self = Some(Step::Exit);
        Ok(())
    }
}
