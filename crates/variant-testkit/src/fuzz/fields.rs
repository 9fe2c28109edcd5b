//! [`Fields`]: which bytes of a valid document mean what.

use std::ops::Range;

use variant_view::{Document, Event, StrView, VariantView};

/// Where the fields of a document stand.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields {
    /// The first bytes of values.
    pub(super) headers: Vec<usize>,
    /// Words that say how much of something follows, or of which type it is.
    pub(super) words: Vec<usize>,
    /// What fills up the last word of texts and byte arrays, if anything.
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
                // The NUL behind each is counted, too, if it is there.
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
