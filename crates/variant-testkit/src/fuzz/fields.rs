//! [`Fields`]: the meaning of the bytes of a valid document.

use std::ops::Range;

use variant_view::{Document, Event, StrView, VariantView};

/// The positions of the fields of a document.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields {
    /// The first bytes of values.
    pub(super) headers: Vec<usize>,
    /// Words that hold a length, a count or a type.
    pub(super) words: Vec<usize>,
    /// The padding of texts and byte arrays.
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
                self.text(start.saturating_add(4), text.as_bytes().len());
            }
            VariantView::PackedByteArray(bytes) => {
                self.text(start.saturating_add(4), bytes.len());
            }
            VariantView::PackedStringArray(strings) => {
                self.words.push(start.saturating_add(4));
                // The length counts the NUL after each string, if there is one.
                strings.iter().for_each(|text| self.name(text));
            }
            VariantView::NodePath(path) => {
                self.words.extend([4, 8, 12].map(|word: usize| start.saturating_add(word)));
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
                let words = [4, 8, 12].map(|word: usize| start.saturating_add(word));
                self.words.extend(words);
            }
            VariantView::Nil(_) => {}
            _ => self.words.push(start.saturating_add(4)),
        }
    }

    /// Text without a header.
    fn name(&mut self, name: StrView<'_>) {
        self.text(name.offset().saturating_sub(4), name.as_bytes().len());
    }

    fn text(&mut self, length: usize, len: usize) {
        self.words.push(length);
        let end = length.saturating_add(4).saturating_add(len);
        self.pads.push(end..end.next_multiple_of(4));
    }
}
