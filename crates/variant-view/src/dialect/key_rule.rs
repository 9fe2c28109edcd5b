//! [`KeyRule`]: which dictionary keys are the same (docs/format.md, section 6).

use super::Dialect;
use crate::text::TextRule;

/// When an engine takes two keys for the same: a row of a table, the dialect's.
///
/// In all of them by kind and value: `1`, `1.0` and `"1"` are three keys, all NaNs are one, and so are 0.0
/// and -0.0, also inside of vectors. An object is no other key's equal, nor is it found.
///
/// ```
/// use variant_view::{Dialect, KeyRule};
///
/// assert_eq!(KeyRule::of(Dialect::Godot4), KeyRule::GODOT_4);
/// assert_ne!(KeyRule::of(Dialect::Godot3), KeyRule::GODOT_4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "each is one way in which dialects differ")]
pub struct KeyRule {
    /// How text is spelled, which must not matter.
    pub(crate) text: TextRule,
    /// A `String` and a `StringName` of one text are one key; inside of arrays and as values they differ.
    pub(crate) one_text_key: bool,
    /// Dictionaries compare by content, not by identity.
    pub(crate) dictionaries_by_content: bool,
    /// A NaN inside of an array, or as the value of a dictionary, equals no other.
    pub(crate) nan_items_differ: bool,
    /// Packed arrays of 32-bit floats compare bit by bit, and with a NaN in them not at all.
    pub(crate) packed_floats_by_bits: bool,
    /// A path of neither names nor subnames may be absolute.
    pub(crate) absolute_empty_path: bool,
    /// Whether the last subname of a path is a property matters.
    pub(crate) path_properties: bool,
}

impl KeyRule {
    /// Godot 4: a `String` and a `StringName` of one text are one key, dictionaries compare by content.
    pub const GODOT_4: Self = Self::of(Dialect::Godot4);

    /// What the dialects have in common.
    pub(crate) const COMMON: Self = Self {
        text: TextRule::Strict,
        one_text_key: false,
        dictionaries_by_content: false,
        nan_items_differ: false,
        packed_floats_by_bits: false,
        absolute_empty_path: false,
        path_properties: false,
    };

    /// That of a dialect. O(1).
    pub const fn of(dialect: Dialect) -> Self {
        dialect.rules().keys
    }

    /// Whether a `String` and a `StringName` of one text are one key. O(1).
    pub const fn has_one_text_key(self) -> bool {
        self.one_text_key
    }

    /// Whether a path of neither names nor subnames is read as absolute if it says so. O(1).
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
