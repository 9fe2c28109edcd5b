//! The text that `documentation()` returns for each function.

use datafusion::logical_expr::{Documentation, scalar_doc_sections::DOC_SECTION_OTHER};
use variant_view::Dialect;

use super::{PathArgument, Row};

/// The syntax of a call.
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
    let nulls = "Null where the bytes are null or damaged, or have no such value.";
    let nulls =
        if row.path == PathArgument::None { "Null where the bytes are null." } else { nulls };
    let dialects: Vec<_> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
    let mut documentation =
        Documentation::builder(DOC_SECTION_OTHER, format!("{} {nulls}", row.about), syntax(row))
            .with_sql_example(format!("SELECT {} -- {}", row.example.0, row.example.1))
            .with_argument(
                "bytes",
                "A value as store_var or var_to_bytes writes it, without a length in front.",
            );
    if row.path != PathArgument::None {
        let path = "The path of the value in it, such as player.items[3]; without it, the whole. An invalid path is an error.";
        documentation = documentation.with_argument("path", path);
    }
    let dialect = format!(
        "Who wrote the bytes: {}. It is godot4 where none is named; a few bytes are too few to tell.",
        dialects.join(", ")
    );
    documentation.with_argument("dialect", dialect).build()
}
