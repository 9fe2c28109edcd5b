//! Writes a value of the program to a [`Target`].

mod compound;
mod marked;
mod numbers;
mod only;
mod refuse;
mod target;
mod texts;

use core::fmt::Display;

use serde::ser::Serialize;
use variant_view::{
    ArrayHead, Consumer, Dialect, DictionaryHead, FeedError, Head, Input, Kind, Leaf, Numbers,
    PathStep, Producer, Width,
};

pub(crate) use self::compound::Compound;
pub(crate) use self::target::{Events, Target};
use crate::error::Error;
use crate::mark::Mark;

type Result<T = (), E = Error> = core::result::Result<T, E>;

/// A Rust value as a [`Producer`]. A producer feeds any consumer, such as a writer of bytes, text or JSON.
///
/// ```
/// use variant_owned::{TextOptions, to_text};
/// use variant_serde::Source;
/// use variant_view::Dialect;
///
/// #[derive(serde::Serialize)]
/// struct Hit {
///     by: &'static str,
///     damage: i32,
/// }
///
/// let hit = Hit { by: "axe", damage: 7 };
/// let value = variant_owned::Variant::from_producer(Source::new(&hit, Dialect::Godot4))?;
/// assert_eq!(value["damage"], 7);
/// # Ok::<(), variant_serde::Error>(())
/// ```
#[derive(Debug)]
pub struct Source<'t, T: ?Sized> {
    value: &'t T,
    dialect: Dialect,
}

impl<'t, T: Serialize + ?Sized> Source<'t, T> {
    /// `value` for a consumer of `dialect`. O(1).
    pub const fn new(value: &'t T, dialect: Dialect) -> Self {
        Self { value, dialect }
    }
}

impl<T: Serialize + ?Sized> Producer for Source<'_, T> {
    type Error = Error;

    fn feed<C: Consumer>(self, consumer: &mut C) -> Result<(), FeedError<Error, C::Error>> {
        match write(self.value, self.dialect, Events(consumer)) {
            Ok(_) => Ok(()),
            Err((_, Some(refused))) => Err(FeedError::Consumer(refused)),
            Err((error, None)) => Err(FeedError::Producer(error)),
        }
    }

    fn input(&self) -> Input {
        Input { dialect: Some(self.dialect), ..Input::default() }
    }
}

/// Writes a value to a target, and returns the target. An error has the path, and the target's error if the target
/// refused the value.
#[inline]
pub(crate) fn write<V: Serialize + ?Sized, T: Target>(
    value: &V,
    dialect: Dialect,
    target: T,
) -> Result<T, (Error, Option<T::Refused>)> {
    let mut writing = Serializer { target, dialect, refused: None, is_broken: false };
    let outcome = value.serialize(&mut writing);
    match (outcome, writing.refused) {
        (Ok(()), None) if writing.is_broken => {
            Err((error("a value with a part that failed"), None))
        }
        (Ok(()), None) => Ok(writing.target),
        // The target refused a part, but the type ignored this error. The error is returned here.
        (Ok(()), refused @ Some(_)) => Err((error("a value that was refused"), refused)),
        (Err(error), refused) => Err((error, refused)),
    }
}

#[cold]
pub(crate) fn error(message: impl Display) -> Error {
    <Error as serde::ser::Error>::custom(message)
}

/// Passes serde's calls to a target.
pub(crate) struct Serializer<T: Target> {
    target: T,
    dialect: Dialect,
    /// The target's error, which ended the writing.
    refused: Option<T::Refused>,
    /// Whether a value failed, and the target may have kept a part of it.
    is_broken: bool,
}

/// Forwards an event. This is a macro, because in a function the compiler would not know which event is forwarded.
macro_rules! forward {
    ($own:ident.$event:ident($($part:expr),*)) => {
        match $own.target.$event($($part),*) {
            Ok(done) => Ok(done),
            Err(refused) => Err($own.refuse(refused)),
        }
    };
}

impl<T: Target> Serializer<T> {
    #[cold]
    #[inline(never)]
    fn refuse(&mut self, refused: T::Refused) -> Error {
        self.refused = Some(refused);
        error("refused")
    }

    #[inline(always)]
    fn leaf(&mut self, leaf: Leaf<'_>) -> Result {
        forward!(self.leaf(leaf))
    }

    #[inline(always)]
    fn int(&mut self, value: i64) -> Result {
        forward!(self.int(value))
    }

    /// Writes an integer of a type other than `i64`.
    #[inline(always)]
    fn other_int<I: TryInto<i64> + Display + Copy>(&mut self, value: I) -> Result {
        match value.try_into() {
            Ok(value) => self.int(value),
            Err(_) => Err(too_large(value)),
        }
    }

    /// Writes a text that is likely to be short.
    #[inline(always)]
    fn text(&mut self, text: &str) -> Result {
        let Some(words) = words(text.as_bytes()) else {
            return self.leaf(Leaf::String(text.as_bytes()));
        };
        forward!(self.short_text(words, text.len()))
    }

    #[inline(always)]
    fn enter(&mut self, head: Head<'_>) -> Result<T::Open> {
        forward!(self.enter(head))
    }

    #[inline]
    fn array(&mut self) -> Result<T::Open> {
        self.enter(Head::Array(ArrayHead::default()))
    }

    #[inline]
    fn dictionary(&mut self) -> Result<T::Open> {
        self.enter(Head::Dictionary(DictionaryHead::default()))
    }

    #[inline]
    fn exit(&mut self, open: T::Open, count: usize) -> Result {
        forward!(self.exit(open, count))
    }

    /// Opens the dictionary of one pair around the content of an enum's variant.
    fn variant(&mut self, variant: &str) -> Result<T::Open> {
        let open = self.dictionary()?;
        self.text(variant)?;
        Ok(open)
    }
}

/// `text` as words of 8 bytes, filled up with zeroes. `None` unless the text is ASCII of at most 24 bytes. The compiler
/// computes the words of a literal.
#[inline(always)]
fn words(text: &[u8]) -> Option<[u64; 3]> {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let mut block = [[0; 8]; 3];
    match overlapping(text) {
        Some(words) => *block.as_flattened_mut().first_chunk_mut()? = words.to_le_bytes(),
        None => block.as_flattened_mut().get_mut(..text.len())?.copy_from_slice(text),
    }
    let words = block.map(u64::from_le_bytes);
    let [first, second, third] = words;
    ((first | second | third) & HIGH == 0).then_some(words)
}

/// A text of 4 to 16 bytes, filled up with zeroes. Two reads that overlap cover the text.
#[inline(always)]
fn overlapping(text: &[u8]) -> Option<u128> {
    let (start, end, bits) = if let Some(start) = text.first_chunk() {
        (u64::from_le_bytes(*start), u64::from_le_bytes(*text.last_chunk()?), 64)
    } else {
        let (start, end) = (text.first_chunk()?, text.last_chunk()?);
        (u32::from_le_bytes(*start).into(), u32::from_le_bytes(*end).into(), 32)
    };
    let shift = u32::try_from(text.len().checked_mul(8)?).ok()?.checked_sub(bits)?;
    (shift <= 64).then(|| u128::from(start) | u128::from(end) << shift)
}

#[cold]
#[inline(never)]
fn too_large(value: impl Display) -> Error {
    error(format_args!(
        "{value} is not between {} and {}, which is all that an int holds",
        i64::MIN,
        i64::MAX
    ))
}

macro_rules! ints {
    ($($method:ident: $type:ty)*) => {$(
        #[inline]
        fn $method(self, value: $type) -> Result {
            self.int(value.into())
        }
    )*};
}

impl<'s, T: Target> serde::Serializer for &'s mut Serializer<T> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'s, T>;
    type SerializeTuple = Compound<'s, T>;
    type SerializeTupleStruct = Compound<'s, T>;
    type SerializeTupleVariant = Compound<'s, T>;
    type SerializeMap = Compound<'s, T>;
    type SerializeStruct = Compound<'s, T>;
    type SerializeStructVariant = Compound<'s, T>;

    #[inline]
    fn serialize_bool(self, value: bool) -> Result {
        self.leaf(Leaf::Bool(value))
    }

    ints! {
        serialize_i8: i8 serialize_i16: i16 serialize_i32: i32 serialize_i64: i64
        serialize_u8: u8 serialize_u16: u16 serialize_u32: u32
    }

    #[inline]
    fn serialize_u64(self, value: u64) -> Result {
        self.other_int(value)
    }

    #[inline]
    fn serialize_i128(self, value: i128) -> Result {
        self.other_int(value)
    }

    #[inline]
    fn serialize_u128(self, value: u128) -> Result {
        self.other_int(value)
    }

    #[inline]
    fn serialize_f32(self, value: f32) -> Result {
        self.leaf(Leaf::Float { bits: value.to_bits().into(), width: Width::W32 })
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Result {
        self.leaf(Leaf::Float { bits: value.to_bits(), width: Width::W64 })
    }

    #[inline]
    fn serialize_char(self, value: char) -> Result {
        self.text(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result {
        self.text(value)
    }

    #[inline]
    fn serialize_bytes(self, value: &[u8]) -> Result {
        match Numbers::from_wire(Kind::PackedByteArray, Width::W32, value) {
            Some(numbers) => self.leaf(Leaf::Numbers(numbers)),
            None => Ok(()),
        }
    }

    #[inline]
    fn serialize_none(self) -> Result {
        self.leaf(Leaf::Nil)
    }

    #[inline]
    fn serialize_some<V: Serialize + ?Sized>(self, value: &V) -> Result {
        value.serialize(self)
    }

    #[inline]
    fn serialize_unit(self) -> Result {
        self.leaf(Leaf::Nil)
    }

    #[inline]
    fn serialize_unit_struct(self, _: &'static str) -> Result {
        self.leaf(Leaf::Nil)
    }

    #[inline]
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result {
        self.text(variant)
    }

    #[inline(always)]
    fn serialize_newtype_struct<V: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &V,
    ) -> Result {
        match Mark::read(name) {
            None => value.serialize(self),
            Some(mark) => self.marked(mark, value),
        }
    }

    #[inline]
    fn serialize_newtype_variant<V: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &V,
    ) -> Result {
        let open = self.variant(variant)?;
        value.serialize(&mut *self).map_err(|error| error.below(PathStep::Name(variant)))?;
        self.exit(open, 1)
    }

    // The announced length is not trusted: elements are counted when they are written.
    #[inline]
    fn serialize_seq(self, _: Option<usize>) -> Result<Compound<'s, T>> {
        let open = self.array()?;
        Ok(Compound::new(self, open))
    }

    #[inline]
    fn serialize_tuple(self, _: usize) -> Result<Compound<'s, T>> {
        self.serialize_seq(None)
    }

    #[inline]
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Compound<'s, T>> {
        self.serialize_seq(None)
    }

    #[inline]
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'s, T>> {
        let outer = self.variant(variant)?;
        let open = self.array().map_err(|error| error.below(PathStep::Name(variant)))?;
        Ok(Compound::of_variant(self, open, (variant, outer)))
    }

    #[inline]
    fn serialize_map(self, _: Option<usize>) -> Result<Compound<'s, T>> {
        let open = self.dictionary()?;
        Ok(Compound::new(self, open))
    }

    #[inline]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Compound<'s, T>> {
        self.serialize_map(None)
    }

    #[inline]
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'s, T>> {
        let outer = self.variant(variant)?;
        let open = self.dictionary().map_err(|error| error.below(PathStep::Name(variant)))?;
        Ok(Compound::of_variant(self, open, (variant, outer)))
    }

    // Types use their human-readable form, as in the deserializer.
    fn is_human_readable(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use std::vec;
    use std::vec::Vec;

    use super::*;

    #[test]
    fn short_ascii_fills_words_at_any_length() {
        for len in 0..=24 {
            let mut text: Vec<u8> = (b'a'..).take(len).collect();
            let found = words(&text).unwrap().map(u64::to_le_bytes);
            let (start, rest) = found.as_flattened().split_at(len);
            assert_eq!(start, text);
            assert!(rest.iter().all(|&byte| byte == 0), "{len}");
            for at in 0..len {
                let letter = core::mem::replace(&mut text[at], 0xc3);
                assert!(words(&text).is_none(), "{len} {at}");
                text[at] = letter;
            }
        }
        assert!(words(&[b'a'; 25]).is_none());
    }

    /// Bytes at the same place of several words do not cancel each other out.
    #[test]
    fn two_bytes_beyond_ascii_fill_no_words() {
        for len in 0..=24 {
            for (one, other) in (0..len).flat_map(|at| (0..at).map(move |before| (before, at))) {
                let mut text = vec![b'a'; len];
                (text[one], text[other]) = (0xc3, 0xc3);
                assert!(words(&text).is_none(), "{len}: {one} and {other}");
            }
        }
    }

    #[test]
    fn two_reads_cover_a_text_of_4_to_16_bytes() {
        for len in 0..=24 {
            let text: Vec<u8> = (b'a'..).take(len).collect();
            let found = overlapping(&text).map(|words| words.to_le_bytes()[..len].to_vec());
            assert_eq!(found, (4..=16).contains(&len).then_some(text));
        }
    }
}
