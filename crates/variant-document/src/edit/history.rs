//! [`History`]: undo and redo of changes.

use super::{Change, Changes, Draft, Edit, Rivals};
use crate::patch::Patches;
use crate::trouble::EditError;

/// The steps of a draft that can be undone and redone.
///
/// ```
/// use variant_document::Plain;
/// use variant_document::edit::{Action, Draft, Edit, History, Rivals};
/// use variant_io::Framing;
/// use variant_view::{Dialect, Options};
///
/// let file = [2, 0, 0, 0, 50, 0, 0, 0]; // 50
/// let mut draft = Draft::new(Plain::new(&file, Framing::Bare, Options::engine(Dialect::Godot4)));
/// let mut history = History::default();
/// let edit = Edit { frame: None, path: String::new(), action: Action::Set(51.into()) };
/// history.make(&mut draft, &Rivals::default(), &[edit])?;
/// assert_eq!((draft.bytes()[4], history.state()), (51, 1));
/// history.undo(&mut draft)?;
/// assert_eq!((draft.bytes()[4], history.state()), (50, 0));
/// # Ok::<(), variant_document::EditError>(())
/// ```
#[derive(Debug, Default)]
pub struct History {
    done: Vec<Step>,
    undone: Vec<Step>,
    /// The number of all steps so far, including steps that were undone.
    made: u64,
}

/// A step of undo or redo: the patches that make the step, and the changes that it undoes or redoes.
#[derive(Debug)]
struct Step {
    /// The number of the step, from 1.
    number: u64,
    patches: Vec<Patches>,
    changes: Vec<Change>,
}

impl Step {
    /// Makes the step. Returns the inverse step.
    fn apply(self, draft: &mut Draft<'_>) -> Result<Self, EditError> {
        Ok(Self { patches: draft.apply_all(self.patches)?, ..self })
    }
}

impl History {
    /// Makes changes as one step, as [`Draft::make_all`] does. Returns the first changes. Without a change of a value,
    /// there is no new step.
    ///
    /// # Errors
    /// Those of [`Rivals::make_all`]. The draft stays as it was.
    pub fn make(
        &mut self,
        draft: &mut Draft<'_>,
        rivals: &Rivals,
        edits: &[Edit],
    ) -> Result<&[Change], EditError> {
        draft.changes = Changes::default();
        let patches = rivals.make_all(draft, edits)?;
        let changes = std::mem::take(&mut draft.changes).first;
        if changes.is_empty() {
            // Bytes around the values may have changed, such as padding.
            draft.apply_all(patches)?;
            return Ok(&[]);
        }
        Ok(self.push(patches, changes))
    }

    /// Applies patches as one step. `changes` are the changes that they make.
    ///
    /// # Errors
    /// Those of [`Draft::apply`]. The draft stays as it was.
    pub fn apply(
        &mut self,
        draft: &mut Draft<'_>,
        patches: Patches,
        changes: Vec<Change>,
    ) -> Result<&[Change], EditError> {
        let back = draft.apply(patches)?;
        Ok(self.push(vec![back], changes))
    }

    fn push(&mut self, patches: Vec<Patches>, changes: Vec<Change>) -> &[Change] {
        self.made = self.made.saturating_add(1);
        self.done.push(Step { number: self.made, patches, changes });
        self.undone.clear();
        self.done.last().map_or(&[], |step| &step.changes)
    }

    /// Undoes the last step. Returns its changes; `None` if there is no step.
    ///
    /// # Errors
    /// Other changes than those of this history were made in the draft.
    pub fn undo(&mut self, draft: &mut Draft<'_>) -> Result<Option<&[Change]>, EditError> {
        Self::shift(&mut self.done, &mut self.undone, draft)
    }

    /// Makes the last undone step again. Returns its changes; `None` if no step was undone.
    ///
    /// # Errors
    /// Those of [`History::undo`].
    pub fn redo(&mut self, draft: &mut Draft<'_>) -> Result<Option<&[Change]>, EditError> {
        Self::shift(&mut self.undone, &mut self.done, draft)
    }

    fn shift<'s>(
        from: &mut Vec<Step>,
        to: &'s mut Vec<Step>,
        draft: &mut Draft<'_>,
    ) -> Result<Option<&'s [Change]>, EditError> {
        let Some(step) = from.pop() else { return Ok(None) };
        to.push(step.apply(draft)?);
        Ok(to.last().map(|step| step.changes.as_slice()))
    }

    /// The changes that were not undone, in order: at most the first 100 of each step.
    pub fn changes(&self) -> impl Iterator<Item = &Change> {
        self.done.iter().flat_map(|step| &step.changes)
    }

    /// A number for the bytes of the draft: 0 before the first step, another number after each step, and the earlier
    /// number after undo.
    pub fn state(&self) -> u64 {
        self.done.last().map_or(0, |step| step.number)
    }

    /// The number of steps that can be undone.
    pub const fn len(&self) -> usize {
        self.done.len()
    }

    /// Whether no step can be undone.
    pub const fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    /// Whether a step can be made again.
    pub const fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }
}
