//! Fuzz target `arbitrary_value`.

use arbitrary::Unstructured;
use variant_owned::{EncodeOptions, Variant, Widths, encode};
use variant_view::{Dialect, Document, Limits, Options, Profile, Reals};

use super::check_hostile_value;
use super::choice::dialect;
use super::hostile_value::check_written;
use crate::{agree, values};

/// Checks any value of a dialect, in either precision. It must be written canonically, every reader must read the same
/// value, and the value must be written again with the same bytes. Also checks any value that a program may build. Such
/// a value must be written and read back whole, or an error must name the cause and the place.
pub fn check_arbitrary_value(data: &[u8]) {
    check_hostile_value(data);
    let Some((value, dialect)) = made(data) else { return };
    let encoding = EncodeOptions::new(dialect);
    let (bytes, read) = check_written(&value, encoding);
    let options = Options::engine(dialect).limits(Limits::FILE);
    let verdict = Document::new(&bytes, options.profile(Profile::Canonical)).validate();
    let summary = verdict.expect("what is written is canonical");
    assert_eq!(summary.consumed, bytes.len(), "consumed");

    agree::check_agree(&bytes, options);
    let text = format!("{value:?}");
    assert_eq!(format!("{read:?}"), text, "read again");
    assert_eq!(format!("{:?}", read.clone()), text, "copied");
    let canonical = encoding.widths(Widths::Canonical);
    assert_eq!(encode(&read, canonical).as_ref(), Ok(&bytes), "in the writer's widths");
    // In the documented layout of double-precision builds, all reals have 64 bits.
    check_written(&value, encoding.reals(Reals::Always64));
}

/// Generates a value from the bytes after the first byte. The first byte picks the dialect and the precision.
pub(super) fn made(data: &[u8]) -> Option<(Variant, Dialect)> {
    let (&choice, seed) = data.split_first()?;
    let dialect = dialect(choice >> 1);
    let value = values::variant(&mut Unstructured::new(seed), dialect, choice & 1 != 0).ok()?;
    Some((value, dialect))
}
