//! [`Selection`]: the values that a path selects.

use std::convert::Infallible;
use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::ptr;

use variant_document::Piece;
use variant_document::query::{Address, Part, ROOT, Stop, select};

use crate::border::{Result, call, put, text};
use crate::bytes::Text;
use crate::code::{Code, VARIANT_ERROR_KIND, VARIANT_ERROR_NOT_FOUND, VARIANT_ERROR_PATH};
use crate::error::{Error, Failure};
use crate::file::{File, given};
use crate::place::Place;
use crate::value::{self, Value};

/// The values that a path selects in a file. Made by variant_file_select, freed by variant_selection_free, and used by one
/// thread at a time. The file must exist as long as its values are used.
#[derive(Debug, Default)]
pub struct Selection {
    found: Vec<Found>,
    /// The index of the next value.
    next: usize,
}

#[derive(Debug)]
struct Found {
    value: Value,
    frame: u64,
    path: String,
}

/// A value that a path selects.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Match {
    /// The value.
    pub value: Value,
    /// The number of the frame or setting, from 1.
    pub frame: u64,
    /// The path of the value in its frame; `(root)` for the whole value. If the path is long, this is an offset such as
    /// `@16`, the byte of the value in its frame. The text is valid until the selection is freed.
    pub path: Text,
}

/// Selects values by a path. In addition to the steps of variant_at, it may have `items[2:5]`, `items[*]`, `player.*`,
/// `..gold` (at any depth), and filters such as `items[?hp<10]`. A filter may use `== != < <= > >=`,
/// `=~ "regular expression"` and `&& || ! ( )`. A path without `frame 3: ` at its start selects values in each frame.
/// The call also succeeds if the path selects nothing. O(bytes).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_select(
    file: Option<&File>,
    path: *const c_char,
    selection: Option<&mut MaybeUninit<*mut Selection>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        let null = Failure::argument("the pointer to the place for the selection is null");
        let handle = selection.ok_or(null)?.write(ptr::null_mut());
        // SAFETY: the caller promises that a text ends with a NUL and does not change.
        let path = unsafe { text(path) }?;
        let wrong = |what: String| Failure::new(VARIANT_ERROR_PATH, what);
        let address = Address::parse(path).map_err(wrong)?;
        *handle = Box::into_raw(Box::new(Selection::of(given(file)?, &address)?));
        Ok(())
    })
}

/// Frees a selection and its paths. NULL is accepted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_selection_free(selection: *mut Selection) {
    if !selection.is_null() {
        // SAFETY: the caller promises that the handle came from this library and was not freed.
        drop(unsafe { Box::from_raw(selection) });
    }
}

/// The next selected value, in the order of the file. Returns VARIANT_END after the last one. O(1).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_selection_next(
    selection: Option<&mut Selection>,
    found: Option<&mut MaybeUninit<Match>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        let null = Failure::argument("the selection is a null pointer");
        let selection = selection.ok_or(null)?;
        let Found { value, frame, path } =
            selection.found.get(selection.next).ok_or(Failure::End)?;
        let path = Text::from(path.as_bytes());
        put(found, Match { value: *value, frame: *frame, path })?;
        selection.next = selection.next.saturating_add(1);
        Ok(())
    })
}

/// The codes of failures if a path selects nothing: a key or an index is missing, or a step leads into a value that is
/// not a container.
const NOTHING: [Code; 2] = [VARIANT_ERROR_NOT_FOUND, VARIANT_ERROR_KIND];

impl Selection {
    fn of<'f>(file: &'f File, address: &Address) -> Result<'f, Self> {
        let mut selection = Self::default();
        for piece in file.plain().pieces().map_while(std::result::Result::ok) {
            if let Some(part) = address.part(&piece) {
                let added = selection.add(&file.place(&piece), &part, &piece);
                added.map_err(|failure| failure.in_frame(piece.number))?;
            }
        }
        file.broken()?;
        Ok(selection)
    }

    fn add<'f>(&mut self, place: &Place<'f>, part: &Part<'_>, piece: &Piece<'_>) -> Result<'f> {
        // Unlike `select`, `value::at` continues in a value inside a byte array.
        if part.query.is_plain() {
            return match value::at(place, part.path) {
                Err(failure) if NOTHING.contains(&failure.code()) => Ok(()),
                found => self.push(&found?, part.path.to_owned(), piece.number),
            };
        }
        let outcome = select(&place.document, &part.query, |found| {
            let inner = place.inner(found.start, usize::MAX, 0);
            // The search has already read the kind, so this does not fail.
            if let Ok(value) = inner.value() {
                let (frame, path) = (piece.number, found.text());
                self.found.push(Found { value, frame, path });
            }
            Ok::<_, Infallible>(())
        });
        outcome.map_err(|stop| match stop {
            Stop::Data(error) => place.failure(error),
            Stop::Caller(never) => match never {},
        })
    }

    fn push<'f>(&mut self, place: &Place<'f>, path: String, frame: u64) -> Result<'f> {
        let path = if path.is_empty() { ROOT.to_owned() } else { path };
        self.found.push(Found { value: place.value()?, frame, path });
        Ok(())
    }
}
