//! [`Output`]: the result, as text for people or as a file.

use std::io::{BufWriter, IsTerminal as _, Write as _, stderr, stdout};
use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::{Array as _, ArrayRef, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::arrow::util::pretty::pretty_format_batches_with_schema;
use variant_document::count::counted;
use variant_document::escape::neutral_lines;
use variant_document::output::{self, OutputError, is_stdout};
use variant_table::{Format, TableWriter};

use crate::arguments::FormatArg;
use crate::failure::{Failure, Status, written};

/// The format of the result: the named format, or the format for the extension of the output file.
pub(crate) fn form(named: Option<FormatArg>, path: &Path) -> Result<FormatArg, Failure> {
    let is_stdout = is_stdout(path);
    let of_name = || match path.extension().and_then(|extension| extension.to_str()) {
        _ if is_stdout => Some(FormatArg::Pretty),
        Some("csv") => Some(FormatArg::Csv),
        Some("json" | "jsonl") => Some(FormatArg::Json),
        Some("parquet") => Some(FormatArg::Parquet),
        Some("arrow") => Some(FormatArg::Arrow),
        Some("txt") => Some(FormatArg::Pretty),
        _ => None,
    };
    let usage = |why: String| Failure::new(Status::Usage, why);
    let form = named.or_else(of_name).ok_or_else(|| {
        usage(format!(
            "{}: no format has the extension of this name; add --format pretty, csv, json, parquet or arrow",
            path.display()
        ))
    })?;
    let is_binary = matches!(form, FormatArg::Parquet | FormatArg::Arrow);
    if is_binary && is_stdout && stdout().is_terminal() {
        return Err(usage("a terminal cannot show this format; name a file with -o".to_owned()));
    }
    Ok(form)
}

/// The result while it is being written.
pub(crate) struct Output {
    name: String,
    schema: Arc<Schema>,
    sheet: Sheet,
}

enum Sheet {
    Pretty { rows: Vec<RecordBatch>, out: Out },
    Csv(TableWriter<Out>),
    Table(TableWriter<Out>),
}

/// The output of the result: a file, or standard output.
type Out = BufWriter<output::Output>;

/// The number of rows that are shown as one table. A table of all rows would have to be in memory, because the widths
/// of its columns depend on all rows.
const SHOWN: usize = 10_000;

impl Output {
    pub(crate) fn start(
        form: FormatArg,
        path: &Path,
        schema: &Arc<Schema>,
    ) -> Result<Self, Failure> {
        let name =
            if is_stdout(path) { "standard output".to_owned() } else { path.display().to_string() };
        let out = output::Output::create(path, &mut note);
        let out = BufWriter::new(out.map_err(|error| Failure::output(&name, &error))?);
        let failed = |error| written(&name, error);
        let sheet = match form.file() {
            None => Sheet::Pretty { rows: Vec::new(), out },
            Some(Format::Csv) => Sheet::Csv(
                TableWriter::new(Format::Csv, &flat_schema(schema), out).map_err(failed)?,
            ),
            Some(format) => Sheet::Table(TableWriter::new(format, schema, out).map_err(failed)?),
        };
        Ok(Self { name, schema: Arc::clone(schema), sheet })
    }

    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<(), Failure> {
        let outcome = match &mut self.sheet {
            Sheet::Pretty { rows, out } => {
                rows.push(batch.clone());
                let count: usize = rows.iter().map(RecordBatch::num_rows).sum();
                if count < SHOWN {
                    return Ok(());
                }
                let rows = std::mem::take(rows);
                return show(&rows, &self.schema, out)
                    .map_err(|error| Failure::output(&self.name, &error));
            }
            Sheet::Csv(writer) => {
                flat(batch).map_err(Into::into).and_then(|batch| writer.write(&batch))
            }
            Sheet::Table(writer) => writer.write(batch),
        };
        outcome.map_err(|error| written(&self.name, error))
    }

    /// Writes the remaining rows, and renames the temporary file to the output file.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let Self { name, schema, sheet } = self;
        let failed = |error: std::io::Error| Failure::output(&name, &error);
        let out = match sheet {
            Sheet::Pretty { rows, mut out } => {
                // A result without rows also has names of columns.
                show(&rows, &schema, &mut out).map_err(failed)?;
                out
            }
            Sheet::Csv(writer) | Sheet::Table(writer) => {
                writer.finish().map_err(|error| written(&name, error))?
            }
        };
        let out = out.into_inner().map_err(|error| failed(error.into_error()))?;
        out.finish(&mut note).map_err(|error| match error {
            OutputError::Io(error) => failed(error),
            error => Failure::new(Status::Io, error.to_string()),
        })
    }
}

/// Prints a note about the output.
fn note(line: &str) -> std::io::Result<()> {
    writeln!(stderr(), "{}", neutral_lines(line))
}

/// Shows rows as a table. Escapes texts, since they may contain control codes for terminals.
fn show(rows: &[RecordBatch], schema: &Arc<Schema>, out: &mut Out) -> std::io::Result<()> {
    let shown = rows.iter().map(with_short_bytes).collect::<Result<Vec<_>, _>>();
    let schema = Arc::new(short_schema(schema));
    let table = shown.and_then(|shown| pretty_format_batches_with_schema(schema, &shown));
    let table = table.map_err(std::io::Error::other)?.to_string();
    writeln!(out, "{}", neutral_lines(&table))
}

const fn is_bytes(of: &DataType) -> bool {
    matches!(of, DataType::Binary | DataType::LargeBinary | DataType::BinaryView)
}

/// The same columns, but columns whose type `is_text` accepts become text.
fn with_text(schema: &Schema, is_text: impl Fn(&DataType) -> bool) -> Schema {
    let field = |field: &Arc<Field>| {
        if is_text(field.data_type()) {
            Arc::new(Field::new(field.name(), DataType::Utf8, true))
        } else {
            Arc::clone(field)
        }
    };
    Schema::new(schema.fields().iter().map(field).collect::<Vec<_>>())
}

fn short_schema(schema: &Schema) -> Schema {
    with_text(schema, is_bytes)
}

/// The schema for CSV, in which nested values and bytes become text.
fn flat_schema(schema: &Schema) -> Schema {
    with_text(schema, |of| of.is_nested() || is_bytes(of))
}

/// Shortens long bytes to their start and their length.
fn with_short_bytes(
    batch: &RecordBatch,
) -> Result<RecordBatch, datafusion::arrow::error::ArrowError> {
    // Two digits are shown for each byte.
    const SHOWN: usize = 32;
    with_columns(batch, short_schema(&batch.schema()), |text| match text.get(..SHOWN) {
        Some(start) if text.len() > SHOWN => {
            format!("{start}... {}", counted(text.len() / 2, "byte"))
        }
        _ => text,
    })
}

fn flat(batch: &RecordBatch) -> Result<RecordBatch, datafusion::arrow::error::ArrowError> {
    with_columns(batch, flat_schema(&batch.schema()), |text| text)
}

/// The batch with another schema. A column whose type changes becomes text.
fn with_columns(
    batch: &RecordBatch,
    schema: Schema,
    shorten: impl Fn(String) -> String,
) -> Result<RecordBatch, datafusion::arrow::error::ArrowError> {
    let column = |(array, field): (&ArrayRef, &Arc<Field>)| {
        if array.data_type() == field.data_type() {
            return Ok(Arc::clone(array));
        }
        let options = FormatOptions::default();
        let formatter = ArrayFormatter::try_new(array, &options)?;
        let text = |row| array.is_valid(row).then(|| shorten(formatter.value(row).to_string()));
        let texts: ArrayRef = Arc::new((0..array.len()).map(text).collect::<StringArray>());
        Ok(texts)
    };
    let columns = batch.columns().iter().zip(schema.fields()).map(column);
    let columns = columns.collect::<Result<_, datafusion::arrow::error::ArrowError>>()?;
    let rows =
        datafusion::arrow::array::RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(Arc::new(schema), columns, &rows)
}
