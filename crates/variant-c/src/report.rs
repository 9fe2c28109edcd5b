//! [`Report`]: JSON objects, one a line, with the fields of the command's `--json` (`docs/json.md`).

use std::mem::MaybeUninit;

use serde_json::{Value, json};
use variant_document::edit::Change;
use variant_document::query::ROOT;

use crate::bytes::Bytes;

/// JSON objects, one a line.
#[derive(Debug, Default)]
pub(crate) struct Report(Vec<u8>);

impl Report {
    pub(crate) fn add(&mut self, object: &Value) {
        self.0.extend_from_slice(object.to_string().as_bytes());
        self.0.push(b'\n');
    }

    /// The changes, one a line.
    pub(crate) fn of_changes(changes: &[Change]) -> Self {
        let mut report = Self::default();
        for change in changes {
            report.add(&of_change(change));
        }
        report
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Gives the lines to the caller, who frees them. A caller that passes NULL does not receive them.
    pub(crate) fn give(self, place: Option<&mut MaybeUninit<Bytes>>) {
        if let Some(place) = place {
            place.write(self.0.into());
        }
    }
}

/// A change as an object.
pub(crate) fn of_change(change: &Change) -> Value {
    let Change { called, path, before, after } = change;
    json!({"frame": called, "path": or_root(path), "before": before, "after": after})
}

/// A path for output. The path of the root, which is empty, becomes `(root)`.
pub(crate) const fn or_root(path: &str) -> &str {
    if path.is_empty() { ROOT } else { path }
}
