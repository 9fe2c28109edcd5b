//! [`Losses`]: what a form of JSON cannot hold of a document.

use std::collections::HashMap;
use std::fmt::{self, Write as _};

use variant_view::Document;

use super::way::Way;

/// What a form of JSON could not hold of a document: the first places of losses, and the totals.
///
/// Only losses of values count, not changes of kind: it is the purpose of a form that a `StringName`
/// becomes a string, or a `Vector2` an object of two numbers.
#[derive(Clone, Debug, Default)]
pub struct Losses {
    list: Vec<JsonLoss>,
    /// Where in the list a place and a kind stand.
    known: HashMap<(u64, LossKind), usize>,
    totals: [u64; LossKind::ALL.len()],
}

/// Losses in more places are counted only.
const LISTED: usize = 16;
/// A path of more bytes is given by positions.
const PATH: usize = 240;

impl Losses {
    /// The first places with losses, at most 16.
    pub fn list(&self) -> &[JsonLoss] {
        &self.list
    }

    /// The number of all losses.
    pub fn count(&self) -> u64 {
        self.totals.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// The number of losses of `kind`.
    pub fn count_of(&self, kind: LossKind) -> u64 {
        LossKind::ALL.iter().zip(self.totals).find(|(one, _)| **one == kind).map_or(0, |(_, n)| n)
    }

    /// The number of losses in places that are not in the list.
    pub fn unlisted(&self) -> u64 {
        self.list.iter().fold(self.count(), |left, loss| left.saturating_sub(loss.count))
    }

    /// Whether nothing was lost.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// O(1) but for the first of a place.
    pub(super) fn add(&mut self, kind: LossKind, offset: usize, way: &mut Way) {
        for (one, total) in LossKind::ALL.iter().zip(&mut self.totals) {
            *total = total.saturating_add((*one == kind).into());
        }
        let key = (way.digest(), kind);
        if let Some(loss) = self.known.get(&key).and_then(|&at| self.list.get_mut(at)) {
            loss.count = loss.count.saturating_add(1);
        } else if self.list.len() < LISTED {
            self.known.insert(key, self.list.len());
            let (path, place) = (way.positions(), way.place());
            self.list.push(JsonLoss { kind, path, place, offset, count: 1 });
        }
    }

    /// Puts names into the paths, where they are short and lead there. O(bytes) for each place in the list.
    pub(super) fn find_paths(&mut self, document: &Document<'_>) {
        for loss in &mut self.list {
            let Ok(path) = document.path_to(loss.offset) else { continue };
            let mut short = Short(String::new());
            if write!(short, "{path}").is_ok() {
                loss.path = short.0;
            }
        }
    }
}

/// Takes no more than a path may have.
struct Short(String);

impl fmt::Write for Short {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len().saturating_add(text.len()) > PATH {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

/// A loss: the first of its kind in a place, and the number of all.
///
/// A place is all values reached by the same names, whatever the indices and non-text keys on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct JsonLoss {
    /// What was lost.
    pub kind: LossKind,
    /// The path of the first lost value, as [`Document::at`](variant_view::Document::at) reads it; by
    /// positions if the producer is not a document.
    pub path: String,
    /// The place for display, shortened if long: `enemies[*].hp`.
    pub place: String,
    /// The byte offset of the first value in the producer's input; 0 if the input has no positions.
    pub offset: usize,
    /// The number of losses in the place.
    pub count: u64,
}

impl fmt::Display for JsonLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count {
            1 => write!(f, "{}: {}", or_root(&self.path), self.kind),
            count => {
                let (place, first) = (or_root(&self.place), or_root(&self.path));
                write!(f, "{place}: {} (x{count}, first at {first})", self.kind)
            }
        }
    }
}

const fn or_root(path: &str) -> &str {
    if path.is_empty() { "(root)" } else { path }
}

/// What was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LossKind {
    /// A NaN or an infinity, which JSON cannot express.
    NotFinite,
    /// Bytes that are not UTF-8, replaced by U+FFFD.
    Text,
    /// The kind, or the content, of a key that is not text.
    Key,
    /// A repeated key, which got a suffix.
    Collision,
    /// The target of a reference: of RIDs, callables, signals and objects by id.
    Reference,
    /// A kind that the form does not have.
    Kind,
}

impl LossKind {
    /// All kinds of loss.
    pub const ALL: [Self; 6] =
        [Self::NotFinite, Self::Text, Self::Key, Self::Collision, Self::Reference, Self::Kind];
}

impl fmt::Display for LossKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotFinite => "a number that is not finite",
            Self::Text => "text that is not UTF-8",
            Self::Key => "a key that is no text",
            Self::Collision => "a key that was there already",
            Self::Reference => "a reference",
            Self::Kind => "a kind that this form does not have",
        })
    }
}
