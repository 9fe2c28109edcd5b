//! [`Packed`] and [`RawValue`]: values that borrow bytes.

use std::fmt;

use serde::Deserialize;
use serde::de::value::{BorrowedStrDeserializer, EnumAccessDeserializer, Error as ValueError};
use serde::de::{Deserializer as De, EnumAccess, IgnoredAny, VariantAccess, Visitor};
use variant_serde::{Deserializer, Packed, PackedArray, RawValue, from_slice, to_vec};
use variant_view::{Dialect, Objects, Options};

/// Calls `check` with the bytes at each of eight consecutive addresses, and with whether the elements after the header
/// are aligned to four bytes.
fn at_addresses(bytes: &[u8], check: impl Fn(&[u8], bool)) {
    for start in 0..8 {
        let buffer = [&vec![0; start][..], bytes].concat();
        let (_, place) = buffer.split_at(start);
        let (_, elements) = place.split_at(8);
        check(place, elements.as_ptr().align_offset(4) == 0);
    }
}

fn floats(bytes: &[u8]) -> Packed<'_, f32> {
    from_slice(bytes, Dialect::Godot4).unwrap()
}

#[test]
fn elements_are_native_where_they_are_aligned() {
    let all = [0.5_f32, -1.5, 2.0];
    let bytes = to_vec(&PackedArray(all), Dialect::Godot4).unwrap();
    at_addresses(&bytes, |bytes, is_aligned| {
        let native = floats(bytes).as_native();
        let is_native = is_aligned && cfg!(target_endian = "little");
        assert_eq!(native, is_native.then_some(&all[..]));
    });
    let bytes = to_vec(&PackedArray([1_u8, 2, 255]), Dialect::Godot4).unwrap();
    at_addresses(&bytes, |bytes, _| {
        let data: Packed<'_, u8> = from_slice(bytes, Dialect::Godot4).unwrap();
        assert_eq!(data.as_native(), Some(&[1, 2, 255][..]));
    });
    let bytes = to_vec(&PackedArray([0.0_f32; 0]), Dialect::Godot4).unwrap();
    at_addresses(&bytes, |bytes, _| assert_eq!(floats(bytes).as_native(), Some(&[][..])));
}

#[test]
fn arrays_are_equal_by_their_elements_at_any_address() {
    let written = |all: &[f32]| to_vec(&PackedArray(all), Dialect::Godot4).unwrap();
    let bytes = written(&[0.0, 1.5]);
    let same = written(&[-0.0, 1.5]);
    at_addresses(&bytes, |bytes, _| {
        assert_eq!(floats(bytes), floats(&same));
        for other in [&[][..], &[0.0], &[0.0, 1.0], &[0.0, 1.5, 0.0]] {
            assert_ne!(floats(bytes), floats(&written(other)));
        }
    });
    let nan = written(&[f32::NAN]);
    assert_ne!(floats(&nan), floats(&nan));
}

#[test]
fn arrays_have_lengths() {
    for len in 0..4 {
        let bytes = to_vec(&PackedArray(vec![1.0_f32; len]), Dialect::Godot4).unwrap();
        let array = floats(&bytes);
        assert_eq!((array.len(), array.is_empty()), (len, len == 0));
        assert_eq!((array.iter().len(), array.as_wire().len()), (len, len));
    }
}

#[test]
fn a_raw_value_keeps_the_options_of_its_document() {
    let bytes = to_vec(&[1, 2], Dialect::Godot4).unwrap();
    let options = Options::engine(Dialect::Godot4);
    for objects in [Objects::Accept, Objects::Refuse] {
        let raw: RawValue<'_> = from_slice(&bytes, options.objects(objects)).unwrap();
        assert_eq!(raw.options().objects, objects);
    }
    let raw: RawValue<'_> = from_slice(&bytes, Options::server(Dialect::Godot4)).unwrap();
    assert_eq!(raw.options().limits.depth, Options::server(Dialect::Godot4).limits.depth);
}

#[test]
fn other_formats_have_no_values_to_borrow() {
    let error = serde_json::from_str::<RawValue<'_>>("7").unwrap_err().to_string();
    assert!(error.contains("expected a value in the binary form of Variant"), "{error}");
    let error = serde_json::from_str::<Packed<'_, u8>>("7").unwrap_err().to_string();
    assert!(error.contains("expected a packed array of elements of Byte x 1"), "{error}");
}

/// A format that passes an enum for a newtype is not this crate's.
#[test]
fn enums_of_other_formats_are_not_parts() {
    let other = || EnumAccessDeserializer::new(BorrowedStrDeserializer::<ValueError>::new("other"));
    let error = RawValue::deserialize(other()).unwrap_err().to_string();
    assert_eq!(error, "invalid type: enum, expected a value in the binary form of Variant");
    let error = Packed::<'_, u8>::deserialize(other()).unwrap_err().to_string();
    assert_eq!(error, "invalid type: enum, expected a packed array of elements of Byte x 1");
}

/// Asks for the parts of a raw value in another form than a tuple.
struct Asks(u8);

impl<'de> Visitor<'de> for Asks {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("parts")
    }

    fn visit_newtype_struct<D: De<'de>>(self, input: D) -> Result<(), D::Error> {
        input.deserialize_any(self)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<(), A::Error> {
        let (_, parts) = access.variant::<IgnoredAny>()?;
        match self.0 {
            0 => parts.unit_variant(),
            1 => parts.newtype_variant(),
            _ => parts.struct_variant(&[], self),
        }
    }
}

#[test]
fn parts_are_handed_over_only_as_a_tuple() {
    for form in 0..3 {
        let mut input = Deserializer::new(&[0; 4], Dialect::Godot4);
        let outcome = input.deserialize_newtype_struct("$variant::Raw", Asks(form));
        let error = outcome.unwrap_err().to_string();
        assert_eq!(error, "expected the parts of a value at byte 0");
    }
}
