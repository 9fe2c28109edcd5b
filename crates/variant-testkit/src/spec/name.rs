//! The names of kinds in docs/spec and in grammars.

use variant_view::Kind;

/// The name of a kind in docs/spec/format.md#type-ids.
pub fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Bool => "Bool",
        Kind::Int => "Int",
        Kind::Float => "Float",
        Kind::Aabb => "Aabb",
        Kind::Rid => "Rid",
        kind => kind.name(),
    }
}

/// A name in lower case with underscores: `packed_vector2i_array`.
pub(super) fn snake(name: &str) -> String {
    let mut snake = String::new();
    let mut was_small = false;
    for letter in name.chars() {
        if was_small
            && letter.is_ascii_uppercase()
            && !name.ends_with(&format!("2{letter}"))
            && !name.ends_with(&format!("3{letter}"))
        {
            snake.push('_');
        }
        was_small = !letter.is_ascii_uppercase();
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}
