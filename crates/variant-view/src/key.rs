//! Which dictionary keys are the same (docs/format.md, section 6): decided here, for look-ups, the index, the
//! canonical profile and owned dictionaries.
//!
//! Whoever has a key says what it is made of, part by part ([`KeyPart`]): out of bytes (`key/wire.rs`), or, in
//! `variant-owned`, out of values. Parts are compared and hashed in one place (`key/part.rs`), under the
//! [`KeyRule`] of the dialect.

mod part;
mod text;
mod wire;
#[cfg(test)]
pub(crate) mod work;

pub use part::{KeyBody, KeyPart, KeyPlace};
pub(crate) use text::is_same as is_same_text;
pub(crate) use wire::compare;

pub use crate::dialect::KeyRule;

impl KeyRule {
    /// Whether the engine reads `text`, as it stands on the wire, as `wanted`, which is as the engine has it: without
    /// a NUL. O(bytes of the shorter).
    #[inline]
    pub fn is_text(self, text: &[u8], wanted: &[u8]) -> bool {
        is_same_text(text, wanted, self.text)
    }
}
