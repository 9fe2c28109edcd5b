//! [`Cli`]: what can be asked for on the command line.

mod values;
mod verbs;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use variant_io::Key;
use variant_view::Dialect;

use values::dialects;
pub use values::{
    ColorArg, CompressArg, EncryptArg, FormArg, FramingArg, LimitsArg, ProfileArg, RealsArg,
    Secret, StyleArg,
};
pub use verbs::{
    ConvertArgs, DetectArgs, FromJsonArgs, FromTextArgs, JsonArgs, ReencodeArgs, TextArgs,
    TreeArgs, UnwrapArgs, ValidateArgs, WrapArgs,
};

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
    pub key_hex: Option<Secret>,

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

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;
    use variant_io::{ByteOrder, Framing};

    use super::*;

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
    fn a_key_is_never_printed() {
        let digits = "0123456789abcdef".repeat(4);
        let (_, common) = parse(&["f", "--key-hex", &digits]).unwrap();
        assert_eq!(common.key_hex.as_ref().map(Secret::reveal), Some(&*digits));
        assert!(!format!("{common:?}").contains("0123"));
    }

    #[test]
    fn two_verbs_are_one_too_many() {
        let cli = Cli::try_parse_from(["variant-inspect", "--depth", "1", "a", "detect", "b"]);
        assert!(cli.map_or(true, |cli| cli.into_parts().is_none()));
    }
}
