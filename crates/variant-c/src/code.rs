//! [`Code`]: the result of a call.

use std::ffi::c_char;

/// The result of a call: VARIANT_OK, VARIANT_END, or one of VARIANT_ERROR_*. Later versions may add codes.
pub type Code = i32;

/// The call succeeded.
pub const VARIANT_OK: i32 = 0;
/// The iteration has no more items.
pub const VARIANT_END: i32 = 1;
/// The bytes end too early. More bytes may help.
pub const VARIANT_ERROR_TRUNCATED: i32 = 2;
/// The bytes break a rule of their dialect or profile.
pub const VARIANT_ERROR_MALFORMED: i32 = 3;
/// The bytes exceed a limit of the options, or have objects that the options refuse.
pub const VARIANT_ERROR_LIMIT: i32 = 4;
/// The value has another kind than the call expects.
pub const VARIANT_ERROR_KIND: i32 = 5;
/// No value has this key, index, path or frame number.
pub const VARIANT_ERROR_NOT_FOUND: i32 = 6;
/// The path has a syntax error.
pub const VARIANT_ERROR_PATH: i32 = 7;
/// The bytes have another format, or their dialect cannot be determined.
pub const VARIANT_ERROR_FORMAT: i32 = 8;
/// The file is encrypted, and the options have no key.
pub const VARIANT_ERROR_LOCKED: i32 = 9;
/// Decryption or decompression failed: the key is wrong, or the bytes are damaged.
pub const VARIANT_ERROR_LAYER: i32 = 10;
/// The system cannot read the file.
pub const VARIANT_ERROR_FILE: i32 = 11;
/// The dialect cannot hold the value, or the writer does not expect this call, such as variant_end without a container.
pub const VARIANT_ERROR_WRITE: i32 = 12;
/// The JSON, or the literal, cannot be read.
pub const VARIANT_ERROR_TEXT: i32 = 13;
/// An argument is wrong: a null pointer, an unknown number, a text that is not UTF-8.
pub const VARIANT_ERROR_ARGUMENT: i32 = 14;
/// A defect of this library. After it, the handle that the call used can only be freed.
pub const VARIANT_ERROR_INTERNAL: i32 = 15;

/// The name of a code in lower case, such as "truncated"; "unknown" for other numbers. The text is never freed.
#[unsafe(no_mangle)]
pub const extern "C" fn variant_code_name(code: Code) -> *const c_char {
    let name = match code {
        VARIANT_OK => c"ok",
        VARIANT_END => c"end",
        VARIANT_ERROR_TRUNCATED => c"truncated",
        VARIANT_ERROR_MALFORMED => c"malformed",
        VARIANT_ERROR_LIMIT => c"limit",
        VARIANT_ERROR_KIND => c"kind",
        VARIANT_ERROR_NOT_FOUND => c"not found",
        VARIANT_ERROR_PATH => c"path",
        VARIANT_ERROR_FORMAT => c"format",
        VARIANT_ERROR_LOCKED => c"locked",
        VARIANT_ERROR_LAYER => c"layer",
        VARIANT_ERROR_FILE => c"file",
        VARIANT_ERROR_WRITE => c"write",
        VARIANT_ERROR_TEXT => c"text",
        VARIANT_ERROR_ARGUMENT => c"argument",
        VARIANT_ERROR_INTERNAL => c"internal",
        VARIANT_ERROR_EDIT => c"edit",
        _ => c"unknown",
    };
    name.as_ptr()
}

/// The change cannot be made: nothing is at the path, several frames have the path, or the file cannot hold the value
/// there.
pub const VARIANT_ERROR_EDIT: i32 = 16;

/// The first number of the version of this header.
pub const VARIANT_MAJOR: i32 = 0;
/// The second number of the version of this header. Before version 1, versions that differ in this number may have
/// different interfaces.
pub const VARIANT_MINOR: i32 = 1;
/// The third number of the version of this header.
pub const VARIANT_PATCH: i32 = 0;

/// The version of the library, such as "0.1.0". The text is never freed.
#[unsafe(no_mangle)]
pub const extern "C" fn variant_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}
