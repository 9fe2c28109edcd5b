//! For any bytes, running engines read and write the same values as this workspace.
//!
//! Godot 3 has no depth limit, and deep nesting crashes it. So inputs are short: 8 bytes open a level, and 2,000 levels
//! are known to work.

use std::collections::BTreeSet;
use std::thread;

use variant_testkit::builder::Builder;
use variant_testkit::corpus;
use variant_testkit::departures::{self, Asked, Classes, Departure, Expected};
use variant_testkit::live::{Answer, Input, Inputs, LiveEngine, Tally, engines};
use variant_testkit::made;
use variant_view::{Dialect, Document, Event, Kind, Role};

/// The bytes after a value. They show where the engine ends the value.
const BEHIND: [u8; 12] = *b"\x02\0\x01\0behind!!";

/// The number of inputs of each engine, unless `VARIANT_LIVE_INPUTS` names another number.
const INPUTS: usize = 100_000;

/// With fewer inputs, some known differences from the engine do not always occur.
const ENOUGH: usize = 50_000;

/// An input, and the expected answer.
struct Question {
    input: Input,
    expected: Expected,
    departures: BTreeSet<Departure>,
}

impl Question {
    fn new(asked: Asked<'_>, input: Input) -> Self {
        let asked = Asked { objects: input.objects, ..asked };
        let (expected, departures) = asked.expect(&input.bytes);
        Self { input, expected, departures }
    }

    /// A question with an array of the value and [`BEHIND`]. If the engine reads `BEHIND` as the second element, it has
    /// found the right end of the value.
    fn bounded(&self, asked: Asked<'_>) -> Option<Self> {
        let Expected::Accepted { consumed, .. } = self.expected else { return None };
        let mut value = self.input.bytes.get(..consumed)?.to_vec();
        // The input may lack the padding at its end, so the padding is added.
        value.resize(consumed.next_multiple_of(4), 0);
        let head = made::container(asked.dialect, Kind::Array, 2);
        let bytes = [head.as_slice(), &value, &BEHIND].concat();
        Some(Self::new(asked, Input { bytes, ..self.input.clone() }))
    }
}

/// The results of many inputs.
#[derive(Debug)]
struct Counts {
    dialect: Dialect,
    accepted: usize,
    refused: usize,
    tally: Tally<Departure>,
}

impl Counts {
    fn add(&mut self, question: &Question, answer: &Answer) {
        let found = self.judge(question, answer);
        let dialect = self.dialect;
        let is_known = |one: &_| departures::of(dialect).any(|known| known == *one);
        self.tally.add(found, is_known, || report(dialect, question, answer));
    }

    /// The known differences (departures) that explain the answer; empty if the answer needs no explanation. `None` if
    /// known differences cannot explain it.
    fn judge(&mut self, question: &Question, answer: &Answer) -> Option<BTreeSet<Departure>> {
        let known = question.departures.clone();
        match (&question.expected, answer) {
            (Expected::Anything, Answer::Refused | Answer::Accepted { .. })
            | (Expected::AcceptedSomehow, Answer::Accepted { .. }) => Some(known),
            (Expected::Refused(_), Answer::Refused) => {
                self.refused += 1;
                Some(known)
            }
            (
                Expected::Accepted { consumed, written: ours },
                Answer::Accepted { consumed: theirs, written },
            ) => {
                self.accepted += 1;
                let typed_keys = has_typed_keys(self.dialect, &question.input.bytes);
                let mut found = departures::between(self.dialect, ours, written)
                    .unwrap()
                    .or_else(|| typed_keys.then(|| [Departure::TypedKeys].into()))?;
                found.extend(known);
                // The engine may count missing padding at the end.
                let is_end = |theirs| (*consumed..consumed + 4).contains(theirs);
                theirs.as_ref().is_none_or(is_end).then_some(found)
            }
            // The result is unknown for properties that the class of an object lacks.
            (Expected::AcceptedSomehow, Answer::Refused)
                if known.contains(&Departure::OtherProperty) =>
            {
                Some(known)
            }
            // An engine that misreads a Vector4 reads the bytes after it as other values, so the result is unknown.
            (Expected::Accepted { .. }, Answer::Refused) if known.contains(&Departure::Vector4) => {
                self.refused += 1;
                Some(known)
            }
            _ => None,
        }
    }
}

fn report(dialect: Dialect, question: &Question, answer: &Answer) -> String {
    let ours = match &question.expected {
        Expected::Accepted { consumed, written } => {
            format!("{consumed} bytes, written {}", corpus::to_hex(written))
        }
        other => format!("{other:?}"),
    };
    let theirs = match answer {
        Answer::Accepted { consumed, written } => {
            format!("{consumed:?} bytes, written {}", corpus::to_hex(written))
        }
        other => format!("{other:?}"),
    };
    let (input, departures) = (&question.input, &question.departures);
    let bytes = corpus::to_hex(&input.bytes);
    format!(
        "{dialect} input  {bytes} objects {}\nengine {theirs}\nours   {ours}\n{departures:?}\n",
        input.objects
    )
}

/// Whether a typed array is a key, or is inside a key.
fn has_typed_keys(dialect: Dialect, bytes: &[u8]) -> bool {
    let mut key_at = None;
    let mut nodes = Document::new(bytes, dialect).walk().map_while(Result::ok);
    dialect == Dialect::Pandemonium5
        && nodes.any(|event| {
            let (Event::Enter(node) | Event::Leaf(node)) = event else { return false };
            // The next value at the same or a lower depth ends the key.
            key_at = key_at.filter(|depth| *depth < node.depth);
            if matches!(node.role(), Role::Key(_)) {
                key_at = key_at.or(Some(node.depth));
            }
            key_at.is_some()
                && matches!(node.view.kind(), Kind::TypedArray | Kind::PackedTypedArray)
        })
}

fn ask(engine: &LiveEngine, questions: &[Question]) -> Counts {
    let inputs: Vec<_> = questions.iter().map(|question| question.input.clone()).collect();
    let answers = engine.ask(&inputs).unwrap();
    let (dialect, tally) = (engine.dialect(), Tally::default());
    let mut counts = Counts { dialect, accepted: 0, refused: 0, tally };
    for (question, answer) in questions.iter().zip(&answers) {
        counts.add(question, answer);
    }
    counts
}

/// Sends many inputs to an engine. Returns whether it agrees.
fn any_input_of(engine: &LiveEngine, count: usize) -> bool {
    let classes = Classes::of(engine).unwrap();
    let asked = Asked { dialect: engine.dialect(), objects: false, classes: &classes };
    let mut inputs = Inputs::new(engine.dialect(), &classes);
    let questions: Vec<_> = (0..count).map(|_| Question::new(asked, inputs.input())).collect();
    let counts = ask(engine, &questions);
    println!("{}, {count} inputs: {counts:?}", engine.name());
    let bounded: Vec<_> = questions.iter().filter_map(|question| question.bounded(asked)).collect();
    let ends = ask(engine, &bounded);
    println!("{}, {} of them with a value behind: {ends:?}", engine.name(), bounded.len());
    // Many inputs must be accepted, and many must be refused.
    assert!(counts.accepted >= count / 5 && counts.refused >= count / 5, "{}", engine.name());
    assert!(counts.tally.same >= counts.accepted / 2, "{}", engine.name());
    let is_seen = |departure: &Departure| counts.tally.departures.contains_key(departure);
    let known = departures::of(engine.dialect());
    let unseen = known.filter(|departure| !departures::is_rare(*departure) && !is_seen(departure));
    let unseen: Vec<_> = unseen.collect();
    assert!(count < ENOUGH || unseen.is_empty(), "{} never departs in {unseen:?}", engine.name());
    counts.tally.failures + ends.tally.failures == 0
}

#[test]
#[ignore = "needs engines that run"]
fn any_input() {
    let count = std::env::var("VARIANT_LIVE_INPUTS").map_or(INPUTS, |count| count.parse().unwrap());
    let engines = engines();
    thread::scope(|scope| {
        let asked = engines.iter().map(|engine| scope.spawn(move || any_input_of(engine, count)));
        let asked: Vec<_> = asked.collect();
        for (engine, asked) in engines.iter().zip(asked) {
            assert!(asked.join().unwrap(), "{} differs", engine.name());
        }
    });
}

#[test]
#[ignore = "needs engines that run"]
fn a_deadly_input() {
    for engine in engines().iter().filter(|engine| engine.dialect() == Dialect::Godot3) {
        let deep = made::container(Dialect::Godot3, Kind::Array, 1).repeat(1_000_000);
        let answers = engine.ask(&[vec![0; 4], deep, vec![0; 3]].map(Input::value)).unwrap();
        assert_eq!(answers[0].written(), Some([0; 4].as_slice()));
        assert_eq!(answers[1..], [Answer::Died, Answer::Refused]);
    }
}

/// Values at and near the depth limit, including the class of a typed array.
#[test]
#[ignore = "needs engines that run"]
fn the_limit_of_depth() {
    for engine in engines().iter().filter(|engine| engine.dialect() != Dialect::Godot3) {
        let dialect = engine.dialect();
        let classes = Classes::default();
        let asked = Asked { dialect, objects: false, classes: &classes };
        let array = made::container(dialect, Kind::Array, 1);
        let empty = made::container(dialect, Kind::Dictionary, 0);
        let mut innermost = vec![vec![0; 4], empty];
        if dialect == Dialect::Pandemonium5 {
            let typed = Builder::new().u32(27).u32(23).u32(24).text("Node").u32(0);
            innermost.push(typed.build().bytes);
        }
        let inputs = (1021..1028).flat_map(|depth| {
            let outer = array.repeat(depth);
            innermost.iter().map(move |inner| [outer.as_slice(), inner].concat())
        });
        let questions: Vec<_> =
            inputs.map(|bytes| Question::new(asked, Input::value(bytes))).collect();
        let counts = ask(engine, &questions);
        println!("{}: {counts:?}", engine.name());
        assert_eq!(counts.tally.failures, 0, "{}", engine.name());
        assert!(counts.accepted > 0 && counts.refused > 0, "{}", engine.name());
    }
}
