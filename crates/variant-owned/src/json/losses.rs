//! [`Losses`]: the parts of a document that a form of JSON cannot hold.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::fmt::{self, Write as _};
use std::hash::BuildHasher as _;

use variant_view::{Document, PathStep};

use crate::path::{Item, PathTracker, Turn, push_step, shown, text_within, within};

/// The losses of a document in a form of JSON: the first places with losses, and the number of all losses.
///
/// Only losses of values count, not changes of kind: a `StringName` as a string, or a `Vector2` as an object of two
/// numbers, is intended.
///
/// ```
/// use variant_owned::json::{self, Form, LossKind};
/// use variant_owned::{Variant, array};
///
/// let value = Variant::from(array![f64::NAN, f64::INFINITY, 1.5]);
/// let losses = json::write(&value, Form::Plain, std::io::sink(), false)?;
/// assert_eq!((losses.count(), losses.count_of(LossKind::NotFinite)), (2, 2));
/// assert_eq!(losses.list()[0].path, "[0]"); // the first place
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Losses {
    list: Vec<JsonLoss>,
    /// The index in the list for a place and a kind.
    known: HashMap<(u64, LossKind), usize>,
    totals: HashMap<LossKind, u64>,
    places: Places,
}

/// The length of the list; losses in further places are only counted.
const LISTED: usize = 16;
/// The longest path with names, in bytes. If the path with names is longer, positions replace the names.
const PATH: usize = 240;

impl Losses {
    /// The first places with losses, at most 16.
    pub fn list(&self) -> &[JsonLoss] {
        &self.list
    }

    /// The number of all losses.
    pub fn count(&self) -> u64 {
        self.totals.values().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// The number of losses of `kind`.
    pub fn count_of(&self, kind: LossKind) -> u64 {
        self.totals.get(&kind).copied().unwrap_or(0)
    }

    /// The number of losses in places that are not in the list.
    pub fn unlisted(&self) -> u64 {
        self.list.iter().fold(self.count(), |left, loss| left.saturating_sub(loss.count))
    }

    /// Whether nothing was lost.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Counts a loss of the value at `path`. O(1), except for the first loss at a place.
    pub(super) fn add(&mut self, kind: LossKind, offset: usize, path: &PathTracker) {
        let total = self.totals.entry(kind).or_default();
        *total = total.saturating_add(1);
        let key = (self.places.digest(path), kind);
        if let Some(loss) = self.known.get(&key).and_then(|&at| self.list.get_mut(at)) {
            loss.count = loss.count.saturating_add(1);
        } else if self.list.len() < LISTED {
            self.known.insert(key, self.list.len());
            let (path, place) = (positions(path), place(path));
            self.list.push(JsonLoss { kind, path, place, offset, count: 1 });
        }
    }

    /// Replaces positions by names in each path, if the result is short. O(bytes) for each listed place.
    pub(super) fn find_paths(&mut self, document: &Document<'_>) {
        for loss in &mut self.list {
            let Ok(path) = document.path_to(loss.offset) else { continue };
            if let Some(short) = within(PATH, |text| write!(text, "{path}")) {
                loss.path = short;
            }
        }
    }

    /// Called at the end of a container; `path` leads to it.
    pub(super) fn left(&mut self, path: &PathTracker) {
        self.places.outer.truncate(path.depth().saturating_sub(1));
        self.places.inner = None;
    }
}

/// Identifies places by digests, so that the time of a comparison does not depend on the length of the path. The
/// digests are seeded, so inputs cannot force collisions.
///
/// Paths that differ only in element indices or non-text keys are one place.
#[derive(Clone, Debug, Default)]
struct Places {
    state: RandomState,
    /// The digests of the open containers except the innermost, as far as computed.
    outer: Vec<u64>,
    /// An item of the innermost container and its digest. The digest is kept because one value may have many losses and
    /// a long name.
    inner: Option<(Item, u64)>,
}

impl Places {
    /// The digest of the place at `path`. O(steps that are not computed yet, and their names).
    fn digest(&mut self, path: &PathTracker) -> u64 {
        let item = path.item();
        if let Some((_, digest)) = self.inner.filter(|(own, _)| *own == item) {
            return digest;
        }
        let mut digest = self.outer.last().copied().unwrap_or(0);
        for at in self.outer.len()..path.depth() {
            if let Some(turn) = path.turn(at) {
                digest = self.state.hash_one((digest, alike(turn)));
            }
            if at.saturating_add(1) < path.depth() {
                self.outer.push(digest);
            }
        }
        self.inner = Some((item, digest));
        digest
    }
}

/// The name of a step as `Err`. A step without a name gives a symbol as `Ok`; steps with one symbol count as equal.
const fn alike(turn: Turn<'_>) -> Result<&'static str, &[u8]> {
    match turn {
        Turn::Element => Ok("[*]"),
        Turn::Key => Ok("{*:key}"),
        Turn::OfInt | Turn::OfOther => Ok("{*}"),
        Turn::OfText(name) => Err(name),
    }
}

/// The path by positions, as `Document::at` reads it. O(steps).
fn positions(path: &PathTracker) -> String {
    text_within(path.positions(), usize::MAX).unwrap_or_default()
}

/// The number of steps that are shown at each end of a long place.
const SHOWN: usize = 6;
/// The longest name shown, in characters.
const NAME: usize = 40;

/// The place as text to be displayed: `enemies[*].hp`. O(steps); long names are cut.
fn place(path: &PathTracker) -> String {
    let turns: Vec<_> = (0..path.depth()).filter_map(|at| path.turn(at)).collect();
    let mut place = String::new();
    for (at, &turn) in turns.iter().enumerate() {
        let is_shown = at < SHOWN || turns.len().saturating_sub(at) <= SHOWN;
        match alike(turn) {
            Ok(step) if is_shown => place.push_str(step),
            Err(name) if is_shown => push_name(&mut place, name),
            _ if at == SHOWN => place.push('\u{2026}'),
            _ => {}
        }
    }
    place
}

fn push_name(place: &mut String, name: &[u8]) {
    let text = String::from_utf8_lossy(name.get(..4 * NAME).unwrap_or(name));
    let mut chars = text.chars();
    let mut shown: String = chars.by_ref().take(NAME).flat_map(char::escape_debug).collect();
    if chars.next().is_some() {
        shown.push('\u{2026}');
    }
    push_step(place, PathStep::Name(&shown));
}

/// The losses of one kind in one place: the first, and the count.
///
/// Values whose paths have the same names are in one place, even if indices and non-text keys differ.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct JsonLoss {
    /// The kind of loss.
    pub kind: LossKind,
    /// The path of the first lost value, as [`Document::at`](variant_view::Document::at) reads it. If the producer is
    /// not a document, the steps of the path are positions.
    pub path: String,
    /// The place as text to be displayed: `enemies[*].hp`. A long text is shortened.
    pub place: String,
    /// The byte offset of the first value in the producer's input; 0 if the input has no positions.
    pub offset: usize,
    /// The number of losses in the place.
    pub count: u64,
}

impl fmt::Display for JsonLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count {
            1 => write!(f, "{}: {}", shown(&self.path), self.kind),
            count => {
                let (place, first) = (shown(&self.place), shown(&self.path));
                write!(f, "{place}: {} (x{count}, first at {first})", self.kind)
            }
        }
    }
}

/// The kinds of loss.
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
    /// The target of a reference: a RID, a callable, a signal or an object by id.
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
            Self::Key => "a key that is not text",
            Self::Collision => "a repeated key",
            Self::Reference => "a reference",
            Self::Kind => "a kind that this form does not have",
        })
    }
}
