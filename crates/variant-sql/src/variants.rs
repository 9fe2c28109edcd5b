//! [`Variants`]: the table function `variants`.

use std::sync::Arc;

use datafusion::catalog::{TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::{Result, ScalarValue, plan_err};

use crate::format::VariantFormat;
use crate::table::VariantTable;

/// `variants('saves/**/*.sav', 'more', dialect => 'godot4', columns => 'level = player.level:int')`: files as a table.
///
/// An argument without a name is a file, a folder with all files in it, a pattern with `*`, `?`, `[...]`, `**`, or a
/// URL with such a pattern: `s3://bucket/saves/*.sav`. The named arguments are the options of a [`VariantFormat`].
#[derive(Debug)]
pub struct Variants;

impl TableFunctionImpl for Variants {
    fn call_with_args(&self, args: TableFunctionArgs<'_, '_>) -> Result<Arc<dyn TableProvider>> {
        let (mut files, mut format) = (Vec::new(), VariantFormat::default());
        for expr in args.exprs() {
            match expr.as_literal() {
                Some(ScalarValue::Struct(named)) => {
                    for (field, value) in named.fields().iter().zip(named.columns()) {
                        let value = ScalarValue::try_from_array(value, 0)?;
                        format.set(field.name(), &value.to_string())?;
                    }
                }
                Some(file) => match file.try_as_str().flatten() {
                    Some(file) => files.push(file.to_owned()),
                    None => return plan_err!("variants: a file is {file}, expected a text"),
                },
                None => return plan_err!("variants: {expr} is not a constant"),
            }
        }
        if files.is_empty() {
            return plan_err!("variants needs files, such as variants('saves/*.sav')");
        }
        Ok(Arc::new(VariantTable::new(files, format, args.session().runtime_env())?))
    }
}
