//! Makes Python's errors.

use std::io;
use std::path::Path;

use pyo3::exceptions::{PyIsADirectoryError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::PyType;
use variant_document::convert::Loss;
use variant_document::count::counted;
use variant_document::merge;
use variant_document::migration::MigrationError;
use variant_document::output::OutputError;
use variant_document::query::{ROOT, path_to};
use variant_document::{EditError, Piece, Plain};
use variant_io::{OpenError, RewrapError, ValueError};
use variant_owned::EncodeError;
use variant_view::{Dialect, Document, Error, ErrorClass, short_path};

use crate::classes::{Classes, classes, named};
use crate::diff::Conflict;

/// The known facts of an error.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(crate) offset: Option<u64>,
    pub(crate) path: Option<String>,
    /// The index of the frame, from 0. The errors of Python have the number of the frame, from 1.
    pub(crate) frame: Option<u64>,
    pub(crate) found: Option<String>,
    pub(crate) expected: Option<String>,
    pub(crate) category: Option<&'static str>,
}

impl Facts {
    /// The error of the class that `class` chooses.
    fn raise(self, py: Python<'_>, class: fn(&Classes) -> &Py<PyType>, message: &str) -> PyErr {
        let raised = || {
            let facts = named(
                py,
                [
                    ("offset", self.offset.into_pyobject(py)?),
                    ("path", self.path.into_pyobject(py)?),
                    ("frame", self.frame.map(|frame| frame.saturating_add(1)).into_pyobject(py)?),
                    ("found", self.found.into_pyobject(py)?),
                    ("expected", self.expected.into_pyobject(py)?),
                    ("category", self.category.into_pyobject(py)?),
                ],
            )?;
            class(classes(py)?).bind(py).call((message,), Some(&facts))
        };
        raised().map_or_else(|error| error, PyErr::from_value)
    }
}

/// An error of reading a value. `document` is the frame that contains the value. It starts at byte `start` of the file.
pub(crate) fn read(
    py: Python<'_>,
    document: &Document<'_>,
    error: &Error,
    start: usize,
    frame: Option<u64>,
) -> PyErr {
    let at = start.saturating_add(error.offset());
    let path = path_to(document, error.offset()).ok();
    let facts = Facts {
        offset: u64::try_from(at).ok(),
        path,
        frame,
        found: Some(error.kind().to_string()),
        expected: Some(error.hint().to_owned()),
        category: Some(category(error.class())),
    };
    let message = format!("{} at byte {at}: {}", error.kind(), error.hint());
    match error.class() {
        ErrorClass::Mismatch => facts.raise(py, |classes| &classes.path_error, &message),
        _ => facts.raise(py, |classes| &classes.decode_error, &message),
    }
}

/// The error for damage in a value of a file. The offset of `error` counts from the start of the value.
pub(crate) fn piece(py: Python<'_>, file: Plain<'_>, piece: &Piece<'_>, error: &Error) -> PyErr {
    read(py, &file.document(piece.bytes), error, piece.start, piece.number.checked_sub(1))
}

/// The error for a file that ends within a value. `frame` is the index of this value, if it is known.
pub(crate) fn cut(
    py: Python<'_>,
    file: Plain<'_>,
    error: &ValueError,
    frame: Option<u64>,
) -> PyErr {
    let facts = Facts {
        offset: u64::try_from(file.absolute(error.offset())).ok(),
        path: Some(String::new()),
        frame,
        found: Some(error.to_string()),
        expected: Some("the file was cut short, or has another framing".to_owned()),
        category: Some("truncated"),
    };
    facts.raise(py, |classes| &classes.decode_error, &error.to_string())
}

/// The error for a path that is invalid or has no value.
pub(crate) fn path(py: Python<'_>, message: &str, path: &str) -> PyErr {
    let facts =
        Facts { path: Some(path.to_owned()), category: Some("mismatch"), ..Facts::default() };
    facts.raise(py, |classes| &classes.path_error, message)
}

/// The error for a value that cannot be written. `path` leads to the value.
pub(crate) fn encode(py: Python<'_>, error: &EncodeError, path: &str) -> PyErr {
    encode_at(py, &error.kind().to_string(), path)
}

/// The error for a fault in the value at a path.
pub(crate) fn encode_at(py: Python<'_>, what: &str, path: &str) -> PyErr {
    let facts = Facts {
        path: Some(path.to_owned()),
        found: Some(what.to_owned()),
        category: Some("encode"),
        ..Facts::default()
    };
    let place = if path.is_empty() { "(root)" } else { path };
    let message = format!("{place}: {what}");
    facts.raise(py, |classes| &classes.encode_error, &message)
}

/// The error for a file that would lose something in another dialect.
pub(crate) fn loss(py: Python<'_>, to: Dialect, first: Option<&Loss>) -> PyErr {
    let facts = Facts {
        path: first.map(|loss| loss.path.clone()),
        frame: first.and_then(|loss| loss.frame.checked_sub(1)),
        found: first.map(|loss| loss.message.clone()),
        expected: Some("lossy=True writes the file".to_owned()),
        category: Some("encode"),
        ..Facts::default()
    };
    let what = first.map_or_else(
        || "values would lose something".to_owned(),
        |loss| placed(loss.called.as_deref(), &loss.message),
    );
    let message = format!("in {to}, {what}; lossy=True writes the file");
    facts.raise(py, |classes| &classes.encode_error, &message)
}

/// The error, with `message`, for invalid columns of a table.
pub(crate) fn table(py: Python<'_>, message: &str) -> PyErr {
    let facts = Facts { category: Some("table"), ..Facts::default() };
    facts.raise(py, |classes| &classes.table_error, message)
}

/// The error for a file of steps, or for a value that cannot be migrated.
pub(crate) fn migration(py: Python<'_>, error: &MigrationError) -> PyErr {
    let path = Some(error.path()).filter(|path| !path.is_empty()).map(ToOwned::to_owned);
    let facts = Facts { path, category: Some("migration"), ..Facts::default() };
    facts.raise(py, |classes| &classes.migration_error, &error.to_string())
}

/// The error for a file that cannot be migrated.
pub(crate) fn unmigrated(py: Python<'_>, error: &EditError) -> PyErr {
    let (message, expected) = undecided(error);
    let facts = Facts {
        offset: error.offset().and_then(|offset| u64::try_from(offset).ok()),
        expected,
        category: Some("migration"),
        ..Facts::default()
    };
    facts.raise(py, |classes| &classes.migration_error, &message)
}

/// The number of the system's error "is a directory", on Unix and Windows.
const EISDIR: i32 = 21;

/// The error for a file that cannot be opened. An error of the system is an `OSError`.
pub(crate) fn open(py: Python<'_>, error: &OpenError, path: Option<&Path>) -> PyErr {
    if let OpenError::Io(error) = error {
        return system(error, path);
    }
    let category = if matches!(error, OpenError::NoKey(_)) { "locked" } else { "layer" };
    let offset = match error {
        OpenError::Encrypted(error) => u64::try_from(error.offset()).ok(),
        OpenError::Compressed(error) => Some(error.offset()),
        _ => None,
    };
    layer(py, &error.to_string(), category, offset)
}

/// The error for a file that the system refuses to read or write.
fn system(error: &io::Error, path: Option<&Path>) -> PyErr {
    match (error.raw_os_error(), path) {
        (Some(code), Some(path)) => {
            // Python expects only the text of `strerror`, so the number after it is cut off.
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or_default().to_owned();
            PyOSError::new_err((code, text, path.as_os_str().to_owned()))
        }
        (None, Some(path)) if error.kind() == io::ErrorKind::IsADirectory => {
            // This error has no number of the system, so Python cannot derive the class of the exception from it.
            PyIsADirectoryError::new_err((EISDIR, "Is a directory", path.as_os_str().to_owned()))
        }
        (_, Some(path)) => PyOSError::new_err(format!("{}: {error}", path.display())),
        _ => PyOSError::new_err(error.to_string()),
    }
}

/// The error for a file that cannot be written.
pub(crate) fn output(error: &OutputError, path: &Path) -> PyErr {
    match error {
        OutputError::Io(error) => system(error, Some(path)),
        OutputError::Message(message) => PyOSError::new_err(message.clone()),
        other => PyOSError::new_err(format!("{}: {other}", path.display())),
    }
}

/// The error for layers that cannot be put on again.
pub(crate) fn rewrap(py: Python<'_>, error: &RewrapError) -> PyErr {
    layer(py, &error.to_string(), "layer", None)
}

/// The error for a change that cannot be made. `path` is the path of the change.
pub(crate) fn edit(py: Python<'_>, error: &EditError, path: Option<&str>) -> PyErr {
    let (message, expected) = undecided(error);
    let facts = Facts {
        offset: error.offset().and_then(|offset| u64::try_from(offset).ok()),
        path: path.map(ToOwned::to_owned),
        expected,
        category: Some("edit"),
        ..Facts::default()
    };
    facts.raise(py, |classes| &classes.edit_error, &message)
}

/// The error for a text that is not a literal.
pub(crate) fn literal(py: Python<'_>, message: &str, path: &str) -> PyErr {
    let facts =
        Facts { path: Some(path.to_owned()), category: Some("literal"), ..Facts::default() };
    facts.raise(py, |classes| &classes.edit_error, message)
}

/// The error for changes of two files that exclude each other.
pub(crate) fn conflicts(py: Python<'_>, conflicts: merge::Conflicts) -> PyErr {
    let first = conflicts.first.first();
    let facts = Facts {
        path: first.map(|first| first.path.clone()),
        frame: first.and_then(|first| first.frame.checked_sub(1)),
        category: Some("conflict"),
        ..Facts::default()
    };
    let values = counted(conflicts.count, "value");
    let first = first.map_or_else(String::new, |first| {
        format!(", such as {}", placed(first.called.as_deref(), &short_path(&first.path)))
    });
    let message = format!(
        "both files changed {values} in different ways{first}; prefer=\"ours\" or prefer=\"theirs\" takes one of them"
    );
    let error = facts.raise(py, |classes| &classes.merge_error, &message);
    let all: Vec<_> = conflicts.first.into_iter().map(Conflict::from).collect();
    match error.value(py).setattr("conflicts", all) {
        Ok(()) => error,
        Err(other) => other,
    }
}

/// The error for bytes that a game or a debugger sent.
pub(crate) fn received(py: Python<'_>, error: &variant_debugger::Error) -> PyErr {
    let facts = Facts {
        offset: Some(error.offset()),
        found: Some(error.kind().to_string()),
        expected: Some(error.hint().to_owned()),
        category: Some(if error.is_fatal() { "fatal" } else { "damaged" }),
        ..Facts::default()
    };
    facts.raise(py, |classes| &classes.debug_error, &format!("{error}; {}", error.hint()))
}

/// The error for a value of a message.
pub(crate) fn in_message(py: Python<'_>, error: &Error) -> PyErr {
    let facts = Facts {
        found: Some(error.kind().to_string()),
        expected: Some(error.hint().to_owned()),
        category: Some("damaged"),
        ..Facts::default()
    };
    facts.raise(py, |classes| &classes.debug_error, &error.to_string())
}

/// The error for a command or a message that is not sent.
pub(crate) fn unsent(py: Python<'_>, error: &variant_debugger::SendError) -> PyErr {
    let facts = Facts {
        found: Some(error.to_string()),
        expected: Some(error.hint().to_owned()),
        category: Some("refused"),
        ..Facts::default()
    };
    facts.raise(py, |classes| &classes.debug_error, &format!("{error}; {}", error.hint()))
}

/// A path or a message after the name of its frame, if the file has several values.
pub(crate) fn placed(called: Option<&str>, text: &str) -> String {
    let text = if text.is_empty() { ROOT } else { text };
    called.map_or_else(|| text.to_owned(), |called| format!("{called}: {text}"))
}

/// The error with a line after its message.
pub(crate) fn noted(py: Python<'_>, error: PyErr, note: &str) -> PyErr {
    match error.value(py).call_method1("add_note", (note,)) {
        Ok(_) => error,
        Err(other) => other,
    }
}

/// The message of an error, and what the caller should do if several dialects fit the file.
fn undecided(error: &EditError) -> (String, Option<String>) {
    if error.candidates().is_empty() {
        return (error.to_string(), None);
    }
    let how = "open the file with its dialect";
    (format!("{error}; open it with its dialect"), Some(how.to_owned()))
}

/// The error, with `message`, for a file that has another format or cannot be opened.
pub(crate) fn layer(
    py: Python<'_>,
    message: &str,
    category: &'static str,
    offset: Option<u64>,
) -> PyErr {
    let facts = Facts { offset, category: Some(category), ..Facts::default() };
    facts.raise(py, |classes| &classes.open_error, message)
}

const fn category(class: ErrorClass) -> &'static str {
    match class {
        ErrorClass::Truncated => "truncated",
        ErrorClass::Malformed => "malformed",
        ErrorClass::Limit => "limit",
        ErrorClass::Mismatch => "mismatch",
        _ => "other",
    }
}
