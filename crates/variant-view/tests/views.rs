//! Views are compared with Rust's values, described, and looked into.

use variant_testkit::builder::{Builder, words};
use variant_view::internal::{is_compact_scalar, read_compact, validate_compact};
use variant_view::{
    Dialect, Document, ElementType, ErrorKind, Key, Kind, NotCanonical, ObjectForm, Options,
    Profile, VariantView,
};
#[cfg(all(target_pointer_width = "64", not(miri)))]
use variant_view::{Limits, Reader};

use Dialect::{Godot2, Godot3, Godot4, Pandemonium5};

/// Passes the value of `bytes` to `look`.
#[track_caller]
fn root<T>(dialect: Dialect, bytes: Builder, look: impl FnOnce(VariantView<'_>) -> T) -> T {
    let bytes = bytes.build().bytes;
    look(Document::new(&bytes, Options::engine(dialect)).root().unwrap())
}

#[test]
fn values_are_equal_to_what_they_hold_and_to_nothing_else() {
    root(Godot4, words(&[4]).text("hp"), |view| {
        assert!(view == "hp" && view == *"hp" && view != "mp" && view != *"mp");
        assert!(view != true && view != 1_i32 && view != 1_i64 && view != 1.0);
        let text = view.as_text().unwrap();
        assert!(text == "hp" && text == *"hp" && text != "mp" && text != *"mp");
    });
    root(Godot4, words(&[1, 1]), |view| {
        assert!(view == true && view != false && view != "true" && view != 1_i64);
    });
    root(Godot4, words(&[2, 1]), |view| {
        assert!(view == 1_i32 && view == 1_i64 && view == 1.0 && view != true);
        assert!(view != 2_i32 && view != 2_i64 && view != 2.0 && view != "1");
    });
}

/// Each kind of view is described by its contents, and a container by its size.
#[test]
fn views_are_described_by_what_they_hold() {
    let path = words(&[22, 2 | 1 << 31, 1, 1]).text("a").text("b").text("c");
    let cases = [
        (Godot4, words(&[0]), "Nil(())"),
        (Godot4, words(&[1, 1]), "Bool(true)"),
        (Godot4, words(&[2, 5]), "Int(5)"),
        (Godot4, words(&[3]).f32s(&[0.5]), "Float(0.5)"),
        (Godot4, words(&[4]).text(b"a\n\xff"), r#"String("a\n\xff")"#),
        (Godot4, words(&[21]).text("a"), r#"StringName("a")"#),
        (Godot4, words(&[5]).f32s(&[1.0, 0.5]), "Vector2(Vector2 { x: 1.0, y: 0.5 })"),
        (Godot4, words(&[0x1_0005]).f64s(&[0.1, 0.5]), "Vector2(Vector2 { x: 0.1, y: 0.5 })"),
        (
            Godot4,
            path,
            "NodePath(NodePathView { names: [\"a\", \"b\"], subnames: [\"c\"], \
             is_absolute: true, plain: None })",
        ),
        (
            Godot2,
            words(&[16]).text("a:b"),
            "NodePath(NodePathView { names: [], subnames: [], \
             is_absolute: false, plain: Some(\"a:b\") })",
        ),
        (Godot4, words(&[23]).u64(7), "Rid(7)"),
        (
            Godot4,
            words(&[0x1_0018]).u64(42),
            "Object(ObjectView { offset: 0, form: Id(42), len: 0 })",
        ),
        (
            Godot4,
            words(&[24]).text("Node").u32(1).text("hp").u32(0),
            r#"Object(ObjectView { offset: 0, form: Full("Node"), len: 1 })"#,
        ),
        (Godot4, words(&[25]), "Callable(())"),
        (
            Godot4,
            words(&[26]).text("hit").u64(42),
            r#"Signal(SignalView { name: "hit", object_id: 42 })"#,
        ),
        (
            Godot4,
            words(&[0x4_001b, 2, 1, 0, 2, 5]),
            "Dictionary(DictionaryView { offset: 0, len: 1, \
             key_type: Any, value_type: Builtin(int) })",
        ),
        (
            Godot4,
            words(&[0x1_001c, 2, 1, 2, 5]),
            "Array(ArrayView { offset: 0, len: 1, element_type: Builtin(int) })",
        ),
        (Godot4, words(&[29, 2]).raw(&[1, 2, 0, 0]), "PackedByteArray([1, 2])"),
        (Godot4, words(&[34, 2]).text("a\0").text("\0"), r#"PackedStringArray(["a", ""])"#),
        (
            Godot4,
            words(&[35, 1]).f32s(&[1.0, 0.5]),
            "PackedVector2Array([Vector2 { x: 1.0, y: 0.5 }])",
        ),
        (
            Godot2,
            words(&[15, 4, 5, 1, 2, 3]).raw(&[9, 8, 7, 0]),
            "Image(ImageView { format: 4, mipmaps: 5, width: 1, height: 2, bytes: 3 })",
        ),
        (
            Godot2,
            words(&[19, 3, 7, 16, 5]),
            "InputEvent(InputEventView { event: 3, device: 7, payload: [5, 0, 0, 0] })",
        ),
    ];
    for (dialect, bytes, description) in cases {
        root(dialect, bytes, |view| assert_eq!(format!("{view:?}"), description));
    }
}

/// An object is null, an id, or a class with properties. Only the last has properties.
#[test]
fn objects_have_one_of_three_forms() {
    let full = || words(&[24]).text("Node");
    let cases = [
        (Godot2, words(&[18]), None, None, 0),
        (Godot3, words(&[17, 0]), None, None, 0),
        (Godot4, words(&[24, 0]), None, None, 0),
        (Godot4, words(&[0x1_0018]).u64(1 << 40), Some(1 << 40), None, 0),
        (Godot4, full().u32(0), None, Some("Node"), 0),
        (Godot4, full().u32(u32::MAX), None, Some("Node"), 0),
        (Godot4, full().u32(2).text("hp").words(&[2, 7]).text("mp").u32(0), None, Some("Node"), 2),
    ];
    for (dialect, bytes, id, class, len) in cases {
        root(dialect, bytes, |view| {
            let object = view.as_object().unwrap();
            let found = object.class().map(|class| class.to_str().unwrap());
            assert_eq!((object.id(), found), (id, class), "{view:?}");
            assert_eq!((object.len(), object.is_empty()), (len, len == 0), "{view:?}");
            assert_eq!(object.properties().size_hint(), (0, Some(len)), "{view:?}");
            assert_eq!(object.properties().count(), len, "{view:?}");
            let is_null = matches!(object.form(), ObjectForm::Null);
            assert_eq!(is_null, id.is_none() && class.is_none(), "{view:?}");
            let hp = object.get("hp").unwrap().map(|hp| hp.as_i64().unwrap());
            assert_eq!(hp, (len > 0).then_some(7), "{view:?}");
            assert!(object.get("h").unwrap().is_none() && view.get(7).unwrap().is_none());
            assert_eq!(view.raw_bytes(), object.raw_bytes(), "{view:?}");
        });
    }
}

/// Containers have the types that they declare, and the sizes that they claim.
#[test]
fn containers_have_the_types_and_the_size_that_they_declare() {
    use ElementType::{Any, Builtin, Class, Script, Unknown};
    let plain = words(&[28, 1, 0]);
    let class = words(&[0x2_001c]).text("Node").u32(0);
    let script = words(&[0x3_001c]).text("a.gd").words(&[1, 0]);
    let arrays = [
        (Godot2, words(&[21, 1 << 31 | 2, 0, 0]), Any, 2, true),
        (Godot4, plain, Any, 1, false),
        (Godot4, words(&[0x1_001c, 2, 1, 2, 5]), Builtin(Kind::Int), 1, false),
        (Godot4, words(&[0x1_001c, 2, 1 << 31 | 1, 2, 5]), Builtin(Kind::Int), 1, true),
        (Godot4, class, Class("Node".to_owned()), 0, false),
        (Godot4, script, Script("a.gd".to_owned()), 1, false),
        (Pandemonium5, words(&[27, 2, 1, 2, 5]), Builtin(Kind::Int), 1, false),
        (Pandemonium5, words(&[27, 99, 0]), Unknown(99), 0, false),
    ];
    for (dialect, bytes, element, len, is_shared) in arrays {
        root(dialect, bytes, |view| {
            let array = view.as_array().unwrap();
            let found = array.element_type().map(|text| text.to_str().unwrap().to_owned());
            assert_eq!(found, element, "{view:?}");
            assert_eq!(found.is_any(), element == Any, "{view:?}");
            assert_eq!((array.len(), array.is_empty()), (len, len == 0), "{view:?}");
            assert_eq!((array.is_shared(), array.dialect()), (is_shared, dialect), "{view:?}");
            assert_eq!(array.iter().size_hint(), (0, Some(len)), "{view:?}");
            assert_eq!(array.iter().map(Result::unwrap).count(), len, "{view:?}");
        });
    }
    let names = words(&[0x9_001b, 21]).text("Node").u32(0);
    let dictionaries = [
        (Godot2, words(&[20, 1 << 31 | 1, 0, 0]), Any, Any, 1, true),
        (Godot4, words(&[27, 2, 0, 0, 0, 0]), Any, Any, 2, false),
        (Godot4, names, Builtin(Kind::StringName), Class("Node".to_owned()), 0, false),
        (Godot4, words(&[0x4_001b, 2, 1, 0, 2, 5]), Any, Builtin(Kind::Int), 1, false),
    ];
    for (dialect, bytes, key, value, len, is_shared) in dictionaries {
        root(dialect, bytes, |view| {
            let dictionary = view.as_dictionary().unwrap();
            let found = [dictionary.key_type(), dictionary.value_type()];
            let found =
                found.map(|declared| declared.map(|text| text.to_str().unwrap().to_owned()));
            assert_eq!(found, [key, value], "{view:?}");
            assert_eq!((dictionary.len(), dictionary.is_empty()), (len, len == 0), "{view:?}");
            assert_eq!(dictionary.is_shared(), is_shared, "{view:?}");
            assert_eq!(dictionary.iter().size_hint(), (0, Some(len)), "{view:?}");
            assert_eq!(dictionary.iter().map(Result::unwrap).count(), len, "{view:?}");
        });
    }
}

/// Only Godot 2 has values between words of four bytes. They are passed over by a slower look-up.
#[test]
fn keys_are_found_beyond_a_path_without_padding() {
    for path in ["a:b", "a:bc"] {
        let length = u32::try_from(path.len()).unwrap();
        let bytes = words(&[20, 3, 4]).text("p").words(&[16, length]).raw(path.as_bytes());
        let bytes = bytes.words(&[2, 9, 2, 6]).u32(4).text("k").words(&[2, 7]);
        root(Godot2, bytes, |view| {
            assert_eq!(view.get("p").unwrap().unwrap().kind(), Kind::NodePath, "{path}");
            assert_eq!(view.get("k").unwrap().unwrap().as_i64(), Ok(7), "{path}");
            assert_eq!(view.get(9).unwrap().unwrap().as_i64(), Ok(6), "{path}");
            let others = [Key::StringName(b"k"), Key::from("q"), Key::Nil, Key::from(7)];
            for other in others {
                assert!(view.get(other).unwrap().is_none(), "{path} {other:?}");
            }
        });
    }
}

/// A `bool` or an `int` in the compact form has one to nine bytes. The engine writes the shortest
/// form of each value.
#[test]
fn compact_scalars_have_a_value_and_a_size() {
    use NotCanonical::{HeaderBits, WideCompactInt};
    let cases: [(&[u8], &str, Option<NotCanonical>); 13] = [
        (&[0x01], "Bool(false)", None),
        (&[0x81], "Bool(true)", None),
        (&[0x41], "Bool(false)", Some(HeaderBits)),
        (&[0xc1], "Bool(true)", Some(HeaderBits)),
        (&[0x02, 0xff], "Int(-1)", None),
        (&[0x42, 0x80, 0], "Int(128)", None),
        (&[0x42, 0x7f, 0], "Int(127)", Some(WideCompactInt)),
        (&[0x42, 0, 0x80], "Int(-32768)", None),
        (&[0x82, 0, 0x80, 0, 0], "Int(32768)", None),
        (&[0x82, 0xff, 0x7f, 0, 0], "Int(32767)", Some(WideCompactInt)),
        (&[0x82, 0, 0, 0, 0x80], "Int(-2147483648)", None),
        (&[0xc2, 0, 0, 0, 0x80, 0, 0, 0, 0], "Int(2147483648)", None),
        (&[0xc2, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0], "Int(2147483647)", Some(WideCompactInt)),
    ];
    let options = Options::engine(Godot4);
    for (bytes, description, deviation) in cases {
        let more = [bytes, &[9]].concat();
        let mut rest = &more[..];
        let view = read_compact(&mut rest, 3, &options).unwrap();
        assert_eq!((format!("{view:?}"), rest), (description.to_owned(), &[9][..]));
        assert_eq!((view.offset(), view.raw_bytes()), (3, Ok(bytes)), "{description}");
        assert!(is_compact_scalar(bytes[0]), "{description}");
        let summary = validate_compact(&more, 3, &options).unwrap();
        assert_eq!((summary.consumed, summary.values, summary.depth), (bytes.len(), 1, 0));
        let canonical = validate_compact(&more, 3, &options.profile(Profile::Canonical));
        let found = canonical.err().map(|error| (error.kind(), error.offset()));
        assert_eq!(found, deviation.map(|what| (ErrorKind::NotCanonical(what), 3)), "{bytes:x?}");
        for cut in (0..bytes.len()).map(|len| &bytes[..len]) {
            let mut rest = cut;
            assert!(read_compact(&mut rest, 3, &options).is_err(), "{cut:x?}");
            assert!(validate_compact(cut, 3, &options).is_err(), "{cut:x?}");
            assert_eq!(rest, cut, "an error does not move the reader");
        }
    }
}

/// Other values have the form of documents. In either profile, more values may follow.
#[test]
fn other_values_are_not_compact() {
    let options = Options::engine(Godot4);
    for value in [words(&[0]), words(&[4]).text("a"), words(&[28, 1, 2, 5]), words(&[27, 0])] {
        let bytes = value.clone().build().bytes;
        let more = value.u32(7).build().bytes;
        assert!(!is_compact_scalar(bytes[0]), "{bytes:x?}");
        let mut rest = &more[..];
        let view = read_compact(&mut rest, 3, &options).unwrap();
        assert_eq!((view.offset(), view.raw_bytes(), rest), (3, Ok(&bytes[..]), &[7, 0, 0, 0][..]));
        for profile in [Profile::Engine, Profile::Canonical] {
            let options = options.profile(profile);
            let summary = validate_compact(&more, 3, &options).unwrap();
            assert_eq!(summary.consumed, bytes.len(), "{bytes:x?}");
            let error = validate_compact(&bytes[..bytes.len() - 1], 3, &options).unwrap_err();
            assert!((3..3 + bytes.len()).contains(&error.offset()), "{bytes:x?} {error}");
        }
    }
    let odd = words(&[4, 1]).raw(b"a\0x\0").build().bytes;
    let error = validate_compact(&odd, 3, &options.profile(Profile::Canonical)).unwrap_err();
    assert_eq!(
        (error.kind(), error.offset()),
        (ErrorKind::NotCanonical(NotCanonical::Padding), 13)
    );
}

/// A length of 2^31 or more is refused even if the text is only skipped.
#[test]
fn lengths_have_31_bits_in_skipped_texts() {
    for length in [1 << 31, (1 << 31) + 1, u32::MAX - 3, u32::MAX - 2, u32::MAX - 1, u32::MAX] {
        for text in [words(&[4, length]), words(&[21, length])] {
            let text = text.build().bytes;
            root(Godot4, words(&[28, 2]).raw(&text).words(&[2, 5]), |view| {
                assert!(view.raw_bytes().is_err(), "{length}");
            });
            for pair in [words(&[]).raw(&text).words(&[2, 5]), words(&[2, 5]).raw(&text)] {
                let pair = pair.build().bytes;
                let pairs = words(&[27, 2]).raw(&pair).words(&[2, 7, 2, 7]);
                root(Godot4, pairs.clone(), |view| assert!(view.raw_bytes().is_err(), "{length}"));
                root(Godot4, pairs, |view| assert!(view.get(7).is_err(), "{length}"));
            }
        }
    }
}

/// Engines read a length as a signed number, so one of 2^31 is negative, even if as many bytes
/// follow. The text is not read, so the system gives memory only to the first page.
#[cfg(all(target_pointer_width = "64", not(miri)))]
#[test]
fn lengths_have_31_bits_in_documents_of_any_size() {
    let mut bytes = vec![0; (1 << 31) + 16];
    let options = Options::engine(Godot4).limits(Limits::FILE);
    for (length, expected) in [(0x7fff_ffff, Some(0x7fff_ffff)), (1 << 31, None)] {
        bytes[..8].copy_from_slice(&words(&[4, length]).build().bytes);
        let read = Reader::new(&bytes, options).text().map(<[u8]>::len);
        let root = Document::new(&bytes, options).root();
        assert_eq!(read, expected);
        assert_eq!(root.map(|text| text.as_text().unwrap().len()).ok(), expected);
    }
}

/// Empty containers end where they start, whether the next value follows them or nothing does.
#[cfg(feature = "alloc")]
#[test]
fn empty_containers_have_no_items_on_a_tape() {
    let mut tape = variant_view::Tape::new();
    for (bytes, lens) in [
        (words(&[28, 0]), [0].as_slice()),
        (words(&[27, 0]), &[0]),
        // [[], {}, [[]]]
        (words(&[28, 3, 28, 0, 27, 0, 28, 1, 28, 0]), &[3, 0, 0, 1]),
    ] {
        let bytes = bytes.build().bytes;
        let root = tape.read(Document::new(&bytes, Godot4)).unwrap();
        assert_eq!(root.items().count() + root.pairs().count(), lens[0]);
        let items = root.items().map(|item| item.len());
        assert_eq!([root.len()].into_iter().chain(items).collect::<Vec<_>>(), lens);
    }
}
