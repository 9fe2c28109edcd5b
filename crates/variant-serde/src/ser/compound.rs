//! [`Compound`]: an open container while its parts are written.

use serde::ser::{Serialize, SerializeMap, SerializeStruct, SerializeStructVariant};
use variant_owned::Variant;
use variant_view::{Key, PathStep};

use super::refuse::sequences;
use super::{Error, Result, Serializer, Target, error};

pub(crate) struct Compound<'s, T: Target> {
    pub(super) to: &'s mut Serializer<T>,
    open: T::Open,
    /// The number of elements or pairs written.
    count: usize,
    /// Whether a key waits for its value.
    has_key: bool,
    /// The name of the enum's variant and the dictionary around the container, if the container is a variant's content.
    variant: Option<(&'static str, T::Open)>,
}

impl<'s, T: Target> Compound<'s, T> {
    #[inline(always)]
    pub(super) const fn new(to: &'s mut Serializer<T>, open: T::Open) -> Self {
        Self { to, open, count: 0, has_key: false, variant: None }
    }

    #[inline(always)]
    pub(super) const fn of_variant(
        to: &'s mut Serializer<T>,
        open: T::Open,
        variant: (&'static str, T::Open),
    ) -> Self {
        Self { to, open, count: 0, has_key: false, variant: Some(variant) }
    }

    #[inline(always)]
    pub(super) fn element(&mut self, write: impl FnOnce(&mut Serializer<T>) -> Result) -> Result {
        let before = self.to.target.place();
        match write(self.to) {
            Ok(()) => {
                self.count = self.count.wrapping_add(1);
                Ok(())
            }
            Err(error) => {
                let step = PathStep::Number(i64::try_from(self.count).unwrap_or(i64::MAX));
                Err(self.failed(before, error, step))
            }
        }
    }

    /// Writes a pair whose key is the name of a field.
    #[inline(always)]
    fn pair<V: Serialize + ?Sized>(&mut self, key: &'static str, value: &V) -> Result {
        let before = self.to.target.place();
        match self.to.text(key).and_then(|()| value.serialize(&mut *self.to)) {
            Ok(()) => {
                self.count = self.count.wrapping_add(1);
                Ok(())
            }
            Err(error) => Err(self.failed(before, error, PathStep::Name(key))),
        }
    }

    /// Removes what a failed element or pair wrote, so that the caller's `Serialize` may try another. Prepends `step`
    /// to the error's path.
    #[cold]
    #[inline(never)]
    fn failed(&mut self, before: T::Place, error: Error, step: PathStep<'_>) -> Error {
        self.to.is_broken |= !self.to.target.take_back(before);
        let error = error.below(step);
        match self.variant {
            Some((variant, _)) => error.below(PathStep::Name(variant)),
            None => error,
        }
    }

    /// The position of the pair that is being written.
    fn position(&self) -> u32 {
        u32::try_from(self.count).unwrap_or(u32::MAX)
    }

    /// Removes a pair that failed. Prepends the step of the pair's key to the error's path.
    #[cold]
    #[inline(never)]
    fn failed_at<K: Serialize + ?Sized>(
        &mut self,
        before: T::Place,
        error: Error,
        key: &K,
    ) -> Error {
        let key = crate::to::to_variant(key, self.to.dialect).unwrap_or_default();
        let step = match &key {
            Variant::Int(key) => Some(PathStep::Number(key.value())),
            Variant::String(key) => PathStep::of_key(Key::String(key.as_bytes())),
            Variant::StringName(key) => PathStep::of_key(Key::StringName(key.as_bytes())),
            _ => None,
        };
        let step = step.unwrap_or(PathStep::Position(self.position()));
        self.failed(before, error, step)
    }

    #[inline]
    fn key<V: Serialize + ?Sized>(&mut self, key: &V) -> Result {
        if self.has_key {
            return Err(error("a key follows a key, which has no value yet"));
        }
        let before = self.to.target.place();
        match key.serialize(&mut *self.to) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.failed(before, error, PathStep::PositionKey(self.position()))),
        }
    }

    #[inline(always)]
    pub(super) fn close(self) -> Result {
        self.to.exit(self.open, self.count)?;
        match self.variant {
            Some((_, outer)) => self.to.exit(outer, 1),
            None => Ok(()),
        }
    }
}

sequences! {
    ['s, T: Target] Compound<'s, T>: |own, value| own.element(|to| value.serialize(to)), |own| own.close();
    SerializeSeq serialize_element, SerializeTuple serialize_element, SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field
}

macro_rules! structs {
    ($($trait:ident)*) => {$(
        impl<T: Target> $trait for Compound<'_, T> {
            type Ok = ();
            type Error = Error;

            #[inline(always)]
            fn serialize_field<V: Serialize + ?Sized>(&mut self, key: &'static str, value: &V) -> Result {
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

impl<T: Target> SerializeMap for Compound<'_, T> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<V: Serialize + ?Sized>(&mut self, key: &V) -> Result {
        self.key(key)?;
        self.has_key = true;
        Ok(())
    }

    fn serialize_value<V: Serialize + ?Sized>(&mut self, value: &V) -> Result {
        if !self.has_key {
            return Err(error("a value has no key"));
        }
        let before = self.to.target.place();
        if let Err(error) = value.serialize(&mut *self.to) {
            return Err(self.failed(before, error, PathStep::Position(self.position())));
        }
        self.has_key = false;
        self.count = self.count.wrapping_add(1);
        Ok(())
    }

    #[inline]
    fn serialize_entry<K: Serialize + ?Sized, V: Serialize + ?Sized>(
        &mut self,
        key: &K,
        value: &V,
    ) -> Result {
        let before = self.to.target.place();
        self.key(key)?;
        if let Err(error) = value.serialize(&mut *self.to) {
            return Err(self.failed_at(before, error, key));
        }
        self.count = self.count.wrapping_add(1);
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
