//! Old saves become saves of the newest version; everything else keeps its bytes.

use std::fs;
use std::path::Path;

use variant_document::Plain;
use variant_document::edit::{Draft, literal};
use variant_document::migration::{Applied, Migration, Stage, Version};
use variant_io::{ByteOrder, Framing};
use variant_owned::{Variant, encode};
use variant_testkit::corpus;
use variant_view::{Dialect, Document, Options};

/// Godot 3.2.3 wrote each state of a game three times: as a save of version 1, of version 2 and of version 3
/// (corpus/README.md).
#[test]
fn saves_of_older_games_become_those_of_the_newest() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/godot3/migration");
    let text = fs::read_to_string(folder.join("steps.toml")).unwrap();
    let migration = Migration::parse(&text, "steps.toml").unwrap();
    for player in ["player1", "player2"] {
        let save = |version: i64| {
            fs::read(folder.join(format!("saves/{player}_v{version}.save"))).unwrap()
        };
        for version in 1..=3 {
            let bytes = save(version);
            let framing = Framing::Frames(ByteOrder::Little);
            let plain = Plain::new(&bytes, framing, Options::engine(Dialect::Godot3));
            let mut draft = Draft::new(plain);
            let applied = migration.migrate(&mut draft).unwrap();
            let versions = [Version::Number(version), Version::Number(3)];
            assert_eq!([&applied[0].from, &applied[0].to], [&versions[0], &versions[1]]);
            assert_eq!(draft.bytes(), save(3), "{player} from {version}");
            let changes = draft.changes.count;
            assert_eq!(changes == 0, version == 3);
            migration.migrate(&mut draft).unwrap();
            assert_eq!(draft.changes.count, changes, "a second migration changes nothing");
        }
    }
}

fn value(text: &str) -> Variant {
    literal(text, Dialect::Godot4).unwrap()
}

/// A migration from 1 to 2 with these steps.
fn steps(steps: &str) -> Migration {
    let text = format!("version = \"v\"\n[[migration]]\nfrom = 1\nto = 2\nsteps = [\n{steps}\n]\n");
    Migration::parse(&text, "s.toml").unwrap_or_else(|error| panic!("{error}"))
}

/// The contents of a save after the steps, without its version; or the error.
fn done(text: &str, before: &str) -> Result<String, String> {
    let mut save = value(&format!("{{\"v\": 1, {before}}}"));
    let old = save.clone();
    match steps(text).apply(&mut save, Dialect::Godot4) {
        Ok(_) => {
            assert_eq!(save["v"], 2);
            let again = steps(text).apply(&mut save, Dialect::Godot4).unwrap();
            assert_eq!((again.from, again.steps), (Version::Number(2), 0));
            save.remove("v").unwrap();
            Ok(save.to_string())
        }
        Err(error) => {
            assert_eq!(save, old, "a failed migration changes nothing");
            Err(error.to_string())
        }
    }
}

fn becomes(text: &str, before: &str, after: &str) {
    assert_eq!(done(text, before), Ok(value(&format!("{{{after}}}")).to_string()), "{text}");
}

fn fails(text: &str, before: &str, why: &str) {
    assert_eq!(done(text, before).unwrap_err(), why, "{text}");
}

#[test]
fn a_renamed_key_keeps_its_place() {
    becomes(
        r#"{ rename = "p.hp", to = "health" }"#,
        r#""p": {"hp": 7, "a": 1}"#,
        r#""p": {"health": 7, "a": 1}"#,
    );
    becomes(
        r#"{ rename = "p[*].hp", to = "h" }"#,
        r#""p": [{&"hp": 1}, {"hp": 2}]"#,
        r#""p": [{&"h": 1}, {"h": 2}]"#,
    );
    becomes(r#"{ rename = "[5]", to = "6" }"#, "5: 1", "6: 1");
    fails(
        r#"{ rename = "p.hp", to = "a" }"#,
        r#""p": {"hp": 7, "a": 1}"#,
        r#"s.toml:6:1: rename: p.a: the key "a" exists already"#,
    );
    fails(
        r#"{ rename = "p.*", to = "a" }"#,
        r#""p": {"x": 7, "y": 1}"#,
        r#"s.toml:6:1: rename: p.y: two values of one dictionary would have the key "a""#,
    );
    fails(
        r#"{ rename = "p[0]", to = "a" }"#,
        r#""p": [1]"#,
        "s.toml:6:1: rename: p[0]: an item of the Array has no key",
    );
    fails(
        r#"{ rename = "(root)", to = "a" }"#,
        "",
        "s.toml:6:1: rename: (root): the whole value is in no container",
    );
}

#[test]
fn a_path_without_a_value_is_an_error_unless_it_is_optional() {
    for step in [
        r#"rename = "a.b", to = "c""#,
        r#"move = "a.b", to = "c""#,
        r#"delete = "a.b""#,
        r#"retype = "a.b", to = "int""#,
        r#"split = "a.b", by = " ", into = ["c", "d"]"#,
        r#"join = ["b", "c"], by = " ", into = "a.d""#,
        r#"map = "a.b", steps = []"#,
        r#"wrap = "a.b", key = "c""#,
        r#"unwrap = "a.b", key = "c""#,
    ] {
        let why = done(&format!("{{ {step} }}"), r#""a": {}"#).unwrap_err();
        assert!(why.ends_with("; `optional = true` accepts that"), "{why}");
        assert!(why.contains(": a.b: "), "{why}");
        becomes(&format!("{{ {step}, optional = true }}"), r#""a": {}"#, r#""a": {}"#);
    }
    fails(
        r#"{ map = "a[*]", steps = [{ delete = "b" }] }"#,
        r#""a": [{"b": 1}, {}]"#,
        "s.toml:6:26: delete: a[1].b: nothing is there; `optional = true` accepts that",
    );
}

#[test]
fn a_moved_value_gets_a_new_place() {
    becomes(
        r#"{ move = "p.gold", to = "bag.coins.gold" }"#,
        r#""p": {"gold": 5, "a": 1}"#,
        r#""p": {"a": 1}, "bag": {"coins": {"gold": 5}}"#,
    );
    fails(
        r#"{ move = "p[*]", to = "q" }"#,
        r#""p": [1, 2]"#,
        "s.toml:6:1: move: p[1]: the path selects several values, and the new place is for one",
    );
    fails(
        r#"{ move = "p", to = "q" }"#,
        r#""p": 1, "q": 2"#,
        r#"s.toml:6:1: move: p: the key "q" exists already"#,
    );
    fails(
        r#"{ move = "p", to = "q.r" }"#,
        r#""p": 1, "q": 2"#,
        "s.toml:6:1: move: p: int has no keys to put a value at",
    );
}

#[test]
fn deleted_values_are_gone() {
    becomes(
        r#"{ delete = "..debug" }"#,
        r#""debug": 1, "p": {"a": 2, "debug": {"debug": 3}}"#,
        r#""p": {"a": 2}"#,
    );
    becomes(
        r#"{ delete = "p[?hp==0]" }"#,
        r#""p": [{"hp": 0}, {"hp": 1}, {"hp": 0}]"#,
        r#""p": [{"hp": 1}]"#,
    );
    becomes(r#"{ delete = "p.*" }"#, r#""p": {"a": 1, 2: 3}"#, r#""p": {}"#);
    fails(
        r#"{ delete = "p.hp" }"#,
        r#""p": Object(Node,"hp":1)"#,
        "s.toml:6:1: delete: p.hp: a property of the Object Node; steps change no objects",
    );
}

#[test]
fn values_are_set() {
    becomes(r#"{ default = "p.mana", value = "50" }"#, r#""p": {}"#, r#""p": {"mana": 50}"#);
    becomes(r#"{ default = "p.mana", value = 50 }"#, r#""p": {"mana": 7}"#, r#""p": {"mana": 7}"#);
    becomes(r#"{ default = "a.b.c", value = '"x"' }"#, "", r#""a": {"b": {"c": "x"}}"#);
    becomes(
        r#"{ default = "p[*].m", value = 1.5 }"#,
        r#""p": [{}, {"m": 2}]"#,
        r#""p": [{"m": 1.5}, {"m": 2}]"#,
    );
    becomes(
        r#"{ set = "p.a", value = "[1, Vector2(1, 2)]" }"#,
        r#""p": {"a": 1, "b": 2}"#,
        r#""p": {"a": [1, Vector2(1, 2)], "b": 2}"#,
    );
    becomes(r#"{ set = "speed", value = 3 }"#, r#""speed": 1.5"#, r#""speed": 3.0"#);
    becomes(r#"{ set = "p[*]", value = true }"#, r#""p": [1, 2]"#, r#""p": [true, true]"#);
    becomes(r#"{ set = "p[-1]", value = 5 }"#, r#""p": [1, 2]"#, r#""p": [1, 5]"#);
    fails(
        r#"{ set = "p[2]", value = 5 }"#,
        r#""p": [1, 2]"#,
        "s.toml:6:1: set: p[2]: nothing is there; `optional = true` accepts that",
    );
    fails(
        r#"{ default = "p.a", value = 5 }"#,
        r#""p": 1"#,
        "s.toml:6:1: default: p.a: int has no keys to put a value at",
    );
}

#[test]
fn an_array_gets_no_new_element() {
    fails(
        r#"{ default = "p[2]", value = 5 }"#,
        r#""p": [1, 2]"#,
        "s.toml:6:1: default: p[2]: a step adds no element to an array",
    );
    fails(
        r#"{ set = "p[2].x", value = 5 }"#,
        r#""p": [1, 2]"#,
        "s.toml:6:1: set: p[2].x: the path has an index that the array lacks",
    );
    becomes(r#"{ set = "p[2]", value = 5, optional = true }"#, r#""p": [1]"#, r#""p": [1]"#);
}

#[test]
fn declared_types_hold() {
    let typed = r#""p": Array[int]([1])"#;
    fails(
        r#"{ retype = "p[*]", to = "String", rule = "text" }"#,
        typed,
        "s.toml:6:1: retype: p: the container holds int only, and would get String",
    );
    becomes(
        r#"{ retype = "p", to = "Array[String]", rule = "text" }"#,
        typed,
        r#""p": Array[String](["1"])"#,
    );
    becomes(r#"{ retype = "p", to = "Array" }"#, typed, r#""p": [1]"#);
    becomes(
        r#"{ default = "p.a", value = 1 }"#,
        r#""p": Dictionary[String, float]({})"#,
        r#""p": Dictionary[String, float]({"a": 1.0})"#,
    );
    fails(
        r#"{ set = "p.a", value = "[]" }"#,
        r#""p": Dictionary[String, float]({})"#,
        "s.toml:6:1: set: p.a: the container holds float only, and would get Array",
    );
    // The engine drops a pair that does not fit, so its value would be lost.
    fails(
        r#"{ move = "gold", to = "slots.bag.gold" }"#,
        r#""gold": 5, "slots": Dictionary[int, Dictionary]({1: {}})"#,
        "s.toml:6:1: move: gold: the container holds int only, and would get String",
    );
    becomes(
        r#"{ move = "gold", to = "slots.bag.gold" }"#,
        r#""gold": 5, "slots": Dictionary[String, Dictionary]({})"#,
        r#""slots": Dictionary[String, Dictionary]({"bag": {"gold": 5}})"#,
    );
    becomes(
        r#"{ move = "gold", to = "slots.bag.gold" }"#,
        r#""gold": 5, "slots": Dictionary[StringName, Dictionary]({})"#,
        r#""slots": Dictionary[StringName, Dictionary]({&"bag": {"gold": 5}})"#,
    );
    for (step, rest) in [
        (r#"move = "gold", to = "slots.gold""#, ""),
        (r#"set = "slots.gold", value = "5""#, r#""gold": 5, "#),
    ] {
        becomes(
            &format!("{{ {step} }}"),
            r#""gold": 5, "slots": Dictionary[StringName, int]({})"#,
            &format!(r#"{rest}"slots": Dictionary[StringName, int]({{&"gold": 5}})"#),
        );
    }
}

#[test]
fn a_version_fits_its_dictionary() {
    let text = "version = \"meta.v\"\ndefault = 1\n[[migration]]\nfrom = 1\nto = 2\nsteps = []\n";
    let migration = Migration::parse(text, "s.toml").unwrap();
    for (meta, expected) in [
        ("Dictionary[String, int]({})", Ok("Dictionary[String, int]({\"v\": 2})")),
        ("{}", Ok("{\"v\": 2}")),
        ("Dictionary[StringName, float]({})", Ok("Dictionary[StringName, float]({&\"v\": 2.0})")),
        ("Dictionary[int, int]({})", Err("the container holds int only, and would get String")),
        ("Dictionary[String, bool]({})", Err("the container holds bool only, and would get int")),
    ] {
        let mut save = value(&format!("{{\"meta\": {meta}}}"));
        let applied =
            migration.apply(&mut save, Dialect::Godot4).map_err(|error| error.to_string());
        match expected {
            Ok(after) => {
                applied.unwrap();
                assert_eq!(save["meta"], value(after));
            }
            Err(why) => assert!(applied.unwrap_err().contains(why), "{meta}"),
        }
    }
}

/// In Pandemonium, a name is another key than the text.
#[test]
fn names_beside_texts_are_not_joined() {
    let text = |text: &str| literal(text, Dialect::Pandemonium5).unwrap();
    let mut save = text(r#"{"v": 1, "first": "A", &"first": "X", "last": "B"}"#);
    let join = steps(r#"{ join = ["first", "last"], by = " ", into = "name" }"#);
    join.apply(&mut save, Dialect::Pandemonium5).unwrap();
    assert_eq!(save, text(r#"{"v": 2, "name": "A B", &"first": "X"}"#));
}

#[test]
fn many_steps_are_read() {
    let text = "{ map = \"a[*]\", steps = [{ delete = \"b\", optional = true }] }, ".repeat(20_000);
    let text = format!(
        "version = \"v\"\n[[migration]]\nfrom = 1\nto = 2\nsteps = [{text}{{ rename = 1 }}]\n"
    );
    let error = Migration::parse(&text, "s.toml").unwrap_err();
    assert_eq!(
        (error.line(), error.column()),
        (Some(5), Some(text.lines().nth(4).unwrap().find("1 }]").unwrap() + 1))
    );
    assert_eq!(error.path(), "");
}

#[test]
fn kinds_are_converted() {
    for (step, before, after) in [
        (r#"to = "int""#, "2.0", "2"),
        (r#"to = "int", rule = "round""#, "2.5", "3"),
        (r#"to = "int", rule = "floor""#, "-2.5", "-3"),
        (r#"to = "int", rule = "ceil""#, "2.1", "3"),
        (r#"to = "int", rule = "truncate""#, "-2.9", "-2"),
        (r#"to = "int", rule = "parse""#, r#"" 42 ""#, "42"),
        (r#"to = "int""#, "true", "1"),
        (r#"to = "float""#, "7", "7.0"),
        (r#"to = "float", rule = "round""#, "9007199254740993", "9007199254740992.0"),
        (r#"to = "float", rule = "parse""#, r#""2.5""#, "2.5"),
        (r#"to = "bool""#, "1", "true"),
        (r#"to = "bool", rule = "parse""#, r#""false""#, "false"),
        (r#"to = "String", rule = "text""#, "2.5", r#""2.5""#),
        (r#"to = "String", rule = "text""#, "true", r#""true""#),
        (r#"to = "StringName""#, r#""a""#, r#"&"a""#),
        (r#"to = "NodePath""#, r#""a/b""#, r#"NodePath("a/b")"#),
        (r#"to = "int", values = { easy = 0, hard = "2" }"#, r#""hard""#, "2"),
        (r#"to = "String", values = { 0 = '"easy"', 1 = '"hard"' }"#, "1", r#""hard""#),
        (r#"to = "Dictionary", by = "id""#, r#"[{"id": 5, "n": 1}]"#, r#"{5: {"id": 5, "n": 1}}"#),
        (r#"to = "Array", rule = "values""#, r#"{"a": 1, "b": 2}"#, "[1, 2]"),
        (r#"to = "Array", rule = "keys""#, r#"{"a": 1, "b": 2}"#, r#"["a", "b"]"#),
        (r#"to = "Array", rule = "pairs""#, r#"{"a": 1}"#, r#"[["a", 1]]"#),
        (r#"to = "PackedInt32Array""#, "[1, 2.0]", "PackedInt32Array(1, 2)"),
        (r#"to = "PackedByteArray""#, "[255]", "PackedByteArray(255)"),
        (r#"to = "PackedFloat32Array", rule = "round""#, "[0.1]", "PackedFloat32Array(0.1)"),
        (r#"to = "PackedStringArray""#, r#"["a"]"#, r#"PackedStringArray("a")"#),
        (r#"to = "PackedVector2Array""#, "[Vector2(1, 2)]", "PackedVector2Array(1, 2)"),
        (r#"to = "Array""#, "PackedVector2Array(1, 2)", "[Vector2(1, 2)]"),
        (r#"to = "Array[int]""#, "PackedInt64Array(1)", "Array[int]([1])"),
        (r#"to = "Vector2""#, "[1, 2.5]", "Vector2(1, 2.5)"),
        (r#"to = "Vector3i""#, "[1, 2.0, 3]", "Vector3i(1, 2, 3)"),
        (r#"to = "Array""#, "Vector2i(1, 2)", "[1, 2]"),
        (r#"to = "Array""#, "Vector2(1, 2.5)", "[1.0, 2.5]"),
        (r#"to = "Color""#, r##""#ff8000""##, "Color(1, 0.5019608, 0, 1)"),
        (r#"to = "String""#, "Color(1, 0, 0, 0)", r##""#ff000000""##),
        (r#"to = "Color""#, r#""00ff00ff""#, "Color(0, 1, 0, 1)"),
    ] {
        let step = format!("{{ retype = \"x\", {step} }}");
        becomes(&step, &format!("\"x\": {before}"), &format!("\"x\": {after}"));
    }
}

#[test]
fn a_conversion_that_loses_is_refused() {
    for (step, before, why) in [
        (
            r#"to = "int""#,
            "2.5",
            r#"2.5 is not an int; rule = "round", "floor", "ceil" or "truncate" makes one of a finite float"#,
        ),
        (
            r#"to = "int", rule = "round""#,
            "inf",
            r#"inf is not an int; rule = "round", "floor", "ceil" or "truncate" makes one of a finite float"#,
        ),
        (
            r#"to = "int", rule = "round""#,
            "1e30",
            r#"1e30 is not an int; rule = "round", "floor", "ceil" or "truncate" makes one of a finite float"#,
        ),
        (r#"to = "int""#, r#""5""#, r#"String cannot become int; rule = "parse" reads it"#),
        (r#"to = "int", rule = "parse""#, r#""x""#, r#""x" is not an int as text"#),
        (
            r#"to = "float""#,
            "9007199254740993",
            r#"9007199254740993 has more digits than a float; rule = "round" rounds it"#,
        ),
        (r#"to = "bool""#, "2", "2 is neither 0 nor 1"),
        (r#"to = "String""#, "2", r#"int cannot become String; rule = "text" writes it"#),
        (
            r#"to = "int", values = { easy = 0 }"#,
            r#""odd""#,
            r#""odd" is none of the listed values: easy"#,
        ),
        (
            r#"to = "int", values = { easy = '"0"' }"#,
            r#""easy""#,
            "the listed value is String, not int",
        ),
        (r#"to = "Dictionary""#, "[]", r#"an Array becomes a Dictionary by a key: by = "id""#),
        (r#"to = "Dictionary", by = "id""#, "[{}]", r#"element 0 has no key "id""#),
        (
            r#"to = "Dictionary", by = "id""#,
            r#"[{"id": 1}, {"id": 1}]"#,
            "two elements have the id 1",
        ),
        (
            r#"to = "Array""#,
            "{}",
            r#"a Dictionary becomes an Array by a rule: rule = "values", "keys" or "pairs""#,
        ),
        (
            r#"to = "PackedInt32Array""#,
            "[3000000000]",
            "the int 3000000000 does not fit into i32; try a wider type",
        ),
        (
            r#"to = "PackedInt32Array""#,
            r#"["a"]"#,
            r#"element 0: String cannot become int; rule = "parse" reads it"#,
        ),
        (
            r#"to = "PackedFloat32Array""#,
            "[0.1]",
            r#"PackedFloat32Array does not hold the numbers exactly; rule = "round" rounds them"#,
        ),
        (r#"to = "Vector2""#, "[1]", "Vector2 does not hold these numbers: [1.0]"),
        (
            r#"to = "Color""#,
            r#""red""#,
            r##""red" is not a colour; expected a text such as "#ff8000""##,
        ),
        (
            r#"to = "String""#,
            "Color(0.3, 0, 0, 1)",
            r#"the colour has channels that are not n / 255; rule = "text" rounds them"#,
        ),
        (r#"to = "Vector2""#, "5", "int cannot become Vector2"),
    ] {
        let step = format!("{{ retype = \"x\", {step} }}");
        fails(&step, &format!("\"x\": {before}"), &format!("s.toml:6:1: retype: x: {why}"));
    }
}

#[test]
fn texts_are_split_and_joined() {
    becomes(
        r#"{ split = "p.name", by = " ", into = ["first", "last"] }"#,
        r#""p": {"name": "Ada King Lovelace", "a": 1}"#,
        r#""p": {"first": "Ada", "last": "King Lovelace", "a": 1}"#,
    );
    becomes(
        r#"{ join = ["first", "last"], by = " ", into = "p[*].name" }"#,
        r#""p": [{"first": "Ada", "a": 1, "last": "King"}, {"a": 2}]"#,
        r#""p": [{"name": "Ada King", "a": 1}, {"a": 2}]"#,
    );
    fails(
        r#"{ split = "p", by = " ", into = ["first", "last"] }"#,
        r#""p": "Ada""#,
        r#"s.toml:6:1: split: p: "Ada" has 1 of 2 parts, split by " ""#,
    );
    fails(
        r#"{ split = "p", by = " ", into = ["first", "last"] }"#,
        r#""p": 5"#,
        "s.toml:6:1: split: p: int is not a text; retype it first",
    );
    fails(
        r#"{ join = ["a", "b"], by = " ", into = "name" }"#,
        r#""a": "x""#,
        r#"s.toml:6:1: join: a: the dictionary has no key "b" to join"#,
    );
}

#[test]
fn values_are_wrapped_and_unwrapped() {
    becomes(r#"{ wrap = "s[*]", key = "v" }"#, r#""s": [1, 2]"#, r#""s": [{"v": 1}, {"v": 2}]"#);
    becomes(r#"{ unwrap = "s", key = "v" }"#, r#""s": {"v": 1}"#, r#""s": 1"#);
    for (before, why) in [
        (r#"{"v": 1, "w": 2}"#, "unwrap would lose the other keys of the dictionary: 1"),
        (r#"{"w": 2}"#, r#"the dictionary has no key "v""#),
        ("5", "int is not a Dictionary, and cannot be unwrapped"),
    ] {
        let step = r#"{ unwrap = "s", key = "v" }"#;
        fails(step, &format!("\"s\": {before}"), &format!("s.toml:6:1: unwrap: s: {why}"));
    }
}

#[test]
fn a_step_runs_only_if_its_condition_selects_a_value() {
    let step = r#"{ delete = "x", if = "p[?class=='mage']" }"#;
    becomes(step, r#""x": 1, "p": [{"class": "mage"}]"#, r#""p": [{"class": "mage"}]"#);
    becomes(step, r#""x": 1, "p": [{"class": "cook"}]"#, r#""x": 1, "p": [{"class": "cook"}]"#);
    becomes(
        r#"{ map = "p[*]", steps = [{ delete = "x", if = "y" }, { map = "z[*]", steps = [{ wrap = "(root)", key = "n" }], optional = true }] }"#,
        r#""p": [{"x": 1, "y": 2}, {"x": 1, "z": [5]}]"#,
        r#""p": [{"y": 2}, {"x": 1, "z": [{"n": 5}]}]"#,
    );
}

#[test]
fn a_value_that_the_dialect_lacks_is_an_error_of_its_step() {
    let steps = steps(r#"{ set = "a", value = 1 }, { set = "b", value = "Vector2i(1, 2)" }"#);
    let mut save = value(r#"{"v": 1}"#);
    let error = steps.apply(&mut save, Dialect::Godot3).unwrap_err();
    assert_eq!((error.line(), error.column(), error.step()), (Some(6), Some(27), Some("set")));
    assert_eq!(error.path(), "b");
    assert_eq!(
        error.to_string(),
        "s.toml:6:27: set: b: there is no Vector2i in this dialect (godot3)"
    );
    assert_eq!(save, value(r#"{"v": 1}"#));
    // In a step of a `map`, the path of the value is that in the save.
    let inner = r#"{ set = "at", value = "Vector2i(1, 2)" }"#;
    let steps = self::steps(&format!(r#"{{ map = "p[*]", steps = [{inner}] }}"#));
    let mut save = value(r#"{"v": 1, "p": [{}]}"#);
    let error = steps.apply(&mut save, Dialect::Godot3).unwrap_err();
    assert_eq!(error.path(), "p[0].at");
    let text = error.to_string();
    assert!(
        text.ends_with(": set: p[0].at: there is no Vector2i in this dialect (godot3)"),
        "{text}"
    );
}

#[test]
fn steps_that_change_nothing_are_not_counted() {
    let steps = steps(
        r#"{ set = "a", value = 1 }, { delete = "x", optional = true }, { default = "a", value = 2 },
        { delete = "a", if = "x" }, { map = "b[*]", steps = [{ wrap = "(root)", key = "n" }] }"#,
    );
    let mut save = value(r#"{"v": 1, "b": [1, 2]}"#);
    let applied = steps.apply(&mut save, Dialect::Godot4).unwrap();
    assert_eq!(applied.steps, 2);
    assert_eq!(save, value(r#"{"v": 2, "b": [{"n": 1}, {"n": 2}], "a": 1}"#));
}

/// Versions 1, 2 and "3".
const CHAIN: &str = r#"
version = "meta.version"
default = 1

[[migration]]
from = 2
to = "3"
schema = "v3.schema.json"
steps = [{ rename = "b", to = "c" }]

[[migration]]
from = 1
to = 2
steps = [{ rename = "a", to = "b" }]
"#;

#[test]
fn each_version_leads_to_the_newest() {
    let chain = Migration::parse(CHAIN, "s.toml").unwrap();
    let newest = Version::Text("3".to_owned());
    assert_eq!(chain.newest(), &newest);
    let versions = [Version::Number(1), Version::Number(2), newest];
    assert!(chain.versions().eq(&versions), "{:?}", chain.versions().collect::<Vec<_>>());
    for (old, new) in [
        (r#"{"a": 5}"#, r#"{"c": 5, "meta": {"version": "3"}}"#),
        (r#"{"meta": {"version": 1}, "a": 5}"#, r#"{"meta": {"version": "3"}, "c": 5}"#),
        (r#"{"meta": {"version": 2.0}, "b": 5}"#, r#"{"meta": {"version": "3"}, "c": 5}"#),
        (r#"{"meta": {"version": &"3"}, "b": 5}"#, r#"{"meta": {"version": &"3"}, "b": 5}"#),
    ] {
        let mut save = value(old);
        chain.apply(&mut save, Dialect::Godot4).unwrap();
        assert_eq!(save, value(new));
    }
}

#[test]
fn each_stage_is_checked() {
    let chain = Migration::parse(CHAIN, "s.toml").unwrap();
    assert_eq!(chain.schemas().collect::<Vec<_>>(), ["v3.schema.json"]);
    let mut stages = Vec::new();
    let mut save = value(r#"{"a": 5}"#);
    let mut check = |document: Document<'_>, stage: Stage<'_>| {
        let value = Variant::from_document(&document).unwrap();
        stages.push(format!("{} {:?} {value}", stage.to, stage.schema));
        if stage.schema.is_some() { Err("c: expected a String".to_owned()) } else { Ok(()) }
    };
    let error = chain.apply_checked(&mut save, Dialect::Godot4, &mut check).unwrap_err();
    assert_eq!(error.to_string(), "s.toml: after version 3: c: expected a String");
    assert_eq!(save, value(r#"{"a": 5}"#));
    assert_eq!(stages.len(), 2);
    assert!(stages[0].starts_with("2 None") && stages[1].starts_with("3 Some"), "{stages:?}");
}

#[test]
fn a_version_without_a_migration_is_an_error() {
    let numbers = steps("");
    for (save, why) in [
        (
            "{}",
            "the value has no version at v; `default = 1` in the file of steps is the version of such values",
        ),
        (
            r#"{"v": 3}"#,
            "the value is of version 3, which is newer than 2, the newest of these steps",
        ),
        (r#"{"v": 0}"#, "the value is of version 0, which no migration is from; known: 1, 2"),
        (r#"{"v": "x"}"#, "the value is of version x, which no migration is from; known: 1, 2"),
        (r#"{"v": 1.5}"#, "the version 1.5 is not a whole number"),
        (r#"{"v": []}"#, "the version is Array; expected an int or a text"),
        (
            "5",
            "the value has no version at v; `default = 1` in the file of steps is the version of such values",
        ),
    ] {
        let error = numbers.apply(&mut value(save), Dialect::Godot4).unwrap_err();
        assert_eq!(error.to_string(), format!("s.toml: {why}"));
    }
}

#[test]
fn a_file_of_steps_with_a_fault_is_an_error() {
    let link = |from: &str, to: &str| format!("[[migration]]\nfrom = {from}\nto = {to}\n");
    let head = "version = \"v\"\n";
    let chain = |links: &[(&str, &str)]| {
        let links = links.iter().map(|(from, to)| link(from, to));
        head.to_owned() + &links.collect::<String>()
    };
    let one = |step: &str| format!("{head}[[migration]]\nfrom = 1\nto = 2\nsteps = [{{ {step} }}]");
    for (text, why) in [
        ("version = ".to_owned(), "1:11: string values must be quoted"),
        (String::new(), "1:1: the key `version` is missing"),
        (head.to_owned(), "1:1: the key `migration` is missing"),
        (
            format!("{head}odd = 1"),
            "2:1: the key `odd` is unknown here; known: version, default, frame, migration",
        ),
        (
            "version = \"v[*]\"".to_owned(),
            "1:11: the path of the version must have keys only, such as meta.version",
        ),
        (chain(&[("1", "2"), ("1", "3")]), "5:1: two migrations are from version 1"),
        (
            chain(&[("1", "2"), ("3", "4")]),
            "2:1: no migration is from version 2, so it does not lead to 4",
        ),
        (
            chain(&[("1", "2"), ("2", "1")]),
            "2:1: the migrations lead in a circle, so no version is the newest",
        ),
        (
            chain(&[("1", "2"), ("5", "6"), ("6", "5")]),
            "5:1: the migrations from version 5 lead back to it",
        ),
        (chain(&[("1", "1")]), "4:6: the migration leads from 1 to 1"),
        (chain(&[("1", "2.5")]), "4:6: a version is a whole number or a text"),
        (
            format!("default = 9\n{}", chain(&[("1", "2")])),
            "1:11: the value is of version 9, which is newer than 2, the newest of these steps",
        ),
        (format!("frame = 0\n{}", chain(&[("1", "2")])), "1:9: frames count from 1"),
        (
            format!("frame = \"x\"\n{}", chain(&[("1", "2")])),
            "1:9: expected \"all\" or the number of a frame",
        ),
        (
            one(r#"renam = "a""#),
            "5:10: expected one kind of step: rename, move, delete, default, set, retype, split, join, map, wrap, unwrap",
        ),
        (
            one(r#"delete = "a", to = "b""#),
            "5:26: the key `to` is unknown here; known: delete, if, optional",
        ),
        (one(r#"rename = "a""#), "5:10: the key `to` is missing"),
        (one(r#"delete = "a[""#), "5:21: a[: syntax error at column 2; "),
        (
            one(r#"delete = "{1:key}""#),
            "5:21: {1:key}: a step needs the path of a value: not of a key, and not a byte offset",
        ),
        (one("delete = 5"), "5:21: expected a text for `delete`"),
        (one(r#"delete = "a", optional = 1"#), "5:37: expected true or false"),
        (
            one(r#"default = "a.*", value = 1"#),
            "5:22: a.*: the path must end with a key or an index",
        ),
        (one(r#"set = "a", value = "x y""#), "5:31: the literal x y: "),
        (one(r#"set = "a", value = 99999999999999999999"#), "5:31: the number is too large"),
        (
            one(r#"move = "a", to = "b[*].c""#),
            "5:29: the path must lead to one place, by keys and indices",
        ),
        (
            one(r#"retype = "a", to = "integer""#),
            "5:31: `integer` is not a kind; expected one such as int, String or Array[int]",
        ),
        (
            one(r#"retype = "a", to = "int", rule = "up""#),
            "5:45: `up` is not a rule; expected one of exact, ",
        ),
        (one(r#"split = "a", by = "", into = ["b"]"#), "5:30: the separator is empty"),
        (one(r#"split = "a", by = " ", into = []"#), "5:42: the list `into` is empty"),
    ] {
        let error = Migration::parse(&text, "s.toml").unwrap_err();
        let shown = error.to_string();
        assert!(shown.starts_with(&format!("s.toml:{why}")), "{text}\n{shown}\n{why}");
    }
}

/// `{"v": 1, "a": 5, "b": 0.5}` in a form that no engine writes: 5 in 64 bits, 0.5 in 64 bits.
fn odd() -> Vec<u8> {
    let mut bytes = vec![27, 0, 0, 0, 3, 0, 0, 0];
    let key = |key: u8| [4, 0, 0, 0, 1, 0, 0, 0, key, 0, 0, 0];
    bytes.extend([&key(b'v')[..], &[2, 0, 0, 0, 1, 0, 0, 0]].concat());
    bytes.extend([&key(b'a')[..], &[2, 0, 1, 0, 5, 0, 0, 0, 0, 0, 0, 0]].concat());
    bytes.extend([&key(b'b')[..], &[3, 0, 1, 0], &0.5_f64.to_le_bytes()[..]].concat());
    bytes
}

fn framed(values: &[Vec<u8>]) -> Vec<u8> {
    let frame = |value: &Vec<u8>| {
        let len = u32::try_from(value.len()).unwrap();
        [&len.to_le_bytes()[..], value].concat()
    };
    values.iter().flat_map(frame).collect()
}

#[test]
fn unchanged_parts_keep_their_bytes() {
    let file = [&b"head"[..], &framed(&[odd()]), b"tail"].concat();
    let framing = Framing::Frames(ByteOrder::Little);
    let plain =
        Plain::new(&file, framing, Options::engine(Dialect::Godot4)).skip(4).without_tail(4);
    let mut draft = Draft::new(plain);
    let applied = steps(r#"{ set = "n", value = "'x'" }"#.replace("\"'x'\"", "1").as_str())
        .migrate(&mut draft)
        .unwrap();
    let (from, to) = (Version::Number(1), Version::Number(2));
    assert_eq!(applied, [Applied { from, to, steps: 1 }]);
    let mut new = odd();
    new[4] = 4;
    new[24] = 2;
    new.extend(encode(&"n".into(), Dialect::Godot4).unwrap());
    new.extend([2, 0, 0, 0, 1, 0, 0, 0]);
    assert_eq!(draft.bytes(), [&b"head"[..], &framed(&[new]), b"tail"].concat());
    assert_eq!(draft.changes.count, 2);
}

#[test]
fn the_frames_of_a_file_are_named() {
    let save = |version: i64| {
        encode(&value(&format!("{{\"v\": {version}, \"a\": 5}}")), Dialect::Godot4).unwrap()
    };
    let file = framed(&[save(1), save(2), save(1)]);
    let framing = Framing::Frames(ByteOrder::Little);
    let migrated = |frame: &str, step: &str| {
        let text =
            format!("version = \"v\"\n{frame}\n[[migration]]\nfrom = 1\nto = 2\nsteps = [{step}]");
        let plain = Plain::new(&file, framing, Options::engine(Dialect::Godot4));
        let mut draft = Draft::new(plain);
        let done = Migration::parse(&text, "s.toml").unwrap().migrate(&mut draft);
        let done = done.map(|all| all.len()).map_err(|error| error.to_string());
        (done, draft.into_bytes())
    };
    assert_eq!(migrated("frame = \"all\"", ""), (Ok(3), framed(&[save(2), save(2), save(2)])));
    assert_eq!(migrated("frame = 3", ""), (Ok(1), framed(&[save(1), save(2), save(2)])));
    for (frame, step, why) in [
        (
            "",
            "",
            "s.toml: the file has several values; name them in the file of steps: frame = \"all\", or a number",
        ),
        ("frame = 4", "", "s.toml: frame = 4: the file has no such value"),
        (
            "frame = \"all\"",
            r#"{ delete = "b" }"#,
            "frame 1: s.toml:6:10: delete: b: nothing is there; `optional = true` accepts that",
        ),
    ] {
        let (done, bytes) = migrated(frame, step);
        assert_eq!(
            (done, bytes),
            (Err(why.to_owned()), file.clone()),
            "a failed migration changes nothing"
        );
    }
}

/// A change does not affect the bytes of the value next to it. The values are the records of the corpus that engines
/// read and that can be written again.
#[test]
fn records_of_engines_keep_their_bytes() {
    let mut kept = 0_u32;
    let added = steps(r#"{ set = "n", value = true }"#);
    for (dialect, path) in corpus::record_files() {
        let around = |version: i64, n: &str| {
            let pairs = value(&format!("{{\"v\": {version}{n}, \"x\": null}}"));
            let mut bytes = encode(&pairs, dialect).unwrap();
            bytes.truncate(bytes.len() - 4);
            bytes
        };
        for case in corpus::read_first_cases(&path, 400).unwrap() {
            let Some(consumed) = case.consumed.filter(|_| case.accepted) else { continue };
            let record = &case.bytes[..consumed.min(case.bytes.len())];
            let old = [&around(1, ""), record].concat();
            let options = Options::engine(dialect);
            let mut draft = Draft::new(Plain::new(&old, Framing::Bare, options));
            // The encoder refuses some values that engines read. A file with such a value stays unchanged.
            if added.migrate(&mut draft).is_err() {
                assert_eq!(draft.bytes(), old);
                continue;
            }
            let start = around(2, "").len();
            let new = draft.bytes();
            // The count of pairs is greater by one, and the version is 2.
            assert_eq!(new[8..start - 12], around(2, "")[8..start - 12], "{}", case.name);
            let padded = record.len().next_multiple_of(4);
            assert_eq!(&new[start..start + record.len()], record, "{}", case.name);
            let added = [encode(&"n".into(), dialect), encode(&true.into(), dialect)];
            let added: Vec<u8> = added.into_iter().flat_map(Result::unwrap).collect();
            assert_eq!(new[start + padded..], added, "{}", case.name);
            kept += 1;
        }
    }
    assert!(kept > 2_000, "{kept}");
}

#[test]
fn deep_files_of_steps_are_refused() {
    let deep = format!("version = {}", "[".repeat(100_000));
    assert!(Migration::parse(&deep, "s.toml").is_err());
    let maps = |count: usize| {
        let steps = "[{ map = \"a\", steps = ".repeat(count) + "[]" + &" }]".repeat(count);
        format!("version = \"v\"\n[[migration]]\nfrom = 1\nto = 2\nsteps = {steps}")
    };
    assert!(Migration::parse(&maps(16), "s.toml").is_ok());
    let error = Migration::parse(&maps(17), "s.toml").unwrap_err().to_string();
    assert!(error.ends_with("steps are in more than 16 maps"), "{error}");
}
