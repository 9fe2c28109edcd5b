//! [`Misfit`]: a value that its column cannot hold.

use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use variant_document::names::{UnknownName, one_of};
use variant_view::{Error, VariantView};

/// The treatment of values that do not have the type of their column.
///
/// A value that does not fit becomes null, and the row's `_error` reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum MisfitPolicy {
    /// A wider column accepts a narrower value if nothing is lost: `float` accepts integers, and `list<float>` accepts
    /// packed arrays.
    #[default]
    Widen,
    /// Only values of exactly the column's type fit.
    Strict,
}

impl FromStr for MisfitPolicy {
    type Err = UnknownName;

    /// Reads `widen` or `strict`.
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        one_of("misfits", name, &[("widen", Self::Widen), ("strict", Self::Strict)])
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Misfit {
    /// The offset in the document, if it is known.
    pub(crate) offset: Option<usize>,
    /// The found value, and the expected value.
    pub(crate) why: String,
}

impl Misfit {
    /// The misfit for a value of another kind.
    pub(crate) fn kind(view: &VariantView<'_>, expected: &str) -> Self {
        Self {
            offset: Some(view.offset()),
            why: format!("found {}, expected {expected}", view.kind()),
        }
    }

    /// The misfit for a value of the right kind that would lose information in the column.
    pub(crate) fn value(view: &VariantView<'_>, expected: &str) -> Self {
        let why = format!("this {} does not fit; expected {expected}", view.kind());
        Self { offset: Some(view.offset()), why }
    }

    /// The misfit for a value that is longer than a cell can be.
    pub(crate) fn too_long(view: &VariantView<'_>) -> Self {
        Self::value(view, "at most a gigabyte")
    }

    /// The misfit for a value that cannot be read.
    pub(crate) fn damage(view: &VariantView<'_>, error: &dyn Display) -> Self {
        Self { offset: Some(view.offset()), why: error.to_string() }
    }

    /// The misfit for a document that cannot be read to its end.
    pub(crate) fn error(error: &Error) -> Self {
        Self { offset: Some(error.offset()), why: error.to_string() }
    }

    /// The misfit for a number that was computed from other numbers.
    pub(crate) fn number(found: &dyn Display, expected: &str) -> Self {
        Self { offset: None, why: format!("found {found}, expected {expected}") }
    }
}
