//! Several changes as one. A run of replacements is made in one pass.

use std::collections::BTreeMap;

use variant_io::{Framing, Value};
use variant_owned::Variant;
use variant_view::Document;

use super::changes::Told;
use super::targets::set_each;
use super::{Action, Draft, Edit, Only};
use crate::patch::Patches;
use crate::query::{Address, Fan, Query, Step};
use crate::trouble::EditError;

impl Draft<'_> {
    /// Makes changes, each in the file that the changes before it have made. Returns the patches that undo them, in the
    /// order in which [`Draft::apply_all`] applies them. O(bytes of the file) for each change, but only once for
    /// consecutive [`Action::Set`]s of different values at paths of names, indices and positions.
    ///
    /// # Errors
    /// Those of [`Draft::make`]. The draft stays as it was before the first change.
    pub fn make_all(&mut self, edits: &[Edit]) -> Result<Vec<Patches>, EditError> {
        let changes = self.changes.clone();
        let mut back = Vec::new();
        for run in edits.chunk_by(|one, next| one.is_set() && next.is_set()) {
            if let Err(error) = self.make_run(run, &mut back) {
                back.reverse();
                self.apply_all(back)?;
                self.changes = changes;
                return Err(error);
            }
        }
        back.reverse();
        Ok(back)
    }

    /// Makes a run of changes, in one pass if possible, and appends the patches that undo them.
    fn make_run(&mut self, run: &[Edit], back: &mut Vec<Patches>) -> Result<(), EditError> {
        if run.len() > 1
            && let Some(sets) = Sets::of(run, self.before.framing)
            && let Ok(patches) = self.set_in_one_pass(&sets)
        {
            back.push(patches);
            return Ok(());
        }
        // The changes depend on each other, or one of them is refused, and its error is wanted. Halves keep the number of passes
        // small if only a few changes are so.
        match run {
            [] => {}
            [edit] => back.push(self.make(edit)?),
            _ => {
                let (first, rest) = run.split_at(run.len() / 2);
                self.make_run(first, back)?;
                self.make_run(rest, back)?;
            }
        }
        Ok(())
    }

    fn set_in_one_pass(&mut self, sets: &Sets<'_>) -> Result<Patches, EditError> {
        let mut found_of = 0_usize;
        let find = |value: &Value<'_>, document: Document<'_>, told: &mut Told<'_>| {
            let not_here = || Ok(Err(String::new()));
            let Some((fan, values)) = sets.0.get(&value.number) else { return not_here() };
            let Some(patches) = set_each(document, fan, values, told)? else { return not_here() };
            found_of = found_of.saturating_add(1);
            Ok(Ok(patches))
        };
        let before = self.changes.clone();
        let back = self.change(Only::Each, find, Patches::apply_both_ways)?;
        if found_of == sets.0.len() {
            return Ok(back);
        }
        self.apply(back)?;
        self.changes = before;
        Err(EditError::new(String::new()))
    }

    /// Applies patches that undo or redo changes, one after another. Returns the patches that reverse this, in order.
    /// O(bytes of the file) for each.
    ///
    /// # Errors
    /// The patches do not fit these bytes. The draft stays as it was.
    pub fn apply_all(&mut self, all: Vec<Patches>) -> Result<Vec<Patches>, EditError> {
        let mut back = Vec::with_capacity(all.len());
        for patches in all {
            match self.apply(patches) {
                Ok(patches) => back.push(patches),
                Err(error) => {
                    for patches in back.into_iter().rev() {
                        self.apply(patches)?;
                    }
                    return Err(error);
                }
            }
        }
        back.reverse();
        Ok(back)
    }
}

impl Edit {
    const fn is_set(&self) -> bool {
        matches!(self.action, Action::Set(_))
    }
}

/// The paths and the new values of replacements, by the number of their frame.
struct Sets<'e>(BTreeMap<u64, (Fan, Vec<&'e Variant>)>);

impl<'e> Sets<'e> {
    /// `None` if the replacements cannot be made in one pass.
    fn of(run: &'e [Edit], framing: Framing) -> Option<Self> {
        let mut frames: BTreeMap<u64, (Vec<Query>, Vec<&Variant>)> = BTreeMap::new();
        for edit in run {
            let Action::Set(value) = &edit.action else { return None };
            let address = Address::parse(&edit.path).ok()?.in_frame(edit.frame).ok()?;
            let only = if framing == Framing::Bare { Some(1) } else { None };
            let (paths, values) = frames.entry(address.frame().or(only)?).or_default();
            paths.push(address.query().clone());
            values.push(value);
        }
        let frames = frames.into_iter().map(|(frame, (paths, values))| {
            let is_plain = |path: &Query| path.steps.iter().all(Step::is_plain);
            let fan = paths.iter().all(is_plain).then(|| Fan::new(&paths)).flatten()?;
            Some((frame, (fan, values)))
        });
        frames.collect::<Option<_>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use variant_owned::{EncodeOptions, encode, from_text};
    use variant_view::{Dialect, Options};

    use super::super::History;
    use super::super::Rivals;
    use super::*;
    use crate::plain::Plain;

    const FILE: &str =
        r#"{"items": [{"hp": 1}, {"hp": 2.5}, {"hp": 3}], 5: "five", "at": Vector2(1, 2)}"#;

    fn bytes(text: &str) -> Vec<u8> {
        encode(&from_text(text).unwrap(), EncodeOptions::new(Dialect::Godot4)).unwrap()
    }

    fn set(path: &str, value: i64) -> Edit {
        Edit { frame: Some(1), path: path.to_owned(), action: Action::Set(value.into()) }
    }

    fn delete(path: &str) -> Edit {
        Edit { frame: Some(1), path: path.to_owned(), action: Action::Delete }
    }

    /// Makes changes as one step, undoes and redoes it.
    #[track_caller]
    fn check(edits: &[Edit], expected: &str, passes: usize) {
        let before = bytes(FILE);
        let plain = Plain::new(&before, Framing::Bare, Options::engine(Dialect::Godot4));
        assert_eq!(Draft::new(plain).make_all(edits).unwrap().len(), passes);
        let (mut draft, mut history) = (Draft::new(plain), History::default());
        history.make(&mut draft, &Rivals::default(), edits).unwrap();
        assert_eq!((draft.bytes(), history.state()), (&bytes(expected)[..], 1));
        assert!(history.undo(&mut draft).unwrap().is_some());
        assert_eq!((draft.bytes(), history.state()), (&before[..], 0));
        assert!(history.redo(&mut draft).unwrap().is_some());
        assert_eq!((draft.bytes(), history.state()), (&bytes(expected)[..], 1));
        assert!(history.redo(&mut draft).unwrap().is_none());
    }

    #[test]
    fn a_run_of_replacements_is_one_pass_and_keeps_kinds() {
        check(
            &[set("items[2].hp", 7), set("items[-2].hp", 8), set("[5]", 9), set("items{0}{0}", 6)],
            r#"{"items": [{"hp": 6}, {"hp": 8.0}, {"hp": 7}], 5: 9, "at": Vector2(1, 2)}"#,
            1,
        );
    }

    #[test]
    fn replacements_that_meet_are_made_one_after_another() {
        let file =
            r#"{"items": [{"hp": 9}, {"hp": 2.5}, {"hp": 3}], 5: "five", "at": Vector2(1, 2)}"#;
        check(&[set("items[0].hp", 8), set("items[0].hp", 9)], file, 2);
        check(&[set("items[0].hp", 8), set("{0}[-3].hp", 9)], file, 2);
        check(&[set("items[0].hp", 8), set("items[:1].hp", 9)], file, 2);
        check(
            &[set("items[0].hp", 8), set("items", 9)],
            r#"{"items": 9, 5: "five", "at": Vector2(1, 2)}"#,
            2,
        );
    }

    #[test]
    fn a_change_is_made_in_the_file_of_the_changes_before_it() {
        check(
            &[delete("items[0]"), set("items[0].hp", 4), delete("items[1]"), delete("at")],
            r#"{"items": [{"hp": 4.0}], 5: "five"}"#,
            4,
        );
    }

    #[test]
    fn all_changes_are_made_or_none() {
        let before = bytes(FILE);
        let plain = Plain::new(&before, Framing::Bare, Options::engine(Dialect::Godot4));
        let (mut draft, mut history) = (Draft::new(plain), History::default());
        for edits in [
            &[delete("items[0]"), set("items[1].hp", 1), set("items[2].hp", 1)][..],
            &[set("items[0].hp", 7), set("nothing", 7)],
            &[set("items[0].hp", 7), set("frame 2: at", 7)],
        ] {
            let error = history.make(&mut draft, &Rivals::default(), edits).unwrap_err();
            assert!(!error.to_string().is_empty());
            assert_eq!((draft.bytes(), draft.changes.count), (&before[..], 0));
            assert!(history.is_empty());
        }
        assert!(
            history
                .make(&mut draft, &Rivals::default(), &[set("items[0].hp", 1)])
                .unwrap()
                .is_empty()
        );
        assert!(history.is_empty());
        history.make(&mut draft, &Rivals::default(), &[set("items[0].hp", 7)]).unwrap();
        assert_eq!((history.len(), history.is_empty()), (1, false));
        history.make(&mut draft, &Rivals::default(), &[set("items[0].hp", 8)]).unwrap();
        assert_eq!(history.len(), 2);
        history.undo(&mut draft).unwrap();
        history.undo(&mut draft).unwrap();
        assert_eq!((history.len(), history.is_empty()), (0, true));
    }
}
