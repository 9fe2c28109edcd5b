//! Findings as results of a SARIF document.

use serde_json::{Value, json};

use super::finding::{At, Finding};
use super::rule::Rule;
use crate::report::or_root;
use crate::sarif;

/// The result of a finding in the file of this name.
pub(super) fn result(name: &str, finding: &Finding) -> Value {
    let region = match finding.at {
        At::Byte(offset) => json!({ "byteOffset": offset, "byteLength": 0 }),
        At::Line(line) => json!({ "startLine": line }),
    };
    let mut result = json!({
        "ruleId": finding.rule.id(),
        "level": sarif::level(finding.rule.severity()),
        "message": { "text": finding.value() + &finding.message },
        "locations": [sarif::place(name, &region, or_root(&finding.path))],
    });
    if let (Value::Object(fields), false) = (&mut result, finding.details.is_empty()) {
        let details = finding.details.iter();
        let details = details.map(|(name, value)| ((*name).to_owned(), value.clone()));
        fields.insert("properties".to_owned(), Value::Object(details.collect()));
    }
    result
}

/// The document of all results.
pub(super) fn document(results: &[Value]) -> Value {
    let rules = Rule::ALL.iter().map(|rule| sarif::rule(rule.id(), rule.help(), rule.severity()));
    sarif::document(&rules.collect::<Vec<_>>(), results)
}
