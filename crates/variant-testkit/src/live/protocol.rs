//! The files with requests to an engine and with its answers.

use std::io;

/// The task of an engine for an input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum Ask {
    /// Read a value and write it again.
    #[default]
    Value = 0,
    /// Read a value and print it as text.
    Text = 1,
    /// Read a text and write the value.
    ValueOfText = 2,
    /// Read a value and print it as JSON that keeps types (Godot 4).
    Json = 3,
    /// Read JSON that keeps types, and write the value (Godot 4).
    ValueOfJson = 4,
    /// Write the paths of the engine's scripts, and ignore the bytes (Godot 4).
    ScriptPaths = 5,
    /// Read a dictionary. For each pair, print `KEY TYPE ELEMENT` and a line feed: `TYPE` is the number of the value's
    /// `typeof()`, and `ELEMENT` is the declared type of its elements (Godot 4; 0 in other engines).
    Types = 6,
}

/// A request to an engine.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// The task for the bytes.
    pub ask: Ask,
    /// The bytes of the input.
    pub bytes: Vec<u8>,
    /// Whether the engine may create objects. Never set for bytes that may name any class.
    pub objects: bool,
}

impl Input {
    /// A request to read a value and write it again, without objects.
    pub fn value(bytes: Vec<u8>) -> Self {
        Self { bytes, ..Self::default() }
    }
}

/// The engine's answer to an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The engine does not read the input.
    Refused,
    /// The engine reads the input.
    Accepted {
        /// The number of bytes of the value, if the engine reports it.
        consumed: Option<usize>,
        /// The bytes that the engine writes for the value.
        written: Vec<u8>,
    },
    /// The engine reads the input but does not write the value again.
    NotWritten,
    /// This input alone crashes the engine, or makes it hang.
    Died,
}

impl Answer {
    /// The bytes that the engine writes.
    pub fn written(&self) -> Option<&[u8]> {
        match self {
            Self::Accepted { written, .. } => Some(written),
            _ => None,
        }
    }
}

pub(super) fn request(batch: &[Input]) -> io::Result<Vec<u8>> {
    let mut request = word(batch.len())?.to_vec();
    for input in batch {
        request.extend((input.ask as u32).to_le_bytes());
        request.extend(u32::from(input.objects).to_le_bytes());
        request.extend(word(input.bytes.len())?);
        request.extend(&input.bytes);
    }
    Ok(request)
}

fn word(count: usize) -> io::Result<[u8; 4]> {
    let count = u32::try_from(count).map_err(|_| io::ErrorKind::InvalidInput)?;
    Ok(count.to_le_bytes())
}

/// Reads the answers to `count` requests. No bytes may follow them.
pub(super) fn read_answers(bytes: &[u8], count: usize) -> io::Result<Vec<Answer>> {
    let mut rest = bytes;
    let answers = (|| {
        let claimed = take_word(&mut rest)?;
        let answers: Option<Vec<_>> = (0..count).map(|_| take_answer(&mut rest)).collect();
        answers.filter(|_| claimed == count && rest.is_empty())
    })();
    answers.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "answers in another form"))
}

/// For each value, the bytes that a peer has sent and the bytes that it has received.
pub(super) fn read_echoes(bytes: &[u8], count: usize) -> io::Result<Vec<(Vec<u8>, Vec<u8>)>> {
    let mut rest = bytes;
    take_word(&mut rest);
    let mut echo = || match take_answer(&mut rest) {
        Some(Answer::Accepted { written, .. }) => Some(written),
        _ => None,
    };
    let echoes: Option<Vec<_>> = (0..count).map(|_| Some((echo()?, echo()?))).collect();
    echoes.ok_or_else(|| io::ErrorKind::InvalidData.into())
}

fn take_word(rest: &mut &[u8]) -> Option<usize> {
    let bytes = rest.split_off(..4)?;
    usize::try_from(u32::from_le_bytes(bytes.try_into().ok()?)).ok()
}

fn take_answer(rest: &mut &[u8]) -> Option<Answer> {
    let &outcome = rest.split_off_first()?;
    let consumed = take_word(rest)?;
    let consumed = (u32::try_from(consumed) != Ok(u32::MAX)).then_some(consumed);
    let length = take_word(rest)?;
    let written = rest.split_off(..length)?.to_vec();
    match outcome {
        0 => Some(Answer::Refused),
        1 => Some(Answer::Accepted { consumed, written }),
        2 => Some(Answer::NotWritten),
        _ => None,
    }
}
