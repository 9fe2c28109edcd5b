//! [`messages`]: the table of all messages. Parsing, sending and docs/spec/debugger.json use it.

mod from_game;
mod to_game;

use crate::family::{Family, Version};

/// A message of the protocol: a row of [`messages`].
///
/// ```
/// use variant_debugger::{Direction, Family, messages};
///
/// let row = messages().find(|row| row.name == "inspect_object").expect("a row");
/// assert_eq!((row.direction, row.least), (Direction::ToGame, 1));
/// assert_eq!(row.families, [Family::Frames, Family::FramesThreads]);
/// ```
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

/// All messages, those of the game first. A name occurs twice if its elements differ by family or version.
pub fn messages() -> impl Iterator<Item = &'static MessageRow> + Clone {
    from_game::ROWS.iter().chain(to_game::ROWS)
}

/// The row of a command. A name that ends in `*` in the table is a prefix.
pub(crate) fn command(name: &str, family: Family) -> Option<&'static MessageRow> {
    to_game::ROWS.iter().find(|row| row.families.contains(&family) && row.is_named(name))
}

/// Whether games of Godot 3 and Pandemonium have a message `name`.
pub(crate) fn is_framed_name(name: &str) -> bool {
    let mut rows = from_game::ROWS.iter().filter(|row| !row.families.iter().all(|f| f.is_array()));
    rows.any(|row| row.is_named(name))
}

impl MessageRow {
    fn is_named(&self, name: &str) -> bool {
        match self.name.strip_suffix('*') {
            Some(prefix) => name.starts_with(prefix),
            None => self.name == name,
        }
    }

    const fn new(
        direction: Direction,
        families: &'static [Family],
        name: &'static str,
        arguments: &'static [Argument],
        meaning: &'static str,
    ) -> Self {
        let mut least = 0;
        let mut repeats = false;
        let mut rest = arguments;
        while let [first, others @ ..] = rest {
            if first.repeats {
                repeats = true;
            } else {
                least = usize::saturating_add(least, 1);
            }
            rest = others;
        }
        let most = if repeats { None } else { Some(least) };
        Self {
            name,
            direction,
            families,
            since: None,
            until: None,
            arguments,
            least,
            most,
            when: When::Always,
            build: Build::Any,
            source: Source::Run,
            meaning,
        }
    }

    const fn read(mut self) -> Self {
        self.source = Source::Read;
        self
    }

    const fn debug(mut self) -> Self {
        self.build = Build::Debug;
        self
    }

    const fn since(mut self, minor: u8) -> Self {
        self.since = Some(Version::new(4, minor));
        self
    }

    const fn until(mut self, minor: u8) -> Self {
        self.until = Some(Version::new(4, minor));
        self
    }

    const fn when(mut self, when: When) -> Self {
        self.when = when;
        self
    }

    const fn least(mut self, least: usize) -> Self {
        self.least = least;
        self
    }

    const fn most(mut self, most: usize) -> Self {
        self.most = Some(most);
        self
    }
}

const FRAMES: &[Family] = &[Family::Frames, Family::FramesThreads];
const ARRAYS: &[Family] = &[Family::Array, Family::ArrayThreads];
const ALL: &[Family] = &Family::ALL;

/// A row: direction, families, name, elements, elements that repeat, meaning.
macro_rules! row {
    ($direction:ident $families:expr, $name:literal,
     [$($once:literal $once_kind:literal $($once_unit:ident)?),*]
     [$($rep:literal $rep_kind:literal $($rep_unit:ident)?),*], $meaning:literal) => {
        MessageRow::new(Direction::$direction, $families, $name, &[
            $(Argument {
                name: $once, kind: $once_kind, unit: row!(@unit $($once_unit)?), repeats: false,
            },)*
            $(Argument {
                name: $rep, kind: $rep_kind, unit: row!(@unit $($rep_unit)?), repeats: true,
            },)*
        ], $meaning)
    };
    (@unit) => { "" };
    (@unit $unit:ident) => { stringify!($unit) };
}

use row;
