//! The text that `documentation()` returns for each function.

use datafusion::logical_expr::{Documentation, scalar_doc_sections::DOC_SECTION_OTHER};
use variant_view::Dialect;

use super::{PathArgument, Row};

pub(super) fn syntax(row: &Row) -> String {
    let path = match row.path {
        PathArgument::Required => ", path",
        PathArgument::Optional => "[, path",
        PathArgument::None => "",
    };
    let dialect = "[, dialect]";
    let end = if row.path == PathArgument::Optional { "]" } else { "" };
    format!("{}(bytes{path}{dialect}{end})", row.name)
}

pub(super) fn documentation(row: &Row) -> Documentation {
    let nulls = "Null if the bytes are null or damaged, or have no such value.";
    let nulls = if row.path == PathArgument::None { "Null if the bytes are null." } else { nulls };
    let dialects: Vec<_> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
    let mut documentation =
        Documentation::builder(DOC_SECTION_OTHER, format!("{} {nulls}", row.about), syntax(row))
            .with_sql_example(format!("SELECT {} -- {}", row.example.0, row.example.1))
            .with_argument(
                "bytes",
                "A value as var_to_bytes writes it, without a length before it.",
            );
    if row.path != PathArgument::None {
        let path = "The path of the value, such as player.items[3]; by default the whole value. An invalid path is an error.";
        documentation = documentation.with_argument("path", path);
    }
    let dialect = format!(
        "The engine that wrote the bytes: {}. The default is godot4; a few bytes are not enough to detect it.",
        dialects.join(", ")
    );
    documentation.with_argument("dialect", dialect).build()
}
