//! [`Misfit`]: a value that its column cannot hold.

use std::fmt::Display;

use serde::{Deserialize, Serialize};
use variant_view::{Error, VariantView};

/// The treatment of a value whose type differs from its column's.
///
/// A value that does not fit becomes null, and the row's `_error` reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum MisfitPolicy {
    /// Wider columns accept narrower values if nothing is lost: `float` accepts integers, `list<float>` packed arrays.
    #[default]
    Widen,
    /// Only values of the column's type fit.
    Strict,
}

/// A value that its column cannot hold.
#[derive(Clone, Debug)]
pub(crate) struct Misfit {
    /// The offset in the document, if known.
    pub(crate) offset: Option<usize>,
    /// The found value, and the expected one.
    pub(crate) why: String,
}

impl Misfit {
    /// A value of another kind.
    pub(crate) fn kind(view: &VariantView<'_>, expected: &str) -> Self {
        Self {
            offset: Some(view.offset()),
            why: format!("found {}, expected {expected}", view.kind()),
        }
    }

    /// A value of the right kind that would lose information.
    pub(crate) fn value(view: &VariantView<'_>, expected: &str) -> Self {
        let why = format!("this {} does not fit; expected {expected}", view.kind());
        Self { offset: Some(view.offset()), why }
    }

    /// A value that is longer than a cell can be.
    pub(crate) fn too_long(view: &VariantView<'_>) -> Self {
        Self::value(view, "at most a gigabyte")
    }

    /// A value that cannot be read.
    pub(crate) fn damage(view: &VariantView<'_>, error: &Error) -> Self {
        Self { offset: Some(view.offset()), why: error.to_string() }
    }

    /// A document that cannot be read to its end.
    pub(crate) fn error(error: &Error) -> Self {
        Self { offset: Some(error.offset()), why: error.to_string() }
    }

    /// A number that was computed from others.
    pub(crate) fn number(found: &dyn Display, expected: &str) -> Self {
        Self { offset: None, why: format!("found {found}, expected {expected}") }
    }
}
