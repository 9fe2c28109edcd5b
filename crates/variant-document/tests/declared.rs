//! New items have the types that their container declares.

use variant_document::Plain;
use variant_document::edit::{Action, Draft, Edit, literal};
use variant_io::Framing;
use variant_owned::{Variant, encode, from_text};
use variant_view::{Dialect, Document, Options};

/// The root of a file of Godot 4 after one of its values was set, or the error.
fn set(file: &str, path: &str, text: &str) -> Result<Variant, String> {
    changed(file, path, text, Action::Set)
}

fn changed(
    file: &str,
    path: &str,
    text: &str,
    action: fn(Variant) -> Action,
) -> Result<Variant, String> {
    let bytes = encode(&from_text(file).unwrap(), Dialect::Godot4).unwrap();
    let options = Options::engine(Dialect::Godot4);
    let mut draft = Draft::new(Plain::new(&bytes, Framing::Bare, options));
    let action = action(literal(text, Dialect::Godot4).unwrap());
    let edit = Edit { frame: None, path: path.to_owned(), action };
    draft.make(&edit).map_err(|error| error.to_string())?;
    Ok(Variant::from_document(&Document::new(draft.bytes(), options)).unwrap())
}

const FILE: &str = r#"{"i": Array[int]([1]), "f": Array[float]([1.5]), "s": Array[StringName]([&"a"]),
    "d": Dictionary[String, int]({"a": 1}), "u": [1],
    "k": Dictionary[StringName, Variant]({&"a": 1}), "v": Dictionary[Variant, float]({"a": 1.5}), "n": {"a": 1.5}}"#;

#[test]
fn items_become_what_is_declared() {
    for (path, text, becomes) in [
        ("i", "[2, 3]", "Array[int]([2, 3])"),
        ("f", "[2, 0.5]", "Array[float]([2.0, 0.5])"),
        ("s", r#"["b"]"#, r#"Array[StringName]([&"b"])"#),
        ("d", r#"{"b": 2}"#, r#"Dictionary[String, int]({"b": 2})"#),
        ("k", r#"{"b": "c"}"#, r#"Dictionary[StringName, Variant]({&"b": "c"})"#),
        ("v", "{5: 2}", "Dictionary[Variant, float]({5: 2.0})"),
        ("n", "{5: 2}", "{5: 2}"),
        ("i", r#"Array[String](["b"])"#, r#"Array[String](["b"])"#),
        ("u", r#"["b", 1.5]"#, r#"["b", 1.5]"#),
    ] {
        let root = set(FILE, path, text).unwrap();
        assert_eq!(root[path], from_text(becomes).unwrap(), "{path} = {text}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    for (path, text, declared, found) in [
        ("i", r#"["b", 1]"#, "int", "String"),
        ("f", r#"["b"]"#, "float", "String"),
        ("i", r#"Array[int](["b"])"#, "int", "String"),
        ("d", r#"{"b": "c"}"#, "int", "String"),
        ("d", "{1: 2}", "String", "int"),
        ("u", "Array[bool]([1])", "bool", "int"),
    ] {
        let why = set(FILE, path, text).unwrap_err();
        assert_eq!(
            why,
            format!("the value may hold {declared} only, and has {found}"),
            "{path} = {text}"
        );
    }
}

#[test]
fn a_single_item_has_the_declared_kind() {
    for (path, text, root, becomes) in [
        ("f[+]", "2", "f", "Array[float]([1.5, 2.0])"),
        ("s[0]", "\"b\"", "s", r#"Array[StringName]([&"b", &"a"])"#),
        ("d.b", "2", "d", r#"Dictionary[String, int]({"a": 1, "b": 2})"#),
        ("k.b", "2", "k", r#"Dictionary[StringName, Variant]({&"a": 1, &"b": 2})"#),
        ("v[5]", "2", "v", r#"Dictionary[Variant, float]({"a": 1.5, 5: 2.0})"#),
        ("u[+]", "2.5", "u", "[1, 2.5]"),
    ] {
        let file = changed(FILE, path, text, Action::Insert).unwrap();
        assert_eq!(file[root], from_text(becomes).unwrap(), "{path} = {text}");
    }
    for (path, text, declared, found) in [
        ("i[0]", "\"b\"", "int", "String"),
        ("i[+]", "1.5", "int", "float"),
        ("f[0]", "true", "float", "bool"),
        ("f[+]", "\"b\"", "float", "String"),
        ("s[+]", "1", "StringName", "int"),
        ("d.b", "\"c\"", "int", "String"),
        ("v[5]", "true", "float", "bool"),
    ] {
        let action = if path.ends_with("[0]") { Action::Set } else { Action::Insert };
        let why = changed(FILE, path, text, action).unwrap_err();
        let expected = format!("the container holds {declared} only, and this is {found}");
        assert_eq!(why, expected, "{path} = {text}");
    }
}
