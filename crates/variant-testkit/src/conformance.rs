//! Compares the decoder with the engine-made records.

use std::fmt;

use md5::{Digest as _, Md5};
use serde_json::Value;
use variant_view::{Dialect, Document, Limits, Objects, Options, Summary, VariantView};

use crate::corpus::{Case, Expected, Precision};
use crate::defects::Defects;
use crate::engine::Engine;
use crate::var2str::var2str;

/// A case on which the engine and the decoder differ.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The engine's result.
    pub expected: String,
    /// The decoder's result.
    pub found: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}\n   found {}", self.expected, self.found)
    }
}

/// The outcome of a case.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Engine and decoder agree.
    Passed,
    /// They differ.
    Failed(Disagreement),
    /// They differ, for this known reason.
    Known(String),
}

/// Counts of outcomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Agreements.
    pub passed: u64,
    /// Disagreements.
    pub failed: u64,
    /// Disagreements in which the engine is known to be at fault.
    pub known: u64,
    /// Agreements whose rewritten bytes agree, too.
    pub rewritten: u64,
}

impl Tally {
    /// Counts an outcome.
    pub fn add(&mut self, outcome: &Outcome, case: &Case) {
        if case.rewritten.is_some() && matches!(outcome, Outcome::Passed) {
            self.rewritten = self.rewritten.saturating_add(1);
        }
        self.count(outcome);
    }

    /// Counts an outcome of a case without rewritten bytes.
    pub fn count(&mut self, outcome: &Outcome) {
        let count = match outcome {
            Outcome::Passed => &mut self.passed,
            Outcome::Failed(_) => &mut self.failed,
            Outcome::Known(_) => &mut self.known,
        };
        *count = count.saturating_add(1);
    }
}

/// The options under which the decoder behaves as the engine that made the records.
pub fn options(dialect: Dialect, objects: bool) -> Options {
    let limits = match dialect {
        // 3.2.3 has no limit of depth; 3.3.5 introduced it.
        Dialect::Godot3 => Limits::ENGINE.depth(100_000),
        _ => Limits::ENGINE,
    };
    let objects = if objects { Objects::Accept } else { Objects::Refuse };
    Options::new(dialect).limits(limits).objects(objects)
}

/// Compares one case, known defects taken into account.
pub fn judge(dialect: Dialect, precision: Precision, case: &Case, defects: &Defects) -> Outcome {
    let known = defects.find(dialect, precision, case);
    match (compare(dialect, precision, case), known) {
        (Ok(()), None) => Outcome::Passed,
        (Err(disagreement), None) => Outcome::Failed(disagreement),
        (Err(disagreement), Some(known)) if disagreement.found == known.ours => {
            Outcome::Known(known.reason.clone())
        }
        (Err(disagreement), Some(known)) => Outcome::Failed(Disagreement {
            expected: format!("{} (known: {})", known.ours, known.reason),
            found: disagreement.found,
        }),
        (Ok(()), Some(known)) => Outcome::Failed(Disagreement {
            expected: format!("a difference, known as {}", known.reason),
            found: "none; strike it off the list".to_owned(),
        }),
    }
}

/// Compares the verdict, then the bytes consumed, the value, and the bytes written again.
///
/// # Errors
/// The first difference.
pub fn compare(dialect: Dialect, precision: Precision, case: &Case) -> Result<(), Disagreement> {
    let document = Document::new(&case.bytes, options(dialect, case.objects));
    let verdict = document.validate();
    let found = || match verdict {
        Ok(summary) => format!("ok, {} bytes", summary.consumed),
        Err(error) => format!("{error}"),
    };
    if verdict.is_ok() != case.accepted {
        return differ(case.verdict.clone(), found());
    }
    let (Ok(summary), Ok(root)) = (verdict, document.root()) else { return Ok(()) };
    if let Some(consumed) = case.consumed.filter(|&consumed| !agrees(summary, consumed, case)) {
        return differ(format!("ok, {consumed} bytes"), found());
    }
    compare_value(dialect, precision, case, &root)?;
    #[cfg(feature = "alloc")]
    compare_rewritten(dialect, case, &document)?;
    #[cfg(feature = "alloc")]
    if case.has_keys {
        match crate::keys::compare(dialect, case, &document) {
            Ok(None) => {}
            Ok(Some(difference)) => return differ("the keys as recorded", difference),
            Err(error) => return differ("the keys as recorded", error.to_string()),
        }
    }
    Ok(())
}

fn differ(expected: impl Into<String>, found: impl Into<String>) -> Result<(), Disagreement> {
    Err(Disagreement { expected: shorten(expected.into()), found: shorten(found.into()) })
}

/// Compares the bytes that the engine writes of the value it read.
#[cfg(feature = "alloc")]
fn compare_rewritten(
    dialect: Dialect,
    case: &Case,
    document: &Document<'_>,
) -> Result<(), Disagreement> {
    use variant_owned::{EncodeOptions, Variant, Widths, encode};

    use crate::corpus::to_hex;

    let Some(expected) = &case.rewritten else { return Ok(()) };
    let options = EncodeOptions::new(dialect).widths(Widths::Canonical).depth(100_000);
    let found = match Variant::from_document(document) {
        Ok(value) => encode(&value, options).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    match found {
        Ok(found) if is_written_again(dialect, &found, expected) => Ok(()),
        Ok(found) => differ(format!("written again {}", to_hex(expected)), to_hex(&found)),
        Err(error) => differ(format!("written again {}", to_hex(expected)), error),
    }
}

/// Godot 3's records of repeated keys hold ids of objects, and other things that differ by design.
#[cfg(feature = "alloc")]
fn is_written_again(dialect: Dialect, ours: &[u8], theirs: &[u8]) -> bool {
    let departures = || crate::departures::between(dialect, ours, theirs);
    ours == theirs || (dialect == Dialect::Godot3 && matches!(departures(), Ok(Some(_))))
}

/// Compares the value that the engine read.
///
/// # Errors
/// The difference.
pub fn compare_value(
    dialect: Dialect,
    precision: Precision,
    case: &Case,
    root: &VariantView<'_>,
) -> Result<(), Disagreement> {
    match &case.value {
        Expected::Unknown => Ok(()),
        Expected::Tagged(expected) => {
            let engine = Engine { dialect, precision, objects: case.objects };
            let found = match engine.read(root) {
                Ok(found) => found,
                Err(error) => return differ(expected.to_string(), error.to_string()),
            };
            if same(expected, &found) {
                Ok(())
            } else {
                differ(expected.to_string(), found.to_string())
            }
        }
        Expected::Text(expected) => match var2str(*root) {
            Ok(found) if found == *expected => Ok(()),
            Ok(found) => differ(expected.clone(), found),
            Err(error) => differ(expected.clone(), error.to_string()),
        },
        Expected::Digest(len, md5) => match var2str(*root) {
            Ok(text) if text.chars().count() == *len && hex_md5(&text) == *md5 => Ok(()),
            Ok(text) => differ(format!("{len} characters, {md5}"), text),
            Err(error) => differ(format!("{len} characters, {md5}"), error.to_string()),
        },
    }
}

/// Long values by their first characters and a hash.
fn shorten(text: String) -> String {
    match text.char_indices().nth(200) {
        None => text,
        Some((end, _)) => {
            format!("{}... (MD5 {})", text.get(..end).unwrap_or_default(), hex_md5(&text))
        }
    }
}

/// The engines count padding that is missing at the very end, up to 3 bytes.
fn agrees(summary: Summary, consumed: usize, case: &Case) -> bool {
    summary.consumed == consumed.min(case.bytes.len())
        && consumed < case.bytes.len().saturating_add(4)
}

fn hex_md5(text: &str) -> String {
    format!("{:032x}", u128::from_be_bytes(Md5::digest(text).into()))
}

/// Whether two values in tagged JSON are the same.
///
/// The records print reals with as many digits as distinguish them in their own width, and code points only where
/// JSON cannot hold the text.
pub(crate) fn same(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            // The decoder's side always has code points; they decide where the record has them.
            let exact = expected.contains_key("cps");
            found.keys().all(|field| field == "cps" || expected.contains_key(field))
                && expected.iter().all(|(field, expected)| {
                    (exact && field == "v")
                        || found.get(field).is_some_and(|found| same(expected, found))
                })
        }
        (Value::Array(expected), Value::Array(found)) => {
            expected.len() == found.len() && expected.iter().zip(found).all(|(e, f)| same(e, f))
        }
        (Value::Number(e), Value::Number(f)) if e.is_f64() || f.is_f64() => {
            e.as_f64().zip(f.as_f64()).is_some_and(|(e, f)| same_real(e, f))
        }
        (Value::String(e), Value::String(f)) if e.starts_with("nan:") && e.len() == 12 => {
            single_nan(e).zip(double_nan(f)).is_some_and(|(e, f)| e == f)
        }
        _ => expected == found,
    }
}

/// The bit that arithmetic sets in a NaN to make it quiet.
const QUIET: u32 = 0x0040_0000;

fn single_nan(text: &str) -> Option<u32> {
    u32::from_str_radix(text.strip_prefix("nan:")?, 16).ok().map(|bits| bits | QUIET)
}

/// The bits in the width of the wire.
#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "it was widened")]
fn double_nan(text: &str) -> Option<u32> {
    let bits = u64::from_str_radix(text.strip_prefix("nan:")?, 16).ok()?;
    Some((f64::from_bits(bits) as f32).to_bits() | QUIET)
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "nine digits are told apart in f32"
)]
fn same_real(expected: f64, found: f64) -> bool {
    let is_single = f64::from(found as f32).to_bits() == found.to_bits();
    expected.to_bits() == found.to_bits()
        || (is_single && (expected as f32).to_bits() == (found as f32).to_bits())
}
