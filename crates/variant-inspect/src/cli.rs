//! [`Cli`]: the command line.

mod examples;
mod values;
mod verbs;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory as _, Parser, Subcommand};
use variant_io::Key;
use variant_view::{Dialect, Page};

pub use values::{
    ColorArg, CompressArg, EncryptArg, FormArg, FramingArg, LimitsArg, ProfileArg, RealsArg,
    Secret, StyleArg,
};
use values::{dialects, pages};
pub use verbs::{
    ConvertArgs, DetectArgs, FromJsonArgs, FromTextArgs, JsonArgs, ReencodeArgs, ScanArgs,
    TargetArgs, TextArgs, TreeArgs, UnwrapArgs, ValidateArgs, WrapArgs,
};

const USAGE: &str = "\
variant-inspect [OPTIONS] <FILE>
       variant-inspect <COMMAND> [OPTIONS] <FILE>...";

const EXAMPLES: &str = "\
Examples:
  variant-inspect save.dat | less            print a save as a tree
  variant-inspect tree --depth 2 save.dat    print two levels only
  variant-inspect tree --at player.items[3] save.dat
  variant-inspect validate *.dat             find damage, with offset and path
  variant-inspect detect packet.bin          guess the engine, with reasons
  variant-inspect convert --to godot4 old.save -o new.save
  variant-inspect text save.dat > save.txt   print as text to edit; back with:
  variant-inspect from-text save.txt --like save.dat -o new.dat
  variant-inspect scan level.dat             find values among other data
  variant-inspect --skip 12 level.dat        start at byte 12
  nc -l 4242 | variant-inspect -             read from a pipe
  SECRET=hunter2 variant-inspect --password-env SECRET save.gdec

Exit status: 0 success, 1 invalid input, 2 wrong usage or the dialect cannot be detected,
3 a file cannot be read or written, 141 the reader of the output closed it.";

/// Prints, checks and converts saves and packets of Godot and Pandemonium.
///
/// Reads files of `store_var`, `put_var` and `var_to_bytes`, also compressed and encrypted ones. Runs `tree` if no command
/// is given. Never changes an input file.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES, override_usage = USAGE, subcommand_negates_reqs = true)]
#[command(subcommand_precedence_over_arg = true)]
pub struct Cli {
    #[command(subcommand)]
    verb: Option<Verb>,

    #[command(flatten)]
    tree: Option<TreeArgs>,

    /// The options of every command.
    #[command(flatten)]
    pub common: CommonArgs,
}

impl Cli {
    /// The command, `tree` by default, and the common options.
    ///
    /// # Errors
    /// A message for the user, if the arguments are ambiguous.
    pub fn into_parts(self) -> Result<(Verb, CommonArgs), String> {
        match (self.verb, self.tree) {
            (Some(verb), None) => Ok((verb, self.common)),
            (None, Some(tree)) => match suggestion([tree.file.clone().into()]) {
                None => Ok((Verb::Tree(tree), self.common)),
                Some(suggestion) => Err(suggestion),
            },
            _ => Err("error: expected one command, followed by its files".to_owned()),
        }
    }
}

/// A message that suggests a command, if an argument is neither a command nor a file and is spelled almost like a command.
pub fn suggestion(args: impl IntoIterator<Item = OsString>) -> Option<String> {
    let verbs = Cli::command();
    let verbs: Vec<_> = verbs.get_subcommands().map(clap::Command::get_name).collect();
    args.into_iter().find_map(|arg| {
        let word = arg.to_str()?;
        let distance = |verb: &&str| strsim::damerau_levenshtein(word, verb);
        let nearest = verbs.iter().copied().min_by_key(distance)?;
        let is_near = (1..=MOST_SLIPS).contains(&distance(&nearest)) && word.len() > MOST_SLIPS;
        (is_near && !Path::new(word).exists()).then(|| {
            format!("error: `{word}` is neither a command nor a file; did you mean `{nearest}`?")
        })
    })
}

/// The most typing mistakes in a command that still gets a suggestion.
const MOST_SLIPS: usize = 2;

/// A command, with its arguments.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Print the values as a tree.
    #[command(after_help = examples::TREE)]
    Tree(TreeArgs),
    /// Check files, and report where they are damaged.
    #[command(after_help = examples::VALIDATE)]
    Validate(ValidateArgs),
    /// Guess which engine wrote a file, with reasons.
    #[command(after_help = examples::DETECT)]
    Detect(DetectArgs),
    /// Convert a file to another dialect, and report what is lost.
    #[command(after_help = examples::CONVERT)]
    Convert(ConvertArgs),
    /// Print the values as JSON, one value per line.
    #[command(after_help = examples::JSON)]
    Json(JsonArgs),
    /// Write a file from JSON, in the dialect of --dialect or of the file of --like.
    #[command(after_help = examples::FROM_JSON)]
    FromJson(FromJsonArgs),
    /// Print the values as literals of the engine's script language.
    #[command(after_help = examples::TEXT)]
    Text(TextArgs),
    /// Write a file from literals, in the dialect of --dialect or of the file of --like.
    #[command(after_help = examples::FROM_TEXT)]
    FromText(FromTextArgs),
    /// Find values among other data in a file.
    #[command(after_help = examples::SCAN)]
    Scan(ScanArgs),
    /// Decode and encode a file in memory, and report the bytes that differ.
    #[command(after_help = examples::REENCODE)]
    Reencode(ReencodeArgs),
    /// Write the plain bytes of a compressed or encrypted file.
    #[command(after_help = examples::UNWRAP)]
    Unwrap(UnwrapArgs),
    /// Compress a file, encrypt it, or both, as the engine does.
    #[command(after_help = examples::WRAP)]
    Wrap(WrapArgs),
}

/// The options of every command.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Common options")]
pub struct CommonArgs {
    /// Engine that wrote the file [default: guessed].
    #[arg(long, global = true, value_parser = dialects())]
    pub dialect: Option<Dialect>,

    /// Page of the official documentation to follow literally, instead of an engine.
    #[arg(long, global = true, value_name = "PAGE", value_parser = pages(), conflicts_with = "dialect")]
    pub as_documented: Option<Page>,

    /// Width of the reals in vectors [default: guessed].
    #[arg(long, global = true, value_enum)]
    pub reals: Option<RealsArg>,

    /// How the file separates values: frames have a length prefix, in big-endian for frames-be.
    #[arg(long, global = true, value_enum, default_value_t)]
    pub framing: FramingArg,

    /// Number of bytes to skip before the first value, such as a version number.
    #[arg(long, global = true, value_name = "BYTES", default_value_t)]
    pub skip: u64,

    /// Read the file instead of mapping it into memory; for files that may shrink meanwhile.
    #[arg(long, global = true)]
    pub no_mmap: bool,

    /// Environment variable with the password of an encrypted file.
    #[arg(long, global = true, value_name = "NAME", conflicts_with_all = ["password_file", "key_hex"])]
    pub password_env: Option<String>,

    /// File whose first line is the password of an encrypted file.
    #[arg(long, global = true, value_name = "FILE", conflicts_with = "key_hex")]
    pub password_file: Option<PathBuf>,

    /// Key of an encrypted file, 64 hexadecimal digits. Visible to other users while the program runs.
    #[arg(long, global = true, value_name = "DIGITS")]
    pub key_hex: Option<Secret>,

    /// The key, read from the password or digits above.
    #[arg(skip)]
    pub key: Option<Key>,

    /// Limit for the contents of a compressed or encrypted file, in bytes.
    #[arg(long, global = true, value_name = "BYTES", default_value_t = MAX_UNPACKED)]
    pub max_unpacked: u64,

    /// Limit for input that is not mapped, in bytes: pipes, text and JSON.
    #[arg(long, global = true, value_name = "BYTES", default_value_t = MAX_INPUT)]
    pub max_input: u64,

    /// When to use colors.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub color: ColorArg,
}

/// The default of `--max-unpacked`, in bytes.
const MAX_UNPACKED: u64 = 1 << 30;

/// The default of `--max-input`, in bytes.
const MAX_INPUT: u64 = 1 << 30;

impl CommonArgs {
    /// The dialect of `--dialect` or `--as-documented`, if one is given.
    pub fn dialect(&self) -> Option<Dialect> {
        self.dialect.or(self.as_documented.map(Page::dialect))
    }
}

impl Default for CommonArgs {
    /// The defaults of the command line.
    fn default() -> Self {
        Self {
            dialect: None,
            as_documented: None,
            reals: None,
            framing: FramingArg::default(),
            skip: 0,
            no_mmap: false,
            password_env: None,
            password_file: None,
            key_hex: None,
            key: None,
            max_unpacked: MAX_UNPACKED,
            max_input: MAX_INPUT,
            color: ColorArg::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use variant_io::{ByteOrder, Framing};

    use super::*;

    fn parse(args: &[&str]) -> Result<(Verb, CommonArgs), clap::Error> {
        let all = std::iter::once("variant-inspect").chain(args.iter().copied());
        Cli::try_parse_from(all).map(|cli| cli.into_parts().unwrap())
    }

    #[test]
    fn the_definitions_are_consistent() {
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
    fn every_command_takes_the_common_options_on_either_side() {
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
    fn g_a_page_is_a_dialect_of_its_own() {
        for page in Page::ALL {
            let (_, common) = parse(&["f", "--as-documented", page.name()]).unwrap();
            assert_eq!(common.dialect(), Some(page.dialect()));
        }
        assert!(parse(&["f", "--as-documented", "godot-4"]).is_err());
        let both = ["f", "--as-documented", "godot-3.0", "--dialect", "godot3"];
        assert!(parse(&both).is_err());
        let (Verb::Convert(convert), _) =
            parse(&["convert", "f", "--to", "documented-godot-3.0", "-o", "g"]).unwrap()
        else {
            panic!("convert")
        };
        assert_eq!(convert.to, Page::Godot30.dialect());
    }

    #[test]
    fn a_key_is_never_printed() {
        let digits = "0123456789abcdef".repeat(4);
        let (_, common) = parse(&["f", "--key-hex", &digits]).unwrap();
        assert_eq!(common.key_hex.as_ref().map(Secret::reveal), Some(&*digits));
        assert!(!format!("{common:?}").contains("0123"));
    }

    #[test]
    fn two_commands_are_an_error() {
        let cli = Cli::try_parse_from(["variant-inspect", "--depth", "1", "a", "detect", "b"]);
        assert!(cli.map_or(true, |cli| cli.into_parts().is_err()));
    }
}
