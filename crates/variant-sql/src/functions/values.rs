//! The results of functions for a value.

use std::borrow::Cow;

use variant_document::count::counted;
use variant_document::query::path_to;
use variant_owned::json::{self, Form};
use variant_view::{Document, VariantView, short_path};

/// A text as the engine reads it; `None` if it is not UTF-8. A node path has U+FFFD for invalid UTF-8.
pub(super) fn text<'a>(view: &VariantView<'a>) -> Option<Cow<'a, str>> {
    if let VariantView::NodePath(path) = view {
        return Some(path.to_string().into());
    }
    view.as_str().ok().map(Cow::Borrowed)
}

/// Exact JSON. Only a document has the bytes that the field `raw` keeps, such as nonzero padding.
pub(super) fn json(document: &Document<'_>) -> Option<String> {
    let mut text = Vec::new();
    json::write(document, Form::Exact, &mut text, false).ok()?;
    String::from_utf8(text).ok()
}

pub(super) fn len(view: &VariantView<'_>) -> Option<i64> {
    let len = match view {
        VariantView::Dictionary(entries) => entries.len(),
        VariantView::PackedStringArray(texts) => texts.len(),
        VariantView::String(_) | VariantView::StringName(_) => view.as_str().ok()?.chars().count(),
        _ if view.kind().shape().is_some_and(|shape| shape.is_packed) => view.numbers()?.elements(),
        _ => view.as_array().ok()?.len(),
    };
    i64::try_from(len).ok()
}

/// The error of the bytes, with offset and path; `None` if the bytes are valid.
pub(super) fn error(document: &Document<'_>) -> Option<String> {
    let error = match document.validate() {
        Ok(summary) => {
            let behind = document.bytes().len().saturating_sub(summary.consumed);
            let what = || {
                format!("{} after the value at byte {}", counted(behind, "byte"), summary.consumed)
            };
            return (behind > 0).then(what);
        }
        Err(error) => error,
    };
    let last = document.bytes().len().saturating_sub(1);
    // If the error is at the end of the bytes, the path is that of the last value before the end.
    let path =
        path_to(document, error.offset()).or_else(|_| path_to(document, last.min(error.offset())));
    let path = path.unwrap_or_default();
    let path = if path.is_empty() { "(root)" } else { &path };
    Some(format!("{error}, path {}", short_path(path)))
}
