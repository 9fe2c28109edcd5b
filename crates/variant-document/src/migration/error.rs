//! [`MigrationError`]: why a file of steps cannot be read, or why a value cannot be migrated.

use std::cell::Cell;
use std::error::Error as StdError;
use std::fmt;

use variant_view::short_path;

use crate::escape::escaped;
use crate::trouble::Trouble;

/// Why a file of steps cannot be read, or why a value cannot be migrated.
///
/// The text has the place in the file of steps, the step, the path in the value and the reason:
/// `steps.toml:14:5: rename: party[2].hp: the key "health" exists already`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MigrationError {
    name: String,
    spot: Option<Spot>,
    step: Option<&'static str>,
    path: String,
    reason: String,
}

/// A line and a column of a file of steps, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    line: usize,
    column: usize,
}

/// A text whose lines and columns are counted. Places in the order of the text take O(bytes) in all.
pub(super) struct Spots<'t> {
    text: &'t str,
    /// The byte of the last place, and that place.
    last: Cell<(usize, Spot)>,
}

impl<'t> Spots<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self { text, last: Cell::new((0, Spot { line: 1, column: 1 })) }
    }

    /// The place of a byte. O(bytes since the last place), or O(bytes before it) if it is before the last place.
    pub(super) fn at(&self, byte: usize) -> Spot {
        let (mut from, mut spot) = self.last.get();
        if from > byte {
            (from, spot) = (0, Spot { line: 1, column: 1 });
        }
        for char in self.text.get(from..byte).unwrap_or_default().chars() {
            spot = match char {
                '\n' => Spot { line: spot.line.saturating_add(1), column: 1 },
                _ => Spot { column: spot.column.saturating_add(1), ..spot },
            };
        }
        self.last.set((byte, spot));
        spot
    }
}

impl MigrationError {
    /// An error without a place in the file of steps.
    pub(super) fn new(name: &str, reason: impl Into<String>) -> Self {
        let (spot, step, path) = (None, None, String::new());
        Self { name: name.to_owned(), spot, step, path, reason: reason.into() }
    }

    pub(super) fn at(name: &str, spot: Spot, reason: impl Into<String>) -> Self {
        Self { spot: Some(spot), ..Self::new(name, reason) }
    }

    /// The error of a step.
    pub(super) fn of(name: &str, fault: Fault) -> Self {
        let Fault { step, path, why } = fault;
        let (spot, step) = step.unzip();
        Self { name: name.to_owned(), spot, step, path, reason: why }
    }

    /// The line in the file of steps, from 1; `None` if the error is not about a line.
    pub fn line(&self) -> Option<usize> {
        self.spot.map(|spot| spot.line)
    }

    /// The column in the line, from 1.
    pub fn column(&self) -> Option<usize> {
        self.spot.map(|spot| spot.column)
    }

    /// The kind of the step that failed, such as `rename`.
    pub const fn step(&self) -> Option<&'static str> {
        self.step
    }

    /// The path of the value that the step cannot change; empty if the error is not about a value.
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for MigrationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if let Some(Spot { line, column }) = self.spot {
            write!(f, ":{line}:{column}")?;
        }
        if let Some(step) = self.step {
            write!(f, ": {step}")?;
        }
        if !self.path.is_empty() {
            write!(f, ": {}", escaped(&short_path(&self.path)))?;
        }
        write!(f, ": {}", self.reason)
    }
}

impl StdError for MigrationError {}

impl From<MigrationError> for Trouble {
    fn from(error: MigrationError) -> Self {
        Self::message(&error)
    }
}

/// The reason why a step cannot be made.
#[derive(Debug)]
pub(super) struct Fault {
    /// The place of the step, and its kind. If steps are nested, both belong to the innermost step.
    pub(super) step: Option<(Spot, &'static str)>,
    /// The path of the value; empty for the root, or if the fault is not about a value.
    pub(super) path: String,
    pub(super) why: String,
}

impl Fault {
    /// Puts `path` before the path of the fault. The old path begins at the value to which `path` leads.
    #[must_use]
    pub(super) fn below(mut self, path: &str) -> Self {
        let dot = !path.is_empty() && !self.path.is_empty() && !self.path.starts_with(['[', '{']);
        self.path = [path, if dot { "." } else { "" }, &self.path].concat();
        self
    }

    /// Adds the step to the fault, unless the fault already has an inner step.
    #[must_use]
    pub(super) fn in_step(mut self, spot: Spot, step: &'static str) -> Self {
        self.step.get_or_insert((spot, step));
        self
    }
}

impl From<String> for Fault {
    fn from(why: String) -> Self {
        Self { step: None, path: String::new(), why }
    }
}

impl From<&str> for Fault {
    fn from(why: &str) -> Self {
        why.to_owned().into()
    }
}
