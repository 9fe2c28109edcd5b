//! The encoder: writes the bytes that the engine of a dialect writes itself.

mod direct;
mod emit;
mod error;
pub(crate) mod legal;
mod options;

pub use direct::{Direct, Place};
pub use error::{EncodeError, EncodeErrorKind};
pub use options::{EncodeOptions, Precision, Widths};

pub(crate) use emit::{Emit, KeyDoubts};
pub(crate) use error::fail;

use variant_view::Kind;

use crate::event::{self, GiveLeaf, Stopped};
use crate::reals::MathValue;
use crate::variant::Variant;

/// Encodes a value by [`EncodeOptions`]. If only a [`Dialect`](variant_view::Dialect) is given, all widths are kept.
/// O(bytes).
///
/// The bytes decode to the same value; if no bytes do, the result is an error. The only unreported losses are those of
/// the engine's writer. Some dialects do not write the id of a RID. Floats in Godot 2, and 64-bit reals in dialects
/// without them, lose precision. [`convert`](crate::convert()) reports these losses, and replaces kinds that the
/// dialect lacks by the nearest kind.
///
/// ```
/// use variant_owned::{Variant, encode};
/// use variant_view::Dialect;
///
/// let bytes = encode(&Variant::from("hi"), Dialect::Godot4)?;
/// assert_eq!(bytes, [4, 0, 0, 0, 2, 0, 0, 0, b'h', b'i', 0, 0]);
/// # Ok::<(), variant_owned::EncodeError>(())
/// ```
///
/// # Errors
/// The first value that cannot be encoded, with its path: the dialect cannot hold it, or the dialect's reader would
/// read it differently.
#[doc(alias("var_to_bytes", "var2bytes", "put_var", "store_var"))]
pub fn encode(value: &Variant, options: impl Into<EncodeOptions>) -> Result<Vec<u8>, EncodeError> {
    let mut bytes = Vec::new();
    append(value, options.into(), &mut bytes)?;
    Ok(bytes)
}

/// Appends the bytes of a value; returns their number. O(bytes). On an error `bytes` is unchanged.
///
/// ```
/// use variant_owned::encode_into;
/// use variant_view::Dialect;
///
/// let mut bytes = vec![9];
/// assert_eq!(encode_into(&7.into(), Dialect::Godot4, &mut bytes)?, 8);
/// assert_eq!(bytes, [9, 2, 0, 0, 0, 7, 0, 0, 0]);
/// # Ok::<(), variant_owned::EncodeError>(())
/// ```
///
/// # Errors
/// Those of [`encode`].
pub fn encode_into(
    value: &Variant,
    options: impl Into<EncodeOptions>,
    bytes: &mut Vec<u8>,
) -> Result<usize, EncodeError> {
    append(value, options.into(), bytes)
}

fn append(
    value: &Variant,
    options: EncodeOptions,
    bytes: &mut Vec<u8>,
) -> Result<usize, EncodeError> {
    let start = bytes.len();
    let mut emit = Emit::new(bytes, options);
    write(value, &mut emit, options.depth)?;
    Ok(emit.len().saturating_sub(start))
}

/// Appends a value of at most `depth` levels. On an error the buffer is unchanged, and the path of the error starts at
/// `value`.
///
/// The function is not generic, so that it is compiled once.
pub(crate) fn write(value: &Variant, emit: &mut Emit<'_>, depth: u32) -> Result<(), EncodeError> {
    let start = emit.len();
    let around = emit.begin_tree(depth);
    let outcome = event::feed_to_end(value, emit, &Leaves);
    let doubts = emit.end_tree(around);
    let error = match outcome {
        Ok(()) if !doubts.has_changed && !doubts.has_other_rule => return Ok(()),
        Ok(()) => merged_keys(value, emit.written(start), emit.options().depth(depth), doubts),
        Err((kind, stopped)) => Some(refused(value, emit, kind, &stopped)),
    };
    match error {
        None => Ok(()),
        Some(error) => {
            emit.take_back(start);
            Err(error)
        }
    }
}

/// The error for keys that the reader of `bytes` treats as equal.
#[cold]
fn merged_keys(
    value: &Variant,
    bytes: &[u8],
    options: EncodeOptions,
    doubts: KeyDoubts,
) -> Option<EncodeError> {
    let may_merge = doubts.has_changed || legal::may_merge_keys(value, options.dialect);
    may_merge.then(|| legal::merged_keys(value, bytes, options)).flatten()
}

/// The error `kind`, with the path of the part at which the walk of `value` stopped.
#[cold]
fn refused(
    value: &Variant,
    emit: &Emit<'_>,
    kind: EncodeErrorKind,
    stopped: &Stopped<'_>,
) -> EncodeError {
    let mut steps = stopped.steps(value);
    // The error is at the first item of the container: the item is too deep, not the container.
    if kind == EncodeErrorKind::TooDeep && !emit.ends_with_class() {
        steps.extend(stopped.first_of_last(value));
    }
    EncodeError::at(kind, value, steps.into_iter(), emit.dialect())
}

/// The number of bytes that [`encode`] returns. O(bytes): encodes into a temporary buffer.
///
/// ```
/// use variant_owned::{array, encode, encoded_len};
/// use variant_view::Dialect;
///
/// let value = array![1, "two"].into();
/// let len = encoded_len(&value, Dialect::Godot4)?;
/// assert_eq!(len, encode(&value, Dialect::Godot4)?.len());
/// # Ok::<(), variant_owned::EncodeError>(())
/// ```
///
/// # Errors
/// Those of [`encode`].
pub fn encoded_len(
    value: &Variant,
    options: impl Into<EncodeOptions>,
) -> Result<usize, EncodeError> {
    append(value, options.into(), &mut Vec::new())
}

/// Emits the leaves of owned values.
struct Leaves;

impl GiveLeaf<Emit<'_>> for Leaves {
    #[cfg_attr(not(variant_small), inline(always))]
    fn give(&self, value: &Variant, emit: &mut Emit<'_>) -> Result<(), EncodeErrorKind> {
        match value {
            Variant::String(text) | Variant::StringName(text) => match text.as_short() {
                Some(text) => emit.short_text(matches!(value, Variant::StringName(_)), text),
                None => emit_leaf(value, emit),
            },
            Variant::Bool(value) => emit.bool(*value),
            Variant::Int(int) => emit.int(*int),
            Variant::Float(float) => emit.float(*float),
            // Frequent kinds are written directly: the generic way takes several times as many instructions.
            Variant::Vector2(MathValue::Single(v)) if emit.keeps_singles() => {
                emit.block(Kind::Vector2, |header| [header, v.x.to_bits(), v.y.to_bits()])
            }
            Variant::Vector3(MathValue::Single(v)) if emit.keeps_singles() => {
                let [x, y, z] = [v.x, v.y, v.z].map(f32::to_bits);
                emit.block(Kind::Vector3, |header| [header, x, y, z])
            }
            Variant::Color(color) => {
                let [red, green, blue, alpha] =
                    [color.r, color.g, color.b, color.a].map(f32::to_bits);
                emit.block(Kind::Color, |header| [header, red, green, blue, alpha])
            }
            Variant::Vector2i(v) => {
                let [x, y] = [v.x, v.y].map(i32::cast_unsigned);
                emit.block(Kind::Vector2i, |header| [header, x, y])
            }
            other => emit_leaf(other, emit),
        }
    }
}

#[inline(never)]
pub(crate) fn emit_leaf(value: &Variant, emit: &mut Emit<'_>) -> Result<(), EncodeErrorKind> {
    if let Variant::NodePath(path) = value {
        legal::unmixed_node_path(path, emit.dialect())?;
    }
    value.with_leaf(|leaf| emit.leaf(leaf))
}
