//! [`Fields`]: the positions of important bytes in a valid document.

use std::ops::Range;

use variant_view::{Document, Event, StrView, VariantView};

/// The positions of the fields of a document.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields {
    /// The offsets of the headers of values.
    pub(super) headers: Vec<usize>,
    /// The offsets of words that are a length, a count or a type.
    pub(super) words: Vec<usize>,
    /// The ranges of the padding of texts and byte arrays.
    pub(super) pads: Vec<Range<usize>>,
}

impl Fields {
    pub(super) fn of(document: &Document<'_>) -> Self {
        let mut fields = Self::default();
        for event in document.walk().flatten() {
            if let Event::Enter(node) | Event::Leaf(node) = event {
                fields.add(&node.view);
            }
        }
        fields
    }

    fn add(&mut self, view: &VariantView<'_>) {
        let start = view.offset();
        self.headers.push(start);
        match view {
            VariantView::String(text) | VariantView::StringName(text) => {
                self.text(start + 4, text.as_bytes().len());
            }
            VariantView::PackedByteArray(bytes) => self.text(start + 4, bytes.len()),
            VariantView::PackedStringArray(strings) => {
                self.words.push(start.saturating_add(4));
                // If each string ends in a NUL, the length includes it.
                strings.iter().for_each(|text| self.name(text));
            }
            VariantView::NodePath(path) => {
                self.words.extend([4, 8, 12].map(|word| start + word));
                path.names().chain(path.subnames()).for_each(|name| self.name(name));
            }
            VariantView::Object(object) => {
                self.words.push(start.saturating_add(4));
                for (name, _) in object.properties().flatten() {
                    self.name(name);
                }
            }
            VariantView::Array(_)
            | VariantView::TypedArray(_)
            | VariantView::PackedTypedArray(_)
            | VariantView::Dictionary(_) => {
                self.words.extend([4, 8, 12].map(|word| start + word));
            }
            VariantView::Nil(_) => {}
            _ => self.words.push(start.saturating_add(4)),
        }
    }

    /// Adds a text that has no header.
    fn name(&mut self, name: StrView<'_>) {
        self.text(name.offset().saturating_sub(4), name.as_bytes().len());
    }

    fn text(&mut self, length: usize, len: usize) {
        self.words.push(length);
        let end = length.saturating_add(4).saturating_add(len);
        self.pads.push(end..end.next_multiple_of(4));
    }
}
