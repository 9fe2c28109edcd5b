//! Fuzz target `packed_align`.

use variant_view::{
    Document, Kind, Limits, Numbers, Options, PackedReals, PackedSlice, Reals, VariantView, Width,
    Wire,
};

use super::choice::dialect;

/// Checks any packed array at each of eight addresses. Reading, borrowing and copying must give the elements of the
/// bytes. Elements must be borrowed if and only if their address and byte order allow it.
pub fn check_packed_align(data: &[u8]) {
    let Some((&[choice, kind, shift], elements)) = data.split_first_chunk() else { return };
    let dialect = dialect(choice >> 1);
    let shapes = Kind::ALL.iter().filter_map(|&kind| Some((kind, kind.shape()?)));
    let mut packed = shapes.filter(|(_, shape)| shape.is_packed).cycle();
    let Some((kind, shape)) = packed.nth(kind.into()) else { return };
    let Some(id) = dialect.id(kind) else { return };
    let (reals, width) = match choice & 1 {
        0 => (Reals::ByFlag, Width::W32),
        _ => (Reals::Always64, Width::W64),
    };
    let count = elements.len().checked_div(shape.bytes(width)).unwrap_or(0);
    let len = count.saturating_mul(shape.bytes(width));
    let elements = elements.get(..len).unwrap_or_default();
    let words = [id.into(), u32::try_from(count).unwrap_or(u32::MAX)].map(u32::to_le_bytes);
    let bytes = [words.as_flattened(), elements].concat();

    let mut buffer = vec![0_u64; bytes.len().saturating_add(8).div_ceil(8)];
    let buffer: &mut [u8] = bytemuck::cast_slice_mut(&mut buffer);
    let place = buffer.get_mut(usize::from(shift % 8)..);
    let place = place.and_then(|rest| rest.get_mut(..bytes.len())).expect("room");
    place.copy_from_slice(&bytes);
    let options = Options::engine(dialect).reals(reals).limits(Limits::FILE);
    let document = Document::new(place, options);
    let root = document.root().expect("the elements are there");
    assert_eq!(root.kind(), kind);
    assert_eq!(document.validate().map(|summary| summary.consumed), Ok(bytes.len()));
    check_view(&root, elements);
}

fn check_view(view: &VariantView<'_>, elements: &[u8]) {
    match view {
        VariantView::PackedByteArray(packed) => check(*packed, elements),
        VariantView::PackedInt32Array(packed) => check(*packed, elements),
        VariantView::PackedInt64Array(packed) => check(*packed, elements),
        VariantView::PackedFloat32Array(packed) => check(*packed, elements),
        VariantView::PackedFloat64Array(packed) => check(*packed, elements),
        VariantView::PackedVector2iArray(packed) => check(*packed, elements),
        VariantView::PackedVector3iArray(packed) => check(*packed, elements),
        VariantView::PackedVector4iArray(packed) => check(*packed, elements),
        VariantView::PackedColorArray(packed) => check(*packed, elements),
        VariantView::PackedVector2Array(packed) => check_reals(*packed, elements),
        VariantView::PackedVector3Array(packed) => check_reals(*packed, elements),
        VariantView::PackedVector4Array(packed) => check_reals(*packed, elements),
        other => panic!("{:?} is not a packed array of numbers", other.kind()),
    }
}

fn check_reals<T: Wire>(packed: PackedReals<'_, T>, elements: &[u8]) {
    match (packed.as_f32(), packed.as_f64()) {
        (Some(packed), None) => check(packed, elements),
        (None, Some(packed)) => check(packed, elements),
        _ => panic!("reals have one width"),
    }
}

/// Compares all accessors of a packed array with its bytes.
fn check<T: Wire>(packed: PackedSlice<'_, T>, elements: &[u8]) {
    assert_eq!(packed.as_bytes(), elements, "borrowed bytes");
    assert_eq!(packed.len().checked_mul(size_of::<T>()), Some(elements.len()), "length");
    let all: Vec<T> = packed.iter().collect();
    assert_eq!(on_the_wire(&all), elements, "one by one");
    for index in [0, 1, packed.len() / 2, packed.len().wrapping_sub(1), packed.len()] {
        let expected = all.get(index).copied();
        assert_eq!(on_the_wire(packed.get(index).as_slice()), on_the_wire(expected.as_slice()));
    }
    assert_eq!(on_the_wire(&packed.to_cow()), elements, "borrowed or copied");
    let mut copy = all.clone();
    assert_eq!(packed.copy_to(&mut copy), all.len(), "copied");
    assert_eq!(on_the_wire(&copy), elements, "copied");

    let address = packed.as_bytes().as_ptr().addr();
    let is_aligned = address.checked_rem(align_of::<T>()) == Some(0);
    let is_borrowable = is_aligned && (cfg!(target_endian = "little") || size_of::<T>() == 1);
    match packed.as_native() {
        Some(native) => {
            assert!(is_borrowable || native.is_empty(), "borrowed where it cannot be");
            assert_eq!(on_the_wire(native), elements, "borrowed");
            assert!(native.is_empty() || native.as_ptr().addr() == address);
        }
        None => assert!(!is_borrowable, "not borrowed though it can be"),
    }
    assert_eq!(packed.cast::<T>().map(<[T]>::len), packed.as_native().map(<[T]>::len), "cast");
}

/// The bytes of numbers on the wire, which are little-endian.
fn on_the_wire<T: Wire>(elements: &[T]) -> Vec<u8> {
    // All kinds of packed arrays with this type of number write the same bytes.
    let mut packed =
        Kind::ALL.iter().filter(|kind| kind.shape().is_some_and(|shape| shape.is_packed));
    let numbers = packed.find_map(|kind| Numbers::of(*kind, &elements));
    let mut wire = Vec::new();
    let written = numbers.expect("a packed array of them").try_for_each_piece(|piece| {
        wire.extend_from_slice(piece);
        Ok::<_, ()>(())
    });
    assert_eq!(written, Ok(()));
    wire
}
