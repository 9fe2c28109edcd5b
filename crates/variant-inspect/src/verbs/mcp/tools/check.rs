//! `check`: suspicious parts of files, and breaches of a schema or of a lock file.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use variant_document::count::counted;

use crate::cli::{CheckArgs, FilesArgs, LimitsArg, ProfileArg, SeverityArg};
use crate::failure::Failure;
use crate::terminal::Terminal;
use crate::verbs;
use crate::verbs::mcp::host::Host;
use crate::verbs::mcp::reading::Named;
use crate::verbs::mcp::tool::{Call, Output, Reply};

/// Lists findings in files: objects, scripts, leaked memory, bytes that no engine writes, and values that break a JSON
/// Schema or a lock file. An object for each file follows its findings.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::verbs::mcp) struct Check {
    /// Files, folders, or patterns such as `saves/*.dat`.
    files: Vec<String>,
    /// A file with a JSON Schema, such as `schema` returns with the form `json-schema`.
    schema: Option<String>,
    /// A file with a lock, such as `schema` returns with the form `lock`.
    lock: Option<String>,
    /// The least severity of a finding that makes the status `finding`. Without it, `error`.
    fail_on: Option<Named<SeverityArg>>,
}

impl Call for Check {
    const NAME: &'static str = "check";

    fn call(self, host: &Host, terminal: &mut Terminal<'_>) -> Result<Reply, Failure> {
        let file = |path: &String| host.folders.file(path);
        let (schema, lock) = (self.schema.as_ref().map(file), self.lock.as_ref().map(file));
        let (schema, lock) = (schema.transpose()?, lock.transpose()?);
        checked(&self.files, host, terminal, |args| {
            args.all = true;
            args.fail_on = self.fail_on.map(|severity| severity.0);
            (args.schema, args.lock) = (schema, lock);
        })
    }
}

/// The maximum number of findings of each rule and file.
const FINDINGS: usize = 1_000;

/// Checks files with the options that `change` sets.
pub(super) fn checked(
    names: &[String],
    host: &Host,
    terminal: &mut Terminal<'_>,
    change: impl FnOnce(&mut CheckArgs),
) -> Result<Reply, Failure> {
    let mut args = CheckArgs {
        files: selected(names, host, terminal)?,
        profile: ProfileArg::default(),
        limits: LimitsArg::default(),
        all: false,
        fail_on: None,
        limit: FINDINGS,
        schema: None,
        lock: None,
        allow: Vec::new(),
        json: true,
        sarif: false,
        junit: false,
        markdown: false,
    };
    change(&mut args);
    Ok(Output::Values.with(verbs::check::run(&args, terminal)?))
}

/// The files that names select. Prints a note if files are left out.
pub(super) fn selected(
    names: &[String],
    host: &Host,
    terminal: &mut Terminal<'_>,
) -> Result<FilesArgs, Failure> {
    let selected = host.folders.select(names)?;
    if selected.left_out > 0 {
        let files = counted(selected.left_out, "file");
        terminal.note(&format!("{files} left out: outside the folders, or not regular"))?;
    }
    if selected.files.is_empty() {
        return Err(Failure::usage("there are no files to read; name one in `files`"));
    }
    Ok(FilesArgs { files: selected.files, recursive: false, jobs: 0 })
}
