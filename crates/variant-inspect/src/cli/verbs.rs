//! The arguments of each command.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;
use variant_view::Dialect;

use super::values::{
    CompressArg, EncryptArg, FormArg, FramingArg, RealsArg, SourceArg, StyleArg, dialects,
};

/// The arguments of `tree`.
#[derive(Args, Debug)]
pub struct TreeArgs {
    /// Input file; - for standard input.
    pub file: PathBuf,

    /// Print containers down to this level only; 0 prints the root alone.
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,

    /// Print at most N values of each container, and at most N frames. Reads no further.
    #[arg(long, value_name = "N")]
    pub limit: Option<u32>,

    /// Print the offset of each value in the file.
    #[arg(long)]
    pub offsets: bool,

    /// Print only the values at this path, such as `inventory[3]`. A path may lead into byte arrays with values inside.
    #[arg(long, value_name = "PATH")]
    pub at: Option<String>,

    /// Also print the values inside byte arrays.
    #[arg(long)]
    pub nested: bool,
}

/// The arguments of `convert`.
#[derive(Args, Debug)]
pub struct ConvertArgs {
    /// Input file; - for standard input. Never changed.
    pub file: PathBuf,

    /// Dialect to write; documented-PAGE follows a page of the documentation.
    #[arg(long, value_parser = dialects())]
    pub to: Dialect,

    /// Width of the reals in vectors [default: by-flag; unchanged for the same dialect and for documented-PAGE].
    #[arg(long, value_enum, value_name = "REALS")]
    pub to_reals: Option<RealsArg>,

    /// Output file; - for standard output. Replaced only when completely written.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// Write nothing if a value has no exact counterpart in the other dialect.
    #[arg(long)]
    pub strict: bool,

    /// Framing to write; auto keeps that of the input.
    #[arg(long, value_enum, default_value_t, value_name = "FRAMING")]
    pub to_framing: FramingArg,

    /// Write without compression and encryption.
    #[arg(long)]
    pub plain: bool,
}

/// The arguments of `json`.
#[derive(Args, Debug)]
pub struct JsonArgs {
    /// Input file; - for standard input.
    pub file: PathBuf,

    /// Form of the JSON.
    #[arg(long, value_enum, default_value_t)]
    pub form: FormArg,

    /// Indent the output.
    #[arg(long)]
    pub pretty: bool,
}

/// The output of `from`.
#[derive(Args, Debug)]
pub struct TargetArgs {
    /// Output file; - for standard output. Replaced only when completely written.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// Write with the dialect, framing, compression and encryption of this file. An encrypted file needs a key, which
    /// also encrypts the output.
    #[arg(long, value_name = "FILE")]
    pub like: Option<PathBuf>,

    /// Framing to write; auto takes that of the file of --like, else that of the input.
    #[arg(long, value_enum, default_value_t, value_name = "FRAMING")]
    pub to_framing: FramingArg,

    /// Write without the compression and encryption of the file of --like.
    #[arg(long, requires = "like")]
    pub plain: bool,
}

/// The arguments of `from`.
#[derive(Args, Debug)]
pub struct FromArgs {
    /// Text file; - for standard input. It contains JSON, lines of `path = literal`, or literals (for a setting,
    /// NAME=LITERAL). Several values are written as frames, unless exact JSON names another framing.
    pub file: PathBuf,

    /// Form of the text [default: by its content].
    #[arg(long, value_enum)]
    pub form: Option<SourceArg>,

    /// The output.
    #[command(flatten)]
    pub target: TargetArgs,
}

/// The arguments of `text`.
#[derive(Args, Debug)]
pub struct TextArgs {
    /// Input file; - for standard input.
    pub file: PathBuf,

    /// Script language [default: that of the engine that wrote the file].
    #[arg(long, value_enum)]
    pub style: Option<StyleArg>,

    /// Print as the engine does: six digits, sorted keys; not exact. Control and invisible characters are escaped on
    /// terminals, but not in files and pipes.
    #[arg(long)]
    pub engine: bool,
}

/// The arguments of `unwrap`.
#[derive(Args, Debug)]
pub struct UnwrapArgs {
    /// Input file; - for standard input. Never changed.
    pub file: PathBuf,

    /// Output file; - for standard output. Replaced only when completely written.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,

    /// Read FILE as the result of `PackedByteArray.compress` in this mode, which has no header.
    #[arg(long, value_enum, value_name = "MODE", requires = "size")]
    pub raw: Option<CompressArg>,

    /// The size before the compression, in bytes, as `PackedByteArray.decompress` takes it.
    #[arg(long, value_name = "BYTES", requires = "raw")]
    pub size: Option<u32>,
}

/// The arguments of `wrap`.
#[derive(Args, Debug)]
pub struct WrapArgs {
    /// Input file; - for standard input. Never changed.
    pub file: PathBuf,

    /// Output file; - for standard output. Replaced only when completely written.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// Compress, as `open_compressed` does.
    #[arg(long, value_enum, value_name = "MODE")]
    pub compress: Option<CompressArg>,

    /// Uncompressed size of a block, in bytes.
    #[arg(long, value_name = "BYTES", default_value_t = 4096, requires = "compress")]
    pub block_size: u32,

    /// Compression level: 0 to 9 for deflate and gzip, -7 to 22 for zstd.
    #[arg(long, value_name = "N", requires = "compress", allow_negative_numbers = true)]
    pub level: Option<i32>,

    /// Encrypt, as `open_encrypted` and `open_encrypted_with_pass` of this engine do.
    #[arg(long, value_enum, value_name = "ENGINE")]
    pub encrypt: Option<EncryptArg>,
}

/// The arguments of `browse`.
#[derive(Args, Debug)]
pub struct BrowseArgs {
    /// Input file; - for standard input. Changed only when asked for.
    pub file: PathBuf,
}

/// The arguments of `salvage`.
#[derive(Args, Debug)]
pub struct SalvageArgs {
    /// Input file; - for standard input. Never changed.
    pub file: PathBuf,

    /// Output file; - for standard output. Without it the holes are only reported.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Write without compression and encryption.
    #[arg(long, requires = "output")]
    pub plain: bool,

    /// Print the report as one JSON object on each line (docs/json.md).
    #[arg(long)]
    pub json: bool,
}

/// The arguments of `completions`.
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    pub shell: Shell,
}

/// The arguments of `man`.
#[derive(Args, Debug)]
pub struct ManArgs {
    /// Command to print the page of [default: the program].
    pub command: Option<String>,

    /// Write all pages into this folder.
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    pub dir: Option<PathBuf>,
}
