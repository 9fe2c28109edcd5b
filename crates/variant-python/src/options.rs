//! Options by their names in Python.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use variant_document::Reading;
use variant_document::names::{self, UnknownName, one_of};
use variant_owned::{EncodeOptions, Precision, Widths};
use variant_view::{Limits, Objects, Options, Profile};

/// The known settings for reading bytes.
pub(crate) fn reading(
    dialect: Option<&str>,
    framing: Option<&str>,
    reals: Option<&str>,
    depth: u32,
) -> PyResult<Reading> {
    let reading = Reading::named(dialect, framing, reals).map_err(unknown)?;
    Ok(Reading { limits: Limits::FILE.depth(bounded(depth)?), ..reading })
}

/// Which objects and which bytes are accepted when a value is read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Accepted {
    objects: Objects,
    profile: Profile,
}

impl Accepted {
    pub(crate) fn new(objects: &str, profile: &str) -> PyResult<Self> {
        let all = [("accept", Objects::Accept), ("refuse", Objects::Refuse)];
        let objects = one_of("objects", objects, &all).map_err(unknown)?;
        let all = [("engine", Profile::Engine), ("canonical", Profile::Canonical)];
        Ok(Self { objects, profile: one_of("profile", profile, &all).map_err(unknown)? })
    }

    pub(crate) fn of(self, options: Options) -> Options {
        options.objects(self.objects).profile(self.profile)
    }
}

pub(crate) fn writing(
    dialect_name: &str,
    precision_name: &str,
    reals_name: &str,
    widths_name: &str,
    depth: u32,
) -> PyResult<EncodeOptions> {
    let dialect = names::dialect(dialect_name).map_err(unknown)?;
    let reals = names::reals(reals_name).map_err(unknown)?;
    let all =
        [("as-is", Precision::AsIs), ("single", Precision::Single), ("double", Precision::Double)];
    let precision = one_of("precision", precision_name, &all).map_err(unknown)?;
    let all = [("as-is", Widths::AsIs), ("canonical", Widths::Canonical)];
    let widths = one_of("widths", widths_name, &all).map_err(unknown)?;
    let options = EncodeOptions::new(dialect).reals(reals).precision(precision).widths(widths);
    Ok(options.depth(bounded(depth)?))
}

/// The greatest depth, as in the engines. Python compares, prints and hashes values by recursion, so deeper values
/// would be useless.
pub(crate) const DEPTH: u32 = 1_024;

fn bounded(depth: u32) -> PyResult<u32> {
    if depth > DEPTH {
        return Err(PyValueError::new_err(format!("depth: {depth}; {DEPTH} is the limit")));
    }
    Ok(depth)
}

/// The error of Python for an unknown name of an option.
#[expect(clippy::needless_pass_by_value, reason = "`map_err` passes the error by value")]
pub(crate) fn unknown(error: UnknownName) -> PyErr {
    PyValueError::new_err(error.to_string())
}
