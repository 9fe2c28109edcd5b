use std::vec::Vec;

use super::*;
use crate::view::{Projection, Vector3};

fn pieces(numbers: &Numbers<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let outcome = numbers.try_for_each_piece(|piece| {
        assert!(piece.len().is_multiple_of(numbers.shape().bytes(numbers.width())));
        bytes.extend_from_slice(piece);
        Ok::<_, ()>(())
    });
    assert_eq!(outcome, Ok(()));
    bytes
}

/// Asserts that numbers in memory read like the same numbers on the wire.
fn is_the_same<T: Wire>(kind: Kind, width: Width, values: &[T]) {
    let native = Numbers::of(kind, &values).expect("of this type");
    let bytes = pieces(&native);
    assert_eq!(bytes.len(), native.wire_len());
    let wire = Numbers::from_wire(kind, width, &bytes).expect("as many as there should be");
    assert_eq!(pieces(&wire), bytes);
    assert!(wire.iter().eq(native.iter()));
    assert_eq!(wire.len(), native.len());
    assert_eq!(wire.get(wire.len()), native.get(wire.len()));
    assert_eq!((wire.width(), native.width()), (width, width));
    assert_eq!(wire.number_type(), native.number_type());
    #[cfg(feature = "alloc")]
    for numbers in [wire, native] {
        assert_eq!(numbers.to_vec::<T>().as_deref(), Some(values));
    }
    if let [value] = values {
        assert_eq!((wire.value(), native.value()), (Some(*value), Some(*value)));
    }
}

#[test]
fn memory_and_wire_read_alike() {
    let one = Vector3::new(1.5_f32, -0.0, f32::MAX);
    is_the_same(Kind::Vector3, Width::W32, &[one]);
    is_the_same(Kind::Vector3, Width::W64, &[one.widen()]);
    is_the_same(Kind::PackedVector3Array, Width::W32, &[one; 500]);
    is_the_same(Kind::PackedVector3Array, Width::W64, &[one.widen(); 500]);
    is_the_same(Kind::Vector3i, Width::W32, &[Vector3::new(1, -2, i32::MIN)]);
    is_the_same(Kind::PackedVector3iArray, Width::W32, &[Vector3::new(1, -2, 3); 81]);
    is_the_same(Kind::Projection, Width::W64, &[Projection::<f64>::default()]);
    is_the_same(Kind::PackedByteArray, Width::W32, &[1_u8, 255]);
    is_the_same(Kind::PackedInt64Array, Width::W32, &[i64::MIN, 1]);
    is_the_same::<f32>(Kind::PackedFloat32Array, Width::W32, &[]);
    // For an array of vectors, a slice of single numbers is also accepted.
    is_the_same(Kind::PackedVector3Array, Width::W64, &[1.0_f64, 2.0, 3.0]);
}

#[test]
fn numbers_fit_their_kind() {
    assert!(Numbers::of(Kind::Vector3, &[1.0_f32, 2.0].as_slice()).is_none());
    assert!(Numbers::of(Kind::Vector3i, &[1.0_f32; 3].as_slice()).is_none());
    assert!(Numbers::of(Kind::Color, &[1.0_f64; 4].as_slice()).is_none());
    assert!(Numbers::of(Kind::Int, &[1_i64].as_slice()).is_none());
    assert!(Numbers::from_wire(Kind::Vector2, Width::W32, &[0; 7]).is_none());
    assert!(Numbers::from_wire(Kind::Vector2, Width::W64, &[0; 8]).is_none());
    assert!(Numbers::from_wire(Kind::PackedVector2Array, Width::W64, &[]).is_some());
}

#[test]
fn the_bits_of_a_nan_are_kept() {
    let nan = [f32::from_bits(0x7fa0_0001)];
    let numbers = [nan.as_slice()];
    let numbers = Numbers::of(Kind::PackedFloat32Array, &numbers[0]).expect("floats");
    assert_eq!(numbers.get(0), Some(Number::Float32(0x7fa0_0001)));
}

#[test]
fn numbers_are_not_read_as_another_type() {
    let one = [Vector3::new(1.0_f32, 2.0, 3.0)];
    let one = one.as_slice();
    let numbers = Numbers::of(Kind::Vector3, &one).expect("of this type");
    assert_eq!(numbers.value::<Vector3<i32>>(), None);
    assert_eq!(numbers.value::<Vector3<f64>>(), None);
    assert_eq!(numbers.value::<f32>(), None);
    assert!(!numbers.is_empty());
    #[cfg(feature = "alloc")]
    {
        assert_eq!(numbers.to_vec::<f64>(), None);
        assert_eq!(numbers.to_vec::<crate::view::Vector2>(), None);
        assert_eq!(numbers.to_vec::<f32>().as_deref(), Some(&[1.0, 2.0, 3.0][..]));
    }
    let none: &[f32] = &[];
    let none = Numbers::of(Kind::PackedFloat32Array, &none).expect("of this type");
    assert!(none.is_empty());
}
