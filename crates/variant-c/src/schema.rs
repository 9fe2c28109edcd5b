//! The shape of the values of a file, and checks against a JSON Schema.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use serde_json::json;
use variant_document::Piece;
use variant_document::schema::{Breach, Schema};
use variant_document::shape::Shapes;

use crate::border::{Result, call, text_of};
use crate::bytes::{self, Bytes};
use crate::code::{Code, VARIANT_ERROR_TEXT};
use crate::error::{Error, Failure};
use crate::file::{File, given};
use crate::report::{Report, or_root};

/// The maximum number of reported breaches of a frame.
const MOST_BREACHES: usize = 1_000;

/// Each path that occurs in the values of the file, as JSON objects, one a line: `path`, with `[*]` for all elements; `kinds`;
/// `is_optional`, whether some containers lack the path; `values`, the number of values. O(bytes) expected.
/// variant_bytes_free frees the lines.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_schema(
    file: Option<&File>,
    report: Option<&mut MaybeUninit<Bytes>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || bytes::give(report, shape(given(file)?)?.into_bytes()))
}

fn shape(file: &File) -> Result<'_, Report> {
    let mut shapes = Shapes::new();
    for piece in file.plain().pieces().map_while(std::result::Result::ok) {
        let place = file.place(&piece);
        let added = shapes.add(place.document);
        added.map_err(|error| place.failure(error).in_frame(piece.number))?;
    }
    file.broken()?;
    let mut report = Report::default();
    for place in shapes.into_type().places() {
        report.add(&json!({
            "path": place.path, "kinds": place.names(), "is_optional": place.is_optional,
            "values": place.values,
        }));
    }
    Ok(report)
}

/// Checks each value of the file against a JSON Schema (`docs/command.md`). Damage is a failure; a value that breaks the schema
/// is not.
///
/// `report` receives JSON objects, one a line: for each breach, at most 1,000 in a frame, `severity`, `rule`, `value` (the
/// frame), `offset`, `path`, `message`, `keyword` and `schema`; then an object with `status`, which is `ok` or `invalid`,
/// `dialect`, `framing`, `frames` and `errors`, the number of breaches. variant_bytes_free frees it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_check(
    file: Option<&File>,
    schema: *const c_char,
    len: usize,
    report: Option<&mut MaybeUninit<Bytes>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the promise of the caller about texts with a length.
        let (file, schema) = (given(file)?, unsafe { text_of(schema, len) }?);
        let schema = Schema::compile(schema)
            .map_err(|error| Failure::new(VARIANT_ERROR_TEXT, format!("the schema: {error}")))?;
        bytes::give(report, check(file, &schema)?.into_bytes())
    })
}

fn check<'f>(file: &'f File, schema: &Schema) -> Result<'f, Report> {
    let plain = file.plain();
    let mut report = Report::default();
    let (mut frames, mut errors) = (0_u64, 0_usize);
    for piece in plain.pieces().map_while(std::result::Result::ok) {
        let place = file.place(&piece);
        let checked = schema.check(place.document, MOST_BREACHES);
        let breaches = checked.map_err(|error| place.failure(error).in_frame(piece.number))?;
        for breach in &breaches.list {
            add(&mut report, &piece, breach);
        }
        frames = frames.saturating_add(1);
        errors = errors.saturating_add(breaches.count);
    }
    file.broken()?;
    report.add(&json!({
        "status": if errors == 0 { "ok" } else { "invalid" },
        "dialect": plain.options.dialect.name(), "framing": plain.framing.name(),
        "frames": frames, "errors": errors,
    }));
    Ok(report)
}

fn add(report: &mut Report, piece: &Piece<'_>, breach: &Breach) {
    report.add(&json!({
        "severity": "error", "rule": "schema", "value": piece.called(),
        "offset": piece.absolute(breach.offset), "path": or_root(&breach.path),
        "message": breach.message, "keyword": breach.keyword, "schema": breach.schema_path,
    }));
}
