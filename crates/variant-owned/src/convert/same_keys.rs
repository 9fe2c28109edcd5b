//! [`SameKeys`]: finds keys of converted dictionaries that are equal in the target, without building dictionaries.

use std::collections::HashSet;
use std::convert::Infallible;

use variant_view::{Consumer, Head, Leaf};

use crate::event::Collector;
use crate::key::{self, Digest, KeyRule};
use crate::path::{Form, Items, Role};
use crate::variant::Variant;

/// Receives every converted event. Keeps the digests of the keys of open dictionaries. A key that is a container is
/// collected as a whole, since it may contain dictionaries.
pub(super) struct SameKeys {
    rule: KeyRule,
    open: Vec<Open>,
    /// The collector of the outermost container key, and the [`Items`] of each open container inside that key.
    key: Option<(Collector, Vec<Items>)>,
}

struct Open {
    items: Items,
    digests: HashSet<Digest>,
    are_merged: bool,
}

impl SameKeys {
    pub(super) const fn new(rule: KeyRule) -> Self {
        Self { rule, open: Vec::new(), key: None }
    }

    /// Whether two keys of the innermost dictionary are equal.
    pub(super) fn are_merged(&self) -> bool {
        match &self.key {
            Some((collector, open)) => open
                .last()
                .zip(collector.pairs())
                .is_some_and(|(items, pairs)| pairs < items.begun() / 2),
            None => self.open.last().is_some_and(|open| open.are_merged),
        }
    }

    /// Begins a value. No key that is a container may be open. Returns whether the value is a key.
    fn begin(&mut self) -> bool {
        self.open.last_mut().is_some_and(|open| open.items.begin() == Role::Key)
    }

    fn add(&mut self, key: &Variant) {
        let digest = key::digest_of(key, self.rule);
        if let (Some(open), Some(digest)) = (self.open.last_mut(), digest) {
            open.are_merged |= !open.digests.insert(digest);
        }
    }
}

impl Consumer for SameKeys {
    type Error = Infallible;

    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), Infallible> {
        if let Some((collector, open)) = &mut self.key {
            open.last_mut().map(Items::begin);
            return collector.leaf(leaf);
        }
        if self.begin() {
            self.add(&Variant::from_leaf(&leaf));
        }
        Ok(())
    }

    fn enter(&mut self, head: Head<'_>) -> Result<(), Infallible> {
        let items = Items::of(Form::of(&head));
        if self.key.is_none() && self.begin() {
            self.key = Some((Collector::with_rule(self.rule), Vec::new()));
        }
        let Some((collector, open)) = &mut self.key else {
            let digests = HashSet::new();
            self.open.push(Open { items, digests, are_merged: false });
            return Ok(());
        };
        open.last_mut().map(Items::begin);
        open.push(items);
        collector.enter(head)
    }

    fn name(&mut self, name: &[u8]) -> Result<(), Infallible> {
        match &mut self.key {
            Some((collector, _)) => collector.name(name),
            None => Ok(()),
        }
    }

    fn exit(&mut self) -> Result<(), Infallible> {
        let Some((collector, open)) = &mut self.key else {
            self.open.pop();
            return Ok(());
        };
        open.pop();
        let is_whole = open.is_empty();
        let Ok(()) = collector.exit();
        if is_whole && let Some((collector, _)) = self.key.take() {
            self.add(&collector.finish().unwrap_or_default());
        }
        Ok(())
    }
}
