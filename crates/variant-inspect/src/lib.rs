//! The commands of `variant-inspect`: they look at files with serialized Variants, and write to
//! whatever they are given.
//!
//! The program itself is a few lines around [`run`].

mod choice;
mod cli;
mod convert;
mod count;
mod detect;
mod escape;
mod explain;
mod failure;
mod hexdump;
mod json;
mod literal;
mod magic;
mod number;
mod open;
mod output;
mod parallel;
mod pieces;
mod reencode;
mod report;
mod style;
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
    ReencodeArgs, Secret, StyleArg, TextArgs, TreeArgs, UnwrapArgs, ValidateArgs, Verb, WrapArgs,
};
use failure::{Failure, Status};
pub use terminal::Terminal;

/// Does what `verb` says, reading as `common` says, and returns the exit status: 0 all is well, 1 invalid input, 2 the dialect
/// cannot be told, 3 a file cannot be read or the output not written.
///
/// A reader that goes away, as `head` does, ends the command early and is no error.
pub fn run(verb: &Verb, common: &CommonArgs, terminal: &mut Terminal<'_>) -> u8 {
    let result = open::with_key(common).and_then(|common| run_verb(verb, &common, terminal));
    let flushed = terminal.out.flush().map_err(Failure::from);
    let status = match result.and_then(|status| flushed.map(|()| status)) {
        Ok(status) | Err(Failure::Told(status)) => status,
        Err(Failure::File { status, message }) => {
            // If that cannot be told either, the exit status has to do.
            let _ = terminal.error(&message);
            status
        }
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Status::Fine,
        Err(Failure::Output(error)) => {
            let _ = writeln!(terminal.err, "error: cannot write: {error}");
            Status::Io
        }
    };
    status.code()
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
        Verb::Reencode(args) => reencode::run(args, common, terminal),
        Verb::Unwrap(args) => wrap::run_back(args, common, terminal),
        Verb::Wrap(args) => wrap::run(args, common, terminal),
    }
}
