//! Writing frames.

use std::fmt;

use variant_owned::{EncodeError, EncodeOptions, Variant, encode_into};

use crate::frame::{ByteOrder, WORD};

/// Appends a frame of these bytes. O(bytes).
///
/// # Errors
/// [`AppendError::TooLong`]; `out` is then as it was.
pub fn append_frame(out: &mut Vec<u8>, bytes: &[u8], order: ByteOrder) -> Result<(), AppendError> {
    out.extend_from_slice(&length_word(bytes.len(), order)?);
    out.extend_from_slice(bytes);
    Ok(())
}

/// Appends a frame of a value, which is written where it will stand, and says how many bytes the frame takes.
/// O(bytes).
///
/// ```
/// use variant_io::{ByteOrder, append_value};
/// use variant_owned::EncodeOptions;
/// use variant_view::Dialect;
///
/// let mut out = Vec::new();
/// append_value(&mut out, &7.into(), &EncodeOptions::new(Dialect::Godot4), ByteOrder::Little)?;
/// assert_eq!(out, [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]);
/// # Ok::<(), variant_io::AppendError>(())
/// ```
///
/// # Errors
/// What the dialect cannot hold, and [`AppendError::TooLong`]; `out` is then as it was.
pub fn append_value(
    out: &mut Vec<u8>,
    value: &Variant,
    options: &EncodeOptions,
    order: ByteOrder,
) -> Result<usize, AppendError> {
    let start = out.len();
    out.extend_from_slice(&[0; WORD]);
    let written = encode_into(value, options, out).map_err(AppendError::Value);
    let word = written.and_then(|len| Ok((len, length_word(len, order)?)));
    match word {
        Ok((len, word)) => {
            if let Some(place) = out.get_mut(start..).and_then(|rest| rest.first_chunk_mut()) {
                *place = word;
            }
            Ok(len.saturating_add(WORD))
        }
        Err(error) => {
            out.truncate(start);
            Err(error)
        }
    }
}

pub(crate) fn length_word(len: usize, order: ByteOrder) -> Result<[u8; WORD], AppendError> {
    let word = u32::try_from(len).map_err(|_| AppendError::TooLong(len))?;
    Ok(order.bytes(word))
}

/// What keeps a value from being put into a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AppendError {
    /// It has so many bytes, and a length word says no more than 4 GiB.
    TooLong(usize),
    /// The dialect cannot hold it.
    Value(EncodeError),
}

impl fmt::Display for AppendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong(len) => {
                write!(f, "a value of {len} bytes is too long for a frame, which has 4 GiB at most")
            }
            Self::Value(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for AppendError {
    // Display has said what the error inside says.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::TooLong(_) => None,
            Self::Value(error) => error.source(),
        }
    }
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
            assert_eq!(append_value(&mut out, &Variant::Nil, &options, order), Ok(8));
            let all: Vec<_> = frames(&out, order).map(|frame| frame.unwrap().bytes()).collect();
            assert_eq!(all, [&b"abc"[..], &[0; 4]]);
        }
    }

    #[test]
    fn what_cannot_be_written_leaves_nothing() {
        let mut out = vec![1, 2, 3];
        let object = Object::new("Node").into();
        let options = EncodeOptions::new(Dialect::Godot2);
        let error = append_value(&mut out, &object, &options, ByteOrder::Little).unwrap_err();
        assert!(matches!(error, AppendError::Value(_)), "{error}");
        assert_eq!(out, [1, 2, 3]);
        #[cfg(target_pointer_width = "64")]
        {
            let error = length_word(1 << 32, ByteOrder::Big).unwrap_err();
            assert!(error.to_string().contains("4294967296 bytes"), "{error}");
        }
    }
}
