//! Writes a file in another dialect.

use std::mem::MaybeUninit;

use serde_json::json;
use variant_document::convert::{add, reals};
use variant_document::{Piece, Trouble};
use variant_owned::{ConvertOptions, Report as Losses};
use variant_view::Dialect;

use crate::border::{Result, call};
use crate::bytes::{self, Bytes};
use crate::code::{Code, VARIANT_ERROR_WRITE};
use crate::error::{Error, Failure};
use crate::file::{File, given};
use crate::names;
use crate::report::{Report, or_root};

/// The file in another dialect. Its frames, the bytes around its values, its compression and its encryption are kept.
/// O(bytes). The bytes are freed by variant_bytes_free.
///
/// If `losses` is NULL, the call fails with VARIANT_ERROR_WRITE if the conversion would change a value. Otherwise
/// `losses` receives the values that change as JSON objects, one a line, with `frame`, `path` and `message`. If no
/// value changes, `losses` is empty. variant_bytes_free frees it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_convert(
    file: Option<&File>,
    dialect: u8,
    converted: Option<&mut MaybeUninit<Bytes>>,
    losses: Option<&mut MaybeUninit<Bytes>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        let unknown = Failure::argument("the dialect is not one of VARIANT_DIALECT_*");
        let (file, to) = (given(file)?, names::dialect(dialect)?.ok_or(unknown)?);
        let (bytes, lost) = convert(file, to, losses.is_none())?;
        bytes::give(converted, bytes)?;
        lost.give(losses);
        Ok(())
    })
}

/// The file in another dialect, and the values that change. If `is_strict` is set, the conversion fails if it would
/// change a value.
fn convert(file: &File, to: Dialect, is_strict: bool) -> Result<'_, (Vec<u8>, Report)> {
    let plain = file.plain();
    let how = ConvertOptions::new(to).strict(is_strict).reals(reals(plain.options, to));
    let (mut values, mut report) = (file.values(to), Report::default());
    for piece in plain.pieces().map_while(std::result::Result::ok) {
        let place = file.place(&piece);
        let losses = add(place.document, &piece, how, &mut values).map_err(|trouble| {
            let failure = match trouble {
                Trouble::Data(error) => place.failure(error),
                Trouble::Message(message) => Failure::new(VARIANT_ERROR_WRITE, message),
            };
            failure.in_frame(piece.number)
        })?;
        add_losses(&mut report, &piece, &losses);
    }
    file.broken()?;
    Ok((file.with_values(values, plain.after())?, report))
}

fn add_losses(report: &mut Report, piece: &Piece<'_>, losses: &Losses) {
    for group in losses.groups() {
        let path = group.first.as_ref().unwrap_or(&group.path);
        let (frame, message) = (piece.called().map(|_| piece.number), group.to_string());
        report.add(&json!({"frame": frame, "path": or_root(path), "message": message}));
    }
}
