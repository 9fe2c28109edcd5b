//! [`messages`]: the table of all messages. Parsing, sending and docs/spec/debugger.json use it.

use crate::family::{Family, Version};

/// A message of the protocol.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct MessageRow {
    /// The name on the wire.
    pub name: &'static str,
    /// Who sends it.
    pub direction: Direction,
    /// The families that have it.
    pub families: &'static [Family],
    /// The first version of Godot 4 that has it; `None`: all.
    pub since: Option<Version>,
    /// The last version of Godot 4 that has it; `None`: all.
    pub until: Option<Version>,
    /// The elements in order. Those that repeat are last.
    pub arguments: &'static [Argument],
    /// The least number of elements. A game may crash on fewer.
    pub least: usize,
    /// The greatest number of elements; `None`: any.
    pub most: Option<usize>,
    /// The state of the game in which it reads a command.
    pub when: When,
    /// The builds that have it.
    pub build: Build,
    /// How the facts were found.
    pub source: Source,
    /// What it means.
    pub meaning: &'static str,
}

/// An element of a message.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// Its type, such as `Int`, `String`, `Array[file: String, line: Int]` or `any`.
    pub kind: &'static str,
    /// Its unit, such as `s`, `ms` or `bytes`; empty without one.
    pub unit: &'static str,
    /// Whether the elements that repeat include it.
    pub repeats: bool,
}

/// Who sends a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The game.
    FromGame,
    /// The debugger.
    ToGame,
}

/// The state of the game in which it reads a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// In either state.
    Always,
    /// While it runs.
    Running,
    /// While it is stopped.
    Stopped,
}

/// The builds that have a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// All builds.
    Any,
    /// Builds with `DEBUG_ENABLED` alone: editors, exports with debug.
    Debug,
}

/// How the facts about a message were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// In runs of engines.
    Run,
    /// In the source of engines alone.
    Read,
}

/// All messages, those of the game first.
pub fn messages() -> &'static [MessageRow] {
    &[]
}
