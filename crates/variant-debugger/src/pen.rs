//! [`Pen`]: writes the elements of a message, and frames them for its family.

use std::borrow::Cow;

use variant_owned::{Variant, Writer, encode_into};
use variant_view::{
    Consumer, Dialect, Document, ErrorKind, FeedError, Kind, Leaf, Objects, Options, Producer,
    Texts,
};

use crate::error::SendError;
use crate::family::{Family, Versions};
use crate::list::{List, Row};
use crate::value::Value;

type Result<T = (), E = SendError> = std::result::Result<T, E>;

/// The size of a length word.
const WORD: usize = 4;

/// Appends the elements of one message.
#[derive(Debug)]
pub(crate) struct Pen {
    /// The elements, each in its own frame if `is_framed`.
    body: Vec<u8>,
    /// The number of elements of the message, or of the innermost open array.
    count: u32,
    /// The number of open arrays.
    depth: u32,
    /// Whether each element of the message is a frame: games of Godot 3 and Pandemonium send so.
    is_framed: bool,
    /// Whether the elements are an array of `StringName`.
    has_names: bool,
    pub(crate) family: Family,
    pub(crate) dialect: Dialect,
    pub(crate) versions: Versions,
}

impl Pen {
    /// Writes a message of a game.
    pub(crate) fn of_game(family: Family, dialect: Dialect, versions: Versions) -> Self {
        Self { is_framed: !family.is_array(), ..Self::of_debugger(family, dialect, versions) }
    }

    /// Writes a command.
    pub(crate) const fn of_debugger(family: Family, dialect: Dialect, versions: Versions) -> Self {
        Self {
            body: Vec::new(),
            count: 0,
            depth: 0,
            is_framed: false,
            has_names: false,
            family,
            dialect,
            versions,
        }
    }

    /// The number of elements.
    pub(crate) fn len(&self) -> usize {
        usize::try_from(self.count).unwrap_or(usize::MAX)
    }

    pub(crate) fn int(&mut self, value: i64) -> Result {
        self.variant(&value.into())
    }

    pub(crate) fn float(&mut self, value: f64) -> Result {
        self.variant(&value.into())
    }

    pub(crate) fn bool(&mut self, value: bool) -> Result {
        self.variant(&value.into())
    }

    pub(crate) fn text(&mut self, text: &str) -> Result {
        self.value_of(|writer| Ok(writer.leaf(Leaf::String(text.as_bytes()))?))
    }

    /// A `StringName`, in dialects that have it.
    pub(crate) fn name(&mut self, text: &str) -> Result {
        if self.dialect.id(Kind::StringName).is_none() {
            return self.text(text);
        }
        self.value_of(|writer| Ok(writer.leaf(Leaf::StringName(text.as_bytes()))?))
    }

    pub(crate) fn value(&mut self, value: &Value<'_>) -> Result {
        self.value_of(|writer| {
            value.feed(writer).map_err(|error| match error {
                FeedError::Producer(error) => SendError::Value(error),
                FeedError::Consumer(error) => SendError::Encode(error),
            })
        })
    }

    /// A packed array of strings.
    pub(crate) fn strings(&mut self, texts: &[Cow<'_, str>]) -> Result {
        let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
        let texts = texts.as_slice();
        self.value_of(|writer| Ok(writer.leaf(Leaf::Strings(Texts::of(&texts)))?))
    }

    /// A packed array of integers.
    pub(crate) fn numbers(&mut self, numbers: &[i32]) -> Result {
        self.variant(&Variant::PackedInt32Array(numbers.to_vec()))
    }

    pub(crate) fn variant(&mut self, value: &Variant) -> Result {
        let start = self.begin();
        encode_into(value, self.dialect, &mut self.body)?;
        self.end(start);
        Ok(())
    }

    fn value_of(&mut self, write: impl FnOnce(&mut Writer<'_>) -> Result) -> Result {
        let start = self.begin();
        let mut writer = Writer::new(&mut self.body, self.dialect);
        write(&mut writer)?;
        writer.finish()?;
        self.end(start);
        Ok(())
    }

    /// An array, whose elements `items` writes.
    pub(crate) fn array(&mut self, items: impl FnOnce(&mut Self) -> Result) -> Result {
        let start = self.begin();
        let around = std::mem::take(&mut self.count);
        self.depth = self.depth.saturating_add(1);
        let head = self.body.len();
        self.body.extend_from_slice(&self.array_head(0));
        items(self)?;
        let count = std::mem::replace(&mut self.count, around);
        self.depth = self.depth.saturating_sub(1);
        self.patch(head.saturating_add(WORD), count);
        self.end(start);
        Ok(())
    }

    /// The elements of a list, each written by `write`.
    pub(crate) fn each<'a, T: Row<'a>>(
        &mut self,
        list: &List<'a, T>,
        mut write: impl FnMut(&mut Self, &T) -> Result,
    ) -> Result {
        for item in list.clone() {
            write(self, &item?)?;
        }
        Ok(())
    }

    /// The number of elements of a list that has `stride` elements an item, and then the list.
    pub(crate) fn counted<'a, T: Row<'a>>(
        &mut self,
        list: &List<'a, T>,
        stride: usize,
        write: impl FnMut(&mut Self, &T) -> Result,
    ) -> Result {
        let count = list.clone().count().saturating_mul(stride);
        self.int(i64::try_from(count).unwrap_or(i64::MAX))?;
        self.each(list, write)
    }

    /// Declares the elements as `StringName`s.
    pub(crate) const fn declare_names(&mut self) {
        self.has_names = true;
    }

    fn begin(&mut self) -> usize {
        let start = self.body.len();
        if self.is_framed && self.depth == 0 {
            self.body.extend_from_slice(&[0; WORD]);
        }
        start
    }

    fn end(&mut self, start: usize) {
        self.count = self.count.saturating_add(1);
        if self.is_framed && self.depth == 0 {
            let len = self.body.len().saturating_sub(start).saturating_sub(WORD);
            self.patch(start, u32::try_from(len).unwrap_or(u32::MAX));
        }
    }

    fn patch(&mut self, at: usize, word: u32) {
        if let Some(place) = self.body.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
            *place = word.to_le_bytes();
        }
    }

    /// The head of an array without declared types: its header and its count.
    fn array_head(&self, count: u32) -> [u8; 8] {
        let header = u64::from(self.dialect.id(Kind::Array).unwrap_or_default());
        (header | u64::from(count) << 32).to_le_bytes()
    }

    /// The head of an array of `StringName`.
    fn names_head(&self, count: u32) -> Vec<u8> {
        let id = u32::from(self.dialect.id(Kind::StringName).unwrap_or_default());
        let header = u32::from(self.dialect.id(Kind::Array).unwrap_or_default()) | 1 << 16;
        [header, id, count].map(u32::to_le_bytes).concat()
    }

    /// The bytes of the message, with the length words of its frames.
    pub(crate) fn finish(self, name: &str, thread: Option<i64>) -> Result<Vec<u8>> {
        let bytes =
            if self.is_framed { self.frames(name, thread)? } else { self.frame(name, thread)? };
        check(&bytes, self.dialect)?;
        Ok(bytes)
    }

    /// The message as frames: name, thread, count, and the elements.
    fn frames(&self, name: &str, thread: Option<i64>) -> Result<Vec<u8>> {
        let mut head = Self::of_game(self.family, self.dialect, self.versions);
        head.text(name)?;
        if let Some(thread) = thread {
            head.int(thread)?;
        }
        head.int(self.count.into())?;
        head.body.extend_from_slice(&self.body);
        Ok(head.body)
    }

    /// The message as one frame with an array. The elements are an array in it, or follow the name.
    fn frame(&self, name: &str, thread: Option<i64>) -> Result<Vec<u8>> {
        let mut head = Self::of_debugger(self.family, self.dialect, self.versions);
        head.body.extend_from_slice(&[0; WORD]);
        head.body.extend_from_slice(&self.array_head(0));
        head.text(name)?;
        if let Some(thread) = thread {
            head.int(thread)?;
        }
        if self.family.is_array() {
            head.count = head.count.saturating_add(1);
            if self.has_names {
                head.body.extend_from_slice(&self.names_head(self.count));
            } else {
                head.body.extend_from_slice(&self.array_head(self.count));
            }
        } else {
            head.count = head.count.saturating_add(self.count);
        }
        head.body.extend_from_slice(&self.body);
        head.patch(WORD.saturating_mul(2), head.count);
        let len = head.body.len().saturating_sub(WORD);
        head.patch(0, u32::try_from(len).unwrap_or(u32::MAX));
        Ok(head.body)
    }
}

/// Refuses objects in full: engines refuse the whole message for one.
fn check(bytes: &[u8], dialect: Dialect) -> Result {
    let options = Options::engine(dialect).objects(Objects::Refuse);
    for frame in variant_io::frames(bytes, variant_io::ByteOrder::Little).flatten() {
        if let Err(error) = Document::new(frame.bytes(), options).validate() {
            return Err(match error.kind() {
                ErrorKind::ObjectRefused => SendError::Object,
                _ => SendError::Value(error),
            });
        }
    }
    Ok(())
}
