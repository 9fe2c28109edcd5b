//! Fuzz target `json`.

use serde::de::IgnoredAny;
use variant_owned::EncodeOptions;
use variant_owned::json::{self, Form, JsonError, JsonErrorKind, LossKind};
use variant_view::{Dialect, Document, Limits, Options, Reals};

use super::choice::dialect;
use super::text::is_invisible;
use crate::one_number::{Print, one_number};

/// The forms of JSON that a byte picks.
pub(super) const FORMS: [Form; 3] = [Form::Exact, Form::Native, Form::Plain];

/// Checks a text or a document, by the first byte. A text that is not JSON must be refused. If a text is read as a
/// value, JSON must restore the bytes of the value. If an engine accepts a document, exact JSON must restore its bytes,
/// even if a tool with one number type has printed the JSON again.
pub fn check_json(data: &[u8]) {
    let Some((&choice, rest)) = data.split_first() else { return };
    let dialect = dialect(choice >> 2);
    if let Some(&form) = FORMS.get(usize::from(choice & 3)) {
        check_text_of(&String::from_utf8_lossy(rest), form, dialect);
    } else if let Some((&how, bytes)) = rest.split_first() {
        let reals = if how & 1 == 0 { Reals::ByFlag } else { Reals::Always64 };
        check_bytes(&Document::new(bytes, Options::engine(dialect).reals(reals)));
    }
}

fn check_text_of(text: &str, form: Form, dialect: Dialect) {
    // serde_json refuses the byte order mark that some editors write.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let encoding = EncodeOptions::new(dialect);
    let bytes = match json::read(text, form, encoding) {
        Ok(bytes) => bytes,
        Err(error) => return check_refusal(&error, text, form),
    };
    // serde_json stops at 128 levels, and refuses control characters in strings. The tested reader does not.
    let may_be_deep = text.matches(['[', '{']).count() > 127;
    let has_controls = form == Form::Native && text.contains(char::is_control);
    let is_json = serde_json::from_str::<IgnoredAny>(text).is_ok();
    assert!(is_json || may_be_deep || has_controls, "no JSON, but read: {text:?}");
    let document = Document::new(&bytes, Options::engine(dialect).limits(Limits::ENGINE));
    document.validate().expect("what was read is a document");
    check_forms(&document, form, dialect);
    check_bytes(&document);
}

fn check_refusal(error: &JsonError, text: &str, form: Form) {
    let message = error.to_string();
    assert!(!message.is_empty() && message.len() < text.len().saturating_add(4_000), "{message}");
    if !matches!(error.kind(), JsonErrorKind::Syntax(_)) {
        return;
    }
    let lines = text.matches('\n').count().saturating_add(1);
    assert!((1..=lines).contains(&error.line()), "{error} of {text:?}");
    // A whole value is read, because serde_json does not detect half of a surrogate pair in a skipped string.
    let is_json = serde_json::from_str::<serde_json::Value>(text).is_ok();
    assert!(!is_json, "{form:?}: {error}, but it is JSON: {text:?}");
}

/// Checks that JSON of each form can be written. Exact JSON, and native JSON if that is the input's form, must convert
/// back to the bytes of the document.
fn check_forms(document: &Document<'_>, form: Form, dialect: Dialect) {
    for (written, is_pretty) in FORMS.into_iter().flat_map(|form| [(form, false), (form, true)]) {
        let text = written_as(document, written, is_pretty);
        let is_whole = written == Form::Exact || written == form && form == Form::Native;
        if is_whole {
            let again = json::read(&text, written, dialect);
            let again = again.unwrap_or_else(|error| panic!("{written:?}: {error} of {text}"));
            assert_eq!(again, document.bytes(), "{written:?}: {text}");
        }
    }
}

fn written_as(document: &Document<'_>, form: Form, is_pretty: bool) -> String {
    let mut text = Vec::new();
    let losses = json::write(document, form, &mut text, is_pretty).expect("JSON of a document");
    assert!(form != Form::Exact || losses.is_empty(), "{losses:?}");
    let sum = LossKind::ALL.iter().map(|&kind| losses.count_of(kind)).sum::<u64>();
    assert_eq!(sum, losses.count(), "{losses:?}");
    for loss in losses.list() {
        let found = document.at(&loss.path).expect("a path that leads somewhere");
        assert_eq!(found.offset(), loss.offset, "{loss}");
    }
    let text = String::from_utf8(text).expect("JSON is UTF-8");
    let is_hidden = |c: char| is_invisible(c) && !(is_pretty && c == '\n');
    assert!(!text.contains(is_hidden), "{form:?}: {text:?}");
    text
}

/// Checks that JSON restores accepted bytes.
fn check_bytes(document: &Document<'_>) {
    if document.validate().is_err() {
        // Writing may stop at the damage but must not panic.
        let _ = json::write(document, Form::Exact, std::io::sink(), false);
        return;
    }
    let text = written_as(document, Form::Exact, false);
    check_back(&text, document);
    for print in [Print::Shortest, Print::Point, Print::Exponent] {
        if let Some(printed) = one_number(&text, print) {
            check_back(&printed, document);
        }
    }
    for form in [Form::Native, Form::Plain] {
        written_as(document, form, true);
    }
}

fn check_back(text: &str, document: &Document<'_>) {
    let parsed = json::documents(text, Form::Exact).next().expect("a document");
    let parsed = parsed.unwrap_or_else(|error| panic!("{error} of {text}"));
    let options = parsed.envelope().expect("an envelope").options();
    let bytes = parsed.encode(options).unwrap_or_else(|error| panic!("{error} of {text}"));
    assert_eq!(bytes, document.bytes(), "{text}");
}
