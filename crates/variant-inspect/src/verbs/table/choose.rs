//! Chooses the columns of a table.

use variant_document::count::counted;
use variant_table::{Column, Columns, Inferred, Meta, ReadOptions, Source};

use super::failure;
use crate::cli::{CommonArgs, MetaArg, TableArgs};
use crate::failure::{Failure, Status};
use crate::output;
use crate::read;
use crate::terminal::Terminal;

/// The columns, and whether the whole sample could be read.
pub(super) struct Chosen {
    pub(super) columns: Columns,
    is_sound: bool,
}

/// The columns that the arguments name. A sample of the files supplies missing columns and types.
pub(super) fn choose(
    args: &TableArgs,
    sources: &[Source],
    options: &ReadOptions,
    terminal: &mut Terminal<'_>,
) -> Result<Chosen, Failure> {
    let given = given(args, terminal.common)?;
    let mut is_sound = true;
    let columns = match given {
        Some(columns) if columns.iter().all(has_type) => columns,
        given => {
            let sample = usize::try_from(args.sample.get()).unwrap_or(usize::MAX);
            let inferred = Inferred::of(sources, options, sample);
            is_sound = inferred.as_ref().is_ok_and(|inferred| inferred.first_error().is_none());
            match (given, inferred) {
                (Some(columns), Ok(inferred)) => inferred.complete(&columns),
                // Damaged files of the sample are not an error here. Each damaged file is reported later.
                (Some(columns), Err(_)) => columns,
                (None, inferred) => {
                    infer(&inferred.map_err(|error| failure(&error))?, args, terminal)?
                }
            }
        }
    };
    let columns = with(columns, args).map_err(|error| failure(&error))?;
    Ok(Chosen { columns, is_sound })
}

/// Prints the columns as a file for `--schema`.
pub(super) fn print(
    chosen: &Chosen,
    args: &TableArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let text = chosen.columns.to_json();
    match &args.output {
        Some(path) => output::write(path, text.as_bytes(), terminal)?,
        None => terminal.out.write_all(text.as_bytes())?,
    }
    Ok(if chosen.is_sound { Status::Fine } else { Status::Invalid })
}

fn given(args: &TableArgs, common: &CommonArgs) -> Result<Option<Columns>, Failure> {
    let columns = match &args.schema {
        Some(path) => {
            let (name, text) = read::text(path, common.max_input)?;
            Columns::from_json(&text).map_err(|error| format!("{name}: {error}"))
        }
        None if args.columns.is_empty() => return Ok(None),
        None => Columns::parse_list(&args.columns.join(",")).map_err(|error| error.to_string()),
    };
    columns.map(Some).map_err(Failure::usage)
}

/// Whether a column has a type. A column without a type needs a sample.
fn has_type(column: &Column) -> bool {
    column.column_type().is_some() || column.path().is_none() || column.fold().is_some()
}

fn infer(
    inferred: &Inferred,
    args: &TableArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Columns, Failure> {
    let columns = inferred.columns().map_err(|error| failure(&error))?;
    if let Some(error) = inferred.first_error() {
        terminal.note(&format!("the sample is not whole: {error}"))?;
    }
    let (count, values) = (counted(columns.len(), "column"), counted(inferred.values(), "value"));
    let how = if args.infer { "" } else { "; --infer prints them" };
    terminal.note(&format!("{count}, inferred from {values}{how}"))?;
    Ok(columns)
}

/// Adds the columns of `--with`: `_file`, `_frame` and `_offset` before the others, `_error` and `_value` after them.
fn with(columns: Columns, args: &TableArgs) -> Result<Columns, variant_table::TableError> {
    let wanted = match (&args.with, &args.schema) {
        (Some(wanted), _) => wanted.as_slice(),
        (None, None) => &[MetaArg::File, MetaArg::Error],
        (None, Some(_)) => &[],
    };
    columns.with(&wanted.iter().filter_map(|arg| meta(*arg)).collect::<Vec<_>>())
}

const fn meta(arg: MetaArg) -> Option<Meta> {
    match arg {
        MetaArg::File => Some(Meta::File),
        MetaArg::Frame => Some(Meta::Frame),
        MetaArg::Offset => Some(Meta::Offset),
        MetaArg::Error => Some(Meta::Error),
        MetaArg::Value => Some(Meta::Value),
        MetaArg::None => None,
    }
}
