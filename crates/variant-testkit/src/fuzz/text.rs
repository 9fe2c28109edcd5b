//! Fuzz target `text`.

use variant_owned::{
    ElementType, EncodeOptions, KeyRule, NodePath, Object, ParseOptions, Precision, Text,
    TextOptions, TextStyle, Variant, Widths, encode, from_text_with, to_text,
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

/// Whether there is something in a value that the text has no words for; see [`to_text`].
fn is_beyond_words(value: &Variant) -> bool {
    // No recursion: a text may nest as deep as it is long.
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        let is_beyond = match value {
            Variant::Image(_) | Variant::InputEvent(_) | Variant::Signal(_) => true,
            Variant::String(text) | Variant::StringName(text) => is_no_text(text),
            Variant::PackedStringArray(texts) => texts.iter().any(is_no_text),
            Variant::NodePath(path) => is_path_beyond_words(path),
            Variant::Object(object) => match &**object {
                Object::Full { class, properties } => {
                    let properties = properties.as_slice();
                    waiting.extend(properties.iter().map(|(_, value)| value));
                    is_no_text(class) || properties.iter().any(|(name, _)| is_no_text(name))
                }
                _ => true,
            },
            Variant::Array(array)
            | Variant::TypedArray(array)
            | Variant::PackedTypedArray(array) => {
                waiting.extend(array.iter());
                is_type_beyond_words(array.element_type())
            }
            Variant::Dictionary(dictionary) => {
                waiting.extend(dictionary.iter().flat_map(|(key, value)| [key, value]));
                let (key_type, value_type) = dictionary.types();
                is_type_beyond_words(key_type) || is_type_beyond_words(value_type)
            }
            _ => false,
        };
        if is_beyond {
            return true;
        }
    }
    false
}

fn is_type_beyond_words(element_type: &ElementType) -> bool {
    match element_type {
        ElementType::Class(name) | ElementType::Script(name) => is_no_text(name),
        _ => false,
    }
}

/// Of names that are empty or hold a separator, nothing tells where they end.
fn is_path_beyond_words(path: &NodePath) -> bool {
    let is_lost = |name: &Text, separators: &[char]| {
        name.as_str().is_none_or(|name| name.is_empty() || name.contains(separators))
    };
    path.plain.is_some()
        || path.has_property
        || path.names.iter().any(|name| is_lost(name, &['/', ':']))
        || path.subnames.iter().any(|name| is_lost(name, &[':']))
}

/// Bytes that are no UTF-8 are shown as U+FFFD.
fn is_no_text(text: &Text) -> bool {
    text.as_str().is_none()
}
