//! [`parts`]: splits the bytes of a value into named parts (docs/spec/format.md), for `hex` and `explain`.

use std::iter;
use std::ops::Range;

use variant_view::{Kind, ObjectForm, Options, Reader, VariantView};

use crate::escape::cut;
use crate::literal;
use crate::patch::SHARED;
use crate::texts::{TextAt, texts};

/// The meaning of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The header word.
    Header,
    /// The name of a property, with its length and padding. The value follows.
    Name,
    /// The types that a container declares, or the class of an object.
    Types,
    /// The number of items or elements.
    Count,
    /// A single number. The texts are its name and the expected value.
    Word(&'static str, &'static str),
    /// The length of a text.
    Length(Text),
    /// A text.
    Text(Text),
    /// The padding after a text, or after the bytes of a packed array.
    Padding(Option<Text>),
    /// Numbers, of a mathematical value or a packed array.
    Numbers,
    /// The content of a value that has no smaller parts, such as an int or an image.
    Value,
}

/// One of the texts of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text {
    /// Its name in messages.
    pub name: &'static str,
    /// The position of the text in the value, counted from 1; `None` if the value has one text only.
    pub number: Option<usize>,
}

/// Bytes of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bytes {
    /// The meaning of the bytes.
    pub part: Part,
    /// The range of the bytes, from the start of the value.
    pub range: Range<usize>,
}

impl Part {
    /// The part in one word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Name => "name",
            Self::Types => "types",
            Self::Count => "count",
            Self::Word(..) => "number",
            Self::Length(_) => "length",
            Self::Text(_) => "text",
            Self::Padding(_) => "padding",
            Self::Numbers => "numbers",
            Self::Value => "value",
        }
    }

    /// A short text that explains the bytes of this part of a value.
    pub fn meaning(self, view: &VariantView<'_>, bytes: &[u8]) -> String {
        let number = || bytes.first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
        match self {
            Self::Header => match number() >> 16 {
                0 => view.kind().name().to_owned(),
                flags => format!("{}, flags 0x{flags:x}", view.kind()),
            },
            // The highest bit of a container's count is a flag, not part of the number.
            Self::Count if view.kind() != Kind::Object && view.numbers().is_none() => {
                (number() & !SHARED).to_string()
            }
            Self::Count | Self::Length(_) => number().to_string(),
            Self::Word(name, _) => {
                let long = bytes.first_chunk().map(|word| u64::from_le_bytes(*word));
                format!("{name}: {}", long.unwrap_or_else(|| number().into()))
            }
            Self::Text(Text { number: Some(_), .. }) => cut(bytes, 40),
            Self::Padding(_) | Self::Name => String::new(),
            Self::Types | Self::Text(_) | Self::Numbers | Self::Value => literal::text(view),
        }
    }
}

const WORD: usize = 4;

/// The consecutive parts of the value at the start of `bytes`; for a container, only the parts of its head. O(1) for
/// each part.
pub fn parts<'b>(
    view: &VariantView<'_>,
    bytes: &'b [u8],
    options: Options,
) -> impl Iterator<Item = Bytes> + use<'b> {
    use VariantView as V;
    let word = |at: usize| -> u32 {
        let word = bytes.get(at..).and_then(|rest| rest.first_chunk());
        word.map_or(0, |word| u32::from_le_bytes(*word))
    };
    let end = end(view, bytes, options);
    let mut front = Cut { parts: Vec::new(), at: 0, end };
    front.take(Part::Header, WORD);
    let mut behind = None;
    let name = match view {
        V::String(_) | V::StringName(_) => Some("text"),
        V::NodePath(_) if word(WORD) >> 31 == 0 => Some("text"),
        V::NodePath(_) => {
            front.take(Part::Word("number of names", "u32, bit 31 set"), WORD);
            front.take(Part::Word("number of subnames", "u32"), WORD);
            front.take(Part::Word("flags", "bit 0: absolute"), WORD);
            Some("name")
        }
        V::Signal(_) => {
            behind = Some(Part::Word("object id, u64", ""));
            Some("name")
        }
        V::PackedStringArray(_) => {
            front.take(Part::Count, WORD);
            Some("string")
        }
        V::Object(object) if !matches!(object.form(), ObjectForm::Full(_)) => {
            front.take(Part::Word("instance id", "u64"), 2 * WORD);
            None
        }
        V::Object(_)
        | V::Dictionary(_)
        | V::Array(_)
        | V::TypedArray(_)
        | V::PackedTypedArray(_) => {
            front.take(Part::Types, end.saturating_sub(2 * WORD));
            front.take(Part::Count, WORD);
            None
        }
        _ => {
            front.numbers(view);
            None
        }
    };
    let is_one = name == Some("text") || behind.is_some();
    let text_bytes = bytes.get(..end).unwrap_or(bytes);
    let first = front.at;
    let texts = name.into_iter().flat_map(move |name| of_texts(text_bytes, first, name, is_one));
    let mut parts = front.parts.into_iter().chain(texts).fuse();
    let mut at = first;
    iter::from_fn(move || {
        let rest = || Bytes { part: behind.take().unwrap_or(Part::Value), range: at..end };
        let next = parts.next().or_else(|| (at < end).then(rest))?;
        at = next.range.end;
        Some(next)
    })
}

/// The end of a value, or of the head of a container.
fn end(view: &VariantView<'_>, bytes: &[u8], options: Options) -> usize {
    match view {
        VariantView::Object(object) if matches!(object.form(), ObjectForm::Full(_)) => {
            head_end(bytes, options)
        }
        VariantView::Dictionary(_)
        | VariantView::Array(_)
        | VariantView::TypedArray(_)
        | VariantView::PackedTypedArray(_) => head_end(bytes, options),
        leaf => leaf.raw_bytes().map_or(bytes.len(), <[u8]>::len),
    }
}

fn head_end(bytes: &[u8], options: Options) -> usize {
    let mut reader = Reader::new(bytes, options);
    reader.next_value().map_or(bytes.len(), |_| reader.offset())
}

/// The lengths, texts and paddings from byte `first` on. If `is_one` is set, only those of the first text.
fn of_texts<'b>(
    bytes: &'b [u8],
    first: usize,
    name: &'static str,
    is_one: bool,
) -> impl Iterator<Item = Bytes> + use<'b> {
    let most = if is_one { 1 } else { usize::MAX };
    (1_usize..).zip(texts(bytes, first)).take(most).flat_map(move |(number, at)| {
        let TextAt { length, start, end, behind } = at;
        let text = Text { name, number: Some(number).filter(|_| !is_one) };
        let parts = [
            Bytes { part: Part::Length(text), range: length..start },
            Bytes { part: Part::Text(text), range: start..end },
            Bytes { part: Part::Padding(Some(text)), range: end..behind },
        ];
        parts.into_iter().filter(|bytes| !bytes.range.is_empty())
    })
}

struct Cut {
    parts: Vec<Bytes>,
    at: usize,
    end: usize,
}

impl Cut {
    fn take(&mut self, part: Part, len: usize) {
        let end = self.at.saturating_add(len).min(self.end);
        if end > self.at {
            self.parts.push(Bytes { part, range: self.at..end });
            self.at = end;
        }
    }

    /// Takes the numbers after the header or the count. If `view.numbers()` is `None`, the rest of the value is one
    /// part.
    fn numbers(&mut self, view: &VariantView<'_>) {
        let Some(numbers) = view.numbers() else {
            return self.take(Part::Value, self.end);
        };
        if numbers.shape().is_packed {
            self.take(Part::Count, WORD);
        }
        let len = match view {
            VariantView::PackedByteArray(packed) => packed.as_bytes().len(),
            _ => self.end.saturating_sub(self.at),
        };
        self.take(Part::Numbers, len);
        self.take(Part::Padding(None), self.end);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use variant_view::{Dialect, Document, Event, Objects};

    use super::*;

    /// Checks each value of a document: its parts must end where the walk finds its end.
    fn check(bytes: &[u8], dialect: Dialect) -> usize {
        let options = Options::engine(dialect).objects(Objects::Accept);
        let document = Document::new(bytes, options);
        let mut walker = document.walk();
        let mut count = 0_usize;
        while let Some(event) = walker.next() {
            let Ok(Event::Enter(node) | Event::Leaf(node)) = event else { continue };
            let at = node.view.offset();
            let mut end = 0;
            for part in parts(&node.view, bytes.get(at..).unwrap_or_default(), options) {
                assert!(part.range.start == end && !part.range.is_empty(), "{part:?} of {node:?}");
                end = part.range.end;
            }
            assert_eq!(at.checked_add(end), Some(walker.offset()), "{node:?}");
            count = count.saturating_add(1);
        }
        count
    }

    #[test]
    fn parts_follow_one_another_to_the_end() {
        if crate::is_packed() {
            return;
        }
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
        let files = [
            ("godot3/saves/rpg_save.bin", 4, Dialect::Godot3),
            ("godot3/saves/objects_full.bin", 4, Dialect::Godot3),
            ("godot4/saves/sample3.variant", 0, Dialect::Godot4),
        ];
        let counts = files.map(|(path, skipped, dialect)| {
            let bytes = fs::read(corpus.join(path)).unwrap();
            check(&bytes[skipped..], dialect)
        });
        assert!(counts.iter().all(|count| *count > 5), "{counts:?}");
    }

    #[test]
    fn texts_are_parts() {
        // ["a", "bcd"]
        let words: [u32; 6] = [34, 2, 1, 0x61, 4, 0x0064_6362];
        let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
        assert_eq!(check(&bytes, Dialect::Godot4), 1);
        let document = Document::new(&bytes, Dialect::Godot4);
        let view = document.root().unwrap();
        let parts: Vec<_> = parts(&view, &bytes, *document.options()).collect();
        let text = |number| Text { name: "string", number: Some(number) };
        let expected = [
            (Part::Header, 0..4),
            (Part::Count, 4..8),
            (Part::Length(text(1)), 8..12),
            (Part::Text(text(1)), 12..13),
            (Part::Padding(Some(text(1))), 13..16),
            (Part::Length(text(2)), 16..20),
            (Part::Text(text(2)), 20..24),
        ];
        assert_eq!(parts, expected.map(|(part, range)| Bytes { part, range }));
    }
}
