//! The commands of `variant-inspect`: print, check and convert files of serialized Variants.
//!
//! The program parses [`Cli`] and calls [`run`]. Commands read files and write to a [`Terminal`], so that tests can capture
//! the output.

mod choice;
mod cli;
mod convert;
mod count;
mod detect;
mod difference;
mod envelope;
mod escape;
mod explain;
mod failure;
mod hexdump;
mod json;
mod literal;
mod lookup;
mod magic;
mod nested;
mod open;
mod output;
mod parallel;
mod pieces;
mod read;
mod reencode;
mod report;
mod scan;
mod style;
mod target;
mod terminal;
mod text;
mod transcript;
mod tree;
mod validate;
mod values;
mod wrap;

use std::io;

pub use cli::{
    Cli, ColorArg, CommonArgs, CompressArg, ConvertArgs, DetectArgs, EncryptArg, FormArg,
    FramingArg, FromJsonArgs, FromTextArgs, JsonArgs, LimitsArg, ProfileArg, RealsArg,
    ReencodeArgs, ScanArgs, Secret, StyleArg, TargetArgs, TextArgs, TreeArgs, UnwrapArgs,
    ValidateArgs, Verb, WrapArgs, suggestion,
};
pub use escape::neutral_lines;
use failure::{Failure, Status};
pub use terminal::Terminal;

/// The exit status when the reader of the output closes it, as `head` does: that of a program ended by SIGPIPE.
pub const GONE: u8 = 128 + 13;

/// Runs a command and returns its exit status.
///
/// | status | meaning |
/// |---|---|
/// | 0 | success |
/// | 1 | invalid input |
/// | 2 | wrong usage, or the dialect cannot be detected |
/// | 3 | a file cannot be read, or the output cannot be written |
/// | [`GONE`] | the reader of the output closed it; the command ends early, without a message |
pub fn run(verb: &Verb, common: &CommonArgs, terminal: &mut Terminal<'_>) -> u8 {
    let result = open::with_key(common).and_then(|common| run_verb(verb, &common, terminal));
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
        Verb::Tree(args) => tree::run(args, common, terminal),
        Verb::Validate(args) => validate::run(args, common, terminal),
        Verb::Detect(args) => detect::run(args, common, terminal),
        Verb::Convert(args) => convert::run(args, common, terminal),
        Verb::Json(args) => json::run(args, common, terminal),
        Verb::FromJson(args) => json::run_back(args, common, terminal),
        Verb::Text(args) => text::run(args, common, terminal),
        Verb::FromText(args) => text::run_back(args, common, terminal),
        Verb::Scan(args) => scan::run(args, common, terminal),
        Verb::Reencode(args) => reencode::run(args, common, terminal),
        Verb::Unwrap(args) => wrap::run_back(args, common, terminal),
        Verb::Wrap(args) => wrap::run(args, common, terminal),
    }
}
