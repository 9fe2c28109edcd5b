//! Rows of the tree, and bytes.

use std::borrow::Cow;

use js_sys::Uint8Array;
use variant_document::lookup::offset_of;
use variant_document::tree::{Child, Children, Entry, Label, Spot, Walk};
use variant_document::{Piece, Plain};
use variant_io::Framing;
use variant_view::{Document, Error, ErrorClass, FeedError, Kind};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::shown::{count_of, shown};
use super::{File, chain, child, nothing};
use crate::codec::Codec;
use crate::failure;
use crate::object::{Object, count, list};

/// The maximum number of rows returned at once.
const MOST_ROWS: usize = 10_000;

/// The maximum length in bytes of a container's path. Below a longer path, rows have no paths, since each row would
/// repeat the path of its container.
const LONGEST_PATH: usize = 4_096;

#[wasm_bindgen]
impl File {
    /// The way of the value at a path: its position, and the positions of the values around it. The path is in value
    /// number `frame` of the file, counted from 1.
    ///
    /// # Errors
    /// Nothing is at the path.
    pub fn way(&mut self, frame: usize, path: &str) -> Result<Vec<usize>, JsValue> {
        let file = self.draft.plain();
        let number = frame.checked_sub(1).ok_or_else(nothing)?;
        let Child { label, spot: piece } = child(file, &[number], &mut self.store)?;
        let document = Document::new(piece.bytes, piece.options);
        let inside = offset_of(document, path).map_err(|why| match document.at(path) {
            Err(error) if error.class() != ErrorClass::Mismatch => {
                failure::damaged(&document, &error, error.offset(), piece.start, frame_of(&label))
            }
            _ => failure::plain("path", &why),
        })?;
        let offset = piece.start.saturating_add(inside);
        let walk = Walk::to_byte(file, offset, &mut self.store).ok_or_else(nothing)?;
        let way = walk.way();
        walk.keep(&mut self.store);
        Ok(way)
    }

    /// The value that `way` leads to, as a row.
    ///
    /// # Errors
    /// `way` leads to no value.
    pub fn node(&mut self, way: &[usize]) -> Result<JsValue, JsValue> {
        let file = self.draft.plain();
        if way.is_empty() {
            return Ok(root(file).into());
        }
        let chain = chain(file, way, &mut self.store)?;
        node(&chain).map(JsValue::from).ok_or_else(nothing)
    }

    /// The rows below the value that `way` leads to. If `way` is empty, the rows are the values of the file.
    ///
    /// # Errors
    /// `way` leads to no value.
    pub fn children(
        &mut self,
        way: &[usize],
        start: usize,
        most: usize,
    ) -> Result<JsValue, JsValue> {
        let file = self.draft.plain();
        let chain = match way {
            [] => Vec::new(),
            way => chain(file, way, &mut self.store)?,
        };
        let parent = chain.last().map(|(_, child)| child);
        let children = match parent {
            None => Some(self.store.of_file(file)),
            Some(parent) => self.store.of(parent),
        };
        let Some(mut children) = children else { return Ok(list::<JsValue>([])) };
        let around = Around::of(&chain);
        let end = start.saturating_add(most.min(MOST_ROWS));
        let rows: Vec<_> = (start..end)
            .map_while(|index| children.get(index).map(|entry| around.row(index, &entry)))
            .collect();
        self.store.keep(parent, children);
        Ok(list(rows))
    }

    /// The offsets at which a value starts and ends. O(bytes of the value).
    ///
    /// # Errors
    /// `way` leads to no value.
    pub fn extent(&mut self, way: &[usize]) -> Result<JsValue, JsValue> {
        let child = child(self.draft.plain(), way, &mut self.store)?;
        let spot = child.spot;
        let end = match spot.size() {
            Ok(size) => spot.start.saturating_add(size),
            Err(error) => error.offset(),
        };
        let extent = Object::new().with("start", child.start()).with("offset", spot.start);
        Ok(extent.with("end", end).into())
    }

    /// Writes a value as words, like [`decode`](crate::codec::decode).
    ///
    /// # Errors
    /// `way` leads to no value, or the value is damaged.
    pub fn value(&mut self, way: &[usize]) -> Result<usize, JsValue> {
        let chain = chain(self.draft.plain(), way, &mut self.store)?;
        let (_, child) = chain.last().ok_or_else(nothing)?;
        // JavaScript reads the bytes after this call.
        let bytes = match child.spot.document_bytes() {
            Cow::Borrowed(bytes) => bytes,
            Cow::Owned(bytes) => {
                self.element = bytes;
                &self.element
            }
        };
        let document = Document::new(bytes, child.spot.options);
        Codec::tell(&document).map_err(|error| match error {
            FeedError::Producer(error) => damaged(&chain, &error),
            FeedError::Consumer(thrown) => thrown,
        })
    }

    /// A copy of a range of the plain bytes.
    #[must_use]
    pub fn bytes(&self, start: usize, end: usize) -> Uint8Array {
        let bytes = self.draft.bytes();
        let end = end.min(bytes.len());
        Uint8Array::from(bytes.get(start.min(end)..end).unwrap_or_default())
    }
}

/// An error of reading a value, with its path and its offset in the file. The chain ends with this value ([`chain`]).
pub(super) fn damaged(chain: &[(usize, Child<'_>)], error: &Error) -> JsValue {
    let (Some((_, first)), Some((_, last))) = (chain.first(), chain.last()) else {
        return nothing();
    };
    let Spot { bytes, options, start, .. } = first.spot;
    let offset = last.spot.start.saturating_sub(start).saturating_add(error.offset());
    failure::damaged(&Document::new(bytes, options), error, offset, start, frame_of(&first.label))
}

fn root(file: Plain<'_>) -> Object {
    let around = Object::new().with("way", list::<usize>([])).with("label", "").with("text", "");
    let around = around.with("rows", Children::of_file(file).rows());
    around.with("start", 0).with("offset", file.skipped).with("frame", 0).with("path", "")
}

/// The last value of a chain ([`chain`]) as a row.
pub(super) fn node(chain: &[(usize, Child<'_>)]) -> Option<Object> {
    let ((index, child), around) = chain.split_last()?;
    Some(Around::of(around).child(*index, child))
}

/// The number of the frame that contains the last value of a chain (from 1; 0 if the file is one value without a
/// frame), and the path of this value in the frame.
pub(super) fn address(chain: &[(usize, Child<'_>)]) -> (u64, String) {
    let around = Around::of(chain);
    (around.frame, around.path)
}

pub(super) fn way_of(chain: &[(usize, Child<'_>)]) -> JsValue {
    list(chain.iter().map(|(index, _)| *index))
}

/// The data that all rows of one container share.
#[derive(Debug)]
struct Around {
    frame: u64,
    path: String,
    way: Vec<usize>,
}

impl Around {
    /// The data of the rows below the last value of a chain.
    fn of(chain: &[(usize, Child<'_>)]) -> Self {
        let frame = chain.first().map_or(0, |(_, child)| frame_of(&child.label));
        let mut path = String::new();
        for (_, child) in chain {
            child.extend_path(&mut path);
        }
        Self { frame, path, way: chain.iter().map(|(index, _)| *index).collect() }
    }

    fn row(&self, index: usize, entry: &Entry<'_>) -> Object {
        match entry {
            Entry::Child(child) => self.child(index, child),
            Entry::Damage(damage) => self.named(index, "").with("text", &**damage).with("rows", 0),
        }
    }

    fn child(&self, index: usize, child: &Child<'_>) -> Object {
        let frame = if self.way.is_empty() { frame_of(&child.label) } else { self.frame };
        let (kind, text, items) = match child.spot.head() {
            Ok((view, items)) => {
                // The items of a dictionary are keys and values.
                let has_pairs = view.kind() == Kind::Dictionary;
                let items = items.map(|items| if has_pairs { items / 2 } else { items });
                let items = items.or_else(|| count_of(&view));
                (Some(view.kind().name()), shown(child.spot, &view), items)
            }
            Err(error) => (None, error.to_string(), None),
        };
        self.named(index, &child.label())
            .with_some("kind", kind)
            .with("text", text)
            .with_some("count", items)
            .with("rows", Children::of(child).map_or(0, |children| children.rows()))
            .with("start", child.start())
            .with("offset", child.spot.start)
            .with("frame", count(frame))
            .with_some("path", self.path_of(child))
    }

    fn path_of(&self, child: &Child<'_>) -> Option<String> {
        // A value inside a byte array has no path here, since the path of the byte array belongs to another row.
        if matches!(child.label, Label::Inside) || self.path.len() > LONGEST_PATH {
            return None;
        }
        let mut path = self.path.clone();
        child.extend_path(&mut path);
        Some(path)
    }

    fn named(&self, index: usize, label: &str) -> Object {
        let way = list(self.way.iter().copied().chain([index]));
        Object::new().with("way", way).with("label", label)
    }
}

/// The number of the frame or setting; 0 if the file is one value without a frame.
fn frame_of(label: &Label<'_>) -> u64 {
    match label {
        Label::Piece(piece) => number_of(piece),
        _ => 0,
    }
}

/// The number of a value of the file; 0 if the file is one value without a frame.
pub(super) fn number_of(piece: &Piece<'_>) -> u64 {
    if piece.framing == Framing::Bare { 0 } else { piece.number }
}
