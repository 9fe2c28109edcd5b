//! [`Error`]: the details of a failure, for the caller. `Failure`: the same details before they become text.

use std::borrow::Cow;
use std::ffi::c_char;

use variant_document::query::path_to;
use variant_owned::EncodeError;
use variant_view::{Document, ErrorClass, ErrorKind, short_path};

use crate::code::{
    Code, VARIANT_ERROR_ARGUMENT, VARIANT_ERROR_INTERNAL, VARIANT_ERROR_KIND, VARIANT_ERROR_LIMIT,
    VARIANT_ERROR_MALFORMED, VARIANT_ERROR_NOT_FOUND, VARIANT_ERROR_PATH, VARIANT_ERROR_TRUNCATED,
    VARIANT_ERROR_WRITE,
};

/// The value of `offset` in an error that has no offset.
pub const VARIANT_NO_OFFSET: u64 = u64::MAX;

/// The details of a failure. The caller owns the memory, and nothing in it needs to be freed. Later versions of the
/// library do not add members.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Error {
    /// The code that the call returned.
    pub code: Code,
    /// Zero.
    pub reserved: u32,
    /// The offset of the fault in the packet, or in the plain (decrypted and decompressed) bytes of the file;
    /// VARIANT_NO_OFFSET if the failure has no offset.
    pub offset: u64,
    /// The number of the frame or setting in the file, from 1; 0 if the call was not about a file.
    pub frame: u64,
    /// The path from the value that was passed to the call to the faulty value; empty if they are the same. The middle
    /// of a path with more than about 200 characters is left out. Ends with a NUL.
    pub path: [c_char; 256],
    /// What was found, what was expected, and what to try. A long message is cut. Ends with a NUL.
    pub message: [c_char; 512],
}

/// The reason why a call failed.
#[derive(Debug)]
pub(crate) enum Failure<'a> {
    /// An iteration has no more items.
    End,
    /// Bytes cannot be read, or do not match the request. The offset of `error` counts from the start of the document,
    /// which is byte `start` of its packet or file.
    Data { document: Document<'a>, start: u64, frame: u64, error: variant_view::Error },
    /// A value cannot be written.
    Write(EncodeError),
    /// A failure of an earlier call, which the writer kept.
    Reported(Box<Error>),
    /// Any other failure. Its offset may be VARIANT_NO_OFFSET.
    At { code: Code, offset: u64, frame: u64, message: Cow<'static, str> },
}

impl Failure<'_> {
    /// A failure without an offset.
    pub(crate) fn new(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self::At { code, offset: VARIANT_NO_OFFSET, frame: 0, message: message.into() }
    }

    /// A failure for a wrong argument.
    pub(crate) const fn argument(message: &'static str) -> Self {
        let (code, offset) = (VARIANT_ERROR_ARGUMENT, VARIANT_NO_OFFSET);
        Self::At { code, offset, frame: 0, message: Cow::Borrowed(message) }
    }

    /// The failure of a call that panicked.
    pub(crate) const fn internal() -> Self {
        let message = "a defect of this library: please report it, with the input";
        let (code, offset) = (VARIANT_ERROR_INTERNAL, VARIANT_NO_OFFSET);
        Self::At { code, offset, frame: 0, message: Cow::Borrowed(message) }
    }

    /// The same failure in this frame of a file.
    pub(crate) fn in_frame(self, frame: u64) -> Self {
        match self {
            Self::Data { document, start, error, .. } => {
                Self::Data { document, start, frame, error }
            }
            Self::At { code, offset, message, .. } => Self::At { code, offset, frame, message },
            other => other,
        }
    }

    pub(crate) const fn code(&self) -> Code {
        match self {
            Self::End => crate::code::VARIANT_END,
            Self::Data { error, .. } => code_of(error),
            Self::Write(_) => VARIANT_ERROR_WRITE,
            Self::Reported(error) => error.code,
            Self::At { code, .. } => *code,
        }
    }

    /// The details for the caller. O(bytes of the document), because the path is searched.
    pub(crate) fn report(&self) -> Error {
        if let Self::Reported(error) = self {
            return **error;
        }
        let (offset, frame) = self.place();
        let path = short_path(&self.path()).into_owned();
        Error {
            code: self.code(),
            reserved: 0,
            offset,
            frame,
            path: terminated(&path),
            message: terminated(&self.message()),
        }
    }

    fn place(&self) -> (u64, u64) {
        match self {
            Self::Data { start, frame, error, .. } => {
                let inner = u64::try_from(error.offset()).unwrap_or(u64::MAX);
                (start.saturating_add(inner), *frame)
            }
            Self::At { offset, frame, .. } => (*offset, *frame),
            Self::Reported(error) => (error.offset, error.frame),
            Self::End | Self::Write(_) => (VARIANT_NO_OFFSET, 0),
        }
    }

    fn path(&self) -> String {
        match self {
            // An error at the start of the document is in its root, whose path is empty.
            Self::Data { error, .. } if error.offset() == 0 => String::new(),
            Self::Data { document, error, .. } => {
                path_to(document, error.offset()).unwrap_or_default()
            }
            Self::Write(error) => error.path().to_owned(),
            Self::End | Self::Reported(_) | Self::At { .. } => String::new(),
        }
    }

    fn message(&self) -> Cow<'_, str> {
        match self {
            Self::End | Self::Reported(_) => "".into(),
            Self::Data { start, error, .. } => {
                let start = usize::try_from(*start).unwrap_or(usize::MAX);
                format!("{}; {}", error.in_buffer(start), error.hint()).into()
            }
            Self::Write(error) => error.to_string().into(),
            Self::At { message, .. } => (&**message).into(),
        }
    }
}

const fn code_of(error: &variant_view::Error) -> Code {
    match (error.class(), error.kind()) {
        (ErrorClass::Truncated, _) => VARIANT_ERROR_TRUNCATED,
        (ErrorClass::Malformed, _) => VARIANT_ERROR_MALFORMED,
        (ErrorClass::Limit, _) => VARIANT_ERROR_LIMIT,
        (_, ErrorKind::PathSyntax { .. }) => VARIANT_ERROR_PATH,
        (
            _,
            ErrorKind::KeyNotFound { .. }
            | ErrorKind::IndexOutOfRange { .. }
            | ErrorKind::OutsideDocument,
        ) => VARIANT_ERROR_NOT_FOUND,
        _ => VARIANT_ERROR_KIND,
    }
}

/// A text in an array, with a NUL at the end. A long text is cut after a whole character.
fn terminated<const N: usize>(text: &str) -> [c_char; N] {
    let mut array = [0; N];
    let room = N.saturating_sub(1).min(text.len());
    let whole = (0..=room).rev().find_map(|end| text.get(..end)).unwrap_or_default();
    for (place, byte) in array.iter_mut().zip(whole.bytes()) {
        *place = c_char::from_ne_bytes([byte]);
    }
    array
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_after_a_whole_character() {
        let array: [c_char; 4] = terminated("a\u{e9}\u{e9}");
        assert_eq!(array.map(|byte| byte.to_ne_bytes()[0]), [b'a', 0xc3, 0xa9, 0]);
        let array: [c_char; 5] = terminated("a\u{e9}\u{e9}");
        assert_eq!(array.map(|byte| byte.to_ne_bytes()[0]), [b'a', 0xc3, 0xa9, 0, 0]);
    }
}
