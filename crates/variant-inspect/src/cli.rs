//! [`Cli`]: the command line.

mod browse;
mod change;
mod compare;
mod examples;
mod files;
mod find;
mod program;
mod rescue;
mod table;
mod understand;
mod values;
mod verbs;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use variant_io::Key;
use variant_view::{Dialect, Page};

use crate::open::AskedKey;
use crate::settings;
pub use browse::BrowseArgs;
pub use change::{
    ChangeArgs, DeleteArgs, EditArgs, FrameArgs, InsertArgs, MergeArgs, RenameKeyArgs, SetArgs,
};
pub use compare::DiffArgs;
pub use files::FilesArgs;
pub use find::{
    AsArg, FlattenArgs, GetArgs, GrepArgs, HexArgs, KeysArgs, OnlyFrameArgs, UnflattenArgs,
};
pub use program::{CompletionsArgs, ManArgs};
pub use rescue::{AuditArgs, ExplainArgs, SalvageArgs, SeverityArg};
pub use table::{MetaArg, MisfitArg, TableArgs, TableFormatArg};
pub use understand::{SchemaArgs, StatsArgs};
pub use values::{
    ColorArg, CompressArg, EncryptArg, FormArg, FramingArg, InputArg, LimitsArg, ProfileArg,
    RealsArg, Secret, StyleArg, TailArg,
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
  variant-inspect browse save.dat            walk through a save, and change values
  variant-inspect tree --at inventory[3] save.dat
  variant-inspect diff old.dat new.dat       which values differ, even between engines
  variant-inspect validate *.dat             find damage, with offset and path
  variant-inspect detect packet.bin          guess the engine, with reasons
  variant-inspect convert --to godot4 old.save -o new.save
  variant-inspect set save.dat player.level 38         change a value; the old file is kept as save.dat~
  variant-inspect edit save.dat              change values in $EDITOR
  variant-inspect diff old.dat save.dat      what changed
  variant-inspect table saves/ -o saves.parquet      values of many files as one table
  variant-inspect scan level.dat             find values among other data
  variant-inspect audit --fail-on warning *.dat        anything that no engine would write
  variant-inspect salvage broken.dat -o new.dat        all that is left of a damaged file
  variant-inspect --skip 12 level.dat        start at byte 12
  nc -l 4242 | variant-inspect -             read from a pipe
  SECRET=hunter2 variant-inspect --password-env SECRET save.gdec

Exit status: 0 success, 1 invalid input, 2 wrong usage or the dialect cannot be detected,
3 a file cannot be read or written, 141 the reader of the output closed it.

Defaults of the common options: variables such as VARIANT_INSPECT_DIALECT=godot3, or lines such as
dialect = \"godot3\" in ~/.config/variant-inspect/config.toml, or the file that VARIANT_INSPECT_CONFIG names.";

/// Prints, checks and converts saves and packets of Godot and Pandemonium.
///
/// Reads files of `store_var`, `put_var` and `var_to_bytes`, also compressed and encrypted ones. Runs `tree` if no command
/// is given. Changes an input file only where the command says so.
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
    /// Parses the arguments of the program, the first of which is its name. Options have the defaults of the environment and
    /// the configuration file.
    ///
    /// # Errors
    /// A message for the user, or help and version as [`clap::Error`].
    pub fn read(args: Vec<OsString>) -> Result<Self, ReadError> {
        let texts: Vec<_> = args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
        let configured = settings::configured(Self::command(), &texts);
        let command = configured.or_else(|why| {
            // Help must work even if a setting is wrong.
            let is_help = |arg: &&str| ["-h", "--help", "help", "-V", "--version"].contains(arg);
            let asks = texts.iter().map(String::as_str).any(|arg| is_help(&arg));
            if asks { Ok(Self::command()) } else { Err(ReadError::Settings(why)) }
        })?;
        let matches = command.try_get_matches_from(args).map_err(ReadError::Arguments)?;
        Self::from_arg_matches(&matches).map_err(ReadError::Arguments)
    }

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

/// Why a command line cannot be followed.
#[derive(Debug)]
pub enum ReadError {
    /// A message about a configuration file or an environment variable.
    Settings(String),
    /// An error in the arguments, or the text of help or version.
    Arguments(clap::Error),
}

/// Suggests a command, if an argument is neither a command nor a file but is spelled almost like a command.
pub fn suggestion(args: impl IntoIterator<Item = OsString>) -> Option<String> {
    let verbs = Cli::command();
    let verbs: Vec<_> = verbs.get_subcommands().map(clap::Command::get_name).collect();
    args.into_iter().find_map(|arg| {
        // An option is not a misspelled command.
        let word = arg.to_str().filter(|word| !word.starts_with('-'))?;
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
    /// Print the values at paths, which may select many.
    #[command(after_help = examples::with_paths(examples::GET))]
    Get(GetArgs),
    /// Print the keys of containers.
    #[command(after_help = examples::with_paths(examples::KEYS))]
    Keys(KeysArgs),
    /// Print a line for each value: its path and a literal.
    #[command(after_help = examples::FLATTEN)]
    Flatten(FlattenArgs),
    /// Write a file from the lines of flatten.
    #[command(after_help = examples::UNFLATTEN)]
    Unflatten(UnflattenArgs),
    /// Find keys and texts in files.
    #[command(after_help = examples::GREP)]
    Grep(GrepArgs),
    /// Print the bytes of values, and what they mean.
    #[command(after_help = examples::with_paths(examples::HEX))]
    Hex(HexArgs),
    /// Sum up files: sizes by path and kind, the longest values, what exceeds limits.
    #[command(after_help = examples::STATS)]
    Stats(StatsArgs),
    /// Print the shape of values: as a tree, JSON Schema, Rust types or GDScript.
    #[command(after_help = examples::SCHEMA)]
    Schema(SchemaArgs),
    /// Write values of many files as one table: Parquet, Arrow, CSV or JSON lines.
    #[command(after_help = examples::with_columns(examples::TABLE))]
    Table(TableArgs),
    /// Set the values at paths.
    #[command(after_help = examples::with_paths(examples::SET))]
    Set(SetArgs),
    /// Insert a value into a container.
    #[command(after_help = examples::with_paths(examples::INSERT))]
    Insert(InsertArgs),
    /// Delete the values at paths.
    #[command(after_help = examples::with_paths(examples::DELETE))]
    Delete(DeleteArgs),
    /// Rename the key of a value.
    #[command(after_help = examples::with_paths(examples::RENAME_KEY))]
    RenameKey(RenameKeyArgs),
    /// Put the values of another file over those of a file.
    #[command(after_help = examples::MERGE)]
    Merge(MergeArgs),
    /// Open the values in a text editor, and write back what changed.
    #[command(after_help = examples::EDIT)]
    Edit(EditArgs),
    /// Walk through the values on the terminal, and change them.
    #[command(after_help = examples::BROWSE)]
    Browse(BrowseArgs),
    /// Compare two files, value by value, whatever their engines and wrappings.
    #[command(after_help = examples::with_paths(examples::DIFF))]
    Diff(DiffArgs),
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
    /// List objects, scripts, leaked memory, damage and whatever no engine would write.
    #[command(after_help = examples::AUDIT)]
    Audit(AuditArgs),
    /// Recover what is left of a damaged file, and report the holes.
    #[command(after_help = examples::SALVAGE)]
    Salvage(SalvageArgs),
    /// Print what is at an offset of a file.
    #[command(after_help = examples::EXPLAIN)]
    Explain(ExplainArgs),
    /// Decode and encode a file in memory, and report the bytes that differ.
    #[command(after_help = examples::REENCODE)]
    Reencode(ReencodeArgs),
    /// Write the plain bytes of a compressed or encrypted file.
    #[command(after_help = examples::UNWRAP)]
    Unwrap(UnwrapArgs),
    /// Compress a file, encrypt it, or both, as the engine does.
    #[command(after_help = examples::WRAP)]
    Wrap(WrapArgs),
    /// Print the script with which a shell completes commands and options.
    #[command(after_help = examples::COMPLETIONS)]
    Completions(CompletionsArgs),
    /// Print the manual page of the program or of a command.
    #[command(after_help = examples::MAN)]
    Man(ManArgs),
}

impl Verb {
    /// The name of the command.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Tree(_) => "tree",
            Self::Get(_) => "get",
            Self::Keys(_) => "keys",
            Self::Flatten(_) => "flatten",
            Self::Unflatten(_) => "unflatten",
            Self::Grep(_) => "grep",
            Self::Hex(_) => "hex",
            Self::Stats(_) => "stats",
            Self::Schema(_) => "schema",
            Self::Table(_) => "table",
            Self::Set(_) => "set",
            Self::Insert(_) => "insert",
            Self::Delete(_) => "delete",
            Self::RenameKey(_) => "rename-key",
            Self::Merge(_) => "merge",
            Self::Edit(_) => "edit",
            Self::Browse(_) => "browse",
            Self::Diff(_) => "diff",
            Self::Validate(_) => "validate",
            Self::Detect(_) => "detect",
            Self::Convert(_) => "convert",
            Self::Json(_) => "json",
            Self::FromJson(_) => "from-json",
            Self::Text(_) => "text",
            Self::FromText(_) => "from-text",
            Self::Scan(_) => "scan",
            Self::Audit(_) => "audit",
            Self::Salvage(_) => "salvage",
            Self::Explain(_) => "explain",
            Self::Reencode(_) => "reencode",
            Self::Unwrap(_) => "unwrap",
            Self::Wrap(_) => "wrap",
            Self::Completions(_) => "completions",
            Self::Man(_) => "man",
        }
    }

    /// Whether the output is for people to read, and may be long.
    pub const fn is_paged(&self) -> bool {
        matches!(
            self,
            Self::Tree(_)
                | Self::Get(_)
                | Self::Keys(_)
                | Self::Flatten(_)
                | Self::Grep(_)
                | Self::Hex(_)
                | Self::Stats(_)
                | Self::Schema(_)
                | Self::Diff(_)
                | Self::Json(_)
                | Self::Text(_)
                | Self::Scan(_)
                | Self::Audit(_)
                | Self::Explain(_)
        )
    }
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

    /// Bytes after the values that belong to none, such as a checksum: keep or drop them where a file is written, or the
    /// number of bytes that they are.
    #[arg(long, global = true, value_name = "keep|drop|BYTES", default_value_t)]
    pub tail: TailArg,

    /// Read the file instead of mapping it into memory; for files that may shrink meanwhile.
    #[arg(long, global = true)]
    pub no_mmap: bool,

    /// Take the file for text that names bytes, as a script or a console prints them.
    #[arg(long, global = true, value_enum, value_name = "FORM")]
    pub input: Option<InputArg>,

    /// Environment variable with the password of an encrypted file; named several times, each is tried.
    #[arg(long, global = true, value_name = "NAME", conflicts_with_all = ["password_file", "password_command", "key_hex"])]
    pub password_env: Vec<String>,

    /// File whose first line is the password of an encrypted file; named several times, each is tried.
    #[arg(long, global = true, value_name = "FILE", conflicts_with_all = ["password_command", "key_hex"])]
    pub password_file: Vec<PathBuf>,

    /// Command of the shell whose first line of output is the password, such as that of a password manager.
    #[arg(long, global = true, value_name = "COMMAND", conflicts_with = "key_hex")]
    pub password_command: Option<String>,

    /// Key of an encrypted file, 64 hexadecimal digits. Visible to other users while the program runs.
    #[arg(long, global = true, value_name = "DIGITS")]
    pub key_hex: Option<Secret>,

    /// The key, where it is not read from the password or digits above.
    #[arg(skip)]
    pub key: Option<Key>,

    /// The keys that the user was asked for.
    #[arg(skip)]
    pub asked: AskedKey,

    /// Limit for the contents of a compressed or encrypted file, in bytes.
    #[arg(long, global = true, value_name = "BYTES", default_value_t = MAX_UNPACKED)]
    pub max_unpacked: u64,

    /// Limit for input that is not mapped, in bytes: pipes, text and JSON.
    #[arg(long, global = true, value_name = "BYTES", default_value_t = MAX_INPUT)]
    pub max_input: u64,

    /// When to use colors.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub color: ColorArg,

    /// Print errors with all that is known: the bytes around them, and the section of docs/spec.
    #[arg(long, global = true)]
    pub explain: bool,

    /// Print long output to the terminal at once, not through $PAGER.
    #[arg(long, global = true)]
    pub no_pager: bool,
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
            tail: TailArg::Keep,
            no_mmap: false,
            input: None,
            password_env: Vec::new(),
            password_file: Vec::new(),
            password_command: None,
            key_hex: None,
            key: None,
            asked: AskedKey::default(),
            max_unpacked: MAX_UNPACKED,
            max_input: MAX_INPUT,
            color: ColorArg::default(),
            explain: false,
            no_pager: false,
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
    fn a_page_is_a_separate_dialect() {
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
