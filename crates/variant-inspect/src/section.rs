//! The sections of docs/spec, as file and anchor.

use variant_view::{ErrorKind, Kind, Part};

/// The section that explains an error.
pub(crate) fn of_error(error: ErrorKind) -> String {
    match error {
        ErrorKind::Truncated { part, .. } | ErrorKind::NegativeLength { part, .. } => of_part(part),
        ErrorKind::InvalidText => TEXTS.to_owned(),
        ErrorKind::OldNodePath => of_kind(Kind::NodePath),
        ErrorKind::Unsupported { .. } => PAGES.to_owned(),
        ErrorKind::ElementType { .. } | ErrorKind::ElementClass { .. } => TYPED.to_owned(),
        ErrorKind::ObjectRefused => of_kind(Kind::Object),
        ErrorKind::NotCanonical(_) => CANONICAL.to_owned(),
        ErrorKind::LimitExceeded { .. } => LIMITS.to_owned(),
        _ => HEADER.to_owned(),
    }
}

fn of_part(part: Part) -> String {
    match part {
        Part::Payload(kind) | Part::Count(kind) | Part::Elements(kind) => of_kind(kind),
        Part::TextLength | Part::Text | Part::Padding => TEXTS.to_owned(),
        Part::ElementType => TYPED.to_owned(),
        Part::Properties => of_kind(Kind::Object),
        _ => HEADER.to_owned(),
    }
}

/// The section that explains values of `kind`. Each kind has one, which is called as the kind is.
pub(crate) fn of_kind(kind: Kind) -> String {
    format!("{KINDS}{}", kind.name().to_lowercase())
}

const KINDS: &str = "docs/spec/format.md#";
/// The section of all texts.
pub(crate) const TEXTS: &str = "docs/spec/format.md#text";
/// The section of headers.
pub(crate) const HEADER: &str = "docs/spec/format.md#header";
/// The section of declared types.
pub(crate) const TYPED: &str = "docs/spec/format.md#typed-containers";
/// The section of length prefixes.
pub(crate) const FRAMES: &str = "docs/spec/carriers.md#frames";
const LIMITS: &str = "docs/spec/format.md#limits";
const CANONICAL: &str = "docs/spec/writing.md#normal-form";
const PAGES: &str = "docs/spec/errata.md#the-pages-as-layouts";
