//! [`Anatomy`]: the parts of a value's bytes.

use variant_view::{Dialect, Kind, ObjectForm, Options, Reader, VariantView};

use crate::section;
use crate::texts::{TextAt, texts};

/// A part of a value's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Anatomy {
    pub(crate) part: String,
    /// Its bytes, from the start of the value.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// What the decoder expects here.
    pub(crate) expected: String,
    pub(crate) section: &'static str,
}

impl Anatomy {
    /// The part of byte `at` of a value, whose bytes and what follows are `bytes`. O(bytes before it).
    pub(crate) fn of(view: &VariantView<'_>, bytes: &[u8], at: usize, options: Options) -> Self {
        let of = Of { kind: view.kind(), bytes, at };
        if at < 4 {
            return of.header(options.dialect);
        }
        match view {
            VariantView::String(_) | VariantView::StringName(_) => of.texts(4, "text", None),
            VariantView::Signal(_) => of.texts(4, "name", Some("object id, u64")),
            VariantView::NodePath(_) if at < 16 => of.words(&[
                ("number of names", "u32, bit 31 set"),
                ("number of subnames", "u32"),
                ("flags", "bit 0: absolute"),
            ]),
            VariantView::NodePath(_) => of.texts(16, "name", None),
            VariantView::PackedStringArray(_) if at >= 8 => of.texts(8, "string", None),
            VariantView::Object(object) => match object.form() {
                ObjectForm::Full(_) => of.head("class", "property count", options),
                _ => of.part("instance id", 4, bytes.len().min(12), "u64"),
            },
            VariantView::Dictionary(_)
            | VariantView::Array(_)
            | VariantView::TypedArray(_)
            | VariantView::PackedTypedArray(_) => of.head("declared type", "count", options),
            VariantView::PackedByteArray(array) if at >= array.len().saturating_add(8) => {
                let start = array.len().saturating_add(8);
                of.part(
                    "padding",
                    start,
                    start.next_multiple_of(4),
                    "zeroes to a multiple of 4 bytes",
                )
            }
            _ => of.numbers(view),
        }
    }
}

struct Of<'o> {
    kind: Kind,
    bytes: &'o [u8],
    at: usize,
}

impl Of<'_> {
    fn part(&self, part: &str, start: usize, end: usize, expected: &str) -> Anatomy {
        let (part, expected) = (part.to_owned(), expected.to_owned());
        Anatomy { part, start, end, expected, section: section::of_kind(self.kind) }
    }

    fn header(&self, dialect: Dialect) -> Anatomy {
        let last = dialect.kinds().len().saturating_sub(1);
        let (part, start, expected) = if self.at < 2 {
            ("header, type number", 0, format!("0 to {last} in {dialect}, then a zero"))
        } else {
            ("header, flags", 2, "0, unless the kind has a flag".to_owned())
        };
        let end = if start == 0 { 2 } else { 4 };
        Anatomy { section: section::HEADER, ..self.part(part, start, end, &expected) }
    }

    /// Words from byte 4 on, by their names.
    fn words(&self, words: &[(&str, &str)]) -> Anatomy {
        let index = self.at.saturating_sub(4) / 4;
        let start = index.saturating_mul(4).saturating_add(4);
        let (name, expected) = words.get(index).copied().unwrap_or(("payload", ""));
        self.part(name, start, start.saturating_add(4), expected)
    }

    /// Texts from byte `first` on.
    fn texts(&self, first: usize, name: &str, behind: Option<&str>) -> Anatomy {
        let found = texts(self.bytes, first).enumerate().find(|(_, text)| self.at < text.behind);
        let Some((index, text)) = found else {
            let start = texts(self.bytes, first).last().map_or(first, |text| text.behind);
            return self.part(behind.unwrap_or("payload"), start, self.bytes.len(), "");
        };
        let TextAt { length, start, end, behind } = text;
        let number = index.saturating_add(1);
        let name = if first == 4 { name.to_owned() } else { format!("{name} {number}") };
        let part = if self.at < start {
            self.part(&format!("length of the {name}"), length, start, "bytes of the text, u32")
        } else if self.at < end {
            let byte = self.at.saturating_sub(start).saturating_add(1);
            let len = end.saturating_sub(start);
            let what = format!("{name}, byte {byte} of {len}");
            self.part(&what, start, end, "text of the dialect, mostly UTF-8")
        } else {
            self.part(
                &format!("padding of the {name}"),
                end,
                behind,
                "zeroes to a multiple of 4 bytes",
            )
        };
        Anatomy { section: section::TEXTS, ..part }
    }

    /// The head of a container: its count comes last.
    fn head(&self, before: &str, count: &str, options: Options) -> Anatomy {
        let mut reader = Reader::new(self.bytes, options);
        let end = reader.next_value().map_or(self.bytes.len(), |_| reader.offset());
        let start = end.saturating_sub(4);
        if self.at >= start {
            return self.part(count, start, end, "number of items, u32");
        }
        let part = self.part(before, 4, start, "docs/format.md tells its form");
        let is_object = self.kind == Kind::Object;
        Anatomy { section: if is_object { part.section } else { section::TYPED }, ..part }
    }

    /// Numbers behind the header or behind a count.
    fn numbers(&self, view: &VariantView<'_>) -> Anatomy {
        let shape = self.kind.shape();
        let is_packed = shape.is_some_and(|shape| shape.is_packed);
        if is_packed && self.at < 8 {
            return self.part("count", 4, 8, "number of elements, i32");
        }
        let first = if is_packed { 8 } else { 4 };
        let numbers = view.numbers().filter(|numbers| !numbers.is_empty());
        let size = numbers.and_then(|numbers| numbers.wire_len().checked_div(numbers.len()));
        let Some((numbers, size)) = numbers.zip(size.filter(|size| *size > 0)) else {
            return self.part("payload", 4, self.bytes.len(), self.kind.name());
        };
        let index = self.at.saturating_sub(first).checked_div(size).unwrap_or(0);
        let start = index.saturating_mul(size).saturating_add(first);
        let per_element = numbers.len().checked_div(numbers.elements().max(1)).unwrap_or(1).max(1);
        let what = match (is_packed, per_element) {
            (true, 1) => format!("element {index}"),
            (true, _) => {
                let element = index.checked_div(per_element).unwrap_or(0);
                let number = index.checked_rem(per_element).unwrap_or(0).saturating_add(1);
                format!("element {element}, number {number}")
            }
            _ => format!("number {} of {}", index.saturating_add(1), numbers.len()),
        };
        let expected = format!("{size} bytes, little-endian");
        self.part(&what, start, start.saturating_add(size), &expected)
    }
}
