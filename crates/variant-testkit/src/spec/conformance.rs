//! The files conformance/*.jsonl: an engine's answers to selected inputs. Each level has a file.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use variant_owned::{EncodeOptions, Variant, Widths, encode};
use variant_view::{Dialect, Document, ErrorKind, Limit, Part};

use crate::conformance::{compare_value, options, same};
use crate::corpus::{self, Case, Expected, Precision};
use crate::defects::Defects;
use crate::engine::Engine;

/// The maximum number of selected mutants for each category and verdict, and (`BYTES`) the maximum size of a case in
/// bytes.
const MUTANTS: usize = 3;
const BYTES: usize = 600;
/// Of the records with two different keys, one in `KEYS` is selected. All records with equal keys are selected.
const KEYS: usize = 24;

/// A level of docs/spec/format.md#conformance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Checks where values end.
    Layout,
    /// Checks the verdict: whether an input is accepted.
    Verdict,
    /// Checks the values that are read.
    Value,
    /// Checks the bytes that are written for the values.
    Canonical,
}

impl Level {
    /// All levels.
    pub const ALL: &'static [Self] = &[Self::Layout, Self::Verdict, Self::Value, Self::Canonical];

    /// The file with the records of the level, below docs/spec.
    pub const fn file(self) -> &'static str {
        match self {
            Self::Layout => "conformance/layout.jsonl",
            Self::Verdict => "conformance/verdict.jsonl",
            Self::Value => "conformance/value.jsonl",
            Self::Canonical => "conformance/canonical.jsonl",
        }
    }
}

/// A line of a conformance file, with the fields of its level.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Record {
    /// The dialect's name.
    pub dialect: String,
    /// The width of the reader's reals: `single` or `double`.
    pub precision: String,
    /// Whether objects in full are allowed.
    pub objects: bool,
    /// The input.
    pub hex: String,
    /// `ok`, or the name of the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// The number of bytes of the value in the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consumed: Option<usize>,
    /// The value, in tagged JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The bytes of the value in normal form, as hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canonical: Option<String>,
}

/// The fields that a line of the corpus has and [`Case`] lacks.
#[derive(Deserialize)]
struct Line {
    cat: Option<String>,
    tag: Option<String>,
    text: Option<String>,
    value: Option<Value>,
}

/// The records of every level.
pub(super) fn levels() -> io::Result<Vec<(Level, Vec<Record>)>> {
    let defects = Defects::of_corpus()?;
    let mut levels: Vec<_> = Level::ALL.iter().map(|&level| (level, Vec::new())).collect();
    for (dialect, path) in corpus::record_files() {
        let precision = Precision::of_file(&path);
        for (case, verdict) in choice(&path)? {
            if defects.find(dialect, precision, &case).is_some() {
                continue;
            }
            for (level, records) in &mut levels {
                records.extend(record(*level, dialect, precision, &case, &verdict));
            }
        }
    }
    Ok(levels)
}

/// The selected cases of a file, with their verdicts: all vectors, and some of the other cases.
fn choice(path: &Path) -> io::Result<Vec<(Case, String)>> {
    let text = fs::read_to_string(path)?;
    let lines: Vec<&str> = text.lines().collect();
    let mut taken: HashMap<(String, String), usize> = HashMap::new();
    let mut chosen = Vec::new();
    for case in corpus::read_cases(path)? {
        let line = lines.get(case.line.saturating_sub(1)).copied().unwrap_or_default();
        let line: Line = serde_json::from_str(line)?;
        let verdict = verdict(&case, &line);
        // Other verdicts depend on the classes of an engine.
        if !(verdict == "ok" || verdict.starts_with("ERR_")) || verdict == "ERR_UNAVAILABLE" {
            continue;
        }
        let group = line.cat.as_deref().or(line.tag.as_deref()).unwrap_or_default();
        let group =
            if line.tag.is_some() { group.split(' ').next().unwrap_or_default() } else { group };
        let is_deep = verdict == "ERR_OUT_OF_MEMORY";
        let is_taken = if case.bytes.len() > BYTES && !is_deep {
            false
        } else if case.has_keys && line.cat.is_some() {
            let pairs = line.value.as_ref().and_then(|value| value.get("v")?.as_array());
            pairs.is_some_and(|pairs| pairs.len() == 1) || case.line.is_multiple_of(KEYS)
        } else if case.has_keys || group == "element" || group.is_empty() {
            true
        } else {
            let count = taken.entry((group.to_owned(), verdict.clone())).or_default();
            *count = count.saturating_add(1);
            *count <= if is_deep { 1 } else { MUTANTS }
        };
        if is_taken {
            chosen.push((case, verdict));
        }
    }
    Ok(chosen)
}

/// The verdict of a case. In Godot 3's records, the text ends with the name of the error.
fn verdict(case: &Case, line: &Line) -> String {
    let text = line.text.as_deref().unwrap_or_default();
    match text.rsplit_once("-> ") {
        Some((_, error)) if case.verdict == "err" => error.to_owned(),
        _ => case.verdict.clone(),
    }
}

/// The record of a case on a level. `None` if the level does not include the case.
fn record(
    level: Level,
    dialect: Dialect,
    precision: Precision,
    case: &Case,
    verdict: &str,
) -> Option<Record> {
    let blank = Record {
        dialect: dialect.name().to_owned(),
        precision: (if precision == Precision::Double { "double" } else { "single" }).to_owned(),
        objects: case.objects,
        hex: corpus::to_hex(&case.bytes),
        verdict: None,
        consumed: None,
        value: None,
        canonical: None,
    };
    // A case of keys tests only the value and the bytes that are written again.
    let is_about_keys = case.has_keys && matches!(level, Level::Layout | Level::Verdict);
    if (!case.accepted && level != Level::Verdict) || is_about_keys {
        return None;
    }
    match level {
        Level::Layout => {
            // Godot 3's vectors are consumed whole. The bytes that it consumes of other inputs are not recorded.
            let whole = case.rewritten.is_some() && !case.has_keys;
            let consumed = case.consumed.or(whole.then_some(case.bytes.len()))?;
            Some(Record { consumed: Some(consumed.min(case.bytes.len())), ..blank })
        }
        Level::Verdict => Some(Record { verdict: Some(verdict.to_owned()), ..blank }),
        Level::Value => {
            let value = value(dialect, precision, case)?;
            let text = value.to_string();
            // The properties of an object depend on its class, and a lost key is a defect.
            let is_known = !text.contains("\"props\"") && !text.contains("\"lost\"");
            // Readers of JSON have a depth limit.
            let is_flat = serde_json::from_str::<Value>(&format!("[{text}]")).is_ok();
            (is_known && is_flat).then_some(Record { value: Some(value), ..blank })
        }
        Level::Canonical => {
            let written = case.rewritten.as_ref()?;
            // If the engine of Godot 3 wrote other bytes than the encoder writes, its bytes contain object ids that
            // only this engine assigns.
            let is_own = dialect == Dialect::Godot3 && encoded(&blank).as_ref() != Some(written);
            (!is_own).then(|| Record { canonical: Some(corpus::to_hex(written)), ..blank })
        }
    }
}

/// The value that the engine has read. For Godot 3, the decoder's value if it agrees with the engine's text.
fn value(dialect: Dialect, precision: Precision, case: &Case) -> Option<Value> {
    match &case.value {
        Expected::Unknown => None,
        Expected::Tagged(value) => Some(value.clone()),
        Expected::Text(_) | Expected::Digest(..) => {
            let root = Document::new(&case.bytes, options(dialect, case.objects)).root().ok()?;
            compare_value(dialect, precision, case, &root).ok()?;
            let mut value =
                Engine { dialect, precision, objects: case.objects }.read(&root).ok()?;
            strip_code_points(&mut value);
            Some(value)
        }
    }
}

/// Removes the code points of texts that JSON can express.
fn strip_code_points(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            if fields.get("v").is_some_and(|text| !text.to_string().contains('\u{fffd}')) {
                fields.remove("cps");
            }
            fields.values_mut().for_each(strip_code_points);
        }
        Value::Array(elements) => elements.iter_mut().for_each(strip_code_points),
        _ => {}
    }
}

/// The bytes that the encoder writes for the input of a record.
fn encoded(record: &Record) -> Option<Vec<u8>> {
    let bytes = corpus::from_hex(&record.hex)?;
    let dialect: Dialect = record.dialect.parse().ok()?;
    let document = Document::new(&bytes, options(dialect, record.objects));
    let value = Variant::from_document(&document).ok()?;
    let options = EncodeOptions::new(dialect).widths(Widths::Canonical).depth(100_000);
    encode(&value, options).ok()
}

/// Checks that the decoder and the encoder give the results of a record.
///
/// # Errors
/// The result that differs from the record.
pub fn met(record: &Record) -> Result<(), String> {
    let dialect: Dialect = record.dialect.parse().map_err(|_| "an unknown dialect")?;
    let bytes = corpus::from_hex(&record.hex).ok_or("bad hexadecimal")?;
    let document = Document::new(&bytes, options(dialect, record.objects));
    let outcome = document.validate();
    let verdict = outcome.map_or_else(|error| error_name(error.kind()), |_| "ok");
    if verdict != record.verdict.as_deref().unwrap_or("ok") {
        return Err(format!("the verdict is {verdict}"));
    }
    let Ok(summary) = outcome else { return Ok(()) };
    if record.consumed.is_some_and(|consumed| consumed != summary.consumed) {
        return Err(format!("{} bytes are consumed", summary.consumed));
    }
    if let Some(expected) = &record.value {
        let is_double = record.precision == "double";
        let precision = if is_double { Precision::Double } else { Precision::Single };
        let root = document.root().map_err(|error| error.to_string())?;
        let engine = Engine { dialect, precision, objects: record.objects };
        let found = engine.read(&root).map_err(|error| error.to_string())?;
        if !same(expected, &found) {
            return Err(format!("the value is {found}"));
        }
    }
    if let Some(expected) = &record.canonical {
        let found = encoded(record).map(|bytes| corpus::to_hex(&bytes));
        if found.as_ref() != Some(expected) {
            return Err(format!("{found:?} is written"));
        }
    }
    Ok(())
}

/// The engines' name of an error (docs/spec/format.md#errors).
fn error_name(error: ErrorKind) -> &'static str {
    match error {
        ErrorKind::ObjectRefused => "ERR_UNAUTHORIZED",
        ErrorKind::LimitExceeded { limit: Limit::Depth } => "ERR_OUT_OF_MEMORY",
        ErrorKind::Truncated { part: Part::Text | Part::Padding, .. }
        | ErrorKind::NegativeLength { part: Part::TextLength | Part::Text, .. } => "ERR_FILE_EOF",
        _ => "ERR_INVALID_DATA",
    }
}
