//! Prints a type as a tree, for people.

use std::fmt::Write as _;

use serde_json::{Value, json};
use variant_view::{Dialect, Kind, PathStep, short_path};

use crate::report::or_root;
use crate::style::Palette;
use variant_document::count::grouped;
use variant_document::escape::neutral;
use variant_document::query::KeyedStep;
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

/// A path in a [`Type`], and the kinds of its values, without ranges.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) path: String,
    kinds: Vec<&'static str>,
    is_optional: bool,
    values: u64,
}

impl Place {
    /// The kinds in words.
    pub(super) fn kinds(&self) -> String {
        let optional = if self.is_optional { ", optional" } else { "" };
        format!("{}{optional}", self.kinds.join(" | "))
    }

    pub(super) fn to_json(&self) -> Value {
        let Self { path, kinds, is_optional, values } = self;
        json!({ "path": path, "kinds": kinds, "is_optional": is_optional, "values": values })
    }
}

/// All paths in a type. The path of a container comes before the paths in it.
pub(super) fn places(of: &Type) -> Vec<Place> {
    let mut places = Vec::new();
    let mut path = String::new();
    add(&mut places, of, &mut path, false);
    places
}

fn add(places: &mut Vec<Place>, of: &Type, path: &mut String, is_optional: bool) {
    let mut kinds: Vec<_> = of.kinds.iter().map(|facts| facts.kind.name()).collect();
    kinds.sort_unstable();
    let shown = or_root(path).to_owned();
    places.push(Place { path: shown, kinds, is_optional, values: of.values });
    let len = path.len();
    for facts in &of.kinds {
        for (name, field) in &facts.fields {
            KeyedStep::from(PathStep::Name(name)).push_to(path, Dialect::Godot4);
            add(places, field, path, facts.is_optional(field));
            path.truncate(len);
        }
        if let Some(items) = &facts.items {
            path.push_str("[*]");
            add(places, items, path, false);
            path.truncate(len);
        }
    }
}
