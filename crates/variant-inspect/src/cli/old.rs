//! [`OldVerb`]: commands under the names of earlier versions, which scripts may still use.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Verb;
use super::check::{CheckArgs, DetectArgs};
use super::find::{HexArgs, OnlyFrameArgs, ROWS, offset};
use super::values::SourceArg;
use super::verbs::FromArgs;

/// A command under its old name, with the options of the new command.
#[derive(Debug, Subcommand)]
pub(super) enum OldVerb {
    /// Now `check`.
    #[command(hide = true)]
    Validate(CheckArgs),
    /// Now `check --all`.
    #[command(hide = true)]
    Audit(CheckArgs),
    /// Now `detect --scan`.
    #[command(hide = true)]
    Scan(DetectArgs),
    /// Now `hex FILE --offset OFFSET`.
    #[command(hide = true)]
    Explain(ExplainArgs),
    /// Now `from --form json`.
    #[command(hide = true)]
    FromJson(FromArgs),
    /// Now `from --form literals`.
    #[command(hide = true)]
    FromText(FromArgs),
    /// Now `from --form lines`.
    #[command(hide = true)]
    Unflatten(FromArgs),
}

/// The arguments of `explain` in earlier versions.
#[derive(Args, Debug)]
pub(super) struct ExplainArgs {
    file: PathBuf,

    #[arg(value_parser = offset)]
    offset: usize,

    #[arg(long)]
    json: bool,
}

impl From<OldVerb> for Verb {
    fn from(old: OldVerb) -> Self {
        let from =
            |args: FromArgs, form| Self::From(FromArgs { form: args.form.or(Some(form)), ..args });
        match old {
            OldVerb::Validate(args) => Self::Check(args),
            OldVerb::Audit(args) => Self::Check(CheckArgs { all: true, ..args }),
            OldVerb::Scan(args) => Self::Detect(DetectArgs { scan: true, ..args }),
            OldVerb::Explain(ExplainArgs { file, offset, json }) => Self::Hex(HexArgs {
                file,
                paths: Vec::new(),
                offset: Some(offset),
                rows: ROWS,
                json,
                frame: OnlyFrameArgs::default(),
            }),
            OldVerb::FromJson(args) => from(args, SourceArg::Json),
            OldVerb::FromText(args) => from(args, SourceArg::Literals),
            OldVerb::Unflatten(args) => from(args, SourceArg::Lines),
        }
    }
}
