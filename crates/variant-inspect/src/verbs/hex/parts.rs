//! [`parts`]: which bytes of a value are what: header, type, length, text, numbers, padding (docs/format.md, section 2).

use std::ops::Range;

use variant_view::{Document, Kind, VariantView};

use crate::literal;

/// What bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The name of a property, with its length and padding.
    Name,
    Header,
    /// The types that a container declares.
    Types,
    Length,
    Count,
    Text,
    Numbers,
    /// A scalar, or what has a form of its own: node paths, objects by id, images.
    Value,
    Padding,
}

impl Part {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Header => "header",
            Self::Types => "types",
            Self::Length => "length",
            Self::Count => "count",
            Self::Text => "text",
            Self::Numbers => "numbers",
            Self::Value => "value",
            Self::Padding => "padding",
        }
    }
}

/// Bytes of a value, what they are, and what they say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bytes {
    pub(super) part: Part,
    /// In the document.
    pub(super) range: Range<usize>,
    pub(super) says: String,
}

const WORD: usize = 4;

/// The bytes of a value that starts at `start` of its document; of a container its head, which ends at `end`.
pub(super) fn parts(
    document: &Document<'_>,
    view: &VariantView<'_>,
    start: usize,
    end: usize,
) -> Vec<Bytes> {
    let bytes = document.bytes();
    let word = |at: usize| -> u32 {
        let word = bytes.get(at..).and_then(|rest| rest.first_chunk());
        word.map_or(0, |word| u32::from_le_bytes(*word))
    };
    let mut parts = Cut { parts: Vec::new(), at: start, end };
    let header = word(start);
    parts.take(Part::Header, WORD, says_header(header, view.kind()));
    let number = word(parts.at).to_string();
    match view {
        VariantView::String(text) | VariantView::StringName(text) => {
            parts.take(Part::Length, WORD, number);
            parts.take(Part::Text, text.as_bytes().len(), shown(view));
        }
        VariantView::Array(_)
        | VariantView::TypedArray(_)
        | VariantView::PackedTypedArray(_)
        | VariantView::Dictionary(_) => {
            let types = end.saturating_sub(parts.at).saturating_sub(WORD);
            parts.take(Part::Types, types, shown(view));
            parts.take(Part::Count, WORD, (word(parts.at) & 0x7fff_ffff).to_string());
        }
        VariantView::PackedStringArray(_) => {
            parts.take(Part::Count, WORD, number);
            parts.take(Part::Value, end.saturating_sub(parts.at), shown(view));
        }
        _ => match view.numbers() {
            Some(numbers) => {
                if numbers.shape().is_packed {
                    parts.take(Part::Count, WORD, number);
                }
                let wide = view.raw_bytes().map_or(0, <[u8]>::len);
                let len = match view {
                    VariantView::PackedByteArray(packed) => packed.as_bytes().len(),
                    _ => start.saturating_add(wide).saturating_sub(parts.at),
                };
                parts.take(Part::Numbers, len, shown(view));
            }
            None => parts.take(Part::Value, end.saturating_sub(parts.at), shown(view)),
        },
    }
    parts.take(Part::Padding, end.saturating_sub(parts.at), String::new());
    parts.parts
}

/// Takes parts of a value, one behind the other.
struct Cut {
    parts: Vec<Bytes>,
    at: usize,
    end: usize,
}

impl Cut {
    fn take(&mut self, part: Part, len: usize, says: String) {
        let end = self.at.saturating_add(len).min(self.end);
        if end > self.at {
            self.parts.push(Bytes { part, range: self.at..end, says });
            self.at = end;
        }
    }
}

/// The kind, and the flags if there are any.
fn says_header(header: u32, kind: Kind) -> String {
    match header >> 16 {
        0 => kind.name().to_owned(),
        flags => format!("{kind}, flags 0x{flags:x}"),
    }
}

fn shown(view: &VariantView<'_>) -> String {
    let mut text = String::new();
    literal::write(&mut text, view);
    text
}
