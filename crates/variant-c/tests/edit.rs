//! Changes files of engines.

use std::ffi::CString;
use std::mem::MaybeUninit;
use std::path::Path;

use variant::bytes::Bytes;
use variant::code::*;
use variant::edit::*;
use variant::error::Error;
use variant::names::*;
use variant::options::Options;
use variant::save::variant_save;
use variant_testkit::corpus;

use crate::calls::*;
use crate::file::{file_at, lent};

/// An edit that is freed when it is dropped.
struct Edited(*mut Edit);

impl Edited {
    fn of(file: &Opened) -> Self {
        Self(
            outcome(|edit, error| unsafe { variant_file_edit(file.handle(), edit, error) })
                .unwrap(),
        )
    }

    fn set(&self, path: &str, literal: &str) -> Outcome<String> {
        let [path, literal] = [path, literal].map(|text| CString::new(text).unwrap());
        let (path, literal) = (path.as_ptr(), literal.as_ptr());
        self.change(|edit, changes, error| unsafe {
            variant_edit_set(edit, path, literal, changes, error)
        })
    }

    /// Makes a change, and returns its report.
    fn change(
        &self,
        call: impl FnOnce(
            Option<&mut Edit>,
            Option<&mut MaybeUninit<Bytes>>,
            Option<&mut MaybeUninit<Error>>,
        ) -> Code,
    ) -> Outcome<String> {
        outcome(|changes, error| call(unsafe { self.0.as_mut() }, changes, error)).map(lines)
    }

    fn finish(&self) -> Vec<u8> {
        let bytes =
            outcome(|bytes, error| unsafe { variant_edit_finish(self.0.as_ref(), bytes, error) });
        take(bytes.unwrap())
    }
}

impl Drop for Edited {
    fn drop(&mut self) {
        unsafe { variant_edit_free(self.0) };
    }
}

const SAVE: &str = "godot3/saves/rpg_save.bin";

#[test]
#[cfg_attr(miri, ignore = "reads a megabyte of the corpus")]
fn a_change_keeps_the_other_bytes_and_is_undone() {
    let bytes = corpus::bytes(SAVE).unwrap();
    let edit = Edited::of(&lent(&bytes, &options()).unwrap());
    let change = "{\"after\":\"38\",\"before\":\"37\",\"frame\":null,\"path\":\"player.level\"}\n";
    let one = edit.set("player.level", "38").unwrap();
    assert_eq!(one.replace("\"frame 1\"", "null"), change);
    let changed = edit.finish();
    let differing = changed.iter().zip(&bytes).filter(|(new, old)| new != old).count();
    assert_eq!((changed.len(), differing), (bytes.len(), 1));
    let file = lent(&changed, &options()).unwrap();
    assert_eq!(int(file_at(&file, "player.level").unwrap()), Ok(38));

    let undo =
        || edit.change(|edit, changes, error| unsafe { variant_edit_undo(edit, changes, error) });
    let redo =
        || edit.change(|edit, changes, error| unsafe { variant_edit_redo(edit, changes, error) });
    assert_eq!(undo().unwrap(), one);
    assert_eq!(edit.finish(), bytes);
    assert_eq!(redo().unwrap(), one);
    assert_eq!(edit.finish(), changed);
    // A failure changes nothing, and the changes before it stay.
    assert_eq!(edit.set("player.mana", "1").unwrap_err().code, VARIANT_ERROR_EDIT);
    assert_eq!(edit.set("player.level", "1 2").unwrap_err().code, VARIANT_ERROR_TEXT);
    assert_eq!(edit.set("player[", "1").unwrap_err().code, VARIANT_ERROR_PATH);
    assert_eq!(edit.finish(), changed);
    let all = outcome(|all, error| unsafe { variant_edit_changes(edit.0.as_ref(), all, error) });
    assert_eq!(lines(all.unwrap()), one);
    unsafe {
        assert_eq!(variant_edit_redo(edit.0.as_mut(), None, None), VARIANT_END);
        assert_eq!(variant_edit_undo(edit.0.as_mut(), None, None), VARIANT_OK);
        assert_eq!(variant_edit_undo(edit.0.as_mut(), None, None), VARIANT_END);
    }
}

#[test]
fn values_are_inserted_deleted_and_renamed() {
    let (bytes, reading) = (frames(&["{\"a\": [1]}", "{\"a\": [1]}"]), framed());
    let file = lent(&bytes, &reading).unwrap();
    let edit = Edited::of(&file);
    let several = edit.set("a", "2").unwrap_err();
    assert_eq!(several.code, VARIANT_ERROR_EDIT);
    assert!(several.message.contains("frames 1, 2"), "{several:?}");
    let of_first = file_at(&file, "frame 1: a").unwrap();
    unsafe {
        let handle = || edit.0.as_mut();
        let (end, key, old) = (c"frame 2: a[+]", c"b", c"frame 2: a");
        let ok = VARIANT_OK;
        assert_eq!(variant_edit_insert(handle(), end.as_ptr(), c"\"x\"".as_ptr(), None, None), ok);
        assert_eq!(variant_edit_insert_value(handle(), end.as_ptr(), of_first, None, None), ok);
        assert_eq!(variant_edit_delete(handle(), c"frame 2: a[0]".as_ptr(), None, None), ok);
        assert_eq!(variant_edit_rename_key(handle(), old.as_ptr(), key.as_ptr(), None, None), ok);
        let first = c"frame 1: a[0]".as_ptr();
        assert_eq!(variant_edit_set_value(handle(), first, of_first, None, None), ok);
    }
    let changed = edit.finish();
    let file = lent(&changed, &reading).unwrap();
    assert_eq!(int(file_at(&file, "frame 1: a[0][0]").unwrap()), Ok(1));
    assert_eq!(string(file_at(&file, "frame 2: b[0]").unwrap()).unwrap(), "x");
    assert_eq!(int(file_at(&file, "frame 2: b[1][0]").unwrap()), Ok(1));
}

#[test]
#[cfg_attr(miri, ignore = "reads a megabyte of the corpus")]
fn frames_compression_and_encryption_are_kept() {
    let key = variant_io::Key::from_password("hunter2");
    let plain = corpus::bytes("godot3/containers/gcpf_zstd_save.bin").unwrap();
    let encrypted = variant_io::encrypt(&plain, &key, variant_io::Encryption::Ecb);
    let reading = Options { password: c"hunter2".as_ptr(), ..options() };
    let edit = Edited::of(&lent(&encrypted, &reading).unwrap());
    edit.set("player.level", "38").unwrap();
    let changed = edit.finish();
    assert!(changed.starts_with(b"GDEC"));
    assert_eq!(lent(&changed, &options()).err().unwrap().code, VARIANT_ERROR_LOCKED);
    let file = lent(&changed, &reading).unwrap();
    assert_eq!(int(file_at(&file, "player.level").unwrap()), Ok(38));
}

#[test]
fn a_change_that_engines_write_differently_needs_the_dialect() {
    // Every engine writes these bytes for `store_var(50)`.
    let bytes = [8, 0, 0, 0, 2, 0, 0, 0, 50, 0, 0, 0];
    let edit = Edited::of(&lent(&bytes, &options()).unwrap());
    let failed = edit.set("", "[1, 2]").unwrap_err();
    assert_eq!(failed.code, VARIANT_ERROR_FORMAT);
    assert!(failed.message.contains("set the dialect"), "{failed:?}");
    edit.set("", "51").unwrap();
    let edit = Edited::of(&lent(&bytes, &of_dialect(VARIANT_DIALECT_GODOT3)).unwrap());
    edit.set("", "[1, 2]").unwrap();
}

#[test]
#[cfg_attr(miri, ignore = "writes a file")]
fn a_file_is_saved_beside_and_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("save.dat");
    std::fs::write(&path, "old").unwrap();
    let save = |path: &Path, bytes: &[u8]| {
        let path = CString::new(path.to_str().unwrap()).unwrap();
        outcome(|done: Option<&mut MaybeUninit<()>>, error| {
            let _ = done;
            unsafe { variant_save(path.as_ptr(), bytes.as_ptr(), bytes.len(), error) }
        })
    };
    save(&path, b"new").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"new");
    let failed = save(&folder.path().join("no/save.dat"), b"new").unwrap_err();
    assert_eq!(failed.code, VARIANT_ERROR_FILE);
    assert!(failed.message.contains("cannot be written"), "{failed:?}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}
