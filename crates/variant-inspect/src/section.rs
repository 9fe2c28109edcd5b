//! The sections of docs/format.md.

use variant_view::{ErrorKind, Kind, Part};

/// The section that explains an error.
pub(crate) const fn of_error(error: ErrorKind) -> &'static str {
    match error {
        ErrorKind::Truncated { part, .. } | ErrorKind::NegativeLength { part, .. } => of_part(part),
        ErrorKind::InvalidText => TEXTS,
        ErrorKind::OldNodePath => of_kind(Kind::NodePath),
        ErrorKind::Unsupported { .. } => "3.1, The pages as layouts of their own",
        ErrorKind::ElementType { .. } | ErrorKind::ElementClass { .. } => TYPED,
        ErrorKind::ObjectRefused => of_kind(Kind::Object),
        ErrorKind::NotCanonical(_) => "2.17, Writing",
        ErrorKind::LimitExceeded { .. } => "2.13, Limits and errors",
        _ => HEADER,
    }
}

const fn of_part(part: Part) -> &'static str {
    match part {
        Part::Payload(kind) | Part::Count(kind) | Part::Elements(kind) => of_kind(kind),
        Part::TextLength | Part::Text | Part::Padding => TEXTS,
        Part::ElementType => TYPED,
        Part::Properties => of_kind(Kind::Object),
        _ => HEADER,
    }
}

/// The section that explains values of `kind`.
pub(crate) const fn of_kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Nil | Kind::Bool | Kind::Int | Kind::Float => "2.2, Scalars",
        Kind::String | Kind::StringName => TEXTS,
        Kind::NodePath => "2.5, NodePath",
        Kind::Rid => "2.6, RID",
        Kind::Object => "2.7, Object",
        Kind::Callable | Kind::Signal => "2.8, Callable and Signal",
        Kind::Dictionary | Kind::Array => "2.9, Dictionary and Array",
        Kind::TypedArray | Kind::PackedTypedArray => TYPED,
        Kind::Image | Kind::InputEvent => "2.15, Godot 1/2 Image and InputEvent",
        _ => match kind.shape() {
            Some(shape) if !shape.is_packed => "2.4, Fixed-size mathematical types",
            _ => "2.11, Packed (pool) arrays",
        },
    }
}

/// The section of all texts.
pub(crate) const TEXTS: &str = "2.3, Strings";
/// The section of headers.
pub(crate) const HEADER: &str = "2.1, Header";
/// The section of declared types.
pub(crate) const TYPED: &str = "2.10, Typed containers";
/// The section of length prefixes.
pub(crate) const FRAMES: &str = "4.1, Streams, files, packets";
