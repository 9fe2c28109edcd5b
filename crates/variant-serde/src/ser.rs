//! Writing: a value of the program as events, for any [`Consumer`].

mod compound;
mod marked;
mod numbers;
mod only;
mod refuse;
mod texts;

use core::fmt::Display;

use serde::ser::Serialize;
use variant_view::{
    ArrayHead, Consumer, Dialect, DictionaryHead, FeedError, Head, Input, Kind, Leaf, Numbers,
    PathStep, Producer, ShortText, Width,
};

pub(crate) use self::compound::Compound;
use crate::error::Error;
use crate::mark::Mark;

type Result<T = (), E = Error> = core::result::Result<T, E>;

/// A value of the program as a [`Producer`]: it feeds any consumer, such as the writers of bytes, text and JSON.
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
        match write(self.value, self.dialect, consumer) {
            Ok(()) => Ok(()),
            Err((_, Some(refused))) => Err(FeedError::Consumer(refused)),
            Err((error, None)) => Err(FeedError::Producer(error)),
        }
    }

    fn input(&self) -> Input {
        Input { dialect: Some(self.dialect), ..Input::default() }
    }
}

/// Feeds a value to a consumer. An error has the path, and the consumer's error if it refused the value.
#[inline]
pub(crate) fn write<T: Serialize + ?Sized, C: Consumer>(
    value: &T,
    dialect: Dialect,
    consumer: &mut C,
) -> Result<(), (Error, Option<C::Error>)> {
    let mut writing = Serializer { consumer, dialect, refused: None };
    let outcome = value.serialize(&mut writing);
    match (outcome, writing.refused) {
        (Ok(()), None) => Ok(()),
        // A type may not hide an error of its parts.
        (Ok(()), refused @ Some(_)) => Err((error("a value that was refused"), refused)),
        (Err(error), refused) => Err((error, refused)),
    }
}

#[cold]
pub(crate) fn error(message: impl Display) -> Error {
    <Error as serde::ser::Error>::custom(message)
}

/// Feeds serde's calls to a consumer as events.
pub(crate) struct Serializer<'c, C: Consumer> {
    consumer: &'c mut C,
    dialect: Dialect,
    /// The consumer's error, which ended the value.
    refused: Option<C::Error>,
}

impl<C: Consumer> Serializer<'_, C> {
    #[cold]
    #[inline(never)]
    fn refuse(&mut self, refused: C::Error) -> Error {
        self.refused = Some(refused);
        error("refused")
    }

    // Passes on each event without a closure, in which the compiler would lose its knowledge of the event.

    #[inline(always)]
    fn leaf(&mut self, leaf: Leaf<'_>) -> Result {
        match self.consumer.leaf(leaf) {
            Ok(()) => Ok(()),
            Err(refused) => Err(self.refuse(refused)),
        }
    }

    #[inline(always)]
    fn int(&mut self, value: i64) -> Result {
        let width = if i32::try_from(value).is_ok() { Width::W32 } else { Width::W64 };
        self.leaf(Leaf::Int { value, width })
    }

    /// An integer of another type.
    #[inline(always)]
    fn other_int<I: TryInto<i64> + Display + Copy>(&mut self, value: I) -> Result {
        match value.try_into() {
            Ok(value) => self.int(value),
            Err(_) => Err(too_large(value)),
        }
    }

    /// A text that is likely to be short.
    #[inline(always)]
    fn text(&mut self, text: &str) -> Result {
        let bytes = text.as_bytes();
        let mut block = [0; ShortText::MAX];
        if let (Some(place), Ok(len)) = (block.get_mut(..bytes.len()), u8::try_from(bytes.len())) {
            place.copy_from_slice(bytes);
            if let Some(text) = ShortText::new(&block, len) {
                return match self.consumer.short_text(false, text) {
                    Ok(()) => Ok(()),
                    Err(refused) => Err(self.refuse(refused)),
                };
            }
        }
        self.leaf(Leaf::String(bytes))
    }

    #[inline(always)]
    fn enter(&mut self, head: Head<'_>) -> Result {
        match self.consumer.enter(head) {
            Ok(()) => Ok(()),
            Err(refused) => Err(self.refuse(refused)),
        }
    }

    #[inline]
    fn array(&mut self) -> Result {
        self.enter(Head::Array(ArrayHead::default()))
    }

    #[inline]
    fn dictionary(&mut self) -> Result {
        self.enter(Head::Dictionary(DictionaryHead::default()))
    }

    #[inline]
    fn exit(&mut self) -> Result {
        match self.consumer.exit() {
            Ok(()) => Ok(()),
            Err(refused) => Err(self.refuse(refused)),
        }
    }

    /// Opens the dictionary of one pair around the content of an enum's variant.
    fn variant(&mut self, variant: &str) -> Result {
        self.dictionary()?;
        self.text(variant)
    }
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

impl<'s, 'c, C: Consumer> serde::Serializer for &'s mut Serializer<'c, C> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'s, 'c, C>;
    type SerializeTuple = Compound<'s, 'c, C>;
    type SerializeTupleStruct = Compound<'s, 'c, C>;
    type SerializeTupleVariant = Compound<'s, 'c, C>;
    type SerializeMap = Compound<'s, 'c, C>;
    type SerializeStruct = Compound<'s, 'c, C>;
    type SerializeStructVariant = Compound<'s, 'c, C>;

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
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result {
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
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result {
        match Mark::read(name) {
            None => value.serialize(self),
            Some(mark) => self.marked(mark, value),
        }
    }

    #[inline]
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result {
        self.variant(variant)?;
        value.serialize(&mut *self).map_err(|error| error.below(PathStep::Name(variant)))?;
        self.exit()
    }

    // Lengths are not trusted: the consumer counts.
    #[inline]
    fn serialize_seq(self, _: Option<usize>) -> Result<Compound<'s, 'c, C>> {
        self.array()?;
        Ok(Compound::new(self))
    }

    #[inline]
    fn serialize_tuple(self, _: usize) -> Result<Compound<'s, 'c, C>> {
        self.serialize_seq(None)
    }

    #[inline]
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Compound<'s, 'c, C>> {
        self.serialize_seq(None)
    }

    #[inline]
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'s, 'c, C>> {
        self.variant(variant)?;
        self.array().map_err(|error| error.below(PathStep::Name(variant)))?;
        Ok(Compound::of_variant(self, variant))
    }

    #[inline]
    fn serialize_map(self, _: Option<usize>) -> Result<Compound<'s, 'c, C>> {
        self.dictionary()?;
        Ok(Compound::new(self))
    }

    #[inline]
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Compound<'s, 'c, C>> {
        self.serialize_map(None)
    }

    #[inline]
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'s, 'c, C>> {
        self.variant(variant)?;
        self.dictionary().map_err(|error| error.below(PathStep::Name(variant)))?;
        Ok(Compound::of_variant(self, variant))
    }

    // The same as for reading.
    fn is_human_readable(&self) -> bool {
        true
    }
}
