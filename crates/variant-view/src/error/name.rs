//! [`UnknownName`]: a text that is not a known name.

use core::fmt;

/// The error of parsing a [`Dialect`](crate::Dialect), a [`Page`](crate::Page) or a [`Reals`](crate::Reals): the name
/// does not exist.
///
/// ```
/// use variant_view::Dialect;
///
/// let error = "godot9".parse::<Dialect>().unwrap_err();
/// assert!(error.to_string().contains("expected one of godot2 godot3 godot4"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownName {
    what: &'static str,
    names: &'static [&'static str],
}

impl UnknownName {
    pub(crate) const fn new(what: &'static str, names: &'static [&'static str]) -> Self {
        Self { what, names }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no such {}; expected one of", self.what)?;
        self.names.iter().try_for_each(|name| write!(f, " {name}"))
    }
}

impl core::error::Error for UnknownName {}
