//! The result of a file as a test of a document of test results.

use super::Checked;
use super::finding::Finding;
use crate::cli::SeverityArg;
use crate::failure::Status;
use crate::junit::{Fault, Test};
use crate::report::or_root;

/// The test of a file. Findings that are less severe than `fail_on` do not make it fail.
pub(super) fn test(checked: &Checked, fail_on: SeverityArg) -> Test {
    let name = checked.name.clone();
    if let Some(message) = checked.unread.clone() {
        let fault = Some(Fault::Error { kind: "unread", message });
        return Test { name, fault, notes: Vec::new() };
    }
    let (worse, others): (Vec<_>, Vec<_>) =
        checked.kept().iter().partition(|finding| finding.rule.severity() >= fail_on);
    let kind = worse.first().map_or("damaged", |finding| finding.rule.id());
    let mut lines: Vec<_> = damage(checked).into_iter().collect();
    lines.extend(worse.into_iter().map(line));
    let is_failed = checked.status != Status::Fine;
    let fault = is_failed.then_some(Fault::Failure { kind, lines });
    Test { name, fault, notes: others.into_iter().map(line).collect() }
}

/// The damage of a file in one line.
pub(super) fn damage(checked: &Checked) -> Option<String> {
    let verdict = checked.verdict.as_ref()?;
    let error = verdict.get("error")?.as_str()?;
    let path = verdict.get("path").and_then(|path| path.as_str()).unwrap_or_default();
    let offset = verdict.get("offset").and_then(serde_json::Value::as_u64).unwrap_or_default();
    Some(format!("byte {offset}: error damaged: {}: {error}", or_root(path)))
}

fn line(finding: &Finding) -> String {
    let Finding { rule, at, path, message, .. } = finding;
    let (severity, id, value) = (rule.severity().name(), rule.id(), finding.value());
    format!("{at}: {severity} {id}: {value}{}: {message}", or_root(path))
}
