//! Changes of whole settings: removes, renames or adds a setting.

use variant_io::{Framing, Value};
use variant_owned::{EncodeOptions, Variant, Widths, encode};
use variant_view::Document;

use super::changes::{Change, Changes, literal_of_key};
use super::targets::Target;
use super::{Action, Draft, TOO_LONG, no_setting};
use crate::literal::text as short;
use crate::patch::Patches;
use crate::query::{ROOT, address_text};
use crate::trouble::{EditError, Trouble};

/// The offset of the count of settings, from the start of the file.
const COUNT: usize = 4;
/// The size of the magic bytes and the count.
const HEADER: usize = 8;
/// The size of a length.
const WORD: usize = 4;

impl Target<'_> {
    /// Whether the change is to the list of settings, not to a value inside a setting.
    pub(super) fn is_of_setting(&self, framing: Framing) -> bool {
        let (address, steps) = (&self.address, self.address.query().steps.len());
        framing == Framing::Settings
            && match self.action {
                Action::Set(_) => false,
                Action::Insert(_) => address.frame().is_none() && steps == 0,
                Action::Delete | Action::RenameKey(_) if address.frame().is_some() => steps == 0,
                Action::Delete | Action::RenameKey(_) => {
                    steps == 1 && !address.names_several(framing)
                }
            }
    }
}

impl Draft<'_> {
    /// Makes a change of a whole setting. Returns the patches that undo it. O(bytes of the file).
    pub(super) fn make_of_setting(&mut self, target: &Target<'_>) -> Result<Patches, EditError> {
        let (mut patches, mut changes) = (Patches::default(), Changes::default());
        match target.action {
            Action::Insert(value) => self.add(target, value, &mut patches, &mut changes)?,
            action => {
                let mut is_checked = false;
                self.each_named(target, |value, start, called| {
                    let name = value.name.unwrap_or_default();
                    let head = start.saturating_sub(WORD);
                    let entry = head.saturating_sub(name.len()).saturating_sub(WORD);
                    let mut change =
                        Change { called: None, path: called, before: None, after: None };
                    if let Action::RenameKey(new) = action {
                        if !std::mem::replace(&mut is_checked, true) {
                            self.is_new(new.as_bytes())?;
                        }
                        change.before = Some(literal_of_key(name));
                        change.after = Some(literal_of_key(new.as_bytes()));
                        patches.replace(entry..head, framed(new.as_bytes())?);
                    } else {
                        change.before = Some(short(&self.before.document(value.bytes).root()?));
                        let end = start.saturating_add(value.bytes.len());
                        patches.replace(entry..end, Vec::new());
                        patches.count(self.before.absolute(COUNT), -1);
                    }
                    changes.add(|| change);
                    Ok(())
                })?;
            }
        }
        let back = self.apply(patches)?;
        self.changes.append(changes);
        Ok(back)
    }

    /// Adds a setting after the last setting.
    fn add(
        &self,
        target: &Target<'_>,
        value: &Variant,
        patches: &mut Patches,
        changes: &mut Changes,
    ) -> Result<(), EditError> {
        let Some((name, text)) = target.new_name() else {
            let why = "a setting is added by its name, for example application/config/name";
            return Err(EditError::new(why.to_owned()));
        };
        let mut end = self.before.absolute(HEADER);
        self.each(|value, start| {
            end = start.saturating_add(value.bytes.len());
            Ok(())
        })?;
        let added = self.is_new(name.as_bytes()).and_then(|()| {
            let options = self.before.options;
            let encoding = EncodeOptions::new(options.dialect).reals(options.reals);
            let bytes = encode(value, encoding.widths(Widths::Canonical))
                .map_err(|error| Trouble::message(&error))?;
            let after = short(&Document::new(&bytes, options).root()?);
            let path = text.to_owned();
            changes.add(|| Change { called: None, path, before: None, after: Some(after) });
            Ok([framed(name.as_bytes())?, framed(&bytes)?].concat())
        });
        patches.replace(end..end, added.map_err(|trouble| EditError::of(trouble, end))?);
        patches.count(self.before.absolute(COUNT), 1);
        Ok(())
    }

    /// Calls `work` with the setting at the path, the offset of the setting's value, and the setting's address. An
    /// error if several settings have the path, unless `is_of_each` is set.
    fn each_named(
        &self,
        target: &Target<'_>,
        mut work: impl FnMut(&Value<'_>, usize, String) -> Result<(), Trouble>,
    ) -> Result<(), EditError> {
        let mut numbers = Vec::new();
        self.each(|value, start| {
            let piece = self.before.piece(value);
            if target.address.part(&piece).is_some() {
                numbers.push(value.number);
                work(value, start, address_text(&piece, ROOT))?;
            }
            Ok(())
        })?;
        match numbers[..] {
            [] => Err(EditError::new(no_setting(target.address.path()))),
            [_] => Ok(()),
            _ if self.is_of_each => Ok(()),
            _ => Err(super::several("setting", &numbers)),
        }
    }

    /// Refuses the name of an existing setting.
    fn is_new(&self, name: &[u8]) -> Result<(), Trouble> {
        let file = self.plain();
        let mut names = file.framing.values(file.body()).flatten().map(|value| value.name);
        if names.any(|other| other == Some(name)) {
            let why = "a setting of that name exists already; set changes it";
            return Err(Trouble::Message(why.to_owned()));
        }
        Ok(())
    }
}

/// The length of the bytes, then the bytes.
fn framed(bytes: &[u8]) -> Result<Vec<u8>, Trouble> {
    let len = u32::try_from(bytes.len()).map_err(|_| Trouble::Message(TOO_LONG.to_owned()))?;
    Ok([&len.to_le_bytes()[..], bytes].concat())
}

#[cfg(test)]
mod tests {
    use variant_io::SettingsWriter;
    use variant_view::{Dialect, Options};

    use super::super::Edit;
    use super::*;
    use crate::plain::Plain;

    fn file(settings: &[(&str, i64)]) -> Vec<u8> {
        let mut writer = SettingsWriter::new();
        for (name, value) in settings {
            writer.value(name, &(*value).into(), Dialect::Godot4).unwrap();
        }
        writer.finish()
    }

    /// Makes and undoes a change in a file of two settings, with skipped bytes before them and a tail after them.
    #[track_caller]
    fn check(path: &str, action: Action, expected: &[(&str, i64)]) {
        let around = |file: Vec<u8>| [&b"head"[..], &file, b"tail"].concat();
        let before = around(file(&[("a/b", 1), ("c", 2)]));
        let options = Options::engine(Dialect::Godot4);
        let plain = Plain::new(&before, Framing::Settings, options).skip(4).without_tail(4);
        let mut draft = Draft::new(plain);
        let back = draft.make(&Edit { frame: None, path: path.to_owned(), action }).unwrap();
        assert_eq!(draft.bytes(), around(file(expected)), "{path}");
        assert_eq!(draft.changes.count, 1);
        draft.apply(back).unwrap();
        assert_eq!(draft.bytes(), before, "{path}");
    }

    #[test]
    fn settings_are_deleted_renamed_and_added() {
        check("a/b", Action::Delete, &[("c", 2)]);
        check("setting 2: (root)", Action::Delete, &[("a/b", 1)]);
        check("{1}", Action::Delete, &[("a/b", 1)]);
        check("c", Action::RenameKey("d.e".to_owned()), &[("a/b", 1), ("d.e", 2)]);
        check("d/e", Action::Insert(7.into()), &[("a/b", 1), ("c", 2), ("d/e", 7)]);
        check("[\"d.e\"]", Action::Insert(7.into()), &[("a/b", 1), ("c", 2), ("d.e", 7)]);
    }

    #[test]
    fn names_that_are_there_or_missing_are_refused() {
        let bytes = file(&[("a", 1), ("a", 2), ("b", 3)]);
        let options = Options::engine(Dialect::Godot4);
        let mut draft = Draft::new(Plain::new(&bytes, Framing::Settings, options));
        for (path, action, why) in [
            ("b", Action::RenameKey("a".to_owned()), "a setting of that name exists already"),
            ("b", Action::Insert(1.into()), "a setting of that name exists already"),
            ("[+]", Action::Insert(1.into()), "a setting is added by its name"),
            ("a", Action::Delete, "settings 1, 2 have this path"),
            ("c", Action::Delete, "no setting has the path c"),
        ] {
            let error = draft.make(&Edit { frame: None, path: path.to_owned(), action });
            let error = error.unwrap_err().to_string();
            assert!(error.starts_with(why), "{path}: {error}");
            assert_eq!(draft.bytes(), bytes);
        }
        draft.is_of_each = true;
        draft.make(&Edit { frame: None, path: "a".to_owned(), action: Action::Delete }).unwrap();
        assert_eq!(draft.bytes(), file(&[("b", 3)]));
    }
}
