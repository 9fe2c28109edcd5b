//! Packed arrays at every address, borrowed on hosts that allow it, and by value on every host.

use std::fmt::Debug;

use bytemuck::AnyBitPattern;
use variant_testkit::builder::{Builder, words};
use variant_view::{
    Color, Dialect, Document, Kind, Number, PackedReals, PackedSlice, VariantView, Vector2,
    Vector3, Vector4, Width, Wire,
};

/// Calls `check` with `bytes` at each of eight consecutive addresses.
fn at_every_alignment(bytes: &[u8], mut check: impl FnMut(&[u8], usize)) {
    let mut buffer = vec![0_u64; bytes.len() / 8 + 3];
    let buffer: &mut [u8] = bytemuck::cast_slice_mut(&mut buffer);
    for shift in 0..8 {
        let place = &mut buffer[shift..shift + bytes.len()];
        place.copy_from_slice(bytes);
        check(place, shift);
    }
}

/// Checks the methods of an iterator against a slice: its length and its elements, from both ends, and each `nth`.
fn assert_iterates<T: Copy + Debug + PartialEq>(
    iter: &(impl DoubleEndedIterator<Item = T> + ExactSizeIterator + Clone),
    expected: &[T],
) {
    for front in 0..=expected.len() {
        for back in 0..=expected.len() - front {
            let mut rest = iter.clone();
            let left = &expected[front..expected.len() - back];
            for wanted in &expected[..front] {
                assert_eq!(rest.next(), Some(*wanted));
            }
            for wanted in expected.iter().rev().take(back) {
                assert_eq!(rest.next_back(), Some(*wanted));
            }
            assert_eq!(
                (rest.len(), rest.size_hint()),
                (left.len(), (left.len(), Some(left.len())))
            );
            for n in 0..left.len() + 2 {
                let (mut ahead, mut others) = (rest.clone(), left.iter().copied());
                assert_eq!(ahead.nth(n), others.nth(n), "{n} of {left:?}");
                assert_eq!(ahead.len(), others.len(), "after {n} of {left:?}");
                let (mut behind, mut others) = (rest.clone(), left.iter().copied());
                assert_eq!(behind.nth_back(n), others.nth_back(n), "{n} of {left:?}");
                assert_eq!(behind.len(), others.len(), "after {n} of {left:?}");
            }
            assert!(rest.eq(left.iter().copied()));
        }
    }
}

/// Reads a packed array with the type id `id`: an id of Godot 4, or of Pandemonium 5 for kinds that Godot 4 lacks.
fn check_packed<T: Wire>(
    id: u32,
    dialect: Dialect,
    payload: Builder,
    expected: &[T],
    take: impl for<'a> Fn(VariantView<'a>) -> PackedSlice<'a, T>,
) {
    let count = u32::try_from(expected.len()).unwrap();
    let bytes = words(&[id, count]).raw(&payload.build().bytes).build().bytes;
    at_every_alignment(&bytes, |bytes, shift| {
        let packed = take(Document::new(bytes, dialect).root().unwrap());
        assert_eq!(packed.len(), expected.len());
        assert_eq!((packed.offset(), packed.raw_bytes()), (0, bytes));
        assert_iterates(&packed.iter(), expected);
        assert_eq!(packed.get(1), expected.get(1).copied());
        assert_eq!(packed.get(expected.len()), None);
        #[cfg(feature = "alloc")]
        assert_eq!(&*packed.to_cow(), expected);
        let mut copy = expected.to_vec();
        copy.push(expected[0]);
        assert_eq!(packed.copy_to(&mut copy), expected.len());
        assert_eq!(packed.copy_to(&mut copy[..1]), 1);

        // The elements start at byte 8, so they have the document's alignment.
        let aligned = shift % align_of::<T>() == 0;
        let borrowable = size_of::<T>() == 1 || (aligned && cfg!(target_endian = "little"));
        assert_eq!(packed.as_native().is_some(), borrowable, "shifted by {shift}");
        if let Some(native) = packed.as_native() {
            assert_eq!(native, expected);
            assert_eq!(native.as_ptr().cast(), bytes[8..].as_ptr(), "borrowed, not copied");
        } else if cfg!(target_endian = "little") {
            assert_eq!(packed.cast::<T>(), None);
        }
    });
}

/// Takes a packed array of one kind out of a value.
macro_rules! take {
    ($kind:ident) => {
        |view| match view {
            VariantView::$kind(packed) => packed,
            other => panic!("{other:?}"),
        }
    };
}

fn ints(values: &[i32]) -> Builder {
    values.iter().fold(Builder::new(), |builder, value| builder.u32(value.cast_unsigned()))
}

#[test]
fn numbers() {
    use Dialect::Godot4;
    check_packed(29, Godot4, Builder::new().raw(b"abc\0"), b"abc", take!(PackedByteArray));
    check_packed(30, Godot4, ints(&[1, -2, 3]), &[1, -2, 3], take!(PackedInt32Array));
    let wide = Builder::new().u64(1).u64(u64::MAX);
    check_packed(31, Godot4, wide, &[1, -1], take!(PackedInt64Array));
    let floats = [0.5, -1.0, f32::INFINITY];
    check_packed(32, Godot4, Builder::new().f32s(&floats), &floats, take!(PackedFloat32Array));
    let doubles = [0.1, f64::MAX];
    check_packed(33, Godot4, Builder::new().f64s(&doubles), &doubles, take!(PackedFloat64Array));
}

#[test]
fn vectors_of_integers_and_colours() {
    use Dialect::{Godot4, Pandemonium5};
    let v2 = [Vector2 { x: 1, y: 2 }, Vector2 { x: 3, y: 4 }];
    check_packed(34, Pandemonium5, ints(&[1, 2, 3, 4]), &v2, take!(PackedVector2iArray));
    let v3 = [Vector3 { x: 1, y: 2, z: 3 }, Vector3 { x: 4, y: 5, z: 6 }];
    check_packed(36, Pandemonium5, ints(&[1, 2, 3, 4, 5, 6]), &v3, take!(PackedVector3iArray));
    let v4 = [Vector4 { x: 1, y: 2, z: 3, w: 4 }];
    check_packed(38, Pandemonium5, ints(&[1, 2, 3, 4]), &v4, take!(PackedVector4iArray));
    let colors = [Color { r: 0.1, g: 0.2, b: 0.3, a: 1.0 }];
    let bytes = Builder::new().f32s(&[0.1, 0.2, 0.3, 1.0]);
    check_packed(37, Godot4, bytes, &colors, take!(PackedColorArray));
}

fn check_reals<T: Wire>(
    id: u32,
    expected: &[T],
    expected_wide: &[T::Double],
    take: impl for<'a> Fn(VariantView<'a>) -> PackedReals<'a, T> + Copy,
) {
    let reals = [1.0, -2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
    let lanes = size_of_val(expected) / 4;
    let wide = reals.map(f64::from);
    let single = Builder::new().f32s(&reals[..lanes]);
    check_packed(id, Dialect::Godot4, single, expected, |view| {
        let packed = take(view);
        let narrow = packed.as_f32().unwrap();
        assert_eq!(packed.as_native(), narrow.as_native());
        narrow
    });
    let double = Builder::new().f64s(&wide[..lanes]);
    check_packed(id | 1 << 16, Dialect::Godot4, double, expected_wide, |view| {
        let packed = take(view);
        assert_eq!(packed.width(), Width::W64);
        assert_eq!(format!("{packed:?}"), format!("{expected_wide:?}"));
        assert_eq!(packed.as_native(), None);
        assert_iterates(&packed.iter_f64(), expected_wide);
        assert_iterates(&packed.iter(), expected);
        let mut copy = [expected, expected].concat();
        assert_eq!(packed.copy_to(&mut copy), expected.len());
        assert_eq!(packed.copy_to(&mut copy[..1]), 1);
        assert_eq!(copy, [expected, expected].concat());
        packed.as_f64().unwrap()
    });
    let single = words(&[id, 2]).f32s(&reals[..lanes]).build().bytes;
    let packed = take(Document::new(&single, Dialect::Godot4).root().unwrap());
    assert_eq!(packed.width(), Width::W32);
    assert_eq!((packed.offset(), packed.raw_bytes()), (0, &single[..]));
    assert_iterates(&packed.iter_f64(), expected_wide);
    assert_iterates(&packed.iter(), expected);
    assert_eq!(format!("{packed:?}"), format!("{expected:?}"));
}

#[test]
fn vectors_of_reals_in_either_width() {
    let v2 = [Vector2 { x: 1.0, y: -2.5 }, Vector2 { x: 3.0, y: 4.0 }];
    check_reals(35, &v2, &v2.map(Wire::widen), take!(PackedVector2Array));
    let v3 = [Vector3 { x: 1.0, y: -2.5, z: 3.0 }, Vector3 { x: 4.0, y: 5.0, z: 6.0 }];
    check_reals(36, &v3, &v3.map(Wire::widen), take!(PackedVector3Array));
    let v4 =
        [Vector4 { x: 1.0, y: -2.5, z: 3.0, w: 4.0 }, Vector4 { x: 5.0, y: 6.0, z: 7.0, w: 8.0 }];
    check_reals(38, &v4, &v4.map(Wire::widen), take!(PackedVector4Array));
}

#[test]
fn an_empty_array_is_borrowed_at_any_address() {
    at_every_alignment(&[33, 0, 0, 0, 0, 0, 0, 0], |bytes, _| {
        let packed = Document::new(bytes, Dialect::Godot4).root().unwrap().as_float64s().unwrap();
        assert!(packed.is_empty());
        assert_eq!(packed.as_native().is_some(), cfg!(target_endian = "little"));
    });
}

/// A user-defined vector, like those of mathematics crates.
#[derive(Clone, Copy, Debug, PartialEq, AnyBitPattern)]
#[repr(C)]
struct Mine([f32; 3]);

#[test]
fn elements_as_a_type_of_the_program() {
    let bytes = words(&[36, 2]).f32s(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).build().bytes;
    at_every_alignment(&bytes, |bytes, shift| {
        let view = Document::new(bytes, Dialect::Godot4).root().unwrap();
        let packed = view.as_vector3s().unwrap().as_f32().unwrap();
        assert_eq!(packed.cast::<f32>(), None, "another size");
        let is_borrowed = cfg!(target_endian = "little") && shift % 4 == 0;
        let expected = &[Mine([1.0, 2.0, 3.0]), Mine([4.0, 5.0, 6.0])][..];
        assert_eq!(packed.cast(), is_borrowed.then_some(expected));
        assert_eq!(view.as_vector3s().unwrap().cast(), is_borrowed.then_some(expected));
        assert_eq!(view.as_vector3s().unwrap().cast::<[f64; 3]>(), None, "another size");
    });
}

/// Each element is the value that the whole array has at its place, in every kind of packed array.
#[test]
fn elements_are_the_numbers_of_their_array() {
    use Dialect::{Godot4, Pandemonium5};
    let wide = |id: u32| id | 1 << 16;
    // The dialect, the header, the kind of the elements, and the size of each.
    let cases = [
        (Godot4, 29, Kind::Int, 1),
        (Godot4, 30, Kind::Int, 4),
        (Godot4, 31, Kind::Int, 8),
        (Godot4, 32, Kind::Float, 4),
        (Godot4, 33, Kind::Float, 8),
        (Godot4, 35, Kind::Vector2, 8),
        (Godot4, wide(35), Kind::Vector2, 16),
        (Godot4, 36, Kind::Vector3, 12),
        (Godot4, wide(36), Kind::Vector3, 24),
        (Godot4, 37, Kind::Color, 16),
        (Godot4, 38, Kind::Vector4, 16),
        (Godot4, wide(38), Kind::Vector4, 32),
        (Pandemonium5, 34, Kind::Vector2i, 8),
        (Pandemonium5, 36, Kind::Vector3i, 12),
        (Pandemonium5, 38, Kind::Vector4i, 16),
    ];
    for (dialect, header, kind, size) in cases {
        let payload = (0..3 * size).map(|byte| u8::try_from(byte + 1).unwrap()).collect::<Vec<_>>();
        let padding = payload.len().next_multiple_of(4) - payload.len();
        let bytes = words(&[header, 3]).raw(&payload).raw(&[0; 3][..padding]).build().bytes;
        let root = Document::new(&bytes, dialect).root().unwrap();
        assert_eq!(root.raw_bytes(), Ok(&bytes[..]), "{header:x}");
        let elements = root.elements().unwrap();
        assert_eq!((elements.kind(), elements.len(), elements.size()), (kind, 3, Some(size)));
        assert!(!elements.is_empty());
        let numbers = root.numbers().unwrap();
        let are_integers = numbers.iter().all(|number| matches!(number, Number::Int(_)));
        assert_eq!(numbers.number_type().is_integer(), are_integers, "{header:x}");
        let numbers: Vec<_> = numbers.iter().map(Number::to_f64).collect();
        let mut all = Vec::new();
        for (element, index) in elements.iter().zip(0..) {
            assert_eq!(element.kind(), kind, "{header:x}");
            assert_eq!(element.offset(), 8 + index * size, "{header:x}");
            assert_eq!(elements.start(index), Some(8 + index * size), "{header:x}");
            match kind {
                Kind::Int => all.push(number(element.as_i64().unwrap())),
                Kind::Float => all.push(element.as_f64().unwrap()),
                _ => all.extend(element.numbers().unwrap().iter().map(Number::to_f64)),
            }
        }
        assert_eq!(all, numbers, "{header:x}");
        assert_eq!((elements.start(3), elements.start(4)), (Some(8 + 3 * size), None));
        assert!(elements.at(8 + 3 * size - 1).is_none() || size == 1);
    }
}

#[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "as a number does")]
const fn number(value: i64) -> f64 {
    value as f64
}

#[test]
fn texts_are_elements_at_their_places() {
    let bytes = words(&[34, 2]).text("ab\0").text("\0").build().bytes;
    let root = Document::new(&bytes, Dialect::Godot4).root().unwrap();
    let texts = root.elements().unwrap();
    assert_eq!((texts.kind(), texts.len(), texts.size()), (Kind::String, 2, None));
    let all: Vec<_> =
        texts.iter().map(|text| text.as_text().unwrap().as_bytes().to_vec()).collect();
    assert_eq!(all, [b"ab".to_vec(), Vec::new()]);
    assert_eq!([0, 1, 2, 3].map(|index| texts.start(index)), [Some(8), Some(16), Some(24), None]);
    let none = words(&[34, 0]).build().bytes;
    let none = Document::new(&none, Dialect::Godot4).root().unwrap().elements().unwrap();
    assert_eq!(format!("{none:?}"), "[]");
    let pair = words(&[30, 2, 5, 7]).build().bytes;
    let pair = Document::new(&pair, Dialect::Godot4).root().unwrap().elements().unwrap();
    assert_eq!(format!("{pair:?}"), "[Int(5), Int(7)]");
    assert!(none.is_empty() && none.iter().next().is_none());
    assert_eq!(
        Document::new(&[0; 4], Dialect::Godot4).root().unwrap().elements().map(|_| ()),
        None
    );
}
