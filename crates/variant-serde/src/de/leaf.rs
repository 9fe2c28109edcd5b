//! [`LeafDeserializer`]: any value but a container, by its view.

use alloc::borrow::Cow;
use alloc::string::ToString as _;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{Deserializer, Visitor};
use variant_view::{Key, KeyRule, Kind, Number, ObjectForm, PathStep, StrView, VariantView};

use super::fields::{Field, NamedFields};
use super::math::Math;
use super::number::NumberDeserializer;
use super::packed::{PackedElements, PackedTexts};
use crate::error::Error;
use crate::raw::{self, Packed};

type Result<T> = core::result::Result<T, Error>;

/// A value without children. For a container every method is an error.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeafDeserializer<'de>(pub(super) VariantView<'de>);

/// The text that the engine reads.
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

    /// Text as text; a node path as the engine prints it.
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

    fn fields<V: Visitor<'de>>(
        self,
        fields: &[(&'static str, Field<'de>)],
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_map(NamedFields::new(fields)).map_err(self.at())
    }

    /// A value with named fields as a map; `None` for others.
    fn map<V: Visitor<'de>>(self, visitor: V) -> core::result::Result<Result<V::Value>, V> {
        let view = self.0;
        Ok(match &view {
            VariantView::Signal(signal) => {
                let name = match text(&signal.name()) {
                    Ok(name) => name,
                    Err(error) => return Ok(Err(error)),
                };
                let id = Field::Int(signal.object_id());
                self.fields(&[("signal", Field::Text(name)), ("object_id", id)], visitor)
            }
            VariantView::Object(object) => match object.form() {
                ObjectForm::Id(id) => self.fields(&[("@id", Field::Int(id))], visitor),
                _ => return Err(visitor),
            },
            VariantView::Image(image) => self.fields(
                &[
                    ("format", Field::Int(image.format().into())),
                    ("mipmaps", Field::Int(image.mipmaps().into())),
                    ("width", Field::Int(image.width().into())),
                    ("height", Field::Int(image.height().into())),
                    ("data", Field::Bytes(image.data())),
                ],
                visitor,
            ),
            VariantView::InputEvent(event) => self.fields(
                &[
                    ("event", Field::Int(event.event().into())),
                    ("device", Field::Int(event.device().into())),
                    ("data", Field::Bytes(event.payload())),
                ],
                visitor,
            ),
            _ => return self.math(visitor, |math, visitor| math.deserialize_map(visitor)),
        })
    }

    /// A single mathematical value.
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
            return PackedTexts::new(texts).visit(wanted, visitor).map_err(self.at());
        }
        if let Some(numbers) = self.0.numbers().filter(|numbers| numbers.shape().is_packed) {
            let (kind, offset) = (self.0.kind(), self.0.offset());
            return PackedElements::new(numbers, kind, offset)
                .visit(wanted, visitor)
                .map_err(self.at());
        }
        let take = |math: Math<'_>, visitor| match wanted {
            Some(len) => math.deserialize_tuple(len, visitor),
            None => math.deserialize_seq(visitor),
        };
        self.math(visitor, take).unwrap_or_else(|visitor| Err(self.wrong_kind(&visitor)))
    }

    /// Whether it is null, or a null object.
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
                (None, VariantView::Rid(id)) => visitor.visit_u64(id.value()).map_err(self.at()),
                _ => Err(self.wrong_kind(&visitor)),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for LeafDeserializer<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if let Some(number) = self.number() {
            return number.deserialize_any(visitor);
        }
        match &self.0 {
            _ if self.is_nil() => visitor.visit_unit().map_err(self.at()),
            VariantView::Bool(value) => visitor.visit_bool(value.value()).map_err(self.at()),
            VariantView::Callable(_) => visitor.visit_unit().map_err(self.at()),
            VariantView::Rid(id) => visitor.visit_u64(id.value()).map_err(self.at()),
            VariantView::String(_) | VariantView::StringName(_) | VariantView::NodePath(_) => {
                self.deserialize_str(visitor)
            }
            _ => {
                let outcome = self
                    .math(visitor, |math, visitor| math.deserialize_any(visitor))
                    .or_else(|visitor| self.map(visitor));
                outcome.unwrap_or_else(|visitor| self.seq(None, visitor))
            }
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match &self.0 {
            VariantView::Bool(value) => visitor.visit_bool(value.value()).map_err(self.at()),
            _ => Err(self.wrong_kind(&visitor)),
        }
    }

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.number() {
            Some(number) => number.deserialize_f32(visitor),
            None => Err(self.wrong_kind(&visitor)),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.number() {
            Some(number) => number.deserialize_f64(visitor),
            None => Err(self.wrong_kind(&visitor)),
        }
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.string()? {
            Some(Cow::Borrowed(text)) => visitor.visit_borrowed_str(text).map_err(self.at()),
            Some(Cow::Owned(text)) => visitor.visit_string(text).map_err(self.at()),
            None => Err(self.wrong_kind(&visitor)),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.bytes() {
            Some(bytes) => visitor.visit_borrowed_bytes(bytes).map_err(self.at()),
            None => self.seq(None, visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.is_nil() {
            visitor.visit_none().map_err(self.at())
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.is_nil() || self.0.kind() == Kind::Callable {
            return visitor.visit_unit().map_err(self.at());
        }
        Err(self.wrong_kind(&visitor))
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_unit(visitor)
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

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.seq(None, visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.seq(Some(len), visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.seq(Some(len), visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.map(visitor).unwrap_or_else(|visitor| Err(self.wrong_kind(&visitor)))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.string()? {
            Some(Cow::Borrowed(text)) => {
                visitor.visit_enum(BorrowedStrDeserializer::new(text)).map_err(self.at())
            }
            Some(Cow::Owned(text)) => {
                let text = serde::de::value::StringDeserializer::new(text);
                visitor.visit_enum(text).map_err(self.at())
            }
            None => Err(self.wrong_kind(&visitor)),
        }
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }
}

/// The step to the value of a key; `position` is that of the pair.
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

/// The step, or the position for a long name or none. Each level of nesting copies the path below it, so with names of
/// any length a packet would choose how much is copied.
pub(super) fn short(step: Option<PathStep<'_>>, position: u32) -> PathStep<'_> {
    match step {
        Some(PathStep::Name(name) | PathStep::StringName(name)) if name.len() > LONGEST_NAME => {
            PathStep::Position(position)
        }
        step => step.unwrap_or(PathStep::Position(position)),
    }
}
