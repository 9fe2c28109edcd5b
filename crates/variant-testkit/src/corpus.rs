//! The records of engines: the bytes that an engine writes, and its results for damaged input.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use variant_view::{Dialect, Page};

/// The folder of the corpus.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
}

/// The bytes of a file of the corpus.
pub fn bytes(path: &str) -> io::Result<Vec<u8>> {
    fs::read(root().join(path))
}

/// Whether tests try all inputs of which they otherwise try a part: `VARIANT_RECORDS=all`, which `.ci/proof` sets.
pub fn are_all() -> bool {
    std::env::var_os("VARIANT_RECORDS").is_some_and(|which| which == "all")
}

/// `step`, or 1 if all inputs are tried: a test tries one input in `step`. For offsets, `step` is odd, so that all
/// remainders of a division by the size of a word occur.
pub fn one_in(step: usize) -> usize {
    if are_all() { 1 } else { step }
}

/// All files of the corpus, in the order of their names.
pub fn files() -> io::Result<Vec<PathBuf>> {
    files_in(&root())
}

/// All files in a folder and its subfolders.
pub fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { all.extend(files_in(&path)?) } else { all.push(path) }
    }
    all.sort_unstable();
    Ok(all)
}

/// The names of the files of records, without the extension.
const STEMS: [&str; 6] = [
    "single.vectors",
    "single.mutants",
    "single.keys",
    "single.elements",
    "double.vectors",
    "double.mutants",
];

/// The dialects of engines and of pages of the documentation.
pub fn dialects() -> impl Iterator<Item = Dialect> + Clone {
    let pages = Page::ALL.iter().copied().map(Page::dialect);
    Dialect::ALL.iter().copied().chain(pages)
}

/// The files of records that engines made, each with its dialect.
pub fn record_files() -> Vec<(Dialect, PathBuf)> {
    files_called(&STEMS)
}

/// The files whose name before the extension is one of these, each with its dialect.
pub(crate) fn files_called(stems: &[&str]) -> Vec<(Dialect, PathBuf)> {
    let named = |dialect: Dialect| {
        stems.iter().map(move |stem| (dialect, root().join(format!("{dialect}/{stem}.jsonl"))))
    };
    Dialect::ALL.iter().copied().flat_map(named).filter(|(_, path)| path.exists()).collect()
}

/// The files of records that engines made, and the records of the documentation pages.
pub fn every_record_file() -> Vec<(Dialect, PathBuf)> {
    let mut files = record_files();
    for &page in Page::ALL {
        for stem in ["vectors", "mutants"] {
            files.push((page.into(), root().join(format!("documented/{page}.{stem}.jsonl"))));
        }
    }
    files
}

/// The width of reals of the engine that made a file of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// 32 bits.
    Single,
    /// 64 bits.
    Double,
}

impl Precision {
    /// The width for a file of records, by its name.
    pub fn of_file(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.contains("double") { Self::Double } else { Self::Single }
    }
}

/// An input and the engine's answer.
#[derive(Clone, Debug)]
pub struct Case {
    /// The number of the line in the file, from 1.
    pub line: usize,
    /// The record's name.
    pub name: String,
    /// The input.
    pub bytes: Vec<u8>,
    /// Whether the engine was set to accept full objects.
    pub objects: bool,
    /// Whether the engine accepted the input.
    pub accepted: bool,
    /// The engine's verdict.
    pub verdict: String,
    /// The number of bytes that the engine consumed, if recorded.
    pub consumed: Option<usize>,
    /// The value that the engine has read.
    pub value: Expected,
    /// The bytes that the engine writes for the value, if recorded.
    pub rewritten: Option<Vec<u8>>,
    /// Whether the case is a dictionary for the comparison of keys.
    pub has_keys: bool,
}

/// The value that an engine has read.
#[derive(Clone, Debug)]
pub enum Expected {
    /// The value is not recorded.
    Unknown,
    /// The value in tagged JSON.
    Tagged(Value),
    /// The text that Godot 3 prints for the value.
    Text(String),
    /// The text that Godot 3 prints for the value, as its length in characters and its MD5 in hexadecimal.
    Digest(usize, String),
}

/// A line of a file of records. Files of vectors and of mutants have different fields.
#[derive(Debug, Deserialize)]
struct Record {
    name: Option<String>,
    tag: Option<String>,
    cat: Option<String>,
    base: Option<String>,
    hex: Option<String>,
    full: Option<bool>,
    obj: Option<Value>,
    dec: Option<String>,
    verdict: Option<String>,
    consumed: Option<i64>,
    value: Option<Value>,
    decoded_value: Option<Value>,
    enc: Option<String>,
    renc: Option<Value>,
    reenc_hex: Option<String>,
    text: Option<String>,
    text_len: Option<usize>,
    text_md5: Option<String>,
}

/// The cases of a file of records. Values that the engine refused to write have no bytes and are left out.
pub fn read_cases(path: &Path) -> io::Result<Vec<Case>> {
    read_first_cases(path, usize::MAX)
}

/// The cases in the first `lines` lines. The other lines are not read.
pub fn read_first_cases(path: &Path, lines: usize) -> io::Result<Vec<Case>> {
    let mut cases = Vec::new();
    let has_keys = path.to_string_lossy().contains(".keys.");
    let file = BufReader::new(fs::File::open(path)?);
    for (number, line) in file.lines().take(lines).enumerate() {
        let record: Record = serde_json::from_str(&line?)
            .map_err(|error| invalid(path, number, &error.to_string()))?;
        if let Some(hex) = &record.hex {
            let bytes = from_hex(hex).ok_or_else(|| invalid(path, number, "bad hexadecimal"))?;
            let case = record.into_case(number.saturating_add(1), bytes);
            cases.push(Case { has_keys, ..case });
        }
    }
    Ok(cases)
}

fn invalid(path: &Path, number: usize, what: &str) -> io::Error {
    let line = number.saturating_add(1);
    io::Error::new(io::ErrorKind::InvalidData, format!("{}:{line}: {what}", path.display()))
}

impl Record {
    fn into_case(self, line: usize, bytes: Vec<u8>) -> Case {
        // The test vectors of Godot 3 have no verdict field, since the engine accepted all of them when it read
        // them again.
        let verdict = self.verdict.clone().or(self.dec.clone()).unwrap_or_else(|| "ok".to_owned());
        let objects = match &self.obj {
            Some(Value::Bool(objects)) => *objects,
            Some(number) => number.as_i64() == Some(1),
            None => self.full.unwrap_or(false),
        };
        let accepted = verdict == "ok";
        // Without an allocator, there are no owned values to write.
        let is_compared = accepted && cfg!(feature = "alloc");
        let rewritten = if is_compared { self.rewritten(&bytes) } else { None };
        Case {
            has_keys: false,
            rewritten,
            line,
            name: self.title(),
            bytes,
            objects,
            accepted,
            consumed: self.consumed.and_then(|bytes| usize::try_from(bytes).ok()),
            value: if accepted { self.expected() } else { Expected::Unknown },
            verdict,
        }
    }

    /// The bytes that the engine writes for the value. A test vector omits these bytes if they equal its input.
    fn rewritten(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        if let Some(hex) = &self.reenc_hex {
            return from_hex(hex);
        }
        // The vectors of Godot 3 lack these bytes. They only have the flag `renc`, which says whether these bytes
        // equal the input. The input is used even if the flag is false.
        let is_vector = self.enc.is_some() || (self.name.is_some() && self.renc.is_some());
        is_vector.then(|| bytes.to_vec())
    }

    fn title(&self) -> String {
        let parts = [&self.name, &self.tag, &self.cat, &self.base];
        let parts: Vec<_> = parts.into_iter().flatten().map(String::as_str).collect();
        parts.join(" ")
    }

    /// The value that the engine has read. In Godot 3's records it is a text. In the records of other engines, the
    /// field `text` does not contain the value.
    fn expected(self) -> Expected {
        if let Some(value) = self.decoded_value.or(self.value) {
            return Expected::Tagged(value);
        }
        // These records have a verdict and a category. Their field `text` does not contain the value.
        if self.dec.is_some() || self.cat.is_some() {
            return Expected::Unknown;
        }
        match (self.text, self.text_len, self.text_md5) {
            (Some(text), ..) => Expected::Text(text),
            (None, Some(len), Some(md5)) => Expected::Digest(len, md5),
            _ => Expected::Unknown,
        }
    }
}

/// Bytes as hexadecimal digits.
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Bytes from hexadecimal digits.
pub fn from_hex(hex: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (pairs, []) = hex.as_bytes().as_chunks::<2>() else { return None };
    pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect()
}
