//! The differences between the engines' text styles.

use variant_view::Dialect;

use super::TextStyle;

/// The text style of an engine. Only [`NumberStyle::Engine`](super::NumberStyle::Engine) uses the fields whose comments
/// end in "engine only".
#[expect(clippy::struct_excessive_bools, reason = "each field is a column of a table")]
pub(super) struct Style {
    /// The dialect whose ids order the keys of dictionaries.
    pub(super) dialect: Dialect,
    /// The parentheses of constructors.
    pub(super) parentheses: (&'static str, &'static str),
    /// The brackets of arrays.
    pub(super) brackets: (&'static str, &'static str),
    /// The end of an empty dictionary.
    pub(super) empty_closer: &'static str,
    /// The prefix of a `StringName`.
    pub(super) name_mark: char,
    /// Whether bytes are in base64 by default.
    pub(super) base64: bool,
    /// Whether `?` is escaped in names and paths; engine only.
    pub(super) escapes_question_marks: bool,
    /// Whether RIDs are printed; engine only.
    pub(super) has_rid: bool,
    /// Whether a path without names can be absolute; engine only.
    pub(super) has_root_path: bool,
    /// Whether reals are narrowed to `f32`, and integer vectors are printed through reals; engine only.
    pub(super) is_narrow: bool,
    /// Whether infinities and NaN are printed with a sign, as C does; engine only.
    pub(super) has_signs: bool,
    /// Whether vector components are compared with a tolerance.
    pub(super) has_tolerance: bool,
    /// The comparison of two keys.
    pub(super) order: Order,
}

/// The comparison of two values in an engine.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Order {
    /// The comparison before Godot 4. For arrays of any kind, it is not an order.
    Older,
    /// The comparison from Godot 4 on. `String` and `StringName` are sorted together.
    Newer,
}

impl TextStyle {
    pub(super) const fn of(self) -> &'static Style {
        match self {
            Self::Godot3 => &GODOT_3,
            Self::Godot4 => &GODOT_4,
            Self::Pandemonium3 => &PANDEMONIUM_3,
            Self::Pandemonium => &PANDEMONIUM,
        }
    }
}

const GODOT_3: Style = Style {
    dialect: Dialect::Godot3,
    parentheses: ("( ", " )"),
    brackets: ("[ ", " ]"),
    empty_closer: "\n\n}",
    name_mark: '@',
    base64: false,
    escapes_question_marks: true,
    has_rid: false,
    has_root_path: false,
    is_narrow: true,
    has_signs: true,
    has_tolerance: true,
    order: Order::Older,
};

const GODOT_4: Style = Style {
    dialect: Dialect::Godot4,
    parentheses: ("(", ")"),
    brackets: ("[", "]"),
    empty_closer: "}",
    name_mark: '&',
    base64: false,
    escapes_question_marks: false,
    has_rid: true,
    has_root_path: true,
    is_narrow: false,
    has_signs: false,
    has_tolerance: false,
    order: Order::Newer,
};

const PANDEMONIUM_3: Style = Style {
    dialect: Dialect::Pandemonium3,
    empty_closer: "\n}",
    has_signs: false,
    has_tolerance: false,
    ..GODOT_3
};

const PANDEMONIUM: Style = Style { dialect: Dialect::Pandemonium5, base64: true, ..PANDEMONIUM_3 };
