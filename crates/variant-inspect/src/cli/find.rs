//! The arguments of the commands that find values.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::files::FilesArgs;
use super::values::FormArg;

/// `--as`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum AsArg {
    /// A tree.
    #[default]
    Tree,
    /// Literals of a script.
    Text,
    /// JSON, one value per line.
    Json,
    /// The bytes of the values.
    Raw,
}

/// Which of several values are read.
#[derive(Args, Debug, Default)]
pub struct OnlyFrameArgs {
    /// Read only frame or setting N, counted from 1 [default: each that has the path].
    #[arg(long, value_name = "N")]
    pub frame: Option<u64>,
}

/// The arguments of `get`.
#[derive(Args, Debug)]
pub struct GetArgs {
    /// Input file; - for standard input.
    pub file: PathBuf,

    /// Paths of the values.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<String>,

    /// How the values are printed.
    #[arg(long = "as", value_enum, default_value_t, value_name = "FORM")]
    pub form: AsArg,

    /// Form of the JSON.
    #[arg(long = "form", value_enum, default_value = "plain", value_name = "JSON-FORM")]
    pub json_form: FormArg,

    /// Print containers down to this level only.
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,

    /// Print at most N values of each container.
    #[arg(long, value_name = "N")]
    pub limit: Option<u32>,

    /// The frame.
    #[command(flatten)]
    pub frame: OnlyFrameArgs,
}

/// The arguments of `keys`.
#[derive(Args, Debug)]
pub struct KeysArgs {
    /// Input file; - for standard input.
    pub file: PathBuf,

    /// Paths of the containers [default: the root].
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,

    /// The frame.
    #[command(flatten)]
    pub frame: OnlyFrameArgs,
}

/// The arguments of `flatten`.
#[derive(Args, Debug)]
pub struct FlattenArgs {
    /// Input file; - for standard input.
    pub file: PathBuf,

    /// Print only the values at this path.
    #[arg(long, value_name = "PATH")]
    pub at: Option<String>,

    /// The frame.
    #[command(flatten)]
    pub frame: OnlyFrameArgs,
}

/// The arguments of `grep`.
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
#[derive(Args, Debug)]
pub struct GrepArgs {
    /// Regular expression that keys and texts are searched for.
    pub pattern: String,

    /// The files.
    #[command(flatten)]
    pub files: FilesArgs,

    /// Take PATTERN as text, not as a regular expression.
    #[arg(short = 'F', long)]
    pub fixed_strings: bool,

    /// Ignore case.
    #[arg(short, long)]
    pub ignore_case: bool,

    /// Print the number of matches of each file.
    #[arg(short, long, conflicts_with = "files_with_matches")]
    pub count: bool,

    /// Print only the names of files with a match.
    #[arg(short = 'l', long)]
    pub files_with_matches: bool,

    /// Search only keys and names.
    #[arg(long, conflicts_with = "values")]
    pub keys: bool,

    /// Search only values.
    #[arg(long)]
    pub values: bool,

    /// Print one JSON object on each line (docs/json.md).
    #[arg(long)]
    pub json: bool,
}

/// The arguments of `hex`.
#[derive(Args, Debug)]
pub struct HexArgs {
    /// Input file; - for standard input.
    pub file: PathBuf,

    /// Paths of the values [default: all].
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,

    /// Print the path, the value and the part of byte OFFSET of the file. OFFSET is decimal, or hexadecimal after 0x,
    /// and counts inside compression and encryption.
    #[arg(long, value_name = "OFFSET", conflicts_with_all = ["paths", "frame"], value_parser = offset)]
    pub offset: Option<usize>,

    /// Print at most N rows of one value.
    #[arg(long, value_name = "N", default_value_t = ROWS)]
    pub rows: u32,

    /// Print the meaning of the byte as one JSON object (docs/json.md).
    #[arg(long, requires = "offset")]
    pub json: bool,

    /// The frame.
    #[command(flatten)]
    pub frame: OnlyFrameArgs,
}

/// The default of `--rows`.
pub(super) const ROWS: u32 = 16;

/// Parses an offset. `_` and `,` are ignored.
pub(super) fn offset(text: &str) -> Result<usize, String> {
    let digits = text.replace(['_', ','], "");
    let read = match digits.strip_prefix("0x") {
        Some(digits) => usize::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    read.map_err(|_| "expected an offset, such as 1024 or 0x400".to_owned())
}
