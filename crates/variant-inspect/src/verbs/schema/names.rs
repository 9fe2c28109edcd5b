//! Names of types and fields in programs.

use std::collections::{HashMap, HashSet};

use unicode_ident::{is_xid_continue, is_xid_start};

use super::program::Keeps;

/// The rules of a language.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Language {
    /// Whether programs of this language write the values that they have read, and whether the written bytes are the
    /// same.
    pub(super) keeps: Keeps,
    /// The names that a type cannot have, separated by spaces.
    pub(super) taken: &'static str,
    /// The suffix of the names of types. The type of the whole value has no suffix.
    pub(super) suffix: &'static str,
    /// The names that a field cannot have, separated by spaces.
    pub(super) reserved: &'static str,
    /// Whether all letters of names are ASCII.
    pub(super) is_ascii: bool,
}

impl Language {
    /// Whether a name can contain a character. Unicode's identifiers exclude some letters, such as circled letters.
    fn has(self, c: char) -> bool {
        c.is_ascii_alphanumeric() || !self.is_ascii && c != '_' && is_xid_continue(c)
    }

    /// A name in `PascalCase`; `Item` if none of its characters can be used.
    pub(super) fn type_name(self, name: &str) -> String {
        let mut out = String::new();
        let mut is_start = true;
        for c in name.chars() {
            if !self.has(c) {
                is_start = true;
            } else if std::mem::take(&mut is_start) {
                out.extend(c.to_uppercase());
            } else {
                out.push(c);
            }
        }
        if out.starts_with(is_xid_start) { out } else { format!("Item{out}") }
    }

    /// A name in `snake_case`, as an identifier; `field` if none of its characters can be used.
    pub(super) fn field_name(self, name: &str) -> String {
        let (mut out, mut is_behind_lower) = (String::new(), false);
        for c in name.chars() {
            let is_lower = c.is_lowercase();
            if !self.has(c) {
                if !out.ends_with('_') {
                    out.push('_');
                }
            } else if c.is_uppercase() {
                if is_behind_lower {
                    out.push('_');
                }
                out.extend(c.to_lowercase());
            } else {
                out.push(c);
            }
            is_behind_lower = is_lower;
        }
        if out.trim_matches('_').is_empty() {
            "field".clone_into(&mut out);
        }
        if !out.starts_with(|c| c == '_' || is_xid_start(c)) {
            out.insert(0, '_');
        }
        if self.reserved.split_whitespace().any(|word| word == out) {
            out.push('_');
        }
        out
    }
}

/// The singular of a name: `item` for `items`.
pub(super) fn singular(name: &str) -> String {
    match (name.strip_suffix("ies"), name.strip_suffix('s')) {
        (Some(stem), _) if !stem.is_empty() => format!("{stem}y"),
        (_, Some(stem)) if stem.len() > 1 && !stem.ends_with('s') => stem.to_owned(),
        _ => format!("{name}_item"),
    }
}

#[derive(Debug, Default)]
pub(super) struct Names {
    given: HashSet<String>,
    /// The last number that was added to each name.
    numbers: HashMap<String, u64>,
}

impl Names {
    /// Returns the name. If the name was returned before, adds a number to it. O(1) expected.
    pub(super) fn unique(&mut self, name: &str) -> String {
        let mut unique = name.to_owned();
        while !self.given.insert(unique.clone()) {
            let number = self.numbers.entry(name.to_owned()).or_insert(1);
            *number = number.saturating_add(1);
            unique = format!("{name}{number}");
        }
        unique
    }

    /// Frees a name that was not used.
    pub(super) fn release(&mut self, name: &str) {
        self.given.remove(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_into_programs() {
        let rust = Language { reserved: "type", ..Language::default() };
        let names = ["player", "dialog_state", "odd key!", "7", "", "größe", "Ⓐb", "\u{301}a"];
        assert_eq!(
            names.map(|name| rust.type_name(name)),
            ["Player", "DialogState", "OddKey", "Item7", "Item", "Größe", "B", "Item\u{301}a"]
        );
        assert_eq!(
            ["items", "enemies", "class", "mods", "s"].map(singular),
            ["item", "enemy", "class_item", "mod", "s_item"]
        );
        let fields = ["maxHP", "type", "odd key!", "7", "", "HP", "größe", "Ⓐ", "\u{301}a"];
        assert_eq!(
            fields.map(|name| rust.field_name(name)),
            ["max_hp", "type_", "odd_key_", "_7", "field", "hp", "größe", "field", "_\u{301}a"]
        );
        let ascii = Language { is_ascii: true, ..rust };
        assert_eq!(["größe", "Äa"].map(|name| ascii.field_name(name)), ["gr_e", "_a"]);
        assert_eq!(["größe", "Äa"].map(|name| ascii.type_name(name)), ["GrE", "A"]);
        let mut names = Names::default();
        assert_eq!(["a", "a", "b"].map(|name| names.unique(name)), ["a", "a2", "b"]);
    }
}
