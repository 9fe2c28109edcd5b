//! Findings as a document of SARIF 2.1.0.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::finding::{At, Finding};
use super::print::name_of;
use super::rule::Rule;
use crate::cli::SeverityArg;
use crate::report::or_root;

const fn level(severity: SeverityArg) -> &'static str {
    match severity {
        SeverityArg::Info => "note",
        other => name_of(other),
    }
}

/// The result of a finding in the file of this name.
pub(super) fn result(name: &str, finding: &Finding) -> Value {
    let region = match finding.at {
        At::Byte(offset) => json!({ "byteOffset": offset, "byteLength": 0 }),
        At::Line(line) => json!({ "startLine": line }),
    };
    let place = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(name) },
            "region": region,
        },
        "logicalLocations": [{ "fullyQualifiedName": or_root(&finding.path) }],
    });
    let mut result = json!({
        "ruleId": finding.rule.id(),
        "level": level(finding.rule.severity()),
        "message": { "text": finding.value() + &finding.message },
        "locations": [place],
    });
    if let (Value::Object(fields), false) = (&mut result, finding.details.is_empty()) {
        let details = finding.details.iter();
        let details = details.map(|(name, value)| ((*name).to_owned(), value.clone()));
        fields.insert("properties".to_owned(), Value::Object(details.collect()));
    }
    result
}

/// Converts a file name to a relative URI reference, which SARIF requires.
fn uri(name: &str) -> String {
    let mut out = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            other => {
                let _ = write!(out, "%{other:02X}");
            }
        }
    }
    out
}

/// The document of all results.
pub(super) fn document(results: &[Value]) -> Value {
    let rule = |rule: &Rule| {
        json!({
            "id": rule.id(),
            "shortDescription": { "text": rule.help() },
            "defaultConfiguration": { "level": level(rule.severity()) },
        })
    };
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "variant-inspect",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": Rule::ALL.iter().map(rule).collect::<Vec<_>>(),
                },
            },
            "results": results,
        }],
    })
}
