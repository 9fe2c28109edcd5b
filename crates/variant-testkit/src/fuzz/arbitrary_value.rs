//! Fuzz target `arbitrary_value`.

use arbitrary::Unstructured;
use variant_owned::{EncodeOptions, Variant, Widths, encode};
use variant_view::{Dialect, Document, Limits, Options, Profile, Reals};

use super::check_hostile_value;
use super::choice::dialect;
use crate::{agree, values};

/// Any value of any dialect, in either precision: it is written canonically, every reader reads the same value, and
/// it is written again byte for byte. Any value that a program may build: it is written and read back whole, or an
/// error names the cause and the place.
pub fn check_arbitrary_value(data: &[u8]) {
    check_hostile_value(data);
    let Some((value, dialect)) = made(data) else { return };
    let encoding = EncodeOptions::new(dialect);
    let bytes = encode(&value, encoding).expect("its own dialect can hold it");
    let options = Options::new(dialect).limits(Limits::FILE);
    let verdict = Document::new(&bytes, options.profile(Profile::Canonical)).validate();
    let summary = verdict.expect("what is written is canonical");
    assert_eq!(summary.consumed, bytes.len(), "consumed");

    agree::check_agree(&bytes, options);
    let read = Variant::from_document(&Document::new(&bytes, options)).expect("what was written");
    let text = format!("{value:?}");
    assert_eq!(format!("{read:?}"), text, "read again");
    assert_eq!(format!("{:?}", read.clone()), text, "copied");
    for widths in [Widths::AsIs, Widths::Canonical] {
        assert_eq!(encode(&read, encoding.widths(widths)).as_ref(), Ok(&bytes), "{widths:?}");
    }
    check_eight_bytes_a_real(&value, dialect);
}

/// A value from the bytes after the first, which picks the dialect and the precision.
pub(super) fn made(data: &[u8]) -> Option<(Variant, Dialect)> {
    let (&choice, seed) = data.split_first()?;
    let dialect = dialect(choice >> 1);
    let value = values::variant(&mut Unstructured::new(seed), dialect, choice & 1 != 0).ok()?;
    Some((value, dialect))
}

/// The documented layout of double-precision builds.
fn check_eight_bytes_a_real(value: &Variant, dialect: Dialect) {
    let encoding = EncodeOptions::new(dialect).reals(Reals::Always64);
    let bytes = encode(value, encoding).expect("in the documented layout");
    let options = Options::new(dialect).reals(Reals::Always64).limits(Limits::FILE);
    let read = Variant::from_document(&Document::new(&bytes, options)).expect("what was written");
    assert_eq!(encode(&read, encoding).as_ref(), Ok(&bytes), "in the documented layout");
}
