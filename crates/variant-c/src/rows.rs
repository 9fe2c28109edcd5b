//! [`Rows`]: the values of several paths, row by row.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::ptr;

use variant_document::query::Query;
use variant_document::rows::{RowPlan, Rows as Read};
use variant_document::{Piece, Pieces};

use crate::border::{Result, call, list, places, text};
use crate::code::{Code, VARIANT_ERROR_PATH};
use crate::error::{Error, Failure};
use crate::file::{File, given};
use crate::place::Place;
use crate::value::Value;

/// The values of several paths in a file, row by row. Made by variant_file_rows, freed by variant_rows_free before the
/// file is freed, and used by one thread at a time.
#[derive(Debug)]
pub struct Rows {
    file: &'static File,
    /// The frames after `piece`; `None` after a failure.
    pieces: Option<Pieces<'static>>,
    /// The frame of the current row; `None` before the first row.
    piece: Option<Piece<'static>>,
    columns: usize,
    read: Read<'static, 'static>,
    /// `read` borrows the plan. This field comes after `read`, so that `read` is dropped first.
    _plan: Plan,
}

/// A plan from `Box::into_raw`, which `drop` frees.
#[derive(Debug)]
struct Plan(*mut RowPlan);

impl Drop for Plan {
    fn drop(&mut self) {
        // SAFETY: the pointer came from `Box::into_raw`, and nothing uses it any more.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

/// Begins to read rows. Each path is a column. It selects one value of a frame, or many values, as `items[*].id` does.
/// Each of many values makes a row, and the values outside of the items are the same in these rows. A frame without
/// such items has one row. A path with `..` is refused. O(columns).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_rows(
    file: *const File,
    paths: *const *const c_char,
    count: usize,
    rows: Option<&mut MaybeUninit<*mut Rows>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        let null = Failure::argument("the pointer to the place for the rows is null");
        let handle = rows.ok_or(null)?.write(ptr::null_mut());
        // SAFETY: the caller promises that the file exists until the rows are freed, so the lifetime may be any.
        let file: &'static File = given(unsafe { file.as_ref() })?;
        let mut queries = Vec::new();
        // SAFETY: the caller promises as many paths as the count states.
        for path in unsafe { list(paths, count) }? {
            // SAFETY: the caller promises that each text ends with a NUL.
            let query = Query::parse(unsafe { text(*path) }?);
            queries.push(query.map_err(|what| Failure::new(VARIANT_ERROR_PATH, what))?);
        }
        let plan = RowPlan::new(&queries).map_err(|error| {
            let number = error.path().saturating_add(1);
            Failure::new(VARIANT_ERROR_PATH, format!("path {number}: {error}"))
        })?;
        *handle = Box::into_raw(Box::new(Rows::new(file, plan, count)));
        Ok(())
    })
}

/// Frees rows. NULL is accepted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_rows_free(rows: *mut Rows) {
    if !rows.is_null() {
        // SAFETY: the caller promises that the handle came from this library and was not freed.
        drop(unsafe { Box::from_raw(rows) });
    }
}

/// Reads the next row. Returns VARIANT_END after the last one, and after a failure. `values` has room for `count`
/// values, one for each path. If the row lacks a value, `bytes` of this value is NULL. `frame`, which may be NULL,
/// receives the number of the frame. O(columns + bytes up to the next row).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_rows_next(
    rows: Option<&mut Rows>,
    values: *mut Value,
    count: usize,
    frame: Option<&mut MaybeUninit<u64>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        let rows = rows.ok_or(Failure::argument("the rows are a null pointer"))?;
        // SAFETY: the caller promises memory for `count` values.
        let values = unsafe { places(values, count) }?;
        if count != rows.columns {
            return Err(Failure::argument("a row has as many values as the paths"));
        }
        let (place, number) = rows.next()?;
        let row = (0..).map(|column| rows.value(&place, column));
        let row = row.take(count).collect::<Result<'_, Vec<_>>>()?;
        for (to, value) in values.iter_mut().zip(row) {
            to.write(value);
        }
        if let Some(frame) = frame {
            frame.write(number);
        }
        Ok(())
    })
}

impl Rows {
    fn new(file: &'static File, plan: RowPlan, columns: usize) -> Self {
        let plan = Plan(Box::into_raw(Box::new(plan)));
        // SAFETY: only `read` uses the plan, and the plan is freed after `read`.
        let read = Read::new(unsafe { &*plan.0 });
        let pieces = Some(file.plain().pieces());
        Self { file, pieces, piece: None, columns, read, _plan: plan }
    }

    /// Goes to the next row. Returns the place and the number of its frame.
    fn next(&mut self) -> Result<'static, (Place<'static>, u64)> {
        let row = self.advance();
        if row.is_err() {
            (self.pieces, self.piece) = (None, None);
        }
        row
    }

    fn advance(&mut self) -> Result<'static, (Place<'static>, u64)> {
        loop {
            if let Some(piece) = self.piece.take() {
                let (place, number) = (self.file.place(&piece), piece.number);
                let is_row = self.read.next_row();
                if is_row.map_err(|error| place.failure(error).in_frame(number))? {
                    self.piece = Some(piece);
                    return Ok((place, number));
                }
            }
            let pieces = self.pieces.as_mut().ok_or(Failure::End)?;
            let Some(Ok(piece)) = pieces.next() else {
                self.file.broken()?;
                return Err(Failure::End);
            };
            self.read.start(&self.file.place(&piece).document);
            self.piece = Some(piece);
        }
    }

    fn value<'a>(&self, place: &Place<'a>, column: usize) -> Result<'a, Value> {
        let found = self.read.value(column);
        found.map_or(Ok(Value::NONE), |view| place.of_view(view).value())
    }
}
