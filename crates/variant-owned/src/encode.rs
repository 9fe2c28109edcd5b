//! The encoder: bytes that the engine of a dialect accepts, and writes itself.

mod emit;
mod error;
mod options;

pub use error::{EncodeError, EncodeErrorKind};
pub use options::{EncodeOptions, Precision, Widths};

pub(crate) use emit::Emit;
pub(crate) use error::fail;

use crate::tree::{Place, Visit, Walk};
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
    let mut walk = Walk::new(value);
    let limit = usize::try_from(options.depth).unwrap_or(usize::MAX);
    while let Some(visit) = walk.next() {
        let (value, place, is_container) = match visit {
            Visit::Leaf(value, place) => (value, place, false),
            Visit::Enter(value, place) => (value, place, true),
            Visit::Exit => continue,
        };
        if walk.depth() > limit.saturating_add(usize::from(is_container)) {
            return fail(EncodeErrorKind::TooDeep);
        }
        if let Place::Property(_, name) = place {
            emit.text(name.as_bytes())?;
        }
        if is_container { emit.shell(value)? } else { emit.leaf(value)? }
    }
    Ok(())
}
