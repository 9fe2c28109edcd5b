//! What each verb takes.

use std::path::PathBuf;

use clap::Args;
use variant_view::Dialect;

use super::values::{
    CompressArg, EncryptArg, FormArg, FramingArg, LimitsArg, ProfileArg, StyleArg, dialects,
};

/// The options of `tree`.
#[derive(Args, Debug)]
pub struct TreeArgs {
    /// The file to look at; - for standard input.
    pub file: PathBuf,

    /// Open containers only down to this level; 0 shows the root alone.
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,

    /// Show only so many values of each container, and so many frames.
    #[arg(long, value_name = "N")]
    pub limit: Option<u32>,

    /// Show at which byte of the file each value starts.
    #[arg(long)]
    pub offsets: bool,
}

/// The options of `validate`.
#[derive(Args, Debug)]
pub struct ValidateArgs {
    /// The files to check; - for standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// What to accept: what the engine reads, or only what it would write.
    #[arg(long, value_enum, default_value_t)]
    pub profile: ProfileArg,

    /// How much to accept: what the engine bears, what a server should bear, or files of any size.
    #[arg(long, value_enum, default_value_t)]
    pub limits: LimitsArg,

    /// How many threads check files and frames at once; 0 for one a core. The output is the same.
    #[arg(short, long, value_name = "N", default_value_t)]
    pub jobs: u16,
}

/// The options of `detect`.
#[derive(Args, Debug)]
pub struct DetectArgs {
    /// The file to look at; - for standard input.
    pub file: PathBuf,
}

/// The options of `convert`.
#[derive(Args, Debug)]
pub struct ConvertArgs {
    /// The file to convert; - for standard input. It is only read.
    pub file: PathBuf,

    /// The dialect to convert to.
    #[arg(long, value_parser = dialects())]
    pub to: Dialect,

    /// The file to write; - for standard output. Written beside its place and renamed into it.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// Write nothing if anything has no exact twin.
    #[arg(long)]
    pub strict: bool,

    /// Whether to put length words in front of the values; as found, if not said.
    #[arg(long, value_enum, default_value_t, value_name = "FRAMING")]
    pub to_framing: FramingArg,
}

/// The options of `json`.
#[derive(Args, Debug)]
pub struct JsonArgs {
    /// The file to look at; - for standard input.
    pub file: PathBuf,

    /// What the JSON is for.
    #[arg(long, value_enum, default_value_t)]
    pub form: FormArg,

    /// In lines, indented.
    #[arg(long)]
    pub pretty: bool,
}

/// The options of `from-json`.
#[derive(Args, Debug)]
pub struct FromJsonArgs {
    /// The JSON to read; - for standard input. With length words to write, a value a line.
    pub file: PathBuf,

    /// The file to write; - for standard output. Written beside its place and renamed into it.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// What the JSON was for.
    #[arg(long, value_enum, default_value_t)]
    pub form: FormArg,

    /// Whether to put length words in front of the values.
    #[arg(long, value_enum, default_value_t, value_name = "FRAMING")]
    pub to_framing: FramingArg,
}

/// The options of `text`.
#[derive(Args, Debug)]
pub struct TextArgs {
    /// The file to look at; - for standard input.
    pub file: PathBuf,

    /// Whose scripts; those of the engine that wrote the file, if not said.
    #[arg(long, value_enum)]
    pub style: Option<StyleArg>,

    /// As the engine prints it: numbers of six digits, keys in order. Not exact.
    #[arg(long)]
    pub engine: bool,
}

/// The options of `from-text`.
#[derive(Args, Debug)]
pub struct FromTextArgs {
    /// The literal to read; - for standard input.
    pub file: PathBuf,

    /// The file to write; - for standard output. Written beside its place and renamed into it.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// Whether to put a length word in front of the value.
    #[arg(long, value_enum, default_value_t, value_name = "FRAMING")]
    pub to_framing: FramingArg,
}

/// The options of `reencode`.
#[derive(Args, Debug)]
pub struct ReencodeArgs {
    /// The file to look at; - for standard input.
    pub file: PathBuf,

    /// Write numbers in the widths that the engine's writer picks.
    #[arg(long)]
    pub canonical: bool,
}

/// The options of `unwrap`.
#[derive(Args, Debug)]
pub struct UnwrapArgs {
    /// The file to take apart; - for standard input. It is only read.
    pub file: PathBuf,

    /// The file to write; - for standard output. Written beside its place and renamed into it.
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
}

/// The options of `wrap`.
#[derive(Args, Debug)]
pub struct WrapArgs {
    /// The file to wrap, as it is; - for standard input. It is only read.
    pub file: PathBuf,

    /// The file to write; - for standard output. Written beside its place and renamed into it.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// Compress it, as `open_compressed` does.
    #[arg(long, value_enum, value_name = "MODE")]
    pub compress: Option<CompressArg>,

    /// The bytes of a block.
    #[arg(long, value_name = "BYTES", default_value_t = 4096, requires = "compress")]
    pub block_size: u32,

    /// How much effort to take: 0 to 9 for deflate and gzip, -7 to 22 for zstd.
    #[arg(long, value_name = "N", requires = "compress", allow_negative_numbers = true)]
    pub level: Option<i32>,

    /// Encrypt it, as `open_encrypted` and `open_encrypted_with_pass` of this engine do.
    #[arg(long, value_enum, value_name = "ENGINE")]
    pub encrypt: Option<EncryptArg>,
}
