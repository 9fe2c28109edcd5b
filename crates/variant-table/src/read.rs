//! [`FileReader`]: reads files, one after another, into rows of batches.

use std::fmt::Write as _;

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use variant_document::query::path_to;
use variant_document::rows::Rows;
use variant_document::{Piece, Plain};
use variant_view::{Document, Error, Key};

use crate::batch::{Batch, RowError, Stored};
use crate::cells::{Cells, Value};
use crate::column::{Fold, Meta};
use crate::fold::{Folded, append_list};
use crate::misfit::Misfit;
use crate::source::Source;
use crate::summary::Summary;
use crate::table::{Cell, Plan};

/// Reads files into batches, and hands over the full ones.
#[derive(Debug)]
pub(crate) struct FileReader<'p, F> {
    plan: &'p Plan,
    batch: Batch,
    pub(crate) summary: Summary,
    /// Memory for the bytes of the next file.
    spare: Vec<u8>,
    emit: F,
}

/// The reason why reading ended.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The receiver is gone.
    Closed,
    Arrow(ArrowError),
}

impl From<ArrowError> for Stop {
    fn from(error: ArrowError) -> Self {
        Self::Arrow(error)
    }
}

/// A value whose rows are being read.
struct Current<'c, 'a> {
    file: &'c str,
    piece: Option<Piece<'a>>,
    document: Option<Document<'a>>,
    folded: Vec<Folded<'a>>,
    /// The number of repeated bytes from before the items.
    repeated: usize,
}

impl<'p, F: FnMut(RecordBatch) -> Result<(), Stop>> FileReader<'p, F> {
    pub(crate) fn new(plan: &'p Plan, emit: F) -> Self {
        let batch = Batch::new(plan);
        Self { plan, batch, summary: Summary::default(), spare: Vec::new(), emit }
    }

    /// Reads a file. A fault becomes a row. O(bytes), and once more for each path with a fold.
    pub(crate) fn read(&mut self, source: &Source) -> Result<(), Stop> {
        let name = source.name();
        self.summary.files = self.summary.files.saturating_add(1);
        let mut spare = std::mem::take(&mut self.spare);
        let opened = match source.open(&self.plan.options, &mut spare) {
            Ok(opened) => opened,
            Err(error) => {
                self.spare = spare;
                return self.broken_file(&name, error.to_string());
            }
        };
        let bytes = opened.bytes();
        let len = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.summary.bytes = self.summary.bytes.saturating_add(len);
        let outcome = match self.plan.options.plain(bytes) {
            Ok(file) => self.values(&name, file),
            Err(why) => self.broken_file(&name, why),
        };
        self.spare = if opened.is_mapped() { spare } else { opened.into_bytes() };
        outcome
    }

    /// Hands over the remaining rows.
    pub(crate) fn finish(&mut self) -> Result<(), Stop> {
        if self.batch.is_empty() { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> Result<(), Stop> {
        let batch = self.batch.finish(self.plan)?;
        (self.emit)(batch)
    }

    /// The values of a file.
    fn values(&mut self, file: &str, plain: Plain<'_>) -> Result<(), Stop> {
        let mut rows = Rows::new(&self.plan.rows);
        let mut is_empty = true;
        for piece in plain.pieces() {
            is_empty = false;
            self.summary.values = self.summary.values.saturating_add(1);
            let before = rows.found();
            match piece {
                Ok(piece) => self.value(file, &plain, &piece, &mut rows)?,
                Err(error) => {
                    let offset = Some(plain.absolute(error.offset()));
                    let current = Current::of_file(file);
                    self.error(
                        &current,
                        &RowError { offset, path: None, text: error.to_string() },
                    )?;
                }
            }
            let found = rows.found().saturating_sub(before);
            self.summary.decoded = self.summary.decoded.saturating_add(found);
        }
        if is_empty {
            return self.broken_file(file, "the file has no values".to_owned());
        }
        Ok(())
    }

    /// The rows of a value.
    fn value<'a>(
        &mut self,
        file: &str,
        plain: &Plain<'a>,
        piece: &Piece<'a>,
        rows: &mut Rows<'p, 'a>,
    ) -> Result<(), Stop> {
        let document = plain.document(piece.bytes);
        let mut current = Current {
            file,
            piece: Some(*piece),
            document: Some(document),
            folded: Vec::new(),
            repeated: 0,
        };
        if self.plan.options.validates
            && let Err(error) = document.validate()
        {
            return self.damage(&current, &error);
        }
        rows.start(&document);
        let mut is_first = true;
        loop {
            match rows.next_row() {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(error) => return self.damage(&current, &error),
            }
            if !self.fulfils(Some(rows)) {
                self.summary.filtered = self.summary.filtered.saturating_add(1);
                is_first = false;
                continue;
            }
            if self.plan.has_folds
                && current.folded.is_empty()
                && let Err(error) = self.fold(&document, &mut current.folded)
            {
                return self.damage(&current, &error);
            }
            self.row(&mut current, &document, rows, is_first)?;
            is_first = false;
            if current.repeated > self.most_repeated(piece) {
                let text = format!(
                    "what is in front of the items would be repeated to more than {} times the value; leave a column out or raise the limit",
                    self.plan.options.max_repeat
                );
                let offset = Some(piece.start);
                return self.error(&current, &RowError { offset, path: None, text });
            }
        }
    }

    fn most_repeated(&self, piece: &Piece<'_>) -> usize {
        /// The number of bytes that even small values may repeat.
        const FREE: usize = 1 << 16;
        piece.bytes.len().saturating_mul(self.plan.options.max_repeat).saturating_add(FREE)
    }

    fn fulfils(&self, rows: Option<&Rows<'_, '_>>) -> bool {
        self.plan.conditions.iter().all(|wanted| {
            let view = rows.and_then(|rows| rows.value(wanted.at));
            wanted.condition.holds(view, &wanted.of, self.plan.options.policy)
        })
    }

    fn fold<'a>(
        &mut self,
        document: &Document<'a>,
        all: &mut Vec<Folded<'a>>,
    ) -> Result<(), Error> {
        for cell in &self.plan.cells {
            all.push(match cell {
                Cell::Fold { of, fold, query } if *fold != Fold::List => {
                    let (folded, count) = Folded::new(document, query, *fold, of)?;
                    self.summary.decoded = self.summary.decoded.saturating_add(count);
                    folded
                }
                _ => Folded::Nothing,
            });
        }
        Ok(())
    }

    /// Appends a row.
    fn row(
        &mut self,
        current: &mut Current<'_, '_>,
        document: &Document<'_>,
        rows: &Rows<'_, '_>,
        is_first: bool,
    ) -> Result<(), Stop> {
        let (mut bytes, mut wrong) = (0_usize, Wrong::default());
        let cells = self.plan.cells.iter().zip(&mut self.batch.columns);
        for (at, (cell, stored)) in cells.enumerate() {
            let (appended, path) = match (cell, stored) {
                (Cell::Value { at, .. }, Stored::Cells(cells)) => {
                    (cells.append(rows.value(*at).map(Value::View)), Some(*at))
                }
                (Cell::Key { at, .. }, Stored::Cells(cells)) => {
                    (append_key(cells, rows, *at), Some(*at))
                }
                (Cell::Fold { fold: Fold::List, query, .. }, Stored::Cells(cells)) => {
                    let (bytes, count, misfit) = append_list(document, query, cells);
                    self.summary.decoded = self.summary.decoded.saturating_add(count);
                    (misfit.map_or(Ok(bytes), Err), None)
                }
                (Cell::Fold { .. }, Stored::Cells(cells)) => {
                    (current.folded.get(at).unwrap_or(&Folded::Nothing).append_to(cells), None)
                }
                (_, stored) => (Ok(current.append_meta(stored)), None),
            };
            match appended {
                Ok(len) => {
                    bytes = bytes.saturating_add(len);
                    let level = path.map_or(0, |path| self.plan.rows.level(path));
                    if !is_first && level < rows.depth() {
                        current.repeated = current.repeated.saturating_add(len);
                    }
                }
                Err(misfit) => wrong.add(misfit, path),
            }
        }
        let error = wrong.into_error(current.piece.as_ref(), rows);
        if error.is_some() {
            self.summary.misfits = self.summary.misfits.saturating_add(1);
        }
        self.append_error(error.as_ref());
        self.summary.rows = self.summary.rows.saturating_add(1);
        self.end_row(bytes)
    }

    fn append_error(&mut self, error: Option<&RowError>) {
        for stored in &mut self.batch.columns {
            if let Stored::Error(cells) = stored {
                cells.append(error);
            }
        }
    }

    fn end_row(&mut self, bytes: usize) -> Result<(), Stop> {
        self.batch.end_row(bytes);
        if self.batch.is_full(self.plan.options.batch_rows) { self.flush() } else { Ok(()) }
    }

    fn damage(&mut self, current: &Current<'_, '_>, error: &Error) -> Result<(), Stop> {
        let start = current.piece.map_or(0, |piece| piece.start);
        let path = current.document.and_then(|document| path_to(&document, error.offset()).ok());
        let offset = Some(start.saturating_add(error.offset()));
        self.error(current, &RowError { offset, path, text: error.to_string() })
    }

    fn broken_file(&mut self, name: &str, text: String) -> Result<(), Stop> {
        self.summary.values = self.summary.values.saturating_add(1);
        self.error(&Current::of_file(name), &RowError { offset: None, path: None, text })
    }

    /// Reports the fault in a separate row, if the table has a column for it.
    fn error(&mut self, current: &Current<'_, '_>, error: &RowError) -> Result<(), Stop> {
        self.summary.errors = self.summary.errors.saturating_add(1);
        let has_column = self.plan.cells.iter().any(|cell| matches!(cell, Cell::Meta(Meta::Error)));
        if !has_column || !self.fulfils(None) {
            return Ok(());
        }
        for stored in &mut self.batch.columns {
            match stored {
                Stored::Cells(cells) => cells.append_null(),
                Stored::Value(cells) => cells.append_null(),
                stored => {
                    current.append_meta(stored);
                }
            }
        }
        self.append_error(Some(error));
        self.end_row(error.text.len())
    }
}

/// The values of a row that do not fit.
#[derive(Default)]
struct Wrong {
    first: Option<(Misfit, Option<usize>)>,
    more: usize,
}

impl Wrong {
    fn add(&mut self, misfit: Misfit, path: Option<usize>) {
        match self.first {
            None => self.first = Some((misfit, path)),
            Some(_) => self.more = self.more.saturating_add(1),
        }
    }

    fn into_error(self, piece: Option<&Piece<'_>>, rows: &Rows<'_, '_>) -> Option<RowError> {
        let (misfit, path) = self.first?;
        let start = piece.map_or(0, |piece| piece.start);
        let mut text = misfit.why;
        if self.more > 0 {
            // Writing to a string cannot fail.
            let _ = write!(text, "; {} more values of the row do not fit", self.more);
        }
        Some(RowError {
            offset: misfit.offset.map(|offset| start.saturating_add(offset)),
            path: path.map(|path| rows.path(path)),
            text,
        })
    }
}

impl<'c> Current<'c, '_> {
    const fn of_file(file: &'c str) -> Self {
        Self { file, piece: None, document: None, folded: Vec::new(), repeated: 0 }
    }

    /// Appends the facts about the row besides its values; returns the number of repeated bytes.
    fn append_meta(&self, stored: &mut Stored) -> usize {
        let number = |number: Option<u64>| number.and_then(|number| i64::try_from(number).ok());
        match stored {
            Stored::File(cells) => cells.append_value(self.file),
            Stored::Number(Meta::Frame, cells) => {
                cells.append_option(number(self.piece.map(|piece| piece.number)));
            }
            Stored::Number(_, cells) => {
                let start = self.piece.and_then(|piece| u64::try_from(piece.start).ok());
                cells.append_option(number(start));
            }
            Stored::Value(cells) => {
                let bytes = self.piece.map(|piece| piece.bytes);
                cells.append_option(bytes.filter(|bytes| bytes.len() <= crate::cells::MOST_BYTES));
                return bytes.map_or(0, <[u8]>::len);
            }
            // The row adds `_error`, and cells have values.
            Stored::Error(_) | Stored::Cells(_) => {}
        }
        0
    }
}

/// Appends the key of an item, or its index.
fn append_key(cells: &mut Cells, rows: &Rows<'_, '_>, at: usize) -> Result<usize, Misfit> {
    let Some(place) = rows.place(at) else { return cells.append(None) };
    let number = |number: i64, cells: &mut Cells| match cells {
        Cells::Text(_) => cells.append(Some(Value::Text(&number.to_string()))),
        cells => cells.append(Some(Value::Int(number))),
    };
    let text = match place.key() {
        Some(Key::Int(int)) => return number(int, cells),
        None if place.is_element() => return number(place.position().into(), cells),
        Some(Key::String(text) | Key::StringName(text)) => str::from_utf8(text).ok(),
        _ => None,
    };
    let literal = if place.key().is_none() { rows.key_text(at) } else { None };
    if let Some(text) = text.or(literal.as_deref()) {
        return cells.append(Some(Value::Text(text)));
    }
    cells.append_null();
    Err(Misfit::number(&"another key", "text in UTF-8, int or a short literal"))
}
