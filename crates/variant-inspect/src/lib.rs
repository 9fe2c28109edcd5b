//! The command `variant-inspect`, which prints, checks, edits and converts saves and packets of Godot and Pandemonium.
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
//! | learn what is wrong with it | `variant-inspect check save.dat`, `variant-inspect hex save.dat --offset 134` |
//! | convert it to another engine | `variant-inspect convert --to godot4 save.dat -o new.dat` |
//! | make a table of many files | `variant-inspect table saves/ --columns "player.level, meta.slot" -o saves.parquet` |
//! | get JSON, or make a file of it | `variant-inspect json save.dat`, `variant-inspect from save.json --dialect godot4 -o new.dat` |
//!
//! `variant-inspect help` lists all commands and `variant-inspect help tree` the options of one;
//! `variant-inspect completions bash` prints completions for a shell, and `variant-inspect man` the manual page.
//! In the repository: `docs/command.md`, `docs/cookbook.md`, `docs/guides/saves.md`.
//!
//! This library serves the command and its tests, and its interface is not stable. Other programs should use the crates
//! `variant-view`, `variant-owned`, `variant-io` and `variant-serde`.

// The program parses `Cli` and calls `run`. Commands read files and write to a `Terminal`, so that tests can capture
// the output. The items below are hidden from the documentation.

mod arguments;
mod choice;
mod cli;
mod draft;
mod envelope;
mod failure;
mod files;
mod flat;
mod groups;
mod hexdump;
mod junit;
mod open;
mod output;
mod printed;
mod progress;
mod read;
mod report;
mod rewrite;
mod rules;
mod sarif;
mod screen;
mod stop;
mod style;
mod target;
mod terminal;
mod trail;
mod transcript;
mod values;
mod verbs;

use std::io;

#[doc(hidden)]
pub use cli::*;
use failure::{Failure, Status};
#[doc(hidden)]
pub use open::AskedKey;
#[doc(hidden)]
pub use progress::Progress;
#[doc(hidden)]
pub use terminal::Terminal;
#[doc(hidden)]
pub use variant_document::escape::neutral_lines;

/// The exit status if the reader of the output closes it, as `head` does. SIGPIPE ends a program with this status.
#[doc(hidden)]
pub const GONE: u8 = 128 + 13;

/// Runs a command and returns its exit status.
///
/// | status | meaning |
/// |---|---|
/// | 0 | the work is done; or something is found, the files are valid, the files are equal |
/// | 1 | the input is invalid, nothing is found, something differs, or there is a finding |
/// | 2 | the arguments are wrong; or the dialect is not given and cannot be detected |
/// | 3 | a file cannot be read, or the output cannot be written |
/// | 4 | `diff` has no result, because a file is damaged |
/// | [`GONE`] | the reader of the output closed it; the command ends early, without a message |
#[doc(hidden)]
pub fn run(verb: &Verb, common: &CommonArgs, terminal: &mut Terminal<'_>) -> u8 {
    let terminal = &mut terminal.with(common);
    let result = run_verb(verb, terminal);
    let flushed = terminal.out.flush().map_err(Failure::from);
    match result.and_then(|status| flushed.map(|()| status)) {
        Ok(status) | Err(Failure::Told(status)) => status.code(),
        Err(Failure::File { status, message }) => {
            // If standard error also fails, only the exit status reports the failure.
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

fn run_verb(verb: &Verb, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    match verb {
        Verb::Tree(args) => verbs::tree::run(args, terminal),
        Verb::Get(args) => verbs::get::run(args, terminal),
        Verb::Keys(args) => verbs::keys::run(args, terminal),
        Verb::Flatten(args) => verbs::flatten::run(args, terminal),
        Verb::Grep(args) => verbs::grep::run(args, terminal),
        Verb::Hex(args) => verbs::hex::run(args, terminal),
        Verb::Stats(args) => verbs::stats::run(args, terminal),
        Verb::Schema(args) => verbs::schema::run(args, terminal),
        Verb::Table(args) => verbs::table::run(args, terminal),
        Verb::Set(args) => verbs::change::set(args, terminal),
        Verb::Insert(args) => verbs::change::insert(args, terminal),
        Verb::Delete(args) => verbs::change::delete(args, terminal),
        Verb::RenameKey(args) => verbs::change::rename_key(args, terminal),
        Verb::Merge(args) => verbs::merge::run(args, terminal),
        Verb::Migrate(args) => verbs::migrate::run(args, terminal),
        Verb::Edit(args) => verbs::edit::run(args, terminal),
        Verb::Browse(args) => verbs::browse::run(args, terminal),
        Verb::Diff(args) => verbs::diff::run(args, terminal),
        Verb::Check(args) => verbs::check::run(args, terminal),
        Verb::Detect(args) => verbs::detect::run(args, terminal),
        Verb::Convert(args) => verbs::convert::run(args, terminal),
        Verb::Json(args) => verbs::json::run(args, terminal),
        Verb::From(args) => verbs::from::run(args, terminal),
        Verb::Text(args) => verbs::text::run(args, terminal),
        Verb::Salvage(args) => verbs::salvage::run(args, terminal),
        Verb::Unwrap(args) => verbs::wrap::run_back(args, terminal),
        Verb::Wrap(args) => verbs::wrap::run(args, terminal),
        Verb::Debug(args) => verbs::debug::run(args, terminal),
        Verb::FuzzSave(args) => verbs::fuzz_save::run(args, terminal),
        Verb::Completions(args) => verbs::completions::run(args, terminal),
        Verb::Mcp(args) => verbs::mcp::run(args, terminal),
        Verb::Man(args) => verbs::man::run(args, terminal),
    }
}

/// Whether the tests run in the published package, which lacks the corpus. `cargo` adds `Cargo.toml.orig` to packages.
#[cfg(test)]
pub(crate) fn is_packed() -> bool {
    std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml.orig")).exists()
}
