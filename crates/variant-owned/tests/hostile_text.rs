//! Hostile text is read and printed, or refused, on a small stack and with short errors. Time is not measured, since
//! machines differ. With quadratic work the test takes minutes instead of seconds. `src/key/work.rs` counts the cost of
//! keys.

use std::fmt::Write as _;

use variant_owned::{NumberStyle, ParseOptions, TextOptions, TextStyle, from_text_with, to_text};

use crate::deep::on_a_small_stack;

/// The tests of the released build take the longer texts.
const LENGTH: usize = if cfg!(debug_assertions) { 20_000 } else { 60_000 };

/// Repeats `part` to a length of `LENGTH`.
fn many(part: &str) -> String {
    part.repeat(LENGTH / part.len())
}

fn numbered(part: impl Fn(usize) -> String) -> String {
    (0..LENGTH / 16).fold(String::new(), |mut all, i| {
        write!(all, "{}, ", part(i)).unwrap();
        all
    })
}

/// Reads a text; if it is a value, prints it in every way.
fn take(text: &str) -> bool {
    let read = from_text_with(text, &ParseOptions::new().depth(LENGTH));
    match &read {
        Ok(value) => {
            for &style in TextStyle::ALL {
                for numbers in [NumberStyle::Exact, NumberStyle::Engine] {
                    let options = TextOptions::new(style).numbers(numbers).sorted_keys(true);
                    assert!(to_text(value, &options).len() < 20 * text.len());
                }
            }
        }
        Err(error) => assert!(error.to_string().len() < 400, "{error}"),
    }
    read.is_ok()
}

#[test]
fn levels() {
    on_a_small_stack(|| {
        for opener in [
            "[",
            "{",
            "{1:",
            "Array[int]([",
            "Dictionary[int, int]({1:",
            "TypedArray(int,",
            "Object(A,\"a\":",
            "Object(EncodedObjectAsID,\"object_id\":5,\"script\":",
            "Object(EncodedObjectAsID,\"object_id\":",
        ] {
            assert!(!take(&many(opener)), "{opener}");
        }
        for (opener, closer, levels) in
            [("[", "]", LENGTH), ("{1:", "}", LENGTH), ("{[[[", "]]]: 1, [2]: 3}", 500)]
        {
            assert!(take(&format!("{}1{}", opener.repeat(levels), closer.repeat(levels))));
        }
    });
}

/// A part that is repeated many times is not a value. For each pair of `around`, a flag gives whether the two texts of
/// the pair, with the repeated part between them, are a value.
#[test]
fn one_long_word() {
    let around = [
        ("\"", "\""),
        ("Vector2(1.", ", 1)"),
        ("Array[", "]([])"),
        ("{\"", "\": 1}"),
        ("RID(", ")"),
    ];
    for (part, are_values) in [
        ("1", [true, true, false, true, false]),
        ("0x1", [true, false, false, true, false]),
        ("1.1", [true, false, false, true, false]),
        ("a", [true, false, true, true, false]),
        ("\u{e9}", [true, false, true, true, false]),
        ("-", [true, false, false, true, false]),
        ("\\", [true, false, false, true, false]),
        ("\"", [false; 5]),
        ("\\u0041", [true, false, false, true, false]),
        ("&", [true, false, false, true, false]),
        (" ", [true, true, false, true, true]),
        ("PackedByteArray", [true, false, true, true, false]),
    ] {
        let long = many(part);
        assert!(!take(&long), "{part}");
        for ((before, behind), is_value) in around.into_iter().zip(are_values) {
            let text = format!("{before}{long}{behind}");
            assert_eq!(take(&text), is_value, "{before}{part}..{behind}");
        }
    }
}

#[test]
fn many_items() {
    for (before, part, behind, is_value) in [
        ("[", "1,", "]", true),
        ("PackedByteArray(", "1,", ")", true),
        ("PackedByteArray(", "1,", "300)", false),
        ("PackedByteArray(\"", "AAAA", "\")", true),
        ("PackedStringArray(", "\"a\",", ")", true),
        ("PackedVector2iArray(", "1,", "1.5)", false),
        ("Vector2(", "1,", ")", false),
        ("[", "Object(EncodedObjectAsID,\"object_id\":5),", "]", true),
        ("[", "Vector2(1, 2),", "1", false),
    ] {
        let text = format!("{before}{}{behind}", many(part));
        assert_eq!(take(&text), is_value, "{before}{part}..{behind}");
    }
}

#[test]
fn many_keys() {
    for key in [
        |i| format!("{i}: 0"),
        |i| format!("\"{i}\": 0"),
        |i| format!("{}\"{i}\": 0", if i % 2 == 0 { "&" } else { "" }),
        |i| format!("Vector2(nan, {i}): 0"),
        |i| format!("[nan, [{i}]]: 0"),
        |i| format!("[[{i}], {}]: 0", i % 7),
        |i| format!("PackedInt32Array({i}): 0"),
        |i| format!("NodePath(\"a{i}\"): 0"),
        |i| format!("Color({i}, 0, 0, 0): 0"),
    ] {
        assert!(take(&format!("{{{}}}", numbered(key))));
    }
    // Two long keys that differ only at their ends, so that every comparison of the two reads both to the end.
    let long = "1,".repeat(LENGTH / 4);
    let pairs = numbered(|i| format!("[{i}]: 0"));
    assert!(take(&format!("{{[{long}]: 0, [{long}2]: 0, {pairs}}}")));
    assert!(take(&format!(
        "{{PackedInt32Array({long}): 0, PackedInt32Array({long}2): 0, {pairs}}}"
    )));
}
