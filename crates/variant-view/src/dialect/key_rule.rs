//! [`KeyRule`]: the equality of dictionary keys (docs/spec/format.md#key-identity).

use super::Dialect;
use crate::text::TextRule;

/// The rule of a dialect for equal keys (docs/spec/format.md#key-identity).
///
/// Keys are equal by kind and value: `1`, `1.0` and `"1"` are three keys. All NaNs are one key, and so are 0.0 and
/// -0.0, also inside vectors. Objects are never equal to a key and cannot be looked up.
///
/// ```
/// use variant_view::{Dialect, KeyRule};
///
/// assert_eq!(KeyRule::of(Dialect::Godot4), KeyRule::GODOT_4);
/// assert_ne!(KeyRule::of(Dialect::Godot3), KeyRule::GODOT_4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "each field is a difference between dialects")]
pub struct KeyRule {
    /// The rule by which the engine decodes text. By every rule, two texts that the engine reads alike are equal.
    pub(crate) text: TextRule,
    /// Whether `String` and `StringName` of equal text are one key. As elements or values they are always different.
    pub(crate) one_text_key: bool,
    /// Whether dictionaries compare by content, not by identity.
    pub(crate) dictionaries_by_content: bool,
    /// Whether a NaN inside an array, or as a value in a dictionary, is not equal to anything.
    pub(crate) nan_items_differ: bool,
    /// Whether packed arrays of 32-bit floats compare by bits. In that case, an array with a NaN is not equal to any
    /// array, even to one with the same bits.
    pub(crate) packed_floats_by_bits: bool,
    /// Whether a path without names and subnames can be absolute.
    pub(crate) absolute_empty_path: bool,
    /// Whether paths that differ only in the property flag are different keys.
    pub(crate) path_properties: bool,
}

impl KeyRule {
    /// Godot 4: `String` and `StringName` of equal text are one key; dictionaries compare by content.
    pub const GODOT_4: Self = Self::of(Dialect::Godot4);

    /// The base from which the rules of the dialects are derived.
    pub(crate) const COMMON: Self = Self {
        text: TextRule::Strict,
        one_text_key: false,
        dictionaries_by_content: false,
        nan_items_differ: false,
        packed_floats_by_bits: false,
        absolute_empty_path: false,
        path_properties: false,
    };

    /// The rule of `dialect`. O(1).
    pub const fn of(dialect: Dialect) -> Self {
        dialect.rules().keys
    }

    /// Whether `String` and `StringName` of equal text are one key. O(1).
    ///
    /// ```
    /// use variant_view::{Dialect, KeyRule};
    ///
    /// assert!(KeyRule::of(Dialect::Godot4).has_one_text_key());
    /// assert!(!KeyRule::of(Dialect::Pandemonium5).has_one_text_key());
    /// ```
    pub const fn has_one_text_key(self) -> bool {
        self.one_text_key
    }

    /// Whether a path without names and subnames keeps its absolute flag. O(1).
    pub const fn has_absolute_empty_path(self) -> bool {
        self.absolute_empty_path
    }
}

impl Default for KeyRule {
    /// [`KeyRule::GODOT_4`].
    fn default() -> Self {
        Self::GODOT_4
    }
}
