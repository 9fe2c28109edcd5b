//! The encoder: bytes that the engine of a dialect accepts, and writes itself.

use std::{mem, slice};

mod emit;
mod error;
mod lanes;
mod options;

pub use error::{EncodeError, EncodeErrorKind};
pub use options::{EncodeOptions, Precision, Widths};

pub(crate) use emit::Emit;
pub(crate) use error::fail;

use crate::text::Text;
use crate::variant::Variant;

/// The bytes of a value. O(bytes).
///
/// ```
/// use variant_owned::{EncodeOptions, Variant, encode};
/// use variant_view::Dialect;
///
/// let bytes = encode(&Variant::from("hi"), &EncodeOptions::new(Dialect::Godot4))?;
/// assert_eq!(bytes, [4, 0, 0, 0, 2, 0, 0, 0, b'h', b'i', 0, 0]);
/// # Ok::<(), variant_owned::EncodeError>(())
/// ```
///
/// # Errors
/// What the dialect cannot hold, by path and kind.
pub fn encode(value: &Variant, options: &EncodeOptions) -> Result<Vec<u8>, EncodeError> {
    let mut bytes = Vec::new();
    encode_into(value, options, &mut bytes)?;
    Ok(bytes)
}

/// Appends the bytes of a value, and says how many. O(bytes); on an error `bytes` is as it was.
///
/// # Errors
/// As [`encode`].
pub fn encode_into(
    value: &Variant,
    options: &EncodeOptions,
    bytes: &mut Vec<u8>,
) -> Result<usize, EncodeError> {
    let start = bytes.len();
    let mut emit = Emit::new(bytes, *options);
    match run(value, *options, &mut emit) {
        Ok(()) => Ok(bytes.len().saturating_sub(start)),
        Err(kind) => {
            bytes.truncate(start);
            Err(EncodeError::at(value, kind, *options))
        }
    }
}

/// The number of bytes that [`encode`] makes. O(values); encodes into a buffer that is thrown away.
///
/// # Errors
/// As [`encode`].
pub fn encoded_len(value: &Variant, options: &EncodeOptions) -> Result<usize, EncodeError> {
    encode_into(value, options, &mut Vec::new())
}

/// Emits a value; an error comes without its path.
fn run(
    value: &Variant,
    options: EncodeOptions,
    emit: &mut Emit<'_>,
) -> Result<(), EncodeErrorKind> {
    let limit = usize::try_from(options.depth).unwrap_or(usize::MAX);
    let mut around = Vec::new();
    let mut top = Rest::Elements(slice::from_ref(value).iter());
    loop {
        if let Some(children) = top.emit(emit)? {
            around.push(mem::replace(&mut top, children));
            if around.len() > limit && !top.is_empty() {
                return fail(EncodeErrorKind::TooDeep);
            }
        } else if let Some(rest) = around.pop() {
            top = rest;
        } else {
            return Ok(());
        }
    }
}

/// What is left to be emitted of a container.
enum Rest<'v> {
    Elements(slice::Iter<'v, Variant>),
    /// Pairs, and the value of one whose key was a container.
    Pairs(slice::Iter<'v, (Variant, Variant)>, Option<&'v Variant>),
    Properties(slice::Iter<'v, (Text, Variant)>),
}

impl<'v> Rest<'v> {
    fn is_empty(&self) -> bool {
        match self {
            Self::Elements(all) => all.len() == 0,
            Self::Pairs(all, _) => all.len() == 0,
            Self::Properties(all) => all.len() == 0,
        }
    }

    /// Emits up to the head of the next container, and says what is in it.
    #[inline(always)]
    fn emit(&mut self, emit: &mut Emit<'_>) -> Result<Option<Self>, EncodeErrorKind> {
        match self {
            Self::Elements(all) => {
                for value in all {
                    if let Some(children) = Self::value(value, emit)? {
                        return Ok(Some(children));
                    }
                }
            }
            Self::Pairs(all, pending) => {
                if let Some(value) = pending.take() {
                    let children = Self::other_value(value, emit)?;
                    if children.is_some() {
                        return Ok(children);
                    }
                }
                for (key, value) in all {
                    if let Some(children) = Self::value(key, emit)? {
                        *pending = Some(value);
                        return Ok(Some(children));
                    }
                    if let Some(children) = Self::value(value, emit)? {
                        return Ok(Some(children));
                    }
                }
            }
            Self::Properties(all) => {
                for (name, value) in all {
                    emit.text(name.as_bytes())?;
                    let children = Self::other_value(value, emit)?;
                    if children.is_some() {
                        return Ok(children);
                    }
                }
            }
        }
        Ok(None)
    }

    /// Emits a leaf, or the head of a container.
    #[inline(always)]
    fn value(value: &'v Variant, emit: &mut Emit<'_>) -> Result<Option<Self>, EncodeErrorKind> {
        Ok(Some(match value {
            Variant::Dictionary(dictionary) => {
                emit.dictionary(dictionary, dictionary.len())?;
                Self::Pairs(dictionary.as_slice().iter(), None)
            }
            Variant::Array(array)
            | Variant::TypedArray(array)
            | Variant::PackedTypedArray(array) => {
                emit.shell(value)?;
                Self::Elements(array.as_slice().iter())
            }
            Variant::Object(object) => match object.properties() {
                Some(properties) => {
                    emit.shell(value)?;
                    Self::Properties(properties.as_slice().iter())
                }
                None => return emit.leaf(value).map(|()| None),
            },
            leaf => return emit.leaf(leaf).map(|()| None),
        }))
    }

    /// The same, where it is not worth another copy of the code.
    #[inline(never)]
    fn other_value(
        value: &'v Variant,
        emit: &mut Emit<'_>,
    ) -> Result<Option<Self>, EncodeErrorKind> {
        Self::value(value, emit)
    }
}
