//! Known defects of engines, as data: cases in which the decoder correctly differs.

use std::collections::HashMap;
use std::fs;
use std::io;

use serde::{Deserialize, Serialize};
use variant_view::Dialect;

use crate::corpus::{self, Case, Precision};

/// The contents of `corpus/engine-defects.json`.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Defects {
    /// Descriptions of the defects, by name.
    pub reasons: HashMap<String, Reason>,
    /// The cases that show the defects.
    pub cases: Vec<KnownCase>,
}

/// The reason why an engine and the decoder differ.
#[derive(Debug, Deserialize, Serialize)]
pub struct Reason {
    /// The reason, in one or two sentences.
    pub text: String,
    /// The section of the specification about the defect: a file and an anchor.
    pub section: String,
}

/// A case in which an engine and the decoder differ.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct KnownCase {
    /// The key of the dialect and the input, from [`key`].
    pub key: String,
    /// The record's name, for people.
    pub name: String,
    /// One of the [`Defects::reasons`].
    pub reason: String,
    /// The decoder's result. Any other result is a failure.
    pub ours: String,
}

impl Defects {
    /// The defects of the corpus.
    pub fn of_corpus() -> io::Result<Self> {
        let path = corpus::root().join("engine-defects.json");
        Ok(serde_json::from_str(&fs::read_to_string(path)?)?)
    }

    /// The known defect of a case. It is in the value that the engine reads, or in the bytes that the engine writes for
    /// the value.
    pub fn find(&self, dialect: Dialect, precision: Precision, case: &Case) -> Option<&KnownCase> {
        let read = key(dialect, precision, case);
        let written = written_key(dialect, precision, case);
        let is_it = |known: &&KnownCase| {
            known.key == read || (case.rewritten.is_some() && known.key == written)
        };
        self.cases.iter().find(is_it)
    }
}

/// The key of a case whose defect is in the bytes that the engine writes for the value.
fn written_key(dialect: Dialect, precision: Precision, case: &Case) -> String {
    key(dialect, precision, case) + "-written"
}

/// The key of a dialect, a precision and an input. It contains a hash of the input (FNV-1a), and does not depend on the
/// name of the file.
pub fn key(dialect: Dialect, precision: Precision, case: &Case) -> String {
    let width = if precision == Precision::Double { "double" } else { "single" };
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in case.bytes.iter().copied().chain([u8::from(case.objects)]) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{dialect}-{width}-{}-{hash:016x}", case.bytes.len())
}
