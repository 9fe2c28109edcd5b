//! `table`: writes values of many files as one table.

mod choose;
mod sink;

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use serde_json::{Value, json};
use variant_document::count::counted;
use variant_table::{
    Files, Format, Meta, MisfitPolicy, ReadOptions, Scan, Source, Summary, Table, TableError,
};

use self::choose::{choose, print};
use self::sink::{Folder, Sink};
use crate::cli::{CommonArgs, MisfitArg, TableArgs, TableFormatArg};
use crate::failure::{Failure, Status};
use crate::files;
use crate::open::{ENCRYPTED, has_key, key_of, name, reading};
use crate::output;
use crate::progress::Progress;
use crate::terminal::Terminal;

pub(crate) fn run(args: &TableArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    if terminal.common.input.is_some() {
        let how = "table reads only files of bytes; unwrap --input FORM writes such a file";
        return Err(Failure::usage(how));
    }
    let target = Target::of(args, terminal)?;
    let files = find(args, terminal)?;
    let options = options(args, terminal.common, &files.sources)?;
    let chosen = choose(args, &files.sources, &options, terminal)?;
    let Some(target) = target else { return print(&chosen, args, terminal) };
    target.check(&files.sources)?;
    let columns = chosen.columns;
    let columns = if target.format.is_nested() { columns } else { columns.flat() };
    if columns.is_empty() {
        return Err(Failure::usage("a table has at least one column"));
    }
    let table = Table::new(columns, options).map_err(|error| failure(&error))?;
    if let Some(progress) = terminal.progress {
        progress.files(files.sources.len());
    }
    let Files { sources, unmatched, repeated, .. } = files;
    let mut scan = table.scan(sources, files::threads(args.jobs, terminal)?);
    target.write(args, &table, &mut scan, terminal)?;
    let summary = scan.summary();
    if args.json {
        terminal.json(&report(&target, &table, summary, &unmatched, repeated))?;
    } else {
        terminal.note(&format!("{}{summary}", target.called()))?;
    }
    let tells_errors = table.columns().iter().any(|column| column.meta() == Some(Meta::Error));
    if summary.errors > 0 && !tells_errors {
        terminal.note("errors have no rows without the column _error; --with error adds it")?;
    }
    Ok(if summary.errors > 0 { Status::Invalid } else { Status::Fine })
}

/// The output of the table, and its format.
struct Target<'t> {
    path: &'t Path,
    format: Format,
}

impl<'t> Target<'t> {
    /// The target of a table. `None` with `--infer`, which does not write a table.
    fn of(args: &'t TableArgs, terminal: &Terminal<'_>) -> Result<Option<Self>, Failure> {
        let usage = |message: &str| Err(Failure::usage(message));
        let Some(path) = args.output.as_deref().filter(|_| !args.infer) else { return Ok(None) };
        let extension = path.extension().and_then(|extension| extension.to_str());
        let named = extension.and_then(|extension| extension.parse().ok());
        let Some(format) = args.format.map(Format::from).or(named) else {
            let (path, all) = (name(path), Format::ALL.map(Format::name).join(", "));
            return usage(&format!(
                "{path}: no format has the extension of this name; --format: {all}"
            ));
        };
        let target = Self { path, format };
        let is_output = target.is_output();
        if is_output && !args.partition_by.is_empty() {
            return usage("--partition-by makes a folder; name it with --output");
        }
        if is_output && args.json {
            return usage("with --output - the table is on standard output, --json too");
        }
        let is_binary = matches!(format, Format::Parquet | Format::Arrow);
        if is_output && is_binary && terminal.is_out_terminal {
            return usage(&format!("{format} is not text for a terminal; name a file"));
        }
        Ok(Some(target))
    }

    fn is_output(&self) -> bool {
        self.path == Path::new("-")
    }

    /// The name of the output, as the start of messages. Empty for standard output.
    fn called(&self) -> String {
        if self.is_output() { String::new() } else { format!("{}: ", name(self.path)) }
    }

    /// Refuses an output that is among the files.
    fn check(&self, sources: &[Source]) -> Result<(), Failure> {
        if !self.path.exists() {
            return Ok(());
        }
        sources.iter().try_for_each(|source| match source {
            Source::Path(path) => output::check(path, self.path),
            _ => Ok(()),
        })
    }

    fn write(
        &self,
        args: &TableArgs,
        table: &Table,
        scan: &mut Scan,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Failure> {
        let progress = terminal.progress;
        if !args.partition_by.is_empty() {
            return output::write_folder(self.path, |folder| {
                let mut folder = Folder::new(folder, self.format, args, &table.schema())?;
                each(scan, progress, |batch| folder.write(batch))?;
                folder.finish()
            });
        }
        let is_neutral = self.is_output() && terminal.is_out_terminal;
        output::write_with(self.path, terminal, |out| {
            let mut sink = Sink::new(self.format, &table.schema(), is_neutral, out)?;
            each(scan, progress, |batch| sink.write(batch))?;
            sink.finish()
        })
    }
}

/// Passes each batch to `write`, and updates the line of progress.
fn each(
    scan: &mut Scan,
    progress: Option<&Progress>,
    mut write: impl FnMut(&arrow_array::RecordBatch) -> Result<(), Failure>,
) -> Result<(), Failure> {
    while let Some(batch) = scan.next() {
        write(&batch.map_err(|error| failure(&error.into()))?)?;
        if let Some(progress) = progress {
            let Summary { files, bytes, .. } = scan.summary();
            progress.files_read(files, bytes);
        }
    }
    Ok(())
}

/// Finds the files that the arguments name. Prints notes on patterns without matches, repeated files and old files.
fn find(args: &TableArgs, terminal: &mut Terminal<'_>) -> Result<Files, Failure> {
    let files = Files::find(&args.files, terminal.common.max_input);
    let files = files.map_err(|error| failure(&error))?;
    if files.sources.is_empty() {
        let names: Vec<_> = args.files.iter().map(|path| name(path)).collect();
        return Err(Failure::io(format!("there are no files in {}", names.join(", "))));
    }
    for pattern in &files.unmatched {
        terminal.note(&format!("{pattern}: matches no file"))?;
    }
    if files.repeated > 0 {
        let again = counted(files.repeated, "file");
        terminal.note(&format!("{again} named more than once, and read once"))?;
    }
    files::note_kept(files.kept, terminal)?;
    Ok(files)
}

fn options(
    args: &TableArgs,
    common: &CommonArgs,
    sources: &[Source],
) -> Result<ReadOptions, Failure> {
    let number = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    let mut reading = reading(common);
    // A password is read only if a file may need it.
    let is_locked = common.key.is_some() || has_key(common) && sources.iter().any(may_be_encrypted);
    let key = if is_locked { key_of(common)? } else { None };
    if let Some(key) = key {
        reading.layers = reading.layers.key(key);
    }
    Ok(ReadOptions::new()
        .reading(reading)
        .misfits(args.misfit.into())
        .validate(args.validate)
        .batch_rows(number(args.batch_rows.get()))
        .max_repeat(number(args.max_repeat)))
}

/// Whether a file begins like an encrypted file. True for a pipe: it can be read only once, so its start is unknown.
fn may_be_encrypted(source: &Source) -> bool {
    let of_file = |path: &Path| {
        let mut magic = [0; ENCRYPTED.len()];
        let read = File::open(path).and_then(|mut file| file.read_exact(&mut magic));
        read.is_ok() && magic == *ENCRYPTED
    };
    match source {
        Source::Path(path) => match fs::metadata(path) {
            Ok(found) => !found.is_file() || of_file(path),
            Err(_) => false,
        },
        Source::Bytes(_, bytes) => bytes.starts_with(ENCRYPTED),
        _ => true,
    }
}

/// The summary as a JSON object.
fn report(
    target: &Target<'_>,
    table: &Table,
    summary: Summary,
    unmatched: &[String],
    repeated: usize,
) -> Value {
    json!({
        "file": name(target.path),
        "format": target.format.name(),
        "columns": table.columns().iter().map(ToString::to_string).collect::<Vec<_>>(),
        "files": summary.files,
        "bytes": summary.bytes,
        "values": summary.values,
        "rows": summary.rows,
        "errors": summary.errors,
        "misfits": summary.misfits,
        "unmatched": unmatched,
        "repeated": repeated,
    })
}

/// The failure for an error of the table.
fn failure(error: &TableError) -> Failure {
    let status = match error {
        TableError::Column { .. } | TableError::SchemaFile(_) => Status::Usage,
        TableError::Io { .. } => Status::Io,
        _ => Status::Invalid,
    };
    Failure::File { status, message: error.to_string() }
}

impl From<TableFormatArg> for Format {
    fn from(arg: TableFormatArg) -> Self {
        match arg {
            TableFormatArg::Parquet => Self::Parquet,
            TableFormatArg::Arrow => Self::Arrow,
            TableFormatArg::Csv => Self::Csv,
            TableFormatArg::Jsonl => Self::JsonLines,
        }
    }
}

impl From<MisfitArg> for MisfitPolicy {
    fn from(arg: MisfitArg) -> Self {
        match arg {
            MisfitArg::Widen => Self::Widen,
            MisfitArg::Strict => Self::Strict,
        }
    }
}
