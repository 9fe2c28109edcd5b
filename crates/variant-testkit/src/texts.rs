//! Compares the texts of this workspace with those of the engines, byte for byte.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use variant_owned::{NumberStyle, TextOptions, TextStyle, Variant, to_text};
use variant_view::{Dialect, Document};

use crate::conformance::{Disagreement, Outcome, options, outcome};
use crate::corpus;
use crate::defects::Reason;

/// A value and the text that an engine prints for it.
#[derive(Clone, Debug)]
pub struct Record {
    /// The record's name.
    pub name: String,
    /// The bytes of the value.
    pub bytes: Vec<u8>,
    /// The engine's text.
    pub text: String,
    /// Whether Godot 4 printed byte arrays in base64.
    pub base64: bool,
}

/// The contents of `corpus/text-exceptions.json`.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Exceptions {
    /// The reasons why texts differ, by name.
    pub reasons: HashMap<String, Reason>,
    /// The records that differ.
    pub cases: Vec<Exception>,
    /// Values that cannot be restored from the output of `text` or `flatten`.
    pub round_trips: Vec<OneWay>,
}

/// A value that cannot be restored from the output of `text` or `flatten`, and the reason.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct OneWay {
    /// The kind or the property that prevents the restoration.
    pub what: String,
    /// The verbs whose output does not restore the value.
    pub verbs: Vec<String>,
    /// The reason.
    pub reason: String,
}

/// A record with a different text.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Exception {
    /// The path of the file in the corpus.
    pub file: String,
    /// The record's name.
    pub name: String,
    /// One of the [`Exceptions::reasons`].
    pub reason: String,
    /// The text that this workspace prints. Any other text is a failure.
    pub ours: String,
}

impl Exceptions {
    /// The exceptions of the corpus.
    pub fn of_corpus() -> io::Result<Self> {
        let path = corpus::root().join("text-exceptions.json");
        Ok(serde_json::from_str(&fs::read_to_string(path)?)?)
    }

    fn find(&self, file: &Path, record: &Record) -> Option<&Exception> {
        let is_it = |known: &&Exception| file.ends_with(&known.file) && known.name == record.name;
        self.cases.iter().find(is_it)
    }
}

/// The files of the corpus that contain texts, each with its dialect.
pub fn files() -> Vec<(Dialect, PathBuf)> {
    corpus::files_called(&["single.vectors", "single.text", "double.vectors", "double.text"])
}

/// Whether a file contains only texts.
pub fn is_texts(file: &Path) -> bool {
    file.to_string_lossy().ends_with(".text.jsonl")
}

/// The records of a file that have both bytes and a text.
pub fn read(file: &Path) -> io::Result<Vec<Record>> {
    let mut records = Vec::new();
    for line in fs::read_to_string(file)?.lines() {
        let record: Value = serde_json::from_str(line)?;
        let field = |name: &str| record.get(name).and_then(Value::as_str);
        if let (Some(name), Some(hex), Some(text)) = (field("name"), field("hex"), field("text")) {
            let bytes = corpus::from_hex(hex).ok_or(io::ErrorKind::InvalidData)?;
            let base64 = is_texts(file);
            records.push(Record { name: name.to_owned(), bytes, text: text.to_owned(), base64 });
        }
    }
    Ok(records)
}

/// The options with which this workspace prints a text as an engine does.
pub const fn as_engine(style: TextStyle) -> TextOptions {
    TextOptions::new(style).numbers(NumberStyle::Engine).sorted_keys(true)
}

/// The text that this workspace prints for a record in the engine's style. `None` if the bytes are not a value.
fn ours(dialect: Dialect, record: &Record) -> Option<String> {
    let style = TextStyle::from(dialect);
    let options_of_text = match style {
        TextStyle::Godot4 => as_engine(style).base64(record.base64),
        _ => as_engine(style),
    };
    let document = Document::new(&record.bytes, options(dialect, true));
    let value = Variant::from_document(&document).ok()?;
    Some(to_text(&value, &options_of_text))
}

/// Compares one record of a file, and considers exceptions.
pub fn judge(dialect: Dialect, file: &Path, record: &Record, exceptions: &Exceptions) -> Outcome {
    let found = ours(dialect, record).unwrap_or_else(|| "no value".to_owned());
    let expected = record.text.clone();
    let is_same = found == expected;
    let found = if is_same { Ok(()) } else { Err(Disagreement { expected, found }) };
    let known = exceptions.find(file, record);
    outcome(found, known.map(|known| (&*known.ours, &*known.reason)))
}
