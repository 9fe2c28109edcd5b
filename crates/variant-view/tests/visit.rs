//! How walks end: with an error, or because the visitor stops them. `variant-testkit/tests/agree.rs` compares events by
//! iteration with events by a visitor.

use variant_testkit::builder::words;
use variant_view::{
    Dialect, Document, Error, ErrorKind, Event, Limit, Limits, Node, Options, Result, Visitor,
};

/// Counts events, and stops after the second.
struct Two(usize);

impl Two {
    fn add(&mut self) -> Result<()> {
        self.0 = self.0.saturating_add(1);
        if self.0 < 2 { Ok(()) } else { Err(an_error()) }
    }
}

impl Visitor<'_> for Two {
    fn leaf(&mut self, _: Node<'_>) -> Result<()> {
        self.add()
    }

    fn enter(&mut self, _: Node<'_>) -> Result<()> {
        self.add()
    }

    fn exit(&mut self, _: usize) -> Result<()> {
        self.add()
    }
}

fn an_error() -> Error {
    Document::new(&[], Dialect::Godot4).validate().unwrap_err()
}

/// An array of three nils, as Godot 3 writes it.
fn array() -> Vec<u8> {
    words(&[19, 3, 0, 0, 0]).build().bytes
}

#[test]
fn a_container_comes_before_contents_that_are_too_deep() {
    let bytes = array();
    let options = Options::engine(Dialect::Godot3).limits(Limits::ENGINE.depth(0));
    let mut walker = Document::new(&bytes, options).walk();
    assert!(matches!(walker.next(), Some(Ok(Event::Enter(_)))));
    let error = walker.next().unwrap().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LimitExceeded { limit: Limit::Depth });
    assert_eq!(error.offset(), 8);
}

#[test]
fn a_visitor_that_has_enough_ends_the_walk() {
    let bytes = array();
    // The document has 20 bytes, so it exceeds the limit of 19 bytes. With this limit, only the exact pass can be used.
    for limit in [1_000, 19] {
        let options = Options::engine(Dialect::Godot3).limits(Limits::ENGINE.bytes(limit));
        let mut walker = Document::new(&bytes, options).walk();
        let mut two = Two(0);
        assert_eq!(walker.visit(&mut two), Err(an_error()));
        assert_eq!(two.0, 2);
        assert!(walker.next().is_none());
        assert_eq!(walker.visit(&mut two), Ok(()));
    }
}

/// Records each event as text.
#[derive(Default)]
struct Seen(Vec<String>);

impl Visitor<'_> for Seen {
    fn leaf(&mut self, node: Node<'_>) -> Result<()> {
        self.0.push(format!("leaf {}", node.view.offset()));
        Ok(())
    }

    fn enter(&mut self, node: Node<'_>) -> Result<()> {
        self.0.push(format!("enter {}", node.view.offset()));
        Ok(())
    }

    fn exit(&mut self, offset: usize) -> Result<()> {
        self.0.push(format!("exit {offset}"));
        Ok(())
    }
}

#[test]
fn a_walk_that_has_begun_is_visited_from_its_place() {
    // [null, [null], null]
    let bytes = words(&[19, 3, 0, 19, 1, 0, 0]).build().bytes;
    let document = Document::new(&bytes, Dialect::Godot3);
    let mut all = Seen::default();
    document.walk().visit(&mut all).unwrap();
    assert_eq!(all.0.len(), 7);
    for begun in 0..=7 {
        let mut walker = document.walk();
        assert_eq!(walker.by_ref().take(begun).count(), begun);
        let mut rest = Seen::default();
        walker.visit(&mut rest).unwrap();
        assert_eq!(rest.0, all.0[begun..], "{begun}");
        assert!(walker.next().is_none());
    }
}
