//! [`Reader`]: reads the values of files into batches.

use std::fmt::Write as _;

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use variant_document::query::path_to;
use variant_document::rows::Rows;
use variant_document::{Piece, Pieces, Plain};
use variant_view::{Document, Error, Key, VariantView};

use crate::batch::{Batch, RowError, Stored};
use crate::cells::{Appended, Cells, Value};
use crate::column::{Fold, Meta, folder};
use crate::column_type::ColumnType;
use crate::fold::{Folded, append_list};
use crate::misfit::Misfit;
use crate::summary::Summary;
use crate::table::{Cell, Plan};

/// Reads values into the next batch. The rows of several files may share a batch.
#[derive(Debug)]
pub(crate) struct Reader<'p> {
    plan: &'p Plan,
    batch: Batch,
    pub(crate) summary: Summary,
}

/// A file whose values are being read.
pub(crate) struct FileRows<'p, 'a> {
    name: &'a str,
    plain: Plain<'a>,
    pieces: Pieces<'a>,
    rows: Rows<'p, 'a>,
    /// The value whose rows are being read.
    current: Option<Current<'a>>,
    is_empty: bool,
}

/// A value whose rows are being read.
struct Current<'a> {
    file: &'a str,
    piece: Option<Piece<'a>>,
    document: Option<Document<'a>>,
    folded: Vec<Folded<'a>>,
    /// The number of bytes that rows after the first repeat: the cells of columns from outside the items, and the paths
    /// of errors.
    repeated: usize,
    /// For each condition, the offset of the last text, and whether the condition held.
    held: Vec<Option<(usize, bool)>>,
    /// Whether no row of the value has been read.
    is_fresh: bool,
}

impl<'p> Reader<'p> {
    pub(crate) fn new(plan: &'p Plan) -> Self {
        Self { plan, batch: Batch::new(plan), summary: Summary::default() }
    }

    /// Starts to read a file. `None` if the file cannot be read: its only row has the fault.
    pub(crate) fn start<'a>(
        &mut self,
        name: &'a str,
        bytes: Result<&'a [u8], &str>,
    ) -> Option<FileRows<'p, 'a>> {
        self.summary.files = self.summary.files.saturating_add(1);
        let len = bytes.map_or(0, |bytes| u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        self.summary.bytes = self.summary.bytes.saturating_add(len);
        let plain = bytes.map_err(str::to_owned).and_then(|bytes| self.plan.options.plain(bytes));
        match plain {
            Ok(plain) => Some(FileRows {
                name,
                plain,
                pieces: plain.pieces(),
                rows: Rows::new(&self.plan.rows),
                current: None,
                is_empty: true,
            }),
            Err(why) => {
                self.broken_file(name, why);
                None
            }
        }
    }

    pub(crate) const fn is_full(&self) -> bool {
        self.batch.is_full(self.plan.options.batch_rows)
    }

    /// The rows in the batch as a record batch, if there are any.
    pub(crate) fn finish(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        if self.batch.is_empty() { None } else { Some(self.batch.finish(self.plan)) }
    }

    /// Starts to read a value of a file. `None` if the value is damaged.
    fn value<'a>(
        &mut self,
        file: &'a str,
        plain: &Plain<'a>,
        piece: Piece<'a>,
        rows: &mut Rows<'p, 'a>,
    ) -> Option<Current<'a>> {
        let document = plain.document(piece.bytes);
        let current =
            Current { piece: Some(piece), document: Some(document), ..Current::of_file(file) };
        if self.plan.options.validates
            && let Err(error) = document.validate()
        {
            self.damage(&current, &error);
            return None;
        }
        rows.start(&document);
        Some(current)
    }

    /// Reads the next row of a value. Returns false after the last row. O(bytes of the row), plus O(bytes of the value)
    /// for each path whose values are combined (such as by `sum`).
    fn next_row<'a>(&mut self, current: &mut Current<'a>, rows: &mut Rows<'p, 'a>) -> bool {
        let Some(document) = current.document else { return false };
        match rows.next_row() {
            Ok(true) => {}
            Ok(false) => return false,
            Err(error) => {
                self.damage(current, &error);
                return false;
            }
        }
        let is_first = std::mem::take(&mut current.is_fresh);
        if !self.fulfils(rows, &mut current.held) {
            self.summary.filtered = self.summary.filtered.saturating_add(1);
            return true;
        }
        if self.plan.has_folds
            && current.folded.is_empty()
            && let Err(error) = self.fold(&document, &mut current.folded)
        {
            self.damage(current, &error);
            return false;
        }
        self.row(current, &document, rows, is_first);
        if current.repeated <= self.most_repeated(current) {
            return true;
        }
        let text = format!(
            "the columns before the items would be repeated to more than {} times the size of the value; leave a column out or raise the limit",
            self.plan.options.max_repeat
        );
        let offset = current.piece.map(|piece| piece.start);
        self.error(current, &RowError { offset, path: None, text });
        false
    }

    fn most_repeated(&self, current: &Current<'_>) -> usize {
        /// The rows of a value may always repeat this number of bytes, even if the value is small.
        const FREE: usize = 1 << 16;
        let len = current.piece.map_or(0, |piece| piece.bytes.len());
        len.saturating_mul(self.plan.options.max_repeat).saturating_add(FREE)
    }

    /// Whether a row fulfils the conditions. A text from outside the items is compared once, since its length is not
    /// bounded and each row repeats it.
    fn fulfils(&self, rows: &Rows<'_, '_>, held: &mut Vec<Option<(usize, bool)>>) -> bool {
        held.resize(self.plan.conditions.len(), None);
        self.plan.conditions.iter().zip(held).all(|(wanted, held)| {
            let view = rows.value(wanted.at);
            let text = view.filter(|_| wanted.of == ColumnType::Text).map(VariantView::offset);
            if let (Some(text), Some((last, holds))) = (text, *held)
                && text == last
            {
                return holds;
            }
            let holds = wanted.condition.holds(view, &wanted.of, self.plan.options.policy);
            *held = text.map(|text| (text, holds));
            holds
        })
    }

    /// Whether a row of nulls fulfils the conditions.
    fn fulfils_as_nulls(&self) -> bool {
        let policy = self.plan.options.policy;
        self.plan.conditions.iter().all(|wanted| wanted.condition.holds(None, &wanted.of, policy))
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

    fn row(
        &mut self,
        current: &mut Current<'_>,
        document: &Document<'_>,
        rows: &Rows<'_, '_>,
        is_first: bool,
    ) {
        let (mut bytes, mut wrong) = (0_usize, Wrong::default());
        let most = self.most_repeated(current);
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
                    let (appended, count) = append_list(document, query, most, cells);
                    self.summary.decoded = self.summary.decoded.saturating_add(count);
                    (appended, None)
                }
                (Cell::Fold { .. }, Stored::Cells(cells)) => {
                    (current.folded.get(at).unwrap_or(&Folded::Nothing).append_to(cells), None)
                }
                (_, stored) => (Appended::bytes(current.append_meta(stored)), None),
            };
            bytes = bytes.saturating_add(appended.bytes);
            let level = path.map_or(0, |path| self.plan.rows.level(path));
            if !is_first && level < rows.depth() {
                current.repeated = current.repeated.saturating_add(appended.bytes);
            }
            if let Some(misfit) = appended.misfit {
                wrong.add(misfit, path);
            }
        }
        let error = wrong.into_error(current.piece.as_ref(), rows);
        if let Some(error) = &error {
            self.summary.misfits = self.summary.misfits.saturating_add(1);
            bytes = bytes.saturating_add(error.len());
        }
        self.append_error(error.as_ref());
        self.summary.rows = self.summary.rows.saturating_add(1);
        self.batch.end_row(bytes);
    }

    fn append_error(&mut self, error: Option<&RowError>) {
        for stored in &mut self.batch.columns {
            if let Stored::Error(cells) = stored {
                cells.append(error);
            }
        }
    }

    fn damage(&mut self, current: &Current<'_>, error: &Error) {
        let start = current.piece.map_or(0, |piece| piece.start);
        let path = current.document.and_then(|document| path_to(&document, error.offset()).ok());
        let offset = Some(start.saturating_add(error.offset()));
        self.error(current, &RowError { offset, path, text: error.to_string() });
    }

    fn broken_file(&mut self, name: &str, text: String) {
        self.summary.values = self.summary.values.saturating_add(1);
        self.error(&Current::of_file(name), &RowError { offset: None, path: None, text });
    }

    /// Reports the fault as a separate row, if the table has a column for it.
    fn error(&mut self, current: &Current<'_>, error: &RowError) {
        self.summary.errors = self.summary.errors.saturating_add(1);
        let has_column = self.plan.cells.iter().any(|cell| matches!(cell, Cell::Meta(Meta::Error)));
        if !has_column || !self.fulfils_as_nulls() {
            return;
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
        self.batch.end_row(error.len());
    }
}

impl<'p> FileRows<'p, '_> {
    /// Reads rows until the batch is full or the file ends. Returns whether there may be more rows. O(bytes), plus
    /// O(bytes) for each path whose values are combined (such as by `sum`).
    pub(crate) fn fill(&mut self, reader: &mut Reader<'p>) -> bool {
        let before = self.rows.found();
        let has_more = loop {
            if reader.is_full() {
                break true;
            }
            if let Some(current) = &mut self.current {
                if !reader.next_row(current, &mut self.rows) {
                    self.current = None;
                }
                continue;
            }
            let Some(piece) = self.pieces.next() else { break false };
            self.is_empty = false;
            reader.summary.values = reader.summary.values.saturating_add(1);
            match piece {
                Ok(piece) => {
                    self.current = reader.value(self.name, &self.plain, piece, &mut self.rows);
                }
                Err(error) => {
                    let offset = Some(self.plain.absolute(error.offset()));
                    let error = RowError { offset, path: None, text: error.to_string() };
                    reader.error(&Current::of_file(self.name), &error);
                }
            }
        };
        let found = self.rows.found().saturating_sub(before);
        reader.summary.decoded = reader.summary.decoded.saturating_add(found);
        if self.is_empty && !has_more {
            reader.broken_file(self.name, "the file has no values".to_owned());
        }
        has_more
    }
}

/// The faults of a row whose values do not fit.
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

impl<'a> Current<'a> {
    const fn of_file(file: &'a str) -> Self {
        Self {
            file,
            piece: None,
            document: None,
            folded: Vec::new(),
            repeated: 0,
            held: Vec::new(),
            is_fresh: true,
        }
    }

    /// Appends the cell of a column about the row itself, such as `_file` or `_frame`. Returns the number of repeated
    /// bytes.
    fn append_meta(&self, stored: &mut Stored) -> usize {
        let number = |number: Option<u64>| number.and_then(|number| i64::try_from(number).ok());
        match stored {
            Stored::File(cells) => cells.append_value(self.file),
            Stored::Folder(key, cells) => cells.append_option(folder(self.file, key)),
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
            // Nothing is to be done here: `_error` is appended after the other cells of the row, and the caller appends
            // the cells with values.
            Stored::Error(_) | Stored::Cells(_) => {}
        }
        0
    }
}

/// Appends the key of an item, or its index if it has no key.
fn append_key(cells: &mut Cells, rows: &Rows<'_, '_>, at: usize) -> Appended {
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
        let int = matches!(cells, Cells::Int(_)).then(|| text.parse().ok()).flatten();
        return cells.append(Some(int.map_or(Value::Text(text), Value::Int)));
    }
    cells.append_null();
    Misfit::number(&"another key", "text in UTF-8, int or a short literal").into()
}
