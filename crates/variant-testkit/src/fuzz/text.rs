//! Fuzz target `text`.

use variant_owned::{
    Dictionary, ElementType, EncodeOptions, KeyRule, NodePath, NumberStyle, Object, ParseOptions,
    Precision, Text, TextOptions, TextStyle, Variant, Widths, encode, from_text_with, to_text,
};
use variant_view::{Dialect, Document, Limits, Options};

use super::arbitrary_value::made;
use super::choice::dialect;
use crate::values;

/// Checks any text. If it is refused, the error must be at the start of a character. If it is read as a value, the text
/// of this value must be read as the same value. If the highest bit of the first byte is set, checks a generated value
/// instead.
pub fn check_text(data: &[u8]) {
    match data.split_first() {
        Some((choice, text)) if choice & 0x80 == 0 => check_parsed(dialect(*choice), text),
        _ => {
            if let Some((value, dialect)) = made(data) {
                check_text_of(dialect, &value);
            }
        }
    }
}

fn check_parsed(dialect: Dialect, text: &[u8]) {
    let text = String::from_utf8_lossy(text);
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

/// Prints a value in all styles and reads it again. Returns whether each style preserves the value.
///
/// # Panics
/// If the value differs although the text can express all of it, or if a part differs that the text can express.
pub fn check_text_of(dialect: Dialect, value: &Variant) -> bool {
    check_engine_text_of(value);
    let lost = lost_in_text(dialect, value);
    if let Some(lost) = &lost {
        assert!(is_beyond_words(value), "there are words for all of {value:?}: {lost}");
        if let Some(rest) = in_words(value, DEEPEST) {
            let lost = lost_in_text(dialect, &rest);
            assert_eq!(lost, None, "there are words for all of {rest:?}");
        }
    }
    lost.is_none()
}

/// Checks that sorting only moves keys, and that text can also be read if its numbers have the engine's form.
fn check_engine_text_of(value: &Variant) {
    for &style in TextStyle::ALL {
        let exact = TextOptions::new(style);
        let (stored, sorted) = (to_text(value, &exact), to_text(value, &exact.sorted_keys(true)));
        assert_eq!(stored.len(), sorted.len(), "{style:?}: {stored}: {sorted}");
        let engine = to_text(value, &exact.numbers(NumberStyle::Engine).sorted_keys(true));
        let read = from_text_with(&engine, &parsing(Dialect::Godot4));
        // The older engines cannot print RIDs.
        assert!(read.is_ok() || stored.contains("RID("), "{style:?}: {engine}");
    }
}

/// The first text that is read as another value.
fn lost_in_text(dialect: Dialect, value: &Variant) -> Option<String> {
    // All styles are read, even if the first style gives another value.
    let lost = TextStyle::ALL.iter().map(|&style| {
        let text = to_text(value, &TextOptions::new(style));
        assert!(!text.contains(is_hidden), "{style:?}: {text:?}");
        let again = from_text_with(&text, &parsing(dialect));
        let again = again.unwrap_or_else(|error| panic!("{style:?}: {error}: {text}"));
        (!are_same(dialect, &again, value)).then(|| format!("{style:?}: {text} is {again:?}"))
    });
    lost.collect::<Vec<_>>().into_iter().flatten().next()
}

/// Whether a character is invisible and has an escape in the texts of all engines. Line breaks and tabs do not count.
fn is_hidden(c: char) -> bool {
    is_invisible(c) && c <= '\u{ffff}' && c != '\n' && c != '\t'
}

/// Whether a character is invisible. The categories of Unicode decide, so that the check does not depend on the tested
/// list.
pub(super) fn is_invisible(c: char) -> bool {
    // The indentation of a deep document is millions of spaces.
    if c.is_ascii() {
        return c.is_control();
    }
    // Category Cf, except its visible signs: signs around Arabic and Indic numbers, and Egyptian signs.
    let formats = "\u{ad}\u{61c}\u{180e}\u{200b}\u{200c}\u{200d}\u{200e}\u{200f}\u{feff}";
    let is_format = formats.contains(c)
        || ('\u{202a}'..='\u{202e}').contains(&c)
        || ('\u{2060}'..='\u{206f}').contains(&c)
        || ('\u{fff9}'..='\u{fffb}').contains(&c)
        || ('\u{e0000}'..='\u{e007f}').contains(&c);
    // Categories Zl and Zp, and the filler letters of category Lo.
    let is_other = "\u{2028}\u{2029}\u{115f}\u{1160}\u{3164}\u{ffa0}".contains(c);
    c.is_control() || is_format || is_other
}

/// Whether two values are equal, except for the widths of reals and the bits of NaNs.
fn are_same(dialect: Dialect, a: &Variant, b: &Variant) -> bool {
    // Godot 4 comes first, since the given dialect may lack some kinds.
    for dialect in [Dialect::Godot4, dialect] {
        if let (Some(a), Some(b)) = (widened(dialect, a), widened(dialect, b)) {
            return a == b || events(dialect, &a) == events(dialect, &b);
        }
    }
    format!("{a:?}") == format!("{b:?}")
}

/// The bytes of a value with every real in its widest form.
fn widened(dialect: Dialect, value: &Variant) -> Option<Vec<u8>> {
    let wide = EncodeOptions::new(dialect).precision(Precision::Double).widths(Widths::Canonical);
    encode(value, wide).ok()
}

fn events(dialect: Dialect, bytes: &[u8]) -> String {
    let document = Document::new(bytes, Options::engine(dialect).limits(Limits::FILE));
    format!("{:?}", document.walk().collect::<Vec<_>>())
}

/// Whether a value has a part that the text cannot express; see [`to_text`].
fn is_beyond_words(value: &Variant) -> bool {
    // No recursion, since a text may be nested as deep as it is long.
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        if !has_words(value) {
            return true;
        }
        waiting.extend(values::inside(value));
    }
    false
}

/// The maximum depth of the values that [`in_words`] keeps.
const DEEPEST: u32 = 64;

/// The value without the parts that the text cannot express. `None` if the text cannot express the value.
fn in_words(value: &Variant, depth: u32) -> Option<Variant> {
    if !has_words(value) {
        return None;
    }
    let depth = depth.checked_sub(1)?;
    let mut value = value.clone();
    match &mut value {
        Variant::Array(array) | Variant::TypedArray(array) | Variant::PackedTypedArray(array) => {
            let elements = array.as_mut_vec();
            *elements = elements.iter().filter_map(|element| in_words(element, depth)).collect();
        }
        Variant::Dictionary(dictionary) => {
            let mut rest = Dictionary::with_rule(dictionary.rule());
            rest.set_types(dictionary.key_type().clone(), dictionary.value_type().clone());
            rest.set_shared(dictionary.is_shared());
            let pair = |(key, value)| Some((in_words(key, depth)?, in_words(value, depth)?));
            rest.extend(dictionary.iter().filter_map(pair));
            *dictionary = rest;
        }
        Variant::Object(object) => {
            let properties = object.properties_mut()?.as_mut_vec();
            properties.retain_mut(|(_, value)| {
                in_words(value, depth).map(|rest| *value = rest).is_some()
            });
        }
        _ => {}
    }
    Some(value)
}

/// Whether the text can express a value, apart from the values inside it.
fn has_words(value: &Variant) -> bool {
    match value {
        Variant::Image(_) | Variant::InputEvent(_) | Variant::Signal(_) => false,
        Variant::String(text) | Variant::StringName(text) => !is_not_text(text),
        Variant::PackedStringArray(texts) => !texts.iter().any(is_not_text),
        Variant::NodePath(path) => !is_path_beyond_words(path),
        Variant::Object(object) => match &**object {
            Object::Full { class, properties } => {
                !is_not_text(class)
                    && !properties.as_slice().iter().any(|(name, _)| is_not_text(name))
            }
            Object::Id(id) => *id != 0,
            Object::Null => false,
        },
        Variant::Array(array) | Variant::TypedArray(array) | Variant::PackedTypedArray(array) => {
            !is_type_beyond_words(array.element_type())
        }
        Variant::Dictionary(dictionary) => {
            !is_type_beyond_words(dictionary.key_type())
                && !is_type_beyond_words(dictionary.value_type())
        }
        _ => true,
    }
}

fn is_type_beyond_words(element_type: &ElementType) -> bool {
    match element_type {
        ElementType::Class(name) | ElementType::Script(name) => is_not_text(name),
        _ => false,
    }
}

/// Whether the text cannot express a path. Names that are empty or contain a separator cannot be separated again.
fn is_path_beyond_words(path: &NodePath) -> bool {
    let is_lost = |name: &Text, separators: &[char]| {
        name.to_str().is_none_or(|name| name.is_empty() || name.contains(separators))
    };
    path.plain.is_some()
        || path.has_property
        || path.names.iter().any(|name| is_lost(name, &['/', ':']))
        || path.subnames.iter().any(|name| is_lost(name, &[':']))
}

/// Whether a string is not UTF-8. It is printed with U+FFFD, so the printed text does not express its bytes.
fn is_not_text(text: &Text) -> bool {
    text.to_str().is_none()
}
