//! Calls the functions of the C interface, and returns their results as Rust's `Result`.

use std::ffi::{CStr, CString, c_char};
use std::mem::MaybeUninit;
use std::ptr;

use variant::bytes::{Bytes, Text, variant_bytes_free};
use variant::code::{Code, VARIANT_END, VARIANT_OK};
use variant::error::Error;
use variant::file::{File, variant_file_free};
use variant::items::{Item, Items, variant_items_of, variant_next};
use variant::leaf::{variant_as_int, variant_as_text};
use variant::names::{VARIANT_DIALECT_GODOT4, VARIANT_FRAMING_FRAMES};
use variant::options::Options;
use variant::value::{Value, variant_at, variant_raw, variant_read};
use variant::writer::{Writer, variant_writer_finish, variant_writer_free, variant_writer_new};
use variant_io::{ByteOrder, Framing};
use variant_owned::{Variant, encode};
use variant_view::Dialect;

/// The details of a failure, as Rust's types.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Failed {
    pub(crate) code: Code,
    pub(crate) offset: u64,
    pub(crate) frame: u64,
    pub(crate) path: String,
    pub(crate) message: String,
}

pub(crate) type Outcome<T> = Result<T, Failed>;

fn text(array: &[c_char]) -> String {
    let bytes: Vec<u8> = array.iter().map(|byte| byte.to_ne_bytes()[0]).collect();
    CStr::from_bytes_until_nul(&bytes).unwrap().to_str().unwrap().to_owned()
}

/// The result of a call. `T` is written by a successful call, `Error` by a failed one.
pub(crate) fn outcome<T>(
    call: impl FnOnce(Option<&mut MaybeUninit<T>>, Option<&mut MaybeUninit<Error>>) -> Code,
) -> Outcome<T> {
    let (mut result, mut error) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    let code = call(Some(&mut result), Some(&mut error));
    if code == VARIANT_OK {
        return Ok(unsafe { result.assume_init() });
    }
    let Error { code: reported, offset, frame, path, message, .. } = unsafe { error.assume_init() };
    assert_eq!(reported, code);
    Err(Failed { code, offset, frame, path: text(&path), message: text(&message) })
}

/// Zeroed options, as C makes them.
pub(crate) fn options() -> Options {
    let zeroed: MaybeUninit<Options> = MaybeUninit::zeroed();
    let size = u32::try_from(size_of::<Options>()).unwrap();
    Options { size, ..unsafe { zeroed.assume_init() } }
}

pub(crate) fn of_dialect(dialect: u8) -> Options {
    Options { dialect, ..options() }
}

pub(crate) fn read(bytes: &[u8], options: &Options) -> Outcome<Value> {
    outcome(|value, error| unsafe {
        variant_read(bytes.as_ptr(), bytes.len(), options, value, None, error)
    })
}

pub(crate) fn at(value: Value, path: &str) -> Outcome<Value> {
    let path = CString::new(path).unwrap();
    outcome(|found, error| unsafe { variant_at(value, path.as_ptr(), found, error) })
}

pub(crate) fn int(value: Value) -> Outcome<i64> {
    outcome(|result, error| unsafe { variant_as_int(value, result, error) })
}

pub(crate) fn string(value: Value) -> Outcome<String> {
    let mut data = MaybeUninit::uninit();
    let len = outcome(|len, error| unsafe { variant_as_text(value, Some(&mut data), len, error) })?;
    Ok(named(Text { data: unsafe { data.assume_init() }, len }).unwrap())
}

pub(crate) fn raw<'a>(value: Value) -> Outcome<&'a [u8]> {
    let mut data = MaybeUninit::uninit();
    let len = outcome(|len, error| unsafe { variant_raw(value, Some(&mut data), len, error) })?;
    Ok(unsafe { std::slice::from_raw_parts(data.assume_init(), len) })
}

/// The text, if there is one.
pub(crate) fn named(text: Text) -> Option<String> {
    if text.data.is_null() {
        return None;
    }
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.len) };
    Some(String::from_utf8_lossy(bytes).into_owned())
}

/// The items of a container, up to the first failure.
pub(crate) fn items(container: Value) -> Outcome<Vec<Item>> {
    let mut items: Items =
        outcome(|items, error| unsafe { variant_items_of(container, items, error) })?;
    let mut all = Vec::new();
    loop {
        let mut item = MaybeUninit::uninit();
        let code = unsafe { variant_next(Some(&mut items), Some(&mut item), None) };
        match code {
            VARIANT_OK => all.push(unsafe { item.assume_init() }),
            VARIANT_END => return Ok(all),
            _ => {
                assert_eq!(unsafe { variant_next(Some(&mut items), None, None) }, VARIANT_END);
                return Ok(all);
            }
        }
    }
}

/// A copy of the bytes, which are freed.
pub(crate) fn take(mut bytes: Bytes) -> Vec<u8> {
    let copy = match bytes.len {
        0 => Vec::new(),
        len => unsafe { std::slice::from_raw_parts(bytes.data, len) }.to_vec(),
    };
    unsafe { variant_bytes_free(Some(&mut bytes)) };
    assert!(bytes.data.is_null());
    // Freed bytes may be freed again.
    unsafe { variant_bytes_free(Some(&mut bytes)) };
    copy
}

/// Frames of these values, in Godot 4.
pub(crate) fn frames(literals: &[&str]) -> Vec<u8> {
    let mut writer = Framing::Frames(ByteOrder::Little).writer();
    for literal in literals {
        let value: Variant = literal.parse().unwrap();
        writer.bytes(None, &encode(&value, Dialect::Godot4).unwrap()).unwrap();
    }
    writer.finish()
}

/// Options for [`frames`].
pub(crate) fn framed() -> Options {
    Options { framing: VARIANT_FRAMING_FRAMES, ..of_dialect(VARIANT_DIALECT_GODOT4) }
}

/// A copy of lines that the library allocated. The bytes of the library are freed.
pub(crate) fn lines(bytes: Bytes) -> String {
    String::from_utf8(take(bytes)).unwrap()
}

/// A writer that is freed when it is dropped.
pub(crate) struct Write(*mut Writer);

impl Write {
    pub(crate) fn new(options: &Options) -> Outcome<Self> {
        outcome(|writer, error| unsafe { variant_writer_new(options, writer, error) }).map(Self)
    }

    pub(crate) fn handle(&mut self) -> Option<&mut Writer> {
        unsafe { self.0.as_mut() }
    }

    pub(crate) fn finish(&mut self) -> Outcome<Vec<u8>> {
        let written =
            outcome(|bytes, error| unsafe { variant_writer_finish(self.handle(), bytes, error) });
        written.map(take)
    }
}

impl Drop for Write {
    fn drop(&mut self) {
        unsafe { variant_writer_free(self.0) };
    }
}

/// A file that is freed when it is dropped.
pub(crate) struct Opened(*mut File);

impl Opened {
    pub(crate) fn new(
        call: impl FnOnce(Option<&mut MaybeUninit<*mut File>>, Option<&mut MaybeUninit<Error>>) -> Code,
    ) -> Outcome<Self> {
        let mut file = MaybeUninit::new(ptr::dangling_mut());
        let opened = outcome(|_: Option<&mut MaybeUninit<()>>, error| call(Some(&mut file), error));
        let file = unsafe { file.assume_init() };
        assert_eq!(file.is_null(), opened.is_err());
        opened_or(file, opened.err())
    }

    pub(crate) fn handle(&self) -> Option<&File> {
        unsafe { self.0.as_ref() }
    }
}

fn opened_or(file: *mut File, failed: Option<Failed>) -> Outcome<Opened> {
    failed.map_or(Ok(Opened(file)), Err)
}

impl Drop for Opened {
    fn drop(&mut self) {
        unsafe { variant_file_free(self.0) };
    }
}
