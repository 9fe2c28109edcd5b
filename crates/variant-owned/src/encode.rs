//! The encoder: writes the bytes that the engine of a dialect writes itself.

mod emit;
mod error;
pub(crate) mod legal;
mod options;

pub use error::{EncodeError, EncodeErrorKind};
pub use options::{EncodeOptions, Precision, Widths};

pub(crate) use emit::Emit;
pub(crate) use error::fail;

use variant_view::{Consumer, Head, Kind, Leaf, ShortText};

use crate::event::{self, GiveLeaf};
use crate::reals::MathValue;
use crate::variant::Variant;

/// Encodes a value. Give [`EncodeOptions`], or just a [`Dialect`](variant_view::Dialect) to keep all
/// widths. O(bytes).
///
/// The bytes decode to the same value; a value for which that is impossible is an error. The only silent
/// losses are those of the engine's writer: the id of a RID in dialects that do not write it, the
/// precision of floats in Godot 2, and of 64-bit reals in dialects without them.
/// [`convert`](crate::convert()) reports these, and replaces kinds that the dialect lacks by the nearest.
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
/// The first value that the dialect cannot hold, or that its reader would read differently, with its path.
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

/// Not generic, so that it is compiled once.
fn append(
    value: &Variant,
    options: EncodeOptions,
    bytes: &mut Vec<u8>,
) -> Result<usize, EncodeError> {
    let start = bytes.len();
    let mut encoder = Encoder::new(bytes, options);
    let outcome = event::feed(value, &mut encoder, &Leaves);
    let may_merge_keys = encoder.emit.may_merge_keys()
        || (encoder.emit.has_other_rule() && legal::may_merge_keys(value, options.dialect));
    let error = match outcome {
        Ok(()) if !may_merge_keys => None,
        Ok(()) => legal::merged_keys(value, bytes.get(start..).unwrap_or_default(), options),
        Err(kind) => Some(EncodeError::at(value, kind, options)),
    };
    match error {
        None => Ok(bytes.len().saturating_sub(start)),
        Some(error) => {
            bytes.truncate(start);
            Err(error)
        }
    }
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

/// Emits a value whose container lengths are known, as in owned values. Its errors have no path.
struct Encoder<'b> {
    emit: Emit<'b>,
    depth: usize,
    limit: usize,
}

impl<'b> Encoder<'b> {
    fn new(bytes: &'b mut Vec<u8>, options: EncodeOptions) -> Self {
        let limit = usize::try_from(options.depth).unwrap_or(usize::MAX);
        Self { emit: Emit::new(bytes, options), depth: 0, limit }
    }
}

impl Consumer for Encoder<'_> {
    type Error = EncodeErrorKind;

    #[cfg_attr(not(variant_small), inline(always))]
    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), EncodeErrorKind> {
        self.emit.leaf(leaf)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn short_text(&mut self, is_name: bool, text: ShortText<'_>) -> Result<(), EncodeErrorKind> {
        self.emit.short_text(is_name, text)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn enter(&mut self, head: Head<'_>) -> Result<(), EncodeErrorKind> {
        let len = head.len().unwrap_or(0);
        self.emit.head(&head, len)?;
        self.depth = self.depth.saturating_add(1);
        if self.depth > self.limit && (len > 0 || self.emit.ends_with_class()) {
            return fail(EncodeErrorKind::TooDeep);
        }
        Ok(())
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn name(&mut self, name: &[u8]) -> Result<(), EncodeErrorKind> {
        self.emit.text(name)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn exit(&mut self) -> Result<(), EncodeErrorKind> {
        self.depth = self.depth.saturating_sub(1);
        Ok(())
    }
}

/// Emits the leaves of owned values.
struct Leaves;

impl GiveLeaf<Encoder<'_>> for Leaves {
    #[cfg_attr(not(variant_small), inline(always))]
    fn give(&self, value: &Variant, encoder: &mut Encoder<'_>) -> Result<(), EncodeErrorKind> {
        let emit = &mut encoder.emit;
        match value {
            Variant::String(text) | Variant::StringName(text) => match text.as_short() {
                Some(text) => emit.short_text(matches!(value, Variant::StringName(_)), text),
                None => emit_leaf(value, emit),
            },
            Variant::Bool(value) => emit.bool(*value),
            Variant::Int(int) => emit.int(*int),
            Variant::Float(float) => emit.float(*float),
            // Frequent kinds, written directly: the generic way takes several times as many instructions.
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
