//! The values that a path selects.

use variant_document::query::{Address, Query, Stop, select, select_elements};
use variant_document::tree::Walk;
use variant_document::{Piece, Plain};
use variant_view::{Document, FeedError};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::File;
use super::rows::{node, number_of};
use crate::codec::Codec;
use crate::failure;
use crate::object::{Object, count, list};

#[wasm_bindgen]
impl File {
    /// The first `most` values that a path selects, in the order of the bytes: the frame, the path, and the offsets at
    /// which the value starts and ends. O(bytes of the file and of the values).
    ///
    /// # Errors
    /// The text is not a path; damage before the last of these values.
    pub fn select(&self, query: &str, most: usize) -> Result<JsValue, JsValue> {
        let address = Address::parse(query);
        let address = address.map_err(|why| failure::refused("path", &why, None, Some(query)))?;
        let file = self.draft.plain();
        let mut found = Vec::new();
        for piece in file.pieces() {
            let piece = piece.map_err(|error| failure::plain("truncated", &file.cut(&error)))?;
            if let Some(part) = address.part(&piece) {
                add(file, &piece, &part.query, most, &mut found)?;
            }
            if found.len() >= most {
                break;
            }
        }
        Ok(list(found))
    }

    /// The rows of the values that a path selects, also of elements of packed arrays, from byte `from`: at most `most`, and at most those of the frames that
    /// begin in the first `bytes` bytes. O(bytes of these frames).
    ///
    /// # Errors
    /// Those of [`File::select`].
    pub fn nodes(
        &mut self,
        query: &str,
        from: usize,
        most: usize,
        bytes: usize,
    ) -> Result<JsValue, JsValue> {
        let address = Address::parse(query);
        let address = address.map_err(|why| failure::refused("path", &why, None, Some(query)))?;
        let file = self.draft.plain();
        let (most, end) = (most.max(1), from.saturating_add(bytes.max(1)));
        let (mut found, mut next) = (Vec::new(), None);
        for piece in file.pieces() {
            let piece = piece.map_err(|error| failure::plain("truncated", &file.cut(&error)))?;
            if piece.start.saturating_add(piece.bytes.len()) <= from {
                continue;
            }
            if piece.start >= end {
                next = Some(piece.start);
                break;
            }
            if let Some(part) = address.part(&piece) {
                next = starts(file, &piece, &part.query, from, most, &mut found)?;
            }
            if next.is_some() {
                break;
            }
        }
        let mut rows = Vec::new();
        // The walk only moves forward, so that bytes are not read again for each value.
        let mut walk = None::<Walk<'_>>;
        for start in found {
            match &mut walk {
                Some(walk) => walk.forth_to(start),
                None => walk = Walk::to_byte(file, start, &mut self.store),
            }
            let chain = walk.as_mut().map(Walk::chain).unwrap_or_default();
            rows.extend(node(&chain));
        }
        if let Some(walk) = walk {
            walk.keep(&mut self.store);
        }
        Ok(Object::new().with("found", list(rows)).with_some("next", next).into())
    }

    /// Writes the value between two offsets as words, like [`File::value`].
    ///
    /// # Errors
    /// The value is damaged.
    #[wasm_bindgen(js_name = valueBetween)]
    pub fn value_between(&self, start: usize, end: usize) -> Result<usize, JsValue> {
        let file = self.draft.plain();
        let document = file.document(file.bytes.get(start..end).unwrap_or_default());
        Codec::tell(&document).map_err(|error| match error {
            FeedError::Producer(error) => failure::read(&document, &error),
            FeedError::Consumer(thrown) => thrown,
        })
    }
}

/// The wanted number of values was found.
struct Full;

/// Adds the selected values of a piece, up to `most` in all.
fn add(
    file: Plain<'_>,
    piece: &Piece<'_>,
    query: &Query,
    most: usize,
    found: &mut Vec<Object>,
) -> Result<(), JsValue> {
    let document = file.document(piece.bytes);
    let damaged = |error| damaged(&document, piece, &error);
    let stopped = select(&document, query, |one| {
        if found.len() >= most {
            return Err(Ok(Full));
        }
        let end = one.end().map_err(Err)?;
        let path = if one.path.is_empty() { String::new() } else { one.text() };
        let place = Object::new().with("frame", count(number_of(piece))).with("path", path);
        let start = piece.absolute(one.start);
        found.push(place.with("start", start).with("end", piece.absolute(end)));
        Ok(())
    });
    match stopped {
        Ok(()) | Err(Stop::Caller(Ok(Full))) => Ok(()),
        Err(Stop::Data(error) | Stop::Caller(Err(error))) => Err(damaged(error)),
    }
}

/// Adds the offsets of the selected values of a piece that start at `from` or after it, up to `most` in all. Returns the
/// offset of the next value.
fn starts(
    file: Plain<'_>,
    piece: &Piece<'_>,
    query: &Query,
    from: usize,
    most: usize,
    found: &mut Vec<usize>,
) -> Result<Option<usize>, JsValue> {
    let document = file.document(piece.bytes);
    let stopped = select_elements(&document, query, |one| {
        let start = piece.absolute(one.start);
        if start < from {
            return Ok(());
        }
        if found.len() >= most {
            return Err(start);
        }
        found.push(start);
        Ok(())
    });
    match stopped {
        Ok(()) => Ok(None),
        Err(Stop::Caller(next)) => Ok(Some(next)),
        Err(Stop::Data(error)) => Err(damaged(&document, piece, &error)),
    }
}

fn damaged(document: &Document<'_>, piece: &Piece<'_>, error: &variant_view::Error) -> JsValue {
    failure::damaged(document, error, error.offset(), piece.start, number_of(piece))
}
