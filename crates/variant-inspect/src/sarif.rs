//! Findings as a document of SARIF 2.1.0.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::cli::SeverityArg;

/// The level of a severity in SARIF.
pub(crate) const fn level(severity: SeverityArg) -> &'static str {
    match severity {
        SeverityArg::Info => "note",
        other => other.name(),
    }
}

/// The description of a rule.
pub(crate) fn rule(id: &str, help: &str, severity: SeverityArg) -> Value {
    json!({
        "id": id,
        "shortDescription": { "text": help },
        "defaultConfiguration": { "level": level(severity) },
    })
}

/// The place of a result: a region of a file, and a name in it.
pub(crate) fn place(file: &str, region: &Value, name: &str) -> Value {
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(file) },
            "region": region,
        },
        "logicalLocations": [{ "fullyQualifiedName": name }],
    })
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
pub(crate) fn document(rules: &[Value], results: &[Value]) -> Value {
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "variant-inspect",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": rules,
                },
            },
            "results": results,
        }],
    })
}
