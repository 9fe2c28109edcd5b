//! [`Stop`]: the reason why a comparison ended early.

use std::error::Error as StdError;
use std::fmt;

use variant_io::ValueError;
use variant_view::Error;

use super::difference::Side;
use crate::plain::Piece;

/// The reason why a comparison ended early.
#[derive(Clone, Debug)]
pub enum Stop<'a, E> {
    /// A value of one of the files is damaged.
    Data {
        /// The file.
        side: Side,
        /// The value of the file.
        piece: Piece<'a>,
        /// The damage. Its offset counts from the start of the piece.
        error: Error,
    },
    /// One of the files ends inside a value, or lacks a value.
    Cut {
        /// The file.
        side: Side,
        /// The fault. [`Plain::cut`](crate::Plain::cut) formats it.
        error: ValueError,
    },
    /// The error of the sink.
    Caller(E),
}

impl<E> Stop<'_, E> {
    pub(super) fn cut(side: Side) -> impl FnOnce(ValueError) -> Self {
        move |error| Self::Cut { side, error }
    }
}

impl<E: fmt::Display> fmt::Display for Stop<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Data { side, piece, error } => {
                let called = piece.called().map(|called| format!(", {called}"));
                let (called, at) = (called.unwrap_or_default(), piece.absolute(error.offset()));
                write!(f, "{side}{called}: {} at byte {at}", error.kind())
            }
            Self::Cut { side, error } => write!(f, "{side}: {error}"),
            Self::Caller(error) => error.fmt(f),
        }
    }
}

impl<E: StdError> StdError for Stop<'_, E> {}
