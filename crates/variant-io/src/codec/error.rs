//! [`CodecError`]: the reason why a stream ended or a value was not sent.

use std::fmt;
use std::io;

use crate::append::AppendError;
use crate::frame::FrameError;

/// The reason why a stream ended or a value was not sent; from [`VariantCodec`](crate::VariantCodec).
///
/// ```
/// use bytes::BytesMut;
/// use tokio_util::codec::Decoder;
/// use variant_io::{CodecError, VariantCodec};
/// use variant_view::Dialect;
///
/// let mut codec = VariantCodec::server(Dialect::Godot4).max_in(1 << 16);
/// match codec.decode(&mut BytesMut::from(&[0xff; 4][..])) {
///     Err(CodecError::Frame { position, error }) => {
///         assert_eq!((position, error.max_len()), (0, Some(1 << 16)));
///     }
///     other => panic!("{other:?}"),
/// }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum CodecError {
    /// A received frame exceeds the limit, or the stream ended inside it.
    Frame {
        /// The offset in the stream of the length prefix.
        position: u64,
        /// The fault of the frame. Its offsets count from the length prefix.
        error: FrameError,
    },
    /// The stream ended inside a frame that was being skipped.
    CutWhileSkipping {
        /// The offset at which the stream ended.
        position: u64,
        /// The number of bytes missing from the frame.
        missing: u32,
    },
    /// The value exceeds [`VariantCodec::max_out`](crate::VariantCodec::max_out).
    TooLong {
        /// The length of the value in bytes.
        len: usize,
        /// The limit in bytes.
        max_len: u32,
    },
    /// The value cannot be encoded.
    Append(AppendError),
    /// A received value is not of the expected type.
    #[cfg(feature = "serde")]
    Decode {
        /// The offset in the stream after the value's frame.
        position: u64,
        /// Why the value is not of this type. Offsets count from the start of the value.
        error: variant_serde::Error,
    },
    /// A Rust value cannot be encoded.
    #[cfg(feature = "serde")]
    Encode(variant_serde::Error),
    /// Reading from or writing to the stream failed.
    Io(io::Error),
}

impl From<io::Error> for CodecError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<AppendError> for CodecError {
    fn from(error: AppendError) -> Self {
        Self::Append(error)
    }
}

impl fmt::Display for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Frame { position, error } => {
                write!(f, "byte {position} of the stream: {}", error.problem())
            }
            Self::CutWhileSkipping { position, missing } => write!(
                f,
                "byte {position} of the stream: the stream ended inside a skipped frame, {missing} bytes \
                 are missing"
            ),
            Self::TooLong { len, max_len } => {
                write!(
                    f,
                    "a value of {len} bytes exceeds the limit of {max_len} bytes for a sent frame"
                )
            }
            Self::Append(error) => error.fmt(f),
            #[cfg(feature = "serde")]
            Self::Decode { position, error } => {
                write!(f, "the value that ends at byte {position} of the stream: {error}")
            }
            #[cfg(feature = "serde")]
            Self::Encode(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CodecError {
    // `Display` includes the message of the inner error, so `source` skips the inner error and returns the cause of the
    // inner error.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Frame { error, .. } => error.source(),
            Self::Append(error) => error.source(),
            #[cfg(feature = "serde")]
            Self::Decode { error, .. } | Self::Encode(error) => error.source(),
            Self::Io(error) => error.source(),
            Self::CutWhileSkipping { .. } | Self::TooLong { .. } => None,
        }
    }
}
