//! [`Change`]: a change of a save. [`Saves`] makes changed saves.

use std::path::Path;

use variant_owned::Variant;
use variant_view::Kind;

use crate::cli::CommonArgs;
use crate::draft::Draft;
use crate::failure::Failure;
use crate::open::name;
use crate::read;
use crate::rewrite::wrapped;
use crate::values::Values;
use variant_document::count::counted;
use variant_document::edit::{self, Action, Edit};
use variant_document::escape::neutral;
use variant_document::query::ROOT;

/// A change of a save.
#[derive(Clone, Debug)]
pub(super) enum Change {
    /// A change of a value.
    Edit(Edit),
    /// Only the first bytes of the contents, inside compression and encryption.
    CutContents(usize),
    /// Only the first bytes of the file.
    CutFile(usize),
    /// The older save of this index, as it is.
    Older(usize),
}

impl Change {
    pub(super) fn edit(path: &str, action: Action) -> Self {
        Self::Edit(Edit { frame: None, path: path.to_owned(), action })
    }

    /// Smaller changes that may have the same effect, the smallest first.
    pub(super) fn simpler(&self) -> Vec<Self> {
        let Self::Edit(edit) = self else { return Vec::new() };
        let (value, of): (_, fn(Variant) -> Action) = match &edit.action {
            Action::Set(value) => (value, Action::Set),
            Action::Insert(value) => (value, Action::Insert),
            Action::Delete | Action::RenameKey(_) => return Vec::new(),
        };
        let simpler = match value.kind() {
            Kind::Int => [0, 1, -1, 100].map(|int: i64| Variant::from(int)).to_vec(),
            Kind::Float => vec![Variant::from(0.0)],
            Kind::String => vec![Variant::from("")],
            _ => Vec::new(),
        };
        let edit = |value| Self::Edit(Edit { action: of(value), ..edit.clone() });
        simpler.into_iter().take_while(|new| new != value).map(edit).collect()
    }
}

/// A changed save.
#[derive(Clone, Debug)]
pub(super) struct Save {
    pub(super) bytes: Vec<u8>,
    /// The changes of values, as the library lists them.
    pub(super) edits: Vec<edit::Change>,
    /// The other changes, in words.
    pub(super) others: Vec<String>,
}

impl Save {
    /// A line for each old value, new value and other change.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = self.others.clone();
        for edit::Change { called, path, before, after } in &self.edits {
            let called = called.as_ref().map_or_else(String::new, |called| format!("{called}: "));
            let path = if path.is_empty() { ROOT } else { path };
            let mut add = |sign: char, value: &Option<String>| {
                lines.extend(value.as_ref().map(|value| format!("{sign} {called}{path}: {value}")));
            };
            add('-', before);
            add('+', after);
        }
        lines.iter().map(|line| neutral(line)).collect()
    }
}

/// The save, and how others are made of it.
#[derive(Debug)]
pub(super) struct Saves<'f> {
    pub(super) file: &'f Values,
    common: &'f CommonArgs,
    /// The bytes of the file.
    whole: Vec<u8>,
    /// The names and the bytes of the older saves.
    older: Vec<(String, Vec<u8>)>,
}

impl<'f> Saves<'f> {
    pub(super) fn read(
        file: &'f Values,
        older: &[impl AsRef<Path>],
        common: &'f CommonArgs,
    ) -> Result<Self, Failure> {
        let bytes = |path: &Path| read::bytes(path, common.max_input);
        let whole = bytes(&file.input.path)?;
        let older = older.iter().map(AsRef::as_ref).map(|path| Ok((name(path), bytes(path)?)));
        Ok(Self { file, common, whole, older: older.collect::<Result<_, Failure>>()? })
    }

    /// The number of bytes of the file.
    pub(super) const fn len(&self) -> usize {
        self.whole.len()
    }

    /// The number of bytes of the contents, if they have compression or encryption.
    pub(super) fn contents_len(&self) -> Option<usize> {
        let opened = &self.file.input.source.opened;
        (!opened.wrapping().is_empty()).then(|| opened.bytes().len())
    }

    pub(super) const fn older_count(&self) -> usize {
        self.older.len()
    }

    /// Makes the changes, one after the other. Without changes, the save has all bytes of the file.
    ///
    /// # Errors
    /// A change cannot be made, such as a value that the file cannot hold there.
    pub(super) fn make(&self, changes: &[Change]) -> Result<Save, Failure> {
        let mut draft = Draft::new(self.file, self.common);
        let (mut older, mut contents, mut end) = (None, None, None);
        let mut others = Vec::new();
        for change in changes {
            match change {
                Change::Edit(edit) => draft.make(edit)?,
                Change::CutContents(len) => contents = Some(*len),
                Change::CutFile(len) => end = Some(*len),
                Change::Older(index) => older = self.older.get(*index),
            }
        }
        let mut bytes = match (older, contents) {
            (Some((name, bytes)), _) => {
                others.push(format!("~ the older save {name}"));
                bytes.clone()
            }
            (None, None) if draft.changes.count == 0 => self.whole.clone(),
            (None, contents) => {
                let plain = draft.bytes();
                let cut = contents.and_then(|len| plain.get(..len));
                others.extend(cut.map(|cut| first_of("contents", cut.len(), plain.len())));
                wrapped(self.file, cut.unwrap_or(plain), true)?
            }
        };
        if let Some(len) = end.filter(|len| *len < bytes.len()) {
            others.push(first_of("file", len, bytes.len()));
            bytes.truncate(len);
        }
        let mut edits = draft.changes.first.clone();
        if self.file.is_one_frame() {
            for edit in &mut edits {
                edit.called = None;
            }
        }
        Ok(Save { bytes, edits, others })
    }
}

fn first_of(what: &str, len: usize, all: usize) -> String {
    format!("~ only the first {} of the {what}, of {all}", counted(len, "byte"))
}
