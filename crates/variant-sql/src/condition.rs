//! [`condition`]: filters of SQL that are asked of views, before other columns are read.

use datafusion::common::ScalarValue;
use datafusion::logical_expr::expr::InList;
use datafusion::logical_expr::{BinaryExpr, Expr, Operator};
use variant_table::{Column, ColumnType, Columns, Comparison, Condition, Literal};

/// The filter as conditions that all hold; none where no view can be asked for it.
pub(crate) fn conditions(filter: &Expr, columns: &Columns) -> Option<Vec<Condition>> {
    let one = |expr: &Expr, comparison, literals| {
        Some(vec![condition(expr, comparison, literals, columns)?])
    };
    match filter {
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::And, right }) => {
            let mut all = conditions(left, columns)?;
            all.extend(conditions(right, columns)?);
            Some(all)
        }
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => match (&**left, &**right) {
            (column, Expr::Literal(value, _)) => {
                one(column, comparison(*op)?, vec![literal(value)?])
            }
            (Expr::Literal(value, _), column) => {
                one(column, comparison(op.swap()?)?, vec![literal(value)?])
            }
            _ => None,
        },
        Expr::InList(InList { expr, list, negated }) => {
            let value = |expr: &Expr| expr.as_literal().and_then(literal);
            let literals = list.iter().map(value).collect::<Option<_>>()?;
            one(expr, if *negated { Comparison::NotIn } else { Comparison::In }, literals)
        }
        Expr::IsNull(column) => one(column, Comparison::IsNull, vec![]),
        Expr::IsNotNull(column) => one(column, Comparison::IsNotNull, vec![]),
        Expr::Not(column) | Expr::IsFalse(column) => {
            one(column, Comparison::In, vec![Literal::Bool(false)])
        }
        Expr::IsTrue(column) => one(column, Comparison::In, vec![Literal::Bool(true)]),
        column => one(column, Comparison::In, vec![Literal::Bool(true)]),
    }
}

const fn comparison(op: Operator) -> Option<Comparison> {
    match op {
        Operator::Eq => Some(Comparison::In),
        Operator::NotEq => Some(Comparison::NotIn),
        Operator::Lt => Some(Comparison::Less),
        Operator::LtEq => Some(Comparison::AtMost),
        Operator::Gt => Some(Comparison::More),
        Operator::GtEq => Some(Comparison::AtLeast),
        _ => None,
    }
}

/// A condition on a column of a type that views are compared as.
fn condition(
    column: &Expr,
    comparison: Comparison,
    literals: Vec<Literal>,
    columns: &Columns,
) -> Option<Condition> {
    let Expr::Column(column) = column else { return None };
    let of = columns.iter().find(|known| known.name() == column.name).and_then(compared_as)?;
    let fits = |literal: &Literal| {
        matches!(
            (literal, of),
            (Literal::Bool(_), ColumnType::Bool)
                | (Literal::Int(_), ColumnType::Int)
                | (Literal::Float(_), ColumnType::Float)
                | (Literal::Text(_), ColumnType::Text)
        )
    };
    literals.iter().all(fits).then(|| Condition {
        column: column.name.clone(),
        comparison,
        literals,
    })
}

fn compared_as(column: &Column) -> Option<&ColumnType> {
    let of = column.column_type().filter(|_| column.fold().is_none() && column.meta().is_none())?;
    matches!(of, ColumnType::Bool | ColumnType::Int | ColumnType::Float | ColumnType::Text)
        .then_some(of)
}

/// A literal of the types that columns are compared as, which DataFusion gives them.
fn literal(value: &ScalarValue) -> Option<Literal> {
    match value {
        ScalarValue::Boolean(value) => value.map(Literal::Bool),
        ScalarValue::Int64(value) => value.map(Literal::Int),
        ScalarValue::Float64(value) => value.map(Literal::Float),
        ScalarValue::Utf8(value) | ScalarValue::Utf8View(value) | ScalarValue::LargeUtf8(value) => {
            value.clone().map(Literal::Text)
        }
        _ => None,
    }
}
