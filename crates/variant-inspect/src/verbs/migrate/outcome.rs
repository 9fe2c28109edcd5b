//! [`Outcome`]: what was done to a file, as text or JSON.

use std::path::Path;

use serde_json::{Value, json};
use variant_document::count::counted;
use variant_document::edit::{Change, Changes};
use variant_document::migration::{Applied, Version};

use crate::cli::MigrateArgs;
use crate::failure::{Failure, Status};
use crate::open::name;
use crate::report::or_root;
use crate::rewrite;
use crate::terminal::Terminal;

/// What was done to a file.
pub(super) struct Outcome {
    /// What was done to each value.
    pub(super) applied: Vec<Applied>,
    pub(super) changes: Changes,
}

/// Prints what was done to a file, or why nothing was done.
pub(super) fn print(
    path: &Path,
    result: Result<Outcome, Failure>,
    args: &MigrateArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let path = name(path);
    match result {
        Ok(outcome) if args.json => {
            terminal.json(&outcome.to_json(&path, args))?;
            Ok(Status::Fine)
        }
        Ok(outcome) => outcome.print(&path, args, terminal).map(|()| Status::Fine),
        Err(Failure::File { status, message }) if args.json => {
            terminal.json(&json!({"file": path, "status": "failed", "error": message}))?;
            Ok(status)
        }
        Err(failure) => Err(failure),
    }
}

impl Outcome {
    fn is_current(&self) -> bool {
        self.applied.iter().all(|applied| applied.from == applied.to)
    }

    fn print(
        &self,
        path: &str,
        args: &MigrateArgs,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Failure> {
        let what = self.describe();
        if args.test.is_none() {
            return Ok(terminal.note(&format!("{path}: {what}"))?);
        }
        let good = terminal.palette().good;
        writeln!(terminal.out, "{path}: {good}ok{good:#}: {what}")?;
        Ok(rewrite::print(&self.changes, terminal)?)
    }

    fn describe(&self) -> String {
        let mut versions: Vec<_> = self.applied.iter().map(|applied| &applied.from).collect();
        versions.sort_unstable();
        versions.dedup();
        let versions: Vec<_> = versions.iter().map(ToString::to_string).collect();
        let from = versions.join(", ");
        let newest = self.applied.first().map(|applied| &applied.to);
        match newest {
            None => "no value is a save".to_owned(),
            Some(newest) if self.is_current() => format!("version {newest} is the newest"),
            Some(newest) => {
                let steps = self.applied.iter().map(|applied| applied.steps);
                let steps = counted(steps.fold(0, u64::saturating_add), "step");
                format!("version {from} became {newest} by {steps}")
            }
        }
    }

    fn to_json(&self, path: &str, args: &MigrateArgs) -> Value {
        let status = match (self.is_current(), args.change.dry_run || args.test.is_some()) {
            (true, _) => "current",
            (false, true) => "migratable",
            (false, false) => "migrated",
        };
        let version = |version: &Version| match version {
            Version::Number(number) => json!(number),
            Version::Text(text) => json!(text),
        };
        let values = self.applied.iter().map(|Applied { from, to, steps }| {
            json!({"from": version(from), "to": version(to), "steps": steps})
        });
        let changes = self.changes.first.iter().map(|change| {
            let Change { called, path, before, after } = change;
            json!({"frame": called, "path": or_root(path), "before": before, "after": after})
        });
        json!({
            "file": path,
            "status": status,
            "values": values.collect::<Vec<_>>(),
            "change_count": self.changes.count,
            "changes": changes.collect::<Vec<_>>(),
        })
    }
}
