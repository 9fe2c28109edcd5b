//! The text form: what `var_to_str` prints and `str_to_var` reads (docs/format.md, section 5).

mod base64;
mod construct;
mod error;
mod leaf;
mod names;
mod number;
mod order;
mod parse;
mod print;
mod token;

use std::fmt;

use crate::key::KeyRule;
use crate::variant::Variant;

pub use error::TextError;

/// Whose text to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextStyle {
    /// As `var2str` of Godot 3: `PoolByteArray( 1, 2 )`.
    Godot3,
    /// As `var_to_str` of Godot 4: `PackedByteArray(1, 2)`.
    Godot4,
    /// As `var2str` of Pandemonium: as Godot 3 with newer names, and bytes in base64.
    Pandemonium,
}

/// How to print numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Numbers {
    /// The shortest form that reads back the same.
    #[default]
    Exact,
    /// Six significant digits, and whatever else the engines of the records lose: Godot 4.0 to 4.4,
    /// Godot 3.2.3, Pandemonium.
    Engine,
}

/// How to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct TextOptions {
    style: TextStyle,
    numbers: Numbers,
    sorted_keys: bool,
}

impl TextOptions {
    /// In a style, with [`Numbers::Exact`] and keys in order of insertion.
    pub const fn new(style: TextStyle) -> Self {
        Self { style, numbers: Numbers::Exact, sorted_keys: false }
    }

    /// Prints numbers in this way.
    pub const fn numbers(mut self, numbers: Numbers) -> Self {
        self.numbers = numbers;
        self
    }

    /// Whether the keys of dictionaries are printed in the engines' order: by type, then by value.
    pub const fn sorted_keys(mut self, sorted_keys: bool) -> Self {
        self.sorted_keys = sorted_keys;
        self
    }
}

/// How to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct ParseOptions {
    depth: usize,
    key_rule: KeyRule,
}

impl ParseOptions {
    /// With 1,024 containers inside one another at most, and Godot 4's keys.
    pub const fn new() -> Self {
        Self { depth: 1_024, key_rule: KeyRule::GODOT_4 }
    }

    /// So many containers inside one another at most. Depth takes memory, never the stack.
    pub const fn depth(mut self, depth: usize) -> Self {
        self.depth = depth;
        self
    }

    /// Which keys of a dictionary are the same. The text does not say: `{"a": 1, &"a": 2}` is one pair
    /// to Godot 4 and two to the others.
    pub const fn key_rule(mut self, key_rule: KeyRule) -> Self {
        self.key_rule = key_rule;
        self
    }
}

impl Default for ParseOptions {
    fn default() -> Self {
        Self::new()
    }
}

/// The text of a value. O(bytes of the text), and with sorted keys the sorting; no recursion.
///
/// ```
/// use variant_owned::{TextOptions, TextStyle, array, dictionary, from_text, to_text};
///
/// let value = dictionary! { "name" => "Åsa", "items" => array![1, 2.5] }.into();
/// let text = to_text(&value, &TextOptions::new(TextStyle::Godot4));
/// assert_eq!(text, "{\n\"name\": \"Åsa\",\n\"items\": [1, 2.5]\n}");
/// assert_eq!(from_text(&text)?, value);
/// # Ok::<(), variant_owned::TextError>(())
/// ```
///
/// With [`Numbers::Exact`], [`from_text`] gives an equal value, in any style, except for what the text
/// has no words for:
///
/// - no object is `null`, and reads as that; an object by id is
///   `Object(EncodedObjectAsID,"object_id":5)`, as with Godot 3's decoder;
/// - `Callable()` and `Signal()` say nothing of a signal's name and object;
/// - [`Variant::Image`] and [`Variant::InputEvent`] of Godot 2 are objects of these classes;
/// - bytes that are no UTF-8 are U+FFFD;
/// - a [`NodePath`](crate::NodePath) is its path: of names that are empty or hold `/` or `:` nothing
///   tells where they end, and the marks that only Godot 2 has are lost;
/// - the widths of numbers become those that the engine would pick: mathematical values in `f64` that
///   `f32` holds exactly are in `f32`, and a NaN is any NaN;
/// - which containers Godot 2 marked as shared.
///
/// A text with a line break or the like in it is printed as it is, as in the engines. Class names and
/// types that would pass for something else are in quotes, which only [`from_text`] reads.
///
/// Unlike in Godot 3 and Pandemonium, which print nothing at all for one, a RID is `RID()` or `RID(5)` in
/// every style. A resource with a path is printed in full and not as `Resource("res://..")`.
pub fn to_text(value: &Variant, options: &TextOptions) -> String {
    let mut out = String::new();
    // A `String` takes whatever is written.
    let _ = write_text(value, options, &mut out);
    out
}

/// Writes the text of a value; see [`to_text`].
///
/// # Errors
/// Those of `out`.
pub fn write_text(
    value: &Variant,
    options: &TextOptions,
    out: &mut impl fmt::Write,
) -> fmt::Result {
    print::write(value, *options, out)
}

/// Reads the text of a value, in the style of any engine. O(bytes); memory grows with the text.
///
/// Beyond what the engines print this takes `nil`, hexadecimal ints (`0xff`), `^"path"` for node paths,
/// the names of Godot 2 (`IntArray`, `Matrix3`), and a comma behind the last element.
///
/// - A number without `.` and `e` is an int. Among reals, as in `Vector2(1, 0.5)`, it is a real.
/// - Mathematical values are in `f64` if a number in them is written with more than nine digits and no
///   `f32` holds it, else in `f32`: the nearest to the text.
/// - What the engines print of an array that holds a RID, `[ , 1 ]` before Godot 4, is no value.
/// - `Resource("res://icon.png")` is an object of class `Resource` with that `resource_path`.
///
/// # Errors
/// [`TextError`]: where the text is no value, more than 1,024 containers are inside one another, a
/// number does not fit, or something stands behind the value.
///
/// ```
/// use variant_owned::from_text;
///
/// let value = from_text(r#"{"at": Vector2(1, 2.5), "tags": ["a", &"b"]}"#)?;
/// assert_eq!(value["tags"][1].as_str(), Some("b"));
///
/// let error = from_text("[1,\n  Vector2(1; 2)]").unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 12: expected `,` or `)`");
/// # Ok::<(), variant_owned::TextError>(())
/// ```
pub fn from_text(text: &str) -> Result<Variant, TextError> {
    from_text_with(text, &ParseOptions::new())
}

/// Reads the text of a value, with other limits or keys than [`from_text`].
///
/// # Errors
/// As [`from_text`].
pub fn from_text_with(text: &str, options: &ParseOptions) -> Result<Variant, TextError> {
    parse::parse(text, options)
}
