//! JSON as events, by whichever form.

use variant_view::{ArrayHead, Consumer, FeedError, Head, Leaf, Origin};

use super::fields::{Fault, Result, expected};
use super::tape::{Tape, Token};

/// What keeps a value of JSON from a consumer.
pub(super) type Stop<C> = FeedError<Fault, <C as Consumer>::Error>;

/// A value that was given to a consumer; of a container its head, and where its children stand.
pub(super) type Given<C> = Result<Option<Items>, Stop<C>>;

/// How the values of a form look.
pub(super) trait Grammar {
    /// Gives what a node stands for as one event, without what is in its children. O(the node).
    fn value<C: Consumer>(&self, tape: &Tape<'_>, at: usize, consumer: &mut C) -> Given<C>;

    /// A name of a property.
    fn name(&self, tape: &Tape<'_>, at: usize) -> Result<Vec<u8>> {
        match tape.string(at) {
            Some(text) => Ok(text.into_bytes()),
            None => expected("a name", at),
        }
    }

    /// The bytes that a value or a name was made of, if they are given; else none.
    fn raw(&self, _: &Tape<'_>, _: usize) -> Result<Vec<u8>> {
        Ok(Vec::new())
    }
}

impl<C> From<Fault> for FeedError<Fault, C> {
    fn from(fault: Fault) -> Self {
        Self::Producer(fault)
    }
}

/// Gives a leaf.
pub(super) fn leaf<C: Consumer>(consumer: &mut C, leaf: Leaf<'_>) -> Given<C> {
    consumer.leaf(leaf).map(|()| None).map_err(FeedError::Consumer)
}

/// Gives the head of a container.
pub(super) fn enter<C: Consumer>(consumer: &mut C, head: Head<'_>, items: Items) -> Given<C> {
    consumer.enter(head).map(|()| Some(items)).map_err(FeedError::Consumer)
}

/// Gives the head of an array without a declared type.
pub(super) fn enter_array<C: Consumer>(consumer: &mut C, tape: &Tape<'_>, at: usize) -> Given<C> {
    let items = Items::flat(tape, at);
    let head = ArrayHead { len: Some(items.count), ..ArrayHead::default() };
    enter(consumer, Head::Array(head), items)
}

/// The nodes in which the children of a container stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Items {
    first: usize,
    /// How many are left.
    pub(super) count: usize,
    pattern: Pattern,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pattern {
    /// Values one after the other.
    Flat,
    /// Arrays of a key and a value.
    Pairs,
    /// Arrays of a name and a value.
    NamedPairs,
    /// Names and values in turn; each two count as one.
    Named,
}

impl Items {
    /// The values in an array, or keys and values of an object.
    pub(super) fn flat(tape: &Tape<'_>, at: usize) -> Self {
        let node = tape.node(at);
        let count = if node.token == Token::Object { node.len.saturating_mul(2) } else { node.len };
        Self { first: at.saturating_add(1), count, pattern: Pattern::Flat }
    }

    /// Pairs of key and value, an array each.
    pub(super) fn pairs(tape: &Tape<'_>, at: usize) -> Self {
        Self { pattern: Pattern::Pairs, ..Self::flat(tape, at) }
    }

    /// Pairs of name and value, an array each.
    pub(super) fn named_pairs(tape: &Tape<'_>, at: usize) -> Self {
        Self { pattern: Pattern::NamedPairs, ..Self::flat(tape, at) }
    }

    /// Names and values in turn, in an array or an object.
    pub(super) fn named(tape: &Tape<'_>, at: usize) -> Self {
        let flat = Self::flat(tape, at);
        Self { pattern: Pattern::Named, count: flat.count / 2, ..flat }
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

/// Gives the value that node `root` stands for to a consumer; with the bytes that values were made of, if it `takes_raw`.
/// O(the text of the node), memory O(depth).
pub(super) fn feed<C: Consumer>(
    tape: &Tape<'_>,
    root: usize,
    grammar: &impl Grammar,
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
            (Some(at), Pattern::Flat) => feed.value(at)?,
            (Some(at), Pattern::Named) => feed.property(at)?,
            (Some(at), Pattern::Pairs | Pattern::NamedPairs) => feed.pair(at, pattern)?,
        }
    }
    Ok(())
}

struct Feed<'d, 't, G, C> {
    tape: &'d Tape<'t>,
    grammar: &'d G,
    takes_raw: bool,
    consumer: &'d mut C,
    /// What is left of each container, with its node, and of the pairs in them.
    open: Vec<(Items, Option<usize>)>,
}

impl<G: Grammar, C: Consumer> Feed<'_, '_, G, C> {
    fn value(&mut self, at: usize) -> Result<(), Stop<C>> {
        self.origin(at)?;
        if let Some(items) = self.grammar.value(self.tape, at, self.consumer)? {
            self.open.push((items, Some(at)));
        }
        Ok(())
    }

    /// A name, and the value behind it.
    fn property(&mut self, at: usize) -> Result<(), Stop<C>> {
        let name = self.grammar.name(self.tape, at)?;
        self.origin(at)?;
        self.consumer.name(&name).map_err(FeedError::Consumer)?;
        self.value(self.tape.node(at).next)
    }

    fn pair(&mut self, at: usize, pattern: Pattern) -> Result<(), Stop<C>> {
        let node = self.tape.node(at);
        if node.token != Token::Array || node.len != 2 {
            return expected("an array of two", at)?;
        }
        let items = Items::flat(self.tape, at);
        if pattern == Pattern::NamedPairs {
            return self.property(items.first);
        }
        self.open.push((items, None));
        Ok(())
    }

    /// The end of a container; nothing, if it is that of a pair.
    fn exit(&mut self, container: Option<usize>) -> Result<(), Stop<C>> {
        let Some(at) = container else { return Ok(()) };
        if C::WANTS_ORIGINS {
            self.consumer.origin(Origin { offset: self.tape.node(at).end, bytes: &[] });
        }
        self.consumer.exit().map_err(FeedError::Consumer)
    }

    /// Says where the next event stands.
    fn origin(&mut self, at: usize) -> Result<()> {
        if C::WANTS_ORIGINS {
            let raw = if self.takes_raw { self.grammar.raw(self.tape, at)? } else { Vec::new() };
            let offset = self.tape.node(at).start;
            self.consumer.origin(Origin { offset, bytes: &raw });
        }
        Ok(())
    }
}
