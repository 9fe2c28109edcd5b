//! [`Edit`]: changes of a file, with undo and redo.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::ptr;

use variant_document::EditError;
use variant_document::edit::{Action, Change, Draft, Edit as One, History, Rivals, literal};
use variant_document::query::Address;
use variant_io::Wrapping;
use variant_owned::Variant;

use crate::border::{Result, call, text};
use crate::bytes::{self, Bytes};
use crate::code::{
    Code, VARIANT_ERROR_EDIT, VARIANT_ERROR_FORMAT, VARIANT_ERROR_MALFORMED, VARIANT_ERROR_PATH,
    VARIANT_ERROR_TEXT,
};
use crate::error::{Error, Failure, VARIANT_NO_OFFSET};
use crate::file::{File, given};
use crate::place::Place;
use crate::report::Report;
use crate::source::wrap;
use crate::value::Value;

/// Changes of a file. Made by variant_file_edit, freed by variant_edit_free, and used by one thread at a time. It has a
/// copy of the file's plain (decrypted and decompressed) bytes, so the file may be freed earlier.
///
/// A path has the syntax of variant_file_at, and may also select many values, as in variant_file_select. If several
/// frames have the path, the path must begin with the number of one frame, as in `frame 3: player.hp`. A call that
/// fails changes nothing.
#[derive(Debug)]
pub struct Edit {
    /// The plain bytes with the changes, and the settings for reading them.
    draft: Draft<'static>,
    /// The compression and the encryption of the file.
    wrapping: Option<Wrapping>,
    rivals: Rivals,
    history: History,
}

impl Edit {
    fn of(file: &File) -> Self {
        let draft = Draft::owned(file.source.bytes().to_vec(), file.plain());
        let (wrapping, rivals) = (file.source.wrapping().cloned(), file.rivals().clone());
        Self { draft, wrapping, rivals, history: History::default() }
    }

    fn make<'a>(&mut self, path: &str, action: Action) -> Result<'a, Report> {
        let edit = One { frame: None, path: path.to_owned(), action };
        let made = self.history.make(&mut self.draft, &self.rivals, &[edit]);
        let changes =
            made.map_err(|error| if is_path(path) { refused(&error) } else { unread(&error) })?;
        Ok(Report::of_changes(changes))
    }

    fn undo<'a>(&mut self) -> Result<'a, Report> {
        reported(self.history.undo(&mut self.draft))
    }

    fn redo<'a>(&mut self) -> Result<'a, Report> {
        reported(self.history.redo(&mut self.draft))
    }

    fn literal<'a>(&self, source: &str) -> Result<'a, Variant> {
        let value = literal(source, self.draft.dialect());
        value.map_err(|message| Failure::new(VARIANT_ERROR_TEXT, message))
    }

    /// The caller's value in the dialect of the file.
    fn value<'a>(&self, place: &Place<'a>) -> Result<'a, Variant> {
        place.to_variant(self.draft.plain().options)
    }
}

/// The report of a step that was undone or redone.
fn reported<'a>(step: std::result::Result<Option<&[Change]>, EditError>) -> Result<'a, Report> {
    let changes = step.map_err(|error| refused(&error))?.ok_or(Failure::End)?;
    Ok(Report::of_changes(changes))
}

/// Whether a text is a path. The path of a new element may end with `[+]`.
fn is_path(text: &str) -> bool {
    Address::parse(text.strip_suffix("[+]").unwrap_or(text)).is_ok()
}

fn unread<'a>(error: &EditError) -> Failure<'a> {
    Failure::new(VARIANT_ERROR_PATH, error.to_string())
}

/// The failure for a change that cannot be made.
pub(crate) fn refused<'a>(error: &EditError) -> Failure<'a> {
    let mut message = error.to_string();
    let code = if !error.candidates().is_empty() {
        message.push_str("; set the dialect in the options of the file");
        VARIANT_ERROR_FORMAT
    } else if error.offset().is_some() {
        VARIANT_ERROR_MALFORMED
    } else {
        VARIANT_ERROR_EDIT
    };
    let offset = error.offset().and_then(|offset| u64::try_from(offset).ok());
    let offset = offset.unwrap_or(VARIANT_NO_OFFSET);
    Failure::At { code, offset, frame: 0, message: message.into() }
}

/// Makes an edit, which changes a copy of the file's plain bytes. O(bytes).
///
/// A change is refused with VARIANT_ERROR_FORMAT if several engines may have written the file and would write the
/// change in different bytes. In this case, set the dialect in the options when you open the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_edit(
    file: Option<&File>,
    edit: Option<&mut MaybeUninit<*mut Edit>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        let null = Failure::argument("the pointer to the place for the edit is null");
        let handle = edit.ok_or(null)?.write(ptr::null_mut());
        *handle = Box::into_raw(Box::new(Edit::of(given(file)?)));
        Ok(())
    })
}

/// Frees an edit. The file on the disk does not change. NULL is accepted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_edit_free(edit: *mut Edit) {
    if !edit.is_null() {
        // SAFETY: the caller promises that the handle came from this library and was not freed.
        drop(unsafe { Box::from_raw(edit) });
    }
}

type Reported<'r> = Option<&'r mut MaybeUninit<Bytes>>;

/// Runs a change of the caller's edit, and gives its report to the caller.
fn change<'a>(
    edit: Option<&mut Edit>,
    changes: Reported<'_>,
    error: Option<&mut MaybeUninit<Error>>,
    body: impl FnOnce(&mut Edit) -> Result<'a, Report>,
) -> Code {
    call(error, || {
        let edit = edit.ok_or(Failure::argument("the edit is a null pointer"))?;
        body(edit)?.give(changes);
        Ok(())
    })
}

/// Replaces the values at a path by the value of a literal, such as `7`, `"text"`, `Vector2(1, 2)` or `{"a": [1]}`. The other
/// bytes of the file are kept. O(bytes of the file).
///
/// `changes` may be NULL. Otherwise it receives the changes, at most 100, as JSON objects, one a line. An object has
/// `frame`, `path`, and the short literals `before` and `after`. variant_bytes_free frees `changes`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_edit_set(
    edit: Option<&mut Edit>,
    path: *const c_char,
    source: *const c_char,
    changes: Option<&mut MaybeUninit<Bytes>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    change(edit, changes, error, |edit| {
        // SAFETY: the caller promises that a text ends with a NUL and does not change.
        let (path, source) = unsafe { (text(path)?, text(source)?) };
        let value = edit.literal(source)?;
        edit.make(path, Action::Set(value))
    })
}

/// Replaces the values at a path by a value that was read, as variant_edit_set does. A value of another dialect is refused
/// with VARIANT_ERROR_WRITE unless its conversion changes nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_edit_set_value(
    edit: Option<&mut Edit>,
    path: *const c_char,
    value: Value,
    changes: Option<&mut MaybeUninit<Bytes>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    change(edit, changes, error, |edit| {
        // SAFETY: the caller promises the bytes of the value, and a text that ends with a NUL.
        let (path, place) = unsafe { (text(path)?, Place::of(value)?) };
        let value = edit.value(&place)?;
        edit.make(path, Action::Set(value))
    })
}

/// Adds the value of a literal. The last step of the path is the key or the index of the new value, or `[+]` for the end of
/// an array. `changes` is as in variant_edit_set. O(bytes of the file).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_edit_insert(
    edit: Option<&mut Edit>,
    path: *const c_char,
    source: *const c_char,
    changes: Option<&mut MaybeUninit<Bytes>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    change(edit, changes, error, |edit| {
        // SAFETY: the caller promises that a text ends with a NUL and does not change.
        let (path, source) = unsafe { (text(path)?, text(source)?) };
        let value = edit.literal(source)?;
        edit.make(path, Action::Insert(value))
    })
}

/// Adds a value that was read, as variant_edit_insert does. A value of another dialect is refused as in
/// variant_edit_set_value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_edit_insert_value(
    edit: Option<&mut Edit>,
    path: *const c_char,
    value: Value,
    changes: Option<&mut MaybeUninit<Bytes>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    change(edit, changes, error, |edit| {
        // SAFETY: the caller promises the bytes of the value, and a text that ends with a NUL.
        let (path, place) = unsafe { (text(path)?, Place::of(value)?) };
        let value = edit.value(&place)?;
        edit.make(path, Action::Insert(value))
    })
}

/// Removes the values at a path. `changes` is as in variant_edit_set. O(bytes of the file).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_edit_delete(
    edit: Option<&mut Edit>,
    path: *const c_char,
    changes: Option<&mut MaybeUninit<Bytes>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    change(edit, changes, error, |edit| {
        // SAFETY: the caller promises that a text ends with a NUL and does not change.
        edit.make(unsafe { text(path) }?, Action::Delete)
    })
}

/// Replaces the keys of the values at a path, or the names of properties or settings. `changes` is as in variant_edit_set.
/// O(bytes of the file).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_edit_rename_key(
    edit: Option<&mut Edit>,
    path: *const c_char,
    key: *const c_char,
    changes: Option<&mut MaybeUninit<Bytes>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    change(edit, changes, error, |edit| {
        // SAFETY: the caller promises that a text ends with a NUL and does not change.
        let (path, key) = unsafe { (text(path)?, text(key)?) };
        edit.make(path, Action::RenameKey(key.to_owned()))
    })
}

/// Undoes the last change. Returns VARIANT_END if there is no change. `changes`, which may be NULL, receives the undone
/// changes, as in variant_edit_set. A call that altered no value is not a change. O(bytes of the file).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_edit_undo(
    edit: Option<&mut Edit>,
    changes: Option<&mut MaybeUninit<Bytes>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    change(edit, changes, error, Edit::undo)
}

/// Redoes the last undone change. Returns VARIANT_END if no change was undone. `changes`, which may be NULL, receives the
/// redone changes, as in variant_edit_set. O(bytes of the file).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_edit_redo(
    edit: Option<&mut Edit>,
    changes: Option<&mut MaybeUninit<Bytes>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    change(edit, changes, error, Edit::redo)
}

/// The changes that were not undone, in order, as the JSON objects of variant_edit_set. O(changes).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_edit_changes(
    edit: Option<&Edit>,
    changes: Option<&mut MaybeUninit<Bytes>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        let edit = edit.ok_or(Failure::argument("the edit is a null pointer"))?;
        let all: Vec<_> = edit.history.changes().cloned().collect();
        bytes::give(changes, Report::of_changes(&all).into_bytes())
    })
}

/// The whole file with the changes: its frames, the bytes before and after its values, its compression and its encryption are
/// kept. The bytes are freed by variant_bytes_free, and variant_save writes them. More changes may follow. O(bytes).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_edit_finish(
    edit: Option<&Edit>,
    written: Option<&mut MaybeUninit<Bytes>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        let edit = edit.ok_or(Failure::argument("the edit is a null pointer"))?;
        bytes::give(written, wrap(edit.wrapping.as_ref(), edit.draft.bytes())?)
    })
}
