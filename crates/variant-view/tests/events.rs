//! Documents as producers: their events are in order, contain every byte, and end with the error that a walk returns.

use std::convert::Infallible;

use variant_testkit::builder::words;
use variant_testkit::corpus;
use variant_view::internal::ShortText;
use variant_view::{
    Consumer, Dialect, Document, Error, FeedError, Head, Input, Kind, Leaf, Number, NumberType,
    Numbers, Options, Producer, Reals, Texts, Width,
};
#[cfg(feature = "alloc")]
use variant_view::{Vector2, Vector3, Vector4};

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
    // Views of containers, of texts and of paths contain their dialect.
    for (bytes, has_dialect) in [
        (words(&[2, 5]), false),
        (words(&[34, 0]), false),
        (words(&[4]).text("a"), true),
        (words(&[21]).text("a"), true),
        (words(&[22, 1 << 31, 0, 0]), true),
        (words(&[24]).text("Node").u32(0), true),
        (words(&[27, 0]), true),
        (words(&[28, 0]), true),
    ] {
        let bytes = bytes.build().bytes;
        let document = Document::new(&bytes, Options::engine(Dialect::Godot4));
        let (all, max_values) = (Some(Dialect::Godot4), Some(bytes.len() / 4));
        let expected = Input { dialect: all, reals: Some(Reals::ByFlag), max_values };
        assert_eq!([input(&document), input(&&document)], [expected; 2]);
        let dialect = all.filter(|_| has_dialect);
        let view = document.root().unwrap();
        let expected = Input { dialect, reals: None, max_values };
        assert_eq!([input(&view), input(&&view)], [expected; 2], "{view:?}");
    }
}

/// The input of exactly this producer, even if it is a reference to another one.
fn input<P: Producer>(producer: &P) -> Input {
    producer.input()
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

/// Numbers are not the numbers of another type that has as many bytes.
#[cfg(feature = "alloc")]
#[test]
fn numbers_are_collected_only_as_what_they_are() {
    let floats: &[f32] = &[1.0, 2.0, 3.0, 4.0];
    let wire = words(&[32, 4]).f32s(floats).build().bytes;
    let wire = Document::new(&wire, Dialect::Godot4).root().unwrap().numbers().unwrap();
    for numbers in [Numbers::of(Kind::PackedFloat32Array, &floats).unwrap(), wire] {
        assert_eq!(numbers.to_vec::<f32>().as_deref(), Some(floats));
        assert_eq!(numbers.to_vec::<Vector2>().map(|all| all.len()), Some(2));
        assert_eq!((numbers.to_vec::<i32>(), numbers.to_vec::<f64>()), (None, None));
        assert_eq!((numbers.to_vec::<Vector3>(), numbers.value::<Vector4<i32>>()), (None, None));
        assert_eq!(numbers.value(), Some(Vector4::from([1.0_f32, 2.0, 3.0, 4.0])));
    }
}

/// A number of each type is read from as many bytes as it has, in the order of the wire.
#[test]
fn numbers_are_read_from_the_wire() {
    use NumberType::{Byte, Float32, Float64, Int32, Int64, Real};
    let bytes = [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xef, 0xbf, 7];
    for (number, len, expected) in [
        (Byte, 1, Number::Int(254)),
        (Int32, 4, Number::Int(-2)),
        (Int64, 8, Number::Int(-0x4010_0000_0000_0002)),
        (Float32, 4, Number::Float32(0xffff_fffe)),
        (Real, 4, Number::Float32(0xffff_fffe)),
        (Float64, 8, Number::Float64(0xbfef_ffff_ffff_fffe)),
    ] {
        assert_eq!(Number::from_wire(number, &bytes), Some(expected), "{number:?}");
        assert_eq!(Number::from_wire(number, &bytes[..len]), Some(expected), "{number:?}");
        assert_eq!(Number::from_wire(number, &bytes[..len - 1]), None, "{number:?}");
        assert_eq!(number.bytes(Width::W32), len, "{number:?}");
    }
}

/// A number is read as a float of either width: the nearest, or an infinite one.
#[test]
fn numbers_are_read_as_floats() {
    for (number, wide, narrow) in [
        (Number::from(-3_i32), -3.0, -3.0),
        (Number::from((1_i64 << 53) + 1), 9_007_199_254_740_992.0, 9_007_199_254_740_992.0),
        (Number::from(0.1_f32), f64::from(0.1_f32), 0.1),
        (Number::from(0.1_f64), 0.1, 0.1),
        (Number::from(1e300_f64), 1e300, f32::INFINITY),
        (Number::from(f32::NEG_INFINITY), f64::NEG_INFINITY, f32::NEG_INFINITY),
    ] {
        assert_eq!((number.to_f64(), number.to_f32()), (wide, narrow));
        assert_eq!((number.is_finite(), number.is_nan()), (wide.is_finite(), false));
    }
    for nan in [Number::from(f32::NAN), Number::from(-f64::NAN)] {
        assert!(nan.is_nan() && !nan.is_finite() && nan.to_f32().is_nan());
    }
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

/// Asserts that an iterator has `len` items, and knows at each item how many are left.
fn counts_down(mut items: impl ExactSizeIterator, len: usize) {
    for left in (0..=len).rev() {
        assert_eq!(items.size_hint(), (left, Some(left)));
        assert_eq!(items.next().is_some(), left > 0);
    }
}

/// Bytes that are not printable ASCII are escaped.
#[test]
fn texts_are_printed_with_escapes() {
    let list: &[&[u8]] = &[b"axe", b"a\xffb\n", b""];
    assert_eq!(format!("{:?}", Texts::of(&list)), r#"["axe", "a\xffb\n", ""]"#);
}

/// Texts and numbers know how many they are, from the wire and from memory.
#[test]
fn texts_and_numbers_are_counted() {
    let list: &[&str] = &["a", "b", "c"];
    let ints: &[i32] = &[1, 2, 3];
    counts_down(Texts::of(&list).iter(), 3);
    counts_down(Texts::EMPTY.iter(), 0);
    counts_down(Numbers::of(Kind::PackedInt32Array, &ints).unwrap().iter(), 3);
    let strings = words(&[34, 3]).text("a\0").text("b\0").text("\0").build().bytes;
    let strings = Document::new(&strings, Dialect::Godot4).root().unwrap().as_strings().unwrap();
    counts_down(Texts::of_strings(&strings).iter(), 3);
    counts_down(strings.iter(), 3);
    let path = words(&[22, 2 | 1 << 31, 1, 1]).text("a").text("b").text("c").build().bytes;
    let path = Document::new(&path, Dialect::Godot4).root().unwrap().as_node_path().unwrap();
    counts_down(Texts::of_names(&path).iter(), 2);
    counts_down(Texts::of_subnames(&path).iter(), 1);
    let plane = words(&[14]).f32s(&[0.0, 1.0, 0.0, 2.0]).build().bytes;
    counts_down(
        Document::new(&plane, Dialect::Godot4).root().unwrap().numbers().unwrap().iter(),
        4,
    );
}
