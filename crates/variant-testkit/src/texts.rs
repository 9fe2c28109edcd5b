//! Compares the text form with the engines' own, byte for byte.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use variant_owned::{NumberStyle, TextOptions, TextStyle, Variant, to_text};
use variant_view::{Dialect, Document};

use crate::conformance::{Disagreement, Outcome, options};
use crate::corpus;
use crate::defects::Reason;

/// A value and the text that an engine prints for it.
#[derive(Clone, Debug)]
pub struct Record {
    /// The record's name.
    pub name: String,
    /// The value.
    pub bytes: Vec<u8>,
    /// The engine's text.
    pub text: String,
    /// Whether Godot 4 printed byte arrays in base64.
    pub base64: bool,
}

/// `corpus/text-exceptions.json`.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Exceptions {
    /// Why a text differs, by name.
    pub reasons: HashMap<String, Reason>,
    /// The records that differ.
    pub cases: Vec<Exception>,
    /// Values that do not come back through a form for people.
    pub round_trips: Vec<OneWay>,
}

/// A value that does not come back through a form for people, and why.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct OneWay {
    /// A kind, or a property of values.
    pub what: String,
    /// The verbs whose output it does not come back from.
    pub verbs: Vec<String>,
    /// Why.
    pub reason: String,
}

/// A record whose text differs.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Exception {
    /// The file, from the corpus on.
    pub file: String,
    /// The record's name.
    pub name: String,
    /// One of the [`Exceptions::reasons`].
    pub reason: String,
    /// The text printed here; any other text is a failure.
    pub ours: String,
}

impl Exceptions {
    /// The exceptions of the corpus.
    ///
    /// # Errors
    /// A file that cannot be read or has another form.
    pub fn of_corpus() -> io::Result<Self> {
        let path = corpus::root().join("text-exceptions.json");
        Ok(serde_json::from_str(&fs::read_to_string(path)?)?)
    }

    fn find(&self, file: &Path, record: &Record) -> Option<&Exception> {
        let is_it = |known: &&Exception| file.ends_with(&known.file) && known.name == record.name;
        self.cases.iter().find(is_it)
    }
}

/// The files of the corpus that hold texts, each with its dialect.
pub fn files() -> Vec<(Dialect, PathBuf)> {
    let stems = ["single.vectors", "single.text", "double.vectors", "double.text"];
    let path = |dialect, stem| corpus::root().join(format!("{dialect}/{stem}.jsonl"));
    let all =
        Dialect::ALL.iter().flat_map(|&dialect| stems.map(|stem| (dialect, path(dialect, stem))));
    all.filter(|(_, path)| path.exists()).collect()
}

/// Whether a file holds only texts.
pub fn is_texts(file: &Path) -> bool {
    file.to_string_lossy().ends_with(".text.jsonl")
}

/// The records of a file that have both bytes and a text.
///
/// # Errors
/// Lines that are not records.
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

/// The text printed here for a record in the engine's own way; `None` if the bytes are not a value.
pub fn ours(dialect: Dialect, record: &Record) -> Option<String> {
    let style = TextStyle::from(dialect);
    let options_of_text = TextOptions::new(style).numbers(NumberStyle::Engine).sorted_keys(true);
    let options_of_text = match style {
        TextStyle::Godot4 => options_of_text.base64(record.base64),
        _ => options_of_text,
    };
    let document = Document::new(&record.bytes, options(dialect, true));
    let value = Variant::from_document(&document).ok()?;
    Some(to_text(&value, &options_of_text))
}

/// Compares one record of a file, exceptions taken into account.
pub fn judge(dialect: Dialect, file: &Path, record: &Record, exceptions: &Exceptions) -> Outcome {
    let found = ours(dialect, record).unwrap_or_else(|| "no value".to_owned());
    match exceptions.find(file, record) {
        None if found == record.text => Outcome::Passed,
        Some(known) if found == known.ours && found != record.text => {
            Outcome::Known(known.reason.clone())
        }
        None => Outcome::Failed(Disagreement { expected: record.text.clone(), found }),
        Some(known) => {
            let expected = format!("{} (known: {})", known.ours, known.reason);
            Outcome::Failed(Disagreement { expected, found })
        }
    }
}
