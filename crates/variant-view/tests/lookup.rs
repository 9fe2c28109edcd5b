//! A lookup in any state has the results of `validated_get_many`.

use std::cmp::Ordering;

use variant_testkit::builder::{Builder, words};
use variant_testkit::corpus;
use variant_view::internal::{KeyBody, KeyPart, KeyPlace};
use variant_view::{
    Dialect, Document, Error, ErrorKind, Key, KeyRule, Kind, Limit, Limits, Lookup, Options,
    Profile, VariantView,
};

const KEYS: [&str; 4] = ["hp", "to", "name", "luck"];

type Found = Result<[Option<(usize, Kind, Vec<u8>, String)>; 4], Error>;

fn found(values: Result<[Option<VariantView<'_>>; 4], Error>) -> Found {
    let shown = |value: VariantView<'_>| {
        let bytes = value.raw_bytes().unwrap().to_vec();
        (value.offset(), value.kind(), bytes, format!("{value:?}"))
    };
    Ok(values?.map(|value| value.map(shown)))
}

/// A packet with a value of each form that can vary in length.
fn packet(name: &str, luck: f64, items: &[u32], raw: usize) -> Vec<u8> {
    let key = |builder: Builder, key: &str| builder.u32(4).text(key);
    let mut builder = words(&[27, 6]);
    builder = key(builder, "hp").u32(2).u32(7);
    builder = key(builder, "name").u32(4).text(name);
    builder = key(builder, "to").u32(9).f32s(&[1.0, 2.0, 3.0]);
    builder = key(builder, "luck");
    builder = if (luck.fract() - 0.5).abs() < f64::EPSILON {
        builder.u32(3).f32s(&[0.5])
    } else {
        builder.u32(0x1_0003).u64(luck.to_bits())
    };
    builder = key(builder, "items").u32(30).u32(u32::try_from(items.len()).unwrap());
    for item in items {
        builder = builder.u32(*item);
    }
    let padded = vec![0xff; raw.next_multiple_of(4)];
    builder = key(builder, "raw").u32(29).u32(u32::try_from(raw).unwrap()).raw(&padded);
    builder.build().bytes
}

fn agrees(lookup: &mut Lookup<'_, 4>, bytes: &[u8], options: Options) {
    let expected = Document::new(bytes, options).validated_get_many(KEYS);
    assert_eq!(found(lookup.validated(bytes)), found(expected), "{bytes:x?}");
    let verdict = Document::new(bytes, options).validate().map(drop);
    assert_eq!(Lookup::validate(lookup, bytes), verdict, "{bytes:x?}");
}

#[test]
fn every_byte_of_known_packets_is_judged_as_without_a_lookup() {
    let options = Options::server(Dialect::Godot4);
    let packets = [
        packet("somebody", 0.25, &[1, 2, 3], 5),
        packet("", 0.5, &[], 4),
        packet("ä", 0.25, &[9], 3),
        packet("a name of more than thirty-two letters in one text", 0.5, &[4; 9], 0),
    ];
    for varied in [1, 2, 4] {
        let mut lookup = Lookup::new(KEYS, options);
        for _ in 0..4 {
            packets.iter().take(varied).for_each(|packet| agrees(&mut lookup, packet, options));
        }
        for packet in packets.iter().take(varied) {
            for position in 0..packet.len() {
                for change in [1, 2, 0x10, 0x80, 0xff] {
                    let mut changed = packet.clone();
                    changed[position] ^= change;
                    agrees(&mut lookup, &changed, options);
                }
                agrees(&mut lookup, &packet[..position], options);
                // The lookup usually recognises the unchanged packet. Otherwise, after 64 consecutive valid documents
                // that it does not recognise, it would compare only one document in 16 with the known layouts.
                agrees(&mut lookup, packet, options);
            }
            let longer = [packet.as_slice(), &[1, 2, 3, 4]].concat();
            agrees(&mut lookup, &longer, options);
        }
    }
}

/// A look-up of several keys refuses a document exactly as a validation does, under every limit.
#[test]
fn limits_are_checked_by_every_lookup() {
    let bytes = words(&[27, 2, 4]).text("in").raw(&packet("ä", 0.25, &[1, 2], 1));
    let bytes = bytes.u32(4).text("hp").words(&[2, 7]).build().bytes;
    let options = Options::server(Dialect::Godot4);
    let with = |limits| options.limits(limits);
    let len = u64::try_from(bytes.len()).unwrap();
    let depth = (0..4).map(|depth| options.limits.depth(depth));
    let values = (0..18).map(|values| options.limits.values(values));
    let limits = (0..=len).map(|bytes| options.limits.bytes(bytes));
    let mut refused = 0;
    for limits in depth.chain(values).chain(limits) {
        let verdict = Document::new(&bytes, with(limits)).validate().map(drop);
        refused += usize::from(verdict.is_err());
        agrees(&mut Lookup::new(KEYS, with(limits)), &bytes, with(limits));
        let found = Document::new(&bytes, with(limits)).validated_get_many(KEYS);
        assert_eq!(found.map(drop), verdict, "{limits:?}");
    }
    assert!(refused > bytes.len(), "{refused}");
    // An empty container has no value that is too deep.
    let leaves = words(&[27, 1, 4]).text("hp").words(&[2, 7]).build().bytes;
    let typed = |pairs| words(&[0x5_001b, 4, 2, pairs]);
    let leaves_of_types = typed(1).u32(4).text("hp").words(&[2, 7]).build().bytes;
    let empty = words(&[27, 0]).build().bytes;
    let empty_of_types = typed(0).build().bytes;
    let too_deep = ErrorKind::LimitExceeded { limit: Limit::Depth };
    for (bytes, is_empty) in [
        (&bytes, false),
        (&leaves, false),
        (&leaves_of_types, false),
        (&empty, true),
        (&empty_of_types, true),
    ] {
        let document = Document::new(bytes, with(options.limits.depth(0)));
        let expected = if is_empty { Ok(true) } else { Err(too_deep) };
        let no_value = |values: [Option<_>; 4]| values.iter().all(Option::is_none);
        for found in [document.get_many(KEYS), document.validated_get_many(KEYS)] {
            let found = found.map(no_value).map_err(|error| error.kind());
            assert_eq!(found, expected, "{bytes:x?}");
        }
    }
}

/// A value may declare more items than the document has. The sum of the declared counts may exceed
/// 32 bits.
#[test]
fn declared_items_beyond_the_document_are_damage() {
    let options = Options::server(Dialect::Godot4);
    for pairs in [65, 1 << 20, (1 << 30) - 1, 1 << 30, 0x7fff_ffff] {
        for elements in 0..6 {
            let bytes = words(&[27, 2, 4]).text("to").words(&[27, pairs, 28, elements]);
            let bytes = bytes.u32(4).text("hp").words(&[2, 7]).build().bytes;
            assert!(Document::new(&bytes, options).get_many(KEYS).is_err(), "{pairs} {elements}");
            agrees(&mut Lookup::new(KEYS, options), &bytes, options);
            assert!(Document::new(&bytes, options).validate().is_err(), "{pairs} {elements}");
        }
    }
}

/// Keys of all lengths, and keys that differ from them in the last byte or in the length.
#[test]
fn keys_of_all_lengths_are_found() {
    for len in 0..70 {
        let wanted = "k".repeat(len);
        let (longer, other) = (format!("{wanted}k"), format!("{}x", wanted.get(1..).unwrap_or("")));
        let all = [&longer, &other, &wanted, &longer];
        let pairs = words(&[27, 4]);
        let pairs = all
            .iter()
            .zip(0..)
            .fold(pairs, |pairs, (key, value)| pairs.u32(4).text(key.as_str()).u32(2).u32(value));
        let bytes = pairs.build().bytes;
        let document = Document::new(&bytes, Dialect::Godot4);
        let mut lookup = Lookup::new([wanted.as_str(), &longer, "none"], Dialect::Godot4);
        for found in [
            document.get_many([wanted.as_str(), &longer, "none"]).unwrap(),
            document.validated_get_many([wanted.as_str(), &longer, "none"]).unwrap(),
            lookup.validated(&bytes).unwrap(),
            lookup.validated(&bytes).unwrap(),
        ] {
            let [found, last, none] = found.map(|view| view.map(|view| view.as_i64().unwrap()));
            assert_eq!((found, last, none), (Some(2), Some(3), None), "{len}");
        }
        assert_eq!(document.get(wanted.as_str()).unwrap().unwrap().as_i64(), Ok(2), "{len}");
    }
}

#[test]
fn a_lookup_that_read_other_records_judges_every_record_alike() {
    for (dialect, path) in corpus::every_record_file() {
        let options = Options::engine(dialect).limits(Limits::ENGINE);
        let mut lookup = Lookup::new(KEYS, options);
        for case in corpus::read_cases(&path).unwrap() {
            for _ in 0..2 {
                let bytes = &case.bytes;
                let expected = Document::new(bytes, options).validated_get_many(KEYS);
                assert_eq!(found(lookup.validated(bytes)), found(expected), "{}", case.name);
            }
        }
        assert!(lookup.memory() < 64 << 10, "{} bytes", lookup.memory());
    }
}

#[test]
fn paths_lead_to_what_at_finds() {
    let bytes = words(&[28, 2]);
    let bytes = bytes.raw(&packet("orc", 0.25, &[1, 2], 1)).u32(2).u32(5).build().bytes;
    let options = Options::server(Dialect::Godot4);
    let mut lookup = Lookup::paths(["[0].hp", "[1]", "[0].none", ""], options);
    for _ in 0..3 {
        let [hp, five, none, root] = lookup.validated(&bytes).unwrap();
        assert_eq!(hp.unwrap().as_i64(), Ok(7));
        assert_eq!(five.unwrap().as_i64(), Ok(5));
        assert!(none.is_none());
        assert_eq!(root.unwrap().as_array().unwrap().len(), 2);
    }
    assert!(Lookup::paths(["["], options).validated(&bytes).is_err());
}

#[test]
fn keys_of_all_kinds_are_found() {
    let pairs = words(&[27, 2, 2, 5, 1, 1, 0, 2, 9]);
    let bytes = pairs.build().bytes;
    let mut lookup = Lookup::new([Key::Int(5), Key::Nil], Dialect::Godot4);
    for _ in 0..3 {
        let [five, nil] = lookup.validated(&bytes).unwrap();
        assert_eq!((five.unwrap().as_bool(), nil.unwrap().as_i64()), (Ok(true), Ok(9)));
    }
}

/// A key is equal whatever Rust type it comes from.
#[test]
fn keys_come_from_many_types() {
    let bytes = words(&[27, 4, 2, 5, 2, 1, 4]).text("hp").words(&[2, 2, 3]).f32s(&[0.5]);
    let bytes = bytes.words(&[2, 3, 1, 1, 2, 4]).build().bytes;
    let document = Document::new(&bytes, Dialect::Godot4);
    let get = |key: Key<'_>| document.get(key).unwrap().map(|found| found.as_i64().unwrap());
    assert_eq!([get(5_u32.into()), get(5_i32.into()), get(5_i64.into())], [Some(1); 3]);
    assert_eq!([get("hp".into()), get((&"hp".to_owned()).into())], [Some(2); 2]);
    assert_eq!((get(0.5.into()), get(true.into())), (Some(3), Some(4)));
    assert_eq!([get(u32::MAX.into()), get(false.into()), get(Key::Nil)], [None; 3]);
}

/// Values of every kind are found together as they are found alone.
#[test]
fn several_keys_find_what_each_finds() {
    let mut kinds = Vec::new();
    for (dialect, path) in corpus::record_files() {
        let [dictionary, string] =
            [Kind::Dictionary, Kind::String].map(|kind| dialect.id(kind).unwrap().into());
        let options = Options::engine(dialect);
        for case in corpus::read_cases(&path).unwrap() {
            let Ok(summary) = Document::new(&case.bytes, options).validate() else { continue };
            if summary.consumed != case.bytes.len()
                || summary.depth > 64
                || case.bytes.len() > 4_096
            {
                continue;
            }
            let bytes = words(&[dictionary, 1, string]).text("name");
            let bytes = bytes.raw(&case.bytes).build().bytes;
            let document = Document::new(&bytes, options);
            let [none, found] = document.get_many(["none", "name"]).unwrap();
            let (alone, found) = (document.get("name").unwrap().unwrap(), found.unwrap());
            assert!(none.is_none());
            assert_eq!((found.offset(), found.kind()), (alone.offset(), alone.kind()));
            assert_eq!(found.raw_bytes(), Ok(&case.bytes[..]), "{}", case.name);
            assert_eq!(format!("{found:?}"), format!("{alone:?}"), "{}", case.name);
            kinds.push(found.kind());
        }
    }
    kinds.sort_unstable();
    kinds.dedup();
    assert!(kinds.len() > 35, "{kinds:?}");
}

/// A lookup that has learnt a layout still refuses documents that exceed its limits.
#[test]
fn limits_apply_to_known_layouts() {
    let [short, other, long] = ["a", "bcdef", "a name of many letters, which is longer"]
        .map(|name| packet(name, 0.25, &[1, 2], 5));
    let options = Options::server(Dialect::Godot4);
    let options = options.limits(options.limits.bytes(u64::try_from(other.len()).unwrap()));
    let mut lookup = Lookup::new(KEYS, options);
    for _ in 0..300 {
        assert!(lookup.validate(&short).is_ok() && lookup.validate(&other).is_ok());
    }
    assert!(lookup.memory() > 0);
    agrees(&mut lookup, &long, options);
    let verdict = lookup.validate(&long).unwrap_err();
    assert_eq!(verdict.kind(), ErrorKind::LimitExceeded { limit: Limit::Bytes });
}

/// The canonical profile checks more than a layout holds, so its lookups learn none.
#[test]
fn canonical_documents_are_validated_in_full() {
    let options = Options::server(Dialect::Godot4).profile(Profile::Canonical);
    let known = packet("orc", 0.5, &[1, 2], 4);
    assert!(Document::new(&known, options).validate().is_ok());
    let mut odd = known.clone();
    let last = odd.len() - 1;
    odd.extend([0; 4]);
    let mut lookup = Lookup::new(KEYS, options);
    for _ in 0..5 {
        agrees(&mut lookup, &known, options);
        agrees(&mut lookup, &odd, options);
        agrees(&mut lookup, &known[..last], options);
    }
    assert_eq!(format!("{lookup:?}"), "Lookup { shapes: 0, .. }");
    let mut engine = Lookup::new(KEYS, options.profile(Profile::Engine));
    engine.validate(&known).unwrap();
    assert_eq!(format!("{engine:?}"), "Lookup { shapes: 1, .. }");
}

#[track_caller]
fn assert_shapes(lookup: &Lookup<'_, 4>, shapes: usize) {
    assert_eq!(format!("{lookup:?}"), format!("Lookup {{ shapes: {shapes}, .. }}"));
}

/// A path of one text has no padding in Godot 2. The blocks of a layout consist of whole words.
#[test]
fn values_between_words_have_no_layout() {
    let options = Options::server(Dialect::Godot2);
    for (path, len, shapes) in [("abcd", 4, 1), ("abcde", 5, 0)] {
        let bytes = words(&[20, 3, 4]).text("path").words(&[16, len]).raw(path.as_bytes());
        let bytes = bytes.u32(4).text("hp").words(&[2, 7]);
        let bytes = bytes.u32(4).text("name").u32(4).text("somebody").build().bytes;
        let mut lookup = Lookup::new(KEYS, options);
        for _ in 0..3 {
            agrees(&mut lookup, &bytes, options);
            assert!(lookup.validate(&bytes).is_ok());
        }
        assert_shapes(&lookup, shapes);
    }
}

/// A packet with this number of equal texts in an array.
fn with_texts(text: &str, count: u32) -> Vec<u8> {
    let head = words(&[27, 2, 4]).text("hp").words(&[2, 7, 4]).text("name").words(&[28, count]);
    (0..count).fold(head, |all, _| all.u32(4).text(text)).build().bytes
}

/// A layout has a bounded number of texts whose length varies. Texts beyond ASCII vary in the first document, other
/// texts vary as soon as two documents differ in their lengths.
#[test]
fn a_layout_has_few_texts_that_vary() {
    let options = Options::server(Dialect::Godot4);
    for (count, shapes) in [(63, 1), (64, 0)] {
        let bytes = with_texts("\u{e4}", count);
        let mut lookup = Lookup::new(KEYS, options);
        for _ in 0..3 {
            agrees(&mut lookup, &bytes, options);
        }
        assert_shapes(&lookup, shapes);

        // If one layout cannot have both lengths, both layouts are kept.
        let mut lookup = Lookup::new(KEYS, options);
        for (text, shapes) in [("a", 1), ("bcdef", 2 - shapes), ("a", 2 - shapes)] {
            let bytes = with_texts(text, count);
            let expected = Document::new(&bytes, options).validated_get_many(KEYS);
            assert_eq!(found(lookup.validated(&bytes)), found(expected), "{text} {count}");
            assert_shapes(&lookup, shapes);
        }
    }
}

/// A text is the same key on the wire and in memory. On the wire it may have a byte order mark and ends at a NUL.
#[test]
fn texts_are_compared_on_the_wire_and_in_memory() {
    let parts = |held: &'static [u8], marked: &'static [u8]| {
        [KeyBody::Held(held), KeyBody::Text(held), KeyBody::Text(marked)]
            .map(|body| KeyPart { kind: Kind::String, body })
    };
    let less = parts(b"a", b"\xef\xbb\xbfa");
    let greater = parts(b"b", b"\xef\xbb\xbfb\0rest");
    for rule in Dialect::ALL.iter().copied().map(KeyRule::of) {
        let order = |a: &KeyPart<'_>, b: &KeyPart<'_>| a.compare(b, rule, KeyPlace::Key);
        for a in &less {
            assert!(less.iter().all(|b| a.is_same(b, rule, KeyPlace::Key)), "{a:?} {rule:?}");
            for b in &greater {
                assert_eq!(order(a, b), Some(Ordering::Less), "{a:?} {b:?} {rule:?}");
                assert_eq!(order(b, a), Some(Ordering::Greater), "{b:?} {a:?} {rule:?}");
            }
        }
    }
    // A text on the wire ends at its first NUL, so it is not read as a text that has one.
    assert!(KeyRule::GODOT_4.is_text(b"a\0b", b"a"));
    assert!(!KeyRule::GODOT_4.is_text(b"a\0b", b"a\0b"));
}

/// Paths that differ only in the property flag are different keys in Godot 2 alone.
#[test]
fn the_property_flag_distinguishes_paths_of_godot_2() {
    let texts = words(&[]).text("x").build().bytes;
    let [plain, property] = [false, true].map(|has_property| KeyPart {
        kind: Kind::NodePath,
        body: KeyBody::Path {
            is_absolute: false,
            has_property,
            names: 0,
            subnames: 1,
            texts: &texts,
        },
    });
    for &dialect in Dialect::ALL {
        let rule = KeyRule::of(dialect);
        let is_one = dialect != Dialect::Godot2;
        assert_eq!(plain.is_same(&property, rule, KeyPlace::Key), is_one, "{dialect}");
        let expected = if is_one { Ordering::Equal } else { Ordering::Greater };
        assert_eq!(property.compare(&plain, rule, KeyPlace::Key), Some(expected), "{dialect}");
    }
}

#[test]
fn a_lookup_can_move_to_another_thread() {
    fn is_send<T: Send + 'static>(_: T) {}
    is_send(Lookup::new(["hp"], Dialect::Godot4));
}
