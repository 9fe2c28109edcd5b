//! The text form compared with the text form of engines, and read back.

use proptest::prelude::*;
use variant_owned::{
    Array, Dictionary, ElementType, Image, InputEvent, KeyRule, MathValue, NodePath, NumberStyle,
    Object, ParseOptions, Text, TextOptions, TextPrinter, TextStyle, Variant, array, dictionary,
    encode, from_text, from_text_with, to_text,
};
use variant_testkit::conformance::options;
use variant_testkit::fuzz::check_text_of;
use variant_testkit::texts::{self, Record};
use variant_testkit::{corpus, values};
use variant_view::{Consumer as _, Dialect, Document, Producer as _, Vector2};

fn read(dialect: Dialect, bytes: &[u8]) -> Option<Variant> {
    Variant::from_document(&Document::new(bytes, options(dialect, true))).ok()
}

/// The output of engines is read, but not always as the same values, since digits are missing.
#[test]
fn engines_texts_are_read() {
    let mut count = 0;
    for (_, path) in texts::files().into_iter().filter(|(_, path)| !texts::is_texts(path)) {
        for Record { name, text, .. } in texts::read(&path).unwrap() {
            // The older engines print nothing for RIDs, so these texts are not values.
            let is_nothing = text.is_empty() || text.contains("[ ,");
            let read = from_text(&text);
            assert_eq!(read.is_ok(), !is_nothing, "{name}: {text:?}: {read:?}");
            count += usize::from(!is_nothing);
        }
    }
    assert!(count > 1_000, "{count}");
}

#[test]
fn there_and_back() {
    let (mut same, mut all, mut paths) = (0, 0, 0);
    let step = corpus::one_in(3);
    for (dialect, path) in corpus::record_files() {
        for case in corpus::read_cases(&path).unwrap().iter().step_by(step) {
            let Some(value) = read(dialect, &case.bytes) else { continue };
            all += 1;
            let is_same = check_text_of(dialect, &value);
            same += usize::from(is_same);
            // The node paths in the files of test vectors are well-formed, so each must be read back unchanged.
            let is_vector = path.to_string_lossy().contains("vectors");
            paths += usize::from(!is_same && matches!(value, Variant::NodePath(_)) && is_vector);
        }
    }
    println!("{same} of {all}");
    assert_eq!(paths, 0);
    let least = if corpus::are_all() { 8_599 } else { 8_500 };
    assert!(same * step >= least, "{same} of {all}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_value_there_and_back(
        seed in prop::collection::vec(any::<u8>(), 0..600),
        dialect in prop::sample::select(Dialect::ALL),
        is_double: bool,
    ) {
        let mut seed = arbitrary::Unstructured::new(&seed);
        let value = values::variant(&mut seed, dialect, is_double).unwrap();
        check_text_of(dialect, &value);
    }

    #[test]
    fn any_text_is_read_or_refused(text in r#"([\[\]{}(),:"\\@&^ ]|[0-9.eE+-]{1,5}|Vector2|Array|Object|null){0,30}"#) {
        if let Err(error) = from_text(&text) {
            prop_assert!(text.is_char_boundary(error.offset()));
        }
    }
}

const LONG: &str = r#"{"a": [1, -2.5e3, 0x1f, inf, -inf, inf_neg, nan, nil, null, true, false,],
    &"b": @"c", ^"a/b:c": NodePath("/root/A:x"), 3: "é\"\\\n\u00e5\U01f600
    line", Vector2(1, 2): Rect2( 1, 2, 3, 4 ), 4: [Transform2D(1, 0, 0, 1, 0, 0), Color(1, 0.5, 0, 1)],
    5: PackedByteArray("AQID"), 6: PoolStringArray( "a", "b" ), 7: IntArray(1, 2, ), 8: RID(), 9: RID(5),
    10: Callable(), 11: Signal(), 12: Array[int]([1, 2]), 13: Dictionary[int, Resource("res://a.gd")]({}),
    14: Object(Node, "name": "x", "list": [Object(Resource)
    ]), 15: TypedArray( int , 1, 2 ), 16: PackedTypedArray(  ,  ), 17: Resource("res://icon.png")}"#;

#[test]
fn every_prefix_is_refused() {
    assert_eq!(from_text(LONG).unwrap().as_dictionary().unwrap().len(), 19);
    for (end, _) in LONG.char_indices() {
        assert!(from_text(&LONG[..end]).is_err(), "{end}");
    }
}

#[test]
fn errors_say_where_and_what_and_instead_of_what() {
    for (text, line, column, expected, found) in [
        ("", 1, 1, "a value", "the end"),
        ("  \n ", 2, 2, "a value", "the end"),
        ("[1, 2", 1, 6, "`,` or `]`", "the end"),
        ("[1,, 2]", 1, 4, "a value", "`,`"),
        ("[1 2]", 1, 4, "`,` or `]`", "`2`"),
        ("{\n\"å\" = 1}", 2, 5, "`:`", "`=`"),
        ("{1: 2 3}", 1, 7, "`,` or `}`", "`3`"),
        ("{1}", 1, 3, "`:`", "`}`"),
        ("Vector2(1; 2)", 1, 10, "`,` or `)`", "`;`"),
        ("Vector2(1, a)", 1, 12, "a number", "`a`"),
        ("Vector2(1)", 1, 8, "2 numbers for Vector2", "1"),
        ("Vector3 ( 1, 2 )", 1, 9, "3 numbers for Vector3", "2"),
        ("Matrix3()", 1, 8, "9 numbers for Matrix3", "0"),
        ("PoolVector2Array(1)", 1, 17, "a multiple of 2 numbers for PoolVector2Array", "1"),
        ("Vector2i(1, 2.5)", 1, 13, "an integer of 32 bits", "`2.5`"),
        ("Vector2i(1, 3e10)", 1, 13, "an integer of 32 bits", "`3e10`"),
        ("PackedVector2iArray(1,\n-2147483649)", 2, 1, "an integer of 32 bits", "`-2147483649`"),
        ("Vector2i(2.5)", 1, 9, "2 numbers for Vector2i", "1"),
        ("PackedByteArray(1, 256)", 1, 20, "a byte, 0 to 255", "`256`"),
        ("PackedByteArray(x)", 1, 17, "a byte, 0 to 255", "`x`"),
        ("PackedByteArray( \"?\")", 1, 18, "base64", "`\"?\"`"),
        ("PoolIntArray(2147483648)", 1, 14, "an integer of 32 bits", "`2147483648`"),
        ("9223372036854775808", 1, 1, "an integer of 64 bits", "`9223372036854775808`"),
        ("[0x8000000000000000]", 1, 2, "an integer of 64 bits", "`0x8000000000000000`"),
        ("Nonsense(1)", 1, 1, "a value", "`Nonsense`"),
        ("[\n  int(1)]", 2, 3, "a value", "`int`"),
        ("1 2", 1, 3, END, "`2`"),
        ("\"a", 1, 3, "`\"` at the end of a text", "the end"),
        ("Array[int](1)", 1, 12, "`[`", "`1`"),
        ("Array[int]([1]", 1, 15, "`)`", "the end"),
        ("Array[]([])", 1, 7, "a type", "`]`"),
        ("Array[99999999999]([])", 1, 7, "a type", "`99999999999`"),
        ("Object(Node, 1)", 1, 14, "a text in quotes", "`1`"),
        ("Object(1)", 1, 8, "a name", "`1`"),
        ("RID(1, 2)", 1, 4, "one id for a RID, or none", "2"),
        ("RID( 1.5)", 1, 6, "an id of 64 bits", "`1.5`"),
        ("\u{1b}]0;x", 1, 1, "a value", "`\\u001b`"),
        ("x\u{202e}", 1, 1, "a value", "`x`"),
        ("[ \"a\\\u{7}\" ]", 1, 5, ESCAPES, "`\\`"),
        ("1 \"an endless \u{9b}text, cut", 1, 3, END, "`\"an endless \\u009btext, cut`"),
        ("1 \"an endless text that is cut", 1, 3, END, "`\"an endless text that is`..."),
    ] {
        let error = from_text(text).expect_err(text);
        let all = (error.line(), error.column(), error.expected(), error.found());
        assert_eq!(all, (line, column, expected, found), "{text}");
        let shown = format!("line {line}, column {column}: expected {expected}, found {found}");
        assert_eq!(error.to_string(), shown);
    }
}

const END: &str = "nothing after the value";

const ESCAPES: &str = "an escape: `\\n`, `\\t`, `\\r`, `\\\"`, `\\\\`, `\\u0041` or `\\U01f600`";

/// Every style, in the exact form and in the engine's form.
fn everywhere() -> impl Iterator<Item = TextOptions> {
    let both = |&style| {
        [NumberStyle::Exact, NumberStyle::Engine].map(|n| TextOptions::new(style).numbers(n))
    };
    TextStyle::ALL.iter().flat_map(both)
}

#[test]
fn an_object_by_id_comes_back_as_one() {
    for id in [5, u64::MAX, 1 << 63] {
        let by_id = Variant::from(Object::Id(id));
        for options in everywhere() {
            let text = to_text(&by_id, &options);
            assert_eq!(from_text(&text).unwrap(), by_id, "{text}");
        }
    }
    let godot_4 = TextOptions::new(TextStyle::Godot4);
    let text = to_text(&Object::Id(5).into(), &godot_4);
    assert_eq!(text, "Object(EncodedObjectAsID,\"object_id\":5)\n");
    let text = to_text(&Object::Id(5).into(), &godot_4.numbers(NumberStyle::Engine));
    assert_eq!(text, "Object(EncodedObjectAsID,\"object_id\":5,\"script\":null)\n");
    // The text is read as the same object by id.
    let bytes = encode(&from_text(&text).unwrap(), Dialect::Godot4).unwrap();
    assert_eq!(bytes, [24, 0, 1, 0, 5, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn an_object_of_that_class_in_full_stays_in_full() {
    let object = |properties: &[(&str, Variant)]| {
        let mut object = Object::new("EncodedObjectAsID");
        let all = object.properties_mut().unwrap();
        for (name, value) in properties {
            all.push(*name, value.clone());
        }
        Variant::from(object)
    };
    let id = ("object_id", Variant::from(5));
    for (full, is_quoted) in [
        (object(&[]), false),
        (object(std::slice::from_ref(&id)), true),
        (object(&[id.clone(), ("script", Variant::Nil)]), true),
        (object(&[("script", Variant::Nil), id.clone()]), false),
        (object(&[id.clone(), ("script", 1.into())]), false),
        (object(&[id.clone(), ("script", dictionary! {}.into())]), false),
        (object(&[id.clone(), ("scripts", Variant::Nil)]), false),
        (object(&[("script", Variant::Nil)]), false),
        (object(&[("object_id", 5.0.into())]), false),
        (object(&[("object_id", array![].into())]), false),
        (object(&[id.clone(), ("script", Variant::Nil), id]), false),
    ] {
        for &style in TextStyle::ALL {
            let text = to_text(&full, &TextOptions::new(style));
            assert_eq!(text.starts_with("Object(\"EncodedObjectAsID\","), is_quoted, "{text}");
            assert_eq!(from_text(&text).unwrap(), full, "{text}");
            // The value is also read in an array, where it is not the last value.
            let array = Variant::from(array![full.clone(), full.clone()]);
            let both = to_text(&array, &TextOptions::new(style));
            assert_eq!(both.matches(&text).count(), 2, "{both}");
        }
    }
}

#[test]
fn nothing_hidden_reaches_a_terminal() {
    let hidden =
        "\u{1b}]0;x\u{7}\u{9b}2J\u{7f}\r\u{202e}\u{2066}\u{200b}\u{200f}\u{2028}\u{2029}\u{feff}";
    let mut object = Object::new(hidden);
    object.properties_mut().unwrap().push(hidden, hidden);
    let class = || ElementType::Class(hidden.into());
    let mut dictionary = Dictionary::new();
    dictionary.set_types(class(), ElementType::Script(hidden.into()));
    dictionary.insert(hidden, Variant::StringName(hidden.into()));
    let path = NodePath {
        names: vec![hidden.into()],
        subnames: vec![hidden.into()],
        ..NodePath::default()
    };
    let value = Variant::from(variant_owned::array![
        hidden,
        Variant::NodePath(Box::new(path)),
        object,
        dictionary,
        Variant::PackedStringArray(vec![hidden.into()]),
        Variant::TypedArray(Array::with_type(class())),
    ]);
    for &style in TextStyle::ALL {
        let text = to_text(&value, &TextOptions::new(style));
        assert!(
            !text.contains(
                |c: char| c != '\n' && (c.is_control() || hidden.contains(c) && !c.is_ascii())
            ),
            "{text:?}"
        );
        assert!(text.contains(
            r"\u001b]0;x\u0007\u009b2J\u007f\r\u202e\u2066\u200b\u200f\u2028\u2029\ufeff"
        ));
        assert_eq!(from_text(&text).unwrap(), value);
    }
    let raw =
        to_text(&hidden.into(), &TextOptions::new(TextStyle::Godot4).numbers(NumberStyle::Engine));
    assert_eq!(raw, format!("\"{hidden}\""));
}

fn sorted(text: &str, dialect: Dialect) -> String {
    let options = ParseOptions::new().key_rule(KeyRule::of(dialect));
    let value = from_text_with(text, &options).unwrap();
    let sorted = TextOptions::new(dialect.into()).sorted_keys(true);
    to_text(&value, &sorted).replace('\n', "")
}

#[test]
fn keys_are_in_the_engines_order() {
    // Texts are sorted together, RIDs by id; paths have no order.
    let keys = r#"{RID(9): 0, NodePath("b"): 0, &"b": 0, "c": 0, NodePath("a"): 0, &"aa": 0, "a": 0, RID(2): 0}"#;
    assert_eq!(
        sorted(keys, Dialect::Godot4),
        r#"{"a": 0,&"aa": 0,&"b": 0,"c": 0,NodePath("b"): 0,NodePath("a"): 0,RID(2): 0,RID(9): 0}"#
    );
    assert_eq!(
        sorted(
            r#"{&"b": 0, &"a": 0, "c": 0, NodePath("b"): 0, NodePath("a"): 0}"#,
            Dialect::Pandemonium5
        ),
        r#"{"c": 0,NodePath("b"): 0,NodePath("a"): 0,@"b": 0,@"a": 0}"#
    );
    // The ids of these types differ between dialects.
    let keys = "{Rect2(0, 0, 0, 0): 0, Vector2(1, 0): 0, Vector2(0, 9): 0}";
    let vectors = "Vector2( 0, 9 ): 0,Vector2( 1, 0 ): 0";
    let rect = "Rect2( 0, 0, 0, 0 ): 0";
    assert_eq!(sorted(keys, Dialect::Pandemonium3), format!("{{{vectors},{rect}}}"));
    assert_eq!(sorted(keys, Dialect::Pandemonium4), format!("{{{rect},{vectors}}}"));
    // Godot 3 treats nearly equal components as equal.
    let keys =
        "{Vector2(0.000002, 1): 0, Vector2(0.000001, 2): 0, Vector2(1, 0): 0, Vector2(-1, 0): 0}";
    let vectors = |texts: [&str; 4]| format!("{{{}}}", texts.map(|v| format!("{v}: 0")).join(","));
    let (low, high) = ("Vector2( -1, 0 )", "Vector2( 1, 0 )");
    let (less, more) = ("Vector2( 1e-6, 2 )", "Vector2( 2e-6, 1 )");
    assert_eq!(sorted(keys, Dialect::Godot3), vectors([low, more, less, high]));
    assert_eq!(sorted(keys, Dialect::Pandemonium3), vectors([low, less, more, high]));
    // Godot 4 sorts arrays by the first difference. The older engines do not.
    let keys = "{[2, 1]: 0, [1]: 0, [1, 5]: 0, []: 0}";
    assert_eq!(sorted(keys, Dialect::Godot4), "{[]: 0,[1]: 0,[1, 5]: 0,[2, 1]: 0}");
    assert_eq!(sorted("{[[1]]: 0, [[2]]: 0}", Dialect::Godot4), "{[[1]]: 0,[[2]]: 0}");
    let names = r#"{[&"b"]: 0, [&"a"]: 0}"#;
    assert_eq!(sorted(names, Dialect::Godot4), r#"{[&"a"]: 0,[&"b"]: 0}"#);
    let pandemonium = [Dialect::Pandemonium3, Dialect::Pandemonium4, Dialect::Pandemonium5];
    for dialect in [Dialect::Godot3].into_iter().chain(pandemonium) {
        for keys in ["{[1]: 0, [2]: 0}", "{[2]: 0, [1]: 0}"] {
            assert_eq!(sorted(keys, dialect), "{[ 2 ]: 0,[ 1 ]: 0}", "{dialect:?} {keys}");
        }
        for keys in ["{[[2]]: 0, [[1]]: 0}", "{[[1]]: 0, [[2]]: 0}"] {
            assert_eq!(sorted(keys, dialect), "{[ [ 1 ] ]: 0,[ [ 2 ] ]: 0}", "{dialect:?} {keys}");
        }
        // A longer array is not less than a shorter one.
        for (keys, first, second) in [
            ("{[1]: 0, [2, 1]: 0}", "[ 1 ]", "[ 2, 1 ]"),
            ("{[2, 1]: 0, [1]: 0}", "[ 2, 1 ]", "[ 1 ]"),
            ("{[2, 1]: 0, [3]: 0}", "[ 3 ]", "[ 2, 1 ]"),
        ] {
            let expected = format!("{{{first}: 0,{second}: 0}}");
            assert_eq!(sorted(keys, dialect), expected, "{dialect:?} {keys}");
        }
    }
}

/// The places of the pairs of a dictionary with these keys, in the order in which they are printed.
fn places(dialect: Dialect, keys: impl Iterator<Item = String>) -> Vec<usize> {
    let pairs: Vec<_> = keys.enumerate().map(|(place, key)| format!("{key}: {place}")).collect();
    let value = from_text(&format!("{{{}}}", pairs.join(", "))).unwrap();
    let text = to_text(&value, &TextOptions::new(dialect.into()).sorted_keys(true));
    let places = text.lines().filter_map(|line| line.trim_end_matches(',').rsplit_once(": "));
    let places: Vec<_> = places.map(|(_, place)| place.parse().unwrap()).collect();
    assert_eq!(places.len(), pairs.len());
    places
}

/// More than sixteen keys that an engine cannot order are where its sort leaves them. The expected
/// places are from Godot's `SortArray`, compiled alone as in a debug build, with the same
/// comparisons.
#[test]
fn keys_without_an_order_are_where_the_sort_of_engines_leaves_them() {
    let mixed = |i: usize, step: usize, other: String| match i % step {
        0 => (i * 37 % 101).to_string(),
        _ => other,
    };
    let colors = (0..33).map(|i| mixed(i, 2, format!("Color(0, 0, 0, {i})")));
    let expected = [
        0, 22, 14, 6, 28, 20, 12, 4, 26, 18, 10, 32, 2, 24, 16, 8, 30, 1, 31, 29, 27, 3, 25, 23, 5,
        21, 7, 19, 17, 15, 9, 13, 11,
    ];
    assert_eq!(places(Dialect::Godot4, colors), expected);
    // An array of integers is less than every other such array.
    let arrays = (0..36).map(|i| mixed(i, 3, format!("PoolIntArray({i})")));
    let expected = [
        0, 33, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 35, 34, 1, 32, 31, 22, 29, 28, 19, 26, 25, 17,
        23, 20, 2, 16, 4, 14, 13, 5, 11, 10, 7, 8,
    ];
    assert_eq!(places(Dialect::Godot3, arrays), expected);
    let arrays = (0..40).map(|i| format!("PoolIntArray({i})"));
    let expected: Vec<_> = [15].into_iter().chain((16..40).rev()).chain((0..15).rev()).collect();
    assert_eq!(places(Dialect::Godot3, arrays), expected);
    // With these numbers each partition splits off few keys, so the rest is sorted in a heap.
    let numbers = [
        0, 29, 2, 28, 4, 27, 6, 26, 8, 28, 10, 26, 12, 30, 14, 25, 16, 27, 18, 20, 1, 3, 5, 7, 9,
        11, 13, 15, 17, 19, 25, 23, 24, 22, 23, 21, 22, 20, 21, 24,
    ];
    let arrays = numbers.iter().enumerate().map(|(i, one)| format!("[{one}, Color(0, 0, 0, {i})]"));
    let expected = [
        0, 20, 2, 21, 4, 22, 6, 23, 8, 24, 10, 25, 12, 26, 14, 27, 16, 28, 18, 29, 19, 37, 35, 38,
        36, 33, 31, 34, 39, 32, 15, 30, 7, 11, 17, 5, 3, 9, 1, 13,
    ];
    assert_eq!(places(Dialect::Godot4, arrays), expected);
}

/// The sort limits its comparisons. Beyond the limit, keys without an order are sorted by type alone.
#[test]
fn keys_without_an_order_take_no_quadratic_time() {
    let packed_arrays: Vec<_> = (0..20_000).map(|i| format!("PoolIntArray({i}): 0")).collect();
    let text = format!("{{1.5: 0, {}, \"a\": 0, 1: 0}}", packed_arrays.join(", "));
    let all = sorted(&text, Dialect::Godot3);
    assert!(all.starts_with("{1: 0,1.5: 0,\"a\": 0,PoolIntArray( 0 ): 0,PoolIntArray( 1 ): 0,"));
}

/// Long keys with an order are sorted, whatever their length.
#[test]
fn long_keys_are_in_the_engines_order() {
    let start = "k".repeat(5_000);
    let keys = (100..140).rev().map(|n| format!("\"{start}{n}\""));
    assert!(places(Dialect::Godot4, keys).into_iter().eq((0..40).rev()));
}

/// `"a"` and `&"a"` are two keys in Pandemonium 5 and one in Godot 4, so the style of Godot 4 has no order for them.
#[test]
fn keys_with_one_text_keep_their_places() {
    let options = ParseOptions::new().key_rule(KeyRule::of(Dialect::Pandemonium5));
    let sorted = TextOptions::new(TextStyle::Godot4).sorted_keys(true);
    for keys in ["{\n\"a\": 0,\n&\"a\": 1\n}", "{\n&\"a\": 0,\n\"a\": 1\n}"] {
        assert_eq!(to_text(&from_text_with(keys, &options).unwrap(), &sorted), keys);
    }
}

#[test]
fn pandemonium_3_has_another_style() {
    let value = from_text("[Quaternion(0, 0, 0, 1), PackedByteArray(1, 2), &\"a\", {}]").unwrap();
    for (dialect, expected) in [
        (Dialect::Pandemonium3, "[ Quat( 0, 0, 0, 1 ), PoolByteArray( 1, 2 ), @\"a\", {\n} ]"),
        (
            Dialect::Pandemonium4,
            "[ Quaternion( 0, 0, 0, 1 ), PoolByteArray( \"AQI=\" ), @\"a\", {\n} ]",
        ),
    ] {
        let text = to_text(&value, &TextOptions::new(dialect.into()));
        assert_eq!(text, expected);
        assert_eq!(from_text(&text).unwrap(), value);
    }
    let base64 = TextOptions::new(TextStyle::Godot4).base64(true);
    assert_eq!(to_text(&value[1], &base64), "PackedByteArray(\"AQI=\")");
}

#[test]
fn minus_zero_keeps_its_sign_where_engines_keep_it() {
    let vector = Variant::from(Vector2 { x: -0.0_f32, y: 0.0 });
    for &style in TextStyle::ALL {
        let exact = TextOptions::new(style);
        let text = to_text(&vector, &exact);
        assert_eq!(text.replace(' ', ""), "Vector2(-0.0,0)");
        let back = from_text(&text).unwrap().as_vector2().unwrap();
        assert!(back.x.is_sign_negative() && back.y.is_sign_positive());
        let engine = to_text(&vector, &exact.numbers(NumberStyle::Engine));
        assert_eq!(engine.replace(' ', ""), "Vector2(0,0)");
    }
    let floats = Variant::PackedFloat64Array(vec![-0.0]);
    assert_eq!(to_text(&floats, &TextOptions::new(TextStyle::Godot4)), "PackedFloat64Array(-0.0)");
}

/// Godot 3.2.3, Godot 4.4 and Pandemonium read these texts as these values.
#[test]
fn a_path_with_an_empty_subname_is_empty() {
    for path in ["p::", "/a::b", "::", "a:b::", "a::b:"] {
        assert_eq!(NodePath::parse(path), NodePath::default(), "{path}");
    }
    for (path, names, subnames) in
        [("a", 1, 0), ("a:", 1, 0), ("a:b:", 1, 1), (":b", 0, 1), ("a/b:c:d", 2, 2), ("", 0, 0)]
    {
        let parsed = NodePath::parse(path);
        assert_eq!((parsed.names.len(), parsed.subnames.len()), (names, subnames), "{path}");
    }
}

/// Godot 4 prints an absolute path without names as `/`. Older engines print it as the empty path.
#[test]
fn a_path_without_names_prints_as_in_its_engine() {
    for &style in TextStyle::ALL {
        let of_root = if style == TextStyle::Godot4 { "/" } else { "" };
        for (path, engine) in [("/", of_root), ("", ""), (":x", ":x"), ("/a", "/a"), ("a", "a")] {
            let value = Variant::from(NodePath::parse(path));
            let options = TextOptions::new(style);
            assert_eq!(to_text(&value, &options), format!("NodePath(\"{path}\")"));
            let engine = format!("NodePath(\"{engine}\")");
            assert_eq!(to_text(&value, &options.numbers(NumberStyle::Engine)), engine);
        }
    }
}

#[test]
fn depth_is_limited_and_takes_no_stack() {
    let error = from_text(&"[".repeat(100_000)).unwrap_err();
    assert_eq!((error.offset(), error.column()), (1_024, 1_025));
    assert_eq!(error.expected(), "no more than 1024 containers inside one another");
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let value = from_text_with(&deep, &ParseOptions::new().depth(100_000)).unwrap();
    assert_eq!(to_text(&value, &TextOptions::new(TextStyle::Godot4)), deep);

    let keys = format!("{{{deep}: 1, {deep}: 2}}");
    let value = from_text_with(&keys, &ParseOptions::new().depth(100_001)).unwrap();
    let sorted = TextOptions::new(TextStyle::Godot4).sorted_keys(true);
    assert_eq!(to_text(&value, &sorted), format!("{{\n{deep}: 2\n}}"));
}

#[test]
fn widths_of_reals_are_in_the_digits() {
    let wide = Variant::Vector2(MathValue::double(Vector2 { x: 0.1, y: 2.0 }));
    let text = to_text(&wide, &TextOptions::new(TextStyle::Godot4));
    assert_eq!(text, "Vector2(1.0000000000000001e-1, 2)");
    assert_eq!(from_text(&text).unwrap(), wide);
    // More than nine digits are enough, since no text of an `f32` needs them.
    for (x, shown) in [
        (0.123_456_789, "1.2345678900000000e-1"),
        (0.123_456_789_1, "0.1234567891"),
        (0.300_000_000_000_000_04, "0.30000000000000004"),
        (1.5, "1.5"),
    ] {
        let wide = Variant::Vector2(MathValue::double(Vector2 { x, y: 0.1 }));
        let text = to_text(&wide, &TextOptions::new(TextStyle::Godot4));
        assert_eq!(text, format!("Vector2({shown}, 1.0000000000000001e-1)"));
        assert_eq!(from_text(&text).unwrap(), wide);
    }
    let narrow = from_text("Vector2(0.1, 2)").unwrap();
    assert!(matches!(narrow, Variant::Vector2(MathValue::Single(Vector2 { x: 0.1, y: 2.0 }))));
}

#[test]
fn names_of_every_engine() {
    for (old, new) in [
        ("Matrix32(1, 0, 0, 1, 0, 0)", "Transform2D(1, 0, 0, 1, 0, 0)"),
        ("Quat( 0, 0, 0, 1 )", "Quaternion(0, 0, 0, 1)"),
        ("Rect3(1, 2, 3, 4, 5, 6)", "AABB(1, 2, 3, 4, 5, 6)"),
        ("RawArray(1, 2)", "PackedByteArray(1, 2)"),
        ("PoolByteArray( \"AQI=\" )", "PackedByteArray(1, 2)"),
        ("RealArray(0.5)", "PackedFloat32Array(0.5)"),
        ("Vector2i( 2.14748e+09, 0 )", "Vector2i(2147480000, 0)"),
        ("@\"a\"", "&\"a\""),
        ("nil", "null"),
        ("-inf.0", "inf_neg"),
        ("[0xBEEF, -0Xe, 0x1e5]", "[48879, -14, 485]"),
        ("PoolStringArray(  )", "PackedStringArray()"),
        ("Array[\"int\"]([])", "Array[\"int\"]([])"),
        ("{\n}", "{}"),
        ("[1,]", "[1]"),
    ] {
        let value = from_text(old).unwrap();
        assert_eq!(to_text(&value, &TextOptions::new(TextStyle::Godot4)), new);
    }
}

/// Kinds that only Godot 2 has are read back unchanged, in every style and inside other values.
#[test]
fn objects_of_godot_2_are_read_back() {
    let image = Image { format: u32::MAX, mipmaps: 1, width: 2, height: 1, data: vec![0, 255] };
    let event = InputEvent { event: 1, device: u32::MAX, payload: (0..12).collect() };
    let values = [
        Variant::Image(Box::new(image)),
        Variant::Image(Box::default()),
        Variant::InputEvent(Box::new(event)),
        Variant::InputEvent(Box::default()),
    ];
    for value in values.clone().into_iter().chain([
        dictionary! { "input" => values[2].clone(), values[0].clone() => values[1].clone() }.into(),
        Variant::Array(values.into_iter().collect()),
    ]) {
        for &style in TextStyle::ALL {
            for base64 in [false, true] {
                let text = to_text(&value, &TextOptions::new(style).base64(base64));
                assert_eq!(from_text(&text).unwrap(), value, "{text}");
            }
        }
    }
    for (text, expected) in [
        ("Image()", "the field \"format\""),
        ("Image(\"width\": 1)", "the field \"format\""),
        ("Image(\"format\": -1)", "an integer from 0 to 4294967295"),
        ("InputEvent(\"event\": 1, \"device\": 0, \"payload\": [1])", "a name"),
        (
            "InputEvent(\"event\": 1, \"device\": 0, \"payload\": PackedInt32Array())",
            "an array of bytes",
        ),
    ] {
        let error = from_text(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn forms_of_godot_4_6_are_read() {
    let path = from_text(r#"Resource("res://icon.png")"#).unwrap();
    for text in
        [r#"Resource("uid://b7", "res://icon.png")"#, r#"Resource("res://icon.png","uid://b7")"#]
    {
        assert_eq!(from_text(text).unwrap(), path, "{text}");
        let typed = from_text(&format!("Array[{text}]([])")).unwrap();
        assert_eq!(typed, from_text(r#"Array[Resource("res://icon.png")]([])"#).unwrap());
    }
    for bad in [
        "Resource()",
        r#"Resource("res://a", "res://b")"#,
        r#"Resource("uid://a", "uid://b")"#,
        r#"Resource("uid://a", "res://b", "res://c")"#,
    ] {
        assert!(from_text(bad).is_err(), "{bad}");
    }
    let lowest = f64::NEG_INFINITY;
    assert_eq!(
        from_text("[-inf, inf_neg, 1E5, 2.5E-3]").unwrap(),
        Variant::from(array![lowest, lowest, 1e5, 0.0025])
    );
    assert_eq!(
        from_text("Vector2(-inf, 1E2)").unwrap().as_vector2().unwrap().x.to_bits(),
        f32::NEG_INFINITY.to_bits()
    );
    assert_eq!(from_text(r#"@"n""#).unwrap(), from_text(r#"&"n""#).unwrap());
}

/// A class is in quotes if its name is also the name of a type, or is not an identifier.
#[test]
fn a_class_is_read_back_as_a_class() {
    for class in ["Node", "Variant", "int", "Image", "3D", "", "with space", "\"", "Å"] {
        let value: Variant = Array::with_type(ElementType::Class(class.into())).into();
        for &style in TextStyle::ALL {
            let text = to_text(&value, &TextOptions::new(style));
            assert_eq!(from_text(&text).unwrap(), value, "{text}");
        }
    }
}

/// Texts of any length are equal however they are made, and only the empty text is empty.
#[test]
fn texts_of_any_length() {
    for len in [0, 1, 22, 23, 300] {
        let long = "x".repeat(len);
        let own = Text::from(long.clone());
        for text in [Text::from(&*long), own, Text::from_bytes(long.as_bytes())] {
            assert_eq!((text.len(), text.is_empty()), (len, len == 0));
            assert_eq!(text, *long);
        }
    }
    assert!(Text::new().is_empty());
}

/// A printer that consumes events returns its output, and options have the defaults of the function without options.
#[test]
fn a_printer_prints_what_the_function_prints() {
    let value: Variant = array![1, dictionary! { "a" => 1.5 }].into();
    let options = TextOptions::new(TextStyle::ALL[0]);
    let mut printer = TextPrinter::new(String::new(), options);
    printer.exit().unwrap();
    assert_eq!(printer.into_inner(), "", "an end of nothing prints nothing");
    let mut printer = TextPrinter::new(String::new(), options);
    value.feed(&mut printer).unwrap();
    let text = printer.into_inner();
    assert_eq!(text, to_text(&value, &options));
    assert_eq!(from_text_with(&text, &ParseOptions::default()), from_text(&text));
}
