//! The arguments of `debug`.

mod orders;
mod values;

use std::ffi::OsString;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use regex::Regex;
use variant_debugger::Version;

use super::examples;
pub use orders::{
    BreakArgs, EvalArgs, InspectArgs, Once, OnceArgs, Order, ProfileArgs, SendArgs, SetNodeArgs,
    SortArg, StackArgs, StepArgs, TreeOfNodesArgs, UntilArgs, VarsArgs, WaitArgs, WatchArgs,
};
pub(super) use values::seconds;
pub use values::{FailOnArg, ReportArg, ReportForm, SourceLine};

/// The arguments of `debug`.
#[derive(Args, Debug)]
#[command(arg_required_else_help = true)]
pub struct DebugArgs {
    /// The part of the debugger.
    #[command(subcommand)]
    pub verb: DebugVerb,
}

/// A command of `debug`.
#[derive(Debug, Subcommand)]
pub enum DebugVerb {
    /// Print what a game prints: output, errors with their stack, warnings. Can fail on errors and write reports.
    #[command(after_help = examples::LISTEN)]
    Listen(ListenArgs),
    /// Follow orders of a script, of --do or of standard input in one connection: break, vars, step, continue.
    #[command(after_help = examples::SESSION)]
    Session(SessionArgs),
    /// One order.
    #[command(flatten)]
    Once(Once),
    /// Write every frame of a conversation with its time into a file of Variants, which all commands read.
    #[command(after_help = examples::RECORD)]
    Record(RecordArgs),
    /// Play the game's part of a recording to an editor.
    #[command(after_help = examples::REPLAY)]
    Replay(ReplayArgs),
    /// Pass all bytes between a game and an editor, and record them.
    #[command(after_help = examples::PROXY)]
    Proxy(ProxyArgs),
    /// Show log, tree, properties and stack of a game on the terminal.
    #[command(after_help = examples::UI)]
    Ui(UiArgs),
}

/// How a game connects.
#[derive(Args, Clone, Debug)]
pub struct AttachArgs {
    /// Address to listen on. A program that reaches the port is taken for the game: the protocol has neither a password
    /// nor encryption. With another address than that of this machine, every program of the network reaches it.
    #[arg(long, value_name = "IP", default_value = "127.0.0.1", help_heading = ATTACH)]
    pub address: IpAddr,

    /// Port to listen on [default: 6007, the engines' own; with COMMAND, a free one].
    #[arg(short, long, value_name = "PORT", help_heading = ATTACH)]
    pub port: Option<u16>,

    /// End with exit status 1 after this time, in seconds. The game must also connect in this time [default: never; 30
    /// for the connection of COMMAND].
    #[arg(short, long, value_name = "SECONDS", value_parser = seconds, help_heading = ATTACH)]
    pub timeout: Option<Duration>,

    /// Version of Godot 4, such as 4.4, if neither the messages of the game nor COMMAND --version show it.
    #[arg(long, value_name = "VERSION", help_heading = ATTACH)]
    pub engine_version: Option<Version>,

    /// Leave the game of COMMAND running at the end. Otherwise it is ended.
    #[arg(long, requires = "command", help_heading = ATTACH)]
    pub leave: bool,

    /// Print one JSON object on each line (docs/guides/debugging.md).
    #[arg(long, help_heading = ATTACH)]
    pub json: bool,

    /// The game, which is started: a program and its arguments. The engine's option --remote-debug is added, unless an
    /// argument has {address} or {uri}, which become 127.0.0.1:PORT and tcp://127.0.0.1:PORT.
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// The heading of the options that all commands of `debug` have.
const ATTACH: &str = "Connection";

/// The arguments of `debug listen`.
#[derive(Args, Debug)]
pub struct ListenArgs {
    /// End with exit status 0 when a line of the game's output matches this regular expression, and with 1 if the game
    /// ends before.
    #[arg(short, long, value_name = "PATTERN")]
    pub until: Option<Regex>,

    /// End after this time, in seconds, with exit status 0. Unlike --timeout, this is not a failure.
    #[arg(long = "for", value_name = "SECONDS", value_parser = seconds, conflicts_with = "until")]
    pub time: Option<Duration>,

    /// Least grave finding that makes the exit status 1.
    #[arg(long, value_enum, value_name = "FINDING")]
    pub fail_on: Option<FailOnArg>,

    /// Do not count errors and warnings whose text matches this regular expression.
    #[arg(long, value_name = "PATTERN")]
    pub ignore: Vec<Regex>,

    /// Write a report: junit=FILE, sarif=FILE or json=FILE; - for standard output. Several may be given.
    #[arg(long, value_name = "FORM=FILE")]
    pub report: Vec<ReportArg>,

    /// The connection.
    #[command(flatten)]
    pub attach: AttachArgs,
}

/// The arguments of `debug session`.
#[derive(Args, Debug)]
pub struct SessionArgs {
    /// File with one order a line; - for standard input [default: the orders of --do, or standard input].
    #[arg(value_name = "SCRIPT")]
    pub script: Option<PathBuf>,

    /// An order, such as 'break main.gd:33'. Several may be given.
    #[arg(long = "do", value_name = "ORDER", conflicts_with = "script")]
    pub orders: Vec<String>,

    /// Follow further orders after one that failed.
    #[arg(short, long)]
    pub keep_going: bool,

    /// The connection.
    #[command(flatten)]
    pub attach: AttachArgs,
}

/// The arguments of `debug record`.
#[derive(Args, Debug)]
pub struct RecordArgs {
    /// Output file; - for standard output. Replaced only when the conversation has ended.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// End after this time, in seconds.
    #[arg(long = "for", value_name = "SECONDS", value_parser = seconds)]
    pub time: Option<Duration>,

    /// Orders to follow at the start, such as 'profile 5'. Several may be given.
    #[arg(long = "do", value_name = "ORDER")]
    pub orders: Vec<String>,

    /// The connection.
    #[command(flatten)]
    pub attach: AttachArgs,
}

/// The arguments of `debug replay`.
#[derive(Args, Debug)]
pub struct ReplayArgs {
    /// The recording.
    pub file: PathBuf,

    /// Address of the editor, or of another debugger that listens.
    #[arg(long, value_name = "IP:PORT", default_value = "127.0.0.1:6007")]
    pub to: String,

    /// How many times faster than recorded; 0 without pauses.
    #[arg(long, value_name = "N", default_value_t = 1.0)]
    pub speed: f64,
}

/// The arguments of `debug proxy`.
#[derive(Args, Debug)]
pub struct ProxyArgs {
    /// Address of the editor, or of another debugger that listens.
    #[arg(long, value_name = "IP:PORT", default_value = "127.0.0.1:6007")]
    pub to: String,

    /// File for the recording; - for standard output. Without it, the bytes are only passed.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// The connection.
    #[command(flatten)]
    pub attach: AttachArgs,
}

/// The arguments of `debug ui`.
#[derive(Args, Debug)]
pub struct UiArgs {
    /// The connection.
    #[command(flatten)]
    pub attach: AttachArgs,
}
