//! Prints a type as a tree, for people.

use std::fmt::Write as _;

use variant_view::{Kind, short_path};

use crate::style::Palette;
use variant_document::count::grouped;
use variant_document::escape::neutral;
use variant_document::shape::{Facts, Type};

pub(super) fn tree(of: &Type, palette: Palette) -> String {
    let mut out = String::new();
    write(&mut out, of, "(root)", "", 0, &palette);
    out
}

/// Writes a line for a type, and lines for the types of its fields and items. The recursion is bounded, because types
/// have a bounded depth.
fn write(out: &mut String, of: &Type, label: &str, note: &str, level: usize, palette: &Palette) {
    let indent = "  ".repeat(level);
    let kinds: Vec<_> = of.kinds.iter().map(described).collect();
    let kinds = if kinds.is_empty() { "unknown".to_owned() } else { kinds.join(" | ") };
    let open = if of.is_open { ", and others" } else { "" };
    let (key, label) = (palette.key, neutral(label));
    let (kinds, note_style) = (neutral(&kinds), palette.note);
    // Writing to a string cannot fail.
    let _ =
        writeln!(out, "{indent}{key}{label}{key:#}: {kinds}{open}{note_style}{note}{note_style:#}");
    let level = level.saturating_add(1);
    for facts in &of.kinds {
        for (name, field) in &facts.fields {
            let is_optional = facts.is_optional(field);
            let name = short_path(name);
            let label = if is_optional { format!("{name}?") } else { name.into_owned() };
            let (some, all) = (grouped(field.values), grouped(facts.values));
            let note = if is_optional { format!("  in {some} of {all}") } else { String::new() };
            write(out, field, &label, &note, level, palette);
        }
        if let Some(items) = &facts.items {
            write(out, items, "[*]", "", level, palette);
        }
    }
}

/// A kind, and the ranges of its values.
fn described(facts: &Facts) -> String {
    let mut text = facts.kind.name().to_owned();
    if let Some(class) = &facts.class {
        let _ = write!(text, " {class}");
    }
    let range =
        |low: String, high: String| if low == high { low } else { format!("{low}..{high}") };
    if let Some((low, high)) = facts.ints {
        let _ = write!(text, " {}", range(low.to_string(), high.to_string()));
    }
    if let Some((low, high)) = facts.floats {
        let _ = write!(text, " {}", range(format!("{low:?}"), format!("{high:?}")));
    }
    if let Some((low, high)) = facts.lens {
        let what = match facts.kind {
            Kind::String | Kind::StringName => "bytes",
            Kind::Dictionary if facts.items.is_some() => "pairs",
            Kind::Dictionary | Kind::Object => "",
            _ => "elements",
        };
        if !what.is_empty() {
            let _ = write!(text, ", {} {what}", range(grouped(low), grouped(high)));
        }
    }
    if facts.kind == Kind::Dictionary && facts.items.is_some() {
        let keys: Vec<_> = facts.keys.iter().map(|kind| kind.name()).collect();
        let _ = write!(text, ", keys of {}", keys.join(" or "));
    }
    text
}
