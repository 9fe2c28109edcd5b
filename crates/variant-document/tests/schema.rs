//! Tests the check of documents against a JSON Schema.

use std::thread;

use variant_document::schema::{Breach, Schema};
use variant_owned::{Variant, array, dictionary, encode, from_text};
use variant_view::{Dialect, Document, Objects, Options, Vector2};

#[expect(clippy::needless_pass_by_value, reason = "values are made for the call")]
fn breaches_of(schema: &str, value: Variant) -> Vec<Breach> {
    let bytes = encode(&value, Dialect::Godot4).unwrap();
    let schema = Schema::compile(schema).unwrap();
    let options = Options::engine(Dialect::Godot4).objects(Objects::Accept);
    let found = schema.check(Document::new(&bytes, options), 100).unwrap();
    assert_eq!(found.count, found.list.len());
    found.list
}

fn lines(schema: &str, value: Variant) -> Vec<String> {
    breaches_of(schema, value).iter().map(ToString::to_string).collect()
}

/// A value that differs from the schema is reported at its path, with the names of Godot's kinds.
#[test]
fn a_drift_is_named_by_its_path() {
    let schema = r##"{
        "type": "object",
        "properties": {
            "hp": {"type": "integer", "x-godot-type": "int"},
            "party": {"type": "array", "items": {"$ref": "#/$defs/hero"}}
        },
        "required": ["hp", "party"],
        "$defs": {"hero": {
            "type": "object",
            "properties": {"class": {"enum": ["mage", "rogue"]}, "at": {"x-godot-type": "Vector2"}},
            "required": ["class"],
            "additionalProperties": false
        }}
    }"##;
    let hero =
        |class: &str| dictionary! { "class" => class, "at" => Vector2 { x: 1.0, y: 2.0_f32 } };
    let good = dictionary! { "hp" => 7, "party" => array![hero("mage")] };
    assert!(lines(schema, good.into()).is_empty());
    let float = dictionary! { "hp" => 7.0, "party" => array![] };
    assert_eq!(lines(schema, float.into()), ["hp: found float 7.0; expected int"]);
    let removed = dictionary! { "party" => array![] };
    assert_eq!(lines(schema, removed.into()), ["hp: the key is missing; the schema requires it"]);
    let retyped = dictionary! { "hp" => 7, "party" => dictionary! { "a" => 1 } };
    let found = lines(schema, retyped.into());
    assert!(found[0].starts_with("party: found Dictionary (1)"), "{found:?}");
    assert!(found[0].ends_with("; expected array"), "{found:?}");
    let mut odd = hero("bard");
    odd.insert("mana", 3);
    let narrowed = dictionary! { "hp" => 7, "party" => array![hero("mage"), odd] };
    let found = lines(schema, narrowed.into());
    assert!(found.contains(&"party[1].mana: the schema has no such key".to_owned()), "{found:?}");
    assert!(
        found.contains(
            &"party[1].class: found String \"bard\"; expected one of [\"mage\",\"rogue\"]"
                .to_owned()
        ),
        "{found:?}"
    );
}

#[test]
fn kinds_that_json_does_not_tell_apart_are_told_apart() {
    for (name, good, bad) in [
        ("int", Variant::from(1), Variant::from(1.0)),
        ("float", Variant::from(1.0), Variant::from(1)),
        ("PackedFloat32Array", Variant::from(vec![1.0_f32]), Variant::from(array![1.0])),
        (
            "Vector2",
            Variant::from(Vector2 { x: 1.0_f32, y: 2.0 }),
            Variant::from(dictionary! { "x" => 1, "y" => 2 }),
        ),
        ("PackedByteArray", Variant::from(vec![1_u8]), Variant::from("AQ==")),
    ] {
        let schema = format!(r#"{{"x-godot-type": "{name}"}}"#);
        assert!(lines(&schema, good).is_empty(), "{name}");
        let found = lines(&schema, bad);
        assert!(found[0].ends_with(&format!("; expected {name}")), "{found:?}");
    }
    let either = r#"{"x-godot-type": ["int", "Nil"]}"#;
    assert!(lines(either, Variant::Nil).is_empty());
    assert_eq!(lines(either, true.into()), ["(root): found bool true; expected int or Nil"]);
}

/// If a value has the type of one alternative, the breaches are those of this alternative.
#[test]
fn alternatives_report_the_nearest() {
    let schema = r#"{"anyOf": [
        {"type": "null"},
        {"type": "object", "properties": {"hp": {"x-godot-type": "int"}}}
    ]}"#;
    let found = breaches_of(schema, dictionary! { "hp" => "7" }.into());
    assert_eq!(found[0].to_string(), "hp: found String \"7\"; expected int");
    assert_eq!((found[0].keyword.as_str(), found[0].offset), ("x-godot-type", 20));
    assert_eq!(found[0].schema_path, "#/anyOf/1/properties/hp/x-godot-type");
    assert_eq!(lines(schema, 3.into()), ["(root): found int 3; expected null, or object"]);
}

#[test]
fn parts_of_values_are_named() {
    let schema = r#"{"properties": {"at": {"properties": {"x": {"minimum": 0}}}, "path": {"items": {"maximum": 5}}}}"#;
    let value = dictionary! { "at" => Vector2 { x: -1.0_f32, y: 0.0 }, "path" => vec![1_i32, 9] };
    let found = lines(schema, value.into());
    assert!(
        found[0].starts_with("at: x: found Vector2") && found[0].ends_with("at least 0"),
        "{found:?}"
    );
    assert!(found[1].starts_with("path: 1: found PackedInt32Array"), "{found:?}");
}

#[test]
fn properties_of_objects_are_values_at_their_places() {
    let value = from_text(r#"[Object(Node, "hp": 7, "at": [1, 9])]"#).unwrap();
    let schema = r#"{"items": {"type": "object", "properties":
        {"@class": {"const": "Node"}, "hp": {"maximum": 5}, "at": {"items": {"maximum": 5}}}}}"#;
    let found = breaches_of(schema, value);
    let shown: Vec<_> = found.iter().map(|breach| (breach.to_string(), breach.offset)).collect();
    assert_eq!(
        shown,
        [
            ("[0].hp: found int 7; expected at most 5".to_owned(), 32),
            ("[0].at[1]: found int 9; expected at most 5".to_owned(), 64),
        ]
    );
}

#[test]
fn a_value_is_equal_to_its_plain_form_only() {
    let values = [
        ("null", "null"),
        ("true", "true"),
        ("7", "7"),
        ("0.5", "0.5"),
        ("\"a\"", r#""a""#),
        ("[1, 2]", "[1, 2]"),
        ("[1, [2]]", "[1, [2]]"),
        ("PackedInt32Array(1, 3)", "[1, 3]"),
        ("{\"a\": 1}", r#"{"a": 1}"#),
        ("{\"a\": [true]}", r#"{"a": [true]}"#),
        ("Vector2(1, 2)", r#"{"x": 1, "y": 2}"#),
        ("Object(Node, \"a\": 1)", r#"{"@class": "Node", "a": 1}"#),
        // The numbers of these pairs are equal when they are rounded to floats.
        ("9007199254740992.0", "9007199254740992.0"),
        ("9007199254740993", "9007199254740993"),
        ("RID(-9223372036854775807)", "9223372036854775809"),
        ("RID(-9223372036854775806)", "9223372036854775810"),
    ];
    for (value, own) in values {
        for (_, other) in values {
            for schema in [format!(r#"{{"const": {other}}}"#), format!(r#"{{"enum": [{other}]}}"#)]
            {
                let found = lines(&schema, from_text(value).unwrap());
                assert_eq!(found.is_empty(), own == other, "{value} {schema}");
            }
        }
    }
}

/// `uniqueItems` finds two numbers equal if and only if `const` does.
#[test]
fn elements_are_equal_as_a_const_is() {
    let numbers = [
        ("0", "0"),
        ("-0.0", "-0.0"),
        ("1", "1"),
        ("1.0", "1.0"),
        ("0.5", "0.5"),
        ("9007199254740993", "9007199254740993"),
        ("1152921504606846976", "1152921504606846976"),
        ("1152921504606846976.0", "1152921504606846976.0"),
        ("1152921504606847000", "1152921504606847000"),
        ("9223372036854775807", "9223372036854775807"),
        ("9223372036854775808.0", "9223372036854775808.0"),
        ("RID(-9223372036854775808)", "9223372036854775808"),
        // The digits of the float 2^63 as Rust prints it.
        ("RID(-9223372036854775616)", "9223372036854776000"),
    ];
    let mut equal = 0;
    for (one, json) in numbers {
        for (two, _) in numbers {
            let is_equal = lines(&format!(r#"{{"const": {json}}}"#), from_text(two).unwrap());
            let pair = from_text(&format!("[{one}, {two}]")).unwrap();
            let found = lines(r#"{"uniqueItems": true}"#, pair);
            assert_eq!(found.is_empty(), !is_equal.is_empty(), "{one} {two}");
            equal += found.len();
        }
    }
    // Each number and itself, and both orders of 0 and -0.0, 1 and 1.0, 2^60 and 2^63.
    assert_eq!(equal, numbers.len() + 8);
}

/// Schemas that refer to the next one in the schema of a keyword, beside other keywords.
fn references(count: usize, keyword: &str, beside: &str) -> String {
    let schema =
        |at| format!(r##""s{at}": {{"{keyword}": {{"$ref": "#/$defs/s{}"{beside}}}}}"##, at + 1);
    let schemas: Vec<_> = (0..count).map(schema).collect();
    let schemas = schemas.join(",");
    format!(r##"{{"$ref": "#/$defs/s0", "$defs": {{{schemas}, "s{count}": true}}}}"##)
}

#[test]
fn bad_schemas_are_refused_with_their_place() {
    let deep = format!("{}{}", r#"{"not":"#.repeat(100), "true") + &"}".repeat(100);
    let chain: Vec<_> = (0..100)
        .map(|at| format!(r##""s{at}": {{"$ref": "#/$defs/s{}"}}"##, at + 1))
        .chain([r#""s100": true"#.to_owned()])
        .collect();
    let chain = format!(r#"{{"$defs": {{{}}}}}"#, chain.join(","));
    let wide = |at: i32| {
        format!(
            r##""s{at}": {{"anyOf": [{{"$ref": "#/$defs/s{0}"}}, {{"$ref": "#/$defs/s{0}"}}]}}"##,
            at + 1
        )
    };
    let wide: Vec<_> = (0..20).map(wide).chain([r#""s20": true"#.to_owned()]).collect();
    let wide = format!(r#"{{"$defs": {{{}}}}}"#, wide.join(","));
    Schema::compile(&references(1_999, "items", "")).unwrap();
    let many = references(2_000, "items", "");
    let unevaluated = references(1, "contains", r#", "unevaluatedItems": false"#);
    // The pointers of the root and its keyword have 2 bytes, those of the schema in it and its 25 keywords 26 times 328,964,
    // and those of the 25 schemas in it 25 times 328,966.
    let named = |len| {
        let schemas: Vec<_> = ('a'..='y').map(|name| format!(r#""{name}": true"#)).collect();
        format!(r#"{{"{}": {{{}}}}}"#, "k".repeat(len), schemas.join(","))
    };
    Schema::compile(&named(328_962)).unwrap();
    let named = named(328_963);
    let data = format!(r##"{{"$ref": "#/default", "default": {deep}}}"##);
    Schema::compile(r##"{"items": {"$ref": "#/x/0/0"}, "x": [[{"type": "null"}]]}"##).unwrap();
    for (schema, place, message) in [
        ("{\n  \"type\": ", "line 2, column", "not JSON"),
        ("3", "#", "not a schema"),
        (r#"{"type": "strin"}"#, "#/type", ""),
        (
            r#"{"properties": {"a": {"$ref": "https://example.com/a.json"}}}"#,
            "#/properties/a",
            "leads out of the file",
        ),
        (r#"{"items": {"$ref": "other.json#/a"}}"#, "#/items", "leads out of the file"),
        (r##"{"items": {"$ref": "#/$defs/a"}}"##, "#/items", "names no part"),
        (r##"{"$ref": "#"}"##, "#", "leads back to itself"),
        (r#"{"items": {"pattern": "(a)\\1"}}"#, "#/items", ""),
        (r#"{"x-godot-type": "integer"}"#, "#", "is not a type"),
        (deep.as_str(), "#/not", "64 levels"),
        (chain.as_str(), "#/$defs", "each inside the one before"),
        (wide.as_str(), "#", "more than 10000 schemas"),
        (many.as_str(), "#", "more than 2000 different references"),
        (unevaluated.as_str(), "#", "unevaluatedItems is not supported in a file with a $ref"),
        (named.as_str(), "#/k", "the JSON pointers of the schemas have more than 16777216 bytes"),
        (data.as_str(), "#/default/not", "64 levels"),
        (r##"{"items": {"$ref": "#/enum/0"}, "enum": [5]}"##, "#/items", "is not a schema"),
    ] {
        let error = Schema::compile(schema).unwrap_err();
        assert!(error.place.starts_with(place), "{schema:.80}: {error}");
        assert!(error.message.contains(message), "{schema:.80}: {error}");
    }
}

/// Arrays in each other, the innermost with null.
fn nested(levels: usize) -> Vec<u8> {
    [b"\x1c\0\0\0\x01\0\0\0".repeat(levels), b"\0\0\0\0".to_vec()].concat()
}

/// A recursive schema on a deep value takes a bounded stack, and a deeper value is a breach.
#[test]
fn deep_values_are_bounded() {
    let schema = Schema::compile(
        r##"{"items": {"$ref": "#"}, "anyOf": [{"type": "array"}, {"type": "null"}]}"##,
    )
    .unwrap();
    let check = |levels| {
        let bytes = nested(levels);
        schema.check(Document::new(&bytes, Options::engine(Dialect::Godot4)), 10).unwrap()
    };
    assert_eq!(check(120).count, 0);
    assert!(check(200).list[0].message.contains("levels"));
}

/// Runs a test on the smallest stack that is assumed.
fn on_a_small_stack(test: impl FnOnce() + Send) {
    let thread = thread::Builder::new().stack_size(512 << 10);
    thread::scope(|scope| thread.spawn_scoped(scope, test).unwrap().join()).unwrap();
}

/// A flat value is checked on the stack of the caller, and a deep value on another thread.
#[test]
fn a_check_fits_in_the_stack() {
    on_a_small_stack(|| {
        for schemas in [0, 1, 2, 4, 8, 16, 50] {
            let chain = r#"{"allOf": ["#.repeat(schemas)
                + r##"{"items": {"$ref": "#"}, "type": "array"}"##
                + &"]}".repeat(schemas);
            let schema = Schema::compile(&chain).unwrap();
            for depth in 1..=120 {
                let bytes = nested(depth);
                let document = Document::new(&bytes, Options::engine(Dialect::Godot4));
                let found = schema.check(document, 1).unwrap();
                // The breach is at the deepest level.
                let place = (found.count, found.list[0].offset);
                assert_eq!(place, (1, 8 * depth), "{schemas} schemas, depth {depth}");
            }
        }
    });
}

/// A flat schema is compiled on the stack of the caller, and a deep schema on another thread.
#[test]
fn a_schema_is_compiled_within_the_stack() {
    on_a_small_stack(|| {
        for (open, close) in [
            (r#"{"allOf": ["#, "]}"),
            (r#"{"properties": {"a": "#, "}}"),
            (r#"{"unevaluatedProperties": "#, "}"),
            (r#"{"unevaluatedItems": false, "contains": "#, "}"),
        ] {
            for levels in 1..=62 {
                Schema::compile(&(open.repeat(levels) + "true" + &close.repeat(levels))).unwrap();
            }
        }
        for keyword in ["items", "additionalProperties", "contains"] {
            for count in (1..60).chain((60..2_000).step_by(100)) {
                Schema::compile(&references(count, keyword, "")).unwrap();
            }
        }
        // Each reference leads deep into the next schema.
        let deep = |at: usize| {
            let inner = format!(r##"{{"$ref": "#/$defs/s{}"}}"##, at + 1);
            let schema = r#"{"items": "#.repeat(60) + &inner + &"}".repeat(60);
            format!(r#""s{at}": {schema}"#)
        };
        let schemas = (0..20).map(deep).collect::<Vec<_>>().join(",");
        let text = format!(r##"{{"$ref": "#/$defs/s0", "$defs": {{{schemas}, "s20": true}}}}"##);
        Schema::compile(&text).unwrap();
    });
}

/// A compiled pattern takes at most 1 MiB.
#[test]
fn large_patterns_are_refused() {
    let schema = |times| format!(r#"{{"pattern": "^([a-z][0-9]){{{times}}}$"}}"#);
    let small = schema(1_000);
    assert_eq!(lines(&small, "a1".repeat(1_000).into()), Vec::<String>::new());
    assert_eq!(lines(&small, "a1".repeat(999).into()).len(), 1);
    let error = Schema::compile(&schema(20_000)).unwrap_err();
    assert!(error.to_string().contains("pattern"), "{error}");
}

/// The number of errors is bounded by memory, even if each error has a long path.
#[test]
fn breaches_are_listed_to_a_limit_and_counted() {
    let schema = Schema::compile(
        r#"{"items": {"type": "string"}, "additionalProperties": {"items": {"type": "string"}}}"#,
    )
    .unwrap();
    let many = encode(
        &Variant::from((0..1_000).map(Variant::from).collect::<variant_owned::Array>()),
        Dialect::Godot4,
    )
    .unwrap();
    let found = schema.check(Document::new(&many, Dialect::Godot4), 3).unwrap();
    assert_eq!((found.list.len(), found.count, found.is_cut), (3, 1_000, false));
    let long = "k".repeat(1 << 20);
    let values: variant_owned::Array = (0..100_000).map(Variant::from).collect();
    let mut keyed = dictionary! {};
    keyed.insert(long, values);
    let bytes = encode(&Variant::from(keyed), Dialect::Godot4).unwrap();
    let found = schema.check(Document::new(&bytes, Dialect::Godot4), 3).unwrap();
    assert!(found.is_cut && found.count < 100, "{}", found.count);
}

#[test]
fn damage_is_an_error() {
    let schema = Schema::compile("true").unwrap();
    let error =
        schema.check(Document::new(b"\x1c\0\0\0\x01\0\0\0", Dialect::Godot4), 1).unwrap_err();
    assert_eq!(error.offset(), 8);
}

/// Each keyword has a valid value, an invalid one, and words for what it expects.
#[test]
fn each_keyword_says_what_it_expects() {
    let pair = |name: &str| Variant::from(dictionary! { name => 1 });
    let long = "k".repeat(200);
    let cases = [
        (r#"{"type": "integer"}"#, Variant::from(1.0), 1.5.into(), "expected integer"),
        (r#"{"type": ["string", "null"]}"#, Variant::Nil, 1.into(), "expected null or string"),
        (r#"{"const": 5}"#, 5.into(), 6.into(), "expected 5"),
        (r#"{"const": 0.5}"#, 0.5.into(), 0.75.into(), "expected 0.5"),
        (r#"{"const": false}"#, false.into(), true.into(), "expected false"),
        (r#"{"const": true}"#, true.into(), false.into(), "expected true"),
        (r#"{"enum": [null, 7]}"#, Variant::Nil, 6.into(), "expected one of [null,7]"),
        (r#"{"enum": [7.0]}"#, 7.into(), 6.into(), "expected one of [7.0]"),
        (r#"{"minimum": -1}"#, (-1).into(), (-2).into(), "at least -1"),
        (r#"{"maximum": 0.5}"#, 0.25.into(), 0.75.into(), "at most 0.5"),
        (r#"{"exclusiveMinimum": 0}"#, 1.into(), 0.into(), "more than 0"),
        (r#"{"exclusiveMaximum": 2}"#, 1.into(), 2.into(), "less than 2"),
        (r#"{"multipleOf": 0.5}"#, 2.5.into(), 2.25.into(), "a multiple of 0.5"),
        (r#"{"multipleOf": 3}"#, 3e17.into(), 1e17.into(), "a multiple of 3"),
        (r#"{"minLength": 2}"#, "ab".into(), "a".into(), "at least 2 characters"),
        (r#"{"maxLength": 1}"#, "a".into(), "ab".into(), "at most 1 character"),
        (r#"{"minItems": 1}"#, array![1].into(), array![].into(), "at least 1 element"),
        (r#"{"maxItems": 1}"#, array![1].into(), array![1, 2].into(), "at most 1 element"),
        (r#"{"minProperties": 1}"#, pair("a"), dictionary! {}.into(), "at least 1 key"),
        (r#"{"maxProperties": 0}"#, dictionary! {}.into(), pair("a"), "at most 0 keys"),
        (r#"{"pattern": "^a"}"#, "ab".into(), "ba".into(), "text that matches ^a"),
        (r#"{"uniqueItems": true}"#, array![1, 2].into(), array![1, 1].into(), "are equal"),
        (r#"{"uniqueItems": true}"#, array![0, 0.5].into(), array![0, -0.0].into(), "are equal"),
        (r#"{"contains": {"const": 1}}"#, array![1].into(), array![2].into(), "another number"),
        (r#"{"not": {"const": 1}}"#, 2.into(), 1.into(), "\"not\" does not describe"),
        (r#"{"propertyNames": {"maxLength": 1}}"#, pair("a"), pair("ab"), "other keys: "),
        ("false", Variant::Nil, Variant::Nil, "allows no value here"),
    ];
    for (schema, good, bad, words) in cases {
        if schema != "false" {
            assert_eq!(lines(schema, good), Vec::<String>::new(), "{schema}");
        }
        let found = lines(schema, bad);
        assert_eq!(found.len(), 1, "{schema}: {found:?}");
        assert!(found[0].contains(words), "{schema}: {found:?}");
    }
    let found = lines(&format!(r#"{{"const": "{long}"}}"#), 1.into());
    assert!(found[0].ends_with("kkk...") && found[0].len() < 200, "{found:?}");
}

/// In draft 4 of JSON Schema, a number with a point is not an integer.
#[test]
fn an_integer_of_draft_4_has_no_point() {
    for (draft, is_integer) in [("draft-04", false), ("draft-07", true)] {
        let schema = format!(
            r#"{{"$schema": "http://json-schema.org/{draft}/schema#", "type": "integer"}}"#
        );
        assert!(lines(&schema, 7.into()).is_empty(), "{draft}");
        assert_eq!(lines(&schema, 7.0.into()).is_empty(), is_integer, "{draft}");
    }
}

/// The bounds of a schema, and the schemas just within them.
#[test]
fn schemas_within_the_bounds_are_compiled() {
    let nots = |count: usize| format!("{}{{}}{}", r#"{"not":"#.repeat(count), "}".repeat(count));
    let items = |count: usize| format!("{}{{}}{}", r#"{"items":"#.repeat(count), "}".repeat(count));
    for schema in [nots, items] {
        Schema::compile(&schema(64)).unwrap();
        let error = Schema::compile(&schema(65)).unwrap_err();
        assert!(error.message.contains("64 levels"), "{error}");
    }
    // 64 references lead to the last schema, each inside the one before.
    let chain = |count: usize| {
        let links = (0..count).map(|at| format!(r##""s{at}": {{"$ref": "#/$defs/s{}"}}"##, at + 1));
        let last = format!(r#""s{count}": {{}}"#);
        format!(r#"{{"$defs": {{{}}}}}"#, links.chain([last]).collect::<Vec<_>>().join(","))
    };
    Schema::compile(&chain(64)).unwrap();
    let error = Schema::compile(&chain(65)).unwrap_err();
    assert!(error.message.contains("each inside the one before"), "{error}");
    let wide = |count: usize| format!(r#"{{"anyOf": [{}]}}"#, vec!["{}"; count].join(","));
    Schema::compile(&wide(9_999)).unwrap();
    let error = Schema::compile(&wide(10_000)).unwrap_err();
    assert!(error.message.contains("more than 10000 schemas"), "{error}");
    let padded = |len: usize| "{}".to_owned() + &" ".repeat(len - 2);
    Schema::compile(&padded(4 << 20)).unwrap();
    let error = Schema::compile(&padded((4 << 20) + 1)).unwrap_err();
    assert_eq!(error.message, "the schema has 4194305 bytes; at most 4194304 are read");
}

#[test]
fn only_the_whole_file_may_have_an_id() {
    Schema::compile(r#"{"$id": "https://example.com/save", "items": {"type": "string"}}"#).unwrap();
    let error = Schema::compile(r#"{"items": {"$id": "item", "type": "string"}}"#).unwrap_err();
    assert_eq!(error.place, "#/items");
    assert!(error.message.contains("inside the file is not supported"), "{error}");
}
