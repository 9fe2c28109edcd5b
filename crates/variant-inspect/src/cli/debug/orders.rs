//! The orders of a debugger: as commands of `debug`, and as lines of `debug session`.

use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use regex::Regex;

use super::AttachArgs;
use super::values::{SourceLine, seconds};
use crate::cli::examples;

macro_rules! orders {
    ($($(#[$about:meta])* $name:ident($args:ty), $examples:ident;)+) => {
        /// An order of a session.
        #[derive(Clone, Debug, Subcommand)]
        pub enum Order {
            $($(#[$about])* $name($args),)+
        }

        /// An order as a command: with its own connection.
        #[derive(Debug, Subcommand)]
        pub enum Once {
            $($(#[$about])* #[command(after_help = examples::$examples)] $name(Attached<$args>),)+
        }

        impl Once {
            /// The order and the connection.
            pub fn parts(&self) -> (Order, &OnceArgs) {
                match self {
                    $(Self::$name(of) => (Order::$name(of.order.clone()), &of.once),)+
                }
            }
        }
    };
}

orders! {
    /// Print the tree of the game's nodes.
    Tree(TreeOfNodesArgs), NODES;
    /// Print the properties of a node.
    Inspect(InspectArgs), INSPECT;
    /// Set a property of a node.
    Set(SetNodeArgs), SET_NODE;
    /// Evaluate an expression in a stopped game (Godot 4.4 and later).
    Eval(EvalArgs), EVAL;
    /// Stop at a line of a script, or at once.
    Break(BreakArgs), BREAK;
    /// Run to the next line, also into a function.
    Step(StepArgs), STEP;
    /// Run to the next line of the function.
    Next(StepArgs), STEP;
    /// Let a stopped game run.
    Continue(StepArgs), STEP;
    /// Print the stack of a stopped game.
    Stack(StackArgs), STACK;
    /// Print the variables of a stopped game.
    Vars(VarsArgs), VARS;
    /// Print the time that each function takes.
    Profile(ProfileArgs), PROFILE;
    /// Send a message to the game's own code (Godot 4).
    Send(SendArgs), SEND;
    /// Print the messages of the game's own code (Godot 4).
    Watch(WatchArgs), WATCH;
    /// Wait for a line of output.
    Until(UntilArgs), UNTIL;
    /// Wait until the game stops, or for a time.
    Wait(WaitArgs), WAIT;
}

/// An order and its connection.
#[derive(Args, Debug)]
pub struct Attached<T: Args> {
    /// The order.
    #[command(flatten)]
    pub order: T,
    /// The connection.
    #[command(flatten)]
    pub once: OnceArgs,
}

/// The arguments of an order that is a command.
#[derive(Args, Clone, Debug)]
pub struct OnceArgs {
    /// Begin when a line of the game's output matches this regular expression [default: at once].
    #[arg(long, value_name = "PATTERN")]
    pub when: Option<Regex>,

    /// Also print what the game prints.
    #[arg(long)]
    pub log: bool,

    /// The connection.
    #[command(flatten)]
    pub attach: AttachArgs,
}

/// The arguments of the order `tree`.
#[derive(Args, Clone, Debug, Default)]
pub struct TreeOfNodesArgs {
    /// Print only this node and the nodes below it.
    pub node: Option<String>,

    /// Print nodes down to this level only; 0 prints the root alone.
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,

    /// Print the paths of the nodes whose name or class contains this text.
    #[arg(long, value_name = "TEXT")]
    pub find: Option<String>,
}

/// The arguments of the order `inspect`.
#[derive(Args, Clone, Debug)]
pub struct InspectArgs {
    /// Path (/root/Main/Player), name if only one node has it, or id of a node.
    pub node: String,

    /// Properties to print, such as hp or bag.gold [default: all].
    #[arg(value_name = "PROPERTY")]
    pub properties: Vec<String>,
}

/// The arguments of the order `set`.
#[derive(Args, Clone, Debug)]
pub struct SetNodeArgs {
    /// Path (/root/Main/Player), name if only one node has it, or id of a node.
    pub node: String,

    /// Property, such as hp, position or bag.gold.
    pub property: String,

    /// The value, as scripts write it: 5, '"text"', 'Vector2(1, 2)'.
    #[arg(allow_negative_numbers = true)]
    pub value: String,

    /// Take the value as text, without quotes.
    #[arg(long)]
    pub string: bool,
}

/// The arguments of the order `eval`.
#[derive(Args, Clone, Debug)]
pub struct EvalArgs {
    /// The expression.
    pub expression: String,

    /// Frame of the stack, from 0, the innermost.
    #[arg(long, value_name = "N", default_value_t)]
    pub frame: u32,

    /// Stop at this line first.
    #[arg(long, value_name = "FILE:LINE")]
    pub at: Option<SourceLine>,
}

/// The arguments of the order `break`.
#[derive(Args, Clone, Debug, Default)]
pub struct BreakArgs {
    /// Lines of scripts, such as main.gd:33 [default: stop at once]. As a command, the stack is printed at the first stop.
    #[arg(value_name = "FILE:LINE")]
    pub lines: Vec<SourceLine>,

    /// Remove the breakpoints of these lines instead.
    #[arg(long, requires = "lines")]
    pub clear: bool,
}

/// The arguments of the orders `step`, `next` and `continue`.
#[derive(Args, Clone, Debug, Default)]
pub struct StepArgs {
    /// Stop at this line first.
    #[arg(long, value_name = "FILE:LINE")]
    pub at: Option<SourceLine>,
}

/// The arguments of the order `stack`.
#[derive(Args, Clone, Debug, Default)]
pub struct StackArgs {
    /// Stop at this line first.
    #[arg(long, value_name = "FILE:LINE")]
    pub at: Option<SourceLine>,
}

/// The arguments of the order `vars`.
#[derive(Args, Clone, Debug, Default)]
pub struct VarsArgs {
    /// Variables to print, such as beat or bag.gold [default: all].
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,

    /// Frame of the stack, from 0, the innermost.
    #[arg(long, value_name = "N", default_value_t)]
    pub frame: u32,

    /// Stop at this line first.
    #[arg(long, value_name = "FILE:LINE")]
    pub at: Option<SourceLine>,
}

/// The order of the rows of a profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SortArg {
    /// The function's own time.
    #[default]
    Own,
    /// The time of the function and of the functions that it calls.
    Total,
    /// The number of calls.
    Calls,
}

/// The arguments of the order `profile`.
#[derive(Args, Clone, Debug)]
pub struct ProfileArgs {
    /// Time to measure, in seconds.
    #[arg(value_parser = seconds, default_value = "5", value_name = "SECONDS")]
    pub time: Duration,

    /// Order of the rows.
    #[arg(long, value_enum, default_value_t, value_name = "BY")]
    pub sort: SortArg,

    /// Print at most N functions.
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub limit: usize,

    /// Print a line of names and a line for each function, with commas between.
    #[arg(long)]
    pub csv: bool,
}

/// The arguments of the order `send`.
#[derive(Args, Clone, Debug)]
pub struct SendArgs {
    /// Name of the message, such as mine:ask.
    pub name: String,

    /// Values, as scripts write them: 5, '"text"', 'Vector2(1, 2)'.
    #[arg(value_name = "VALUE", allow_negative_numbers = true)]
    pub values: Vec<String>,

    /// Also send a message of the engine. A game may end or hang if the arguments of such a message are wrong.
    #[arg(long)]
    pub raw: bool,
}

/// The arguments of the order `watch`.
#[derive(Args, Clone, Debug)]
pub struct WatchArgs {
    /// Beginnings of the names to print, such as mine: [default: all that are not the engine's].
    #[arg(value_name = "PREFIX")]
    pub prefixes: Vec<String>,

    /// End after N messages.
    #[arg(long, value_name = "N")]
    pub count: Option<u64>,

    /// End after this time, in seconds.
    #[arg(long = "for", value_name = "SECONDS", value_parser = seconds)]
    pub time: Option<Duration>,
}

/// The arguments of the order `until`.
#[derive(Args, Clone, Debug)]
pub struct UntilArgs {
    /// Regular expression that a line of the game's output must match.
    pub pattern: Regex,
}

/// The arguments of the order `wait`.
#[derive(Args, Clone, Debug, Default)]
pub struct WaitArgs {
    /// Time in seconds [default: until the game stops].
    #[arg(value_parser = seconds, value_name = "SECONDS")]
    pub time: Option<Duration>,
}
