//! The text form of `var_to_str` and `str_to_var` (docs/spec/text.md).

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

use std::str::FromStr;
use std::{fmt, io};

use variant_view::{Dialect, FeedError, Producer};

use crate::event::Collector;
use crate::key::KeyRule;
use crate::variant::Variant;

pub use error::TextError;
pub use number::Shortest;
#[cfg(feature = "json")]
pub(crate) use number::Signed;
pub use printer::TextPrinter;
pub use source::TextSource;

/// The engine's class for objects by id.
const BY_ID: &str = "EncodedObjectAsID";

/// The text style, by engine.
///
/// ```
/// use variant_owned::{TextOptions, TextStyle, to_text};
///
/// let bytes = [1_u8, 2].into();
/// let print = |style| to_text(&bytes, &TextOptions::new(style));
/// assert_eq!(print(TextStyle::Godot3), "PoolByteArray( 1, 2 )");
/// assert_eq!(print(TextStyle::Godot4), "PackedByteArray(1, 2)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextStyle {
    /// `var2str` of Godot 3: `PoolByteArray( 1, 2 )`.
    Godot3,
    /// `var_to_str` of Godot 4: `PackedByteArray(1, 2)`.
    Godot4,
    /// `var2str` of Pandemonium up to v3.7: like Godot 3, `Quat( 0, 0, 0, 1 )` included.
    Pandemonium3,
    /// `var2str` of Pandemonium v4.9 and 5.3: `Quaternion( 0, 0, 0, 1 )`, and bytes in base64.
    Pandemonium,
}

impl TextStyle {
    /// All styles.
    pub const ALL: &'static [Self] =
        &[Self::Godot3, Self::Godot4, Self::Pandemonium3, Self::Pandemonium];
}

impl From<Dialect> for TextStyle {
    /// The style that the dialect's engine reads. Godot 2 has no style here. It gets the style of Godot 3, although
    /// Godot 2 does not know all names of types in that style.
    fn from(dialect: Dialect) -> Self {
        match dialect.engine() {
            Dialect::Godot2 | Dialect::Godot3 => Self::Godot3,
            Dialect::Pandemonium3 => Self::Pandemonium3,
            Dialect::Pandemonium4 | Dialect::Pandemonium5 => Self::Pandemonium,
            _ => Self::Godot4,
        }
    }
}

/// The precision and escapes of printed numbers and texts.
///
/// ```
/// use variant_owned::{NumberStyle, TextOptions, TextStyle, to_text};
///
/// let exact = TextOptions::new(TextStyle::Godot3);
/// let engine = exact.numbers(NumberStyle::Engine); // six significant digits
/// assert_eq!(to_text(&0.123456789.into(), &exact), "0.123456789");
/// assert_eq!(to_text(&0.123456789.into(), &engine), "0.123457");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NumberStyle {
    /// Numbers in the shortest form that reads back exactly. Control characters and invisible characters are escaped,
    /// such as `\u202e`. Every engine reads these escapes.
    #[default]
    Exact,
    /// Byte for byte as the tested engines print: Godot 3.2.3, Godot 4.0 to 4.4, Pandemonium. The text has six
    /// significant digits, raw control characters, and all losses of the engines; see [`to_text`].
    Engine,
}

/// The options for printing values.
///
/// ```
/// use variant_owned::{TextOptions, TextStyle, dictionary, to_text};
///
/// let ages = dictionary! { "Ib" => 5, "Bo" => 7 }.into();
/// let sorted = TextOptions::new(TextStyle::Godot4).sorted_keys(true); // as by engines
/// assert_eq!(to_text(&ages, &sorted), "{\n\"Bo\": 7,\n\"Ib\": 5\n}");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct TextOptions {
    style: TextStyle,
    numbers: NumberStyle,
    sorted_keys: bool,
    base64: bool,
}

impl TextOptions {
    /// Options for `style` with [`NumberStyle::Exact`] and keys in insertion order.
    pub const fn new(style: TextStyle) -> Self {
        let base64 = style.of().base64;
        Self { style, numbers: NumberStyle::Exact, sorted_keys: false, base64 }
    }

    /// Sets how numbers and text are printed.
    pub const fn numbers(mut self, numbers: NumberStyle) -> Self {
        self.numbers = numbers;
        self
    }

    /// Sets whether dictionary keys are sorted as by the engine: by type, then by value
    /// (docs/spec/text.md#order-of-keys). Engines always sort. O(bytes of the keys * log keys).
    pub const fn sorted_keys(mut self, sorted_keys: bool) -> Self {
        self.sorted_keys = sorted_keys;
        self
    }

    /// Sets whether the bytes of a `PackedByteArray` are base64. The default is base64 only in
    /// [`TextStyle::Pandemonium`]. Godot 4.3 and later print base64 in scenes and resources, and read both forms.
    pub const fn base64(mut self, base64: bool) -> Self {
        self.base64 = base64;
        self
    }

    const fn is_engine(self) -> bool {
        matches!(self.numbers, NumberStyle::Engine)
    }
}

/// The options for reading values.
///
/// ```
/// use variant_owned::{ParseOptions, from_text_with};
///
/// let options = ParseOptions::new().depth(2);
/// assert!(from_text_with("[[1]]", &options).is_ok());
/// assert!(from_text_with("[[[1]]]", &options).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct ParseOptions {
    depth: usize,
    key_rule: KeyRule,
}

impl ParseOptions {
    /// Options with at most 1,024 nested containers and Godot 4's rule for keys.
    pub const fn new() -> Self {
        Self { depth: 1_024, key_rule: KeyRule::GODOT_4 }
    }

    /// Sets the greatest number of nested containers. Depth costs memory, not stack.
    pub const fn depth(mut self, depth: usize) -> Self {
        self.depth = depth;
        self
    }

    /// Sets the rule for equal dictionary keys and property names. The text does not contain the rule: `{"a": 1, &"a":
    /// 2}` is one pair in Godot 4 and two in other engines.
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

/// Prints a value. O(bytes of the text), plus the sorting of keys; no recursion.
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
/// With [`NumberStyle::Exact`], [`from_text`] reads back an equal value, in any style, with these exceptions:
///
/// - a null object, also one with id 0, becomes `null`;
/// - a signal loses its name and object: it is printed as `Signal()`;
/// - bytes that are not UTF-8 become U+FFFD;
/// - a [`NodePath`](crate::NodePath) is printed as its path, without the flags of Godot 2, and without the boundaries
///   of names that are empty or contain `/` or `:`;
/// - number widths become the widths that the engine would pick: `f64` reals that `f32` holds exactly become `f32`, and
///   NaNs lose sign and payload;
/// - the shared flag of Godot 2's containers is lost.
///
/// [`Variant::Image`] and [`Variant::InputEvent`] of Godot 2 have a form of this project, which no engine reads:
/// `Image("format":0,"mipmaps":0,"width":1,"height":1,"data":PackedByteArray(255))` and
/// `InputEvent("event":1,"device":0,"payload":PackedByteArray())`.
///
/// An object by id is printed as `Object(EncodedObjectAsID,"object_id":5)`, which engines read as an object of that
/// class. Line breaks and tabs of a [`Variant::String`] are printed as they are; other control characters and invisible
/// ones are escaped (docs/dev/choices.md#text-form). Ambiguous class and type names are quoted, and so is the class of
/// a full object whose text would otherwise read as an object by id. Only [`from_text`] reads names in quotes. A RID is
/// `RID()` or `RID(5)` in every style, though engines before Godot 4 cannot read it.
///
/// With [`NumberStyle::Engine`] and sorted keys, the text is equal to the text that the engine prints after reading the
/// value. The losses are those of the engine: digits after the sixth, the sign of zero, RIDs before Godot 4, and `\a`
/// and `\v` in names. Engines do not read these escapes. A full object of class `EncodedObjectAsID` reads as an object
/// by id. This style is for comparisons and is **raw**: control characters reach the terminal. Two differences from the
/// engine remain. An object has its stored properties, not those of its class. A resource with a path is printed in
/// full instead of as `Resource("res://..")`.
///
/// Sorted keys take memory for a copy of the outermost dictionary while it is printed.
#[doc(alias("var_to_str", "var2str"))]
pub fn to_text(value: &Variant, options: &TextOptions) -> String {
    let mut out = String::new();
    // Writing to a `String` cannot fail.
    let _ = write_text(value, options, &mut out);
    out
}

/// Writes the text of a producer's value: a document, a view, a [`Variant`], JSON or another text. The rules of
/// [`to_text`] apply. Streams like [`TextPrinter`]. O(bytes).
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
/// Errors of the producer and of `out`. The text before an error has been written.
pub fn write_text<P: Producer>(
    producer: P,
    options: &TextOptions,
    out: &mut (impl fmt::Write + ?Sized),
) -> Result<(), FeedError<P::Error, fmt::Error>> {
    producer.feed(&mut TextPrinter::new(out, *options))
}

/// [`write_text`] to an [`io::Write`](std::io::Write), unbuffered. O(bytes).
///
/// ```
/// use variant_owned::{TextOptions, TextStyle, Variant, array, write_text_to};
///
/// let mut file = Vec::new(); // or a `BufWriter`
/// write_text_to(&Variant::from(array![1, 2]), &TextOptions::new(TextStyle::Godot4), &mut file)?;
/// assert_eq!(file, b"[1, 2]");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// Those of [`write_text`].
pub fn write_text_to<P: Producer>(
    producer: P,
    options: &TextOptions,
    out: &mut (impl io::Write + ?Sized),
) -> Result<(), FeedError<P::Error, io::Error>> {
    let mut out = Utf8 { out, error: None };
    write_text(producer, options, &mut out).map_err(|error| {
        error.either(FeedError::Producer, |fmt::Error| {
            FeedError::Consumer(out.error.unwrap_or_else(|| io::ErrorKind::Other.into()))
        })
    })
}

/// Adapts an [`io::Write`] to [`fmt::Write`], and keeps its error.
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

/// Parses a value in the style of any engine. O(bytes). Memory grows with the text.
///
/// In addition to the output of engines, this function accepts `nil`, hexadecimal integers (`0xff`), `^"path"` for node
/// paths, the names of Godot 2 (`IntArray`, `Matrix3`), and a trailing comma.
///
/// - A number without `.` and `e` is an int. Inside a constructor of reals, as in `Vector2(1, 0.5)`, it is a real.
/// - Reals of mathematical values are `f64` if one of the numbers has more than nine digits and is not equal to an
///   `f32`. Otherwise each real is the nearest `f32`.
/// - `[ , 1 ]`, which engines before Godot 4 print for an array with a RID, is an error.
/// - `Resource("res://icon.png")` is an object of class `Resource` with that `resource_path`. `Resource("uid://b7",
///   "res://icon.png")` of Godot 4.6 is the same object, since the engine finds the file by either text.
/// - `Object(EncodedObjectAsID,"object_id":5)` is an object by id, with or without `"script":null` after
///   the id.
/// - `\a` and `\v` are the characters that engines print this way. The engines' parsers drop the backslash.
///
/// # Errors
/// [`TextError`] if the text is not one value, nests more than 1,024 containers, or has a number that does
/// not fit its type.
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
#[doc(alias("str_to_var", "str2var"))]
pub fn from_text(text: &str) -> Result<Variant, TextError> {
    from_text_with(text, &ParseOptions::new())
}

/// [`from_text`] with options: the limit of depth and the key rule. O(bytes of the text).
///
/// # Errors
/// Those of [`from_text`].
pub fn from_text_with(text: &str, options: &ParseOptions) -> Result<Variant, TextError> {
    Variant::from_producer(TextSource::new(text).options(*options))
}

/// Parses the value at byte `start` of a text; returns the value, and the offset of the text after the value and
/// whitespace. A loop over this function parses consecutive values. O(bytes of the value).
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
/// Those of [`from_text`], except that text may follow the value. A `start` that is not a character boundary is also an
/// error.
pub fn from_text_at(
    text: &str,
    start: usize,
    options: &ParseOptions,
) -> Result<(Variant, usize), TextError> {
    let mut collector = Collector::default();
    let source = TextSource::new(text).options(*options).starting_at(start);
    let end = source.feed_first(&mut collector);
    let end = end.map_err(|error| error.either(|error| error, |never| match never {}))?;
    Ok((collector.finish().unwrap_or_default(), end))
}

impl fmt::Display for Variant {
    /// The notation of Godot 4's scripts: [`to_text`](crate::to_text) with the default options. O(bytes of the text).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_text(self, &TextOptions::new(TextStyle::Godot4), f).map_err(|_| fmt::Error)
    }
}

impl FromStr for Variant {
    type Err = TextError;

    /// Parses the notation of scripts, as [`from_text`] does, with the same errors. O(bytes).
    fn from_str(text: &str) -> Result<Self, TextError> {
        from_text(text)
    }
}
