//! [`Draft`]: an open file with changes. Failures contain the name of the file.

use std::ops::Deref;

use variant_document::edit::{self, Edit, Graft, Rivals};
use variant_document::{EditError, Trouble};
use variant_io::Value;
use variant_view::Document;

use crate::cli::CommonArgs;
use crate::failure::Failure;
use crate::values::Values;

/// The number or the name of a value. It pairs a value of a file with a value of another source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Place {
    Number(u64),
    Name(Vec<u8>),
}

impl Place {
    pub(crate) fn of(number: u64, name: Option<&[u8]>) -> Self {
        name.map_or(Self::Number(number), |name| Self::Name(name.to_vec()))
    }
}

/// An open file with changes. [`Draft::make`], [`Draft::graft`] and [`Draft::change`] refuse changes that the engines in `rivals` would
/// write as other bytes.
#[derive(Debug)]
#[expect(clippy::struct_field_names, reason = "the inner draft is that of the library")]
pub(crate) struct Draft<'f> {
    pub(crate) file: &'f Values,
    draft: edit::Draft<'f>,
    /// The other engines that may have written the file.
    rivals: Rivals,
}

impl<'f> Deref for Draft<'f> {
    type Target = edit::Draft<'f>;

    fn deref(&self) -> &Self::Target {
        &self.draft
    }
}

impl<'f> Draft<'f> {
    /// A draft without changes. Values are written with the options with which the file was opened.
    pub(crate) fn new(file: &'f Values, common: &CommonArgs) -> Self {
        let rivals = file.choice.rivals(&file.input, common);
        Self { file, draft: edit::Draft::new(file.plain()), rivals }
    }

    /// Sets whether a change without a frame number applies to every frame that has the change's path.
    pub(crate) fn of_each_frame(&mut self, is_of_each: bool) {
        self.draft.is_of_each = is_of_each;
    }

    /// Makes a change, as [`edit::Draft::make`] does. If several engines may have written the file, refuses a change
    /// that these engines would write as different bytes.
    pub(crate) fn make(&mut self, edit: &Edit) -> Result<(), Failure> {
        let made = self.rivals.make(&mut self.draft, edit);
        made.map(drop).map_err(|error| Failure::edit(&self.file.input.name, &error))
    }

    /// Replaces values by those of another source, as [`edit::Draft::graft`] does.
    pub(crate) fn graft(
        &mut self,
        other: impl FnMut(&Value<'_>, Document<'_>) -> Result<Option<Graft>, Trouble>,
    ) -> Result<(), Failure> {
        self.change(|draft| draft.graft(other))
    }

    /// Changes the draft. If several engines may have written the file, refuses a change that these engines would write
    /// as different bytes.
    pub(crate) fn change<T>(
        &mut self,
        change: impl FnOnce(&mut edit::Draft<'f>) -> Result<T, EditError>,
    ) -> Result<T, Failure> {
        let before = (!self.rivals.is_empty()).then(|| self.draft.clone());
        let name = &self.file.input.name;
        let result = change(&mut self.draft).map_err(|error| Failure::edit(name, &error))?;
        let Some(before) = before else { return Ok(result) };
        let checked = self.rivals.check_changed(before.plain(), self.draft.plain());
        if checked.is_err() {
            self.draft = before;
        }
        checked.map(|()| result).map_err(|error| Failure::edit(name, &error))
    }
}
