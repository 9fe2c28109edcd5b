//! The text form: what `var_to_str` prints and `str_to_var` reads (docs/format.md, section 5).

mod base64;
mod construct;
mod error;
mod escape;
mod held;
mod leaf;
mod names;
mod number;
mod order;
mod parse;
mod printer;
mod sort;
mod source;
mod style;
mod token;

use std::{fmt, io};

use variant_view::{Dialect, FeedError, Producer};

use crate::event::Collector;
use crate::key::KeyRule;
use crate::variant::Variant;
use order::InOrder;

pub use error::TextError;
pub use number::Shortest;
pub use printer::TextPrinter;
pub use source::TextSource;

/// The class that stands in for objects by id.
const BY_ID: &str = "EncodedObjectAsID";

/// Whose text to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextStyle {
    /// As `var2str` of Godot 3: `PoolByteArray( 1, 2 )`.
    Godot3,
    /// As `var_to_str` of Godot 4: `PackedByteArray(1, 2)`.
    Godot4,
    /// As `var2str` of Pandemonium up to v3.7: as Godot 3, `Quat( 0, 0, 0, 1 )` included.
    Pandemonium3,
    /// As `var2str` of Pandemonium v4.9 and 5.3: `Quaternion( 0, 0, 0, 1 )`, and bytes in base64.
    Pandemonium,
}

impl TextStyle {
    /// All of them.
    pub const ALL: &'static [Self] =
        &[Self::Godot3, Self::Godot4, Self::Pandemonium3, Self::Pandemonium];
}

impl From<Dialect> for TextStyle {
    /// The style that the engine of a dialect reads. That of Godot 2 is Godot 3's, but for names of types.
    fn from(dialect: Dialect) -> Self {
        match dialect.engine() {
            Dialect::Godot2 | Dialect::Godot3 => Self::Godot3,
            Dialect::Pandemonium3 => Self::Pandemonium3,
            Dialect::Pandemonium4 | Dialect::Pandemonium5 => Self::Pandemonium,
            _ => Self::Godot4,
        }
    }
}

/// How true to print.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NumberStyle {
    /// Numbers in the shortest form that reads back the same. Characters that steer a terminal or are not seen
    /// are escapes, as `\u202e`, which every engine reads.
    #[default]
    Exact,
    /// Byte for byte as the engines of the records print it: Godot 3.2.3, Godot 4.0 to 4.4, Pandemonium. Six
    /// significant digits, control characters as they are, and whatever else they lose; see [`to_text`].
    Engine,
}

/// How to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct TextOptions {
    style: TextStyle,
    numbers: NumberStyle,
    sorted_keys: bool,
    base64: bool,
}

impl TextOptions {
    /// In a style, with [`NumberStyle::Exact`] and keys in order of insertion.
    pub const fn new(style: TextStyle) -> Self {
        let base64 = style.of().base64;
        Self { style, numbers: NumberStyle::Exact, sorted_keys: false, base64 }
    }

    /// Prints numbers in this way.
    pub const fn numbers(mut self, numbers: NumberStyle) -> Self {
        self.numbers = numbers;
        self
    }

    /// Whether the keys of dictionaries are printed in the engine's order: by type, then by value, as
    /// docs/format.md, section 5 has it. An engine always prints them so. O(bytes of the keys * log keys).
    pub const fn sorted_keys(mut self, sorted_keys: bool) -> Self {
        self.sorted_keys = sorted_keys;
        self
    }

    /// Whether the bytes of a `PackedByteArray` are in base64: as a rule in [`TextStyle::Pandemonium`] alone.
    /// Godot 4.3 and later print that in scenes and resources, and read either way.
    pub const fn base64(mut self, base64: bool) -> Self {
        self.base64 = base64;
        self
    }

    const fn is_engine(self) -> bool {
        matches!(self.numbers, NumberStyle::Engine)
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

    /// Which keys of a dictionary are the same, and names of properties. The text does not say: `{"a": 1, &"a": 2}` is one pair
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
/// With [`NumberStyle::Exact`], [`from_text`] gives an equal value, in any style, except for what the text
/// has no words for:
///
/// - no object, and one by the id 0, is `null`, and reads as that;
/// - `Callable()` and `Signal()` say nothing of a signal's name and object;
/// - [`Variant::Image`] and [`Variant::InputEvent`] of Godot 2 are objects of these classes;
/// - bytes that are no UTF-8 are U+FFFD;
/// - a [`NodePath`](crate::NodePath) is its path: of names that are empty or hold `/` or `:` nothing
///   tells where they end, and the marks that only Godot 2 has are lost;
/// - the widths of numbers become those that the engine would pick: mathematical values in `f64` that
///   `f32` holds exactly are in `f32`, and a NaN is any NaN;
/// - which containers Godot 2 marked as shared.
///
/// An object by id is `Object(EncodedObjectAsID,"object_id":5)`, which the engines read as the object that stands
/// in for it. Line breaks and tabs of a [`Variant::String`] are printed as they are; whatever else steers a terminal
/// or is not seen is an escape (docs/format.md, section 5.5). Class names and types that would pass for something
/// else are in quotes, which only [`from_text`] reads; and so is the class of an object in full that would pass for
/// one by id. The engines before Godot 4 have no words for a RID: here it is `RID()` or `RID(5)` in every style.
///
/// With [`NumberStyle::Engine`] and sorted keys this is what the engine prints of what it reads, with its losses: six
/// digits of a number, the sign of zero, RIDs before Godot 4, `\a` and `\v` in names, which no engine reads. An object
/// in full of the class `EncodedObjectAsID` reads as one by id. It is for comparing and **raw**: control characters
/// reach a terminal. Unlike in the engine, objects have the properties that are there, not those of their class, and
/// a resource with a path is printed in full and not as `Resource("res://..")`.
pub fn to_text(value: &Variant, options: &TextOptions) -> String {
    let mut out = String::new();
    // Neither can fail: a `String` takes whatever is written.
    let _ = if options.sorted_keys {
        let mut printer = TextPrinter::new(&mut out, options.sorted_keys(false));
        InOrder { value, style: options.style.of() }.feed(&mut printer)
    } else {
        value.feed(&mut TextPrinter::new(&mut out, *options))
    };
    out
}

/// Writes the text of the value that a producer gives: of a document, a view, a [`Variant`], JSON or another text.
/// What [`to_text`] says applies; streams as [`TextPrinter`] does.
///
/// ```
/// use variant_owned::{TextOptions, TextStyle, write_text};
/// use variant_view::{Dialect, Document};
///
/// let bytes = [19, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]; // [null]
/// let mut out = String::new();
/// write_text(&Document::new(&bytes, Dialect::Godot3), &TextOptions::new(TextStyle::Godot3), &mut out)?;
/// assert_eq!(out, "[ null ]");
/// # Ok::<(), variant_view::FeedError<variant_view::Error, std::fmt::Error>>(())
/// ```
///
/// # Errors
/// The producer's, and those of `out`. What was written before stays written.
pub fn write_text<P: Producer>(
    producer: P,
    options: &TextOptions,
    out: &mut (impl fmt::Write + ?Sized),
) -> Result<(), FeedError<P::Error, fmt::Error>> {
    producer.feed(&mut TextPrinter::new(out, *options))
}

/// Writes the text of the value that a producer gives to a file or the like, unbuffered; see [`write_text`].
///
/// # Errors
/// As [`write_text`].
pub fn write_text_to<P: Producer>(
    producer: P,
    options: &TextOptions,
    out: &mut (impl io::Write + ?Sized),
) -> Result<(), FeedError<P::Error, io::Error>> {
    let mut out = Utf8 { out, error: None };
    write_text(producer, options, &mut out).map_err(|error| match error {
        FeedError::Producer(error) => FeedError::Producer(error),
        FeedError::Consumer(fmt::Error) => {
            FeedError::Consumer(out.error.unwrap_or_else(|| io::ErrorKind::Other.into()))
        }
    })
}

/// Text as bytes, and what went wrong with them.
struct Utf8<W> {
    out: W,
    error: Option<io::Error>,
}

impl<W: io::Write> fmt::Write for Utf8<W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
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
/// - `Object(EncodedObjectAsID,"object_id":5)` is an object by id, with or without a `"script":null` behind the id.
/// - `\a` and `\v` are the characters that the engines print so. Their parsers drop the backslash.
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
/// assert_eq!(error.to_string(), "line 2, column 12: expected `,` or `)`, found `;`");
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
    Variant::from_producer(TextSource::new(text).options(*options))
}

/// Reads the value that starts at byte `start` of a text, and says at which byte what follows it begins, space aside:
/// of several values, one behind the other. O(bytes of the value).
///
/// ```
/// use variant_owned::{ParseOptions, from_text_at};
///
/// let text = "[1, 2]\n\"three\"\n";
/// let (first, end) = from_text_at(text, 0, &ParseOptions::new())?;
/// let (second, end) = from_text_at(text, end, &ParseOptions::new())?;
/// assert_eq!((first[1].as_i64(), second.as_str()), (Some(2), Some("three")));
/// assert_eq!(end, text.len());
/// # Ok::<(), variant_owned::TextError>(())
/// ```
///
/// # Errors
/// As [`from_text`], but for what stands behind the value. Where `start` is no byte at which a character starts, there
/// is no value.
pub fn from_text_at(
    text: &str,
    start: usize,
    options: &ParseOptions,
) -> Result<(Variant, usize), TextError> {
    let mut collector = Collector::default();
    match TextSource::new(text).options(*options).starting_at(start).feed_first(&mut collector) {
        Ok(end) => Ok((collector.finish().unwrap_or_default(), end)),
        Err(FeedError::Producer(error)) => Err(error),
        Err(FeedError::Consumer(never)) => match never {},
    }
}
