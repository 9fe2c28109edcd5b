//! [`Mutant`]: a small fault, as cargo-mutants lists it.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use md5::{Digest as _, Md5};
use serde::Deserialize;
use serde::de::IgnoredAny;
use variant_testkit::workspace;

/// A small fault in the source.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Mutant {
    /// The place and the change, in one line, with the name of a constant.
    pub(crate) name: String,
    /// The path of the file in the workspace.
    pub(crate) file: String,
    /// The function with the span. `None` in a constant.
    function: Option<IgnoredAny>,
    pub(crate) genre: Genre,
    pub(crate) span: Span,
    /// The code that replaces the span.
    pub(crate) replacement: String,
}

/// What is changed.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub(crate) enum Genre {
    /// The body of a function.
    FnValue,
    BinaryOperator,
    UnaryOperator,
    /// An arm of a `match` is removed.
    MatchArm,
    MatchArmGuard,
    /// A field is removed from an expression with a base.
    StructField,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: Place,
    pub(crate) end: Place,
}

/// Line and column, counted from 1.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Mutant {
    /// File and change without line and column, which other changes of the file move.
    pub(crate) fn change(&self) -> String {
        let change = self.name.splitn(4, ':').nth(3).unwrap_or(&self.name);
        format!("{}:{change}", self.file)
    }

    /// Whether a switch can select the mutant. No switch is on in a constant.
    pub(crate) const fn has_switch(&self) -> bool {
        self.function.is_some()
    }

    /// The source of the file with the change.
    pub(crate) fn apply(&self, source: &str) -> String {
        let (before, _) = source.split_at(self.span.start.offset(source));
        let (_, after) = source.split_at(self.span.end.offset(source));
        [before, &self.replacement, after].concat()
    }
}

impl Place {
    /// The bytes of the source before the place.
    fn offset(self, source: &str) -> usize {
        let before = self.line.saturating_sub(1);
        let lines: usize = source.split_inclusive('\n').take(before).map(str::len).sum();
        let line = source.split_inclusive('\n').nth(before).unwrap_or_default();
        let column = line.char_indices().nth(self.column.saturating_sub(1));
        lines.saturating_add(column.map_or(line.len(), |(at, _)| at))
    }
}

/// The mutants of a package, in the order of its source.
pub(crate) fn mutants(package: &str, in_diff: Option<&Path>) -> io::Result<Vec<Mutant>> {
    let mut command = Command::new("cargo");
    command.args(["mutants", "--list", "--json", "--package", package]);
    if let Some(diff) = in_diff {
        command.arg("--in-diff").arg(diff);
    }
    let listed = command.current_dir(workspace::root()).stderr(Stdio::inherit()).output()?;
    if !listed.status.success() {
        return Err(io::Error::other("cargo-mutants cannot list the mutants"));
    }
    // Without a mutant in the diff, it prints nothing.
    if listed.stdout.trim_ascii().is_empty() {
        return Ok(Vec::new());
    }
    let mut all: Vec<Mutant> = serde_json::from_slice(&listed.stdout).map_err(io::Error::other)?;
    for mutant in all.iter_mut().filter(|mutant| !mutant.has_switch()) {
        let source = fs::read_to_string(workspace::root().join(&mutant.file))?;
        if let Some(name) = constant(&source, mutant.span.start.line) {
            mutant.name.extend([" in ", name]);
        }
    }
    Ok(all)
}

/// The name of the constant that contains a line.
fn constant(source: &str, line: usize) -> Option<&str> {
    let before = source.lines().take(line).filter_map(|line| line.split_once("const "));
    let names = before.filter_map(|(_, rest)| rest.split_once(':')).map(|(name, _)| name);
    let is_name = |name: &&str| {
        name.chars().all(|c| c == '_' || c.is_ascii_uppercase() || c.is_ascii_digit())
    };
    names.filter(is_name).last()
}

/// `count` of the mutants after the first `skip`, in an order that the seed decides. Lines do not decide it, so that a
/// later run continues an earlier one although the source has changed.
pub(crate) fn drawn(
    mut all: Vec<Mutant>,
    seed: u64,
    skip: usize,
    count: Option<usize>,
) -> Vec<Mutant> {
    all.sort_by_cached_key(|mutant| {
        let change = mutant.change();
        // The name of a constant does not decide it.
        let named = change.rsplit_once(" in ").filter(|_| !mutant.has_switch());
        Md5::digest(format!("{seed} {}", named.map_or(change.as_str(), |(fault, _)| fault)))
    });
    all.into_iter().skip(skip).take(count.unwrap_or(usize::MAX)).collect()
}
