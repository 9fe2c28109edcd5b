//! [`Draft`]: the plain bytes of a file, with changes. Unchanged values keep their bytes.

mod adapt;
mod changes;
mod graft;
mod history;
mod like;
mod rivals;
mod run;
mod settings;
mod targets;

pub use adapt::kind_after;
#[cfg(feature = "migration")]
pub(crate) use adapt::to_kind;
use changes::Told;
pub use changes::{Change, Changes};
pub use history::History;
pub use like::like;
pub use rivals::Rivals;
#[cfg(feature = "migration")]
pub(crate) use targets::misfit;

use variant_io::{ByteOrder, Framing, Value};
use variant_owned::{ParseOptions, Variant, from_text_at};
use variant_view::{Dialect, Document, KeyRule, Objects, Options, short_path};

use crate::patch::Patches;
use crate::plain::{Plain, unit};
use crate::trouble::{EditError, Trouble};

/// A change of the values at a path.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The number of the frame or setting. `None` means the only frame or setting that has the path or, if
    /// [`Draft::is_of_each`] is set, each that has the path.
    pub frame: Option<u64>,
    /// The path of the values, as [`Address`](crate::query::Address) reads it. The path may begin with the number of a
    /// frame. In a file of settings, it begins with the name of a setting.
    pub path: String,
    /// The change to these values.
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
    /// Adds a value at a new place: the last step of the path is the new key, the index, or `[+]`.
    Insert(Variant),
}

/// The new content of a value.
#[derive(Clone, Debug)]
pub struct Graft {
    /// The old value, converted to the edited form (such as JSON) and back. Where `base` and `new` are equal, the old
    /// value keeps its bytes.
    pub base: Vec<u8>,
    /// The wanted value.
    pub new: Vec<u8>,
    /// Whether a dictionary keeps the pairs that the new dictionary lacks.
    pub is_merge: bool,
}

/// The plain bytes of a file, with changes.
#[derive(Clone, Debug)]
pub struct Draft<'f> {
    /// The file before the changes, and how it is read.
    before: Plain<'f>,
    /// The changed bytes; `None` before the first change.
    changed: Option<Vec<u8>>,
    /// The changes that were made.
    pub changes: Changes,
    /// Whether a change without a frame number is made in each frame that has the path. Otherwise such a change is
    /// refused if several frames have the path.
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
    /// A draft that owns its bytes, with the framing and options of `reading`. It does not keep the unchanged file.
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

    /// The same draft, read with other options. The values of a sequence are read in the dialect of the options.
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
        let is_of_each =
            address.frame().is_none() && (self.is_of_each || address.names_several(file.framing));
        let find = |value: &Value<'_>, document: Document<'_>, told: &mut Told<'_>| match address
            .part(&file.piece(value))
        {
            Some(part) => targets::patches(document, &part, &target, told),
            None => Ok(Err(no_setting(address.path()))),
        };
        let only = if is_of_each { Only::Each } else { Only::One(address.frame()) };
        self.change(only, find, Patches::apply_both_ways)
    }

    /// Applies patches that undo or redo a change. Returns the patches that reverse this. O(bytes of the file).
    ///
    /// # Errors
    /// The patches do not fit these bytes. The draft stays as it was.
    pub fn apply(&mut self, patches: Patches) -> Result<Patches, EditError> {
        let overlap = || EditError::new(OVERLAP.to_owned());
        let (bytes, back) = patches.apply_both_ways(self.bytes()).ok_or_else(overlap)?;
        self.changed = Some(bytes);
        Ok(back)
    }

    /// Replaces the content of values; unchanged parts keep their bytes. Calls `other` for the new content of each
    /// value. O(bytes of the file and of the new contents) expected.
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

    /// Makes the changes that `find` returns for the values that `only` names. For a value without a change, `find`
    /// returns the reason. If no value has a change, the first reason is the error. `apply` gets all patches, and
    /// returns the patched bytes and the result of this function.
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
        // A message names the frame only if the file has several frames.
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

    /// The patch of the length prefix of the value at `start`.
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

    /// Validates the values with these numbers: engines must still read the file.
    fn check(&self, changed: &[u64]) -> Result<(), EditError> {
        self.each(|value, _| {
            if changed.binary_search(&value.number).is_ok() {
                self.before.document(value.bytes).validate()?;
            }
            Ok(())
        })
    }
}

/// The values that are changed.
#[derive(Clone, Copy)]
enum Only {
    /// The value with this number; without a number, the only value that has the path.
    One(Option<u64>),
    Each,
}

/// The error if several values have the path of a change.
fn several(unit: &str, numbers: &[u64]) -> EditError {
    let first: Vec<_> = numbers.iter().take(2).map(u64::to_string).collect();
    let (one, more) =
        (first.first().map_or("", String::as_str), if numbers.len() > 2 { ", ..." } else { "" });
    EditError::new(format!(
        "{unit}s {}{more} have this path; name one, --frame {one} or `{unit} {one}: ...`, or change each, --all-frames",
        first.join(", ")
    ))
}

/// The message if no setting has a path.
fn no_setting(path: &str) -> String {
    format!(
        "no setting has the path {}; a path starts with the name of a setting",
        short_path(path)
    )
}

const OVERLAP: &str = "the changes overlap, or a container would have too many items";
const TOO_LONG: &str = "the value is too long for a length prefix";
