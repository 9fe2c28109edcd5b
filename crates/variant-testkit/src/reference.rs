//! The reference decoder: docs/spec/format.md as a program, with which `variant-view` is compared.
//!
//! It has one slow and obvious parser for each section, built from the parsers of [`nom`]. It shares only the names of
//! kinds and dialects with the decoder that it checks. The properties of kinds and dialects come from docs/spec. The
//! behaviour in docs/dev/choices.md was first implemented in `variant-view` and then documented, so for this behaviour
//! the comparison only detects later changes.
//!
//! The decoder recurses, within the given limits. Its memory grows with the number of values.

mod containers;
mod event;
mod fault;
mod header;
mod kinds;
mod legacy;
mod limits;
mod node_path;
mod numbers;
mod object;
mod packed;
mod pass;
mod payload;
mod rules;
mod text;

pub use event::{Content, Event, Node, Role, Typing};
pub use fault::{Error, Fault, Limit, Part};
pub use kinds::{id, kind};
pub use rules::Rules;
pub use text::as_read;

/// The result of reading: the events up to the end or to the first error.
#[derive(Clone, Debug)]
pub struct Reading<'a> {
    /// The events, in order.
    pub events: Vec<Event<'a>>,
    /// The totals of the document, or the first error.
    pub outcome: Result<Summary, Error>,
}

impl Reading<'_> {
    /// The depth of the deepest value that was read.
    pub fn deepest(&self) -> u32 {
        let depths = self.events.iter().map(|event| match event {
            Event::Enter(node) | Event::Leaf(node, _) => node.depth,
            Event::Exit { depth, .. } => *depth,
        });
        depths.max().unwrap_or(0)
    }
}

/// The totals of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The bytes of the value, without missing padding at the end.
    pub consumed: usize,
    /// The number of values with a header.
    pub values: u64,
    /// The depth of the deepest value.
    pub depth: u32,
}

/// Reads the first value of `bytes`.
///
/// The recursion is as deep as the nesting of values. In a debug build, each level takes some kilobytes of the stack.
pub fn read(bytes: &[u8], rules: Rules) -> Reading<'_> {
    pass::Pass::new(bytes, rules).read()
}
