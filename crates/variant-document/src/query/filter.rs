//! [`Filter`]: a condition on a value, such as `hp < 10 && name =~ "^boss"`.

use std::cmp::Ordering;

use variant_view::{Error, ErrorKind, VariantView};

use super::WrittenKey;
use super::pattern::Pattern;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Filter {
    /// One of the conditions holds.
    Either(Vec<Self>),
    /// All of the conditions hold.
    Both(Vec<Self>),
    Not(Box<Self>),
    /// A test of the value at the path. The test fails if the path has no value.
    Test {
        path: Vec<Part>,
        comparison: Comparison,
    },
}

/// Steps to the tested value. In a condition, the grammar accepts only these steps.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part {
    /// Steps that [`VariantView::at`] follows.
    Plain(String),
    /// The step to the value of a key that is neither text nor an integer.
    Key(WrittenKey),
}

impl Part {
    /// The value at the step, if the step finds a value. O(bytes of the value).
    fn follow<'a>(&self, value: &VariantView<'a>) -> Result<Option<VariantView<'a>>, Error> {
        match self {
            Self::Key(key) => key.value_in(value),
            Self::Plain(path) => match value.at(path) {
                Ok(value) => Ok(Some(value)),
                Err(error) if is_absence(&error) => Ok(None),
                Err(error) => Err(error),
            },
        }
    }
}

/// The test of the value at the path of a condition.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Comparison {
    IsThere,
    With(Operator, Literal),
    Matches(Pattern),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Equal,
    Different,
    Less,
    AtMost,
    More,
    AtLeast,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Vec<u8>),
}

impl Filter {
    /// Whether the condition holds for a value. O(bytes of the value) for each path in the condition.
    ///
    /// # Errors
    /// The first damage that is found. The result is then unknown, and must not count as false, because `!` would make
    /// it true.
    pub(super) fn holds(&self, value: &VariantView<'_>) -> Result<bool, Error> {
        match self {
            Self::Either(filters) => has(filters, value, true),
            Self::Both(filters) => Ok(!has(filters, value, false)?),
            Self::Not(filter) => Ok(!filter.holds(value)?),
            Self::Test { path, comparison } => {
                let mut here = *value;
                for part in path {
                    let Some(there) = part.follow(&here)? else { return Ok(false) };
                    here = there;
                }
                Ok(comparison.holds(&here))
            }
        }
    }
}

/// Whether at least one of the conditions has the result `wanted`.
fn has(filters: &[Filter], value: &VariantView<'_>, wanted: bool) -> Result<bool, Error> {
    for filter in filters {
        if filter.holds(value)? == wanted {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the error means that nothing is at the path. Other errors mean that the bytes are damaged.
const fn is_absence(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::KeyNotFound { .. }
            | ErrorKind::IndexOutOfRange { .. }
            | ErrorKind::NotAContainer { .. }
    )
}

impl Comparison {
    fn holds(&self, value: &VariantView<'_>) -> bool {
        match self {
            Self::IsThere => true,
            Self::Matches(pattern) => text(value).is_some_and(|text| pattern.is_match(text)),
            // Values of different kinds are unequal, and neither is less.
            Self::With(Operator::Different, literal) => {
                compare(value, literal) != Some(Ordering::Equal)
            }
            Self::With(operator, literal) => {
                compare(value, literal).is_some_and(|order| operator.holds(order))
            }
        }
    }
}

impl Operator {
    fn holds(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::Different => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::AtMost => order.is_le(),
            Self::More => order.is_gt(),
            Self::AtLeast => order.is_ge(),
        }
    }
}

fn text<'a>(value: &VariantView<'a>) -> Option<&'a [u8]> {
    match value {
        VariantView::String(text) | VariantView::StringName(text) => Some(text.engine_bytes()),
        _ => None,
    }
}

/// The order of a value and a literal; `None` if they are of different kinds, or if one is NaN.
fn compare(value: &VariantView<'_>, literal: &Literal) -> Option<Ordering> {
    match (value, literal) {
        (VariantView::Nil(_), Literal::Null) => Some(Ordering::Equal),
        (VariantView::Bool(value), Literal::Bool(other)) => Some(value.value().cmp(other)),
        (VariantView::Int(value), Literal::Int(other)) => Some(value.value().cmp(other)),
        (VariantView::Int(value), Literal::Float(other)) => int_and_float(value.value(), *other),
        (VariantView::Float(value), Literal::Int(other)) => {
            int_and_float(*other, value.value()).map(Ordering::reverse)
        }
        (VariantView::Float(value), Literal::Float(other)) => value.value().partial_cmp(other),
        (value, Literal::Text(other)) => text(value).map(|text| text.cmp(other)),
        _ => None,
    }
}

/// The exact order of an integer and a float.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "the float is in range, and truncated on purpose"
)]
pub(crate) fn int_and_float(int: i64, float: f64) -> Option<Ordering> {
    const END: f64 = 9_223_372_036_854_775_808.0;
    if float.is_nan() {
        return None;
    }
    if float >= END {
        return Some(Ordering::Less);
    }
    if float < -END {
        return Some(Ordering::Greater);
    }
    let whole = int.cmp(&(float.trunc() as i64));
    Some(whole.then_with(|| 0.0_f64.total_cmp(&(float.fract() + 0.0))))
}
