//! [`fields`]: the meaning of the bytes in a part of a file, for a pane that shows bytes.

use std::ops::Range;

use variant_io::Framing;
use variant_view::VariantView;

use crate::anatomy::{Bytes, Part, Text, parts};
use crate::escape::cut;
use crate::literal;
use crate::plain::{Piece, Plain};
use crate::texts::{TextAt, texts};
use crate::tree::{Child, Children, Label, Spot, Store, Walk, text_of};

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
        if child.spot.element.is_some()
            && let Some(array) = walk.around()
        {
            list.padding_after(&child.spot, &array.spot);
        }
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
        if spot.element.is_some() {
            return self.element(spot, &view);
        }
        let is_around = view.elements().is_some_and(|elements| !elements.is_empty());
        let has_value = is_around && spot.nested().is_some();
        for Bytes { part, range } in parts(&view, spot.bytes, spot.options) {
            let at = spot.start.saturating_add(range.start)..spot.start.saturating_add(range.end);
            if at.start >= self.range.end || self.fields.len() >= MOST {
                break;
            }
            // The elements of a packed array, and the value inside a byte array, are children with their own fields.
            let is_inside = match part {
                Part::Header | Part::Count => false,
                Part::Padding(_) if has_value => false,
                _ => is_around,
            };
            if at.end <= self.range.start || is_inside {
                continue;
            }
            let bytes = spot.bytes.get(range).unwrap_or_default();
            self.add(at, part.name(), part.meaning(&view, bytes), value);
        }
    }

    /// Adds the fields of an element of a packed array.
    fn element(&mut self, spot: &Spot<'_>, view: &VariantView<'_>) {
        let at = |byte: usize| spot.start.saturating_add(byte);
        let mut add = |part: Part, range: Range<usize>, meaning| {
            self.add(at(range.start)..at(range.end), part.name(), meaning, spot.start);
        };
        let text = texts(spot.bytes, 0).next().filter(|_| text_of(view).is_some());
        let Some(TextAt { length, start, end, behind }) = text else {
            return add(Part::Value, 0..spot.bytes.len(), literal::text(view));
        };
        let text = Text { name: "text", number: None };
        add(Part::Length(text), length..start, end.saturating_sub(start).to_string());
        add(Part::Text(text), start..end, literal::text(view));
        add(Part::Padding(Some(text)), end..behind, String::new());
    }

    /// Adds the padding of a byte array after its last element.
    fn padding_after(&mut self, element: &Spot<'_>, array: &Spot<'_>) {
        // Only byte arrays have padding. A view of an array of texts reads all texts.
        if element.bytes.len() != 1 {
            return;
        }
        let end = element.start.saturating_add(element.bytes.len());
        let behind = array.start.saturating_add(array.head_len());
        let padding = Part::Padding(None);
        if let Ok(VariantView::PackedByteArray(bytes)) = array.view()
            && behind.saturating_sub(end) < WORD
            && element.start.saturating_sub(array.start) == bytes.len().saturating_add(WORD + 3)
        {
            self.add(end..behind, padding.name(), String::new(), array.start);
        }
    }

    fn add(&mut self, range: Range<usize>, part: &'static str, meaning: String, value: usize) {
        let is_within = range.start < self.range.end && range.end > self.range.start;
        if is_within && !range.is_empty() {
            self.fields.push(Field { range, part, meaning, value });
        }
    }
}
