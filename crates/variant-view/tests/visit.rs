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
    // [null, [null, [null]], null, null]
    let bytes = words(&[19, 4, 0, 19, 2, 0, 19, 1, 0, 0, 0]).build().bytes;
    let document = Document::new(&bytes, Dialect::Godot3);
    let mut all = Seen::default();
    document.walk().visit(&mut all).unwrap();
    assert_eq!(all.0.len(), 11);
    for begun in 0..=11 {
        let mut walker = document.walk();
        assert_eq!(walker.by_ref().take(begun).count(), begun);
        let mut rest = Seen::default();
        walker.visit(&mut rest).unwrap();
        assert_eq!(rest.0, all.0[begun..], "{begun}");
        assert!(walker.next().is_none());
    }
}

/// `skip_rest` leads to the end of the innermost container, from everywhere in it and with
/// everything in it.
#[test]
fn the_rest_of_a_container_is_skipped() {
    // [null, [[null], {null: [null]}], null]
    let bytes = words(&[19, 3, 0, 19, 2, 19, 1, 0, 18, 1, 0, 19, 1, 0, 0]).build().bytes;
    let document = Document::new(&bytes, Dialect::Godot3);
    let events: Vec<_> = document.walk().map(|event| format!("{event:?}")).collect();
    for begun in 0..=events.len() {
        let mut walker = document.walk();
        let open = walker.by_ref().take(begun).fold(0, |open, event| match event.unwrap() {
            Event::Enter(_) => open + 1,
            Event::Leaf(_) => open,
            Event::Exit { .. } => open - 1,
        });
        assert_eq!(walker.skip_rest(), Ok(()));
        let is_end =
            |event: &String| open > 0 && event.ends_with(&format!("depth: {} }})", open - 1));
        let exits = |event: &String| event.contains("Exit") && is_end(event);
        let end = events[begun..].iter().position(exits);
        assert_eq!(end.is_some(), open > 0, "{begun}");
        let rest = end.map_or(&[][..], |end| &events[begun + end..]);
        assert!(walker.map(|event| format!("{event:?}")).eq(rest.iter().cloned()), "{begun}");
    }
}

/// Damage in the skipped rest is an error, which ends the walk.
#[test]
fn damage_in_the_rest_of_a_container_ends_the_walk() {
    let bytes = words(&[19, 2, 19, 2, 0, 99, 0]).build().bytes;
    let document = Document::new(&bytes, Dialect::Godot3);
    let expected = document.validate().unwrap_err();
    assert_eq!(expected.offset(), 20);
    for begun in 0..4 {
        let mut walker = document.walk();
        assert_eq!(walker.by_ref().take(begun).filter_map(Result::ok).count(), begun);
        assert_eq!(walker.skip_rest(), Err(expected), "{begun}");
        assert!(walker.next().is_none(), "{begun}");
        assert_eq!(walker.skip_rest(), Ok(()), "{begun}");
    }
}
