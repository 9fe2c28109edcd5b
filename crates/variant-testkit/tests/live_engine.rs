//! What a running Godot 3 says to any bytes, and writes of what it has read, is what is said and written here.
//!
//! Of no input may it create an object. It has no limit to nesting and dies of enough of it, so inputs are short:
//! 8 bytes open a level, and 2,000 levels are known to be fine.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test may stop, and tells what it has counted"
)]
#![cfg(feature = "alloc")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use variant_owned::{EncodeOptions, Variant, Widths, encode};
use variant_testkit::builder::Builder;
use variant_testkit::conformance::options;
use variant_testkit::departures::{self, Departure};
use variant_testkit::live::{Answer, Input, LiveEngine};
use variant_testkit::mutate::mutate;
use variant_testkit::random::Random;
use variant_testkit::{corpus, made};
use variant_view::{Dialect, Document, Kind};

const GODOT3: Dialect = Dialect::Godot3;

/// The longest input.
const LONGEST: usize = 4_096;

/// The longest vector of the corpus that inputs are made of.
const LONGEST_SEED: usize = 800;

/// Behind a value, to see where the engine takes it to end.
const BEHIND: [u8; 12] = *b"\x02\0\x01\0behind!!";

/// An input, and what is made of it here.
struct Question {
    input: Input,
    /// The bytes consumed and the value written again, or the error.
    ours: Result<(usize, Vec<u8>), String>,
}

impl Question {
    fn new(bytes: Vec<u8>) -> Self {
        let document = Document::new(&bytes, options(GODOT3, false));
        let ours = match document.validate() {
            Ok(summary) => Ok((summary.consumed, written_again(&document))),
            Err(error) => Err(error.to_string()),
        };
        Self { ours, input: Input { bytes, objects: false } }
    }

    /// The value alone, in an array with another one behind it; the bytes consumed are right if that is found.
    fn bounded(&self) -> Option<Self> {
        let &(consumed, ref written) = self.ours.as_ref().ok()?;
        let mut value = self.input.bytes[..consumed].to_vec();
        // Padding that is missing at the end of the input.
        value.resize(consumed.next_multiple_of(4), 0);
        let around =
            |value: &[u8]| [&made::container(GODOT3, Kind::Array, 2), value, &BEHIND].concat();
        let bytes = around(&value);
        let ours = Ok((bytes.len(), around(written)));
        Some(Self { ours, input: Input { bytes, objects: self.input.objects } })
    }
}

fn written_again(document: &Document<'_>) -> Vec<u8> {
    let options = EncodeOptions::new(GODOT3).widths(Widths::Canonical).depth(100_000);
    encode(&Variant::from_document(document).unwrap(), &options).unwrap()
}

/// Inputs out of what the engine has written, of values that it may write, and of keys that are nearly the same.
struct Inputs {
    random: Random,
    vectors: Vec<Vec<u8>>,
}

impl Inputs {
    fn new() -> Self {
        let path = corpus::root().join("godot3/single.vectors.jsonl");
        let cases = corpus::read_cases(&path).unwrap().into_iter().map(|case| case.bytes);
        let vectors = cases.filter(|bytes| bytes.len() <= LONGEST_SEED).collect();
        Self { vectors, random: Random::new(0x11fe_c0de) }
    }

    fn question(&mut self) -> Question {
        let mut question = Question::new(self.bytes());
        // Whether objects are allowed makes no difference to what has none.
        question.input.objects = question.ours.is_ok() && self.random.below(4) == 0;
        question
    }

    fn bytes(&mut self) -> Vec<u8> {
        loop {
            let (mut bytes, most) = match self.random.below(3) {
                0 => (self.vector(), 4),
                1 => (made::nested(&mut self.random, GODOT3, 3), 4),
                _ => (self.similar_keys(), 2),
            };
            for _ in 0..self.random.below(most) {
                mutate(&mut self.random, &mut bytes);
            }
            if bytes.len() <= LONGEST {
                return bytes;
            }
        }
    }

    fn vector(&mut self) -> Vec<u8> {
        let at = self.random.below(self.vectors.len());
        self.vectors[at].clone()
    }

    /// Two pairs of a dictionary, whose keys are the same or differ in little.
    fn similar_keys(&mut self) -> Vec<u8> {
        let key = match self.random.below(3) {
            0 => self.vector(),
            1 => made::value(&mut self.random, GODOT3),
            _ => Builder::new().u32(4).text("abcd").build().bytes,
        };
        let mut other = key.clone();
        match self.random.below(4) {
            0 => {}
            1 => mutate(&mut self.random, &mut other),
            // The same to the engine, or nearly.
            _ if key.ends_with(b"abcd") => {
                let texts: [&[u8]; 5] = [
                    b"\xef\xbb\xbfabcd",
                    b"abcd\0e",
                    b"\xe0\x81\xa1bcd",
                    b"abc\xf0\x80\x8a\xa4",
                    b"\xef\xbb\xbf\xef\xbb\xbfabcd",
                ];
                other = Builder::new().u32(4).text(self.random.pick(&texts)).build().bytes;
            }
            // Another sign of a number.
            _ if other.len() > 4 => {
                let at = self.random.below(other.len() - 4) + 4;
                other[at | 3] ^= 0x80;
            }
            _ => {}
        }
        let head = made::container(GODOT3, Kind::Dictionary, 2);
        let value = |value| Builder::new().u32(2).u32(value).build().bytes;
        [head, key, value(1), other, value(2)].concat()
    }
}

/// What came of many inputs.
#[derive(Debug, Default)]
struct Counts {
    accepted: usize,
    refused: usize,
    same: usize,
    departures: BTreeMap<Departure, usize>,
    failures: usize,
}

impl Counts {
    fn add(&mut self, question: &Question, answer: &Answer) {
        let is_fine = match (&question.ours, answer) {
            (Err(_), Answer::Refused) => {
                self.refused += 1;
                true
            }
            (Ok((_, ours)), Answer::Accepted(theirs)) => {
                self.accepted += 1;
                self.add_written(ours, theirs)
            }
            _ => false,
        };
        if !is_fine {
            self.failures += 1;
            self.report(question, answer);
        }
    }

    fn add_written(&mut self, ours: &[u8], theirs: &[u8]) -> bool {
        let Some(departures) = departures::between(ours, theirs).unwrap() else { return false };
        self.same += usize::from(departures.is_empty());
        for departure in departures {
            *self.departures.entry(departure).or_default() += 1;
        }
        true
    }

    fn report(&self, question: &Question, answer: &Answer) {
        if self.failures > 20 {
            return;
        }
        let ours = match &question.ours {
            Ok((consumed, written)) => format!("{consumed} bytes, written {}", hex(written)),
            Err(error) => error.clone(),
        };
        let theirs = match answer {
            Answer::Accepted(written) => format!("accepted, written {}", hex(written)),
            other => format!("{other:?}"),
        };
        println!("input  {}\nengine {theirs}\nours   {ours}\n", hex(&question.input.bytes));
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

fn ask(questions: &[Question]) -> Counts {
    let inputs: Vec<_> = questions.iter().map(|question| question.input.clone()).collect();
    let answers = LiveEngine::godot3().ask(&inputs).unwrap();
    let mut counts = Counts::default();
    for (question, answer) in questions.iter().zip(&answers) {
        counts.add(question, answer);
    }
    counts
}

#[test]
#[ignore = "needs godot3-server"]
fn any_input() {
    let count = std::env::var("VARIANT_LIVE_INPUTS").map_or(20_000, |count| count.parse().unwrap());
    let mut inputs = Inputs::new();
    let questions: Vec<_> = (0..count).map(|_| inputs.question()).collect();
    let counts = ask(&questions);
    println!("{count} inputs: {counts:?}");
    let bounded: Vec<_> = questions.iter().filter_map(Question::bounded).collect();
    let ends = ask(&bounded);
    println!("{} of them with a value behind: {ends:?}", bounded.len());
    assert_eq!(counts.failures + ends.failures, 0);
    // Neither side says the same to everything.
    assert!(counts.accepted >= count / 5 && counts.refused >= count / 5);
    assert!(counts.same >= counts.accepted / 2);
}

/// The engine is seen to die, and of what.
#[test]
#[ignore = "needs godot3-server"]
fn a_deadly_input() {
    let deep = made::container(GODOT3, Kind::Array, 1).repeat(1_000_000);
    let inputs = [vec![0; 4], deep, vec![0; 3]];
    let inputs = inputs.map(|bytes| Input { bytes, objects: false });
    let answers = LiveEngine::godot3().ask(&inputs).unwrap();
    assert_eq!(answers, [Answer::Accepted(vec![0; 4]), Answer::Died, Answer::Refused]);
}
