//! [`NamedArguments`]: `name => value` in the calls of table functions.

use std::mem;

use datafusion::common::{DFSchema, Result, TableReference, plan_err};
use datafusion::functions::core::expr_fn::named_struct;
use datafusion::logical_expr::planner::{
    PlannedRelation, RelationPlanner, RelationPlannerContext, RelationPlanning,
};
use datafusion::logical_expr::{Expr, LogicalPlanBuilder, lit};
use datafusion::sql::sqlparser::ast::{
    FunctionArg, FunctionArgExpr, FunctionArgOperator, TableFactor,
};

/// Plans calls of table functions with named arguments, which DataFusion alone refuses. A named argument reaches the
/// function as a struct of one field: `dialect => 'godot4'` becomes `named_struct('dialect', 'godot4')`. A query may
/// also contain such a struct itself.
#[derive(Debug)]
pub struct NamedArguments;

impl RelationPlanner for NamedArguments {
    fn plan_relation(
        &self,
        mut relation: TableFactor,
        context: &mut dyn RelationPlannerContext,
    ) -> Result<RelationPlanning> {
        let (name, args, alias) = match &mut relation {
            TableFactor::Table { name, alias, args: Some(args), .. } => {
                (name, &mut args.args, alias)
            }
            TableFactor::Function { name, args, alias, .. } => (name, args, alias),
            _ => return Ok(RelationPlanning::Original(Box::new(relation))),
        };
        if !args.iter().any(is_named) {
            return Ok(RelationPlanning::Original(Box::new(relation)));
        }
        let function = context.object_name_to_table_reference(name.clone())?.table().to_owned();
        let args = mem::take(args);
        let args = args.into_iter().map(|arg| planned(arg, context)).collect::<Result<Vec<_>>>()?;
        let source = context.context_provider().get_table_function_source(&function, args)?;
        // DataFusion gives names of this form to the tables of functions.
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
        other => plan_err!("the argument {other} is not a value"),
    };
    match arg {
        FunctionArg::Unnamed(value) => expr(value),
        FunctionArg::Named { name, arg, operator: FunctionArgOperator::RightArrow } => {
            let value = expr(arg)?;
            Ok(named_struct(vec![lit(context.normalize_ident(name)), value]))
        }
        named => plan_err!("{named}: an argument is named by =>, as in dialect => 'godot4'"),
    }
}
