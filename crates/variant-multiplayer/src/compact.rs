//! The compact form of Godot 4's multiplayer, for consecutive values (docs/spec/multiplayer.md, section 5).
//!
//! An `int` takes 2, 3, 5 or 9 bytes, the fewest that can represent it. A `bool` takes 1 byte. All other values, and
//! all values inside containers, have the ordinary form. [`CompactValues`](crate::CompactValues) reads the compact
//! form.
//!
//! ```
//! use variant_multiplayer::{CompactValues, compact};
//! use variant_owned::Variant;
//! use variant_view::Dialect;
//!
//! let mut row = compact::encode(&Variant::from(300), Dialect::Godot4)?;
//! assert_eq!(row, [0x42, 0x2c, 1]);
//! compact::encode_into(&"orc".into(), Dialect::Godot4, &mut row)?;
//! let values = CompactValues::new(&row, Dialect::Godot4);
//! let values: Vec<Variant> = values.iter().map(|value| Variant::from_view(&value?)).collect::<Result<_, _>>()?;
//! assert_eq!(values, [Variant::from(300), "orc".into()]);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

use variant_owned::{EncodeError, EncodeOptions, Variant};
use variant_view::{Dialect, Document, VariantView};

/// Encodes a value in the compact form. O(bytes).
///
/// ```
/// use variant_multiplayer::compact;
/// use variant_owned::Variant;
/// use variant_view::Dialect;
///
/// assert_eq!(compact::encode(&true.into(), Dialect::Godot4)?, [0x81]);
/// assert_eq!(compact::encode(&7.into(), Dialect::Godot4)?, [2, 7]);
/// assert_eq!(compact::encode(&Variant::Nil, Dialect::Godot4)?, [0, 0, 0, 0]); // the ordinary form
/// # Ok::<(), variant_owned::EncodeError>(())
/// ```
///
/// # Errors
/// Those of [`encode`](variant_owned::encode()).
pub fn encode(value: &Variant, options: impl Into<EncodeOptions>) -> Result<Vec<u8>, EncodeError> {
    let mut bytes = Vec::new();
    encode_into(value, options, &mut bytes)?;
    Ok(bytes)
}

/// Appends a value in the compact form. Returns the number of its bytes. O(bytes). On an error, `bytes` is unchanged.
///
/// ```
/// use variant_multiplayer::compact;
/// use variant_view::Dialect;
///
/// let mut row = Vec::new();
/// for hp in [7, 300, -1] {
///     compact::encode_into(&hp.into(), Dialect::Godot4, &mut row)?;
/// }
/// assert_eq!(row.len(), 2 + 3 + 2); // 24 bytes in the ordinary form
/// # Ok::<(), variant_owned::EncodeError>(())
/// ```
///
/// # Errors
/// Those of [`encode`](variant_owned::encode()).
pub fn encode_into(
    value: &Variant,
    options: impl Into<EncodeOptions>,
    bytes: &mut Vec<u8>,
) -> Result<usize, EncodeError> {
    let start = bytes.len();
    match *value {
        // The compact form is written directly, since the ordinary `int` of some dialects is too narrow for all values.
        Variant::Bool(value) => push_bool(value, bytes),
        Variant::Int(value) => push_int(value.value(), bytes),
        _ => return variant_owned::encode_into(value, options, bytes),
    }
    Ok(bytes.len().saturating_sub(start))
}

/// Converts a value from the ordinary form to the compact form. The value is `bytes[start..]`, and any encoder may have
/// written it. O(1). Does not change bytes that are not a value.
///
/// ```
/// use variant_multiplayer::compact;
/// use variant_view::Dialect;
///
/// let mut bytes = vec![9, 2, 0, 0, 0, 7, 0, 0, 0];
/// compact::in_place(&mut bytes, 1, Dialect::Godot4);
/// assert_eq!(bytes, [9, 2, 7]);
/// ```
pub fn in_place(bytes: &mut Vec<u8>, start: usize, dialect: Dialect) {
    // Only `bool` and `int` have a compact form. Other kinds return here, because creating a view of them may take
    // O(bytes).
    let Some(value @ [BOOL | INT, ..]) = bytes.get(start..) else { return };
    match Document::new(value, dialect).root() {
        Ok(VariantView::Bool(view)) => {
            let value = view.value();
            bytes.truncate(start);
            push_bool(value, bytes);
        }
        Ok(VariantView::Int(view)) => {
            let value = view.value();
            bytes.truncate(start);
            push_int(value, bytes);
        }
        _ => {}
    }
}

/// Appends an `int` in 2, 3, 5 or 9 bytes. O(1) amortized.
///
/// ```
/// use variant_multiplayer::compact;
///
/// let mut row = Vec::new();
/// compact::push_int(-1, &mut row);
/// compact::push_int(300, &mut row);
/// assert_eq!(row, [2, 0xff, 0x42, 0x2c, 1]);
/// ```
pub fn push_int(value: i64, bytes: &mut Vec<u8>) {
    if let Ok(value) = i8::try_from(value) {
        bytes.extend_from_slice(&[INT, value.cast_unsigned()]);
    } else if let Ok(value) = i16::try_from(value) {
        let [a, b] = value.to_le_bytes();
        bytes.extend_from_slice(&[INT | 1 << 6, a, b]);
    } else if let Ok(value) = i32::try_from(value) {
        let [a, b, c, d] = value.to_le_bytes();
        bytes.extend_from_slice(&[INT | 2 << 6, a, b, c, d]);
    } else {
        bytes.push(INT | 3 << 6);
        bytes.extend_from_slice(&value.to_le_bytes());
    }
}

/// Appends a `bool` in 1 byte. O(1) amortized.
///
/// ```
/// use variant_multiplayer::compact;
///
/// let mut row = Vec::new();
/// compact::push_bool(true, &mut row);
/// compact::push_bool(false, &mut row);
/// assert_eq!(row, [0x81, 1]);
/// ```
pub fn push_bool(value: bool, bytes: &mut Vec<u8>) {
    bytes.push(if value { BOOL | 0x80 } else { BOOL });
}

/// The ids of the kinds `bool` and `int`, which are the same in every dialect.
const BOOL: u8 = 1;
const INT: u8 = 2;
