//! [`LeafDeserializer`]: reads, from its view, any value that is not a container.

use alloc::borrow::Cow;
use alloc::string::ToString as _;

use serde::de::value::{BorrowedStrDeserializer, StringDeserializer};
use serde::de::{Deserializer, Visitor};
use variant_view::{Key, KeyRule, Kind, Number, ObjectForm, PathStep, StrView, VariantView};

use super::fields::{Field, visit_fields};
use super::math::Math;
use super::number::NumberDeserializer;
use super::packed::{Sequence, elements};
use crate::error::Error;
use crate::raw::{self, Packed};

type Result<T> = core::result::Result<T, Error>;

/// A value without children. For a container every method is an error.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeafDeserializer<'de>(pub(super) VariantView<'de>);

/// The text as the engine reads it.
#[inline]
pub(super) fn text<'de>(text: &StrView<'de>) -> Result<&'de str> {
    Ok(text.engine_text()?)
}

impl<'de> LeafDeserializer<'de> {
    #[cold]
    fn wrong_kind<V: Visitor<'de>>(self, visitor: &V) -> Error {
        Error::wrong_kind(visitor, self.0.kind(), self.0.offset())
    }

    fn at(self) -> impl Fn(Error) -> Error {
        move |error: Error| error.at(self.0.offset(), self.0.kind())
    }

    fn number(self) -> Option<NumberDeserializer> {
        let (kind, offset) = (self.0.kind(), self.0.offset());
        let number = match &self.0 {
            VariantView::Int(int) => Number::Int(int.value()),
            VariantView::Float(float) => Number::from(float.value()),
            _ => return None,
        };
        Some(NumberDeserializer { number, kind, offset })
    }

    /// The text of a string, or a node path in the engine's printed form. `None` for other kinds.
    fn string(self) -> Result<Option<Cow<'de, str>>> {
        match &self.0 {
            VariantView::String(view) | VariantView::StringName(view) => {
                Ok(Some(text(view)?.into()))
            }
            VariantView::NodePath(path) => {
                let mut names = path.names();
                let is_one = names.len() == 1 && !path.is_absolute() && path.subnames().len() == 0;
                match names.next().filter(|_| is_one) {
                    Some(name) => Ok(Some(text(&name)?.into())),
                    None => Ok(Some(path.to_string().into())),
                }
            }
            _ => Ok(None),
        }
    }

    /// Passes a value with named fields to the visitor as a map. Returns the visitor for other values.
    fn map<V: Visitor<'de>>(self, visitor: V) -> core::result::Result<Result<V::Value>, V> {
        let view = self.0;
        let outcome = match &view {
            VariantView::Signal(signal) => text(&signal.name()).and_then(|name| {
                let id = Field::Int(signal.object_id());
                visit_fields(&[("signal", Field::Text(name)), ("object_id", id)], visitor)
            }),
            VariantView::Object(object) => match object.form() {
                ObjectForm::Id(id) => visit_fields(&[("@id", Field::Int(id))], visitor),
                _ => return Err(visitor),
            },
            VariantView::Image(image) => {
                let fields = [
                    ("format", Field::Int(image.format().into())),
                    ("mipmaps", Field::Int(image.mipmaps().into())),
                    ("width", Field::Int(image.width().into())),
                    ("height", Field::Int(image.height().into())),
                    ("data", Field::Bytes(image.data())),
                ];
                visit_fields(&fields, visitor)
            }
            VariantView::InputEvent(event) => {
                let fields = [
                    ("event", Field::Int(event.event().into())),
                    ("device", Field::Int(event.device().into())),
                    ("data", Field::Bytes(event.payload())),
                ];
                visit_fields(&fields, visitor)
            }
            _ => return self.math(visitor, |math, visitor| math.deserialize_map(visitor)),
        };
        Ok(outcome.map_err(self.at()))
    }

    /// Passes a single mathematical value to `take`. Returns the visitor for other values.
    fn math<V: Visitor<'de>>(
        self,
        visitor: V,
        take: impl FnOnce(Math<'_>, V) -> Result<V::Value>,
    ) -> core::result::Result<Result<V::Value>, V> {
        let Some(numbers) = self.0.numbers().filter(|numbers| !numbers.shape().is_packed) else {
            return Err(visitor);
        };
        let math = Math::new(&numbers, &numbers.shape(), self.0.offset());
        Ok(take(math, visitor))
    }

    fn seq<V: Visitor<'de>>(self, wanted: Option<usize>, visitor: V) -> Result<V::Value> {
        if let VariantView::PackedStringArray(texts) = &self.0 {
            return Sequence::new(texts.iter()).visit(wanted, visitor);
        }
        if let Some(numbers) = self.0.numbers().filter(|numbers| numbers.shape().is_packed) {
            return elements(numbers, self.0.offset()).visit(wanted, visitor);
        }
        let take = |math: Math<'_>, visitor| match wanted {
            Some(len) => math.deserialize_tuple(len, visitor),
            None => math.deserialize_seq(visitor),
        };
        self.math(visitor, take).unwrap_or_else(|visitor| Err(self.wrong_kind(&visitor)))
    }

    fn any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if let Some(number) = self.number() {
            return number.deserialize_any(visitor);
        }
        match &self.0 {
            _ if self.is_nil() => visitor.visit_unit(),
            VariantView::Bool(value) => visitor.visit_bool(value.value()),
            VariantView::Callable(_) => visitor.visit_unit(),
            VariantView::Rid(id) => visitor.visit_u64(id.value()),
            VariantView::String(_) | VariantView::StringName(_) | VariantView::NodePath(_) => {
                self.text(visitor)
            }
            _ => {
                let outcome = self
                    .math(visitor, |math, visitor| math.deserialize_any(visitor))
                    .or_else(|visitor| self.map(visitor));
                outcome.unwrap_or_else(|visitor| self.seq(None, visitor))
            }
        }
    }

    fn text<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.string()? {
            Some(Cow::Borrowed(text)) => visitor.visit_borrowed_str(text),
            Some(Cow::Owned(text)) => visitor.visit_string(text),
            None => Err(self.wrong_kind(&visitor)),
        }
    }

    /// Whether the value is null or a null object.
    pub(super) fn is_nil(self) -> bool {
        match &self.0 {
            VariantView::Nil(_) => true,
            VariantView::Object(object) => matches!(object.form(), ObjectForm::Null),
            _ => false,
        }
    }

    fn bytes(self) -> Option<&'de [u8]> {
        match &self.0 {
            VariantView::PackedByteArray(bytes) => Some(bytes.as_bytes()),
            VariantView::String(text) | VariantView::StringName(text) => Some(text.as_bytes()),
            _ => None,
        }
    }
}

macro_rules! numbers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match (self.number(), &self.0) {
                (Some(number), _) => number.$method(visitor),
                (None, VariantView::Rid(id)) if !stringify!($method).contains("_f") => {
                    visitor.visit_u64(id.value()).map_err(self.at())
                }
                _ => Err(self.wrong_kind(&visitor)),
            }
        }
    )*};
}

macro_rules! by {
    ($($method:ident($($name:ident: $type:ty),*) = |$self:ident, $visitor:ident| $outcome:expr;)*) => {$(
        fn $method<V: Visitor<'de>>(self, $($name: $type,)* $visitor: V) -> Result<V::Value> {
            let $self = self;
            $outcome.map_err(self.at())
        }
    )*};
}

impl<'de> Deserializer<'de> for LeafDeserializer<'de> {
    type Error = Error;

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
        deserialize_f32 deserialize_f64
    }

    by! {
        deserialize_any() = |own, visitor| own.any(visitor);
        deserialize_bool() = |own, visitor| match &own.0 {
            VariantView::Bool(value) => visitor.visit_bool(value.value()),
            _ => Err(own.wrong_kind(&visitor)),
        };
        deserialize_char() = |own, visitor| own.text(visitor);
        deserialize_str() = |own, visitor| own.text(visitor);
        deserialize_string() = |own, visitor| own.text(visitor);
        deserialize_bytes() = |own, visitor| match own.bytes() {
            Some(bytes) => visitor.visit_borrowed_bytes(bytes),
            None => own.seq(None, visitor),
        };
        deserialize_byte_buf() = |own, visitor| own.deserialize_bytes(visitor);
        deserialize_unit() = |own, visitor| {
            if own.is_nil() || own.0.kind() == Kind::Callable {
                visitor.visit_unit()
            } else {
                Err(own.wrong_kind(&visitor))
            }
        };
        deserialize_unit_struct(_name: &'static str) = |own, visitor| own.deserialize_unit(visitor);
        deserialize_seq() = |own, visitor| own.seq(None, visitor);
        deserialize_tuple(len: usize) = |own, visitor| own.seq(Some(len), visitor);
        deserialize_tuple_struct(_name: &'static str, len: usize) = |own, visitor| own.seq(Some(len), visitor);
        deserialize_map() = |own, visitor| {
            own.map(visitor).unwrap_or_else(|visitor| Err(own.wrong_kind(&visitor)))
        };
        deserialize_struct(_name: &'static str, _fields: &'static [&'static str]) = |own, visitor| own.deserialize_map(visitor);
        deserialize_enum(_name: &'static str, _variants: &'static [&'static str]) = |own, visitor| match own.string()? {
            Some(Cow::Borrowed(text)) => visitor.visit_enum(BorrowedStrDeserializer::new(text)),
            Some(Cow::Owned(text)) => visitor.visit_enum(StringDeserializer::new(text)),
            None => Err(own.wrong_kind(&visitor)),
        };
        deserialize_identifier() = |own, visitor| own.any(visitor);
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.is_nil() {
            visitor.visit_none().map_err(self.at())
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        if name == crate::token::PACKED_VIEW {
            return Packed::<u8>::hand_over(self.0, visitor);
        }
        if raw::is_token(name) {
            return Err(Error::new(
                crate::ErrorKind::Message,
                "the bytes of a leaf's view are not known",
            ));
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }
}

/// The step to the value of a key; `position` is the position of the pair.
pub(super) fn step<'k>(key: Option<&VariantView<'k>>, position: u32) -> PathStep<'k> {
    let key = match key {
        Some(VariantView::Int(int)) => Some(Key::Int(int.value())),
        Some(VariantView::String(text)) => Some(Key::String(text.engine_bytes())),
        Some(VariantView::StringName(text)) => {
            let name = text.engine_bytes();
            Some(if KeyRule::of(text.dialect()).has_one_text_key() {
                Key::String(name)
            } else {
                Key::StringName(name)
            })
        }
        _ => None,
    };
    short(key.and_then(PathStep::of_key), position)
}

/// The longest name in a path, in bytes.
const LONGEST_NAME: usize = 256;

/// The step, or the position if the name is long or missing. Names are limited because each level of nesting copies the
/// path below it.
pub(super) fn short(step: Option<PathStep<'_>>, position: u32) -> PathStep<'_> {
    match step {
        Some(PathStep::Name(name) | PathStep::StringName(name)) if name.len() > LONGEST_NAME => {
            PathStep::Position(position)
        }
        step => step.unwrap_or(PathStep::Position(position)),
    }
}
