//! [`Draft`]: the plain bytes of a file, with changes. Unchanged values keep their bytes.

mod adapt;
mod graft;
mod like;
mod rivals;
mod settings;
mod targets;

pub use like::like;
pub use rivals::Rivals;

use variant_io::{ByteOrder, Framing, Value};
use variant_owned::{ParseOptions, Variant, from_text_at};
use variant_view::{Dialect, Document, KeyRule, Kind, Objects, Options, VariantView, short_path};

use crate::escape::escape;
use crate::literal;
use crate::patch::Patches;
use crate::plain::{Piece, Plain, unit};
use crate::query::{ROOT, address_text};
use crate::trouble::{EditError, Trouble};

/// A change of the values at a path.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The number of the frame or setting; `None` for all of them.
    pub frame: Option<u64>,
    /// The path of the values, as [`Address`](crate::query::Address) reads it. It may name the frame itself; in a file
    /// of settings it starts with the name of a setting.
    pub path: String,
    /// The change to them.
    pub action: Action,
}

/// A change to the values at a path.
#[derive(Clone, Debug)]
pub enum Action {
    /// Replaces each value.
    Set(Variant),
    /// Removes each value from its container.
    Delete,
    /// Replaces the key of each value.
    RenameKey(String),
    /// Adds a value where there is none: the last step is the new key, the index, or `[+]`.
    Insert(Variant),
}

/// A change that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The frame, if the file has several values.
    pub called: Option<String>,
    /// The path of the value; in a file of settings it starts with the name of a setting.
    pub path: String,
    /// The old value as a short literal; `None` if the value was inserted.
    pub before: Option<String>,
    /// The new value as a short literal; `None` if the value was deleted.
    pub after: Option<String>,
}

/// The changes that were made.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// The first ones.
    pub first: Vec<Change>,
    /// The number of all changes.
    pub count: u64,
    /// The first value whose kind changed: its path, the old kind and the new one.
    pub new_kind: Option<(String, Kind, Kind)>,
    /// The number of all values whose kind changed.
    pub new_kinds: u64,
}

/// The most changes that are listed.
const MOST_TOLD: usize = 100;

impl Changes {
    /// Adds later changes.
    fn append(&mut self, later: Self) {
        self.count = self.count.saturating_add(later.count);
        self.new_kind = self.new_kind.take().or(later.new_kind);
        self.new_kinds = self.new_kinds.saturating_add(later.new_kinds);
        let left = MOST_TOLD.saturating_sub(self.first.len());
        self.first.extend(later.first.into_iter().take(left));
    }

    fn add(&mut self, change: impl FnOnce() -> Change) {
        self.count = self.count.saturating_add(1);
        if self.first.len() < MOST_TOLD {
            self.first.push(change());
        }
    }
}

/// The changes of one value.
struct Told<'t> {
    /// The frame, if the file has several values.
    called: Option<&'t String>,
    /// The value of the file. In a file of settings, paths start with its name.
    piece: &'t Piece<'t>,
    changes: &'t mut Changes,
}

impl Told<'_> {
    /// Adds a change at a path. An inserted value has no `old`, a deleted one no `new`.
    fn tell(
        &mut self,
        path: impl FnOnce() -> String,
        old: Option<&VariantView<'_>>,
        new: Option<&VariantView<'_>>,
    ) {
        let kinds = old.zip(new).map(|(old, new)| (old.kind(), new.kind()));
        let kinds = kinds.filter(|(old, new)| old != new);
        self.changes.new_kinds = self.changes.new_kinds.saturating_add(kinds.is_some().into());
        let kinds = kinds.filter(|_| self.changes.new_kind.is_none());
        if kinds.is_none() && self.changes.first.len() >= MOST_TOLD {
            self.changes.count = self.changes.count.saturating_add(1);
            return;
        }
        let path = self.path(path());
        if let Some((was, is)) = kinds {
            self.changes.new_kind = Some((path.clone(), was, is));
        }
        self.push(path, old.map(short), new.map(short));
    }

    /// Adds a change, with the old and the new value as text.
    fn add(&mut self, path: String, before: Option<String>, after: Option<String>) {
        let path = self.path(path);
        self.push(path, before, after);
    }

    fn push(&mut self, path: String, before: Option<String>, after: Option<String>) {
        let called = self.called.filter(|_| self.piece.framing != Framing::Settings);
        self.changes.add(|| Change { called: called.cloned(), path, before, after });
    }

    /// A path in the value; in a file of settings after the name of the setting.
    fn path(&self, path: String) -> String {
        match self.piece.framing {
            Framing::Settings if path.is_empty() => address_text(self.piece, ROOT),
            Framing::Settings => address_text(self.piece, &path),
            _ => path,
        }
    }
}

/// The name of a property or a setting as a literal for a list of changes.
fn literal_of_key(name: &[u8]) -> String {
    let mut text = String::from("key \"");
    escape(&mut text, name, 100);
    text + "\""
}

fn short(view: &VariantView<'_>) -> String {
    let mut text = String::new();
    literal::write(&mut text, view);
    text
}

/// The new content of a value.
#[derive(Clone, Debug)]
pub struct Graft {
    /// The value as it comes back unedited from the edited form. Where the new value equals it, nothing was edited.
    pub base: Vec<u8>,
    /// The wanted value.
    pub new: Vec<u8>,
    /// Whether a dictionary keeps the pairs that the new one lacks.
    pub is_merge: bool,
}

/// The plain bytes of a file, with changes.
#[derive(Clone, Debug)]
pub struct Draft<'f> {
    /// The file before the changes, and how it is read.
    before: Plain<'f>,
    /// The bytes after the first change.
    changed: Option<Vec<u8>>,
    /// The changes that were made.
    pub changes: Changes,
    /// Whether a change without a frame number is made in each frame that has the path. Otherwise it is refused if more
    /// than one has it.
    pub is_of_each: bool,
}

/// Reads a literal of a script, to the end of the text.
///
/// # Errors
/// The fault of the text, and its position.
pub fn literal(text: &str, dialect: Dialect) -> Result<Variant, String> {
    let options = ParseOptions::new().key_rule(KeyRule::of(dialect));
    let (value, end) = from_text_at(text, 0, &options).map_err(|error| error.to_string())?;
    match text.get(end..).map(str::trim) {
        Some("") => Ok(value),
        _ => Err(format!("more text after the literal, at byte {end}")),
    }
}

impl Draft<'static> {
    /// A draft that owns its bytes, read as `reading` is. Changed bytes replace the old ones.
    pub fn owned(bytes: Vec<u8>, reading: Plain<'_>) -> Self {
        let before = reading.with_bytes(&[]);
        Self { before, changed: Some(bytes), changes: Changes::default(), is_of_each: false }
    }
}

impl<'f> Draft<'f> {
    /// A draft of the file, without changes.
    pub fn new(file: Plain<'f>) -> Self {
        Self { before: file, changed: None, changes: Changes::default(), is_of_each: false }
    }

    /// The same draft, read with other options. A sequence is read in their dialect.
    #[must_use]
    pub fn read_with(mut self, options: Options) -> Self {
        self.before.framing = self.before.framing.of_dialect(options.dialect);
        self.before.options = options.objects(Objects::Accept);
        self
    }

    /// The dialect of the file.
    pub const fn dialect(&self) -> Dialect {
        self.before.options.dialect
    }

    /// The changed file.
    pub fn plain(&self) -> Plain<'_> {
        self.before.with_bytes(self.bytes())
    }

    /// The bytes of the changed file.
    pub fn bytes(&self) -> &[u8] {
        self.changed.as_deref().unwrap_or(self.before.bytes)
    }

    /// The bytes of the changed file, from a draft that owns them.
    pub fn into_bytes(self) -> Vec<u8> {
        self.changed.unwrap_or_else(|| self.before.bytes.to_vec())
    }

    /// Makes a change. Returns the patches that undo it. O(bytes of the file).
    ///
    /// # Errors
    /// Damage; a path without a value; a value that the file cannot hold there. The draft stays as it was.
    pub fn make(&mut self, edit: &Edit) -> Result<Patches, EditError> {
        let target = targets::Target::of(edit).map_err(EditError::new)?;
        if target.is_of_setting(self.before.framing) {
            return self.make_of_setting(&target);
        }
        let (address, file) = (&target.address, self.before);
        let is_of_each = self.is_of_each || address.names_several(file.framing);
        let find = |value: &Value<'_>, document: Document<'_>, told: &mut Told<'_>| match address
            .part(&file.piece(value))
        {
            Some(part) => targets::patches(document, &part, &target, told),
            None => Ok(Err(no_setting(address.path()))),
        };
        let only = if is_of_each { Only::Each } else { Only::One(address.frame()) };
        self.change(only, find, Patches::apply_both_ways)
    }

    /// Applies patches that undo or redo a change; returns their opposite. O(bytes of the file).
    ///
    /// # Errors
    /// The patches do not fit these bytes. The draft stays as it was.
    pub fn apply(&mut self, patches: Patches) -> Result<Patches, EditError> {
        let overlap = || EditError::new(OVERLAP.to_owned());
        let (bytes, back) = patches.apply_both_ways(self.bytes()).ok_or_else(overlap)?;
        self.changed = Some(bytes);
        Ok(back)
    }

    /// Gives values new content; unchanged parts keep their bytes. Calls `other` for the new content of each value.
    /// O(bytes of the file and of the new contents), expected.
    ///
    /// # Errors
    /// Damage; a value that the file cannot hold. The draft stays as it was.
    pub fn graft(
        &mut self,
        mut other: impl FnMut(&Value<'_>, Document<'_>) -> Result<Option<Graft>, Trouble>,
    ) -> Result<(), EditError> {
        let find = |value: &Value<'_>, document: Document<'_>, told: &mut Told<'_>| {
            let mut patches = Patches::default();
            if let Some(other) = other(value, document)? {
                let len = document.root()?.raw_bytes()?.len();
                patches.replace(0..len, graft::graft(document, &other, told)?);
            }
            Ok(Ok(patches))
        };
        self.change(Only::Each, find, |patches, bytes| Some((patches.apply(bytes)?, ())))
    }

    /// Makes the changes that `find` finds in each value, or in one. `find` may return why there is nothing to change;
    /// this is an error if it holds for all values. `apply` applies the patches, and may return more.
    fn change<T>(
        &mut self,
        only: Only,
        mut find: impl FnMut(
            &Value<'_>,
            Document<'_>,
            &mut Told<'_>,
        ) -> Result<Result<Patches, String>, Trouble>,
        apply: impl FnOnce(Patches, &[u8]) -> Option<(Vec<u8>, T)>,
    ) -> Result<T, EditError> {
        let mut patches = Patches::default();
        let mut changes = Changes::default();
        let mut numbers = Vec::new();
        let mut why_not = None;
        let unit = unit(self.before.framing);
        // The number of the only frame adds nothing to a message.
        let is_of_frames = matches!(self.before.framing, Framing::Frames(_) | Framing::Sequence(_))
            && self.plain().has_several();
        self.each(|value, start| {
            let Value { number, bytes, .. } = *value;
            if matches!(only, Only::One(Some(only)) if only != number) {
                return Ok(());
            }
            let called = unit.map(|unit| format!("{unit} {number}"));
            let piece = &self.before.piece(value);
            let mut told = Told { called: called.as_ref(), piece, changes: &mut changes };
            let in_frame = |why: String| match &called {
                Some(called) if is_of_frames => format!("{called}: {why}"),
                _ => why,
            };
            let found =
                find(value, self.before.document(bytes), &mut told).map_err(
                    |trouble| match trouble {
                        Trouble::Message(why) => Trouble::Message(in_frame(why)),
                        trouble @ Trouble::Data(_) => trouble,
                    },
                )?;
            let found = match found {
                Ok(found) => found,
                Err(why) => {
                    why_not.get_or_insert_with(|| in_frame(why));
                    return Ok(());
                }
            };
            numbers.push(number);
            let length = self.length_patch(start, bytes.len(), &found)?;
            patches.append(found.shifted(start));
            patches.append(length);
            Ok(())
        })?;
        let unit = unit.unwrap_or("value");
        if numbers.is_empty() {
            let no_frame = || match only {
                Only::One(Some(number)) => format!("there is no {unit} {number}"),
                _ => format!("there is no {unit}"),
            };
            return Err(EditError::new(why_not.unwrap_or_else(no_frame)));
        }
        if matches!(only, Only::One(None)) && numbers.len() > 1 {
            return Err(several(unit, &numbers));
        }
        let before = self.changed.take();
        let file = before.as_deref().unwrap_or(self.before.bytes);
        let outcome = apply(patches, file).ok_or_else(|| EditError::new(OVERLAP.to_owned()));
        let outcome = outcome.and_then(|(bytes, told)| {
            self.changed = Some(bytes);
            self.check(&numbers).map(|()| told)
        });
        match outcome {
            Ok(told) => {
                self.changes.append(changes);
                Ok(told)
            }
            Err(error) => {
                self.changed = before;
                Err(error)
            }
        }
    }

    /// Calls `work` with each value and its offset in the plain bytes.
    fn each(
        &self,
        mut work: impl FnMut(&Value<'_>, usize) -> Result<(), Trouble>,
    ) -> Result<(), EditError> {
        let file = self.plain();
        for value in file.framing.values(file.body()) {
            let value = value.map_err(|error| EditError::new(file.cut(&error)))?;
            let start = file.absolute(value.start);
            work(&value, start).map_err(|trouble| EditError::of(trouble, start))?;
        }
        Ok(())
    }

    /// The new length prefix of the value at `start`.
    fn length_patch(
        &self,
        start: usize,
        len: usize,
        patches: &Patches,
    ) -> Result<Patches, Trouble> {
        let mut length = Patches::default();
        let is_big = match self.before.framing {
            Framing::Bare | Framing::Sequence(_) => return Ok(length),
            Framing::Frames(ByteOrder::Big) => true,
            Framing::Frames(ByteOrder::Little) | Framing::Settings => false,
        };
        let grown = patches.growth().and_then(|more| i64::try_from(len).ok()?.checked_add(more));
        let grown = grown.and_then(|len| u32::try_from(len).ok());
        let grown = grown.ok_or_else(|| Trouble::Message(TOO_LONG.to_owned()))?;
        let word = if is_big { grown.to_be_bytes() } else { grown.to_le_bytes() };
        length.replace(start.saturating_sub(4)..start, word.to_vec());
        Ok(length)
    }

    /// Validates the values of these numbers, so that the file stays readable for the engines.
    fn check(&self, changed: &[u64]) -> Result<(), EditError> {
        self.each(|value, _| {
            if changed.binary_search(&value.number).is_ok() {
                self.before.document(value.bytes).validate()?;
            }
            Ok(())
        })
    }
}

/// Which values are changed.
#[derive(Clone, Copy)]
enum Only {
    /// The value of this number, or the only one that has the path.
    One(Option<u64>),
    Each,
}

/// Why a change of several values is refused.
fn several(unit: &str, numbers: &[u64]) -> EditError {
    let first: Vec<_> = numbers.iter().take(2).map(u64::to_string).collect();
    let (one, more) =
        (first.first().map_or("", String::as_str), if numbers.len() > 2 { ", ..." } else { "" });
    EditError::new(format!(
        "{unit}s {}{more} have this path; name one, --frame {one} or `{unit} {one}: ...`, or change each, --all-frames",
        first.join(", ")
    ))
}

/// Why a path has no setting.
fn no_setting(path: &str) -> String {
    format!("no setting has the path {}; a path starts with the name of one", short_path(path))
}

const OVERLAP: &str = "the changes are in each other's way, or a container would hold too many";
const TOO_LONG: &str = "the value would be longer than a length prefix can say";
