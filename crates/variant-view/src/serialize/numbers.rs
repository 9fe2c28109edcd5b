//! Numbers, one or many.

use serde_core::ser::{Serialize, SerializeMap as _, SerializeSeq as _, Serializer};

use super::base64::Bytes;
use crate::event::{Number, Numbers};
use crate::kind::{Kind, Width};

/// The float with these bits.
pub(super) fn value(bits: u64, width: Width) -> f64 {
    match width {
        Width::W32 => u32::try_from(bits).map_or(0.0, f32::from_bits).into(),
        Width::W64 => f64::from_bits(bits),
    }
}

/// Writes a float in 64 bits; for `variant-serde`, in its width on the wire.
pub(super) fn float<S: Serializer>(bits: u64, width: Width, to: S) -> Result<S::Ok, S::Error> {
    match (width, u32::try_from(bits)) {
        (Width::W32, Ok(bits)) if super::is_own::<S>() => to.serialize_f32(f32::from_bits(bits)),
        _ => to.serialize_f64(value(bits, width)),
    }
}

/// A mathematical value or a packed array.
pub(super) struct Values<'n> {
    numbers: Numbers<'n>,
    /// Whether the numbers are written as one sequence, without the names of fields. The name of the kind is then also
    /// written.
    is_flat: bool,
}

impl<'n> Values<'n> {
    pub(super) const fn of(numbers: Numbers<'n>, is_flat: bool) -> Self {
        Self { numbers, is_flat }
    }
}

impl Serialize for Values<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { numbers, is_flat } = self;
        if let (Kind::PackedByteArray, Some(bytes)) = (numbers.kind(), numbers.as_wire_bytes()) {
            return Bytes(bytes).serialize(to);
        }
        let shape = numbers.shape();
        if !shape.is_packed && !is_flat {
            return Structure { numbers, parts: shape.parts, first: 0 }.serialize(to);
        }
        if *is_flat || shape.parts.is_empty() {
            let mut all = to.serialize_seq(Some(numbers.len()))?;
            numbers.iter().try_for_each(|number| all.serialize_element(&One(number)))?;
            return all.end();
        }
        let elements = numbers.elements();
        let mut all = to.serialize_seq(Some(elements))?;
        for index in 0..elements {
            let first = index.saturating_mul(shape.count.into());
            all.serialize_element(&Structure { numbers, parts: shape.parts, first })?;
        }
        all.end()
    }
}

/// One value or element, as a map from the names of its parts to their numbers.
struct Structure<'s, 'n> {
    numbers: &'s Numbers<'n>,
    parts: &'static [(&'static str, &'static [&'static str])],
    /// The index of the first number.
    first: usize,
}

impl Serialize for Structure<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut all = to.serialize_map(Some(self.parts.len()))?;
        let mut next = self.first;
        for (name, names) in self.parts {
            if names.is_empty() {
                all.serialize_entry(name, &One(self.number(next)))?;
                next = next.saturating_add(1);
            } else {
                all.serialize_entry(name, &Group { of: self, names, first: next })?;
                next = next.saturating_add(names.len());
            }
        }
        all.end()
    }
}

impl Structure<'_, '_> {
    fn number(&self, index: usize) -> Number {
        self.numbers.get(index).unwrap_or(Number::Int(0))
    }
}

/// One part that consists of several numbers.
struct Group<'g, 's, 'n> {
    of: &'g Structure<'s, 'n>,
    names: &'static [&'static str],
    first: usize,
}

impl Serialize for Group<'_, '_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut all = to.serialize_map(Some(self.names.len()))?;
        for (name, index) in self.names.iter().zip(self.first..) {
            all.serialize_entry(name, &One(self.of.number(index)))?;
        }
        all.end()
    }
}

/// One number, as wide as on the wire.
struct One(Number);

impl Serialize for One {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Number::Int(value) => to.serialize_i64(value),
            Number::Float32(bits) => to.serialize_f32(f32::from_bits(bits)),
            Number::Float64(bits) => to.serialize_f64(f64::from_bits(bits)),
        }
    }
}
