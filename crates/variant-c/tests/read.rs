//! Reads packets.

use std::mem::MaybeUninit;
use std::ptr;

use variant::code::*;
use variant::error::VARIANT_NO_OFFSET;
use variant::items::Item;
use variant::kinds::*;
use variant::leaf::*;
use variant::names::*;
use variant::numbers::*;
use variant::options::*;
use variant::value::*;
use variant_owned::{Variant, encode};
use variant_view::Dialect;

use crate::calls::*;

/// The bytes of a literal in Godot 4.
fn bytes(literal: &str) -> Vec<u8> {
    encode(&literal.parse::<Variant>().unwrap(), Dialect::Godot4).unwrap()
}

fn godot4() -> Options {
    of_dialect(VARIANT_DIALECT_GODOT4)
}

const PACKET: &str =
    r#"{"player": {"name": "Åsa", "hp": [7, 8]}, 5: true, "at": Vector2(1, 2.5), "f": 0.5}"#;

#[test]
fn a_path_selects_a_value() {
    let packet = bytes(PACKET);
    let root = read(&packet, &godot4()).unwrap();
    assert_eq!((root.kind, root.offset, root.len), (VARIANT_KIND_DICTIONARY, 0, packet.len()));
    assert_eq!(int(at(root, "player.hp[-1]").unwrap()), Ok(8));
    assert_eq!(string(at(root, "player.name").unwrap()).unwrap(), "Åsa");
    // A path can begin at a value that another path selected.
    let player = at(root, "player").unwrap();
    assert_eq!(int(at(player, "hp[0]").unwrap()), Ok(7));
    assert_eq!(raw(at(root, "player.hp[0]").unwrap()).unwrap(), [2, 0, 0, 0, 7, 0, 0, 0]);
    let flag = at(root, "[5]").unwrap();
    assert_eq!(outcome(|result, error| unsafe { variant_as_bool(flag, result, error) }), Ok(true));
    let half = at(root, "f").unwrap();
    assert_eq!(outcome(|result, error| unsafe { variant_as_double(half, result, error) }), Ok(0.5));
}

#[test]
fn a_key_and_an_index_select_a_value() {
    let packet = bytes(PACKET);
    let root = read(&packet, &godot4()).unwrap();
    let player =
        outcome(|found, error| unsafe { variant_get(root, c"player".as_ptr(), found, error) });
    let hp = outcome(|found, error| unsafe {
        variant_get(player.unwrap(), c"hp".as_ptr(), found, error)
    });
    let hp = hp.unwrap();
    let second = outcome(|found, error| unsafe { variant_index(hp, 1, found, error) });
    assert_eq!(int(second.unwrap()), Ok(8));
    let third = outcome(|found, error| unsafe { variant_index(hp, 2, found, error) });
    assert_eq!(third.unwrap_err().code, VARIANT_ERROR_NOT_FOUND);
    let missing =
        outcome(|found, error| unsafe { variant_get(root, c"mp".as_ptr(), found, error) });
    assert_eq!(missing.unwrap_err().code, VARIANT_ERROR_NOT_FOUND);
    let wrong = outcome(|found, error| unsafe { variant_get(hp, c"mp".as_ptr(), found, error) });
    assert_eq!(wrong.unwrap_err().code, VARIANT_ERROR_KIND);
}

#[test]
fn an_error_has_offset_path_and_message() {
    let packet = bytes(PACKET);
    let root = read(&packet, &godot4()).unwrap();
    let name = at(root, "player.name").unwrap();
    let failed = int(name).unwrap_err();
    assert_eq!((failed.code, failed.offset, &*failed.path), (VARIANT_ERROR_KIND, name.offset, ""));
    assert!(failed.message.starts_with("expected int, found String at byte 4"), "{failed:?}");

    let failed = at(root, "player.mp").unwrap_err();
    assert_eq!(failed.code, VARIANT_ERROR_NOT_FOUND);
    assert!(failed.message.starts_with("no key \"mp\" at path column 6"), "{failed:?}");
    assert_eq!(at(root, "player[").unwrap_err().code, VARIANT_ERROR_PATH);

    // The second element of the array is cut.
    let end = usize::try_from(at(root, "player.hp[1]").unwrap().offset).unwrap();
    let failed = read(&packet[..end + 6], &godot4()).unwrap_err();
    assert_eq!(
        (failed.code, failed.offset),
        (VARIANT_ERROR_TRUNCATED, u64::try_from(end + 4).unwrap())
    );
    assert_eq!(failed.path, "player.hp[1]");
}

#[test]
fn limits_are_checked() {
    let packet = bytes("[[[1]]]");
    for limited in [
        Options { max_depth: 2, ..godot4() },
        Options { max_values: 3, ..godot4() },
        Options { max_bytes: 24, ..godot4() },
    ] {
        assert_eq!(read(&packet, &limited).unwrap_err().code, VARIANT_ERROR_LIMIT);
    }
    let within = Options { max_depth: 3, max_values: 4, max_bytes: 32, ..godot4() };
    assert!(read(&packet, &within).is_ok());
    let object = b"\x18\0\0\0\x04\0\0\0Node\0\0\0\0";
    assert!(read(object, &godot4()).is_ok());
    for refusing in [
        Options { refuse_objects: 1, ..godot4() },
        Options { limits: VARIANT_LIMITS_SERVER, ..godot4() },
    ] {
        assert_eq!(read(object, &refusing).unwrap_err().code, VARIANT_ERROR_LIMIT);
    }
    // The bytes below are `true`, written as 2. An engine reads them, but never writes them.
    let canonical = Options { profile: VARIANT_PROFILE_CANONICAL, ..godot4() };
    assert!(read(&[1, 0, 0, 0, 2, 0, 0, 0], &godot4()).is_ok());
    let failed = read(&[1, 0, 0, 0, 2, 0, 0, 0], &canonical).unwrap_err();
    assert_eq!(failed.code, VARIANT_ERROR_MALFORMED);
}

#[test]
fn a_dialect_is_detected() {
    let value: Variant = r#"{"hp": 7}"#.parse().unwrap();
    for (dialect, number) in
        [(Dialect::Godot3, VARIANT_DIALECT_GODOT3), (Dialect::Godot4, VARIANT_DIALECT_GODOT4)]
    {
        let packet = encode(&value, dialect).unwrap();
        assert_eq!(read(&packet, &options()).unwrap().dialect, number);
    }
    assert_eq!(read(b"not a value", &options()).unwrap_err().code, VARIANT_ERROR_FORMAT);
}

#[test]
fn bytes_after_a_packet_are_not_a_part_of_it() {
    let packet = [bytes("7"), vec![1, 2, 3]].concat();
    let mut summary = MaybeUninit::uninit();
    let root = outcome(|value, error| unsafe {
        let summary = Some(&mut summary);
        variant_read(packet.as_ptr(), packet.len(), &godot4(), value, summary, error)
    });
    assert_eq!(root.unwrap().len, 8);
    let Summary { bytes, values, frames, depth, .. } = unsafe { summary.assume_init() };
    assert_eq!((bytes, values, frames, depth), (8, 1, 1, 0));
}

#[test]
fn items_have_keys_and_names() {
    let packet = bytes(PACKET);
    let root = read(&packet, &godot4()).unwrap();
    let pairs = items(root).unwrap();
    let names: Vec<_> = pairs.iter().map(|item| named(item.name)).collect();
    let name = |text: &str| Some(text.to_owned());
    assert_eq!(names, [name("player"), None, name("at"), name("f")]);
    assert_eq!(int(pairs[1].key), Ok(5));
    let elements = items(at(root, "player.hp").unwrap()).unwrap();
    let ints: Vec<_> = elements.iter().map(|item| int(item.value).unwrap()).collect();
    assert_eq!(ints, [7, 8]);
    assert!(elements.iter().all(|item: &Item| item.key.bytes.is_null()));
    // A Node with the property `hp`.
    let object = b"\x18\0\0\0\x04\0\0\0Node\x01\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x07\0\0\0";
    let object = read(object, &godot4()).unwrap();
    let properties = items(object).unwrap();
    assert_eq!(named(properties[0].name).unwrap(), "hp");
    assert_eq!(int(properties[0].value), Ok(7));
    assert_eq!(items(properties[0].value).unwrap_err().code, VARIANT_ERROR_KIND);
    let count = |value| outcome(|count, error| unsafe { variant_count(value, count, error) });
    assert_eq!((count(root), count(object)), (Ok(4), Ok(1)));
    assert_eq!(count(properties[0].value).unwrap_err().code, VARIANT_ERROR_KIND);
    let class = outcome(|len, error| unsafe {
        variant_as_class(object, Some(&mut MaybeUninit::uninit()), len, error)
    });
    assert_eq!(class, Ok(4));
}

#[test]
fn numbers_are_copied_and_borrowed() {
    let packet = bytes("[Vector2(1, 2.5), PackedInt32Array(1, -2, 3), PackedFloat64Array(0.1)]");
    let root = read(&packet, &godot4()).unwrap();
    let mut doubles = [0.0; 4];
    let mut copy = |path| {
        let value = at(root, path).unwrap();
        doubles = [0.0; 4];
        let count = outcome(|count, error| unsafe {
            variant_as_doubles(value, doubles.as_mut_ptr(), 4, count, error)
        });
        doubles[..count.unwrap()].to_vec()
    };
    assert_eq!(copy("[0]"), [1.0, 2.5]);
    assert_eq!(copy("[1]"), [1.0, -2.0, 3.0]);
    assert_eq!(copy("[2]"), [0.1]);
    // An array that is too short receives the first numbers.
    let mut ints = [0; 2];
    let value = at(root, "[1]").unwrap();
    let count = outcome(|count, error| unsafe {
        variant_as_ints(value, ints.as_mut_ptr(), 2, count, error)
    });
    assert_eq!((count, ints), (Ok(3), [1, -2]));
    let count = outcome(|count, error| unsafe {
        variant_as_floats(value, ptr::null_mut(), 0, count, error)
    });
    assert_eq!(count, Ok(3));
    let floats = at(root, "[0]").unwrap();
    let refused = outcome(|count, error| unsafe {
        variant_as_ints(floats, ints.as_mut_ptr(), 2, count, error)
    });
    assert_eq!(refused.unwrap_err().code, VARIANT_ERROR_KIND);
    let found: Packed =
        outcome(|packed, error| unsafe { variant_packed_of(value, packed, error) }).unwrap();
    assert_eq!((found.count, found.number, found.per_element), (3, VARIANT_NUMBER_INT32, 1));
    let is_aligned = found.data.addr().is_multiple_of(4);
    assert_eq!(found.is_native == 1, is_aligned && cfg!(target_endian = "little"));
    if found.is_native == 1 {
        let ints = unsafe { std::slice::from_raw_parts(found.data.cast::<i32>(), found.count) };
        assert_eq!(ints, [1, -2, 3]);
    }
}

#[test]
fn texts_and_bytes_are_borrowed() {
    let packet = bytes(r#"[PackedStringArray("a", "bc"), PackedByteArray(1, 2), RID()]"#);
    let root = read(&packet, &godot4()).unwrap();
    let mut texts = [MaybeUninit::uninit(); 2];
    let value = at(root, "[0]").unwrap();
    let count = outcome(|count, error| unsafe {
        variant_as_texts(value, texts.as_mut_ptr().cast(), 2, count, error)
    });
    assert_eq!(count, Ok(2));
    let texts = texts.map(|text| named(unsafe { text.assume_init() }).unwrap());
    assert_eq!(texts, ["a", "bc"]);
    let value = at(root, "[1]").unwrap();
    let mut data: MaybeUninit<*const u8> = MaybeUninit::uninit();
    let len = outcome(|len, error| unsafe { variant_as_bytes(value, Some(&mut data), len, error) })
        .unwrap();
    let found = unsafe { std::slice::from_raw_parts(data.assume_init(), len) };
    assert_eq!(found, [1, 2]);
    assert!(packet.as_ptr_range().contains(&found.as_ptr()));
    let value = at(root, "[2]").unwrap();
    assert_eq!(outcome(|id, error| unsafe { variant_as_id(value, id, error) }), Ok(0));
}

#[test]
fn wrong_arguments_are_failures() {
    let packet = bytes("7");
    let wrong = |code: Code| assert_eq!(code, VARIANT_ERROR_ARGUMENT);
    let root = read(&packet, &godot4()).unwrap();
    unsafe {
        wrong(variant_read(ptr::null(), 4, &godot4(), None, None, None));
        wrong(variant_read(packet.as_ptr(), 8, &godot4(), None, None, None));
        wrong(variant_read(packet.as_ptr(), usize::MAX, &godot4(), None, None, None));
        wrong(variant_as_int(root, None, None));
        wrong(variant_at(root, ptr::null(), None, None));
        wrong(variant_at(root, c"\xff".as_ptr(), None, None));
        wrong(variant_as_doubles(root, ptr::null_mut(), 1, None, None));
        wrong(variant::items::variant_next(None, None, None));
    }
    let empty = Value { bytes: ptr::null(), ..root };
    let failed = int(empty).unwrap_err();
    assert_eq!((failed.code, failed.offset), (VARIANT_ERROR_ARGUMENT, VARIANT_NO_OFFSET));
    for forged in
        [Value { dialect: 99, ..root }, Value { dialect: 0, ..root }, Value { reals: 9, ..root }]
    {
        assert_eq!(int(forged).unwrap_err().code, VARIANT_ERROR_ARGUMENT);
    }
    for options in [
        Options { size: 0, ..godot4() },
        of_dialect(99),
        Options { profile: 9, ..godot4() },
        Options { limits: 9, ..godot4() },
        Options { reals: 9, ..godot4() },
    ] {
        assert_eq!(
            read(&packet, &options).unwrap_err().code,
            VARIANT_ERROR_ARGUMENT,
            "{options:?}"
        );
    }
}

#[test]
fn options_of_a_later_version_must_not_use_what_the_library_lacks() {
    /// Options with a further member.
    #[repr(C)]
    struct Later {
        options: Options,
        member: u64,
    }
    let size = u32::try_from(size_of::<Later>()).unwrap();
    let packet = bytes("7");
    let read = |member| {
        let later = Later { options: Options { size, ..godot4() }, member };
        let options = (&raw const later).cast();
        outcome(|value, error| unsafe {
            variant_read(packet.as_ptr(), packet.len(), options, value, None, error)
        })
    };
    assert_eq!(int(read(0).unwrap()), Ok(7));
    assert_eq!(read(1).unwrap_err().code, VARIANT_ERROR_ARGUMENT);
}
