//! Compares the decoder with the records of engines.

use std::fmt;

use md5::{Digest as _, Md5};
use serde_json::Value;
use variant_view::{Dialect, Document, Limits, Objects, Options, Summary, VariantView};

use crate::corpus::{Case, Expected, Precision};
use crate::defects::Defects;
use crate::engine::Engine;

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
    /// Engine and decoder differ.
    Failed(Disagreement),
    /// Engine and decoder differ, for this known reason.
    Known(String),
}

/// The options with which the decoder behaves as the engine that made the records.
pub fn options(dialect: Dialect, objects: bool) -> Options {
    let limits = match dialect {
        // Godot 3.2.3 has no depth limit. Godot 3.3.5 introduced one.
        Dialect::Godot3 => Limits::ENGINE.depth(100_000),
        _ => Limits::ENGINE,
    };
    let objects = if objects { Objects::Accept } else { Objects::Refuse };
    Options::engine(dialect).limits(limits).objects(objects)
}

/// Compares one case, and considers known defects.
pub fn judge(dialect: Dialect, precision: Precision, case: &Case, defects: &Defects) -> Outcome {
    // In builds without an allocator, texts are not compared.
    let is_text = matches!(case.value, Expected::Text(_) | Expected::Digest(..));
    let known =
        defects.find(dialect, precision, case).filter(|_| cfg!(feature = "alloc") || !is_text);
    outcome(compare(dialect, precision, case), known.map(|known| (&*known.ours, &*known.reason)))
}

/// The outcome of a comparison. `known` is a known difference: the decoder's result, and the reason. The comparison
/// fails if the decoder has another result.
pub(crate) fn outcome(found: Result<(), Disagreement>, known: Option<(&str, &str)>) -> Outcome {
    match (found, known) {
        (Ok(()), None) => Outcome::Passed,
        (Err(disagreement), None) => Outcome::Failed(disagreement),
        (Err(disagreement), Some((ours, reason))) if disagreement.found == ours => {
            Outcome::Known(reason.to_owned())
        }
        (Err(disagreement), Some((ours, reason))) => Outcome::Failed(Disagreement {
            expected: format!("{ours} (known: {reason})"),
            found: disagreement.found,
        }),
        (Ok(()), Some((_, reason))) => Outcome::Failed(Disagreement {
            expected: format!("a difference, known as {reason}"),
            found: "none; strike it off the list".to_owned(),
        }),
    }
}

/// Compares the verdict, the consumed bytes, the value, and the bytes that are written for the value, in this order.
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

/// Compares the bytes that the engine and this workspace write for the value that they have read.
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
    let value = Variant::from_document(document).map_err(|error| error.to_string());
    let found = value.and_then(|value| encode(&value, options).map_err(|error| error.to_string()));
    if found.as_ref().is_ok_and(|found| is_written_again(dialect, found, expected)) {
        return Ok(());
    }
    let found = found.map_or_else(|error| error, |found| to_hex(&found));
    differ(format!("written again {}", to_hex(expected)), found)
}

/// Whether both sides write the same bytes for a value. Godot 3's records of repeated keys contain bytes that may
/// differ, such as ids of objects.
#[cfg(feature = "alloc")]
fn is_written_again(dialect: Dialect, ours: &[u8], theirs: &[u8]) -> bool {
    let departures = || crate::departures::between(dialect, ours, theirs);
    ours == theirs || (dialect == Dialect::Godot3 && matches!(departures(), Ok(Some(_))))
}

/// Compares the value that the engine read.
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
            match engine.read(root) {
                Ok(found) if same(expected, &found) => Ok(()),
                Ok(found) => differ(expected.to_string(), found.to_string()),
                Err(error) => differ(expected.to_string(), error.to_string()),
            }
        }
        #[cfg(feature = "alloc")]
        Expected::Text(expected) => match text(root) {
            Ok(found) if is_same_text(expected, &found) => Ok(()),
            Ok(found) => differ(expected.clone(), found),
            Err(error) => differ(expected.clone(), error.to_string()),
        },
        #[cfg(feature = "alloc")]
        Expected::Digest(len, md5) => match text(root) {
            Ok(text) if text.chars().count() == *len && hex_md5(&text) == *md5 => Ok(()),
            Ok(text) => differ(format!("{len} characters, {md5}"), text),
            Err(error) => differ(format!("{len} characters, {md5}"), error.to_string()),
        },
        #[cfg(not(feature = "alloc"))]
        Expected::Text(_) | Expected::Digest(..) => Ok(()),
    }
}

/// The text that Godot 3 prints for a value. It prints texts and names without a byte order mark and only up to a NUL.
#[cfg(feature = "alloc")]
fn text(root: &VariantView<'_>) -> Result<String, variant_view::Error> {
    let value = variant_owned::Variant::from_view(root)?;
    let options = crate::texts::as_engine(variant_owned::TextStyle::Godot3);
    let (mut read, mut is_start, mut is_hidden) = (String::new(), false, false);
    for char in variant_owned::to_text(&value, &options).chars() {
        is_hidden = char == '\0' || (is_hidden && !['"', '/', ':'].contains(&char));
        if !(is_hidden || is_start && char == '\u{feff}') {
            read.push(char);
        }
        is_start = char == '"';
    }
    Ok(read)
}

/// Whether a text equals the engine's, except for known differences.
#[cfg(feature = "alloc")]
fn is_same_text(expected: &str, found: &str) -> bool {
    // The engine prints the property `script` of every object. This workspace does not.
    let [expected, found] = [expected, found].map(|text| text.replace(",\"script\":null", ""));
    // The engine ignores a script that is given as a text, and the part of a class name after a NUL.
    let found = found.replace(",\"script\":\"res://eval_cases.gd\"", "");
    let found = found.replace("Object(\"Reference\"", "Object(Reference");
    // For a surrogate or a non-character the engine prints one U+FFFD. It may also join a pair of surrogates. This
    // workspace prints one U+FFFD for each byte.
    let ascii = |text: &str| text.chars().filter(char::is_ascii).collect::<String>();
    // The engine prints the path of a resource instead of the resource.
    expected == found
        || expected.starts_with("Resource( \"")
        || (found.contains('\u{fffd}') && ascii(&expected) == ascii(&found))
}

/// Shortens a long text to its first characters and a hash.
fn shorten(text: String) -> String {
    match text.char_indices().nth(200) {
        None => text,
        Some((end, _)) => {
            format!("{}... (MD5 {})", text.get(..end).unwrap_or_default(), hex_md5(&text))
        }
    }
}

/// Whether the consumed bytes agree. The engines count missing padding at the end of the input, up to 3 bytes.
fn agrees(summary: Summary, consumed: usize, case: &Case) -> bool {
    summary.consumed == consumed.min(case.bytes.len())
        && consumed < case.bytes.len().saturating_add(4)
}

fn hex_md5(text: &str) -> String {
    format!("{:032x}", u128::from_be_bytes(Md5::digest(text).into()))
}

/// Whether two values in tagged JSON are the same.
///
/// In the records, a real has the fewest digits that identify it among the reals of its width. The records have the
/// code points of a text only if JSON cannot express the text.
pub fn same(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            // The decoder's value always has code points. They are compared instead of the text if the record also has
            // them.
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

/// The bit that makes a 32-bit NaN quiet. Arithmetic sets it.
const QUIET: u32 = 0x0040_0000;

fn single_nan(text: &str) -> Option<u32> {
    u32::from_str_radix(text.strip_prefix("nan:")?, 16).ok().map(|bits| bits | QUIET)
}

/// Reads a 64-bit NaN, as the decoder's value has it. Returns the bits of the same NaN in 32 bits, made quiet.
fn double_nan(text: &str) -> Option<u32> {
    let bits = u64::from_str_radix(text.strip_prefix("nan:")?, 16).ok()?;
    Some((f64::from_bits(bits) as f32).to_bits() | QUIET)
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "f32 distinguishes nine digits"
)]
fn same_real(expected: f64, found: f64) -> bool {
    let is_single = f64::from(found as f32).to_bits() == found.to_bits();
    expected.to_bits() == found.to_bits()
        || (is_single && (expected as f32).to_bits() == (found as f32).to_bits())
}
