//! Writes values, converts them, and prints them.

use std::ffi::CString;
use std::ptr;

use variant::bytes::{Bytes, Text};
use variant::code::*;
use variant::kinds::*;
use variant::names::*;
use variant::options::Options;
use variant::print::*;
use variant::value::Value;
use variant::write::*;
use variant_owned::{Variant, encode};
use variant_view::Dialect;

use crate::calls::*;

fn bytes(literal: &str, dialect: Dialect) -> Vec<u8> {
    encode(&literal.parse::<Variant>().unwrap(), dialect).unwrap()
}

fn godot4() -> Write {
    Write::new(&of_dialect(VARIANT_DIALECT_GODOT4)).unwrap()
}

fn text(value: Value) -> String {
    let printed = outcome(|text, error| unsafe { variant_to_text(value, text, error) });
    String::from_utf8(take(printed.unwrap())).unwrap()
}

fn json(value: Value, form: u8) -> String {
    let printed =
        outcome(|text, error| unsafe { variant_to_json(value, form, false, text, error) });
    String::from_utf8(take(printed.unwrap())).unwrap()
}

/// Writes a list with many kinds of values.
fn all(write: &mut Write) {
    let (floats, doubles) = ([1.0_f32, 2.5], [0.1_f64]);
    let (ints, longs) = ([3, -4], [1_i64 << 40]);
    let texts = ["a", "bc"].map(|text| Text { data: text.as_ptr().cast(), len: text.len() });
    unsafe {
        variant_begin_dictionary(write.handle());
        variant_write_key(write.handle(), c"list".as_ptr());
        variant_begin_array(write.handle());
        variant_write_null(write.handle());
        variant_write_bool(write.handle(), true);
        variant_write_int(write.handle(), 7);
        variant_write_int(write.handle(), 1 << 40);
        variant_write_double(write.handle(), 0.5);
        variant_write_text(write.handle(), "Åsa".as_ptr().cast(), 4);
        variant_write_text(write.handle(), ptr::null(), 0);
        variant_write_string_name(write.handle(), "n".as_ptr().cast(), 1);
        variant_write_bytes(write.handle(), [1, 2].as_ptr(), 2);
        variant_write_texts(write.handle(), texts.as_ptr(), 2);
        variant_write_floats(write.handle(), VARIANT_KIND_VECTOR2, floats.as_ptr(), 2);
        variant_write_doubles(
            write.handle(),
            VARIANT_KIND_PACKED_FLOAT64_ARRAY,
            doubles.as_ptr(),
            1,
        );
        variant_write_int32s(write.handle(), VARIANT_KIND_VECTOR2I, ints.as_ptr(), 2);
        variant_write_int64s(write.handle(), longs.as_ptr(), 1);
        variant_write_literal(write.handle(), c"^\"a/b:c\"".as_ptr());
        variant_end(write.handle());
        variant_end(write.handle());
    }
}

const ALL: &str = r#"{"list": [null, true, 7, 1099511627776, 0.5, "Åsa", "", &"n", PackedByteArray(1, 2),
    PackedStringArray("a", "bc"), Vector2(1, 2.5), PackedFloat64Array(0.1), Vector2i(3, -4), PackedInt64Array(1099511627776),
    ^"a/b:c"]}"#;

#[test]
fn pieces_are_the_bytes_of_the_engine() {
    let mut write = godot4();
    all(&mut write);
    assert_eq!(write.finish().unwrap(), bytes(ALL, Dialect::Godot4));
    // The writer is ready for the next value.
    unsafe { variant_write_int(write.handle(), 7) };
    assert_eq!(write.finish().unwrap(), bytes("7", Dialect::Godot4));
}

#[test]
fn a_framing_writes_the_length() {
    let options = Options { framing: VARIANT_FRAMING_FRAMES, ..of_dialect(VARIANT_DIALECT_GODOT3) };
    let mut write = Write::new(&options).unwrap();
    unsafe { variant_write_int(write.handle(), 7) };
    assert_eq!(write.finish().unwrap(), [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]);
    let settings = Options { framing: VARIANT_FRAMING_SETTINGS, ..options };
    assert_eq!(Write::new(&settings).err().unwrap().code, VARIANT_ERROR_ARGUMENT);
    assert_eq!(Write::new(&of_dialect(0)).err().unwrap().code, VARIANT_ERROR_ARGUMENT);
}

#[test]
fn the_first_failure_is_reported_at_the_end() {
    let mut write = Write::new(&of_dialect(VARIANT_DIALECT_GODOT3)).unwrap();
    unsafe {
        assert_eq!(variant_begin_array(write.handle()), VARIANT_OK);
        assert_eq!(variant_write_int(write.handle(), 1), VARIANT_OK);
        let name = variant_write_string_name(write.handle(), "n".as_ptr().cast(), 1);
        assert_eq!(name, VARIANT_ERROR_WRITE);
        assert_eq!(variant_write_int(write.handle(), 1), VARIANT_ERROR_WRITE);
        assert_eq!(variant_write_key(write.handle(), ptr::null()), VARIANT_ERROR_WRITE);
    }
    let failed = write.finish().unwrap_err();
    assert_eq!((failed.code, &*failed.path), (VARIANT_ERROR_WRITE, "[1]"));
    assert!(failed.message.contains("there is no StringName in this dialect"), "{failed:?}");
    // Three failures: a value without an end, no value at all, and a wrong argument.
    unsafe { variant_begin_array(write.handle()) };
    assert!(write.finish().unwrap_err().message.contains("not complete"));
    assert!(write.finish().unwrap_err().message.contains("not complete"));
    unsafe { variant_write_key(write.handle(), ptr::null()) };
    assert_eq!(write.finish().unwrap_err().code, VARIANT_ERROR_ARGUMENT);
    let floats = [1.0_f32; 3];
    unsafe { variant_write_floats(write.handle(), VARIANT_KIND_VECTOR2, floats.as_ptr(), 3) };
    assert!(write.finish().unwrap_err().message.contains("a Vector2 does not have 3 numbers"));
    unsafe { assert_eq!(variant_write_null(None), VARIANT_ERROR_ARGUMENT) };
}

#[test]
fn an_unfinished_writer_is_freed() {
    let mut write = godot4();
    all(&mut write);
    unsafe { variant_begin_array(write.handle()) };
    drop(write);
    unsafe { variant::writer::variant_writer_free(ptr::null_mut()) };
}

#[test]
fn a_value_is_copied() {
    let packet = bytes(ALL, Dialect::Godot4);
    let root = read(&packet, &of_dialect(VARIANT_DIALECT_GODOT4)).unwrap();
    let mut write = godot4();
    unsafe { variant_write_value(write.handle(), root, None) };
    assert_eq!(write.finish().unwrap(), packet);
}

#[test]
fn a_value_is_converted_with_a_report() {
    let packet = bytes("[Vector2i(3, 4)]", Dialect::Godot4);
    let root = read(&packet, &of_dialect(VARIANT_DIALECT_GODOT4)).unwrap();
    let mut write = Write::new(&of_dialect(VARIANT_DIALECT_GODOT3)).unwrap();
    let losses: Bytes =
        outcome(|losses, _| unsafe { variant_write_value(write.handle(), root, losses) }).unwrap();
    assert_eq!(take(losses), b"[0]: Vector2i became Vector2\n");
    assert_eq!(write.finish().unwrap(), bytes("[Vector2(3, 4)]", Dialect::Godot3));
    // Without a report of losses, a conversion that changes the value is refused.
    unsafe { variant_write_value(write.handle(), root, None) };
    let failed = write.finish().unwrap_err();
    assert_eq!(failed.code, VARIANT_ERROR_WRITE);
    assert!(failed.message.contains("Vector2i"), "{failed:?}");
}

#[test]
fn json_is_read_and_printed() {
    let json_in = r#"{"hp":7,"at":[1,0.5,"x",null]}"#;
    let mut write = godot4();
    unsafe {
        variant_write_json(
            write.handle(),
            json_in.as_ptr().cast(),
            json_in.len(),
            VARIANT_JSON_PLAIN,
        );
    }
    let written = write.finish().unwrap();
    let root = read(&written, &of_dialect(VARIANT_DIALECT_GODOT4)).unwrap();
    assert_eq!(json(root, VARIANT_JSON_PLAIN), json_in);
    assert_eq!(text(root), "{\n\"hp\": 7,\n\"at\": [1, 0.5, \"x\", null]\n}");
    let exact = json(root, VARIANT_JSON_EXACT);
    unsafe {
        variant_write_json(write.handle(), exact.as_ptr().cast(), exact.len(), VARIANT_JSON_EXACT);
    }
    assert_eq!(write.finish().unwrap(), written);
    unsafe { variant_write_json(write.handle(), "{".as_ptr().cast(), 1, VARIANT_JSON_PLAIN) };
    let failed = write.finish().unwrap_err();
    assert_eq!(failed.code, VARIANT_ERROR_TEXT);
    assert!(failed.message.starts_with("line 1 column 2: invalid JSON"), "{failed:?}");
}

#[test]
fn an_object_has_a_class_and_properties() {
    let mut write = Write::new(&of_dialect(VARIANT_DIALECT_GODOT4)).unwrap();
    unsafe {
        variant_begin_object(write.handle(), c"Node".as_ptr());
        variant_write_property(write.handle(), c"hp".as_ptr());
        variant_write_int(write.handle(), 7);
        variant_end(write.handle());
    }
    let written = write.finish().unwrap();
    assert_eq!(written, b"\x18\0\0\0\x04\0\0\0Node\x01\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x07\0\0\0");
}

#[test]
fn literals_of_scripts_are_read() {
    let mut write = godot4();
    for literal in [ALL, "Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 4)"] {
        let source = CString::new(literal).unwrap();
        unsafe { variant_write_literal(write.handle(), source.as_ptr()) };
        assert_eq!(write.finish().unwrap(), bytes(literal, Dialect::Godot4));
    }
    unsafe { variant_write_literal(write.handle(), c"Vector2(".as_ptr()) };
    assert_eq!(write.finish().unwrap_err().code, VARIANT_ERROR_TEXT);
}
