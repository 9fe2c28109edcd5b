//! An iterator over events and a visitor receive the same events.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test may stop")]

use variant_testkit::builder::Builder;
use variant_testkit::corpus;
use variant_view::{
    Dialect, Document, Error, ErrorKind, Event, Limit, Limits, Node, Options, Result, Visitor,
};

/// The received events, as text.
#[derive(Default)]
struct Log {
    lines: Vec<String>,
    /// The number of lines after which the visitor stops.
    enough: Option<usize>,
}

impl Log {
    fn add(&mut self, line: String) -> Result<()> {
        self.lines.push(line);
        match self.enough {
            // Any error will do.
            Some(enough) if self.lines.len() >= enough => Err(an_error()),
            _ => Ok(()),
        }
    }
}

impl Visitor<'_> for Log {
    fn leaf(&mut self, node: Node<'_>) -> Result<()> {
        self.add(format!("leaf {node:?}"))
    }

    fn enter(&mut self, node: Node<'_>) -> Result<()> {
        self.add(format!("enter {node:?}"))
    }

    fn exit(&mut self, end: usize) -> Result<()> {
        self.add(format!("exit {end}"))
    }
}

fn an_error() -> Error {
    Document::new(&[], Dialect::Godot4).validate().unwrap_err()
}

/// The events, and how they end.
fn taken(document: &Document<'_>) -> (Vec<String>, Option<Error>, usize) {
    let mut lines = Vec::new();
    let mut walker = document.walk();
    for event in walker.by_ref() {
        lines.push(match event {
            Ok(Event::Leaf(node)) => format!("leaf {node:?}"),
            Ok(Event::Enter(node)) => format!("enter {node:?}"),
            Ok(Event::Exit { end, .. }) => format!("exit {end}"),
            Err(error) => return (lines, Some(error), walker.offset()),
        });
    }
    (lines, None, walker.offset())
}

fn visited(document: &Document<'_>) -> (Vec<String>, Option<Error>, usize) {
    let mut log = Log::default();
    let mut walker = document.walk();
    let error = walker.visit(&mut log).err();
    assert!(walker.next().is_none(), "the walk has ended");
    assert_eq!(walker.skip_rest(), Ok(()), "nothing is left");
    (log.lines, error, walker.offset())
}

#[test]
fn every_vector() {
    for (dialect, path) in corpus::every_record_file() {
        for case in corpus::read_cases(&path).unwrap() {
            for depth in [0, 1, 1_024] {
                let limits = Limits::ENGINE.depth(depth);
                let document = Document::new(&case.bytes, Options::new(dialect).limits(limits));
                assert_eq!(
                    visited(&document),
                    taken(&document),
                    "{}:{}",
                    path.display(),
                    case.line
                );
            }
        }
    }
}

#[test]
fn a_container_is_told_of_before_what_is_too_deep_in_it() {
    let bytes = Builder::new().u32(19).u32(3).u32(0).u32(0).u32(0).build().bytes;
    let options = Options::new(Dialect::Godot3).limits(Limits::ENGINE.depth(0));
    let (lines, error, _) = taken(&Document::new(&bytes, options));
    assert_eq!(lines.len(), 1);
    assert_eq!(
        error.map(|error| (error.kind(), error.offset())),
        Some((ErrorKind::LimitExceeded { limit: Limit::Depth }, 8))
    );
}

#[test]
fn a_visitor_that_has_enough_ends_the_walk() {
    let bytes = Builder::new().u32(19).u32(3).u32(0).u32(0).u32(0).build().bytes;
    // With a limit of bytes that the document exceeds, the exact pass reads every value.
    for limit in [1_000, 19] {
        let options = Options::new(Dialect::Godot3).limits(Limits::ENGINE.bytes(limit));
        let mut walker = Document::new(&bytes, options).walk();
        let mut log = Log { enough: Some(2), ..Log::default() };
        assert_eq!(walker.visit(&mut log), Err(an_error()));
        assert_eq!(log.lines.len(), 2);
        assert!(walker.next().is_none());
        assert_eq!(walker.visit(&mut log), Ok(()));
    }
}
