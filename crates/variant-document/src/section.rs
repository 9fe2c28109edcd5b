//! The sections of docs/spec, as file and anchor.

use std::fmt;

use variant_view::{ErrorKind, Kind, Part};

/// A section of docs/spec, printed as file and anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// A file and an anchor.
    At(&'static str),
    /// The section about a kind. Its anchor is the name of the kind.
    Of(Kind),
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(place) => f.write_str(place),
            Self::Of(kind) => write!(f, "docs/spec/format.md#{}", kind.name().to_ascii_lowercase()),
        }
    }
}

/// The section that explains an error.
pub fn of_error(error: ErrorKind) -> Section {
    match error {
        ErrorKind::Truncated { part, .. } | ErrorKind::NegativeLength { part, .. } => of_part(part),
        ErrorKind::InvalidText => TEXTS,
        ErrorKind::OldNodePath => Section::Of(Kind::NodePath),
        ErrorKind::Unsupported { .. } => PAGES,
        ErrorKind::ElementType { .. } | ErrorKind::ElementClass { .. } => TYPED,
        ErrorKind::ObjectRefused => Section::Of(Kind::Object),
        ErrorKind::NotCanonical(_) => CANONICAL,
        ErrorKind::LimitExceeded { .. } => LIMITS,
        _ => HEADER,
    }
}

fn of_part(part: Part) -> Section {
    match part {
        Part::Payload(kind) | Part::Count(kind) | Part::Elements(kind) => Section::Of(kind),
        Part::TextLength | Part::Text | Part::Padding => TEXTS,
        Part::ElementType => TYPED,
        Part::Properties => Section::Of(Kind::Object),
        _ => HEADER,
    }
}

/// The section of all texts.
pub const TEXTS: Section = Section::At("docs/spec/format.md#text");
/// The section of headers.
pub const HEADER: Section = Section::At("docs/spec/format.md#header");
/// The section of declared types.
pub const TYPED: Section = Section::At("docs/spec/format.md#typed-containers");
/// The section of length prefixes.
pub const FRAMES: Section = Section::At("docs/spec/carriers.md#frames");
const LIMITS: Section = Section::At("docs/spec/format.md#limits");
const CANONICAL: Section = Section::At("docs/spec/writing.md#normal-form");
const PAGES: Section = Section::At("docs/spec/errata.md#the-pages-as-layouts");
