//! [`Fan`]: many paths as one tree, so that one pass finds the values of all of them.

use std::cell::Cell;
use std::collections::HashMap;

use variant_view::{Key, KeyRule};

use super::{Place, Query, Step, from_start};

/// Paths that each select one value. No path leads to a value inside the value of another path.
#[derive(Debug, Default)]
pub(crate) struct Fan {
    /// The first fork is the root.
    forks: Vec<Fork>,
    /// Whether two forks led to one value: one by its key, and the other by its position.
    is_ambiguous: Cell<bool>,
}

/// A value on the way to the values of paths, and the steps that continue from it.
#[derive(Debug, Default)]
struct Fork {
    names: HashMap<Vec<u8>, usize>,
    string_names: HashMap<Vec<u8>, usize>,
    numbers: HashMap<i64, usize>,
    positions: HashMap<u32, usize>,
    /// The number of the path that ends here.
    path: Option<usize>,
}

impl Fork {
    fn is_end(&self) -> bool {
        let texts = self.names.is_empty() && self.string_names.is_empty();
        texts && self.numbers.is_empty() && self.positions.is_empty()
    }

    /// The entry for a step; `None` for a step that is none of names, indices and positions.
    fn entry(&mut self, step: &Step, new: usize) -> Option<usize> {
        Some(*match step {
            Step::Name(name) => self.names.entry(name.as_bytes().to_vec()).or_insert(new),
            Step::StringName(name) => {
                self.string_names.entry(name.as_bytes().to_vec()).or_insert(new)
            }
            Step::Number(number) => self.numbers.entry(*number).or_insert(new),
            Step::Position(at) => self.positions.entry(*at).or_insert(new),
            _ => return None,
        })
    }

    /// The forks to which a place leads, as [`Step::leads_to`] decides for each step.
    fn next(&self, place: &Place<'_>, rule: KeyRule) -> [Option<usize>; 3] {
        let number = |number: i64| self.numbers.get(&number).copied();
        let position = |at: u32| self.positions.get(&at).copied();
        match *place {
            Place::Key { .. } => [None; 3],
            Place::Element { index, len } => {
                let from_end = i64::from(index).saturating_sub(len.into());
                [position(index), number(index.into()), number(from_end)]
            }
            Place::Value { key, position: at } => {
                let string_name = |key: &[u8]| self.string_names.get(key).copied();
                let (name, other) = match key {
                    Some(Key::Int(key)) => (number(key), None),
                    Some(Key::String(key)) => {
                        let other = rule.has_one_text_key().then(|| string_name(key));
                        (self.names.get(key).copied(), other.flatten())
                    }
                    Some(Key::StringName(key)) => (string_name(key), None),
                    _ => (None, None),
                };
                [position(at), name, other]
            }
        }
    }
}

impl Fan {
    /// The paths as a tree. `None` if one path leads through the value of another, or has a step that may select
    /// several values, a key that is neither text nor an integer, or a byte. O(steps).
    pub(crate) fn new<'q>(paths: impl IntoIterator<Item = &'q Query>) -> Option<Self> {
        let mut fan = Self { forks: vec![Fork::default()], is_ambiguous: Cell::new(false) };
        for (number, path) in paths.into_iter().enumerate() {
            let mut at = 0;
            for step in &path.steps {
                let new = fan.forks.len();
                let fork = fan.forks.get_mut(at).filter(|fork| fork.path.is_none())?;
                at = fork.entry(step, new)?;
                if at == new {
                    fan.forks.push(Fork::default());
                }
            }
            let end = fan.forks.get_mut(at).filter(|end| end.path.is_none() && end.is_end())?;
            end.path = Some(number);
        }
        Some(fan)
    }

    /// Whether two paths led to one value in a selection.
    pub(crate) const fn is_ambiguous(&self) -> bool {
        self.is_ambiguous.get()
    }

    /// The number of the path that ends at a fork.
    pub(super) fn path(&self, fork: usize) -> Option<usize> {
        self.forks.get(fork)?.path
    }

    /// Whether no path continues from a fork.
    pub(super) fn is_end(&self, fork: usize) -> bool {
        self.forks.get(fork).is_none_or(Fork::is_end)
    }

    /// The indices of the elements of an array of this length to which the steps of a fork lead.
    pub(super) fn indices(&self, fork: usize, len: u32) -> Vec<u32> {
        let Some(fork) = self.forks.get(fork) else { return Vec::new() };
        let numbers = fork.numbers.keys().filter_map(|number| from_start(*number, len));
        numbers.chain(fork.positions.keys().copied()).collect()
    }

    /// The fork of the value at `place`, which is below the value of `fork`.
    pub(super) fn next(&self, fork: usize, place: &Place<'_>, rule: KeyRule) -> Option<usize> {
        let mut all = self.forks.get(fork)?.next(place, rule).into_iter().flatten();
        let first = all.next();
        if all.next().is_some() {
            self.is_ambiguous.set(true);
        }
        first
    }
}
