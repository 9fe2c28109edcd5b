//! Fuzz target `text`.

use variant_owned::{
    EncodeOptions, KeyRule, ParseOptions, Precision, TextOptions, TextStyle, Variant, Widths,
    encode, from_text_with, to_text,
};
use variant_view::Dialect;

use super::choice::dialect;

/// The styles in which text can be printed.
pub fn styles() -> [TextStyle; 3] {
    [TextStyle::Godot3, TextStyle::Godot4, TextStyle::Pandemonium]
}

/// Any text: it is refused at one of its characters, or it is a value that prints as a text of the same value.
pub fn check_text(data: &[u8]) {
    let Some((&choice, text)) = data.split_first() else { return };
    let (text, dialect) = (String::from_utf8_lossy(text), dialect(choice));
    match from_text_with(&text, &parsing(dialect)) {
        Err(error) => {
            assert!(text.is_char_boundary(error.offset()), "{error} of {text:?}");
            assert!(error.line() > 0 && error.column() > 0, "{error}");
        }
        Ok(value) => {
            check_text_of(dialect, &value);
        }
    }
}

fn parsing(dialect: Dialect) -> ParseOptions {
    ParseOptions::new().key_rule(KeyRule::of(dialect)).depth(100_000)
}

/// Prints a value in all styles, reads it again, and says whether it is the same in all of them.
///
/// # Panics
/// Where it is not, though there are words for all that is in it.
pub fn check_text_of(dialect: Dialect, value: &Variant) -> bool {
    let outcomes = styles().map(|style| {
        let text = to_text(value, &TextOptions::new(style));
        let again = from_text_with(&text, &parsing(dialect));
        let again = again.unwrap_or_else(|error| panic!("{style:?}: {error}: {text}"));
        let is_same = are_same(&again, value);
        assert!(is_same || is_beyond_words(value), "{style:?}: {text} is {again:?}, not {value:?}");
        is_same
    });
    outcomes.into_iter().all(|is_same| is_same)
}

/// The same but for the widths of reals.
fn are_same(a: &Variant, b: &Variant) -> bool {
    let wide =
        EncodeOptions::new(Dialect::Godot4).precision(Precision::Double).widths(Widths::Canonical);
    let bytes = |value| encode(value, &wide).ok();
    format!("{a:?}") == format!("{b:?}") || bytes(a).is_some_and(|a| Some(a) == bytes(b))
}

/// What the text has no words for; see [`to_text`].
fn is_beyond_words(value: &Variant) -> bool {
    let debug = format!("{value:?}");
    let markers = ["Object#", "Object(null)", "\\x", "Signal {", "Image {", "InputEvent {"];
    markers.iter().any(|marker| debug.contains(marker)) || debug.contains("NodePath {")
}
