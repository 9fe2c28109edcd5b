//! [`Cli`]: what can be asked for on the command line.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{Args, Parser, Subcommand, ValueEnum};
use variant_io::{ByteOrder, Compression, Framing, Key};
use variant_owned::TextStyle;
use variant_owned::json::Form;
use variant_view::{Dialect, Limits, Profile, Reals};

const USAGE: &str = "\
variant-inspect [OPTIONS] <FILE>
       variant-inspect <COMMAND> [OPTIONS] <FILE>...";

const EXAMPLES: &str = "\
Examples:
  variant-inspect save.dat | less            look at a save
  variant-inspect tree --depth 2 save.dat    only its outline
  variant-inspect validate *.dat             what is wrong, and where
  variant-inspect detect packet.bin          which engine wrote it, and how one can tell
  variant-inspect convert --to godot4 old.save -o new.save
  nc -l 4242 | variant-inspect -             read from a pipe
  SECRET=hunter2 variant-inspect --password-env SECRET save.gdec

Exit status: 0 all is well, 1 invalid input, 2 wrong usage or the dialect cannot be told,
3 a file cannot be read or written.";

/// Shows what is in a save or packet of Godot or Pandemonium, and what is wrong with it.
///
/// Reads what `store_var`, `put_var` and `var_to_bytes` write. Without a verb, `tree` is meant. Inputs
/// are only ever read.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES, override_usage = USAGE, subcommand_negates_reqs = true)]
#[command(subcommand_precedence_over_arg = true)]
pub struct Cli {
    #[command(subcommand)]
    verb: Option<Verb>,

    #[command(flatten)]
    tree: Option<TreeArgs>,

    /// How to read, whatever the verb.
    #[command(flatten)]
    pub common: CommonArgs,
}

impl Cli {
    /// The verb, `tree` if none was given, and how to read. None if it is not clear what is meant.
    pub fn into_parts(self) -> Option<(Verb, CommonArgs)> {
        let verb = match (self.verb, self.tree) {
            (Some(verb), None) => verb,
            (None, Some(tree)) => Verb::Tree(tree),
            _ => return None,
        };
        Some((verb, self.common))
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Print the values as a tree.
    Tree(TreeArgs),
    /// Check everything, and show where it is damaged.
    Validate(ValidateArgs),
    /// Tell which engine wrote a file, and how.
    Detect(DetectArgs),
    /// Write a file as another engine would, and tell what is lost.
    Convert(ConvertArgs),
    /// Print the values as JSON, one to a line.
    Json(JsonArgs),
    /// Write JSON as the engine's bytes, in the dialect that --dialect names.
    FromJson(FromJsonArgs),
    /// Print the values as scripts write them.
    Text(TextArgs),
    /// Write a script's literal as the engine's bytes, in the dialect that --dialect names.
    FromText(FromTextArgs),
    /// Read and write a file in memory, and show the first byte that is not the same.
    Reencode(ReencodeArgs),
    /// Write the plain bytes of a compressed or encrypted file.
    Unwrap(UnwrapArgs),
    /// Compress a file, encrypt it, or both, as the engine would.
    Wrap(WrapArgs),
}

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

/// The options of every verb.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "How to read")]
pub struct CommonArgs {
    /// Which engine wrote it; without this it is guessed.
    #[arg(long, global = true, value_parser = dialects())]
    pub dialect: Option<Dialect>,

    /// How wide the reals of vectors are, if the guess is wrong.
    #[arg(long, global = true, value_enum)]
    pub reals: Option<RealsArg>,

    /// Whether length words stand in front of the values (frames-be: high byte first).
    #[arg(long, global = true, value_enum, default_value_t)]
    pub framing: FramingArg,

    /// Read the file instead of mapping it, for files that change or shrink meanwhile.
    #[arg(long, global = true)]
    pub no_mmap: bool,

    /// The variable of the environment that holds the password of an encrypted file.
    #[arg(long, global = true, value_name = "NAME", conflicts_with_all = ["password_file", "key_hex"])]
    pub password_env: Option<String>,

    /// The file whose first line is the password of an encrypted file.
    #[arg(long, global = true, value_name = "FILE", conflicts_with = "key_hex")]
    pub password_file: Option<PathBuf>,

    /// The key of an encrypted file, in 64 hexadecimal digits. Other users may see it while this runs.
    #[arg(long, global = true, value_name = "DIGITS")]
    pub key_hex: Option<String>,

    /// The key, once it has been read from wherever the arguments say.
    #[arg(skip)]
    pub key: Option<Key>,

    /// The bytes that a compressed or encrypted file may have inside.
    #[arg(long, global = true, value_name = "BYTES", default_value_t = MAX_UNPACKED)]
    pub max_unpacked: u64,

    /// When to use colours.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub color: ColorArg,
}

/// The most that is unpacked, unless said otherwise.
const MAX_UNPACKED: u64 = 1 << 30;

impl Default for CommonArgs {
    /// As without any of them.
    fn default() -> Self {
        Self {
            dialect: None,
            reals: None,
            framing: FramingArg::default(),
            no_mmap: false,
            password_env: None,
            password_file: None,
            key_hex: None,
            key: None,
            max_unpacked: MAX_UNPACKED,
            color: ColorArg::default(),
        }
    }
}

fn dialects() -> impl clap::builder::TypedValueParser<Value = Dialect> {
    PossibleValuesParser::new(Dialect::ALL.iter().map(|dialect| dialect.name()))
        .try_map(|name| name.parse())
}

/// `--profile`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ProfileArg {
    /// What the engine's reader accepts.
    #[default]
    Engine,
    /// Only what the engine's writer writes.
    Canonical,
}

impl From<ProfileArg> for Profile {
    fn from(arg: ProfileArg) -> Self {
        match arg {
            ProfileArg::Engine => Self::Engine,
            ProfileArg::Canonical => Self::Canonical,
        }
    }
}

/// `--limits`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LimitsArg {
    /// 1,024 levels, 2 GiB.
    Engine,
    /// 128 levels, 64 MiB, a million values.
    Server,
    /// 1,024 levels.
    #[default]
    File,
}

impl From<LimitsArg> for Limits {
    fn from(arg: LimitsArg) -> Self {
        match arg {
            LimitsArg::Engine => Self::ENGINE,
            LimitsArg::Server => Self::SERVER,
            LimitsArg::File => Self::FILE,
        }
    }
}

/// `--reals`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RealsArg {
    /// As each value says.
    ByFlag,
    /// 8 bytes each.
    #[value(name = "always64")]
    Always64,
}

impl From<RealsArg> for Reals {
    fn from(arg: RealsArg) -> Self {
        match arg {
            RealsArg::ByFlag => Self::ByFlag,
            RealsArg::Always64 => Self::Always64,
        }
    }
}

/// `--framing`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FramingArg {
    /// As it looks.
    #[default]
    Auto,
    /// No length words, one value.
    Bare,
    /// Length words, low byte first.
    Frames,
    /// Length words, high byte first.
    FramesBe,
}

impl FramingArg {
    /// The framing, if it is not to be guessed.
    pub const fn given(self) -> Option<Framing> {
        match self {
            Self::Auto => None,
            Self::Bare => Some(Framing::Bare),
            Self::Frames => Some(Framing::Frames(ByteOrder::Little)),
            Self::FramesBe => Some(Framing::Frames(ByteOrder::Big)),
        }
    }
}

/// `--compress`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CompressArg {
    /// Quick; every engine.
    Fastlz,
    /// Every engine.
    Deflate,
    /// All but Godot 2.
    Zstd,
    /// All but Godot 2.
    Gzip,
}

impl From<CompressArg> for Compression {
    fn from(arg: CompressArg) -> Self {
        match arg {
            CompressArg::Fastlz => Self::FastLz,
            CompressArg::Deflate => Self::Deflate,
            CompressArg::Zstd => Self::Zstd,
            CompressArg::Gzip => Self::Gzip,
        }
    }
}

/// `--encrypt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EncryptArg {
    /// Godot 1 to 3 and Pandemonium.
    Godot3,
    /// Godot 4.
    Godot4,
}

/// `--form`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FormArg {
    /// As Godot 4.4's `JSON.from_native` writes it, so that the engine reads it back.
    #[default]
    Native,
    /// Natural JSON, for jq and people; says what it cannot hold.
    Plain,
    /// Everything, so that it comes back byte for byte.
    Exact,
}

impl From<FormArg> for Form {
    fn from(form: FormArg) -> Self {
        match form {
            FormArg::Native => Self::Native,
            FormArg::Plain => Self::Plain,
            FormArg::Exact => Self::Exact,
        }
    }
}

/// `--style`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StyleArg {
    /// As Godot 3.
    Godot3,
    /// As Godot 4.
    Godot4,
    /// As Pandemonium.
    Pandemonium,
}

impl From<StyleArg> for TextStyle {
    fn from(style: StyleArg) -> Self {
        match style {
            StyleArg::Godot3 => Self::Godot3,
            StyleArg::Godot4 => Self::Godot4,
            StyleArg::Pandemonium => Self::Pandemonium,
        }
    }
}

/// `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorArg {
    /// On terminals, unless the environment says otherwise (`NO_COLOR`, `CLICOLOR`).
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    fn parse(args: &[&str]) -> Result<(Verb, CommonArgs), clap::Error> {
        let all = std::iter::once("variant-inspect").chain(args.iter().copied());
        Cli::try_parse_from(all).map(|cli| cli.into_parts().unwrap())
    }

    #[test]
    fn the_definitions_hold_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn tree_is_the_default() {
        for args in [&["a.bin", "--depth", "3"][..], &["tree", "a.bin", "--depth=3"]] {
            let (Verb::Tree(tree), _) = parse(args).unwrap() else { panic!("{args:?}") };
            assert_eq!((tree.file.to_str(), tree.depth), (Some("a.bin"), Some(3)));
        }
        assert!(parse(&[]).is_err());
    }

    #[test]
    fn every_verb_takes_the_common_options_on_either_side() {
        for name in ["tree", "validate", "detect"] {
            for args in [
                [name, "f", "--dialect", "godot3", "--framing", "frames-be"],
                ["--dialect", "godot3", "--framing", "frames-be", name, "f"],
            ] {
                let (_, common) = parse(&args).unwrap();
                assert_eq!(common.dialect, Some(Dialect::Godot3));
                assert_eq!(common.framing.given(), Some(Framing::Frames(ByteOrder::Big)));
            }
        }
        assert!(parse(&["tree", "f", "--dialect", "godot9"]).is_err());
        assert_eq!(parse(&["--reals", "always64", "-"]).unwrap().1.reals, Some(RealsArg::Always64));
    }

    #[test]
    fn two_verbs_are_one_too_many() {
        let cli = Cli::try_parse_from(["variant-inspect", "--depth", "1", "a", "detect", "b"]);
        assert!(cli.map_or(true, |cli| cli.into_parts().is_none()));
    }
}
