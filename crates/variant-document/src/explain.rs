//! Details of an error in the data: the found bytes, the expected bytes, and advice.

use variant_view::{Document, Error, ErrorKind, Limit, Limits, NotCanonical};

use crate::count::{counted, grouped};

/// The data found at the error.
pub fn found(error: &Error, document: &Document<'_>) -> String {
    match error.kind() {
        ErrorKind::Truncated { available, .. } => {
            format!("{} to the end", counted(available, "byte"))
        }
        ErrorKind::UnknownType { header } => {
            format!("header word 0x{header:08x}, type number {}", header & 0xff)
        }
        ErrorKind::NegativeLength { part, value } => format!("{part} of {}", grouped(value)),
        ErrorKind::InvalidText => {
            let rest = document.bytes().get(error.offset()..).unwrap_or_default();
            let bytes: Vec<_> = rest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
            format!("bytes {}", bytes.join(" "))
        }
        ErrorKind::OldNodePath => "a node path as one plain string".to_owned(),
        ErrorKind::ElementType { id } => format!("element type {id}"),
        ErrorKind::ElementClass { header } => format!("header word 0x{header:08x}"),
        ErrorKind::ObjectRefused => "an object with class and properties".to_owned(),
        ErrorKind::NotCanonical(what) => what.to_string(),
        ErrorKind::LimitExceeded { limit } => format!("more {limit}"),
        other => other.to_string(),
    }
}

/// The data expected at the error.
pub fn expected(error: &Error, document: &Document<'_>) -> String {
    let options = document.options();
    let dialect = options.dialect;
    match error.kind() {
        ErrorKind::Truncated { part, needed, .. } => {
            format!("{} of {part}", counted(needed, "byte"))
        }
        ErrorKind::UnknownType { .. } | ErrorKind::ElementType { .. } => {
            let last = dialect.kinds().len().saturating_sub(1);
            format!("a type number of {dialect}, 0 to {last}")
        }
        ErrorKind::NegativeLength { .. } => "at most 2,147,483,647".to_owned(),
        ErrorKind::InvalidText if dialect.has_strict_text() => "UTF-8".to_owned(),
        ErrorKind::InvalidText => format!("UTF-8, or bytes that {dialect} accepts as text"),
        ErrorKind::Unsupported { .. } => "a type with a layout in the documentation".to_owned(),
        ErrorKind::OldNodePath => "a node path as a list of names".to_owned(),
        ErrorKind::ElementClass { .. } => "a StringName".to_owned(),
        ErrorKind::ObjectRefused => "objects by id only".to_owned(),
        ErrorKind::NotCanonical(NotCanonical::TrailingBytes) => "the end of the data".to_owned(),
        ErrorKind::NotCanonical(_) => format!("bytes that {dialect} would write"),
        ErrorKind::LimitExceeded { limit: Limit::Depth } => {
            format!("at most {}", counted(options.limits.depth, "level"))
        }
        ErrorKind::LimitExceeded { limit: Limit::Bytes } => {
            format!("at most {}", counted(options.limits.bytes, "byte"))
        }
        ErrorKind::LimitExceeded { limit: Limit::Values } => {
            format!("at most {}", counted(options.limits.values, "value"))
        }
        _ => "other data".to_owned(),
    }
}

/// A hint for the user.
pub fn hint(error: &Error, document: &Document<'_>) -> &'static str {
    let limits = document.options().limits;
    match error.kind() {
        ErrorKind::InvalidText => {
            "the text is damaged, or of another dialect; `tree` shows it with invalid bytes escaped"
        }
        ErrorKind::NotCanonical(_) => "--profile engine accepts everything that the engine reads",
        ErrorKind::LimitExceeded { limit: Limit::Depth } if limits.depth >= Limits::FILE.depth => {
            "no engine reads deeper values; the data is damaged, or of another dialect"
        }
        ErrorKind::LimitExceeded { .. } if limits == Limits::FILE => {
            "this is the highest limit; the data is damaged, or of another dialect"
        }
        ErrorKind::LimitExceeded { .. } => "--limits file accepts more, for trusted files",
        _ => error.hint(),
    }
}
