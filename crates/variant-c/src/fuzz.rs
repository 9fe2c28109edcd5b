//! The body of the fuzz target `c_interface`: calls in any order, on any bytes.

mod work;

use std::ffi::{CString, c_char};
use std::mem::MaybeUninit;
use std::ptr;

use crate::bytes::{Bytes, Text, variant_bytes_free};
use crate::code::{Code, VARIANT_END, VARIANT_ERROR_ARGUMENT, VARIANT_ERROR_INTERNAL, VARIANT_OK};
use crate::error::Error;
use crate::file::{
    File, variant_file_at, variant_file_count, variant_file_free, variant_file_of_bytes,
    variant_file_validate, variant_file_value, variant_file_wrap,
};
use crate::items::{Item, variant_items_of, variant_next};
use crate::leaf::{
    variant_as_bool, variant_as_bytes, variant_as_class, variant_as_double, variant_as_id,
    variant_as_int, variant_as_text, variant_as_texts,
};
use crate::numbers::{variant_as_doubles, variant_as_floats, variant_as_ints, variant_packed_of};
use crate::options::Options;
use crate::print::{variant_to_json, variant_to_text};
use crate::value::{
    Value, variant_at, variant_count, variant_get, variant_index, variant_raw, variant_read,
};
use crate::write::{
    variant_begin_array, variant_begin_dictionary, variant_begin_object, variant_end,
    variant_write_bool, variant_write_bytes, variant_write_double, variant_write_doubles,
    variant_write_floats, variant_write_int, variant_write_int32s, variant_write_json,
    variant_write_key, variant_write_literal, variant_write_null, variant_write_property,
    variant_write_text, variant_write_texts, variant_write_value,
};
use crate::writer::{Writer, variant_writer_finish, variant_writer_free, variant_writer_new};

/// The greatest number of calls, and the greatest size of the bytes that they read.
const MOST_CALLS: usize = 64;
const LONGEST: usize = 4_096;

/// The first eight bytes are options, and the next byte is the number of calls. Each call has three bytes: the
/// function, a value and an argument. The remaining bytes are read as packets and files, and texts come from them. The
/// checks: nothing crashes, each result is within the bytes that it came from, each failure has a report, and written
/// bytes can be read.
pub fn check_c_interface(data: &[u8]) {
    let Some((options, rest)) = data.split_first_chunk() else { return };
    let Some((calls, rest)) = rest.split_first() else { return };
    let len = usize::from(*calls).min(MOST_CALLS).saturating_mul(3).min(rest.len());
    let Some((program, bytes)) = rest.split_at_checked(len) else { return };
    let bytes = bytes.get(..LONGEST).unwrap_or(bytes);
    let mut machine = Machine::new(bytes, options_of(*options));
    for call in program.chunks_exact(3) {
        let &[function, value, argument] = call else { continue };
        machine.call(function, value, argument);
    }
}

fn options_of(
    [dialect, framing, reals, profile, limits, depth, values, bytes]: [u8; 8],
) -> Options {
    let dialect = [0, 2, 3, 4, 13, 14, 15, dialect].into_iter().nth(usize::from(dialect % 8));
    Options {
        // One in 64 values of `limits` makes the size of the struct wrong, which the library must refuse.
        size: if limits > 251 { 8 } else { u32::try_from(size_of::<Options>()).unwrap_or(0) },
        dialect: dialect.unwrap_or(0),
        framing: framing % 7,
        reals: reals % 4,
        profile: profile % 3,
        limits: limits % 3,
        refuse_objects: u8::from(limits & 8 != 0),
        lenient: u8::from(limits & 16 != 0),
        max_depth: u32::from(depth) / 2,
        max_values: u64::from(values) / 2,
        max_bytes: u64::from(bytes) * 8,
        max_unpacked: 1 << 20,
        ..Options::DEFAULT
    }
}

struct Machine<'d> {
    bytes: &'d [u8],
    options: Options,
    values: Vec<Value>,
    files: Vec<*mut File>,
    written: Vec<Bytes>,
    writer: *mut Writer,
}

impl<'d> Machine<'d> {
    fn new(bytes: &'d [u8], options: Options) -> Self {
        let mut writer = MaybeUninit::new(ptr::null_mut());
        // SAFETY: the options are a whole struct without pointers to texts.
        unsafe { variant_writer_new(&raw const options, Some(&mut writer), None) };
        // SAFETY: `writer` was initialised with a null pointer.
        let writer = unsafe { writer.assume_init() };
        let (values, files, written) = (vec![Value::NONE], Vec::new(), Vec::new());
        Self { bytes, options, values, files, written, writer }
    }

    fn call(&mut self, function: u8, value: u8, argument: u8) {
        let index = usize::from(value).checked_rem(self.values.len()).unwrap_or(0);
        let value = self.values.get(index).copied().unwrap_or(Value::NONE);
        let from = usize::from(argument).min(self.bytes.len());
        let rest = self.bytes.get(from..).unwrap_or_default();
        match function % 16 {
            0 => self.read(rest),
            1 => self.open(rest),
            2 => self.find(value, rest, argument),
            3 => self.iterate(value),
            4 => leaves(value),
            5 => numbers(value, usize::from(argument % 20)),
            6 => print(value, argument),
            7 => self.file(argument, rest),
            8 => self.finish(),
            9 => self.work(argument, value, rest),
            _ => self.write(function, value, argument, rest),
        }
    }

    fn read(&mut self, bytes: &[u8]) {
        let options = &raw const self.options;
        let (data, len) = (bytes.as_ptr(), bytes.len());
        // SAFETY: the bytes live until the machine is dropped.
        let read =
            checked(|value, error| unsafe { variant_read(data, len, options, value, None, error) });
        self.values.extend(read);
    }

    fn open(&mut self, bytes: &[u8]) {
        let options = &raw const self.options;
        let (data, len) = (bytes.as_ptr(), bytes.len());
        // SAFETY: the bytes live until the machine is dropped.
        let file = checked(|file, error| unsafe {
            variant_file_of_bytes(data, len, options, file, error)
        });
        self.files.extend(file);
    }

    fn find(&mut self, value: Value, rest: &[u8], index: u8) {
        let text = text_of(rest);
        let text = text.as_ptr();
        // SAFETY: the value's bytes live until the machine is dropped, and the text until the end of this function.
        let found = unsafe {
            [
                checked(|found, error| variant_at(value, text, found, error)),
                checked(|found, error| variant_get(value, text, found, error)),
                checked(|found, error| variant_index(value, index.into(), found, error)),
            ]
        };
        for found in found.into_iter().flatten() {
            assert_within(value, found.bytes, found.len);
            self.values.push(found);
        }
    }

    fn iterate(&mut self, value: Value) {
        // SAFETY: the value's bytes live until the machine is dropped.
        let items = checked(|items, error| unsafe { variant_items_of(value, items, error) });
        let Some(mut items) = items else { return };
        for _ in 0..16 {
            let mut item = MaybeUninit::<Item>::uninit();
            // SAFETY: as above.
            let code = unsafe { variant_next(Some(&mut items), Some(&mut item), None) };
            assert!(code != VARIANT_ERROR_INTERNAL, "no defect");
            if code != VARIANT_OK {
                // SAFETY: as above.
                let end = unsafe { variant_next(Some(&mut items), Some(&mut item), None) };
                assert_eq!(end, VARIANT_END, "an iteration ends after {code}");
                return;
            }
            // SAFETY: the call succeeded.
            let item = unsafe { item.assume_init() };
            assert_within(value, item.value.bytes, item.value.len);
            if !item.name.data.is_null() {
                assert_within(value, item.name.data.cast(), item.name.len);
            }
            self.values.push(item.value);
        }
    }

    fn file(&mut self, number: u8, rest: &[u8]) {
        let Some(file) = self.files.last().copied() else { return };
        // SAFETY: the handle is freed when the machine is dropped.
        let file = unsafe { file.as_ref() };
        let text = text_of(rest);
        // SAFETY: the text lives until the end of this function, and the file until the machine is dropped.
        let found = unsafe {
            checked(|count, error| variant_file_count(file, count, error));
            checked(|summary, error| variant_file_validate(file, summary, error));
            let wrapped = |bytes: Option<&mut MaybeUninit<Bytes>>,
                           error: Option<&mut MaybeUninit<Error>>| {
                variant_file_wrap(file, rest.as_ptr(), rest.len(), bytes, error)
            };
            free(checked(wrapped));
            [
                checked(|found, error| variant_file_at(file, text.as_ptr(), found, error)),
                checked(|found, error| variant_file_value(file, number.into(), found, error)),
            ]
        };
        self.values.extend(found.into_iter().flatten());
    }

    /// Ends the value of the writer. Its bytes are then read as a packet, unless the framing adds lengths.
    fn finish(&mut self) {
        // SAFETY: the handle is freed when the machine is dropped.
        let writer = unsafe { self.writer.as_mut() };
        // SAFETY: as above.
        let written =
            checked(|bytes, error| unsafe { variant_writer_finish(writer, bytes, error) });
        let Some(bytes) = written else { return };
        let reading = Options {
            profile: 0,
            limits: 0,
            max_depth: 0,
            max_values: 0,
            max_bytes: 0,
            ..self.options
        };
        let reading = Options { refuse_objects: 0, ..reading };
        if matches!(self.options.framing, 0 | 1 | 5) {
            let options = &raw const reading;
            let (data, len) = (bytes.data.cast_const(), bytes.len);
            // SAFETY: the bytes are freed when the machine is dropped.
            let read = checked(|value, error| unsafe {
                variant_read(data, len, options, value, None, error)
            });
            assert!(read.is_some(), "written bytes are read");
            self.values.extend(read);
        }
        self.written.push(bytes);
    }

    fn write(&mut self, function: u8, value: Value, argument: u8, rest: &[u8]) {
        // SAFETY: the handle is freed when the machine is dropped.
        let writer = || unsafe { self.writer.as_mut() };
        let text = text_of(rest);
        let (text, data, len) = (text.as_ptr(), rest.as_ptr(), rest.len().min(argument.into()));
        let chars: *const c_char = data.cast();
        let floats = [0.5_f32; 16];
        let (doubles, ints) = (floats.map(f64::from), [7_i32; 16]);
        let texts = [Text::from(rest)];
        let count = usize::from(function >> 4);
        // SAFETY: texts and numbers live until the end of this function, and the value's bytes longer.
        let code = unsafe {
            match argument % 20 {
                0 => variant_write_null(writer()),
                1 => variant_write_bool(writer(), argument > 99),
                2 => variant_write_int(writer(), i64::from(argument) << (function >> 2)),
                3 => variant_write_double(writer(), f64::from(argument) / 3.0),
                4 => variant_write_text(writer(), chars, len),
                5 => variant_write_key(writer(), text),
                6 => variant_write_bytes(writer(), data, len),
                7 => variant_write_texts(writer(), texts.as_ptr(), 1),
                8 => variant_write_floats(writer(), function, floats.as_ptr(), count),
                9 => variant_write_doubles(writer(), function, doubles.as_ptr(), count),
                10 => variant_write_int32s(writer(), function, ints.as_ptr(), count),
                11 => variant_write_json(writer(), chars, rest.len(), function % 4),
                12 => variant_write_literal(writer(), text),
                13 => variant_begin_array(writer()),
                14 => variant_begin_dictionary(writer()),
                15 => variant_begin_object(writer(), text),
                16 => variant_write_property(writer(), text),
                17 => variant_write_value(writer(), value, None),
                18 => {
                    let mut losses = MaybeUninit::uninit();
                    let code = variant_write_value(writer(), value, Some(&mut losses));
                    if code != VARIANT_ERROR_ARGUMENT {
                        variant_bytes_free(Some(losses.assume_init_mut()));
                    }
                    code
                }
                _ => variant_end(writer()),
            }
        };
        assert!(code != VARIANT_ERROR_INTERNAL, "no defect");
    }
}

impl Drop for Machine<'_> {
    fn drop(&mut self) {
        for bytes in &mut self.written {
            // SAFETY: the bytes came from the library, and no value is used any more.
            unsafe { variant_bytes_free(Some(bytes)) };
        }
        for file in &self.files {
            // SAFETY: the handle came from the library, and no value is used any more.
            unsafe { variant_file_free(*file) };
        }
        // SAFETY: as above.
        unsafe { variant_writer_free(self.writer) };
    }
}

/// The result of a successful call. Asserts that a failed call has a report whose texts end with a NUL.
fn checked<T>(
    call: impl FnOnce(Option<&mut MaybeUninit<T>>, Option<&mut MaybeUninit<Error>>) -> Code,
) -> Option<T> {
    let (mut result, mut error) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    let code = call(Some(&mut result), Some(&mut error));
    if code == VARIANT_OK {
        // SAFETY: a successful call has written its result.
        return Some(unsafe { result.assume_init() });
    }
    // SAFETY: a failed call has written its report.
    let error: Error = unsafe { error.assume_init() };
    assert_eq!(error.code, code, "the report has the code");
    assert!(code != VARIANT_ERROR_INTERNAL, "no defect");
    assert!(error.path.contains(&0) && error.message.contains(&0), "texts end with a NUL");
    None
}

/// Asserts that a result is inside of the bytes that it came from. This also holds for a value inside a byte array.
fn assert_within(outer: Value, data: *const u8, len: usize) {
    let (start, end) = (outer.bytes.addr(), outer.bytes.addr().saturating_add(outer.len));
    let inner = data.addr().saturating_add(len);
    assert!(len == 0 || (data.addr() >= start && inner <= end), "within the bytes");
}

/// Asserts that the result of a successful call is inside of the bytes of its value.
fn assert_result_within<T>(outer: Value, data: MaybeUninit<*const T>, len: Option<usize>) {
    if let Some(len) = len {
        // SAFETY: a successful call has written the pointer.
        assert_within(outer, unsafe { data.assume_init() }.cast(), len);
    }
}

/// A text for paths and keys: at most 40 bytes, up to the first byte that is 0 or above 126, so that the text is ASCII.
fn text_of(bytes: &[u8]) -> CString {
    let bytes = bytes.get(..40).unwrap_or(bytes);
    let text = bytes.split(|byte| *byte == 0 || *byte > 126).next().unwrap_or_default();
    CString::new(text).unwrap_or_default()
}

fn free(bytes: Option<Bytes>) {
    if let Some(mut bytes) = bytes {
        // SAFETY: the bytes came from the library.
        unsafe { variant_bytes_free(Some(&mut bytes)) };
    }
}

fn leaves(value: Value) {
    let mut bytes = MaybeUninit::uninit();
    let mut chars = MaybeUninit::uninit();
    let mut texts = [Text::NONE; 4];
    // SAFETY: the value's bytes live longer than this function.
    unsafe {
        checked(|result, error| variant_as_bool(value, result, error));
        checked(|result, error| variant_as_int(value, result, error));
        checked(|result, error| variant_as_double(value, result, error));
        checked(|result, error| variant_as_id(value, result, error));
        checked(|result, error| variant_count(value, result, error));
        checked(|count, error| variant_as_texts(value, texts.as_mut_ptr(), 4, count, error));
        let len = checked(|len, error| variant_as_bytes(value, Some(&mut bytes), len, error));
        assert_result_within(value, bytes, len);
        let len = checked(|len, error| variant_raw(value, Some(&mut bytes), len, error));
        assert_result_within(value, bytes, len);
        let len = checked(|len, error| variant_as_text(value, Some(&mut chars), len, error));
        assert_result_within(value, chars, len);
        let len = checked(|len, error| variant_as_class(value, Some(&mut chars), len, error));
        assert_result_within(value, chars, len);
    }
    for text in texts {
        assert_within(value, text.data.cast(), text.len);
    }
}

fn numbers(value: Value, capacity: usize) {
    let (mut doubles, mut floats, mut ints) =
        (vec![0.0; capacity], vec![0.0; capacity], vec![0; capacity]);
    // SAFETY: the value's bytes live longer than this function.
    let [count, others @ ..] = unsafe {
        [
            checked(|count, error| {
                variant_as_doubles(value, doubles.as_mut_ptr(), capacity, count, error)
            }),
            checked(|count, error| {
                variant_as_floats(value, floats.as_mut_ptr(), capacity, count, error)
            }),
            checked(|packed, error| variant_packed_of(value, packed, error))
                .map(|packed| packed.count),
        ]
    };
    assert!(others.iter().all(|other| *other == count), "{count:?}, {others:?}");
    // SAFETY: as above.
    let ints = unsafe {
        checked(|count, error| variant_as_ints(value, ints.as_mut_ptr(), capacity, count, error))
    };
    assert!(ints.is_none() || ints == count, "{ints:?}, {count:?}");
}

fn print(value: Value, form: u8) {
    // SAFETY: the value's bytes live longer than this function.
    unsafe {
        free(checked(|text, error| variant_to_json(value, form % 4, form > 99, text, error)));
        free(checked(|text, error| variant_to_text(value, text, error)));
    }
}
