//! Equality of dictionary keys (docs/spec/format.md#key-identity), for look-ups, the tape, the canonical profile
//! and owned dictionaries.
//!
//! A key is a sequence of [`KeyPart`]s. `key/wire.rs` makes the parts from bytes, `variant-owned` makes them from
//! values. Only `key/part.rs` compares and hashes parts, by the [`KeyRule`] of the dialect.
//!
//! ```
//! use variant_view::internal::KeyPlace;
//! use variant_view::{Dialect, Key, KeyRule};
//!
//! let (string, name) = (Key::String(b"hp").part(), Key::StringName(b"hp").part());
//! let is_one = |dialect| string.is_same(&name, KeyRule::of(dialect), KeyPlace::Key);
//! assert!(is_one(Dialect::Godot4) && !is_one(Dialect::Pandemonium5));
//! ```

mod part;
mod short;
mod text;
mod wire;
#[cfg(test)]
pub(crate) mod work;

pub use part::{KeyBody, KeyPart, KeyPlace};
pub(crate) use short::{ShortKey, TextValue};
pub(crate) use text::is_same as is_same_text;
pub(crate) use wire::{compare, hash};

pub use crate::dialect::KeyRule;

impl KeyRule {
    /// Whether the engine reads the wire bytes `text` as `wanted`. `wanted` is text as the engine reads it,
    /// without a NUL. O(bytes of the shorter text).
    ///
    /// ```
    /// use variant_view::KeyRule;
    ///
    /// assert!(KeyRule::GODOT_4.is_text("\u{feff}hp\0rest".as_bytes(), b"hp"));
    /// ```
    #[inline]
    pub fn is_text(self, text: &[u8], wanted: &[u8]) -> bool {
        is_same_text(text, wanted, self.text)
    }
}
