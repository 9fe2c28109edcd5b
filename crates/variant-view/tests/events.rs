//! Documents as producers: their events are in order, contain every byte, and end with the error that a walk returns.

use std::convert::Infallible;

use variant_testkit::corpus;
use variant_view::internal::ShortText;
use variant_view::{
    Consumer, Dialect, Document, Error, FeedError, Head, Kind, Leaf, Number, Options, Producer,
};

/// The received events as text, and whether their order was valid.
#[derive(Default)]
struct Log {
    lines: Vec<String>,
    /// The bytes of all events, concatenated.
    bytes: Vec<u8>,
    /// For each open container: the kind, the number of items that its header states, the number received, and whether
    /// a property's name was received without its value.
    open: Vec<(Kind, usize, usize, bool)>,
    is_complete: bool,
    /// The number of lines after which events are refused.
    enough: Option<usize>,
    /// The sizes of the documents that the events came from.
    sources: Vec<usize>,
}

impl Log {
    fn add(&mut self, line: String) -> Result<(), usize> {
        if self.enough.is_some_and(|enough| self.lines.len() >= enough) {
            return Err(self.lines.len());
        }
        self.lines.push(line);
        Ok(())
    }

    fn value(&mut self) {
        assert!(!self.is_complete, "one value, and no more");
        match self.open.last_mut() {
            Some((kind, _, items, is_named)) => {
                assert_eq!(*kind == Kind::Object, *is_named, "a name for each property");
                (*items, *is_named) = (*items + 1, false);
            }
            None => self.is_complete = true,
        }
    }
}

impl Consumer for Log {
    type Error = usize;

    const WANTS_ORIGINS: bool = true;

    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), usize> {
        self.value();
        self.add(format!("{leaf:?}"))
    }

    fn enter(&mut self, head: Head<'_>) -> Result<(), usize> {
        self.value();
        self.is_complete = false;
        let per_entry = if head.kind() == Kind::Dictionary { 2 } else { 1 };
        self.open.push((head.kind(), head.len().unwrap() * per_entry, 0, false));
        self.add(format!("{head:?}"))
    }

    fn name(&mut self, name: &[u8]) -> Result<(), usize> {
        let (kind, _, _, is_named) = self.open.last_mut().unwrap();
        assert_eq!((*kind, *is_named), (Kind::Object, false));
        *is_named = true;
        self.add(format!("name {name:?}"))
    }

    fn exit(&mut self) -> Result<(), usize> {
        let (_, claimed, items, is_named) = self.open.pop().unwrap();
        assert_eq!((claimed, false), (items, is_named));
        self.is_complete = self.open.is_empty();
        self.add("exit".to_owned())
    }

    fn origin(&mut self, offset: usize, bytes: &[u8]) {
        assert_eq!(offset, self.bytes.len(), "each event follows the one before");
        self.bytes.extend_from_slice(bytes);
    }

    fn source(&mut self, bytes: &[u8], _: &Options) -> Result<(), usize> {
        self.sources.push(bytes.len());
        Ok(())
    }
}

fn fed(document: &Document<'_>) -> (Log, Option<Error>) {
    let mut log = Log::default();
    let error = match document.feed(&mut log) {
        Ok(()) => None,
        Err(FeedError::Producer(error)) => Some(error),
        Err(FeedError::Consumer(_)) => panic!("the consumer accepts every event"),
    };
    (log, error)
}

/// Compares the order, the bytes and the errors. `events.rs` of variant-owned compares the values.
#[test]
fn every_record() {
    for (dialect, path) in corpus::every_record_file() {
        for case in corpus::read_cases(&path).unwrap() {
            let document = Document::new(&case.bytes, Options::engine(dialect));
            let (log, error) = fed(&document);
            let mut walker = document.walk();
            let expected = walker.by_ref().find_map(Result::err);
            assert_eq!(error, expected, "{}:{}", path.display(), case.line);
            if error.is_some() {
                continue;
            }
            assert!(log.is_complete && log.open.is_empty());
            assert_eq!(
                log.bytes,
                case.bytes.split_at(walker.offset()).0,
                "every byte belongs to an event"
            );

            let mut own = Log::default();
            document.root().unwrap().feed(&mut own).unwrap();
            assert_eq!((own.lines, own.bytes), (log.lines, log.bytes));
        }
    }
}

#[test]
fn a_refusal_of_the_consumer_ends_the_events() {
    // [null, [null]]
    let bytes = [19, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 19, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
    let document = Document::new(&bytes, Dialect::Godot3);
    for enough in 0..6 {
        let mut log = Log { enough: Some(enough), ..Log::default() };
        assert_eq!(document.feed(&mut log), Err(FeedError::Consumer(enough)));
        assert_eq!(log.lines.len(), enough);
    }
    let mut log = Log { enough: Some(6), ..Log::default() };
    assert_eq!(document.feed(&mut log), Ok(()));
}

/// A reference to a consumer receives every event, the origins and the source included.
#[test]
fn a_borrowed_consumer_receives_what_the_consumer_receives() {
    // {"hp": [null]}, in an object
    let bytes = b"\x11\0\0\0\x04\0\0\0Node\x01\0\0\0\x02\0\0\0hp\0\0\x13\0\0\0\x01\0\0\0\0\0\0\0";
    let document = Document::new(bytes, Options::engine(Dialect::Godot3));
    let (mut own, mut lent) = (Log::default(), Log::default());
    document.feed(&mut own).unwrap();
    document.feed(&mut &mut lent).unwrap();
    assert_eq!((&lent.lines, &lent.bytes), (&own.lines, &own.bytes));
    assert_eq!((lent.lines.len(), lent.sources), (6, [bytes.len()].to_vec()));
    assert_eq!(lent.bytes, bytes);
}

#[test]
fn inputs_are_known_beforehand() {
    let bytes = [19, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
    let document = Document::new(&bytes, Dialect::Godot3);
    assert_eq!(document.input().dialect, Some(Dialect::Godot3));
    assert_eq!(document.input().max_values, Some(3));
    assert_eq!(document.root().unwrap().input().dialect, Some(Dialect::Godot3));
}

/// A consumer may want only the document of its events.
#[test]
fn a_document_is_passed_without_the_places_of_its_events() {
    struct Whole(Option<usize>);

    impl Consumer for Whole {
        type Error = usize;

        const WANTS_ORIGINS: bool = true;

        fn leaf(&mut self, _: Leaf<'_>) -> Result<(), usize> {
            Ok(())
        }

        fn enter(&mut self, _: Head<'_>) -> Result<(), usize> {
            Ok(())
        }

        fn name(&mut self, _: &[u8]) -> Result<(), usize> {
            Ok(())
        }

        fn exit(&mut self) -> Result<(), usize> {
            Ok(())
        }

        fn source(&mut self, bytes: &[u8], _: &Options) -> Result<(), usize> {
            self.0.replace(bytes.len()).map_or(Ok(()), Err)
        }
    }

    let bytes = [19, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
    let document = Document::new(&bytes, Dialect::Godot3);
    let mut whole = Whole(None);
    assert_eq!(document.feed(&mut whole), Ok(()));
    assert_eq!(whole.0, Some(12));
    assert_eq!(document.feed(&mut whole), Err(FeedError::Consumer(12)));
}

/// A consumer may want only the places of its events.
#[test]
fn the_places_of_events_are_passed_without_the_document() {
    #[derive(Default)]
    struct Places(Vec<(usize, usize)>);

    impl Consumer for Places {
        type Error = Infallible;

        const WANTS_ORIGINS: bool = true;

        fn leaf(&mut self, _: Leaf<'_>) -> Result<(), Infallible> {
            Ok(())
        }

        fn enter(&mut self, _: Head<'_>) -> Result<(), Infallible> {
            Ok(())
        }

        fn name(&mut self, _: &[u8]) -> Result<(), Infallible> {
            Ok(())
        }

        fn exit(&mut self) -> Result<(), Infallible> {
            Ok(())
        }

        fn origin(&mut self, offset: usize, bytes: &[u8]) {
            self.0.push((offset, bytes.len()));
        }
    }

    let bytes = [19, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
    let document = Document::new(&bytes, Dialect::Godot3);
    let mut places = Places::default();
    assert_eq!(document.feed(&mut places), Ok(()));
    assert_eq!(places.0, [(0, 8), (8, 4), (12, 0)]);
}

#[test]
fn numbers_have_the_sign_of_their_value() {
    let negative = [Number::from(-1_i32), (-1_i64).into(), (-0.0_f32).into(), (-f64::NAN).into()];
    let positive = [Number::from(0_i32), 1_i64.into(), 0.0_f32.into(), f64::NAN.into()];
    assert!(negative.iter().all(|number| number.is_negative()));
    assert!(!positive.iter().any(|number| number.is_negative()));
    assert_eq!(Number::from(-7_i32), Number::from(-7_i64));
}

#[test]
fn short_texts_are_empty_without_bytes() {
    let block = [0; ShortText::MAX];
    let empty = ShortText::new(&block, 0).unwrap();
    assert!(empty.is_empty() && empty.as_bytes().is_empty());
    let mut block = block;
    block[0] = b'a';
    let one = ShortText::new(&block, 1).unwrap();
    assert!(!one.is_empty());
    assert_eq!(one.as_bytes(), b"a");
}

#[test]
fn short_texts_are_ascii_and_end_within_the_block() {
    let block = [b'a'; ShortText::MAX];
    assert_eq!(ShortText::new(&block, 22).unwrap().as_bytes(), block);
    assert!(ShortText::new(&block, 23).is_none());
    assert!(ShortText::new(&[0x80; ShortText::MAX], 22).is_none());
}
