//! Feeds parsed JSON as events, in any form.

use variant_view::{Consumer, FeedError};

use super::fields::{Fault, Fields, Result, due, expected};
use super::tape::{Tape, Token};
use crate::array::Array;
use crate::event;
use crate::text::Text;
use crate::variant::Variant;

/// The error of the JSON or of the consumer.
pub(super) type Stop<C> = FeedError<Fault, <C as Consumer>::Error>;

/// A value and, for a container, the nodes of its children. The container itself is empty.
pub(super) type Given = (Variant, Option<Items>);

/// The part of reading that depends on the form. Each method is O(the node).
pub(super) trait Grammar {
    fn number(&self, tape: &Tape<'_>, at: usize) -> Result<Variant>;

    fn string(&self, tape: &Tape<'_>, at: usize) -> Result<Variant> {
        Ok(Variant::from(&*tape.characters(at)))
    }

    fn object(&self, fields: Fields<'_, '_>) -> Result<Given>;

    fn name(&self, tape: &Tape<'_>, at: usize) -> Result<Text> {
        due(tape.string(at), "a name", at).map(Text::from)
    }

    /// The raw bytes of a value or a name; empty if the JSON has none.
    fn raw(&self, _: &Tape<'_>, _: usize) -> Result<Vec<u8>> {
        Ok(Vec::new())
    }
}

impl<C> From<Fault> for FeedError<Fault, C> {
    fn from(fault: Fault) -> Self {
        Self::Producer(fault)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Items {
    first: usize,
    /// The number of items left.
    count: usize,
    pattern: Pattern,
}

/// The layout of a container's children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    /// Values in sequence.
    Flat,
    /// Alternating keys and values, in an array or an object.
    Turns,
    /// Arrays of a key and a value.
    Pairs,
    /// Arrays of a name and a value.
    NamedPairs,
    /// Alternating names and values; each pair counts as one.
    Named,
}

impl Items {
    /// The children of an array or an object, in this pattern.
    pub(super) fn of(tape: &Tape<'_>, at: usize, pattern: Pattern) -> Self {
        let node = tape.node(at);
        let count = if node.token == Token::Object { node.len.saturating_mul(2) } else { node.len };
        let count = if pattern == Pattern::Named { count / 2 } else { count };
        Self { first: at.saturating_add(1), count, pattern }
    }

    /// The number of elements, pairs or properties.
    const fn len(&self) -> usize {
        if matches!(self.pattern, Pattern::Turns) { self.count / 2 } else { self.count }
    }

    fn next(&mut self, tape: &Tape<'_>) -> Option<usize> {
        self.count = self.count.checked_sub(1)?;
        let at = self.first;
        self.first = tape.node(at).next;
        if self.pattern == Pattern::Named {
            self.first = tape.node(self.first).next;
        }
        Some(at)
    }
}

/// Feeds the value of node `root` to a consumer. If `takes_raw` is set, also passes the raw bytes of values. O(the text
/// of the node); memory O(depth).
pub(super) fn feed<C: Consumer>(
    tape: &Tape<'_>,
    root: usize,
    grammar: &dyn Grammar,
    takes_raw: bool,
    consumer: &mut C,
) -> Result<(), Stop<C>> {
    let mut feed = Feed { tape, grammar, takes_raw, consumer, open: Vec::new() };
    feed.value(root)?;
    while let Some((items, container)) = feed.open.last_mut() {
        let pattern = items.pattern;
        match (items.next(tape), pattern) {
            (None, _) => {
                let container = *container;
                feed.open.pop();
                feed.exit(container)?;
            }
            (Some(at), Pattern::Flat | Pattern::Turns) => feed.value(at)?,
            (Some(at), Pattern::Named) => feed.property(at)?,
            (Some(at), Pattern::Pairs | Pattern::NamedPairs) => feed.pair(at, pattern)?,
        }
    }
    Ok(())
}

struct Feed<'d, 't, C> {
    tape: &'d Tape<'t>,
    grammar: &'d dyn Grammar,
    takes_raw: bool,
    consumer: &'d mut C,
    /// The open containers and pairs. Each has its remaining children, and a container also has its node.
    open: Vec<(Items, Option<usize>)>,
}

impl<C: Consumer> Feed<'_, '_, C> {
    fn value(&mut self, at: usize) -> Result<(), Stop<C>> {
        self.origin(at)?;
        let (shell, items) = self.read(at)?;
        let len = items.as_ref().map(Items::len);
        event::begin(&shell, len, None, self.consumer).map_err(FeedError::Consumer)?;
        self.open.extend(items.map(|items| (items, Some(at))));
        Ok(())
    }

    fn read(&self, at: usize) -> Result<Given> {
        let tape = self.tape;
        let value = match tape.token(at) {
            Token::Null => Variant::Nil,
            Token::Bool(value) => Variant::Bool(value),
            Token::Number => self.grammar.number(tape, at)?,
            Token::String => self.grammar.string(tape, at)?,
            Token::Array => {
                return Ok((Array::new().into(), Some(Items::of(tape, at, Pattern::Flat))));
            }
            Token::Object => return self.grammar.object(Fields { tape, at }),
        };
        Ok((value, None))
    }

    /// Feeds a name and the value after it.
    fn property(&mut self, at: usize) -> Result<(), Stop<C>> {
        let name = self.grammar.name(self.tape, at)?;
        self.origin(at)?;
        self.consumer.name(name.as_bytes()).map_err(FeedError::Consumer)?;
        self.value(self.tape.node(at).next)
    }

    fn pair(&mut self, at: usize, pattern: Pattern) -> Result<(), Stop<C>> {
        let node = self.tape.node(at);
        if node.token != Token::Array || node.len != 2 {
            return expected("an array of two", at)?;
        }
        let items = Items::of(self.tape, at, Pattern::Flat);
        if pattern == Pattern::NamedPairs {
            return self.property(items.first);
        }
        self.open.push((items, None));
        Ok(())
    }

    /// Ends a container; does nothing for a pair.
    fn exit(&mut self, container: Option<usize>) -> Result<(), Stop<C>> {
        let Some(at) = container else { return Ok(()) };
        if C::WANTS_ORIGINS {
            self.consumer.origin(self.tape.node(at).end, &[]);
        }
        self.consumer.exit().map_err(FeedError::Consumer)
    }

    /// Reports the position of the next event to the consumer.
    fn origin(&mut self, at: usize) -> Result<()> {
        if C::WANTS_ORIGINS {
            let raw = if self.takes_raw { self.grammar.raw(self.tape, at)? } else { Vec::new() };
            self.consumer.origin(self.tape.node(at).start, &raw);
        }
        Ok(())
    }
}
