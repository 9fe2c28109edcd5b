//! [`merge`]: brings the changes of another copy of a file into a file.

use std::collections::{BTreeMap, BTreeSet};
use std::vec::IntoIter;

use variant_io::Framing;
use variant_owned::{
    Array, ConvertOptions, Dictionary, EncodeOptions, Variant, Widths, convert, encode,
};
use variant_view::{Document, Options, PathStep};

use crate::convert::Losses;
use crate::edit::{Draft, Graft};
use crate::literal;
use crate::plain::{Piece, Plain, unit};
use crate::query::{KeyedStep, key_of};
use crate::trouble::{EditError, Trouble};

/// One of the two files that are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The file that is changed.
    Ours,
    /// The other file.
    Theirs,
}

/// A value that both files changed, in different ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The number of the frame or setting, from 1.
    pub frame: u64,
    /// The name of the frame or setting ([`Piece::called`]); `None` in a bare file.
    pub called: Option<String>,
    /// The path in the frame, shortened if it is long.
    pub path: String,
    /// The value before both changes, as a short literal; `None` if there was none.
    pub base: Option<String>,
    /// The value of the file; `None` if the file removed it.
    pub ours: Option<String>,
    /// The value of the other file; `None` if that file removed it.
    pub theirs: Option<String>,
}

/// The values that both files changed, in different ways.
#[derive(Clone, Debug, Default)]
pub struct Conflicts {
    /// The first conflicts.
    pub first: Vec<Conflict>,
    /// The number of all conflicts.
    pub count: u64,
}

/// The maximum length of [`Conflicts::first`], and the number of bytes after which a path is cut.
const MOST: usize = 1_000;
const LONGEST_PATH: usize = 4_096;

/// The result of a merge.
#[derive(Clone, Debug, Default)]
pub struct Merged {
    /// The values that both files changed, in different ways. Empty without a base.
    pub conflicts: Conflicts,
    /// What the values of the other file lost when they were converted to the dialect of the file.
    pub losses: Losses,
}

/// Brings the values of another file, `theirs`, into a draft. Unchanged parts keep their bytes.
///
/// Without a base, the values of `theirs` are added, and replace the values at the same paths. With a base, the values of
/// the draft change as `theirs` changed the values of `base`. Where both changed a value in different ways, the value of
/// `side` is kept, and the conflict is listed.
///
/// Dictionaries are merged key by key. With a base, arrays that have the same length in all files are merged element by
/// element. Any other value, such as an array that became longer, is merged as a whole. Frames are paired by number,
/// and settings by name. With a base, all files must have the same number of frames. The other files may have other
/// dialects.
///
/// O(bytes of the three files) expected; nothing recurses.
///
/// ```
/// use variant_document::Plain;
/// use variant_document::edit::Draft;
/// use variant_document::merge::{Side, merge};
/// use variant_io::Framing;
/// use variant_owned::{dictionary, encode};
/// use variant_view::{Dialect, Options};
///
/// let save = |hp: i32, gold: i32| encode(&dictionary! { "hp" => hp, "gold" => gold }.into(), Dialect::Godot4);
/// let (base, ours, theirs) = (save(7, 1)?, save(9, 1)?, save(8, 5)?);
/// let plain = |bytes| Plain::new(bytes, Framing::Bare, Options::engine(Dialect::Godot4));
///
/// let mut draft = Draft::new(plain(&ours));
/// let conflicts = merge(&mut draft, plain(&theirs), Some(plain(&base)), Side::Ours)?.conflicts;
/// assert_eq!(draft.bytes(), save(9, 5)?);
/// assert_eq!((conflicts.first[0].path.as_str(), conflicts.count), ("hp", 1));
///
/// let mut draft = Draft::new(plain(&ours));
/// merge(&mut draft, plain(&theirs), None, Side::Ours)?;
/// assert_eq!(draft.bytes(), theirs);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Damage; a value that the dialect of the draft cannot hold; a frame or setting that only one of the files has. The
/// draft is then unchanged.
pub fn merge(
    draft: &mut Draft<'_>,
    theirs: Plain<'_>,
    base: Option<Plain<'_>>,
    side: Side,
) -> Result<Merged, EditError> {
    let mut merged = Merged::default();
    let options = draft.plain().options;
    let mut theirs = read(theirs, "the other file", options, &mut merged.losses)?;
    match base {
        None => add(draft, theirs)?,
        Some(base) => {
            // The losses of the base are not listed, since no value of the base becomes a part of the result.
            let mut base = read(base, "the base", options, &mut Losses::default())?;
            check_places(draft.plain(), &base, &theirs)?;
            let conflicts = &mut merged.conflicts;
            graft(draft, |piece, ours| {
                let place = key_of_piece(piece);
                let (base, theirs) = (base.remove(&place), theirs.remove(&place)?);
                let mut job = Job { piece, options, side, conflicts };
                Some((job.run(base.as_ref(), ours, &theirs), false))
            })?;
        }
    }
    Ok(merged)
}

/// Adds values to a draft, and replaces the values at the same paths.
fn add(draft: &mut Draft<'_>, mut values: BTreeMap<Place, Variant>) -> Result<(), EditError> {
    let own = places(draft.plain())?;
    if let Some(place) = values.keys().find(|place| !own.contains(*place)) {
        return Err(unpaired(draft.plain(), place, "only the other file has"));
    }
    graft(draft, |piece, _| Some((values.remove(&key_of_piece(piece))?, true)))
}

/// Replaces the values of a draft by those that `new` returns. `new` gets a piece of the file and its value. It returns
/// the new value and [`Graft::is_merge`], or `None` to keep the value.
fn graft(
    draft: &mut Draft<'_>,
    mut new: impl FnMut(&Piece<'_>, &Variant) -> Option<(Variant, bool)>,
) -> Result<(), EditError> {
    let file = draft.plain().with_bytes(&[]);
    let encoding = encoding(file.options);
    let bytes = |value: &Variant| encode(value, encoding).map_err(|error| Trouble::message(&error));
    draft.graft(|value, document| {
        let ours = Variant::from_document(&document)?;
        let new = new(&file.piece(value), &ours);
        let Some((new, is_merge)) = new else { return Ok(None) };
        // The draft may have other bytes for the same value, so both values are encoded as the engine encodes them.
        Ok(Some(Graft { base: bytes(&ours)?, new: bytes(&new)?, is_merge }))
    })
}

fn encoding(options: Options) -> EncodeOptions {
    EncodeOptions::new(options.dialect).reals(options.reals)
}

/// The number of a frame, or the name of a setting.
type Place = (u64, Vec<u8>);

fn key((number, name): (u64, Option<&[u8]>)) -> Place {
    name.map_or((number, Vec::new()), |name| (0, name.to_vec()))
}

fn key_of_piece(piece: &Piece<'_>) -> Place {
    key((piece.number, piece.name))
}

/// The values of a file in the dialect of `wanted`. Messages name the file by `called`.
fn read(
    file: Plain<'_>,
    called: &str,
    wanted: Options,
    losses: &mut Losses,
) -> Result<BTreeMap<Place, Variant>, EditError> {
    let mut values = BTreeMap::new();
    // The offset of damage in this file is not that of a byte in the draft, so the error has no offset.
    let refused = |why: String| EditError::new(format!("{called}: {why}"));
    let is_alike = (file.options.dialect, file.options.reals) == (wanted.dialect, wanted.reals);
    for piece in file.pieces() {
        let piece = piece.map_err(|error| refused(file.cut(&error)))?;
        let value = Variant::from_document(&file.document(piece.bytes));
        let mut value =
            value.map_err(|error| refused(EditError::of(error.into(), piece.start).to_string()))?;
        // Values of the same dialect are not converted, because a conversion would choose new widths of numbers.
        if !is_alike {
            let how = ConvertOptions::new(wanted.dialect).reals(wanted.reals);
            let converted = convert(&value, how);
            let (converted, report) = converted.map_err(|error| refused(error.to_string()))?;
            losses.add(&piece, &report);
            value = converted;
        }
        let place = key_of_piece(&piece);
        if values.contains_key(&place) {
            return Err(twice(file, &place, called));
        }
        values.insert(place, value);
    }
    Ok(values)
}

/// Refuses files with different numbers of frames, since frames are paired by number. Refuses settings that only the
/// other file added or removed, and settings that the file removed and the other file changed.
fn check_places(
    ours: Plain<'_>,
    base: &BTreeMap<Place, Variant>,
    theirs: &BTreeMap<Place, Variant>,
) -> Result<(), EditError> {
    let own = places(ours)?;
    let counts = [own.len(), base.len(), theirs.len()];
    if ours.framing != Framing::Settings && counts != [own.len(); 3] {
        let [own, base, theirs] = counts;
        let noun = unit(ours.framing).unwrap_or("value");
        return Err(EditError::new(format!(
            "the file has {own}, the base {base} and the other file {theirs} {noun}s, which are paired by number; \
             merge files with the same number of {noun}s"
        )));
    }
    for (place, value) in theirs.iter().filter(|(place, _)| !own.contains(*place)) {
        match base.get(place) {
            None => return Err(unpaired(ours, place, "only the other file has")),
            Some(base) if base != value => {
                let why = "the file removed, and the other file changed,";
                return Err(unpaired(ours, place, why));
            }
            Some(_) => {}
        }
    }
    let removed =
        own.iter().find(|place| base.contains_key(*place) && !theirs.contains_key(*place));
    removed.map_or(Ok(()), |place| Err(unpaired(ours, place, "the other file removed")))
}

/// The numbers of the frames in a file, or the names of its settings.
fn places(file: Plain<'_>) -> Result<BTreeSet<Place>, EditError> {
    let mut places = BTreeSet::new();
    for piece in file.pieces() {
        let piece = piece.map_err(|error| EditError::new(file.cut(&error)))?;
        if let Some(place) = places.replace(key_of_piece(&piece)) {
            return Err(twice(file, &place, "the file"));
        }
    }
    Ok(places)
}

fn unpaired(file: Plain<'_>, place: &Place, why: &str) -> EditError {
    let place = called(file, place);
    EditError::new(format!("{why} {place}; merge the values that all files have"))
}

fn twice(file: Plain<'_>, place: &Place, has: &str) -> EditError {
    let place = called(file, place);
    EditError::new(format!("{has} has {place} twice; delete one of them first"))
}

fn called(file: Plain<'_>, (number, name): &Place) -> String {
    let noun = unit(file.framing).unwrap_or("value");
    match number {
        0 => format!("{noun} {}", crate::escape::cut(name, 100)),
        _ => format!("{noun} {number}"),
    }
}

/// The values of the three files at the same path; `None` if a file lacks the value.
#[derive(Clone, Copy)]
struct Three<'v> {
    base: Option<&'v Variant>,
    ours: Option<&'v Variant>,
    theirs: Option<&'v Variant>,
}

/// A container of the result.
enum Open<'v> {
    Array {
        rest: IntoIter<Three<'v>>,
        done: Array,
    },
    Dictionary {
        rest: IntoIter<(&'v Variant, Three<'v>)>,
        at: u32,
        key: Option<&'v Variant>,
        /// The step of `key` in a path. It is made when the first conflict below the key is listed.
        step: Option<String>,
        done: Dictionary,
    },
}

impl<'v> Open<'v> {
    /// The container whose items are merged one by one; `None` if the values are merged as a whole.
    fn of(three: Three<'v>) -> Option<Self> {
        match (three.base, three.ours?, three.theirs?) {
            (base, Variant::Dictionary(ours), Variant::Dictionary(theirs)) => {
                let base = base.and_then(|base| match base {
                    Variant::Dictionary(base) => Some(base),
                    _ => None,
                });
                let types = |of: &'v Dictionary| (of.key_type(), of.value_type());
                (types(ours) == types(theirs)).then(|| Self::pairs(base, ours, theirs))
            }
            (Some(Variant::Array(base)), Variant::Array(ours), Variant::Array(theirs)) => {
                let is_alike = |a: &Array, b: &Array| {
                    (a.len(), a.element_type()) == (b.len(), b.element_type())
                };
                (is_alike(base, ours) && is_alike(ours, theirs))
                    .then(|| Self::elements(base, ours, theirs))
            }
            _ => None,
        }
    }

    fn elements(base: &'v Array, ours: &'v Array, theirs: &'v Array) -> Self {
        let all = base.iter().zip(ours.iter().zip(theirs.iter()));
        let all = all.map(|(base, (ours, theirs))| Three {
            base: Some(base),
            ours: Some(ours),
            theirs: Some(theirs),
        });
        let mut done = Array::with_type(ours.element_type().clone());
        done.set_shared(ours.is_shared());
        Self::Array { rest: all.collect::<Vec<_>>().into_iter(), done }
    }

    /// The pairs in the order of the file. The pairs that only the other file has follow.
    fn pairs(base: Option<&'v Dictionary>, ours: &'v Dictionary, theirs: &'v Dictionary) -> Self {
        let of_base = |key| base.and_then(|base| base.get_variant(key));
        let own = ours.as_slice().iter().map(|(key, value)| {
            let theirs = theirs.get_variant(key);
            (key, Three { base: of_base(key), ours: Some(value), theirs })
        });
        let others = theirs.as_slice().iter();
        let others = others.filter(|(key, _)| ours.get_variant(key).is_none());
        let others = others.map(|(key, value)| {
            (key, Three { base: of_base(key), ours: None, theirs: Some(value) })
        });
        let rest = own.chain(others).collect::<Vec<_>>().into_iter();
        let mut done = Dictionary::with_rule(ours.rule());
        done.set_types(ours.key_type().clone(), ours.value_type().clone());
        done.set_shared(ours.is_shared());
        Self::Dictionary { rest, at: 0, key: None, step: None, done }
    }

    fn next(&mut self) -> Option<Three<'v>> {
        match self {
            Self::Array { rest, .. } => rest.next(),
            Self::Dictionary { rest, at, key, step, .. } => {
                let (next, three) = rest.next()?;
                *at = at.saturating_add(key.is_some().into());
                (*key, *step) = (Some(next), None);
                Some(three)
            }
        }
    }

    /// Adds a merged item; `None` if it is removed.
    fn take(&mut self, value: Option<Variant>) {
        let Some(value) = value else { return };
        match self {
            Self::Array { done, .. } => done.push(value),
            Self::Dictionary { key, done, .. } => {
                done.insert(key.cloned().unwrap_or_default(), value);
            }
        }
    }

    fn finish(self) -> Variant {
        match self {
            Self::Array { done, .. } => done.into(),
            Self::Dictionary { done, .. } => done.into(),
        }
    }
}

struct Job<'j> {
    piece: &'j Piece<'j>,
    options: Options,
    side: Side,
    conflicts: &'j mut Conflicts,
}

impl Job<'_> {
    fn run(&mut self, base: Option<&Variant>, ours: &Variant, theirs: &Variant) -> Variant {
        let mut open: Vec<Open<'_>> = Vec::new();
        let mut next = Three { base, ours: Some(ours), theirs: Some(theirs) };
        loop {
            let mut done = match Open::of(next) {
                Some(container) => {
                    open.push(container);
                    None
                }
                None => Some(self.whole(next, &mut open)),
            };
            // Continues with the innermost container that has items left.
            next = loop {
                let Some(top) = open.last_mut() else {
                    return done.flatten().unwrap_or_default();
                };
                if let Some(done) = done.take() {
                    top.take(done);
                }
                if let Some(next) = top.next() {
                    break next;
                }
                done = open.pop().map(|top| Some(top.finish()));
            };
        }
    }

    /// The result for three values that are merged as a whole; `None` if the value is removed. Lists a conflict.
    fn whole(&mut self, three: Three<'_>, open: &mut [Open<'_>]) -> Option<Variant> {
        let Three { base, ours, theirs } = three;
        let [old, own, other] = [base, ours, theirs].map(|value| self.bytes(value));
        if own == other || old == other {
            return ours.cloned();
        }
        if old == own {
            return theirs.cloned();
        }
        self.conflicts.count = self.conflicts.count.saturating_add(1);
        if self.conflicts.first.len() < MOST {
            let [base, ours, theirs] = [old, own, other].map(|bytes| self.literal(&bytes?));
            let (frame, called) = (self.piece.number, self.piece.called());
            let path = self.path(open);
            self.conflicts.first.push(Conflict { frame, called, path, base, ours, theirs });
        }
        if self.side == Side::Ours { ours.cloned() } else { theirs.cloned() }
    }

    /// The bytes of a value in the canonical form, so that equal values have equal bytes. Two NaNs are then equal as
    /// well.
    fn bytes(&self, value: Option<&Variant>) -> Option<Vec<u8>> {
        encode(value?, encoding(self.options).widths(Widths::Canonical)).ok()
    }

    fn literal(&self, bytes: &[u8]) -> Option<String> {
        Some(literal::text(&Document::new(bytes, self.options).root().ok()?))
    }

    fn path(&self, open: &mut [Open<'_>]) -> String {
        let mut path = String::new();
        for container in open {
            if path.len() > LONGEST_PATH {
                path.push_str("...");
                break;
            }
            match container {
                Open::Array { done, .. } => {
                    let index = i64::try_from(done.len()).unwrap_or(i64::MAX);
                    self.step(PathStep::Number(index).into(), &mut path);
                }
                Open::Dictionary { at, key, step, .. } => {
                    // A key may be long, so its step is made once for all conflicts below it.
                    path.push_str(step.get_or_insert_with(|| self.key(*at, *key, path.is_empty())));
                }
            }
        }
        path
    }

    /// The step of a key in a path. `is_first` is true for the first step of the path.
    fn key(&self, position: u32, key: Option<&Variant>, is_first: bool) -> String {
        let bytes = self.bytes(key).unwrap_or_default();
        let view = Document::new(&bytes, self.options).root().ok();
        let named = view.as_ref().and_then(key_of).and_then(PathStep::of_key);
        let step = named.unwrap_or(PathStep::Position(position));
        let key = view.filter(|_| named.is_none());
        // A name has a dot before it, unless it is the first step. So `x` represents an earlier step, and is cut off
        // below.
        let mut text = if is_first { String::new() } else { "x".to_owned() };
        let before = text.len();
        self.step(KeyedStep { step, key }.short(position), &mut text);
        text.split_off(before)
    }

    fn step(&self, step: KeyedStep<'_>, path: &mut String) {
        step.push_to(path, self.options.dialect);
    }
}
