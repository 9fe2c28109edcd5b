//! [`Cli`]: the command line.

mod change;
mod check;
mod common;
mod compare;
mod debug;
mod examples;
mod files;
mod find;
mod fuzz_save;
mod grouped;
mod mcp;
mod migrate;
mod old;
mod table;
mod understand;
mod values;
mod verbs;

use std::ffi::OsString;
use std::path::Path;

use clap::{FromArgMatches as _, Parser, Subcommand};

use crate::arguments;
pub use change::{
    ChangeArgs, DeleteArgs, EditArgs, FrameArgs, InsertArgs, MergeArgs, Prefer, RenameKeyArgs,
    SetArgs,
};
pub use check::{ChangeArg, CheckArgs, DetectArgs, SeverityArg};
pub use common::CommonArgs;
pub use compare::DiffArgs;
pub use debug::{
    AttachArgs, BreakArgs, DebugArgs, DebugVerb, EvalArgs, FailOnArg, InspectArgs, ListenArgs,
    Once, OnceArgs, Order, ProfileArgs, ProxyArgs, RecordArgs, ReplayArgs, ReportArg, ReportForm,
    SendArgs, SessionArgs, SetNodeArgs, SortArg, SourceLine, StackArgs, StepArgs, TreeOfNodesArgs,
    UiArgs, UntilArgs, VarsArgs, WaitArgs, WatchArgs,
};
pub use files::FilesArgs;
pub use find::{AsArg, FlattenArgs, GetArgs, GrepArgs, HexArgs, KeysArgs, OnlyFrameArgs};
pub use fuzz_save::FuzzSaveArgs;
use grouped::grouped;
pub(crate) use grouped::program;
pub use mcp::McpArgs;
pub use migrate::MigrateArgs;
use old::OldVerb;
pub use table::{MetaArg, MisfitArg, TableArgs, TableFormatArg};
pub use understand::{SchemaArgs, StatsArgs};
pub use values::{
    ColorArg, CompressArg, EncryptArg, FormArg, FramingArg, InputArg, LimitsArg, ProfileArg,
    RealsArg, Secret, SourceArg, StyleArg, TailArg,
};
pub use verbs::{
    BrowseArgs, CompletionsArgs, ConvertArgs, FromArgs, JsonArgs, ManArgs, SalvageArgs, TargetArgs,
    TextArgs, TreeArgs, UnwrapArgs, WrapArgs,
};

const USAGE: &str = "\
variant-inspect [OPTIONS] <FILE>
       variant-inspect <COMMAND> [OPTIONS] <FILE>...";

const EXAMPLES: &str = "\
Examples:
  variant-inspect save.dat | less            print a save as a tree
  variant-inspect tree --depth 2 save.dat    print two levels only
  variant-inspect tree --at inventory[3] save.dat
  variant-inspect browse save.dat            walk through a save, and change values
  variant-inspect set save.dat player.level 38         change a value; the old file is kept as save.dat~
  variant-inspect edit save.dat              change values in $EDITOR
  variant-inspect diff old.dat new.dat       which values differ, even between engines
  variant-inspect check *.dat                find damage, with offset and path
  variant-inspect check --all --fail-on warning *.dat  anything that no engine would write
  variant-inspect detect packet.bin          guess the engine, with reasons
  variant-inspect detect --scan level.dat    find values among other data
  variant-inspect convert --to godot4 old.save -o new.save
  variant-inspect table saves/ -o saves.parquet        values of many files as one table
  variant-inspect salvage broken.dat -o new.dat        all that is left of a damaged file
  variant-inspect --skip 12 level.dat        start at byte 12
  nc -l 4242 | variant-inspect -             read from a pipe
  SECRET=hunter2 variant-inspect --password-env SECRET save.gdec

Exit status:
  0    yes: done, found, valid, the same
  1    no: the input is damaged or invalid, nothing is found, something differs, or there is a finding
  2    the arguments are wrong, or lack the dialect, which cannot be detected
  3    a file cannot be read or written
  4    no answer: damage ends the comparison of diff
  141  the reader of the output closed it

Arguments of every run: variables such as VARIANT_INSPECT_DIALECT=godot3, or lines such as
--dialect=godot3 in ~/.config/variant-inspect/arguments, or in the file that VARIANT_INSPECT_CONFIG names.";

/// Prints, checks and converts saves and packets of Godot and Pandemonium.
///
/// Reads files of `store_var`, `put_var` and `var_to_bytes`, also compressed and encrypted ones. Runs `tree` if no command
/// is given. Changes an input file only where the command says so.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES, override_usage = USAGE, subcommand_negates_reqs = true)]
#[command(subcommand_precedence_over_arg = true)]
pub struct Cli {
    #[command(subcommand)]
    verb: Option<Written>,

    #[command(flatten)]
    tree: Option<TreeArgs>,

    /// The options of every command.
    #[command(flatten)]
    pub common: CommonArgs,

    /// The name of the command, as it was given.
    #[arg(skip)]
    pub name: String,
}

impl Cli {
    /// Parses the arguments of the program. The first argument is the name of the program. Arguments from the
    /// environment and from the user's file are added. Arguments of the command line replace them.
    ///
    /// # Errors
    /// A message for the user, or help and version as [`clap::Error`].
    pub fn read(args: Vec<OsString>) -> Result<Self, ReadError> {
        let (command, args) = arguments::complete(grouped(), args).map_err(ReadError::File)?;
        let matches = command.try_get_matches_from(args).map_err(ReadError::Arguments)?;
        let cli = Self::from_arg_matches(&matches).map_err(ReadError::Arguments)?;
        let name = matches.subcommand_name().unwrap_or("tree").to_owned();
        Ok(Self { name, ..cli })
    }

    /// The command, `tree` by default, and the common options.
    ///
    /// # Errors
    /// A message for the user, if the arguments are ambiguous.
    pub fn into_parts(self) -> Result<(Verb, CommonArgs), String> {
        match (self.verb, self.tree) {
            (Some(Written::Verb(verb)), None) => Ok((verb, self.common)),
            (Some(Written::Old(old)), None) => Ok((old.into(), self.common)),
            (None, Some(tree)) => match suggestion([tree.file.clone().into()]) {
                None => Ok((Verb::Tree(tree), self.common)),
                Some(suggestion) => Err(suggestion),
            },
            _ => Err("error: expected one command, followed by its files".to_owned()),
        }
    }
}

/// Why a command line cannot be parsed.
#[derive(Debug)]
pub enum ReadError {
    /// A message about the user's file of arguments.
    File(String),
    /// An error in the arguments, or the text of help or version.
    Arguments(clap::Error),
}

/// A command under its name, or under a name of earlier versions.
#[derive(Debug, Subcommand)]
enum Written {
    #[command(flatten)]
    Verb(Verb),
    #[command(flatten)]
    Old(OldVerb),
}

/// Suggests a command, if an argument is neither a command nor a file but is spelled almost like a command.
pub fn suggestion(args: impl IntoIterator<Item = OsString>) -> Option<String> {
    let verbs = program();
    let verbs = verbs.get_subcommands().filter(|verb| !verb.is_hide_set());
    let verbs: Vec<_> = verbs.map(clap::Command::get_name).collect();
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

/// The maximum number of typing mistakes in a command that still gets a suggestion.
const MOST_SLIPS: usize = 2;

/// A command, with its arguments.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Print the values as a tree.
    #[command(after_help = examples::TREE)]
    Tree(TreeArgs),
    /// Print the values that paths select.
    #[command(after_help = examples::GET, after_long_help = examples::with_paths(examples::GET))]
    Get(GetArgs),
    /// Print the keys of containers.
    #[command(after_help = examples::KEYS, after_long_help = examples::with_paths(examples::KEYS))]
    Keys(KeysArgs),
    /// Print a line for each value: its path and a literal.
    #[command(after_help = examples::FLATTEN)]
    Flatten(FlattenArgs),
    /// Find keys and texts in files.
    #[command(after_help = examples::GREP)]
    Grep(GrepArgs),
    /// Print the bytes of values with their meaning, or the meaning of one byte.
    #[command(after_help = examples::HEX, after_long_help = examples::with_paths(examples::HEX))]
    Hex(HexArgs),
    /// Print statistics of files: sizes by path and kind, the longest values, exceeded limits.
    #[command(after_help = examples::STATS)]
    Stats(StatsArgs),
    /// Print the shape of values: a tree, a JSON Schema, or types for Rust, GDScript, TypeScript or Python.
    #[command(after_help = examples::SCHEMA)]
    Schema(SchemaArgs),
    /// Write values of many files as one table: Parquet, Arrow, CSV or JSON lines.
    #[command(after_help = examples::TABLE, after_long_help = examples::with_columns(examples::TABLE))]
    Table(TableArgs),
    /// Set the values at paths.
    #[command(after_help = examples::SET, after_long_help = examples::with_paths(examples::SET))]
    Set(SetArgs),
    /// Insert a value into a container.
    #[command(after_help = examples::INSERT, after_long_help = examples::with_paths(examples::INSERT))]
    Insert(InsertArgs),
    /// Delete the values at paths.
    #[command(after_help = examples::DELETE, after_long_help = examples::with_paths(examples::DELETE))]
    Delete(DeleteArgs),
    /// Rename the key of a value.
    #[command(after_help = examples::RENAME_KEY, after_long_help = examples::with_paths(examples::RENAME_KEY))]
    RenameKey(RenameKeyArgs),
    /// Merge the values of another file into a file.
    #[command(after_help = examples::MERGE)]
    Merge(MergeArgs),
    /// Bring old saves to the newest version of a game, by a file of steps.
    #[command(after_help = examples::MIGRATE)]
    Migrate(MigrateArgs),
    /// Open the values in a text editor, and write the changed values.
    #[command(after_help = examples::EDIT)]
    Edit(EditArgs),
    /// Walk through the values on the terminal, and change them.
    #[command(after_help = examples::BROWSE)]
    Browse(BrowseArgs),
    /// Compare two files, value by value, also across engines and wrappings.
    #[command(after_help = examples::DIFF, after_long_help = examples::with_paths(examples::DIFF))]
    Diff(DiffArgs),
    /// Check files for damage, and for bytes that no engine would write.
    #[command(after_help = examples::CHECK)]
    Check(CheckArgs),
    /// Guess which engine wrote a file, with reasons; or find values among other data.
    #[command(after_help = examples::DETECT)]
    Detect(DetectArgs),
    /// Convert a file to another dialect, and report losses.
    #[command(after_help = examples::CONVERT)]
    Convert(ConvertArgs),
    /// Print the values as JSON, one value per line.
    #[command(after_help = examples::JSON)]
    Json(JsonArgs),
    /// Write a file from JSON, from the output of flatten, or from literals, in the dialect of --dialect or of --like's
    /// file.
    #[command(after_help = examples::FROM)]
    From(FromArgs),
    /// Print the values as literals of the engine's script language.
    #[command(after_help = examples::TEXT)]
    Text(TextArgs),
    /// Recover the undamaged values of a file, and report the holes.
    #[command(after_help = examples::SALVAGE)]
    Salvage(SalvageArgs),
    /// Write the plain bytes of a compressed or encrypted file.
    #[command(after_help = examples::UNWRAP)]
    Unwrap(UnwrapArgs),
    /// Compress a file, encrypt it, or both, as the engine does.
    #[command(after_help = examples::WRAP)]
    Wrap(WrapArgs),
    /// Debug a running game: log, nodes, breakpoints, profile.
    #[command(after_help = examples::DEBUG)]
    Debug(DebugArgs),
    /// Find saves that a game's loader fails on: change a save, start the game with it, collect errors and crashes.
    #[command(after_help = examples::FUZZ_SAVE)]
    FuzzSave(FuzzSaveArgs),
    /// Serve agents by the Model Context Protocol, over standard input and output.
    #[command(after_help = examples::MCP)]
    Mcp(McpArgs),
    /// Print the script with which a shell completes commands and options.
    #[command(hide = true, after_help = examples::COMPLETIONS)]
    Completions(CompletionsArgs),
    /// Print the manual page of the program or of a command.
    #[command(hide = true, after_help = examples::MAN)]
    Man(ManArgs),
}

impl Verb {
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
                | Self::Check(CheckArgs { all: true, .. })
                | Self::Detect(DetectArgs { scan: true, .. })
        )
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;
    use variant_io::{ByteOrder, Framing};
    use variant_view::{Dialect, Page};

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
    }

    #[test]
    fn every_command_takes_the_common_options_on_either_side() {
        for name in ["tree", "check", "validate", "detect"] {
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
}
