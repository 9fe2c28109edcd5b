//! [`Arguments`]: the command line.

use std::num::NonZero;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Parser, ValueEnum};
use variant_io::Framing;
use variant_sql::{Reading, SAMPLE, VariantFormat};
use variant_table::{Columns, Format, MisfitPolicy, TableError};
use variant_view::Dialect;

const EXAMPLES: &str = "\
Examples:
  variant-sql \"SELECT player.level FROM saves\" save.dat      where a name has dots: \\\"player.level\\\"
  variant-sql 'SELECT avg(level) FROM saves' 'saves/**/*.sav' --columns 'level = player.level:int'
  variant-sql 'SELECT _file, _error FROM saves WHERE _error IS NOT NULL' saves
  variant-sql 'DESCRIBE saves' saves                       the columns that were inferred
  variant-sql 'EXPLAIN ANALYZE SELECT max(level) FROM saves' saves --columns level=player.level:int
  variant-sql \"SELECT * FROM variants('a/*.sav', dialect => 'godot3', columns => 'hp:int')\"
  variant-sql 'SELECT * EXCLUDE (_value) FROM saves' saves -o saves.parquet
  variant-sql - saves < query.sql
  variant-sql 'SELECT day, count(*) FROM saves GROUP BY day' s3://bucket/saves --columns 'day = folder(day)'
  variant-sql --cluster df://127.0.0.1:50050 'SELECT count(*) FROM saves' saves

Exit status: 0 success, 1 invalid input, 2 wrong usage or SQL, 3 a file cannot be written,
141 the reader of the output closed it. A damaged file is a row with _error, not a failure.";

/// Runs SQL over saves of Godot and Pandemonium, which form the table `saves`.
///
/// Columns are the paths of values, such as "player.level", and _file, _frame, _offset, _error and _value. Functions
/// such as `variant_f64(_value, 'player.level')` read bytes. The table function `variants` reads other files.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A statement of SQL; - reads it from standard input.
    pub(crate) sql: String,

    /// Files of the table `saves`, folders, patterns such as 'saves/**/*.sav', or URLs such as <s3://bucket/saves>; - for
    /// standard input.
    pub(crate) files: Vec<String>,

    /// Columns, separated by commas, such as 'level = player.level:int, items[*].id' [default: inferred].
    #[arg(long, value_name = "COLUMNS")]
    columns: Option<String>,

    /// Number of files from which columns are inferred.
    #[arg(long, value_name = "N", default_value_t = SAMPLE)]
    sample: usize,

    /// Engine that wrote the files [default: guessed for each file].
    #[arg(long, value_parser = PossibleValuesParser::new(Dialect::ALL.iter().map(|dialect| dialect.name())))]
    dialect: Option<String>,

    /// How files separate values [default: guessed for each file].
    #[arg(long, value_parser = Framing::NAMES)]
    framing: Option<String>,

    /// Width of the reals in vectors [default: guessed for each file].
    #[arg(long, value_parser = ["by-flag", "always64"])]
    reals: Option<String>,

    /// Environment variable with the password of encrypted files.
    #[arg(long, value_name = "NAME")]
    password_env: Option<String>,

    /// Limit for the contents of a compressed or encrypted file, in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 30)]
    max_unpacked: u64,

    /// Accept only values of the column's type: no ints in a column of floats.
    #[arg(long)]
    strict: bool,

    /// Validate each value as a whole, including text that belongs to no column.
    #[arg(long)]
    validate: bool,

    /// Format of the result [default: by the extension of the output, else pretty].
    #[arg(long = "format", value_enum)]
    pub(crate) form: Option<FormatArg>,

    /// Output file; - for standard output. Replaced only when completely written.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,

    /// Number of threads and partitions [default: one per core; in a cluster 16 partitions].
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZero<usize>>,

    /// Limit for the memory of sorts, joins and groups, in bytes; more data goes to temporary files.
    #[arg(long, value_name = "BYTES")]
    pub(crate) memory: Option<usize>,

    /// Address of the scheduler that runs the query. Its executors read the files, under the same names.
    #[arg(long, value_name = "df://HOST:PORT", conflicts_with = "memory")]
    pub(crate) cluster: Option<String>,
}

impl Arguments {
    /// How files become rows.
    pub(crate) fn format(&self) -> Result<VariantFormat, TableError> {
        let columns = self.columns.as_deref().map(Columns::parse_list).transpose()?;
        let reading = Reading {
            dialect: self.dialect.clone(),
            framing: self.framing.clone(),
            reals: self.reals.clone(),
            password_env: self.password_env.clone(),
            max_unpacked: Some(self.max_unpacked),
            misfits: if self.strict { MisfitPolicy::Strict } else { MisfitPolicy::Widen },
            validate: self.validate,
        };
        Ok(VariantFormat { reading, columns, sample: self.sample })
    }
}

/// `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatArg {
    /// A table for people.
    Pretty,
    /// Text with commas; nested values as in the table for people.
    Csv,
    /// An object a line.
    #[value(alias = "jsonl")]
    Json,
    /// Parquet.
    Parquet,
    /// Arrow's file of record batches.
    Arrow,
}

impl FormatArg {
    /// The file format; `None` for text for people.
    pub(crate) const fn file(self) -> Option<Format> {
        match self {
            Self::Pretty => None,
            Self::Csv => Some(Format::Csv),
            Self::Json => Some(Format::JsonLines),
            Self::Parquet => Some(Format::Parquet),
            Self::Arrow => Some(Format::Arrow),
        }
    }
}
