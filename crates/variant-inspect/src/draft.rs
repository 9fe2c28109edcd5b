//! [`Draft`]: an open file with changes. Failures name the file.

use variant_document::edit::{self, Changes, Edit, Graft, Rivals};
use variant_document::{Plain, Trouble};
use variant_io::Value;
use variant_view::{Dialect, Document};

use crate::cli::CommonArgs;
use crate::failure::Failure;
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
        let rivals = file.choice.rivals(&file.input, common);
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
        let made = self.rivals.make(&mut self.draft, edit);
        made.map(drop).map_err(|error| Failure::edit(&self.file.input.name, &error))
    }

    /// Gives values the content of others, as [`edit::Draft::graft`] does.
    pub(crate) fn graft(
        &mut self,
        other: impl FnMut(&Value<'_>, Document<'_>) -> Result<Option<Graft>, Trouble>,
    ) -> Result<(), Failure> {
        let before = (!self.rivals.is_empty()).then(|| self.draft.clone());
        let name = &self.file.input.name;
        self.draft.graft(other).map_err(|error| Failure::edit(name, &error))?;
        let Some(before) = before else { return Ok(()) };
        let old = before.plain().pieces().flatten();
        let pairs = old.zip(self.draft.plain().pieces().flatten());
        let changed = pairs.filter(|(old, new)| old.bytes != new.bytes).map(|(_, new)| new);
        let checked = self.rivals.check(before.plain().options, changed);
        if checked.is_err() {
            self.draft = before;
        }
        checked.map_err(|error| Failure::edit(name, &error))
    }
}
