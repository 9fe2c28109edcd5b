//! All documents of a small scope, compared with the [reference](mod@crate::reference).
//!
//! The scope of a dialect has two parts:
//!
//! - **short**: every document of up to 12 bytes whose words are of the [alphabet](alphabet()), and every prefix of
//!   such a document;
//! - **pairs**: every header (type, flags, ignored bits), every word of the alphabet after it, and up to 8 further
//!   bytes.

mod alphabet;

use variant_view::{Dialect, Document, Limits, Objects, Options, Reals};

use crate::{agree, tape};
pub use alphabet::{Letter, Reason, alphabet, headers};

/// A part of the scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Documents of up to 12 bytes.
    Short,
    /// A header, a word and up to 8 bytes.
    Pairs,
}

impl Part {
    /// Both parts.
    pub const ALL: [Self; 2] = [Self::Short, Self::Pairs];
}

/// The documents of a part, by their index. They are built when they are asked for.
#[derive(Clone, Debug)]
pub struct Documents {
    part: Part,
    headers: Vec<u32>,
    letters: Vec<u32>,
    tails: Vec<Vec<u8>>,
}

/// The words of the longest document of [`Part::Short`].
const WORDS: u32 = 3;

/// The bytes after a header and a word. They are repeated up to 8 bytes.
const FILLERS: [&[u8]; 6] =
    [b"\0", b"a", b"\xff", b"\x80", b"\x01\0\0\0", b"\xfc\x84\x80\x80\x80\x80a"];

impl Documents {
    /// The documents of a part in a dialect.
    pub fn new(dialect: Dialect, part: Part) -> Self {
        let letters: Vec<u32> = alphabet(dialect).iter().map(|letter| letter.word).collect();
        let tails = match part {
            Part::Short => partial(&letters),
            Part::Pairs => fillings(),
        };
        Self { part, headers: headers(dialect), letters, tails }
    }

    /// The number of documents.
    pub fn len(&self) -> usize {
        match self.part {
            Part::Short => (0..WORDS).map(|words| self.of(words)).sum::<usize>() + self.of(WORDS),
            Part::Pairs => self.headers.len() * self.letters.len() * self.tails.len(),
        }
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of documents of this many whole words and a tail. The longest documents have no tail.
    fn of(&self, words: u32) -> usize {
        self.letters.len().pow(words) * if words < WORDS { self.tails.len() } else { 1 }
    }

    /// The document of this index.
    ///
    /// # Panics
    /// If the index is not less than [`Documents::len`].
    pub fn get(&self, mut index: usize) -> Vec<u8> {
        assert!(index < self.len(), "{index} of {}", self.len());
        if self.part == Part::Pairs {
            let tail = &self.tails[index % self.tails.len()];
            let pair = index / self.tails.len();
            let header = self.headers[pair / self.letters.len()];
            return join(&[header, self.letters[pair % self.letters.len()]], tail);
        }
        let mut words = 0;
        while index >= self.of(words) {
            index -= self.of(words);
            words += 1;
        }
        let (tail, index) = match words {
            WORDS => (&[][..], index),
            _ => (&*self.tails[index % self.tails.len()], index / self.tails.len()),
        };
        let digit =
            |place| self.letters[index / self.letters.len().pow(place) % self.letters.len()];
        join(&(0..words).rev().map(digit).collect::<Vec<_>>(), tail)
    }
}

fn join(words: &[u32], tail: &[u8]) -> Vec<u8> {
    let words = words.iter().flat_map(|word| word.to_le_bytes());
    words.chain(tail.iter().copied()).collect()
}

/// The distinct starts of words, of 0 to 3 bytes.
fn partial(letters: &[u32]) -> Vec<Vec<u8>> {
    let starts = letters.iter().flat_map(|word| {
        let bytes = word.to_le_bytes();
        (0..4).map(move |len| bytes[..len].to_vec())
    });
    let mut starts: Vec<_> = starts.collect();
    starts.sort_unstable();
    starts.dedup();
    starts
}

/// The distinct starts of the repeated fillers, of 0 to 8 bytes.
fn fillings() -> Vec<Vec<u8>> {
    let starts = FILLERS.iter().flat_map(|filler| {
        (0..=8).map(|len| filler.iter().copied().cycle().take(len).collect::<Vec<_>>())
    });
    let mut starts: Vec<_> = starts.collect();
    starts.sort_unstable();
    starts.dedup();
    starts
}

/// What was compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compared {
    /// The documents.
    pub documents: u64,
    /// The documents, once for each of their options.
    pub cases: u64,
}

/// Compares each `step`-th document from `first` on, with all its options.
///
/// # Panics
/// If the decoder and the reference differ.
pub fn compare(dialect: Dialect, part: Part, first: usize, step: usize) -> Compared {
    let documents = Documents::new(dialect, part);
    let mut compared = Compared::default();
    for index in (first..documents.len()).step_by(step) {
        let bytes = documents.get(index);
        for options in all_options(&bytes, dialect) {
            agree::check_agree(&bytes, options);
            compared.cases += 1;
        }
        tape::exercise_tape(&Document::new(&bytes, dialect));
        compared.documents += 1;
    }
    compared
}

/// The options with which a document is read: those of the engine, without objects, with wide reals, and each limit
/// below, at and above what the document has. A document of the scope has at most 2 levels and 3 values.
fn all_options(bytes: &[u8], dialect: Dialect) -> impl Iterator<Item = Options> {
    let engine = Options::engine(dialect);
    let end = Document::new(bytes, engine).validate().map_or(bytes.len(), |read| read.consumed);
    let end = u64::try_from(end).unwrap_or(u64::MAX);
    let ways = [engine, engine.objects(Objects::Refuse), engine.reals(Reals::Always64)];
    let bytes = (end.saturating_sub(1)..=end + 1).map(|limit| Limits::ENGINE.bytes(limit));
    let depths = (0..=2).map(|limit| Limits::ENGINE.depth(limit));
    let values = (0..=4).map(|limit| Limits::ENGINE.values(limit));
    let limits = bytes.chain(depths).chain(values);
    ways.into_iter().chain(limits.map(move |limits| engine.limits(limits)))
}
