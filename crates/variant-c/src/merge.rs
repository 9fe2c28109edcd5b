//! Brings the values, or the changes, of another file into a file.

use std::mem::MaybeUninit;

use variant_document::edit::Draft;
use variant_document::merge::{Conflicts, Side, merge};

use crate::border::{Result, call};
use crate::bytes::{self, Bytes};
use crate::code::{Code, VARIANT_ERROR_EDIT, VARIANT_ERROR_WRITE};
use crate::edit::refused;
use crate::error::{Error, Failure};
use crate::file::{File, given};
use crate::report::Report;

/// In variant_file_merge: the call fails if both files changed a value in different ways.
pub const VARIANT_PREFER_NONE: u8 = 0;
/// In variant_file_merge: if both files changed a value, the value of `file` is kept.
pub const VARIANT_PREFER_OURS: u8 = 1;
/// In variant_file_merge: if both files changed a value, the value of `other` replaces it.
pub const VARIANT_PREFER_THEIRS: u8 = 2;

/// `file` with the values of `other`: they are added, and replace values at the same paths. With `base`, which may be
/// NULL, only the changes that lead from `base` to `other` are made. If `file` and `other` changed a value in different
/// ways, `prefer`, one of VARIANT_PREFER_*, decides. Without `base`, `prefer` must be VARIANT_PREFER_NONE. Frames are
/// matched by number, and settings by name. The other bytes of `file` are kept. O(bytes of the files) expected. The
/// bytes are freed by variant_bytes_free.
///
/// A value of another dialect is refused with VARIANT_ERROR_WRITE unless its conversion changes nothing. `changes` is as in
/// variant_edit_set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_merge(
    file: Option<&File>,
    other: Option<&File>,
    base: Option<&File>,
    prefer: u8,
    merged: Option<&mut MaybeUninit<Bytes>>,
    changes: Option<&mut MaybeUninit<Bytes>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        let file = given(file)?;
        let draft = merged_draft(file, given(other)?, base, side(prefer, base.is_some())?)?;
        bytes::give(merged, file.source.wrap(draft.bytes())?)?;
        Report::of_changes(&draft.changes.first).give(changes);
        Ok(())
    })
}

/// The side whose value wins in a conflict; `None` if a conflict is a failure.
fn side<'f>(prefer: u8, has_base: bool) -> Result<'f, Option<Side>> {
    match prefer {
        VARIANT_PREFER_NONE => Ok(None),
        _ if !has_base => Err(Failure::argument("without a base, prefer is VARIANT_PREFER_NONE")),
        VARIANT_PREFER_OURS => Ok(Some(Side::Ours)),
        VARIANT_PREFER_THEIRS => Ok(Some(Side::Theirs)),
        _ => Err(Failure::argument("prefer is not one of VARIANT_PREFER_*")),
    }
}

fn merged_draft<'f>(
    file: &'f File,
    other: &'f File,
    base: Option<&'f File>,
    side: Option<Side>,
) -> Result<'f, Draft<'f>> {
    let mut draft = Draft::new(file.plain());
    let base = base.map(File::plain);
    let merged = merge(&mut draft, other.plain(), base, side.unwrap_or(Side::Ours));
    let merged = merged.map_err(|error| refused(&error))?;
    if let Some(loss) = merged.losses.first.first() {
        return Err(Failure::new(VARIANT_ERROR_WRITE, loss.message.clone()));
    }
    if side.is_none() && merged.conflicts.count > 0 {
        return Err(Failure::new(VARIANT_ERROR_EDIT, message(&merged.conflicts)));
    }
    let checked = file.rivals().check_changed(file.plain(), draft.plain());
    checked.map_err(|error| refused(&error))?;
    Ok(draft)
}

fn message(conflicts: &Conflicts) -> String {
    let path = conflicts.first.first().map_or("", |conflict| &conflict.path);
    let place = if path.is_empty() { "the root" } else { path };
    format!(
        "both files changed {} values, such as {place}; choose a side by prefer",
        conflicts.count
    )
}
