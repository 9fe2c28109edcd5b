//! [`Changes`]: the changes that were made, as a list.

use variant_io::Framing;
use variant_view::{Kind, VariantView};

use crate::escape::cut;
use crate::literal::text as short;
use crate::plain::Piece;
use crate::query::{ROOT, address_text};

/// A change that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The frame, if the file has several values.
    pub called: Option<String>,
    /// The path of the value. In a file of settings, it begins with the name of a setting.
    pub path: String,
    /// The old value as a short literal; `None` if the value was inserted.
    pub before: Option<String>,
    /// The new value as a short literal; `None` if the value was deleted.
    pub after: Option<String>,
}

/// The changes that were made.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// The first changes.
    pub first: Vec<Change>,
    /// The number of all changes.
    pub count: u64,
    /// The first value whose kind changed: its path, the old kind and the new kind.
    pub new_kind: Option<(String, Kind, Kind)>,
    /// The number of all values whose kind changed.
    pub new_kinds: u64,
}

/// The maximum number of listed changes.
const MOST_TOLD: usize = 100;

impl Changes {
    pub(super) fn append(&mut self, later: Self) {
        self.count = self.count.saturating_add(later.count);
        self.new_kind = self.new_kind.take().or(later.new_kind);
        self.new_kinds = self.new_kinds.saturating_add(later.new_kinds);
        let left = MOST_TOLD.saturating_sub(self.first.len());
        self.first.extend(later.first.into_iter().take(left));
    }

    pub(super) fn add(&mut self, change: impl FnOnce() -> Change) {
        self.count = self.count.saturating_add(1);
        if self.first.len() < MOST_TOLD {
            self.first.push(change());
        }
    }
}

pub(super) struct Told<'t> {
    /// The name of the frame, if the file has several values.
    pub(super) called: Option<&'t String>,
    /// The value of the file. In a file of settings, paths start with the name of this value.
    pub(super) piece: &'t Piece<'t>,
    pub(super) changes: &'t mut Changes,
}

impl Told<'_> {
    /// Adds a change at a path. An inserted value has no `old`, a deleted value has no `new`.
    pub(super) fn tell(
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
    pub(super) fn add(&mut self, path: String, before: Option<String>, after: Option<String>) {
        let path = self.path(path);
        self.push(path, before, after);
    }

    fn push(&mut self, path: String, before: Option<String>, after: Option<String>) {
        let called = self.called.filter(|_| self.piece.framing != Framing::Settings);
        self.changes.add(|| Change { called: called.cloned(), path, before, after });
    }

    /// The path of a value in the file. In a file of settings, it begins with the name of the setting.
    fn path(&self, path: String) -> String {
        match self.piece.framing {
            Framing::Settings if path.is_empty() => address_text(self.piece, ROOT),
            Framing::Settings => address_text(self.piece, &path),
            _ => path,
        }
    }
}

/// The name of a property or a setting as a literal for a list of changes.
pub(super) fn literal_of_key(name: &[u8]) -> String {
    format!("key \"{}\"", cut(name, 100))
}
