//! [`Condition`]: a condition on rows. It is checked before the other columns of a row are read.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use variant_view::VariantView;

use crate::column_type::ColumnType;
use crate::misfit::MisfitPolicy;

/// A condition on a column of type `bool`, `int`, `float` or `text`. The column has a path, and does not combine the
/// values of the path. Rows that do not fulfil the condition are left out.
///
/// Only [`IsNull`](Comparison::IsNull) is fulfilled by null. Floats have the total order of IEEE 754, as in Arrow: NaN
/// is equal to itself and greater than all numbers, and -0.0 is less than 0.0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Condition {
    /// The name of the column.
    pub column: String,
    /// The comparison.
    pub comparison: Comparison,
    /// The literals for the comparison with values. Empty for `IsNull` and `IsNotNull`.
    pub literals: Vec<Literal>,
}

/// The comparison of a value with the literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Comparison {
    /// The value is one of the literals.
    In,
    /// The value is none of the literals, and is not null.
    NotIn,
    /// The value is less than the literal.
    Less,
    /// The value is at most the literal.
    AtMost,
    /// The value is more than the literal.
    More,
    /// The value is at least the literal.
    AtLeast,
    /// The value is null.
    IsNull,
    /// The value is not null.
    IsNotNull,
}

/// A value with which values of a column are compared. It has the type of the column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Literal {
    /// For `bool`.
    Bool(bool),
    /// For `int`.
    Int(i64),
    /// For `float`.
    Float(f64),
    /// For `text`.
    Text(String),
}

impl Condition {
    /// Whether the condition fits a column of this type, which must be `bool`, `int`, `float` or `text`. The literals
    /// must have that type, and their number must fit the comparison. O(literals).
    pub fn fits(&self, of: &ColumnType) -> bool {
        let is_type = |literal: &Literal| {
            matches!(
                (literal, of),
                (Literal::Bool(_), ColumnType::Bool)
                    | (Literal::Int(_), ColumnType::Int)
                    | (Literal::Float(_), ColumnType::Float)
                    | (Literal::Text(_), ColumnType::Text)
            )
        };
        let fits_count = match self.comparison {
            Comparison::In | Comparison::NotIn => true,
            Comparison::IsNull | Comparison::IsNotNull => self.literals.is_empty(),
            _ => self.literals.len() == 1,
        };
        fits_count
            && matches!(
                of,
                ColumnType::Bool | ColumnType::Int | ColumnType::Float | ColumnType::Text
            )
            && self.literals.iter().all(is_type)
    }

    /// Whether a cell with this value, in a column of this type, fulfils the condition.
    pub(crate) fn holds(
        &self,
        view: Option<&VariantView<'_>>,
        of: &ColumnType,
        policy: MisfitPolicy,
    ) -> bool {
        let value = view.and_then(|view| literal(view, of, policy));
        let Some(value) = value else { return self.comparison == Comparison::IsNull };
        let first = || self.literals.first().and_then(|literal| order(&value, literal));
        match self.comparison {
            Comparison::In => {
                self.literals.iter().any(|one| order(&value, one) == Some(Ordering::Equal))
            }
            Comparison::NotIn => {
                self.literals.iter().all(|one| order(&value, one) != Some(Ordering::Equal))
            }
            Comparison::Less => first().is_some_and(Ordering::is_lt),
            Comparison::AtMost => first().is_some_and(Ordering::is_le),
            Comparison::More => first().is_some_and(Ordering::is_gt),
            Comparison::AtLeast => first().is_some_and(Ordering::is_ge),
            Comparison::IsNull => false,
            Comparison::IsNotNull => true,
        }
    }
}

/// The value of a cell for the comparison.
enum Scalar<'a> {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(std::borrow::Cow<'a, str>),
}

/// The value as a cell of this type; `None` if the cell would be null.
fn literal<'a>(
    view: &VariantView<'a>,
    of: &ColumnType,
    policy: MisfitPolicy,
) -> Option<Scalar<'a>> {
    Some(match (of, view) {
        (ColumnType::Bool, VariantView::Bool(value)) => Scalar::Bool(value.value()),
        (ColumnType::Int, VariantView::Int(value)) => Scalar::Int(value.value()),
        (ColumnType::Float, VariantView::Float(value)) => Scalar::Float(value.value()),
        (ColumnType::Float, VariantView::Int(value)) if policy == MisfitPolicy::Widen => {
            Scalar::Float(crate::cells::exact_float(value.value())?)
        }
        (ColumnType::Text, VariantView::String(text) | VariantView::StringName(text)) => {
            Scalar::Text(text.engine_text().ok()?.into())
        }
        (ColumnType::Text, VariantView::NodePath(path)) => Scalar::Text(path.to_string().into()),
        _ => return None,
    })
}

fn order(value: &Scalar<'_>, literal: &Literal) -> Option<Ordering> {
    match (value, literal) {
        (Scalar::Bool(value), Literal::Bool(literal)) => Some(value.cmp(literal)),
        (Scalar::Int(value), Literal::Int(literal)) => Some(value.cmp(literal)),
        (Scalar::Float(value), Literal::Float(literal)) => Some(value.total_cmp(literal)),
        (Scalar::Text(value), Literal::Text(literal)) => Some(value.as_ref().cmp(literal)),
        _ => None,
    }
}
