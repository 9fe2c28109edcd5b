//! A command, not a library: `variant-inspect` prints, checks, edits and converts saves and packets of Godot and
//! Pandemonium.
//!
//! ```sh
//! cargo install variant-inspect
//! ```
//!
//! | to | command |
//! |---|---|
//! | learn what wrote a file | `variant-inspect detect save.dat` |
//! | see its values | `variant-inspect tree save.dat` |
//! | see its bytes, each named | `variant-inspect hex save.dat` |
//! | print one value | `variant-inspect get save.dat 'party[0].hp'` |
//! | change one value | `variant-inspect set save.dat 'party[0].hp' 10` |
//! | learn what is wrong with it | `variant-inspect validate save.dat`, `variant-inspect explain save.dat 134` |
//! | carry it to another engine | `variant-inspect convert --to godot4 save.dat -o new.dat` |
//! | make a table of many | `variant-inspect table saves/ --columns "player.level, meta.slot" -o saves.parquet` |
//! | get JSON, or make a file of it | `variant-inspect json save.dat`, `variant-inspect from-json --dialect godot4 save.json -o new.dat` |
//!
//! `variant-inspect help` lists all commands and `variant-inspect help tree` the options of one;
//! `variant-inspect completions bash` prints completions for a shell, and `variant-inspect man` the manual page.
//! In the repository: `docs/command.md`, `docs/cookbook.md`, `docs/guides/saves.md`.
//!
//! The library behind the command has no stable interface: it exists for the command and for tests. Programs use the
//! crates `variant-view`, `variant-owned`, `variant-io` and `variant-serde`.

// The program parses `Cli` and calls `run`. Commands read files and write to a `Terminal`, so that tests can capture
// the output. All of it is hidden from the documentation.

mod bounded;
mod choice;
mod cli;
mod difference;
mod draft;
mod envelope;
mod failure;
mod files;
mod flat;
mod hexdump;
mod open;
mod output;
mod parallel;
mod printed;
mod progress;
mod read;
mod report;
mod rewrite;
mod settings;
mod style;
mod target;
mod terminal;
mod trail;
mod transcript;
mod values;
mod verbs;

use std::io;

#[doc(hidden)]
pub use cli::{
    AsArg, AuditArgs, BrowseArgs, ChangeArgs, Cli, ColorArg, CommonArgs, CompletionsArgs,
    CompressArg, ConvertArgs, DeleteArgs, DetectArgs, DiffArgs, EditArgs, EncryptArg, ExplainArgs,
    FilesArgs, FlattenArgs, FormArg, FrameArgs, FramingArg, FromJsonArgs, FromTextArgs, GetArgs,
    GrepArgs, HexArgs, InputArg, InsertArgs, JsonArgs, KeysArgs, LimitsArg, ManArgs, MergeArgs,
    MetaArg, MisfitArg, OnlyFrameArgs, ProfileArg, ReadError, RealsArg, ReencodeArgs,
    RenameKeyArgs, SalvageArgs, ScanArgs, SchemaArgs, Secret, SetArgs, SeverityArg, StatsArgs,
    StyleArg, TableArgs, TableFormatArg, TailArg, TargetArgs, TextArgs, TreeArgs, UnflattenArgs,
    UnwrapArgs, ValidateArgs, Verb, WrapArgs, suggestion,
};
use failure::{Failure, Status};
#[doc(hidden)]
pub use open::AskedKey;
#[doc(hidden)]
pub use progress::Progress;
#[doc(hidden)]
pub use terminal::Terminal;
#[doc(hidden)]
pub use variant_document::escape::neutral_lines;

/// The exit status when the reader of the output closes it, as `head` does: that of a program ended by SIGPIPE.
#[doc(hidden)]
pub const GONE: u8 = 128 + 13;

/// Runs a command and returns its exit status.
///
/// | status | meaning |
/// |---|---|
/// | 0 | success |
/// | 1 | invalid input; for `diff`, a difference |
/// | 2 | wrong usage, or the dialect cannot be detected; for `diff`, also invalid input |
/// | 3 | a file cannot be read, or the output cannot be written |
/// | [`GONE`] | the reader of the output closed it; the command ends early, without a message |
#[doc(hidden)]
pub fn run(verb: &Verb, common: &CommonArgs, terminal: &mut Terminal<'_>) -> u8 {
    let result = run_verb(verb, common, terminal);
    let flushed = terminal.out.flush().map_err(Failure::from);
    match result.and_then(|status| flushed.map(|()| status)) {
        Ok(status) | Err(Failure::Told(status)) => status.code(),
        Err(Failure::File { status, message }) => {
            // If standard error fails too, only the exit status remains.
            let _ = terminal.error(&message);
            status.code()
        }
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => GONE,
        Err(Failure::Output(error)) => {
            let _ = writeln!(terminal.err, "error: cannot write: {error}");
            Status::Io.code()
        }
    }
}

fn run_verb(
    verb: &Verb,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    match verb {
        Verb::Tree(args) => verbs::tree::run(args, common, terminal),
        Verb::Get(args) => verbs::get::run(args, common, terminal),
        Verb::Keys(args) => verbs::keys::run(args, common, terminal),
        Verb::Flatten(args) => verbs::flatten::run(args, common, terminal),
        Verb::Unflatten(args) => verbs::unflatten::run(args, common, terminal),
        Verb::Grep(args) => verbs::grep::run(args, common, terminal),
        Verb::Hex(args) => verbs::hex::run(args, common, terminal),
        Verb::Stats(args) => verbs::stats::run(args, common, terminal),
        Verb::Schema(args) => verbs::schema::run(args, common, terminal),
        Verb::Table(args) => verbs::table::run(args, common, terminal),
        Verb::Set(args) => verbs::set::run(args, common, terminal),
        Verb::Insert(args) => verbs::insert::run(args, common, terminal),
        Verb::Delete(args) => verbs::delete::run(args, common, terminal),
        Verb::RenameKey(args) => verbs::rename_key::run(args, common, terminal),
        Verb::Merge(args) => verbs::merge::run(args, common, terminal),
        Verb::Edit(args) => verbs::edit::run(args, common, terminal),
        Verb::Browse(args) => verbs::browse::run(args, common, terminal),
        Verb::Diff(args) => verbs::diff::run(args, common, terminal),
        Verb::Validate(args) => verbs::validate::run(args, common, terminal),
        Verb::Detect(args) => verbs::detect::run(args, common, terminal),
        Verb::Convert(args) => verbs::convert::run(args, common, terminal),
        Verb::Json(args) => verbs::json::run(args, common, terminal),
        Verb::FromJson(args) => verbs::json::run_back(args, common, terminal),
        Verb::Text(args) => verbs::text::run(args, common, terminal),
        Verb::FromText(args) => verbs::text::run_back(args, common, terminal),
        Verb::Scan(args) => verbs::scan::run(args, common, terminal),
        Verb::Audit(args) => verbs::audit::run(args, common, terminal),
        Verb::Salvage(args) => verbs::salvage::run(args, common, terminal),
        Verb::Explain(args) => verbs::explain::run(args, common, terminal),
        Verb::Reencode(args) => verbs::reencode::run(args, common, terminal),
        Verb::Unwrap(args) => verbs::wrap::run_back(args, common, terminal),
        Verb::Wrap(args) => verbs::wrap::run(args, common, terminal),
        Verb::Completions(args) => verbs::completions::run(args, terminal),
        Verb::Man(args) => verbs::man::run(args, terminal),
    }
}

/// Whether this is the published package, which lacks the corpus. Checks for a file that cargo adds to packages.
#[cfg(test)]
pub(crate) fn is_packed() -> bool {
    std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml.orig")).exists()
}
