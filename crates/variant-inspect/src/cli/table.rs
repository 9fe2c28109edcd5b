//! The arguments of `table`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TableFormatArg {
    /// Parquet, compressed with zstd.
    Parquet,
    /// Arrow's file of record batches (Feather, version 2).
    Arrow,
    /// A line of names, and a line for each row; values in values are JSON.
    Csv,
    /// A JSON object a line.
    Jsonl,
}

/// `--with`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MetaArg {
    /// Column `_file`: the name of the file.
    File,
    /// Column `_frame`: the position of the value among those of the file, from 1.
    Frame,
    /// Column `_offset`: the offset of the value in the file.
    Offset,
    /// Column `_error`: the error of the row or its file.
    Error,
    /// Column `_value`: the bytes of the value.
    Value,
    /// None of them.
    None,
}

/// `--misfit`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum MisfitArg {
    /// Float columns take integers, lists take packed arrays, where nothing is lost.
    #[default]
    Widen,
    /// Only values of the column's own type fit.
    Strict,
}

/// The arguments of `table`.
#[derive(Args, Debug)]
pub struct TableArgs {
    /// Input files, folders with all files in them, or patterns such as 'saves/**/*.sav'; - for standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Columns between commas, such as "level=player.level:int, meta.slot" [default: the columns of a sample of the
    /// files].
    #[arg(long, value_name = "LIST", conflicts_with = "schema")]
    pub columns: Vec<String>,

    /// File with the columns, as --infer prints it.
    #[arg(long, value_name = "FILE")]
    pub schema: Option<PathBuf>,

    /// Number of sampled files, or of sampled values if the files have many. The sample gives missing columns and
    /// types.
    #[arg(long, value_name = "N", default_value = "100")]
    pub sample: NonZero<u32>,

    /// Print the columns as a file for --schema, and write no table.
    #[arg(long, conflicts_with_all = ["format", "partition_by", "json"])]
    pub infer: bool,

    /// Additional columns [default: file,error; with --schema, those of its file].
    #[arg(long, value_enum, value_delimiter = ',', value_name = "LIST")]
    pub with: Option<Vec<MetaArg>>,

    /// Output file; - for standard output. Replaced only when completely written. With --partition-by a folder, which must be
    /// new or empty.
    #[arg(short, long, value_name = "FILE", required_unless_present = "infer")]
    pub output: Option<PathBuf>,

    /// Form of the output [default: by the extension of its name].
    #[arg(long, value_enum)]
    pub format: Option<TableFormatArg>,

    /// Treatment of a value whose type differs from its column's. A value that does not fit becomes null, and `_error`
    /// names it.
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    pub misfit: MisfitArg,

    /// Validate each value as a whole, also the parts without a column.
    #[arg(long)]
    pub validate: bool,

    /// Write a folder of files, one for each value of these columns: COLUMN=VALUE/part-0.parquet.
    #[arg(long, value_delimiter = ',', value_name = "COLUMN")]
    pub partition_by: Vec<String>,

    /// Maximum number of files of --partition-by, which are all open at once.
    #[arg(long, value_name = "N", default_value = "500", requires = "partition_by")]
    pub max_partitions: NonZero<u32>,

    /// Maximum number of rows of a record batch.
    #[arg(long, value_name = "N", default_value = "8192")]
    pub batch_rows: NonZero<u32>,

    /// Number of bytes that the rows of a value may repeat, for each byte of the value.
    #[arg(long, value_name = "N", default_value = "64")]
    pub max_repeat: u32,

    /// Number of threads that read files, at most 4 per core; 0 for one per core. The output does not depend on it.
    #[arg(short, long, value_name = "N", default_value_t)]
    pub jobs: u16,

    /// Print the summary as a JSON object on standard output (docs/json.md).
    #[arg(long)]
    pub json: bool,
}
