//! Names of types and fields in programs.

use std::collections::{HashMap, HashSet};

/// `PascalCase` of a name; `Item` if nothing of it can be used.
pub(super) fn type_name(name: &str) -> String {
    let mut out = String::new();
    let mut is_start = true;
    for c in name.chars() {
        if !is_of_name(c) {
            is_start = true;
        } else if std::mem::take(&mut is_start) {
            out.extend(c.to_uppercase());
        } else {
            out.push(c);
        }
    }
    if out.starts_with(|c: char| c.is_alphabetic()) { out } else { format!("Item{out}") }
}

/// Letters and digits, but no fractions or digits in circles, which no program takes.
fn is_of_name(c: char) -> bool {
    c.is_alphabetic() || c.is_ascii_digit()
}

/// The name of one of several: `items` is of `Item`s.
pub(super) fn singular(name: &str) -> String {
    match (name.strip_suffix("ies"), name.strip_suffix('s')) {
        (Some(stem), _) if !stem.is_empty() => format!("{stem}y"),
        (_, Some(stem)) if stem.len() > 1 && !stem.ends_with('s') => stem.to_owned(),
        _ => format!("{name}_item"),
    }
}

/// `snake_case` of a name, as an identifier; `field` if nothing of it can be used. `keywords` have spaces between them.
pub(super) fn field_name(name: &str, keywords: &str) -> String {
    let (mut out, mut is_behind_lower) = (String::new(), false);
    for c in name.chars() {
        let is_lower = c.is_lowercase();
        if c.is_uppercase() {
            if is_behind_lower {
                out.push('_');
            }
            out.extend(c.to_lowercase());
        } else if is_of_name(c) {
            out.push(c);
        } else if !out.ends_with('_') {
            out.push('_');
        }
        is_behind_lower = is_lower;
    }
    if out.trim_matches('_').is_empty() {
        "field".clone_into(&mut out);
    }
    if out.starts_with(|c: char| c.is_numeric()) {
        out.insert(0, '_');
    }
    if keywords.split_whitespace().any(|word| word == out) {
        out.push('_');
    }
    out
}

/// Names of which none is given twice.
#[derive(Debug, Default)]
pub(super) struct Names {
    given: HashSet<String>,
    /// The last number behind a name.
    numbers: HashMap<String, u64>,
}

impl Names {
    /// The name, with a number behind it where it was given before. O(1) expected.
    pub(super) fn unique(&mut self, name: &str) -> String {
        let mut unique = name.to_owned();
        while !self.given.insert(unique.clone()) {
            let number = self.numbers.entry(name.to_owned()).or_insert(1);
            *number = number.saturating_add(1);
            unique = format!("{name}{number}");
        }
        unique
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_into_programs() {
        let names = ["player", "dialog_state", "odd key!", "7", "", "größe"];
        assert_eq!(
            names.map(type_name),
            ["Player", "DialogState", "OddKey", "Item7", "Item", "Größe"]
        );
        assert_eq!(
            ["items", "enemies", "class", "mods", "s"].map(singular),
            ["item", "enemy", "class_item", "mod", "s_item"]
        );
        let fields = ["maxHP", "type", "odd key!", "7", "", "HP"];
        assert_eq!(
            fields.map(|name| field_name(name, "type")),
            ["max_hp", "type_", "odd_key_", "_7", "field", "hp"]
        );
        let mut names = Names::default();
        assert_eq!(["a", "a", "b"].map(|name| names.unique(name)), ["a", "a2", "b"]);
    }
}
