//! Generated documents with the verdicts of the decoder and of the [reference](mod@crate::reference), for decoders in
//! other languages.

use std::fmt;

use variant_view::{Dialect, Document, ErrorKind, Options};

use crate::agree::kind_of;
use crate::fuzz::near_valid;
use crate::made;
use crate::mutate::mutate;
use crate::random::Random;
use crate::reference::{self, Rules};
use crate::small_scope::alphabet;

/// The longest document. Longer documents mostly repeat what shorter ones have.
const LONGEST: usize = 600;

/// A document, and its verdicts by the options of the engine.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The dialect in which the document is read.
    pub dialect: Dialect,
    /// The document.
    pub bytes: Vec<u8>,
    /// The verdict of the decoder.
    pub decoder: Verdict,
    /// The verdict of the reference.
    pub reference: Verdict,
}

/// The bytes consumed, or the first error and its offset.
pub type Verdict = Result<usize, (Option<ErrorKind>, usize)>;

impl Judged {
    /// Reads a document twice.
    pub fn new(dialect: Dialect, bytes: Vec<u8>) -> Self {
        let decoder = match Document::new(&bytes, Options::engine(dialect)).validate() {
            Ok(summary) => Ok(summary.consumed),
            Err(error) => Err((Some(error.kind()), error.offset())),
        };
        let reference = match reference::read(&bytes, Rules::new(dialect)).outcome {
            Ok(summary) => Ok(summary.consumed),
            Err(error) => Err((kind_of(error.fault), error.offset)),
        };
        Self { dialect, bytes, decoder, reference }
    }
}

/// A line: the dialect, the verdict of the decoder, that of the reference, and the bytes as hexadecimal digits.
impl fmt::Display for Judged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} ", self.dialect, Word(self.decoder), Word(self.reference))?;
        self.bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// A verdict in one word: `Ok:24`, or the error and its offset, `InvalidText:12`.
struct Word(Verdict);

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, offset) = match self.0 {
            Ok(consumed) => return write!(f, "Ok:{consumed}"),
            Err(error) => error,
        };
        let details = format!("{kind:?}");
        let name = details.strip_prefix("Some(").unwrap_or(&details);
        let name = name.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        write!(f, "{name}:{offset}")
    }
}

/// Generates documents without end: nearly valid ones, mutated ones, words of the [`alphabet`], and any bytes.
#[derive(Clone, Debug)]
pub struct Generated {
    random: Random,
    letters: Vec<Vec<u32>>,
    round: usize,
}

impl Generated {
    /// The documents of a seed, which must not be 0.
    pub fn new(seed: u64) -> Self {
        let letters =
            |&dialect: &Dialect| alphabet(dialect).iter().map(|letter| letter.word).collect();
        let letters = Dialect::ALL.iter().map(letters).collect();
        Self { random: Random::new(seed), letters, round: 0 }
    }

    fn document(&mut self) -> Option<(Dialect, Vec<u8>)> {
        self.round += 1;
        let which = self.random.below(Dialect::ALL.len());
        let dialect = Dialect::ALL[which];
        match self.round % 8 {
            0 => {
                let len = self.random.below(64);
                Some((dialect, self.random.bytes(len)))
            }
            1..3 => {
                let words = self.random.below(10);
                let letters = &self.letters[which];
                let words = (0..words).flat_map(|_| self.random.pick(letters).to_le_bytes());
                Some((dialect, words.collect()))
            }
            3..6 => {
                let mut bytes = made::nested(&mut self.random, dialect, 3);
                for _ in 0..self.random.below(4) {
                    mutate(&mut self.random, &mut bytes);
                }
                Some((dialect, bytes))
            }
            _ => {
                let len = 40 + self.random.below(400);
                let (bytes, options) = near_valid(&self.random.bytes(len))?;
                Some((options.dialect, bytes))
            }
        }
    }
}

impl Iterator for Generated {
    type Item = Judged;

    fn next(&mut self) -> Option<Judged> {
        loop {
            // Other decoders do not read the layouts of documentation pages.
            if let Some((dialect, bytes)) = self.document()
                && dialect.page().is_none()
                && bytes.len() <= LONGEST
            {
                return Some(Judged::new(dialect, bytes));
            }
        }
    }
}
