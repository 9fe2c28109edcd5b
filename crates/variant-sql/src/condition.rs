//! [`condition()`]: converts filters to conditions, which are checked before other columns are read.

use std::sync::Arc;

use datafusion::common::ScalarValue;
use datafusion::logical_expr::Operator;
use datafusion::physical_expr::expressions::{
    self, BinaryExpr, InListExpr, IsNotNullExpr, IsNullExpr, NotExpr,
};
use datafusion::physical_expr::utils::collect_columns;
use datafusion::physical_expr_common::physical_expr::{is_volatile, snapshot_generation};
use datafusion::physical_plan::PhysicalExpr;
use variant_table::{Column, Columns, Comparison, Condition, Literal};

type Expr = Arc<dyn PhysicalExpr>;

/// Whether the filter depends only on columns that are the same in all rows of a file. Such a filter selects the files
/// to read.
pub(crate) fn is_of_file(filter: &Expr, columns: &Columns) -> bool {
    let names = collect_columns(filter);
    let is_of_file = |name: &str| {
        let column = columns.iter().find(|column| column.name() == name);
        column.is_some_and(Column::is_of_file)
    };
    !names.is_empty()
        && names.iter().all(|name| is_of_file(name.name()))
        // A filter that changes while the files are read, such as a filter of a join, does not qualify.
        && !is_volatile(filter)
        && snapshot_generation(filter) == 0
}

/// The filter as a condition; `None` if no [`Condition`] expresses the filter. DataFusion passes the parts of a
/// conjunction separately.
pub(crate) fn condition(filter: &Expr, columns: &Columns) -> Option<Condition> {
    let is = |column, value| on(column, Comparison::In, vec![Literal::Bool(value)], columns);
    if let Some(binary) = filter.downcast_ref::<BinaryExpr>() {
        if *binary.op() == Operator::Or {
            return either(condition(binary.left(), columns)?, condition(binary.right(), columns)?);
        }
        let (column, op, value) = match literal(binary.right()) {
            Some(value) => (binary.left(), *binary.op(), value),
            None => (binary.right(), binary.op().swap()?, literal(binary.left())?),
        };
        return on(column, comparison(op)?, vec![value], columns);
    }
    if let Some(list) = filter.downcast_ref::<InListExpr>() {
        let literals = list.list().iter().map(literal).collect::<Option<_>>()?;
        let comparison = if list.negated() { Comparison::NotIn } else { Comparison::In };
        return on(list.expr(), comparison, literals, columns);
    }
    if let Some(is_null) = filter.downcast_ref::<IsNullExpr>() {
        return on(is_null.arg(), Comparison::IsNull, vec![], columns);
    }
    if let Some(is_some) = filter.downcast_ref::<IsNotNullExpr>() {
        return on(is_some.arg(), Comparison::IsNotNull, vec![], columns);
    }
    filter.downcast_ref::<NotExpr>().map_or_else(|| is(filter, true), |not| is(not.arg(), false))
}

/// Joins two conditions: `a = 1 OR a = 2` becomes `a IN (1, 2)`.
fn either(one: Condition, mut other: Condition) -> Option<Condition> {
    let are_lists = [&one, &other].iter().all(|each| each.comparison == Comparison::In);
    other.literals.extend(one.literals);
    (are_lists && one.column == other.column).then_some(other)
}

const fn comparison(op: Operator) -> Option<Comparison> {
    match op {
        // For a literal, which is not null, these two operators mean the same.
        Operator::Eq | Operator::IsNotDistinctFrom => Some(Comparison::In),
        Operator::NotEq => Some(Comparison::NotIn),
        Operator::Lt => Some(Comparison::Less),
        Operator::LtEq => Some(Comparison::AtMost),
        Operator::Gt => Some(Comparison::More),
        Operator::GtEq => Some(Comparison::AtLeast),
        _ => None,
    }
}

/// A condition on a column; `None` if a [`Condition`] cannot compare values of the column's type.
fn on(
    column: &Expr,
    comparison: Comparison,
    literals: Vec<Literal>,
    columns: &Columns,
) -> Option<Condition> {
    let name = column.downcast_ref::<expressions::Column>()?.name();
    let known = columns.iter().find(|known| known.name() == name)?;
    let of = known.column_type().filter(|_| known.fold().is_none() && known.meta().is_none())?;
    let condition = Condition { column: name.to_owned(), comparison, literals };
    condition.fits(of).then_some(condition)
}

/// A literal that a [`Condition`] can compare with a column. DataFusion has converted it to the type of the column.
fn literal(expr: &Expr) -> Option<Literal> {
    match expr.downcast_ref::<expressions::Literal>()?.value() {
        ScalarValue::Boolean(value) => value.map(Literal::Bool),
        ScalarValue::Int64(value) => value.map(Literal::Int),
        ScalarValue::Float64(value) => value.map(Literal::Float),
        ScalarValue::Utf8(value) | ScalarValue::Utf8View(value) | ScalarValue::LargeUtf8(value) => {
            value.clone().map(Literal::Text)
        }
        _ => None,
    }
}
