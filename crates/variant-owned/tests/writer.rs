//! The writer writes the same bytes as the encoder, and only valid values.

use variant_owned::internal::Direct;
use variant_owned::{
    EncodeErrorKind, EncodeOptions, Object, Precision, Variant, Writer, array, dictionary, encode,
};
use variant_view::{
    ArrayHead, Consumer as _, Dialect, DictionaryHead, Document, ElementType, FeedError, Head,
    Kind, Leaf, Numbers, Page, Producer as _, Reals, Width,
};

const GODOT4: EncodeOptions = EncodeOptions::new(Dialect::Godot4);

#[test]
fn parts_of_other_documents_verbatim() {
    let other = encode(&dictionary! { "body" => array![1, 2] }.into(), GODOT4).unwrap();
    let body = Document::new(&other, Dialect::Godot4).at("body").unwrap().raw_bytes().unwrap();
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, GODOT4);
    writer.begin_array().unwrap();
    writer.raw_bytes(body).unwrap();
    let error = writer.raw_bytes(&body[..body.len() - 4]).unwrap_err();
    assert!(matches!(error.kind(), EncodeErrorKind::NotAValue(_)), "{error}");
    assert_eq!(error.path(), "[1]");
    writer.raw_bytes(body).unwrap();
    writer.end().unwrap();
    writer.finish().unwrap();
    let expected = array![array![1, 2], array![1, 2]];
    assert_eq!(bytes, encode(&expected.into(), GODOT4).unwrap());
}

/// The head of an array with a known length.
fn array_of(len: usize) -> Head<'static> {
    Head::Array(ArrayHead { len: Some(len), ..ArrayHead::default() })
}

/// A container must have the length that was announced. If none was announced, the writer counts the items.
#[test]
fn lengths_are_counted_or_kept() {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, GODOT4);
    writer.enter(array_of(1)).unwrap();
    let error = writer.end().unwrap_err();
    assert_eq!(error.kind(), &EncodeErrorKind::Count { expected: 1, found: 0 });
    writer.begin_dictionary().unwrap();
    writer.value(&1.into()).unwrap();
    assert_eq!(writer.end().unwrap_err().kind(), &EncodeErrorKind::Unexpected);
    writer.value(&array![2].into()).unwrap();
    writer.end().unwrap();
    writer.end().unwrap();
    writer.finish().unwrap();
    assert_eq!(bytes, encode(&array![dictionary! { 1 => array![2] }].into(), GODOT4).unwrap());
}

/// An object takes as many properties as its head announces, and no more.
#[test]
fn properties_are_refused_beyond_the_announced_number() {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, GODOT4);
    writer.enter(Head::Object { class: b"C", rule: None, len: Some(1) }).unwrap();
    writer.name("p").unwrap();
    writer.value(&1.into()).unwrap();
    for error in [writer.name("q").unwrap_err(), writer.value(&2.into()).unwrap_err()] {
        assert_eq!((error.kind(), error.path()), (&EncodeErrorKind::Unexpected, "{1}"));
    }
    writer.end().unwrap();
    writer.finish().unwrap();
    let mut object = Object::new("C");
    object.properties_mut().unwrap().push("p", 1);
    assert_eq!(bytes, encode(&object.into(), GODOT4).unwrap());
}

/// A writer consumes the events of any producer, and appends to the bytes that are in the buffer.
#[test]
fn a_writer_takes_events() {
    for &dialect in Dialect::ALL {
        let mut object = Object::new("C");
        object.properties_mut().unwrap().push("p", array![1.5, Variant::Rid(0)]);
        let all = dictionary! { "o" => Variant::Nil, array![1] => vec![1_i32, 2] };
        let value: Variant = if dialect.writes_objects() { object.into() } else { all.into() };
        let mut bytes = vec![9];
        let mut writer = Writer::new(&mut bytes, dialect);
        value.feed(&mut writer).unwrap();
        let len = writer.finish().unwrap();
        assert_eq!((bytes.len(), &bytes[1..]), (len + 1, &*encode(&value, dialect).unwrap()));
    }
}

/// Every malformed value is an error, and the buffer is unchanged in the end.
#[test]
fn nothing_malformed() {
    type Steps = fn(&mut Writer<'_>) -> Result<(), variant_owned::EncodeError>;
    let wrong: [(&str, Steps); 9] = [
        ("end of nothing", |w| w.end()),
        ("too few elements", |w| w.enter(array_of(1)).and_then(|()| w.end())),
        ("too many elements", |w| w.enter(array_of(0)).and_then(|()| w.value(&Variant::Nil))),
        ("a key without a value", |w| {
            w.begin_dictionary()?;
            w.value(&Variant::Nil)?;
            w.end()
        }),
        ("a property without a name", |w| {
            w.begin_object("C")?;
            w.value(&Variant::Nil)
        }),
        ("a name without a property", |w| {
            w.begin_object("C")?;
            w.name("p")?;
            w.end()
        }),
        ("two names", |w| {
            w.begin_object("C")?;
            w.name("p")?;
            w.name("q")
        }),
        ("an object of no class", |w| w.begin_object("")),
        ("two values", |w| w.value(&Variant::Nil).and_then(|()| w.value(&Variant::Nil))),
    ];
    for (what, steps) in wrong {
        let mut bytes = vec![1, 2];
        let mut writer = Writer::new(&mut bytes, GODOT4);
        assert!(steps(&mut writer).is_err(), "{what}");
        drop(writer);
        assert_eq!(bytes, [1, 2], "{what}");
    }
    let unfinished: [(&str, Steps); 4] = [
        ("no value", |_| Ok(())),
        ("an open array", |w| w.begin_array()),
        ("an open array of all its elements", |w| w.enter(array_of(0))),
        ("an open array in an array", |w| w.begin_array().and_then(|()| w.enter(array_of(0)))),
    ];
    for (what, steps) in unfinished {
        let mut bytes = vec![1, 2];
        let mut writer = Writer::new(&mut bytes, GODOT4);
        steps(&mut writer).unwrap();
        let error = writer.finish().unwrap_err();
        assert_eq!((error.kind(), &*bytes), (&EncodeErrorKind::Unfinished, &[1, 2][..]), "{what}");
    }
}

#[test]
fn an_array_of_a_kind_that_is_not_an_array() {
    for dialect in Dialect::ALL.iter().copied() {
        for kind in Kind::ALL.iter().copied() {
            let mut bytes = Vec::new();
            let mut writer = Writer::new(&mut bytes, dialect);
            let head = ArrayHead { kind, len: Some(1), ..ArrayHead::default() };
            let written = writer.enter(Head::Array(head)).and_then(|()| {
                writer.value(&Variant::Bool(true))?;
                writer.end()?;
                writer.finish()
            });
            let Ok(len) = written else { continue };
            let document = Document::new(&bytes, dialect);
            assert_eq!(document.validate().unwrap().consumed, len, "{dialect} {kind}");
            assert_eq!(document.root().unwrap().as_array().unwrap().len(), 1, "{dialect} {kind}");
        }
    }
}

#[test]
fn no_deeper_than_the_limit() {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, GODOT4.depth(3));
    for _ in 0..4 {
        writer.begin_array().unwrap();
    }
    let error = writer.value(&Variant::Nil).unwrap_err();
    assert_eq!(error.kind(), &EncodeErrorKind::TooDeep);
    assert_eq!(error.path(), "[0][0][0][0]");
}

/// The padding of a byte array at the end of a document may be missing. `raw_bytes` of a view then returns the array
/// without padding, and the writer adds it.
#[test]
fn bytes_of_a_view_are_written() {
    let array = b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x07\0\0\0\x1d\0\0\0\x03\0\0\0abc";
    for missing in 0..4 {
        let mut bytes = array.to_vec();
        let len = 4 - missing;
        bytes.truncate(24);
        bytes[20] = len.try_into().unwrap();
        bytes.extend_from_slice(&[7; 4][..len]);
        let document = Document::new(&bytes, Dialect::Godot4);
        for path in ["", "[1]"] {
            let raw = document.at(path).unwrap().raw_bytes().unwrap();
            let mut written = Vec::new();
            let mut writer = Writer::new(&mut written, Dialect::Godot4);
            writer.begin_array().unwrap();
            writer.raw_bytes(raw).unwrap();
            writer.raw_bytes(raw).unwrap();
            writer.value(&5.into()).unwrap();
            writer.end().unwrap();
            writer.finish().unwrap();
            let read = Variant::from_document(&Document::new(&written, Dialect::Godot4)).unwrap();
            let expected = Variant::from_document(&document).unwrap();
            let expected = expected.at(path).unwrap();
            assert_eq!((&read[0], &read[1], &read[2]), (expected, expected, &5.into()), "{path:?}");
        }
    }
}

/// Bytes after the value are refused: they would be read as the next value.
#[test]
fn bytes_of_one_value_are_not_more_bytes() {
    let seven = encode(&7.into(), GODOT4).unwrap();
    let mut bytes = vec![1, 2];
    let mut writer = Writer::new(&mut bytes, GODOT4);
    let error = writer.raw_bytes(&[&seven[..], &seven].concat()).unwrap_err();
    assert_eq!(error.kind(), &EncodeErrorKind::Unexpected);
    writer.raw_bytes(&seven).unwrap();
    writer.finish().unwrap();
    assert_eq!(bytes, [&[1, 2][..], &seven].concat());
}

#[test]
fn debug_of_a_writer_shows_where_it_is() {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, GODOT4);
    writer.begin_array().unwrap();
    writer.value(&1.into()).unwrap();
    let shown = format!("{writer:?}");
    assert!(shown.contains("Godot4") && shown.ends_with("path: \"[1]\", .. }"), "{shown}");
}

/// What `variant-serde` writes piece by piece has the bounds of the writer.
#[test]
fn direct_pieces_are_bounded_and_taken_back() {
    let of_class = Head::Array(ArrayHead {
        kind: Kind::TypedArray,
        element_type: ElementType::Class(b"Node"),
        ..ArrayHead::default()
    });
    let options = EncodeOptions::new(Dialect::Pandemonium5);
    for (depth, is_fine) in [(0, false), (1, true)] {
        let (mut bytes, mut others) = (vec![9], vec![9]);
        let mut direct = Direct::new(&mut bytes, options.depth(depth));
        let mut writer = Writer::new(&mut others, options.depth(depth));
        let outcome = direct.enter(&of_class).map(drop);
        assert_eq!(outcome, writer.enter(of_class).map_err(|error| error.kind().clone()));
        assert_eq!(outcome, if is_fine { Ok(()) } else { Err(EncodeErrorKind::TooDeep) });
        let open = u32::from(is_fine);
        assert_eq!(format!("{direct:?}"), format!("Direct {{ open: {open}, .. }}"));
        drop((direct, writer));
        assert_eq!((bytes, others), (vec![9], vec![9]));
    }
    let mut bytes = Vec::new();
    let mut direct = Direct::new(&mut bytes, options);
    let damaged = Document::new(b"\x02\0\0\0", Dialect::Godot4);
    let Err(FeedError::Producer(error)) = direct.whole(&damaged) else { panic!("not refused") };
    assert_eq!(Err(error), damaged.validate().map(drop));
}

/// The options of every dialect, in both widths of reals and in the layout of 64-bit reals without a flag.
fn all_options() -> impl Iterator<Item = EncodeOptions> {
    let pages = Page::ALL.iter().map(|page| page.dialect());
    let dialects = Dialect::ALL.iter().copied().chain(pages);
    dialects.map(EncodeOptions::new).flat_map(|options| {
        [options, options.precision(Precision::Double), options.reals(Reals::Always64)]
    })
}

/// The bytes of one piece, or why it is refused.
fn direct<T>(
    options: EncodeOptions,
    write: impl FnOnce(&mut Direct<'_>) -> Result<T, EncodeErrorKind>,
) -> Result<(T, Vec<u8>), EncodeErrorKind> {
    let mut bytes = vec![9];
    let mut direct = Direct::new(&mut bytes, options);
    let outcome = write(&mut direct);
    if outcome.is_ok() {
        assert_eq!(direct.finish(), bytes.len() - 1);
    } else {
        drop(direct);
        assert_eq!(bytes, [9]);
    }
    outcome.map(|outcome| (outcome, bytes.split_off(1)))
}

/// The bytes of the encoder, or why it refuses the value.
fn encoded(
    value: impl Into<Variant>,
    options: EncodeOptions,
) -> Result<((), Vec<u8>), EncodeErrorKind> {
    let bytes = encode(&value.into(), options).map_err(|error| error.kind().clone());
    bytes.map(|bytes| ((), bytes))
}

#[test]
fn direct_leaves_are_those_of_the_encoder() {
    let (mut written, mut left) = (0, 0);
    for options in all_options() {
        for int in [0, -1, 7, i32::MAX.into(), i32::MIN.into(), 1 << 31, -1 << 40, i64::MIN] {
            assert_eq!(direct(options, |to| to.int(int)), encoded(int, options), "{options:?}");
        }
        for len in 0..=24 {
            let text: String = ('a'..='z').take(len).collect();
            let mut block = [0; 24];
            block[..len].copy_from_slice(text.as_bytes());
            let words =
                [0, 8, 16].map(|at| u64::from_le_bytes(*block[at..].first_chunk().unwrap()));
            assert_eq!(direct(options, |to| to.short_text(words, len)), encoded(&text, options));
            let leaf = Leaf::String(text.as_bytes());
            assert_eq!(direct(options, |to| to.leaf(leaf)), encoded(&text, options));
        }
        for kind in Kind::ALL.iter().copied() {
            let numbers: [u8; 16] = std::array::from_fn(|at| 63 - u8::try_from(at % 4).unwrap());
            let shape = kind.shape().filter(|shape| !shape.is_packed);
            let Some(shape) = shape.filter(|shape| shape.bytes(Width::W32) <= 16) else { continue };
            let count = usize::from(shape.count);
            let leaf = Numbers::from_wire(kind, Width::W32, &numbers[..4 * count]).unwrap();
            let expected = encoded(Variant::from_numbers(&leaf), options);
            let has_wide_reals = options.reals == Reals::Always64
                || (options.precision == Precision::Double && options.dialect.has_wide_reals());
            let outcome = direct(options, |to| to.words(kind, numbers, count));
            if has_wide_reals && !shape.number.is_integer() {
                assert_eq!(outcome, Ok((false, Vec::new())), "{options:?} {kind}");
                left += 1;
            } else {
                written += usize::from(expected.is_ok());
                let expected = expected.map(|((), bytes)| (true, bytes));
                assert_eq!(outcome, expected, "{options:?} {kind}");
            }
        }
    }
    assert!(written > 50 && left > 50, "{written} {left}");
}

/// The pieces of a value with two containers of each form, and the value.
fn direct_pieces(to: &mut Direct<'_>) -> Result<Variant, EncodeErrorKind> {
    let dictionary = || Head::Dictionary(DictionaryHead::default());
    let all = to.enter(&Head::Array(ArrayHead::default()))?;
    for at in 0..2 {
        let pairs = to.enter(&dictionary())?;
        to.int(at)?;
        let object = to.enter(&Head::object(b"Node"))?;
        to.exit(object, 0)?;
        to.leaf(Leaf::Bool(true))?;
        let inner = to.enter(&dictionary())?;
        to.exit(inner, 0)?;
        to.exit(pairs, 2)?;
    }
    to.whole(&Variant::from(array![7])).unwrap();
    to.exit(all, 3)?;
    let of = |at: i64| dictionary! { at => Object::new("Node"), true => dictionary! {} };
    Ok(array![of(0), of(1), array![7]].into())
}

#[test]
fn direct_containers_are_those_of_the_encoder() {
    let has_objects =
        |to: &EncodeOptions| to.dialect.writes_objects() && to.dialect.id(Kind::Object).is_some();
    for options in all_options().filter(has_objects) {
        for depth in 0..4 {
            let options = options.depth(depth);
            match direct(options, direct_pieces) {
                Ok((value, bytes)) => assert_eq!(encoded(value, options), Ok(((), bytes))),
                Err(error) => assert_eq!(error, EncodeErrorKind::TooDeep),
            }
            // The innermost containers are empty, and have depth 2.
            assert_eq!(direct(options, direct_pieces).is_ok(), depth >= 2, "{depth}");
        }
    }
}

/// A piece that would be too deep is refused, and nothing is written for it.
#[test]
fn direct_pieces_are_no_deeper_than_those_of_a_writer() {
    type Piece = fn(&mut Direct<'_>) -> Result<(), EncodeErrorKind>;
    let pieces: [Piece; 5] = [
        |to| to.leaf(Leaf::Bool(true)),
        |to| to.int(7),
        |to| to.short_text([0; 3], 0),
        |to| to.words(Kind::Vector2i, [0; 16], 2).map(drop),
        |to| {
            to.whole(&Variant::from(7)).map_err(|error| match error {
                FeedError::Consumer(error) => error,
                FeedError::Producer(never) => match never {},
            })
        },
    ];
    for depth in 0..4 {
        let (mut bytes, mut others) = (Vec::new(), Vec::new());
        let mut direct = Direct::new(&mut bytes, GODOT4.depth(depth));
        let mut writer = Writer::new(&mut others, GODOT4.depth(depth));
        for open in 0..6 {
            let place = direct.place();
            let is_fine = writer.begin_array().is_ok();
            assert_eq!(is_fine, open <= depth, "{open} of {depth}");
            for piece in pieces {
                assert_eq!(piece(&mut direct), refused_unless(is_fine), "{open} of {depth}");
                direct.take_back(place);
            }
            let entered = direct.enter(&array_of(1)).map(drop);
            assert_eq!(entered, refused_unless(is_fine), "{open} of {depth}");
            if is_fine {
                // Taking back a container also closes it.
                direct.take_back(place);
                assert_eq!(format!("{direct:?}"), format!("Direct {{ open: {open}, .. }}"));
                direct.enter(&array_of(1)).unwrap();
            }
        }
        drop((direct, writer));
        assert!(bytes.is_empty() && others.is_empty());
    }
}

fn refused_unless(is_fine: bool) -> Result<(), EncodeErrorKind> {
    if is_fine { Ok(()) } else { Err(EncodeErrorKind::TooDeep) }
}

#[test]
fn options_are_borrowed_and_follow_a_page() {
    let value: Variant = array![1, 0.5].into();
    let options = EncodeOptions::new(Dialect::Godot3);
    assert_eq!(encode(&value, EncodeOptions::from(&options)), encode(&value, options));
    for &page in Page::ALL {
        assert_eq!(encode(&value, page), encode(&value, EncodeOptions::documented(page)));
        let bytes = encode(&value, page).unwrap();
        assert!(Document::new(&bytes, page.dialect()).validate().is_ok(), "{page:?}");
    }
}

/// Each error says what was found and which bound it exceeds.
#[test]
fn errors_say_what_was_found() {
    let error = Document::new(b"", Dialect::Godot4).validate().unwrap_err();
    for (kind, text) in [
        (EncodeErrorKind::TooLong(1 << 31), "a length of 2147483648, more than 2147483647".into()),
        (
            EncodeErrorKind::Count { expected: 3, found: 2 },
            "announced 3 items and wrote 2".to_owned(),
        ),
        (EncodeErrorKind::NotAValue(error), format!("not the bytes of one value: {error}")),
    ] {
        assert_eq!(kind.to_string(), text);
    }
}
