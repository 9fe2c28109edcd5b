//! [`NamedArguments`]: `name => value` in the calls of table functions.

use std::mem;

use datafusion::common::{DFSchema, Result, TableReference, plan_err};
use datafusion::logical_expr::planner::{
    PlannedRelation, RelationPlanner, RelationPlannerContext, RelationPlanning,
};
use datafusion::logical_expr::{Expr, LogicalPlanBuilder};
use datafusion::sql::sqlparser::ast::{
    FunctionArg, FunctionArgExpr, FunctionArgOperator, TableFactor,
};

/// Plans calls of table functions that name arguments, which DataFusion alone refuses. A named argument reaches the function as its
/// value with its name as the alias: `lit("godot4").alias("dialect")`.
#[derive(Debug)]
pub struct NamedArguments;

impl RelationPlanner for NamedArguments {
    fn plan_relation(
        &self,
        mut relation: TableFactor,
        context: &mut dyn RelationPlannerContext,
    ) -> Result<RelationPlanning> {
        let TableFactor::Table { name, alias, args: Some(args), .. } = &mut relation else {
            return Ok(RelationPlanning::Original(Box::new(relation)));
        };
        if !args.args.iter().any(is_named) {
            return Ok(RelationPlanning::Original(Box::new(relation)));
        }
        let function = context.object_name_to_table_reference(name.clone())?.table().to_owned();
        let args = mem::take(&mut args.args);
        let args = args.into_iter().map(|arg| planned(arg, context)).collect::<Result<Vec<_>>>()?;
        let source = context.context_provider().get_table_function_source(&function, args)?;
        // As DataFusion calls the tables of functions.
        let plan =
            LogicalPlanBuilder::scan(TableReference::bare(format!("{function}()")), source, None)?
                .build()?;
        let planned = PlannedRelation::new(plan, alias.take());
        Ok(RelationPlanning::Planned(Box::new(planned)))
    }
}

const fn is_named(arg: &FunctionArg) -> bool {
    matches!(arg, FunctionArg::Named { .. } | FunctionArg::ExprNamed { .. })
}

fn planned(arg: FunctionArg, context: &mut dyn RelationPlannerContext) -> Result<Expr> {
    let mut expr = |value| match value {
        FunctionArgExpr::Expr(expr) => context.sql_to_expr(expr, &DFSchema::empty()),
        other => plan_err!("the argument {other} is no value"),
    };
    match arg {
        FunctionArg::Unnamed(value) => expr(value),
        FunctionArg::Named { name, arg, operator: FunctionArgOperator::RightArrow } => {
            Ok(expr(arg)?.alias(context.normalize_ident(name)))
        }
        named => plan_err!("{named}: an argument is named by =>, as in dialect => 'godot4'"),
    }
}
