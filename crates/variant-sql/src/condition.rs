//! [`condition()`]: filters of SQL that views check before other columns are read.

use datafusion::common::ScalarValue;
use datafusion::logical_expr::expr::InList;
use datafusion::logical_expr::{BinaryExpr, Expr, Operator};
use variant_table::{Columns, Comparison, Condition, Literal};

/// The filter as a condition; `None` if views cannot check it. DataFusion passes the parts of a conjunction one by one.
pub(crate) fn condition(filter: &Expr, columns: &Columns) -> Option<Condition> {
    let is = |column, value| on(column, Comparison::In, vec![Literal::Bool(value)], columns);
    match filter {
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => match (&**left, &**right) {
            (column, Expr::Literal(value, _)) => {
                on(column, comparison(*op)?, vec![literal(value)?], columns)
            }
            (Expr::Literal(value, _), column) => {
                on(column, comparison(op.swap()?)?, vec![literal(value)?], columns)
            }
            _ => None,
        },
        Expr::InList(InList { expr, list, negated }) => {
            let value = |expr: &Expr| expr.as_literal().and_then(literal);
            let literals = list.iter().map(value).collect::<Option<_>>()?;
            on(expr, if *negated { Comparison::NotIn } else { Comparison::In }, literals, columns)
        }
        Expr::IsNull(column) => on(column, Comparison::IsNull, vec![], columns),
        Expr::IsNotNull(column) => on(column, Comparison::IsNotNull, vec![], columns),
        Expr::Not(column) | Expr::IsFalse(column) => is(column, false),
        Expr::IsTrue(column) => is(column, true),
        column => is(column, true),
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

/// A condition on a column of a type that views can compare.
fn on(
    column: &Expr,
    comparison: Comparison,
    literals: Vec<Literal>,
    columns: &Columns,
) -> Option<Condition> {
    let Expr::Column(column) = column else { return None };
    let known = columns.iter().find(|known| known.name() == column.name)?;
    let of = known.column_type().filter(|_| known.fold().is_none() && known.meta().is_none())?;
    let condition = Condition { column: column.name.clone(), comparison, literals };
    condition.fits(of).then_some(condition)
}

/// A literal of the types that columns are compared as; DataFusion converts literals to them.
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
