//! [`Compound`]: an open container while its parts are written.

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant,
};
use variant_owned::Variant;
use variant_view::{Consumer, Key, PathStep};

use super::{Error, Result, Serializer, error};

/// An open array or dictionary.
pub(crate) struct Compound<'s, 'c, C: Consumer> {
    pub(super) to: &'s mut Serializer<'c, C>,
    /// The number of elements or pairs begun.
    begun: u32,
    /// Whether a key waits for its value.
    has_key: bool,
    /// The enum's variant whose content this is.
    variant: Option<&'static str>,
}

impl<'s, 'c, C: Consumer> Compound<'s, 'c, C> {
    #[inline(always)]
    pub(super) const fn new(to: &'s mut Serializer<'c, C>) -> Self {
        Self { to, begun: 0, has_key: false, variant: None }
    }

    #[inline(always)]
    pub(super) const fn of_variant(to: &'s mut Serializer<'c, C>, variant: &'static str) -> Self {
        Self { to, begun: 0, has_key: false, variant: Some(variant) }
    }

    /// An element, written by `write`.
    #[inline(always)]
    pub(super) fn element(
        &mut self,
        write: impl FnOnce(&mut Serializer<'c, C>) -> Result,
    ) -> Result {
        match write(self.to) {
            Ok(()) => {
                self.begun = self.begun.wrapping_add(1);
                Ok(())
            }
            Err(error) => Err(self.at(error, PathStep::Number(self.begun.into()))),
        }
    }

    /// A pair whose key is a name in the program.
    #[inline(always)]
    fn pair<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result {
        // A literal is a constant block here.
        let outcome = self.to.text(key).and_then(|()| value.serialize(&mut *self.to));
        outcome.map_err(|error| self.at(error, PathStep::Name(key)))
    }

    /// The error of a part, with the step to the part.
    #[cold]
    #[inline(never)]
    fn at(&self, error: Error, step: PathStep<'_>) -> Error {
        let error = error.below(step);
        match self.variant {
            Some(variant) => error.below(PathStep::Name(variant)),
            None => error,
        }
    }

    /// The step to the value of a key.
    #[cold]
    #[inline(never)]
    fn at_key<K: Serialize + ?Sized>(&self, error: Error, key: &K) -> Error {
        let key = crate::to::to_variant(key, self.to.dialect).unwrap_or_default();
        let step = match &key {
            Variant::Int(key) => Some(PathStep::Number(key.value())),
            Variant::String(key) => PathStep::of_key(Key::String(key.as_bytes())),
            Variant::StringName(key) => PathStep::of_key(Key::StringName(key.as_bytes())),
            _ => None,
        };
        self.at(error, step.unwrap_or(PathStep::Position(self.begun)))
    }

    #[inline(always)]
    pub(super) fn close(self) -> Result {
        self.to.exit()?;
        if self.variant.is_some() { self.to.exit() } else { Ok(()) }
    }
}

macro_rules! sequences {
    ($($trait:ident $method:ident)*) => {$(
        impl<C: Consumer> $trait for Compound<'_, '_, C> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result {
                self.element(|to| value.serialize(to))
            }

            #[inline]
            fn end(self) -> Result {
                self.close()
            }
        }
    )*};
}

sequences! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
    SerializeTupleVariant serialize_field
}

macro_rules! structs {
    ($($trait:ident)*) => {$(
        impl<C: Consumer> $trait for Compound<'_, '_, C> {
            type Ok = ();
            type Error = Error;

            #[inline(always)]
            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result {
                self.pair(key, value)
            }

            #[inline]
            fn end(self) -> Result {
                self.close()
            }
        }
    )*};
}

structs! { SerializeStruct SerializeStructVariant }

impl<C: Consumer> SerializeMap for Compound<'_, '_, C> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result {
        if self.has_key {
            return Err(error("a key follows a key, which has no value yet"));
        }
        key.serialize(&mut *self.to)
            .map_err(|error| self.at(error, PathStep::PositionKey(self.begun)))?;
        self.has_key = true;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result {
        if !self.has_key {
            return Err(error("a value has no key"));
        }
        value
            .serialize(&mut *self.to)
            .map_err(|error| self.at(error, PathStep::Position(self.begun)))?;
        self.has_key = false;
        self.begun = self.begun.wrapping_add(1);
        Ok(())
    }

    #[inline]
    fn serialize_entry<K: Serialize + ?Sized, V: Serialize + ?Sized>(
        &mut self,
        key: &K,
        value: &V,
    ) -> Result {
        if self.has_key {
            return Err(error("a key follows a key, which has no value yet"));
        }
        key.serialize(&mut *self.to)
            .map_err(|error| self.at(error, PathStep::PositionKey(self.begun)))?;
        value.serialize(&mut *self.to).map_err(|error| self.at_key(error, key))?;
        self.begun = self.begun.wrapping_add(1);
        Ok(())
    }

    #[inline]
    fn end(self) -> Result {
        if self.has_key {
            return Err(error("a key has no value"));
        }
        self.close()
    }
}
