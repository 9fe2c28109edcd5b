//! [`fields`]: the meaning of the bytes in a part of a file, for a pane that shows bytes.

use std::ops::Range;

use variant_io::Framing;
use variant_view::VariantView;

use crate::anatomy::{Bytes, Part, parts};
use crate::escape::cut;
use crate::plain::{Piece, Plain};
use crate::tree::{Child, Children, Label, Spot, Store, Walk};

/// Bytes of a file that are one part of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The range in the file.
    pub range: Range<usize>,
    /// The part of the value, in one word.
    pub part: &'static str,
    /// The meaning of the bytes.
    pub meaning: String,
    /// The offset of the value.
    pub value: usize,
}

/// The maximum number of fields that are returned at once: more than fit on a screen.
const MOST: usize = 4_096;

/// The size of a length prefix.
const WORD: usize = 4;

/// The fields that overlap a range of the file, in order. O(bytes of the range), plus the search for its first value.
pub fn fields(file: Plain<'_>, range: Range<usize>, store: &mut Store) -> Vec<Field> {
    let first = || Walk::to(Children::of_file(file), &[0]);
    let mut walk = Walk::to_byte(file, range.start, store).unwrap_or_else(first);
    let mut list = List { range, fields: Vec::new() };
    while let Some(child) = walk.child() {
        list.child(&child);
        if child.start() >= list.range.end || list.fields.len() >= MOST || !walk.forth() {
            break;
        }
    }
    walk.keep(store);
    list.fields
}

/// Fields within a range.
struct List {
    range: Range<usize>,
    fields: Vec<Field>,
}

impl List {
    /// Adds the fields before a value, and the fields of the value. For a container, adds the fields of its head.
    fn child(&mut self, child: &Child<'_>) {
        let value = child.spot.start;
        match &child.label {
            Label::Piece(piece) => self.piece(piece, value),
            // If the pair's key is a container, key and value are separate children.
            Label::Pair { .. } if child.wide_key().is_some() => return,
            Label::Pair { key, .. } => self.spot(key, value),
            Label::Property { name, .. } => {
                let meaning = cut(name.as_bytes(), 40);
                self.add(child.start()..child.spot.start, "name", meaning, value);
            }
            _ => {}
        }
        self.spot(&child.spot, value);
    }

    /// Adds the bytes before a value of the file.
    fn piece(&mut self, piece: &Piece<'_>, value: usize) {
        let word = piece.start.saturating_sub(WORD);
        let len = piece.bytes.len();
        if let (Framing::Settings, Some(name)) = (piece.framing, piece.name) {
            let text = word.saturating_sub(name.len());
            self.add(text.saturating_sub(WORD)..text, "length", name.len().to_string(), value);
            self.add(text..word, "name", cut(name, 40), value);
        }
        if piece.framing != Framing::Bare {
            self.add(word..piece.start, "frame", format!("{len} bytes"), value);
        }
    }

    fn spot(&mut self, spot: &Spot<'_>, value: usize) {
        let Ok(view) = spot.view() else { return };
        let is_around = matches!(view, VariantView::PackedByteArray(_)) && spot.nested().is_some();
        for Bytes { part, range } in parts(&view, spot.bytes, spot.options) {
            let at = spot.start.saturating_add(range.start)..spot.start.saturating_add(range.end);
            if at.start >= self.range.end || self.fields.len() >= MOST {
                break;
            }
            // The value inside the byte array is a child with its own fields, so the elements of the array are not a
            // field.
            if at.end <= self.range.start || is_around && part == Part::Numbers {
                continue;
            }
            let bytes = spot.bytes.get(range).unwrap_or_default();
            self.add(at, part.name(), part.meaning(&view, bytes), value);
        }
    }

    fn add(&mut self, range: Range<usize>, part: &'static str, meaning: String, value: usize) {
        let is_within = range.start < self.range.end && range.end > self.range.start;
        if is_within && !range.is_empty() {
            self.fields.push(Field { range, part, meaning, value });
        }
    }
}
