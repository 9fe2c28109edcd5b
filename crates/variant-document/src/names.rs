//! The names that options accept in commands, scripts and plans, and [`UnknownName`].

use std::env::{self, VarError};
use std::error::Error;
use std::fmt;

use variant_io::Framing;
use variant_view::{Dialect, Page, Reals};

/// A name that an option does not accept. The message lists the accepted names.
///
/// ```
/// let error = variant_document::names::reals("wide").unwrap_err();
/// assert_eq!(error.to_string(), "reals 'wide' is unknown, expected one of by-flag, always64");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName(String);

impl UnknownName {
    /// The error if `name` is not one of the `known` names of `option`.
    pub fn new<'n>(option: &str, name: &str, known: impl IntoIterator<Item = &'n str>) -> Self {
        let known: Vec<_> = known.into_iter().collect();
        Self(format!("{option} '{name}' is unknown, expected one of {}", known.join(", ")))
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for UnknownName {}

/// The value of an option by its name.
///
/// # Errors
/// [`UnknownName`].
pub fn one_of<T: Copy>(option: &str, name: &str, all: &[(&str, T)]) -> Result<T, UnknownName> {
    let found = all.iter().find(|(known, _)| *known == name);
    let unknown = || UnknownName::new(option, name, all.iter().map(|(known, _)| *known));
    found.map(|(_, value)| *value).ok_or_else(unknown)
}

/// A dialect by its name, or by the name of a [`Page`] of the engines' documentation.
///
/// # Errors
/// [`UnknownName`], which lists the dialects of engines.
pub fn dialect(name: &str) -> Result<Dialect, UnknownName> {
    let page = || name.parse().ok().map(Page::dialect);
    let known = Dialect::ALL.iter().map(|dialect| dialect.name());
    name.parse().ok().or_else(page).ok_or_else(|| UnknownName::new("dialect", name, known))
}

/// A framing by its name. For a sequence, the dialect is a placeholder that the caller replaces.
///
/// # Errors
/// [`UnknownName`].
pub fn framing(name: &str) -> Result<Framing, UnknownName> {
    let unknown = || UnknownName::new("framing", name, Framing::NAMES);
    Framing::named(name, Dialect::Godot4).ok_or_else(unknown)
}

/// A rule for the width of reals, by its name.
///
/// # Errors
/// [`UnknownName`].
pub fn reals(name: &str) -> Result<Reals, UnknownName> {
    name.parse().map_err(|_| UnknownName::new("reals", name, Reals::ALL.map(Reals::name)))
}

/// The password in an environment variable.
///
/// # Errors
/// The reason why there is no password. The message contains neither the name of the variable nor its value, because a
/// user may give the password as the name by mistake.
pub fn password_of(variable: &str) -> Result<String, String> {
    env::var(variable).map_err(|error| {
        let why = match error {
            VarError::NotPresent => "is not set",
            VarError::NotUnicode(_) => "is not UTF-8",
        };
        format!("expects the name of an environment variable; this one {why}")
    })
}
