//! The arguments of the commands that change a file.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use variant_view::Dialect;

use super::values::dialects;

/// How a changed file is written.
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
#[derive(Args, Debug, Default)]
pub struct ChangeArgs {
    /// Write to this file instead, and leave the input unchanged; - for standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Overwrite the bytes of the file, which must keep its length, instead of replacing the file.
    #[arg(long, conflicts_with = "output")]
    pub in_place: bool,

    /// Do not keep the old file as FILE~, which otherwise replaces an older FILE~.
    #[arg(long)]
    pub no_backup: bool,

    /// Print the changes, and write nothing.
    #[arg(short = 'n', long, conflicts_with = "in_place")]
    pub dry_run: bool,

    /// Write without compression and encryption.
    #[arg(long)]
    pub plain: bool,
}

/// Which of several values are changed.
#[derive(Args, Debug, Default)]
pub struct FrameArgs {
    /// Change frame or setting N, counted from 1 [default: the only frame with the path].
    #[arg(long, value_name = "N")]
    pub frame: Option<u64>,

    /// Change each frame or setting that has the path.
    #[arg(long, conflicts_with = "frame")]
    pub all_frames: bool,
}

/// The arguments of `set`.
#[derive(Args, Debug)]
pub struct SetArgs {
    /// File to change; the old file is kept as FILE~.
    pub file: PathBuf,

    /// Paths and the literals to set there, as scripts write them: 5, '"text"', 'Vector2(1, 2)'.
    #[arg(required = true, num_args = 2.., value_names = ["PATH", "LITERAL"], allow_negative_numbers = true)]
    pub pairs: Vec<String>,

    /// Take each LITERAL as text, without quotes.
    #[arg(long)]
    pub string: bool,

    /// The frame.
    #[command(flatten)]
    pub frame: FrameArgs,

    /// The output.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// The arguments of `insert`.
#[derive(Args, Debug)]
pub struct InsertArgs {
    /// File to change; the old file is kept as FILE~.
    pub file: PathBuf,

    /// Path with a new key, the index to insert before, or [+] after the last element.
    pub path: String,

    /// The value, as scripts write it.
    #[arg(allow_negative_numbers = true)]
    pub literal: String,

    /// Take LITERAL as text, without quotes.
    #[arg(long)]
    pub string: bool,

    /// The frame.
    #[command(flatten)]
    pub frame: FrameArgs,

    /// The output.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// The arguments of `delete`.
#[derive(Args, Debug)]
pub struct DeleteArgs {
    /// File to change; the old file is kept as FILE~.
    pub file: PathBuf,

    /// Paths of the values to delete.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<String>,

    /// The frame.
    #[command(flatten)]
    pub frame: FrameArgs,

    /// The output.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// The arguments of `rename-key`.
#[derive(Args, Debug)]
pub struct RenameKeyArgs {
    /// File to change; the old file is kept as FILE~.
    pub file: PathBuf,

    /// Path of the value whose key is renamed.
    pub path: String,

    /// The new key: text, or a literal for a key that is not text.
    pub key: String,

    /// The frame.
    #[command(flatten)]
    pub frame: FrameArgs,

    /// The output.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// The arguments of `merge`.
#[derive(Args, Debug)]
pub struct MergeArgs {
    /// File to change; the old file is kept as FILE~.
    pub file: PathBuf,

    /// File with the values to merge into FILE: dictionaries key by key, other values as a whole.
    pub other: PathBuf,

    /// Merge only the changes that lead from this file, an older state of FILE and OTHER, to OTHER.
    #[arg(long, value_name = "FILE")]
    pub base: Option<PathBuf>,

    /// Which value to keep if both files changed it since BASE [default: fail, and list these values].
    #[arg(long, requires = "base")]
    pub prefer: Option<Prefer>,

    /// Engine that wrote OTHER and BASE [default: guessed].
    #[arg(long, value_name = "DIALECT", value_parser = dialects())]
    pub other_dialect: Option<Dialect>,

    /// The output.
    #[command(flatten)]
    pub change: ChangeArgs,
}

/// The file whose value a merge keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Prefer {
    /// FILE.
    Ours,
    /// OTHER.
    Theirs,
}

/// The arguments of `edit`.
#[derive(Args, Debug)]
pub struct EditArgs {
    /// File to change; the old file is kept as FILE~. While the editor is open, the text is in a temporary file that
    /// only its owner can read, also for an encrypted file.
    pub file: PathBuf,

    /// Edit exact JSON instead of the literals of a script.
    #[arg(long)]
    pub json: bool,

    /// The output.
    #[command(flatten)]
    pub change: ChangeArgs,
}
