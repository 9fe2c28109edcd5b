//! Calls that change, select and compare files.

use std::ffi::CString;
use std::mem::MaybeUninit;
use std::ptr;

use super::{Machine, checked, free, text_of};
use crate::bytes::Bytes;
use crate::code::{Code, VARIANT_END, VARIANT_ERROR_INTERNAL, VARIANT_OK};
use crate::convert::variant_file_convert;
use crate::diff::variant_file_diff;
use crate::edit::{
    Edit, variant_edit_changes, variant_edit_delete, variant_edit_finish, variant_edit_free,
    variant_edit_insert, variant_edit_insert_value, variant_edit_redo, variant_edit_rename_key,
    variant_edit_set, variant_edit_set_value, variant_edit_undo, variant_file_edit,
};
use crate::file::File;
use crate::merge::variant_file_merge;
use crate::migrate::variant_file_migrate;
use crate::rows::{variant_file_rows, variant_rows_free, variant_rows_next};
use crate::salvage::variant_file_salvage;
use crate::schema::{variant_file_check, variant_file_schema};
use crate::select::{variant_file_select, variant_selection_free, variant_selection_next};
use crate::value::Value;

impl Machine<'_> {
    /// Calls a function for the last file, or for the first and the last file.
    pub(super) fn work(&mut self, function: u8, value: Value, rest: &[u8]) {
        let Some(file) = self.files.last().copied() else { return };
        match function % 8 {
            0..=2 => self.edit(file, function, value, rest),
            3 => self.select(file, rest),
            4 => self.rows(file, rest),
            5 => self.write_again(file, function, rest),
            6 => self.compare(file, function / 8),
            _ => report(file, rest),
        }
    }

    /// Makes a change. Asserts that undo restores the old bytes, and that redo restores the changed bytes.
    fn edit(&mut self, file: *mut File, function: u8, value: Value, rest: &[u8]) {
        // SAFETY: the handle is freed when the machine is dropped.
        let edit = checked(|edit, error| unsafe { variant_file_edit(file.as_ref(), edit, error) });
        let Some(edit) = edit else { return };
        let before = finished(edit);
        change(edit, function / 8, value, rest);
        let after = finished(edit);
        // SAFETY: the edit is freed below.
        let step = unsafe { variant_edit_undo(edit.as_mut(), None, None) };
        assert!(step == VARIANT_OK || step == VARIANT_END, "a change is undone: {step}");
        assert!(finished(edit) == before, "undo restores the bytes");
        // SAFETY: as above.
        let again = unsafe { variant_edit_redo(edit.as_mut(), None, None) };
        assert_eq!(again, step, "what was undone is redone");
        assert!(finished(edit) == after, "redo restores the change");
        // SAFETY: as above.
        let written = checked(|bytes, error| unsafe {
            free(checked(|all, error| variant_edit_changes(edit.as_ref(), all, error)));
            variant_edit_finish(edit.as_ref(), bytes, error)
        });
        self.written.extend(written);
        // SAFETY: nothing uses the edit any more.
        unsafe { variant_edit_free(edit) };
    }

    fn select(&mut self, file: *mut File, rest: &[u8]) {
        let path = text_of(rest);
        // SAFETY: the file lives until the machine is dropped, and the text until the end of this function.
        let selection = checked(|selection, error| unsafe {
            variant_file_select(file.as_ref(), path.as_ptr(), selection, error)
        });
        let Some(selection) = selection else { return };
        for _ in 0..16 {
            let mut found = MaybeUninit::uninit();
            // SAFETY: the selection is freed below.
            let code =
                unsafe { variant_selection_next(selection.as_mut(), Some(&mut found), None) };
            if code != VARIANT_OK {
                assert_eq!(code, VARIANT_END, "a selection ends");
                break;
            }
            // SAFETY: the call succeeded. The value is in the file, which lives until the machine is dropped.
            self.values.push(unsafe { found.assume_init() }.value);
        }
        // SAFETY: nothing uses the selection any more.
        unsafe { variant_selection_free(selection) };
    }

    fn rows(&mut self, file: *mut File, rest: &[u8]) {
        let paths = [text_of(rest), text_of(rest.get(8..).unwrap_or_default())];
        let paths: [_; 2] = paths.each_ref().map(|path: &CString| path.as_ptr());
        // SAFETY: the file lives until the machine is dropped, and the texts until the end of this function.
        let rows = checked(|rows, error| unsafe {
            variant_file_rows(file.cast_const(), paths.as_ptr(), 2, rows, error)
        });
        let Some(rows) = rows else { return };
        let mut values = [Value::NONE; 2];
        for _ in 0..16 {
            // SAFETY: the rows are freed below.
            let code =
                unsafe { variant_rows_next(rows.as_mut(), values.as_mut_ptr(), 2, None, None) };
            assert!(code != VARIANT_ERROR_INTERNAL, "no defect");
            if code != VARIANT_OK {
                break;
            }
            self.values.extend(values);
        }
        // SAFETY: nothing uses the rows any more.
        unsafe { variant_rows_free(rows) };
    }

    fn write_again(&mut self, file: *mut File, function: u8, rest: &[u8]) {
        let (text, len) = (rest.as_ptr().cast(), rest.len());
        // SAFETY: the file lives until the machine is dropped, and the text longer than this function.
        let file = unsafe { file.as_ref() };
        let mut report = MaybeUninit::new(NO_BYTES);
        let written = checked(|bytes, error| {
            let report = Some(&mut report);
            // SAFETY: as above.
            unsafe {
                match function / 8 {
                    0..8 => variant_file_salvage(file, bytes, report, error),
                    8..16 => variant_file_migrate(file, text, len, bytes, report, error),
                    dialect => variant_file_convert(file, dialect % 16, bytes, report, error),
                }
            }
        });
        // SAFETY: `report` was initialised, and a call only writes bytes that the library allocated.
        free(Some(unsafe { report.assume_init() }));
        self.written.extend(written);
    }

    fn compare(&mut self, file: *mut File, function: u8) {
        let prefer = function % 4;
        let base = self.files.last().filter(|_| prefer > 0);
        // SAFETY: the files live until the machine is dropped.
        let (other, base, file) = unsafe {
            (
                self.files.first().and_then(|file| file.as_ref()),
                base.and_then(|file| file.as_ref()),
                file.as_ref(),
            )
        };
        // SAFETY: as above.
        let merged = unsafe {
            free(checked(|lines, error| variant_file_diff(other, file, 8, lines, error)));
            checked(|bytes, error| {
                variant_file_merge(other, file, base, prefer, bytes, None, error)
            })
        };
        self.written.extend(merged);
    }
}

const NO_BYTES: Bytes = Bytes { data: ptr::null_mut(), len: 0, capacity: 0 };

fn report(file: *mut File, rest: &[u8]) {
    let (text, len) = (rest.as_ptr().cast(), rest.len());
    // SAFETY: the file lives until the machine is dropped, and the text longer than this function.
    unsafe {
        free(checked(|lines, error| variant_file_schema(file.as_ref(), lines, error)));
        free(checked(|lines, error| variant_file_check(file.as_ref(), text, len, lines, error)));
    }
}

/// The whole file with the changes; `None` if its compression or its encryption cannot be written.
fn finished(edit: *mut Edit) -> Option<Vec<u8>> {
    // SAFETY: the caller frees the edit later.
    let bytes =
        checked(|bytes, error| unsafe { variant_edit_finish(edit.as_ref(), bytes, error) })?;
    // SAFETY: the library allocated these bytes, and they are freed below.
    let copy = unsafe { std::slice::from_raw_parts(bytes.data, bytes.len) }.to_vec();
    free(Some(bytes));
    Some(copy)
}

fn change(edit: *mut Edit, function: u8, value: Value, rest: &[u8]) {
    let (path, literal) = (text_of(rest), text_of(rest.get(8..).unwrap_or_default()));
    let (path, literal) = (path.as_ptr(), literal.as_ptr());
    // SAFETY: the caller frees the edit later. The texts live until the end of this function, and the value longer.
    let call = |changes: Option<&mut MaybeUninit<Bytes>>, error: Option<&mut MaybeUninit<_>>| unsafe {
        let edit = edit.as_mut();
        let code: Code = match function % 6 {
            0 => variant_edit_set(edit, path, literal, changes, error),
            1 => variant_edit_set_value(edit, path, value, changes, error),
            2 => variant_edit_insert(edit, path, literal, changes, error),
            3 => variant_edit_insert_value(edit, path, value, changes, error),
            4 => variant_edit_delete(edit, path, changes, error),
            _ => variant_edit_rename_key(edit, path, literal, changes, error),
        };
        code
    };
    free(checked(call));
}
