//! variant.lua: a dissector for Wireshark.

use std::fmt::Write as _;

use variant_view::{Dialect, Kind, NumberType, Shape};

use super::debugger::names as messages;
use super::json::{field_names, number};
use super::name::kind as title;

const DISSECTOR: &str = include_str!("variant.lua.in");

/// The whole text of the file.
pub(super) fn dissector() -> String {
    let default = Dialect::ALL.iter().position(|&dialect| dialect == Dialect::Godot4);
    // Lists in Lua start at 1.
    let default = default.unwrap_or_default().saturating_add(1);
    DISSECTOR
        .replace("@DIALECTS@", &dialects())
        .replace("@SHAPES@", &shapes())
        .replace("@MESSAGES@", &messages())
        .replace("@DEFAULT@", &default.to_string())
}

fn dialects() -> String {
    let mut rows = String::new();
    for &dialect in Dialect::ALL {
        // Writing to a string cannot fail.
        let _ = writeln!(
            rows,
            "    {{ title = \"{}\", header = \"{}\", count = {}, wide_scalars = {}, wide_reals = {}, typed_containers = {}, rid_payload = {},\n      object_payload = {}, old_node_path = {}, kinds = {{{} }} }},",
            dialect.title(),
            if dialect == Dialect::Godot2 { "word" } else { "low_byte" },
            dialect.kinds().len(),
            dialect.has_wide_scalars(),
            dialect.has_wide_reals(),
            dialect.has_typed_containers(),
            dialect.writes_rids(),
            dialect.writes_objects(),
            dialect.has_plain_node_paths(),
            kinds(dialect),
        );
    }
    rows
}

fn kinds(dialect: Dialect) -> String {
    let mut kinds = String::new();
    for (id, &kind) in dialect.kinds().iter().enumerate() {
        if id.is_multiple_of(8) {
            kinds.push_str("\n       ");
        }
        let _ = write!(kinds, " [{id}] = \"{}\",", title(kind));
    }
    kinds
}

fn shapes() -> String {
    let row = |kind: &Kind| {
        let shape: Shape = kind.shape()?;
        let names: Vec<_> = field_names(shape).iter().map(|name| format!("\"{name}\"")).collect();
        let names = names.join(", ");
        let number: NumberType = shape.number;
        let is_packed = shape.is_packed;
        Some(format!(
            "    {} = {{ \"{}\", {{ {names} }}, {is_packed} }},\n",
            title(*kind),
            self::number(number)
        ))
    };
    Kind::ALL.iter().filter_map(row).collect()
}
