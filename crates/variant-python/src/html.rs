//! Shows values as tables of HTML, for notebooks.

use pyo3::prelude::*;
use variant_document::Plain;
use variant_document::literal;
use variant_document::tree::{Children, Entry};

use crate::how::bare;
use crate::place::{Place, detached};

/// The maximum number of rows of a table.
const MOST_ROWS: usize = 20;

/// A row: the name of a value, its kind and its short literal.
type Row = (String, Option<&'static str>, String);

/// The table of the values of a file.
pub(crate) fn of_file(py: Python<'_>, caption: &str, file: Plain<'_>) -> PyResult<Py<PyAny>> {
    table(py, caption, file.bytes.len(), || Children::of_file(file))
}

/// The table of a closed file, without rows.
pub(crate) fn of_closed(py: Python<'_>, caption: &str) -> PyResult<Py<PyAny>> {
    table(py, caption, 0, || Children::known(Vec::new()))
}

/// The table of the items of a container, or of a single value.
pub(crate) fn of_place(py: Python<'_>, caption: &str, place: &Place) -> PyResult<Py<PyAny>> {
    let plain = bare(place.bytes(py), place.options);
    table(py, caption, plain.bytes.len(), || {
        let items = match Children::of_file(plain).get(0) {
            // A packed array is one row.
            Some(Entry::Child(root)) if root.spot.elements().is_none() => Children::of(&root),
            _ => None,
        };
        items.unwrap_or_else(|| Children::of_file(plain))
    })
}

/// The table of children, which are read from `bytes` bytes. The values of the first rows may be long, so other threads run
/// while they are read.
fn table<'a>(
    py: Python<'_>,
    caption: &str,
    bytes: usize,
    children: impl FnOnce() -> Children<'a> + Send,
) -> PyResult<Py<PyAny>> {
    let (rows, more) = detached(py, bytes, || rows(children()));
    let table = py.import("variant_view._html")?.getattr("table")?;
    Ok(table.call1((caption, rows, more))?.unbind())
}

/// The first rows, and the greatest possible number of the other rows.
fn rows(mut children: Children<'_>) -> (Vec<Row>, usize) {
    let all = (0..MOST_ROWS).map_while(|index| children.get(index));
    let rows: Vec<Row> = all.map(|entry| row(&entry)).collect();
    let is_all = children.get(rows.len()).is_none();
    let more = if is_all { 0 } else { children.rows().saturating_sub(rows.len()) };
    (rows, more)
}

fn row(entry: &Entry<'_>) -> Row {
    match entry {
        Entry::Damage(why) => (String::new(), None, why.to_string()),
        Entry::Child(child) => match child.spot.view() {
            Ok(view) => (child.label(), Some(view.kind().name()), literal::text(&view)),
            Err(error) => (child.label(), None, error.to_string()),
        },
    }
}
