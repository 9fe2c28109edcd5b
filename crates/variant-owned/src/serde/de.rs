//! `&Variant` as a deserializer: any type from an owned value, without encoding it.
//!
//! The mapping is that of `variant_serde::from_slice`; a test of that crate compares both.

/// Writes the `Deserializer` methods for wrappers of one value, such as `Option`. That value is read from `self`.
macro_rules! wrappers_pass {
    () => {
        fn deserialize_option<V: Visitor<'de>>(
            self,
            visitor: V,
        ) -> std::result::Result<V::Value, Self::Error> {
            visitor.visit_some(self)
        }

        fn deserialize_newtype_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            visitor: V,
        ) -> std::result::Result<V::Value, Self::Error> {
            visitor.visit_newtype_struct(self)
        }
    };
}

mod containers;
mod fields;
mod math;
mod number;

use std::any::type_name;
use std::borrow::Cow;
use std::cell::RefCell;

use serde_core::de::value::{BorrowedStrDeserializer, StringDeserializer};
use serde_core::de::{Deserializer, IntoDeserializer, Visitor};
use variant_view::{Kind, Leaf, Number, Numbers};

use self::containers::{Class, OnePair, Pairs, Sequence, inside};
use self::fields::{Field, text, visit_fields};
use self::math::{Math, elements};
use self::number::NumberDeserializer;
use super::MAX_DEPTH;
use super::error::{DeserializeError, DeserializeErrorKind};
use super::read::{RAW, VARIANT};
use crate::leaf::{NodePath, path_bytes};
use crate::object::Object;
use crate::variant::Variant;

type Result<T> = std::result::Result<T, DeserializeError>;

/// The name of the newtype by which `variant_serde::Packed` requests the bytes of a packed array.
const PACKED_VIEW: &str = "$variant::PackedView";

thread_local! {
    /// The value for a field of type [`Variant`]. It is passed in this variable, because serde's visitors have no
    /// method that takes a whole [`Variant`].
    static HANDED: RefCell<Option<Variant>> = const { RefCell::new(None) };
}

/// Whether `D` is the deserializer of an owned value, or wraps it.
pub(super) fn is_own<D>() -> bool {
    let name = type_name::<D>();
    name == type_name::<&Variant>() || name.contains(type_name::<Value<'_>>())
}

/// Takes the value in `HANDED`, if there is a value.
pub(super) fn handed() -> Option<Variant> {
    HANDED.with_borrow_mut(Option::take)
}

/// A value, with the number of levels that may still be entered.
#[derive(Clone, Copy)]
pub(super) struct Value<'de> {
    value: &'de Variant,
    room: u32,
}

impl<'de> Value<'de> {
    const fn new(value: &'de Variant) -> Self {
        Self { value, room: MAX_DEPTH }
    }

    fn placed<T>(self, outcome: Result<T>) -> Result<T> {
        outcome.map_err(|error| error.of(self.value.kind()))
    }

    fn wrong_kind<T>(self, visitor: &impl Visitor<'de>) -> Result<T> {
        Err(DeserializeError::wrong_kind(visitor, self.value.kind()))
    }

    fn is_nil(self) -> bool {
        match self.value {
            Variant::Nil => true,
            Variant::Object(object) => matches!(**object, Object::Null),
            _ => false,
        }
    }

    fn number(self) -> Option<NumberDeserializer> {
        let number = match self.value {
            Variant::Int(int) => Number::Int(int.value()),
            Variant::Float(float) => Number::from(float.value()),
            _ => return None,
        };
        Some(NumberDeserializer(number))
    }

    /// Text as text; a node path as the engine prints it.
    fn string(self) -> Result<Option<Cow<'de, str>>> {
        Ok(Some(match self.value {
            Variant::String(own) | Variant::StringName(own) => text(own)?.into(),
            Variant::NodePath(path) => match &**path {
                NodePath { names, subnames, is_absolute: false, plain: None, .. }
                    if subnames.is_empty() && names.len() == 1 =>
                {
                    names.first().map_or(Ok(""), text)?.into()
                }
                _ => self.value.with_leaf(|leaf| match leaf {
                    Leaf::NodePath(path) => {
                        String::from_utf8_lossy(&path_bytes(path)).into_owned().into()
                    }
                    _ => Cow::Borrowed(""),
                }),
            },
            _ => return Ok(None),
        }))
    }

    /// Passes a value that is made of numbers to `take`; returns the visitor for other values.
    fn numbers<V: Visitor<'de>>(
        self,
        visitor: V,
        take: impl FnOnce(Numbers<'_>, V) -> Result<V::Value>,
    ) -> std::result::Result<Result<V::Value>, V> {
        self.value.with_leaf(|leaf| match leaf {
            Leaf::Numbers(numbers) => Ok(take(numbers, visitor)),
            _ => Err(visitor),
        })
    }

    fn any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if let Some(number) = self.number() {
            return number.deserialize_any(visitor);
        }
        match self.value {
            _ if self.is_nil() => visitor.visit_unit(),
            Variant::Callable => visitor.visit_unit(),
            Variant::Bool(value) => visitor.visit_bool(*value),
            Variant::Rid(id) => visitor.visit_u64(*id),
            Variant::String(_) | Variant::StringName(_) | Variant::NodePath(_) => {
                self.text(visitor)
            }
            Variant::Dictionary(_)
            | Variant::Object(_)
            | Variant::Signal(_)
            | Variant::Image(_)
            | Variant::InputEvent(_) => self.map(None, visitor),
            _ => {
                let outcome = self.numbers(visitor, |numbers, visitor| {
                    if numbers.shape().is_packed {
                        elements(numbers).visit(None, visitor)
                    } else {
                        Math::new(numbers).any(visitor)
                    }
                });
                outcome.unwrap_or_else(|visitor| self.seq(None, visitor))
            }
        }
    }

    fn text<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.string()? {
            Some(Cow::Borrowed(text)) => visitor.visit_borrowed_str(text),
            Some(Cow::Owned(text)) => visitor.visit_string(text),
            None => self.wrong_kind(&visitor),
        }
    }

    /// Reads a sequence. `wanted` is the number of elements that the type takes, if known.
    fn seq<V: Visitor<'de>>(self, wanted: Option<usize>, visitor: V) -> Result<V::Value> {
        if let Some(array) = self.value.as_array() {
            let room = inside(self)?;
            let elements = array.iter().map(|value| Value { value, room });
            return Sequence::new(elements).visit(None, visitor);
        }
        if let Variant::PackedStringArray(texts) = self.value {
            return Sequence::new(texts.iter()).visit(wanted, visitor);
        }
        let outcome = self.numbers(visitor, |numbers, visitor| {
            if numbers.shape().is_packed {
                elements(numbers).visit(wanted, visitor)
            } else {
                Math::new(numbers).seq(wanted, visitor)
            }
        });
        outcome.unwrap_or_else(|visitor| self.wrong_kind(&visitor))
    }

    /// Reads a map. If the type is a struct, `fields` are its fields, and keys are read as names of fields.
    fn map<V: Visitor<'de>>(
        self,
        fields: Option<&'static [&'static str]>,
        visitor: V,
    ) -> Result<V::Value> {
        match self.value {
            Variant::Dictionary(dictionary) => {
                visitor.visit_map(Pairs::new(dictionary, fields, self)?)
            }
            Variant::Object(object) => match &**object {
                Object::Full { class, properties } => {
                    visitor.visit_map(Class::new(class, properties, fields, self)?)
                }
                Object::Id(id) => visit_fields(&[("@id", Field::Int(*id))], visitor),
                Object::Null => self.wrong_kind(&visitor),
            },
            Variant::Signal(signal) => {
                let (name, id) = (Field::Text(text(&signal.name)?), Field::Int(signal.object_id));
                visit_fields(&[("signal", name), ("object_id", id)], visitor)
            }
            Variant::Image(image) => {
                let fields = [
                    ("format", Field::Int(image.format.into())),
                    ("mipmaps", Field::Int(image.mipmaps.into())),
                    ("width", Field::Int(image.width.into())),
                    ("height", Field::Int(image.height.into())),
                    ("data", Field::Bytes(&image.data)),
                ];
                visit_fields(&fields, visitor)
            }
            Variant::InputEvent(event) => {
                let fields = [
                    ("event", Field::Int(event.event.into())),
                    ("device", Field::Int(event.device.into())),
                    ("data", Field::Bytes(&event.payload)),
                ];
                visit_fields(&fields, visitor)
            }
            _ => self.math_map(fields, visitor),
        }
    }

    fn math_map<V: Visitor<'de>>(
        self,
        fields: Option<&'static [&'static str]>,
        visitor: V,
    ) -> Result<V::Value> {
        let outcome = self.numbers(visitor, |numbers, visitor| {
            if numbers.shape().is_packed {
                return self.wrong_kind(&visitor);
            }
            Math::new(numbers).record(fields, visitor)
        });
        outcome.unwrap_or_else(|visitor| self.wrong_kind(&visitor))
    }

    fn bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.value {
            Variant::PackedByteArray(bytes) => visitor.visit_borrowed_bytes(bytes),
            Variant::String(text) | Variant::StringName(text) => {
                visitor.visit_borrowed_bytes(text.as_bytes())
            }
            value if value.as_array().is_some() => self.wrong_kind(&visitor),
            _ => self.seq(None, visitor),
        }
    }

    fn enumeration<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if let Variant::Dictionary(dictionary) = self.value {
            return visitor.visit_enum(OnePair::new(dictionary, self)?);
        }
        match self.string()? {
            Some(Cow::Borrowed(text)) => visitor.visit_enum(BorrowedStrDeserializer::new(text)),
            Some(Cow::Owned(text)) => visitor.visit_enum(StringDeserializer::new(text)),
            None => self.wrong_kind(&visitor),
        }
    }

    fn newtype<V: Visitor<'de>>(self, name: &str, visitor: V) -> Result<V::Value> {
        match name {
            VARIANT => {
                HANDED.set(Some(self.value.clone()));
                let outcome = visitor.visit_newtype_struct(self);
                HANDED.set(None);
                outcome
            }
            RAW | PACKED_VIEW => Err(DeserializeError::new(
                DeserializeErrorKind::Message,
                "an owned value has no bytes to borrow: take a Variant, or a Vec",
            )),
            _ => visitor.visit_newtype_struct(self),
        }
    }
}

macro_rules! numbers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.placed(match (self.number(), self.value) {
                (Some(number), _) => number.$method(visitor),
                (None, Variant::Rid(id)) if !stringify!($method).contains("_f") => visitor.visit_u64(*id),
                _ => self.wrong_kind(&visitor),
            })
        }
    )*};
}

macro_rules! by {
    ($($method:ident($($name:ident: $type:ty),*) = |$self:ident, $visitor:ident| $outcome:expr;)*) => {$(
        fn $method<V: Visitor<'de>>(self, $($name: $type,)* $visitor: V) -> Result<V::Value> {
            let $self = self;
            self.placed($outcome)
        }
    )*};
}

impl<'de> Deserializer<'de> for Value<'de> {
    type Error = DeserializeError;

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64
    }

    by! {
        deserialize_any() = |own, visitor| own.any(visitor);
        deserialize_bool() = |own, visitor| match own.value {
            Variant::Bool(value) => visitor.visit_bool(*value),
            _ => own.wrong_kind(&visitor),
        };
        deserialize_char() = |own, visitor| own.text(visitor);
        deserialize_str() = |own, visitor| own.text(visitor);
        deserialize_string() = |own, visitor| own.text(visitor);
        deserialize_bytes() = |own, visitor| own.bytes(visitor);
        deserialize_byte_buf() = |own, visitor| own.bytes(visitor);
        deserialize_option() = |own, visitor| {
            if own.is_nil() { visitor.visit_none() } else { visitor.visit_some(own) }
        };
        deserialize_unit() = |own, visitor| {
            if own.is_nil() || own.value.kind() == Kind::Callable {
                visitor.visit_unit()
            } else {
                own.wrong_kind(&visitor)
            }
        };
        deserialize_unit_struct(_name: &'static str) = |own, visitor| own.deserialize_unit(visitor);
        deserialize_newtype_struct(name: &'static str) = |own, visitor| own.newtype(name, visitor);
        deserialize_seq() = |own, visitor| own.seq(None, visitor);
        deserialize_tuple(len: usize) = |own, visitor| own.seq(Some(len), visitor);
        deserialize_tuple_struct(_name: &'static str, len: usize) = |own, visitor| own.seq(Some(len), visitor);
        deserialize_map() = |own, visitor| own.map(None, visitor);
        deserialize_struct(_name: &'static str, fields: &'static [&'static str]) = |own, visitor| {
            match own.value.as_array() {
                Some(_) => own.seq(None, visitor),
                None => own.map(Some(fields), visitor),
            }
        };
        deserialize_enum(_name: &'static str, _variants: &'static [&'static str]) = |own, visitor| own.enumeration(visitor);
        deserialize_identifier() = |own, visitor| own.any(visitor);
        deserialize_ignored_any() = |own, visitor| {
            let _ = own;
            visitor.visit_unit()
        };
    }
}

macro_rules! by_value {
    ($($method:ident($($name:ident: $type:ty),*))*) => {$(
        fn $method<V: Visitor<'de>>(self, $($name: $type,)* visitor: V) -> Result<V::Value> {
            Value::new(self).$method($($name,)* visitor)
        }
    )*};
}

/// Any type from an owned value, with the mapping of `variant_serde::from_slice`: nothing is encoded, and text and
/// bytes are borrowed. O(parts read).
///
/// Recurses: values nested more than 128 levels deep are an error, except inside a field of type [`Variant`].
///
/// ```
/// use serde::Deserialize;
/// use variant_owned::{Variant, dictionary};
///
/// #[derive(Deserialize)]
/// struct Player<'a> {
///     name: &'a str,
///     at: [f32; 2],
///     tag: Variant,
/// }
///
/// let save = Variant::from(dictionary! { "name" => "Ada", "at" => (1.0, 2.5), "tag" => Variant::Rid(9) });
/// let player = Player::deserialize(&save)?;
/// assert_eq!((player.name, player.at, player.tag), ("Ada", [1.0, 2.5], Variant::Rid(9)));
/// # Ok::<(), variant_owned::DeserializeError>(())
/// ```
impl<'de> Deserializer<'de> for &'de Variant {
    type Error = DeserializeError;

    by_value! {
        deserialize_any() deserialize_bool()
        deserialize_i8() deserialize_i16() deserialize_i32() deserialize_i64() deserialize_i128()
        deserialize_u8() deserialize_u16() deserialize_u32() deserialize_u64() deserialize_u128()
        deserialize_f32() deserialize_f64() deserialize_char() deserialize_str() deserialize_string()
        deserialize_bytes() deserialize_byte_buf() deserialize_option() deserialize_unit()
        deserialize_unit_struct(name: &'static str)
        deserialize_newtype_struct(name: &'static str)
        deserialize_seq()
        deserialize_tuple(len: usize)
        deserialize_tuple_struct(name: &'static str, len: usize)
        deserialize_map()
        deserialize_struct(name: &'static str, fields: &'static [&'static str])
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
        deserialize_identifier() deserialize_ignored_any()
    }
}

impl<'de> IntoDeserializer<'de, DeserializeError> for &'de Variant {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
