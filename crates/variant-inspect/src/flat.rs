//! The flat form of a value: a line for each nested value, with its path and a literal.

mod again;
mod read;
mod tree;

use std::io::{self, Write};

use variant_owned::{TextOptions, TextStyle, write_text_to};
use variant_view::{Dialect, Document, Kind, PathStep, VariantView};

pub(crate) use self::again::again;
pub(crate) use self::read::{begins_with_line, read};
use crate::report::or_root;
use crate::values::Trouble;
use variant_document::Piece;
use variant_document::query::{KeyedStep, Match, Query, address_text, select, written_step};

/// Writes a line for each value that `query` selects. Each path starts with the frame or setting of `piece`. Returns
/// the number of values. O(bytes x levels), because each line contains a path. A long name is written as a position, so
/// that paths stay short.
pub(crate) fn write(
    document: &Document<'_>,
    query: &Query,
    piece: Option<&Piece<'_>>,
    out: &mut dyn Write,
) -> Result<u64, Trouble> {
    let (mut path, mut count) = (String::new(), 0_u64);
    lines(document, query, |line| {
        count = count.saturating_add(1);
        line.write_path(&mut path, document.options().dialect);
        let of_value = or_root(&path);
        match piece {
            Some(piece) => out.write_all(address_text(piece, of_value).as_bytes())?,
            None => out.write_all(of_value.as_bytes())?,
        }
        out.write_all(b" = ")?;
        out.write_all(line.literal)?;
        Ok(out.write_all(b"\n")?)
    })?;
    Ok(count)
}

struct Line<'l, 'a> {
    /// The steps from the root to the container around the value. `positions` has the position of each of these steps
    /// in its container.
    around: &'l [PathStep<'a>],
    positions: &'l [u32],
    /// For each step, the key of the pair if it is neither text nor an integer.
    keys: &'l [Option<VariantView<'a>>],
    /// The step to the value, or to the key of a pair; none for the root.
    last: Option<&'l Last<'a>>,
    literal: &'l [u8],
}

/// The last step of a line.
enum Last<'a> {
    Plain(PathStep<'a>),
    /// A key as a literal in brackets.
    Key(String),
}

impl Line<'_, '_> {
    /// Replaces the content of `path` by the path of the line.
    fn write_path(&self, path: &mut String, dialect: Dialect) {
        path.clear();
        for ((step, position), key) in self.around.iter().zip(self.positions).zip(self.keys) {
            KeyedStep { step: *step, key: *key }.short(*position).push_to(path, dialect);
        }
        match self.last {
            Some(Last::Plain(step)) => KeyedStep::from(*step).push_to(path, dialect),
            Some(Last::Key(key)) => path.push_str(key),
            None => {}
        }
    }
}

/// Calls `line` for each line of the values that `query` selects. O(bytes read).
fn lines<'a>(
    document: &Document<'a>,
    query: &Query,
    line: impl FnMut(&Line<'_, 'a>) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let mut lines = Lister { document, line, text: Vec::new(), literal: Vec::new() };
    Ok(select(document, query, |found| lines.add(&found))?)
}

struct Lister<'w, 'a, F> {
    document: &'w Document<'a>,
    line: F,
    text: Vec<u8>,
    literal: Vec<u8>,
}

impl<'a, F: FnMut(&Line<'_, 'a>) -> Result<(), Trouble>> Lister<'_, 'a, F> {
    fn add(&mut self, found: &Match<'_, 'a>) -> Result<(), Trouble> {
        let last = found.path.last().zip(found.positions.last());
        let key = found.keys.last().and_then(Option::as_ref);
        let key = key.and_then(|key| written_step(key, self.document.options().dialect));
        let last = last.map(|(step, position)| match key {
            Some(key) => Last::Key(key),
            None => Last::Plain(KeyedStep::from(*step).short(*position).step),
        });
        if let Some(Last::Plain(PathStep::Position(position))) = last
            && let Some(key) = self.key(found)
        {
            let to_key = Last::Plain(PathStep::PositionKey(position));
            self.line(found, Some(&to_key), &key)?;
        }
        match empty(found, self.document)? {
            Some(empty) => self.line(found, last.as_ref(), &empty),
            None => self.line(found, last.as_ref(), found.value.raw_bytes()?),
        }
    }

    /// Returns the key of a pair or the name of a property, encoded as a value.
    fn key(&self, found: &Match<'_, '_>) -> Option<Vec<u8>> {
        let slot = found.slot?;
        let key = self.document.bytes().get(slot.item_at..found.start).unwrap_or_default();
        match slot.kind {
            Kind::Dictionary => Some(key.to_vec()),
            Kind::Object => {
                // In the file, a name is a text without a header.
                let header = self.document.options().dialect.id(Kind::String);
                let header = header.map(|id| u32::from(id).to_le_bytes());
                header.map(|header| [&header[..], key].concat())
            }
            _ => None,
        }
    }

    /// Writes a line: the last step, and the literal of the value in `bytes`.
    fn line(
        &mut self,
        found: &Match<'_, 'a>,
        last: Option<&Last<'a>>,
        bytes: &[u8],
    ) -> Result<(), Trouble> {
        let dialect = self.document.options().dialect;
        self.text.clear();
        let value = Document::new(bytes, *self.document.options());
        write_text_to(value, &TextOptions::new(TextStyle::from(dialect)), &mut self.text)
            .map_err(|error| error.either(Trouble::from, Trouble::from))?;
        self.literal.clear();
        write_on_one_line(&self.text, &mut self.literal)?;
        let around = found.path.split_last().map_or(&[][..], |(_, around)| around);
        let Match { positions, keys, .. } = *found;
        (self.line)(&Line { around, positions, keys, last, literal: &self.literal })
    }
}

/// Returns the bytes of the same container without items, or `None` for a leaf. O(bytes before the items).
fn empty(found: &Match<'_, '_>, document: &Document<'_>) -> Result<Option<Vec<u8>>, Trouble> {
    use VariantView as V;
    let mut reader = match &found.value {
        V::Array(v) | V::TypedArray(v) | V::PackedTypedArray(v) => v.reader(),
        V::Dictionary(v) => v.reader(),
        V::Object(v) if v.class().is_some() => v.reader(),
        _ => return Ok(None),
    };
    let start = reader.offset();
    reader.next_value()?;
    let len = reader.offset().saturating_sub(start);
    let mut head = found.rest(document).get(..len).unwrap_or_default().to_vec();
    if let Some(count) = head.last_chunk_mut::<4>() {
        *count = [0; 4];
    }
    Ok(Some(head))
}

/// Writes text on one line. Control characters become escapes in strings, and spaces elsewhere.
fn write_on_one_line(text: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let (mut is_in_string, mut is_escaped) = (false, false);
    for part in
        text.trim_ascii_end().split_inclusive(|b| b.is_ascii_control() || b"\"\\".contains(b))
    {
        let Some((last, before)) = part.split_last() else { continue };
        is_escaped &= before.is_empty();
        out.write_all(before)?;
        match last {
            b'\n' if is_in_string => out.write_all(b"\\n")?,
            b'\t' if is_in_string => out.write_all(b"\\t")?,
            b'\r' if is_in_string => out.write_all(b"\\r")?,
            control if control.is_ascii_control() && is_in_string => {
                write!(out, "\\u{control:04x}")?;
            }
            control if control.is_ascii_control() => out.write_all(b" ")?,
            other => out.write_all(&[*other])?,
        }
        if *last == b'"' && !is_escaped {
            is_in_string = !is_in_string;
        }
        is_escaped = *last == b'\\' && !is_escaped;
    }
    Ok(())
}
