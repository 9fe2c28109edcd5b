//! [`Variants`]: the table function `variants`.

use std::sync::Arc;

use datafusion::catalog::{TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::{DataFusionError, Result, ScalarValue, plan_err};
use variant_table::{Columns, MisfitPolicy};

use crate::reading::{Reading, unknown};
use crate::scan::external;
use crate::table::{SAMPLE, VariantTable};

/// `variants('saves/**/*.sav', 'more', dialect => 'godot4', columns => 'level = player.level:int')`: files as a table.
///
/// | argument | type | is |
/// |---|---|---|
/// | without a name | text | a file, a folder with all files in it, or a pattern with `*`, `?`, `[...]`, `**` |
/// | `columns` | text | columns between commas, as [`variant_table::Column`] reads them; inferred if not given |
/// | `sample` | int | the number of files that missing parts of the columns are inferred from; 100 |
/// | `dialect`, `framing`, `reals` | text | how files are read; detected for each file if not given |
/// | `password_env` | text | the variable of the environment that has the password |
/// | `max_unpacked` | int | the most bytes of a file without its compression and encryption; 1 GiB |
/// | `misfits` | text | `widen` or `strict`: whether a column of floats takes ints |
/// | `validate` | bool | whether each value is validated as a whole; false |
#[derive(Debug)]
pub struct Variants;

impl TableFunctionImpl for Variants {
    fn call_with_args(&self, args: TableFunctionArgs<'_, '_>) -> Result<Arc<dyn TableProvider>> {
        let mut call = Call { sample: SAMPLE, ..Call::default() };
        for expr in args.exprs() {
            match expr.as_literal() {
                Some(ScalarValue::Struct(named)) => {
                    for (field, value) in named.fields().iter().zip(named.columns()) {
                        call.take(field.name(), &ScalarValue::try_from_array(value, 0)?)?;
                    }
                }
                Some(file) => call.files.push(text("a file", file)?),
                None => return plan_err!("variants: {expr} is not a constant"),
            }
        }
        let Call { files, reading, columns, sample } = call;
        if files.is_empty() {
            return plan_err!("variants needs files, such as variants('saves/*.sav')");
        }
        Ok(Arc::new(VariantTable::new(files, reading, columns.as_ref(), sample)?))
    }
}

/// The arguments of a call.
#[derive(Default)]
struct Call {
    files: Vec<String>,
    reading: Reading,
    columns: Option<Columns>,
    sample: usize,
}

impl Call {
    /// Sets a named argument.
    fn take(&mut self, name: &str, value: &ScalarValue) -> Result<()> {
        let reading = &mut self.reading;
        match name {
            "columns" => {
                self.columns = Some(Columns::parse_list(&text(name, value)?).map_err(external)?);
            }
            "sample" => self.sample = number(name, value)?,
            "dialect" => reading.dialect = Some(text(name, value)?),
            "framing" => reading.framing = Some(text(name, value)?),
            "reals" => reading.reals = Some(text(name, value)?),
            "password_env" => reading.password_env = Some(text(name, value)?),
            "max_unpacked" => reading.max_unpacked = Some(number(name, value)?),
            "misfits" => reading.misfits = policy(&text(name, value)?)?,
            "validate" => {
                let ScalarValue::Boolean(Some(validate)) = value else {
                    return plan_err!("variants: {name} is {value}, expected true or false");
                };
                reading.validate = *validate;
            }
            name => {
                return Err(DataFusionError::Plan(unknown("argument of variants", name, NAMES)));
            }
        }
        Ok(())
    }
}

const NAMES: [&str; 9] = [
    "columns",
    "sample",
    "dialect",
    "framing",
    "reals",
    "password_env",
    "max_unpacked",
    "misfits",
    "validate",
];

fn text(name: &str, value: &ScalarValue) -> Result<String> {
    let text = value.try_as_str().flatten().map(str::to_owned);
    text.map_or_else(|| plan_err!("variants: {name} is {value}, expected a text"), Ok)
}

fn number<T: TryFrom<i64>>(name: &str, value: &ScalarValue) -> Result<T> {
    let number = match value {
        ScalarValue::Int64(Some(number)) => T::try_from(*number).ok(),
        _ => None,
    };
    number.map_or_else(|| plan_err!("variants: {name} is {value}, expected a number from 0"), Ok)
}

/// The treatment of values whose types differ from their columns'.
fn policy(name: &str) -> Result<MisfitPolicy> {
    match name {
        "widen" => Ok(MisfitPolicy::Widen),
        "strict" => Ok(MisfitPolicy::Strict),
        name => Err(DataFusionError::Plan(unknown("misfits", name, ["widen", "strict"]))),
    }
}
