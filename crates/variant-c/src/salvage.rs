//! Recovers the readable values of a damaged file.

use std::mem::MaybeUninit;

use serde_json::json;
use variant_document::salvage::{Hole, Salvaged, salvage, with_lost_frames};

use crate::border::{Result, call};
use crate::bytes::{self, Bytes};
use crate::code::{Code, VARIANT_ERROR_WRITE};
use crate::error::{Error, Failure};
use crate::file::{File, given};
use crate::report::Report;

/// The undamaged values of a damaged file, with its compression and its encryption. To open a file whose compression or
/// encryption is damaged, set `lenient` in the options. O(bytes), with a large constant if much cannot be read. The
/// bytes are freed by variant_bytes_free.
///
/// `report` may be NULL. Otherwise it receives JSON objects, one a line. Each hole (a range of lost bytes) has an
/// object with `start`, `end`, `length`, `path` and `reason`; at most 1,000 holes are listed. The last object has
/// `values`, `recovered_bytes`, `holes` and `lost_bytes`. variant_bytes_free frees `report`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_salvage(
    file: Option<&File>,
    salvaged: Option<&mut MaybeUninit<Bytes>>,
    report: Option<&mut MaybeUninit<Bytes>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        let (bytes, lines) = recover(given(file)?)?;
        bytes::give(salvaged, bytes)?;
        lines.give(report);
        Ok(())
    })
}

fn recover<'a>(file: &File) -> Result<'a, (Vec<u8>, Report)> {
    let plain = with_lost_frames(file.plain(), file.tail());
    let values = file.values(plain.options.dialect);
    let salvaged = salvage(plain, file.source.damage(), values);
    let Salvaged { values, count, bytes, holes } =
        salvaged.map_err(|error| Failure::new(VARIANT_ERROR_WRITE, error.to_string()))?;
    let mut report = Report::default();
    for Hole { start, end, path, reason } in &holes.kept {
        let length = end.saturating_sub(*start);
        let hole = json!({
            "start": start, "end": end, "length": length, "path": path, "reason": reason,
        });
        report.add(&hole);
    }
    report.add(&json!({
        "values": count, "recovered_bytes": bytes, "holes": holes.count,
        "lost_bytes": holes.bytes,
    }));
    // `Plain::after` is not used: for a bare value and for settings, it includes salvaged bytes.
    let start = plain.bytes.len().saturating_sub(plain.tail);
    Ok((file.with_values(values, plain.bytes.get(start..).unwrap_or_default())?, report))
}
