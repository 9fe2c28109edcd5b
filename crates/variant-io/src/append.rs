//! Writing length-prefixed values.

use std::fmt;

use variant_owned::{EncodeError, EncodeOptions, Variant, encode_into};

use crate::frame::{ByteOrder, WORD};

/// Appends a length prefix and `bytes`. O(bytes).
///
/// ```
/// use variant_io::{ByteOrder, append_frame};
///
/// let mut out = Vec::new();
/// append_frame(&mut out, &[0; 4], ByteOrder::Big)?;
/// assert_eq!(out, [0, 0, 0, 4, 0, 0, 0, 0]);
/// # Ok::<(), variant_io::AppendError>(())
/// ```
///
/// # Errors
/// [`AppendError::TooLong`]. On error, `out` is unchanged.
pub fn append_frame(out: &mut Vec<u8>, bytes: &[u8], order: ByteOrder) -> Result<(), AppendError> {
    out.extend_from_slice(&length_prefix(bytes.len(), order)?);
    out.extend_from_slice(bytes);
    Ok(())
}

/// Encodes a value in place, with a length prefix, and returns the length of the frame in bytes. O(bytes).
///
/// ```
/// use variant_io::{ByteOrder, append_value};
/// use variant_view::Dialect;
///
/// let mut out = Vec::new();
/// append_value(&mut out, &7.into(), Dialect::Godot4, ByteOrder::Little)?;
/// assert_eq!(out, [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]);
/// # Ok::<(), variant_io::AppendError>(())
/// ```
///
/// # Errors
/// [`AppendError::Value`] if the dialect cannot hold the value, and [`AppendError::TooLong`]. On error, `out` is
/// unchanged.
pub fn append_value(
    out: &mut Vec<u8>,
    value: &Variant,
    options: impl Into<EncodeOptions>,
    order: ByteOrder,
) -> Result<usize, AppendError> {
    let start = out.len();
    out.extend_from_slice(&[0; WORD]);
    let written = encode_into(value, options, out).map_err(AppendError::Value);
    let framed = written.and_then(|len| Ok((len, length_prefix(len, order)?)));
    match framed {
        Ok((len, prefix)) => {
            if let Some(place) = out.get_mut(start..).and_then(|rest| rest.first_chunk_mut()) {
                *place = prefix;
            }
            Ok(len.saturating_add(WORD))
        }
        Err(error) => {
            out.truncate(start);
            Err(error)
        }
    }
}

pub(crate) fn length_prefix(len: usize, order: ByteOrder) -> Result<[u8; WORD], AppendError> {
    let len = u32::try_from(len).map_err(|_| AppendError::TooLong(len))?;
    Ok(order.bytes(len))
}

/// The reason why a value was not appended.
///
/// ```
/// use variant_io::{AppendError, Framing};
/// use variant_owned::Object;
/// use variant_view::Dialect;
///
/// let mut writer = Framing::Bare.writer();
/// let error = writer.value(None, &Object::new("Node").into(), Dialect::Godot2).unwrap_err();
/// assert!(matches!(error, AppendError::Value(_))); // the dialect cannot hold it
/// writer.value(None, &7.into(), Dialect::Godot2)?;
/// assert_eq!(writer.bytes(None, &[0; 4]), Err(AppendError::NotAlone));
/// # Ok::<(), AppendError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AppendError {
    /// The value or name has this number of bytes. A length prefix counts at most 4,294,967,295.
    TooLong(usize),
    /// The file already has a bare value. A bare file has only one.
    NotAlone,
    /// The setting has no name.
    NoName,
    /// The file already has 4,294,967,295 settings, the maximum of its count.
    TooMany,
    /// The dialect cannot hold the value.
    Value(EncodeError),
}

impl fmt::Display for AppendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong(len) => {
                write!(
                    f,
                    "a value of {len} bytes exceeds the limit of a length prefix, 4294967295 bytes"
                )
            }
            Self::NotAlone => f.write_str("a bare file holds one value; write several as frames"),
            Self::NoName => f.write_str("the setting has no name; settings need one"),
            Self::TooMany => f.write_str("too many settings: a file holds at most 4294967295"),
            Self::Value(error) => error.fmt(f),
        }
    }
}

// `Display` includes the message of the inner error, which has no cause.
impl std::error::Error for AppendError {}

/// Values, each after a length prefix.
#[cfg(test)]
pub(crate) fn framed(values: &[&[u8]]) -> Vec<u8> {
    let mut all = Vec::new();
    for value in values {
        append_frame(&mut all, value, ByteOrder::Little).unwrap();
    }
    all
}

#[cfg(test)]
mod tests {
    use variant_owned::Object;
    use variant_view::Dialect;

    use super::*;
    use crate::frames;

    #[test]
    fn what_is_appended_is_read() {
        let options = EncodeOptions::new(Dialect::Godot4);
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let mut out = Vec::new();
            append_frame(&mut out, b"abc", order).unwrap();
            assert_eq!(append_value(&mut out, &Variant::Nil, options, order), Ok(8));
            let all: Vec<_> = frames(&out, order).map(|frame| frame.unwrap().bytes()).collect();
            assert_eq!(all, [&b"abc"[..], &[0; 4]]);
        }
    }

    #[test]
    fn what_cannot_be_written_leaves_nothing() {
        let mut out = vec![1, 2, 3];
        let object = Object::new("Node").into();
        let options = EncodeOptions::new(Dialect::Godot2);
        let error = append_value(&mut out, &object, options, ByteOrder::Little).unwrap_err();
        assert!(matches!(error, AppendError::Value(_)), "{error}");
        assert_eq!(out, [1, 2, 3]);
        #[cfg(target_pointer_width = "64")]
        {
            let error = length_prefix(1 << 32, ByteOrder::Big).unwrap_err();
            assert!(error.to_string().contains("4294967296 bytes"), "{error}");
        }
    }
}
