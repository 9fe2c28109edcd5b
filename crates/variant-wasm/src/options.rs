//! Options from JavaScript, as numbers. `js/options.js` has the same numbers.

use variant_owned::{EncodeOptions, Precision, Widths};
use variant_view::{Dialect, Limits, Objects, Options, Page, Profile, Reals};
use wasm_bindgen::prelude::{JsError, JsValue};

const CANONICAL: u32 = 1;
const REFUSE_OBJECTS: u32 = 2;
const ALWAYS_64: u32 = 4;
const SINGLE: u32 = 8;
const DOUBLE: u32 = 16;

/// The dialects of the engines, followed by the dialects that pages of the engines' documentation describe.
fn dialects() -> impl Iterator<Item = Dialect> {
    Dialect::ALL.iter().copied().chain(Page::ALL.iter().copied().map(Page::dialect))
}

/// The names of the dialects in the order of their numbers.
pub(crate) fn names() -> String {
    dialects().map(Dialect::name).collect::<Vec<_>>().join(" ")
}

/// The dialect with this number.
pub(crate) fn dialect(number: u32) -> Result<Dialect, JsValue> {
    let index = usize::try_from(number).unwrap_or(usize::MAX);
    dialects().nth(index).ok_or_else(|| JsError::new("no such dialect").into())
}

fn reals(flags: u32) -> Reals {
    if flags & ALWAYS_64 == 0 { Reals::ByFlag } else { Reals::Always64 }
}

pub(crate) fn read(number: u32, flags: u32, depth: u32, values: u32) -> Result<Options, JsValue> {
    let objects = if flags & REFUSE_OBJECTS == 0 { Objects::Accept } else { Objects::Refuse };
    let profile = if flags & CANONICAL == 0 { Profile::Engine } else { Profile::Canonical };
    // The largest `values` is the same as no limit, because a document in the module's memory has fewer values.
    let limits = Limits::default().depth(depth).values(values.into());
    Ok(Options::engine(dialect(number)?)
        .objects(objects)
        .profile(profile)
        .reals(reals(flags))
        .limits(limits))
}

pub(crate) fn write(number: u32, flags: u32, depth: u32) -> Result<EncodeOptions, JsValue> {
    let precision = match flags & (SINGLE | DOUBLE) {
        SINGLE => Precision::Single,
        DOUBLE => Precision::Double,
        _ => Precision::AsIs,
    };
    let widths = if flags & CANONICAL == 0 { Widths::AsIs } else { Widths::Canonical };
    let options = EncodeOptions::new(dialect(number)?).reals(reals(flags));
    Ok(options.precision(precision).widths(widths).depth(depth))
}
