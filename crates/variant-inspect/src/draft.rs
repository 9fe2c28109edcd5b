//! [`Draft`]: an open file with changes. Failures name the file.

use variant_document::edit::{self, Changes, Edit, Graft};
use variant_document::{EditError, Plain, Trouble};
use variant_io::Value;
use variant_view::{Dialect, Document};

use crate::cli::CommonArgs;
use crate::failure::{Failure, Status};
use crate::rivals::Rivals;
use crate::values::Values;

/// An open file with changes.
#[derive(Debug)]
#[expect(
    clippy::struct_field_names,
    reason = "a draft of the library, with what the command knows"
)]
pub(crate) struct Draft<'f> {
    file: &'f Values,
    draft: edit::Draft<'f>,
    /// The other engines that may have written the file.
    rivals: Rivals,
}

impl<'f> Draft<'f> {
    /// The file as it is. `common` are the arguments that it was opened with.
    pub(crate) fn new(file: &'f Values, common: &CommonArgs) -> Self {
        let rivals = Rivals::of(&file.input, file.choice, common);
        Self { file, draft: edit::Draft::new(file.plain()), rivals }
    }

    /// Sets whether changes that name no frame apply to each frame that has their path.
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

    /// The changed file.
    pub(crate) fn plain(&self) -> Plain<'_> {
        self.draft.plain()
    }

    pub(crate) const fn changes(&self) -> &Changes {
        &self.draft.changes
    }

    /// Makes a change, as [`edit::Draft::make`] does. Refuses a change that has other bytes in another engine that may have
    /// written the file.
    pub(crate) fn make(&mut self, edit: &Edit) -> Result<(), Failure> {
        let before = (!self.rivals.is_empty()).then(|| self.draft.clone());
        self.draft.make(edit).map_err(|error| self.invalid(&error))?;
        let Some(before) = before else { return Ok(()) };
        let is_same = |rival| {
            let mut other = before.clone().read_with(rival);
            other.make(edit).is_ok() && other.bytes() == self.draft.bytes()
        };
        if self.rivals.iter().all(is_same) {
            return Ok(());
        }
        self.draft = before;
        Err(self.rivals.refusal(&self.file.input.name))
    }

    /// Gives values the content of others, as [`edit::Draft::graft`] does.
    pub(crate) fn graft(
        &mut self,
        other: impl FnMut(&Value<'_>, Document<'_>) -> Result<Option<Graft>, Trouble>,
    ) -> Result<(), Failure> {
        let before = (!self.rivals.is_empty()).then(|| self.draft.clone());
        self.draft.graft(other).map_err(|error| self.invalid(&error))?;
        let Some(before) = before else { return Ok(()) };
        let old = before.plain().pieces().flatten();
        let pairs = old.zip(self.draft.plain().pieces().flatten());
        let changed = pairs.filter(|(old, new)| old.bytes != new.bytes).map(|(_, new)| new);
        let checked = self.rivals.check(&self.file.input.name, changed);
        if checked.is_err() {
            self.draft = before;
        }
        checked
    }

    fn invalid(&self, error: &EditError) -> Failure {
        Failure::file(Status::Invalid, format!("{}: {error}", self.file.input.name))
    }
}
