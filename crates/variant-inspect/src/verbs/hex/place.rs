//! [`Place`]: the part of a value that contains a byte.

use std::ops::Range;

use variant_view::{Dialect, Kind, Options, VariantView};

use variant_document::anatomy::{Bytes, Part, Text, parts};
use variant_document::section::{self, Section};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) part: String,
    /// The bytes of the part, counted from the start of the value.
    pub(super) range: Range<usize>,
    /// The content that the decoder expects here. Empty if the name of the part describes it.
    pub(super) expected: String,
    pub(super) section: Section,
}

const PADDING: &str = "zeroes to a multiple of 4 bytes";

impl Place {
    /// Finds the part that contains byte `at` of a value. `bytes` begin with the bytes of the value. O(bytes before
    /// byte `at`).
    pub(super) fn of(view: &VariantView<'_>, bytes: &[u8], at: usize, options: Options) -> Self {
        let found = parts(view, bytes, options).find(|bytes| bytes.range.contains(&at));
        let rest = || Bytes { part: Part::Value, range: at..bytes.len() };
        let Bytes { part, range } = found.unwrap_or_else(rest);
        let kind = view.kind();
        let of_kind = |part: &str, expected: &str| Self {
            part: part.to_owned(),
            range: range.clone(),
            expected: expected.to_owned(),
            section: Section::Of(kind),
        };
        match part {
            Part::Header => header(options.dialect, at),
            Part::Types if kind == Kind::Object => of_kind("class", "docs/spec describes its form"),
            Part::Types => Self {
                section: section::TYPED,
                ..of_kind("declared type", "docs/spec describes its form")
            },
            Part::Count => count(kind, range),
            Part::Word(name, expected) => of_kind(name, expected),
            Part::Length(text) => {
                let name = format!("length of the {}", named(text));
                Self { section: section::TEXTS, ..of_kind(&name, "bytes of the text, u32") }
            }
            Part::Text(text) => {
                let byte = at.saturating_sub(range.start).saturating_add(1);
                let name = format!("{}, byte {byte} of {}", named(text), range.len());
                let expected = "text of the dialect, mostly UTF-8";
                Self { section: section::TEXTS, ..of_kind(&name, expected) }
            }
            Part::Padding(Some(text)) => {
                let name = format!("padding of the {}", named(text));
                Self { section: section::TEXTS, ..of_kind(&name, PADDING) }
            }
            Part::Padding(None) => of_kind("padding", PADDING),
            Part::Numbers => numbers(view, range, at),
            Part::Name | Part::Value => of_kind("payload", kind.name()),
        }
    }
}

/// The name of a text of a value, such as `text`, or `string 3` if the value has several.
fn named(text: Text) -> String {
    match text.number {
        None => text.name.to_owned(),
        Some(number) => format!("{} {number}", text.name),
    }
}

fn header(dialect: Dialect, at: usize) -> Place {
    let last = dialect.kinds().len().saturating_sub(1);
    let (part, range, expected) = if at < 2 {
        ("header, type number", 0..2, format!("0 to {last} in {dialect}, then a zero"))
    } else {
        ("header, flags", 2..4, "0, unless the kind has a flag".to_owned())
    };
    Place { part: part.to_owned(), range, expected, section: section::HEADER }
}

fn count(kind: Kind, range: Range<usize>) -> Place {
    let (part, expected) = match kind {
        Kind::Object => ("property count", "number of items, u32"),
        Kind::Array | Kind::TypedArray | Kind::PackedTypedArray | Kind::Dictionary => {
            ("count", "number of items, u32")
        }
        _ => ("count", "number of elements, i32"),
    };
    let (part, expected) = (part.to_owned(), expected.to_owned());
    Place { part, range, expected, section: Section::Of(kind) }
}

/// Describes the number that contains byte `at` of a value that consists of numbers.
fn numbers(view: &VariantView<'_>, all: Range<usize>, at: usize) -> Place {
    let section = Section::Of(view.kind());
    let numbers = view.numbers().filter(|numbers| !numbers.is_empty());
    let size = numbers.and_then(|numbers| numbers.wire_len().checked_div(numbers.len()));
    let Some((numbers, size)) = numbers.zip(size.filter(|size| *size > 0)) else {
        let (part, expected) = ("payload".to_owned(), view.kind().name().to_owned());
        return Place { part, range: all, expected, section };
    };
    let index = at.saturating_sub(all.start).checked_div(size).unwrap_or(0);
    let start = index.saturating_mul(size).saturating_add(all.start);
    let per_element = numbers.len().checked_div(numbers.elements().max(1)).unwrap_or(1).max(1);
    let part = match (numbers.shape().is_packed, per_element) {
        (true, 1) => format!("element {index}"),
        (true, _) => {
            let element = index.checked_div(per_element).unwrap_or(0);
            let number = index.checked_rem(per_element).unwrap_or(0).saturating_add(1);
            format!("element {element}, number {number}")
        }
        _ => format!("number {} of {}", index.saturating_add(1), numbers.len()),
    };
    let expected = format!("{size} bytes, little-endian");
    Place { part, range: start..start.saturating_add(size), expected, section }
}
