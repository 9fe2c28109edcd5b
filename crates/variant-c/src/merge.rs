//! Adds the values of another file.

use std::collections::BTreeMap;
use std::mem::MaybeUninit;

use variant_document::Trouble;
use variant_document::edit::{Draft, Graft};
use variant_owned::{EncodeOptions, Variant, encode};
use variant_view::Options;

use crate::border::{Result, call};
use crate::bytes::{self, Bytes};
use crate::code::{Code, VARIANT_ERROR_EDIT};
use crate::edit::refused;
use crate::error::{Error, Failure};
use crate::file::{File, given};
use crate::report::Report;

/// This file with the values of another file: it adds them, and replaces values at the same paths. Frames are matched by
/// number and settings by name. The other bytes of this file are kept. O(bytes of both files) expected. The bytes are freed
/// by variant_bytes_free.
///
/// A value of another dialect is refused with VARIANT_ERROR_WRITE unless its conversion changes nothing. `changes` is as in
/// variant_edit_set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_merge(
    file: Option<&File>,
    other: Option<&File>,
    merged: Option<&mut MaybeUninit<Bytes>>,
    changes: Option<&mut MaybeUninit<Bytes>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        let file = given(file)?;
        let draft = merge(file, given(other)?)?;
        bytes::give(merged, file.source.wrap(draft.bytes())?)?;
        Report::of_changes(&draft.changes.first).give(changes);
        Ok(())
    })
}

/// The place of a value in its file: its name, or its number.
type Spot = (Option<Vec<u8>>, u64);

fn spot(number: u64, name: Option<&[u8]>) -> Spot {
    name.map_or((None, number), |name| (Some(name.to_vec()), 0))
}

fn merge<'f>(file: &'f File, other: &'f File) -> Result<'f, Draft<'f>> {
    let options = file.plain().options;
    let mut values = read(other, options)?;
    let mut draft = Draft::new(file.plain());
    let grafted = draft.graft(|value, document| {
        let Some(new) = values.remove(&spot(value.number, value.name)) else { return Ok(None) };
        // The old value, encoded again as the engine would, for the comparison with the new value.
        let base = encode(&Variant::from_document(&document)?, encoding(options));
        let base = base.map_err(|error| Trouble::message(&error))?;
        Ok(Some(Graft { base, new, is_merge: true }))
    });
    grafted.map_err(|error| refused(&error))?;
    if let Some(((name, number), _)) = values.into_iter().next() {
        let what = name.map_or_else(
            || format!("value {number}"),
            |name| format!("setting {}", String::from_utf8_lossy(&name)),
        );
        let message = format!("the other file has a {what}, and this file does not");
        return Err(Failure::new(VARIANT_ERROR_EDIT, message));
    }
    let checked = file.rivals().check_changed(file.plain(), draft.plain());
    checked.map_err(|error| refused(&error))?;
    Ok(draft)
}

/// The values of a file in another dialect.
fn read(file: &File, wanted: Options) -> Result<'_, BTreeMap<Spot, Vec<u8>>> {
    let mut values = BTreeMap::new();
    for piece in file.plain().pieces().map_while(std::result::Result::ok) {
        let place = file.place(&piece);
        let value = place.to_variant(wanted).map_err(|failure| failure.in_frame(piece.number))?;
        let bytes = encode(&value, encoding(wanted)).map_err(Failure::Write)?;
        if values.insert(spot(piece.number, piece.name), bytes).is_some() {
            let message = "two settings of the other file have one name";
            return Err(Failure::new(VARIANT_ERROR_EDIT, message));
        }
    }
    file.broken()?;
    Ok(values)
}

fn encoding(options: Options) -> EncodeOptions {
    EncodeOptions::new(options.dialect).reals(options.reals)
}
