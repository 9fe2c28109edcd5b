//! [`Sink`]: takes part in the pass.

use crate::bytes::Fault;
use crate::contents::Contents;
use crate::error::{Error, Result};
use crate::header::Header;
use crate::template::RecordPattern;

/// One step of the pass.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step<'a> {
    /// A value without children.
    Leaf(Item<'a>),
    /// A value with children, of which there may be none; [`Step::Exit`] follows in either case.
    Enter(Item<'a>),
    /// The end of the value that was entered last.
    Exit,
}

/// A value that the pass came upon.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<'a> {
    pub(crate) header: Header,
    pub(crate) start: usize,
    /// Where it ends; of a container, where its first child starts.
    pub(crate) end: usize,
    pub(crate) place: ItemRole<'a>,
    /// The bytes from the header to the end of the document.
    pub(crate) bytes: &'a [u8],
    pub(crate) depth: u32,
}

/// Where a value stands in the container around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ItemRole<'a> {
    pub(crate) form: Contents,
    /// Counts the items of the container; of pairs, keys and values both.
    pub(crate) index: u32,
    /// The name of a property and the offset of its length word.
    pub(crate) name: Option<(&'a [u8], usize)>,
}

/// Takes part in the pass without having a say in where it goes.
pub(crate) trait Sink<'a, E = Error> {
    /// Whether it wants to be asked before the next step.
    const PAUSES: bool = false;
    /// Whether it need not be told of every value.
    const MAY_JUMP: bool = false;
    /// Whether it need not be told of any.
    const MAY_HURRY: bool = false;

    #[inline(always)]
    fn leaf(&mut self, item: &Item<'a>) -> Result<(), E> {
        let _ = item;
        Ok(())
    }

    #[inline(always)]
    fn enter(&mut self, item: &Item<'a>) -> Result<(), E> {
        let _ = item;
        Ok(())
    }

    #[inline(always)]
    fn exit(&mut self, end: usize) -> Result<(), E> {
        let _ = end;
        Ok(())
    }

    /// The record that has just ended may be of the same shape as some that follow.
    fn learn(&mut self, shape: RecordPattern) {
        let _ = shape;
    }

    /// So many records of a shape, from `offset` on, are in order; it is not told of what is in them.
    fn jump(&mut self, shape: RecordPattern, offset: usize, records: u32) {
        let _ = (shape, offset, records);
    }
}

/// Has nothing to say.
impl<E: Fault> Sink<'_, E> for () {
    // Exact errors have to be looked for value by value.
    const MAY_JUMP: bool = !E::IS_EXACT;
    const MAY_HURRY: bool = !E::IS_EXACT;
}

/// Keeps what it was told last.
impl<'a, E> Sink<'a, E> for Option<Step<'a>> {
    const PAUSES: bool = true;

    #[inline(always)]
    fn leaf(&mut self, item: &Item<'a>) -> Result<(), E> {
        *self = Some(Step::Leaf(*item));
        Ok(())
    }

    #[inline(always)]
    fn enter(&mut self, item: &Item<'a>) -> Result<(), E> {
        *self = Some(Step::Enter(*item));
        Ok(())
    }

    #[inline(always)]
    fn exit(&mut self, _end: usize) -> Result<(), E> {
        *self = Some(Step::Exit);
        Ok(())
    }
}
