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

/// The maximum number of breaches of the schema that are reported for a frame.
const MOST_BREACHES: usize = 1_000;

/// Lists each path that occurs in the values of the file as a JSON object, one a line. An object has `path`, with `[*]`
/// for all elements; `kinds`; `is_optional`, which is true if some containers lack the path; and `values`, the number
/// of values at the path. O(bytes) expected. variant_bytes_free frees `report`.
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

/// Checks each value of the file against a JSON Schema (`docs/command.md`). The call fails if the file is damaged, but
/// not if a value breaks the schema.
///
/// `report` receives JSON objects, one a line. Each breach of the schema has an object with `severity`, `rule`, `value`
/// (the frame), `offset`, `path`, `message`, `keyword` and `schema`; at most 1,000 breaches in a frame are listed. The
/// last object has `status` (`ok` or `invalid`), `dialect`, `framing`, `frames`, and `errors`, the number of breaches.
/// variant_bytes_free frees `report`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_check(
    file: Option<&File>,
    schema: *const c_char,
    len: usize,
    report: Option<&mut MaybeUninit<Bytes>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises `len` bytes of text that do not change.
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
