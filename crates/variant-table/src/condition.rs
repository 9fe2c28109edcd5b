//! [`Condition`]: a condition on rows, checked before their other columns are read.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use variant_view::VariantView;

use crate::column_type::ColumnType;
use crate::misfit::MisfitPolicy;

/// A condition on a column of type `bool`, `int`, `float` or `text` with a path, without a fold. Rows that do not
/// fulfil it are left out.
///
/// Null fulfils only [`IsNull`](Comparison::IsNull). Floats have the total order of IEEE 754, as in Arrow: NaN is equal
/// to itself and greater than numbers, and -0.0 is less than 0.0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Condition {
    /// The name of the column.
    pub column: String,
    /// The comparison.
    pub comparison: Comparison,
    /// The literals to compare with; empty for `IsNull` and `IsNotNull`.
    pub literals: Vec<Literal>,
}

/// A comparison of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Comparison {
    /// It is one of the literals.
    In,
    /// It is not one of the literals, and not null.
    NotIn,
    /// It is less than the literal.
    Less,
    /// It is at most the literal.
    AtMost,
    /// It is more than the literal.
    More,
    /// It is at least the literal.
    AtLeast,
    /// The value is null.
    IsNull,
    /// The value is not null.
    IsNotNull,
}

/// A value to compare with, of the type of the column.
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
    /// Whether the condition fits a column of this type: the type is one of the four, and the literals have it.
    /// O(literals).
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

    /// Whether the value that a column of this type would have fulfils the condition.
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

/// A cell's value to compare.
enum Scalar<'a> {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(std::borrow::Cow<'a, str>),
}

/// The value of a cell of this type; `None` where it would be null.
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
