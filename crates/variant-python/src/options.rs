//! Options as Python names them.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use variant_io::Framing;
use variant_owned::{EncodeOptions, Precision, Widths};
use variant_view::{Dialect, Limits, Objects, Options, Page, Profile, Reals};

/// The names of the dialects of engines.
pub(crate) fn dialects() -> impl Iterator<Item = &'static str> {
    Dialect::ALL.iter().copied().map(Dialect::name)
}

/// The names of the framings.
pub(crate) fn framings() -> impl Iterator<Item = &'static str> {
    Framing::NAMES.into_iter()
}

/// A dialect by its name, or that of a page of the documentation.
pub(crate) fn dialect(name: &str) -> PyResult<Dialect> {
    let name = name.to_lowercase();
    let page = || name.parse().ok().map(Page::dialect);
    let dialect = name.parse().ok().or_else(page);
    dialect.ok_or_else(|| unknown("dialect", &name, dialects()))
}

/// A framing by its name. Where it is used, a sequence takes the dialect of its values.
pub(crate) fn framing(name: &str) -> PyResult<Framing> {
    Framing::named(name, Dialect::Godot4).ok_or_else(|| unknown("framing", name, framings()))
}

pub(crate) fn reals(name: &str) -> PyResult<Reals> {
    let names = || Reals::ALL.into_iter().map(Reals::name);
    name.parse().map_err(|_| unknown("reals", name, names()))
}

fn precision(name: &str) -> PyResult<Precision> {
    match name {
        "as-is" => Ok(Precision::AsIs),
        "single" => Ok(Precision::Single),
        "double" => Ok(Precision::Double),
        _ => Err(unknown("precision", name, ["as-is", "single", "double"].into_iter())),
    }
}

fn widths(name: &str) -> PyResult<Widths> {
    match name {
        "as-is" => Ok(Widths::AsIs),
        "canonical" => Ok(Widths::Canonical),
        _ => Err(unknown("widths", name, ["as-is", "canonical"].into_iter())),
    }
}

/// How values are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub(crate) objects: Objects,
    pub(crate) profile: Profile,
    pub(crate) limits: Limits,
}

impl Reading {
    pub(crate) fn new(objects: &str, profile: &str, depth: u32) -> PyResult<Self> {
        let objects = match objects {
            "accept" => Objects::Accept,
            "refuse" => Objects::Refuse,
            _ => return Err(unknown("objects", objects, ["accept", "refuse"].into_iter())),
        };
        let profile = match profile {
            "engine" => Profile::Engine,
            "canonical" => Profile::Canonical,
            _ => return Err(unknown("profile", profile, ["engine", "canonical"].into_iter())),
        };
        Ok(Self { objects, profile, limits: Limits::FILE.depth(bounded(depth)?) })
    }

    pub(crate) fn options(self, dialect: Dialect, reals: Reals) -> Options {
        let options = Options::new(dialect).reals(reals).objects(self.objects);
        options.profile(self.profile).limits(self.limits)
    }
}

pub(crate) fn writing(
    dialect_name: &str,
    precision_name: &str,
    reals_name: &str,
    widths_name: &str,
    depth: u32,
) -> PyResult<EncodeOptions> {
    let options = EncodeOptions::new(dialect(dialect_name)?).reals(reals(reals_name)?);
    let options = options.precision(precision(precision_name)?).widths(widths(widths_name)?);
    Ok(options.depth(bounded(depth)?))
}

/// The depth that engines read. Python compares, prints and hashes by recursion, so that more would be useless.
pub(crate) const DEPTH: u32 = 1_024;

fn bounded(depth: u32) -> PyResult<u32> {
    if depth > DEPTH {
        return Err(PyValueError::new_err(format!("depth: {depth}; {DEPTH} is the limit")));
    }
    Ok(depth)
}

/// An unknown name: the caller has misspelt it.
pub(crate) fn unknown(
    option: &str,
    name: &str,
    known: impl Iterator<Item = &'static str>,
) -> PyErr {
    let known = known.collect::<Vec<_>>().join(", ");
    PyValueError::new_err(format!("{option}: there is no {name:?}, but {known}"))
}
