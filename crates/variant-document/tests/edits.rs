//! A change writes what the engine would write in its place, and is listed.

use variant_document::Plain;
use variant_document::edit::{Action, Draft, Edit, like, literal};
use variant_io::Framing;
use variant_owned::json::{self, Form};
use variant_owned::{Collector, EncodeOptions, KeyRule, Precision, Variant, encode};
use variant_testkit::corpus::{self, record_files};
use variant_testkit::table;
use variant_view::{Dialect, Document, NumberType, Options, Producer as _};

fn edit(path: &str, action: Action) -> Edit {
    Edit { frame: None, path: path.to_owned(), action }
}

fn value(text: &str) -> Vec<u8> {
    encode(&literal(text, Dialect::Godot4).unwrap(), Dialect::Godot4).unwrap()
}

fn set(text: &str) -> Action {
    Action::Set(literal(text, Dialect::Godot4).unwrap())
}

fn insert(text: &str) -> Action {
    Action::Insert(literal(text, Dialect::Godot4).unwrap())
}

fn rename(name: &str) -> Action {
    Action::RenameKey(name.to_owned())
}

fn draft(bytes: &[u8]) -> Draft<'_> {
    Draft::new(Plain::new(bytes, Framing::Bare, Options::engine(Dialect::Godot4)))
}

/// The engine wrote the values, in builds of single and of double precision.
#[test]
fn reals_keep_their_width() {
    let mut counts = [0, 0];
    for (dialect, path) in record_files() {
        if !path.to_string_lossy().contains("vectors") {
            continue;
        }
        for case in corpus::read_cases(&path).unwrap().into_iter().filter(|case| case.accepted) {
            let options = Options::engine(dialect);
            let Ok(old) = Document::new(&case.bytes, options).root() else { continue };
            let kind = old.kind();
            if kind.shape().is_none_or(|shape| shape.number != NumberType::Real) {
                continue;
            }
            let is_wide = case.bytes[2] & 1 != 0;
            let precision = if is_wide { Precision::Double } else { Precision::Single };
            let new = table::sample(kind);
            let expected = encode(&new, EncodeOptions::new(dialect).precision(precision)).unwrap();
            let mut draft = Draft::new(Plain::new(&case.bytes, Framing::Bare, options));
            draft.make(&edit("", Action::Set(new))).unwrap();
            assert_eq!(draft.bytes(), expected, "{dialect} {}", case.name);
            counts[usize::from(is_wide)] += 1;
        }
    }
    assert!(counts.iter().all(|count| *count > 20), "{counts:?}");
}

#[test]
fn names_of_properties_are_written_as_the_engine_writes_them() {
    let object = |name: &str| format!("{{\"o\": Object(Node, \"{name}\": 1, \"last\": 2)}}");
    for name in ["a", "ab", "abc", "abcd", "abcde", "ä", "a b", "日本語"] {
        let before = value(&object("old"));
        let mut renamed = draft(&before);
        renamed.make(&edit("o.old", rename(name))).unwrap();
        assert_eq!(renamed.bytes(), value(&object(name)), "{name}");
        let change = &renamed.changes.first[0];
        let listed = [&change.before, &change.after].map(|key| key.as_deref().unwrap());
        assert_eq!(listed, ["key \"old\"", &format!("key \"{name}\"")]);
        let before = value("Object(Node, \"first\": [1])");
        let mut inserted = draft(&before);
        inserted.make(&edit(&format!("[\"{name}\"]"), insert("2"))).unwrap();
        assert_eq!(
            inserted.bytes(),
            value(&format!("Object(Node, \"first\": [1], \"{name}\": 2)")),
            "{name}"
        );
        let path = format!("[\"{name}\"]");
        let bytes = inserted.bytes().to_vec();
        let mut set_again = draft(&bytes);
        set_again.make(&edit(&path, set("\"x\""))).unwrap();
        assert_eq!(
            set_again.bytes(),
            value(&format!("Object(Node, \"first\": [1], \"{name}\": \"x\")")),
            "{name}"
        );
    }
}

/// All changes are counted, and the first 100 are listed.
#[test]
fn the_first_changes_are_listed() {
    for count in [1, 99, 100, 101, 150] {
        let before = value(&format!("[{}]", vec!["{\"a\": 1}"; count].join(", ")));
        for action in [set("2"), set("\"text\""), rename("b"), Action::Delete] {
            let mut one = draft(&before);
            one.make(&edit("[*].a", action.clone())).unwrap();
            assert_eq!(one.changes.count, u64::try_from(count).unwrap(), "{action:?}");
            assert_eq!(one.changes.first.len(), count.min(100), "{action:?}");
            // The changes of two steps are one list.
            one.make(&edit("[-1]", set("null"))).unwrap();
            assert_eq!(one.changes.count, u64::try_from(count + 1).unwrap(), "{action:?}");
            assert_eq!(one.changes.first.len(), (count + 1).min(100), "{action:?}");
        }
    }
}

/// Replacements at paths of names, indices and positions are one pass, which is one list of patches.
#[test]
fn replacements_at_any_plain_steps_are_one_pass() {
    let before = value("{\"a\": {&\"n\": 1, \"m\": 2, 5: 3}, \"b\": [4, {\"c\": 5}], &\"s\": 6}");
    let mut many = draft(&before);
    let paths = ["a[&\"n\"]", "a.m", "a[5]", "b[-2]", "b{1}.c", "[&\"s\"]"];
    let edits: Vec<_> =
        (10..).zip(paths).map(|(new, path)| edit(path, set(&format!("{new}")))).collect();
    assert_eq!(many.make_all(&edits).unwrap().len(), 1);
    let after = "{\"a\": {&\"n\": 10, \"m\": 11, 5: 12}, \"b\": [13, {\"c\": 14}], &\"s\": 15}";
    assert_eq!(many.bytes(), value(after));
    assert_eq!(many.changes.count, 6);
}

/// A change leads through at most four byte arrays that hold values.
#[test]
fn changes_are_made_in_nested_byte_arrays() {
    let nested = |levels: usize, text: &str| {
        (0..levels).fold(value(text), |inner, _| {
            let list: Vec<_> = inner.iter().map(ToString::to_string).collect();
            value(&format!("{{\"in\": PackedByteArray({})}}", list.join(", ")))
        })
    };
    for levels in 0..6 {
        let before = nested(levels, "{\"hp\": 7}");
        let path = format!("{}hp", "in.".repeat(levels));
        let mut one = draft(&before);
        let made = one.make(&edit(&path, set("8")));
        if levels <= 4 {
            made.unwrap();
            assert_eq!(one.bytes(), nested(levels, "{\"hp\": 8}"));
        } else {
            let error = made.unwrap_err().to_string();
            assert!(error.contains("more than 4 nested byte arrays"), "{error}");
            assert_eq!(one.bytes(), before);
        }
    }
}

#[test]
fn a_path_of_an_insertion_ends_in_one_new_key_or_index() {
    let before = value("{\"a\": [1]}");
    for (path, why) in [
        ("", "the path of the insertion is empty"),
        ("..b", "invalid path ..b: ..b is neither a key nor an index"),
        ("a..b", "invalid path a..b: ..b is neither a key nor an index"),
        ("a[*]", "invalid path a[*]: [*] is neither a key nor an index"),
        ("a[0:1]", "invalid path a[0:1]: [0:1] is neither a key nor an index"),
        ("a[?@==1]", "invalid path a[?@==1]: [?@==1] is neither a key nor an index"),
        ("*", "invalid path *: * is neither a key nor an index"),
        ("{1:key}", "a new pair needs a key, not a position"),
    ] {
        let mut one = draft(&before);
        let error = one.make(&edit(path, insert("2"))).unwrap_err().to_string();
        assert_eq!(error, why, "{path}");
        assert_eq!(one.bytes(), before);
    }
}

/// The value after a tool that knows only plain JSON has read and written it.
fn plain(value: &Variant) -> Variant {
    let mut text = Vec::new();
    json::write(value, Form::Plain, &mut text, false).unwrap();
    let text = String::from_utf8(text).unwrap();
    let mut collector = Collector::with_rule(KeyRule::default());
    json::parse(&text, Form::Plain).unwrap().feed(&mut collector).unwrap();
    collector.finish().unwrap()
}

/// A value keeps the types of the old value if it comes from plain JSON, also beside a changed value.
#[test]
fn a_plain_value_gets_the_old_types() {
    let text = |text: &str| literal(text, Dialect::Godot4).unwrap();
    let kept = |value: &Variant| encode(value, Dialect::Godot4).unwrap();
    for old in [
        "{5: 1, \"s\": 2, &\"n\": 3}",
        "{Vector2i(1, 0): 1, true: 2, 1.5: 3, null: 4, [1]: 5}",
        "{&\"n\": &\"m\", &\"k\": \"text\"}",
        "[1, 1.0, -0.0, 1e300, 9007199254740993, true, null]",
        "[nan, inf, -inf]",
        "Vector2(1, 2.5)",
        "Vector3(nan, inf, -inf)",
        "Vector3i(1, -2, 3)",
        "Rect2(1, 2, 3, 4)",
        "Transform2D(1, 0, 0, 1, 0.5, -inf)",
        "Color(1, 0.5, 0, 1)",
        "RID(7)",
        "NodePath(\"a/b:c\")",
        "PackedByteArray()",
        "PackedByteArray(1, 2, 255)",
        "PackedInt32Array(1, -2)",
        "PackedFloat32Array(1, nan, inf, -inf, 0.5)",
        "PackedFloat64Array(1, nan, inf, -inf, 0.1)",
        "PackedStringArray(\"a\", \"b\")",
        "PackedVector2Array(1, 2, inf, nan)",
        "Array[int]([1, 2])",
        "Array[StringName]([&\"a\"])",
        "Array[Vector2]([Vector2(1, 2)])",
        "Dictionary[StringName, float]({&\"a\": 1.0})",
        "Object(Node, \"a\": 1)",
        "Callable()",
    ] {
        let old = format!("[{old}, 0, \"text\", {{\"a\": {old}}}]");
        let new = old.replace(", 0, \"text\"", ", 1, \"text\"");
        let [old, new] = [&old, &new].map(|one| text(one));
        assert_eq!(kept(&like(plain(&old), &old, Dialect::Godot4)), kept(&old));
        let mut changed = plain(&old);
        let Variant::Array(items) = &mut changed else { panic!("a list") };
        *items.into_iter().nth(1).unwrap() = 1.into();
        assert_eq!(kept(&like(changed, &old, Dialect::Godot4)), kept(&new));
    }
}

/// JSON of some programs has `1.0` for the integer 1.
#[test]
fn whole_reals_become_integers_where_the_old_number_is_one() {
    for (old, new, expected) in [
        ("Vector2i(1, 2)", "{\"x\": 3.0, \"y\": -4.0}", "Vector2i(3, -4)"),
        ("5", "7.0", "7"),
        ("PackedInt32Array(1)", "[7.0]", "PackedInt32Array(7)"),
    ] {
        let [old, new, expected] =
            [old, new, expected].map(|text| literal(text, Dialect::Godot4).unwrap());
        assert_eq!(like(new, &old, Dialect::Godot4), expected, "{old}");
    }
}

/// A value that fits no old type stays as it is.
#[test]
fn a_plain_value_of_another_kind_stays() {
    for (old, new) in [
        ("5", "null"),
        ("5", "1.5"),
        ("5", "\"YWJj\""),
        ("\"text\"", "\"YWJj\""),
        ("\"text\"", "5"),
        ("Vector2(1, 2)", "null"),
        ("Vector2(1, 2)", "{\"x\": 1}"),
        ("Vector2(1, 2)", "{\"x\": null, \"y\": 2}"),
        ("Vector2(1, 2)", "{\"x\": 1, \"y\": \"a\"}"),
        ("Vector2i(1, 2)", "{\"x\": 1.5, \"y\": 2}"),
        ("nan", "{}"),
        ("Object(Node, \"a\": 1)", "{}"),
        ("Object(Node, \"a\": 1)", "null"),
        ("PackedByteArray(1)", "\"no base64\""),
        ("PackedByteArray(1)", "[1, 256]"),
        ("PackedFloat64Array(1)", "[null]"),
        ("RID(7)", "-1"),
        ("Dictionary[String, int]({\"a\": 1})", "{\"a\": \"text\"}"),
        ("Dictionary[String, int]({\"a\": 1})", "{5: 1}"),
        ("[]", "{}"),
        ("{}", "[]"),
        ("true", "1"),
    ] {
        let [old, new] = [old, new].map(|text| literal(text, Dialect::Godot4).unwrap());
        assert_eq!(like(new.clone(), &old, Dialect::Godot4), new, "{old}");
    }
}
