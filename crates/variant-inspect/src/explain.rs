//! Errors in detail: what was found, and what was expected.

use variant_view::{Document, Error, ErrorKind, Limit, NotCanonical, TextRule};

use crate::count::{counted, grouped};

/// What stands where it went wrong.
pub(crate) fn found(error: &Error, document: &Document<'_>) -> String {
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

/// What should have stood there.
pub(crate) fn expected(error: &Error, document: &Document<'_>) -> String {
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
        ErrorKind::InvalidText => match dialect.text_rule() {
            TextRule::Lenient => format!("UTF-8, or what {dialect} takes for it"),
            _ => "UTF-8".to_owned(),
        },
        ErrorKind::OldNodePath => "a node path as a list of names".to_owned(),
        ErrorKind::ElementClass { .. } => "a StringName".to_owned(),
        ErrorKind::ObjectRefused => "no objects but by their ids".to_owned(),
        ErrorKind::NotCanonical(NotCanonical::TrailingBytes) => "the end".to_owned(),
        ErrorKind::NotCanonical(_) => format!("what {dialect} itself writes"),
        ErrorKind::LimitExceeded { limit: Limit::Depth } => {
            format!("at most {}", counted(options.limits.depth, "level"))
        }
        ErrorKind::LimitExceeded { limit: Limit::Bytes } => {
            format!("at most {}", counted(options.limits.bytes, "byte"))
        }
        ErrorKind::LimitExceeded { limit: Limit::Values } => {
            format!("at most {}", counted(options.limits.values, "value"))
        }
        _ => "something else".to_owned(),
    }
}

/// What to try.
pub(crate) const fn hint(error: &Error) -> &'static str {
    match error.kind() {
        ErrorKind::InvalidText => {
            "the text is damaged, or of another dialect; `tree` shows it with such bytes escaped"
        }
        ErrorKind::NotCanonical(_) => "--profile engine accepts what the engine accepts",
        ErrorKind::LimitExceeded { .. } => "--limits file accepts more, if you trust the file",
        _ => error.hint(),
    }
}
