//! [`Draft`]: an open file with changes. Failures name the file.

use variant_document::edit::{self, Changes, Edit, Graft};
use variant_document::{EditError, Trouble};
use variant_io::Value;
use variant_view::{Dialect, Document};

use crate::failure::{Failure, Status};
use crate::values::Values;

/// An open file with changes.
#[derive(Debug)]
pub(crate) struct Draft<'f> {
    file: &'f Values,
    draft: edit::Draft<'f>,
}

impl<'f> Draft<'f> {
    /// The file as it is.
    pub(crate) fn new(file: &'f Values) -> Self {
        Self { file, draft: edit::Draft::new(file.plain()) }
    }

    /// The same, with changes in each frame that has a path, where they name none.
    pub(crate) fn of_each_frame(&mut self, is_of_each: bool) {
        self.draft.is_of_each = is_of_each;
    }

    pub(crate) const fn dialect(&self) -> Dialect {
        self.draft.dialect()
    }

    pub(crate) const fn file(&self) -> &'f Values {
        self.file
    }

    /// The bytes of the changed file without its layers.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.draft.bytes()
    }

    /// What was changed.
    pub(crate) const fn changes(&self) -> &Changes {
        &self.draft.changes
    }

    /// Makes a change, as [`edit::Draft::make`] does.
    pub(crate) fn make(&mut self, edit: &Edit) -> Result<(), Failure> {
        self.draft.make(edit).map(drop).map_err(|error| self.invalid(&error))
    }

    /// Gives values the content of others, as [`edit::Draft::graft`] does.
    pub(crate) fn graft(
        &mut self,
        other: impl FnMut(&Value<'_>, Document<'_>) -> Result<Option<Graft>, Trouble>,
    ) -> Result<(), Failure> {
        self.draft.graft(other).map_err(|error| self.invalid(&error))
    }

    fn invalid(&self, error: &EditError) -> Failure {
        Failure::file(Status::Invalid, format!("{}: {error}", self.file.input.name))
    }
}
