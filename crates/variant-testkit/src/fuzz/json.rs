//! Fuzz target `json`.

use serde::de::IgnoredAny;
use variant_owned::EncodeOptions;
use variant_owned::json::{self, Form, JsonErrorKind};
use variant_view::{Dialect, Document, Limits, Options};

use super::choice::dialect;

/// The forms that a byte picks.
pub(super) const FORMS: [Form; 3] = [Form::Exact, Form::Native, Form::Plain];

/// Any text: it is refused where it is no JSON or not in the form, or it is a value whose JSON stands for the
/// same bytes.
pub fn check_json(data: &[u8]) {
    let Some((&choice, text)) = data.split_first() else { return };
    let (text, dialect) = (String::from_utf8_lossy(text), dialect(choice >> 2));
    let Some(form) = FORMS.iter().copied().cycle().nth(usize::from(choice & 3)) else { return };
    let encoding = EncodeOptions::new(dialect);
    let bytes = match json::read(&text, form, &encoding) {
        Ok(bytes) => bytes,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            if matches!(error.kind(), JsonErrorKind::Syntax(_)) {
                let lines = text.matches('\n').count().saturating_add(1);
                assert!((1..=lines).contains(&error.line()), "{error} of {text:?}");
                // To skip a string is not to see half of a surrogate pair in it.
                let is_json = serde_json::from_str::<serde_json::Value>(&text).is_ok();
                assert!(!is_json, "{error}, but it is JSON: {text:?}");
            }
            return;
        }
    };
    // Theirs stops at 128 levels.
    let may_be_deep = text.matches(['[', '{']).count() > 127;
    let is_json = serde_json::from_str::<IgnoredAny>(&text).is_ok();
    assert!(is_json || may_be_deep, "no JSON, but read: {text:?}");
    let document = Document::new(&bytes, Options::new(dialect).limits(Limits::ENGINE));
    let summary = document.validate().expect("what was read is a document");
    assert_eq!(summary.consumed, bytes.len(), "all of it");
    check_forms(&document, form, dialect);
}

/// JSON of each form can be written; in the form that the value came in, it stands for the same bytes.
fn check_forms(document: &Document<'_>, form: Form, dialect: Dialect) {
    for (written, is_pretty) in FORMS.into_iter().flat_map(|form| [(form, false), (form, true)]) {
        let mut text = Vec::new();
        json::write(document, written, &mut text, is_pretty).expect("JSON of a valid document");
        let text = String::from_utf8(text).expect("JSON is UTF-8");
        let is_whole = written == Form::Exact || written == form && form == Form::Native;
        if is_whole {
            let again = json::read(&text, written, &EncodeOptions::new(dialect));
            let again = again.unwrap_or_else(|error| panic!("{written:?}: {error} of {text}"));
            assert_eq!(again, document.bytes(), "{written:?}: {text}");
        }
    }
}
