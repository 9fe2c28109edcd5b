//! [`build`]: the tests, with all mutants in one build.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use variant_testkit::workspace;

use crate::list::Mutant;
use crate::weave::{Part, Woven, weave};

/// The start of a library with switches, which need an unstable function of the compiler. A mutant of constants may
/// overflow.
const HEAD: &str = "#![feature(core_intrinsics, const_eval_select)]\n\
    #![allow(arithmetic_overflow, internal_features, unconditional_panic)]\n";
/// The end of a library with switches. `COUNT` is their number.
const SWITCHES: &str = include_str!("switch.rs");

/// Test programs with mutants.
#[derive(Debug)]
pub(crate) struct Built {
    /// The mutants by their numbers.
    pub(crate) mutants: BTreeMap<usize, Mutant>,
    /// The mutants that do not compile, or that a switch cannot select.
    pub(crate) left_out: Vec<Mutant>,
    pub(crate) programs: Vec<Program>,
}

/// A test program.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) path: PathBuf,
    /// The folder in which its tests run.
    pub(crate) folder: PathBuf,
}

/// Builds the tests of packages in a copy of the workspace, with mutants of the first one.
///
/// # Errors
/// A file cannot be read or written, or the build fails without a mutant as its cause.
pub(crate) fn build(copy: &Path, packages: &[&String], mutants: Vec<Mutant>) -> io::Result<Built> {
    let mut built = Built {
        mutants: mutants.into_iter().enumerate().collect(),
        left_out: Vec::new(),
        programs: Vec::new(),
    };
    let [package, ..] = packages else { return Err(io::Error::other("a package is missing")) };
    loop {
        let woven = write(copy, package, &mut built)?;
        let failed = compile(copy, package, &["check", "-p", package])?;
        if failed.errors.is_empty() {
            break;
        }
        let guilty = failed.guilty(&woven);
        println!("{} errors, {} mutants do not compile", failed.errors.len(), guilty.len());
        if guilty.is_empty() {
            return Err(io::Error::other(failed.text()));
        }
        built.leave_out(guilty);
    }
    let compiled = compile_tests(copy, packages)?;
    if !compiled.errors.is_empty() {
        return Err(io::Error::other(compiled.text()));
    }
    built.programs = compiled.programs;
    Ok(built)
}

/// Builds the tests of packages in a copy of the workspace, without a switch, and with at most one mutant. `None` if it does
/// not compile.
///
/// # Errors
/// A file cannot be read or written, or cargo fails for another reason.
pub(crate) fn build_one(
    copy: &Path,
    packages: &[&String],
    mutant: Option<&Mutant>,
) -> io::Result<Option<Vec<Program>>> {
    workspace::copy(copy, |name, source| match mutant.filter(|mutant| mutant.file == name) {
        Some(mutant) => mutant.apply(&String::from_utf8_lossy(&source)).into_bytes(),
        None => source,
    })?;
    let compiled = compile_tests(copy, packages)?;
    Ok(compiled.errors.is_empty().then_some(compiled.programs))
}

impl Built {
    fn leave_out(&mut self, ids: BTreeSet<usize>) {
        self.left_out.extend(ids.into_iter().filter_map(|id| self.mutants.remove(&id)));
    }
}

type Files = BTreeMap<String, Woven>;

/// Writes the workspace with the switches of all mutants that are left.
fn write(copy: &Path, package: &str, built: &mut Built) -> io::Result<Files> {
    let mut files = Files::new();
    let names: BTreeSet<_> = built.mutants.values().map(|mutant| mutant.file.clone()).collect();
    for name in names {
        let source = fs::read_to_string(workspace::root().join(&name))?;
        let all = built.mutants.iter().map(|(id, mutant)| (*id, mutant));
        let here: Vec<_> = all.filter(|(_, mutant)| mutant.file == name).collect();
        let woven = weave(&source, &here).map_err(io::Error::other)?;
        files.insert(name, woven);
    }
    let left_out = files.values().flat_map(|woven| woven.left_out.iter().copied()).collect();
    built.leave_out(left_out);

    let library = format!("crates/{package}/src/lib.rs");
    let count = built.mutants.keys().last().map_or(1, |last| last.saturating_add(1));
    let switches = SWITCHES.replace("COUNT", &count.to_string());
    workspace::copy(copy, |name, source| {
        let bytes = files.get(name).map_or(source, |file| file.text.clone().into_bytes());
        if name == library {
            [HEAD.as_bytes(), &bytes, switches.as_bytes()].concat()
        } else {
            bytes
        }
    })?;
    Ok(files)
}

/// The result of a build.
#[derive(Debug, Default)]
struct Compiled {
    errors: Vec<Diagnostic>,
    programs: Vec<Program>,
}

#[derive(Debug, Deserialize)]
struct Message {
    #[serde(rename = "message")]
    diagnostic: Option<Diagnostic>,
    profile: Option<Profile>,
    executable: Option<PathBuf>,
    manifest_path: Option<PathBuf>,
}

#[derive(Debug, Deserialize)]
struct Profile {
    test: bool,
}

#[derive(Debug, Deserialize)]
struct Diagnostic {
    level: String,
    rendered: Option<String>,
    spans: Vec<DiagnosticSpan>,
}

#[derive(Debug, Deserialize)]
struct DiagnosticSpan {
    file_name: String,
    byte_start: usize,
    byte_end: usize,
}

/// Builds the tests of packages in the copy.
fn compile_tests(copy: &Path, packages: &[&String]) -> io::Result<Compiled> {
    let [package, ..] = packages else { return Err(io::Error::other("a package is missing")) };
    let mut arguments = vec!["test", "--no-run"];
    arguments.extend(packages.iter().flat_map(|package| ["-p", package.as_str()]));
    compile(copy, package, &arguments)
}

/// Runs cargo in the copy. The switches need an unstable function, so that they also work in constants.
fn compile(copy: &Path, package: &str, arguments: &[&str]) -> io::Result<Compiled> {
    let mut command = Command::new("cargo");
    command.args(arguments).args(["--all-features", "--message-format=json"]).current_dir(copy);
    command.env("RUSTC_BOOTSTRAP", package.replace('-', "_"));
    // Dependencies are those of other builds.
    command.env("CARGO_TARGET_DIR", workspace::root().join("target"));
    let output = command.output()?;
    let mut compiled = Compiled::default();
    for line in output.stdout.split(|&byte| byte == b'\n').filter(|line| line.starts_with(b"{")) {
        let message: Message = serde_json::from_slice(line).map_err(io::Error::other)?;
        match message {
            Message { diagnostic: Some(found), .. } if found.level == "error" => {
                compiled.errors.push(found);
            }
            // Examples are also built. They are not tests.
            Message {
                profile: Some(Profile { test: true }),
                executable: Some(path),
                manifest_path: Some(manifest),
                ..
            } => {
                let folder = manifest.parent().map(Path::to_owned).unwrap_or_default();
                compiled.programs.push(Program { path, folder });
            }
            _ => {}
        }
    }
    if !output.status.success() && compiled.errors.is_empty() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr)));
    }
    Ok(compiled)
}

impl Compiled {
    /// The mutants in which the errors are. If an error is in none, the one that surrounds it most closely.
    fn guilty(&self, files: &Files) -> BTreeSet<usize> {
        let mut guilty = BTreeSet::new();
        for error in &self.errors {
            let within: Vec<_> = error.parts(files, |woven| &woven.mutated).collect();
            let around = error.parts(files, |woven| &woven.switched);
            let closest = around.rev().min_by_key(|(range, _)| range.len());
            guilty.extend(within.iter().map(|(_, id)| *id));
            guilty.extend(closest.filter(|_| within.is_empty()).map(|(_, id)| *id));
        }
        guilty
    }

    fn text(&self) -> String {
        let all = self.errors.iter().filter_map(|error| error.rendered.clone());
        all.take(3).collect::<Vec<_>>().join("\n")
    }
}

impl Diagnostic {
    /// The parts of woven files that have a part of the diagnostic.
    fn parts<'f>(
        &self,
        files: &'f Files,
        of: fn(&Woven) -> &[Part],
    ) -> impl DoubleEndedIterator<Item = &'f Part> {
        let mut found = Vec::new();
        for span in &self.spans {
            let Some(woven) = files.get(&span.file_name) else { continue };
            let head = if span.file_name.ends_with("/src/lib.rs") { HEAD.len() } else { 0 };
            let start = span.byte_start.saturating_sub(head);
            let end = span.byte_end.saturating_sub(head);
            let is_hit = |(range, _): &&Part| range.start < end && start < range.end;
            found.extend(of(woven).iter().filter(is_hit));
        }
        found.into_iter()
    }
}
