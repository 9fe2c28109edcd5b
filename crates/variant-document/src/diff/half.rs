//! [`Half`]: one of the two documents, and the current position in it.

use variant_view::{Document, Error, Kind, Reader, StrView, VariantView};

use super::difference::Side;
use super::spans::Spans;
use super::trail::Trail;

/// Damage of one of the two documents.
pub(super) type Damage = (Side, Error);

/// A reader that can start anywhere in a document. Offsets and errors count from the start of the document.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    side: Side,
    reader: Reader<'a>,
    base: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(side: Side, document: &Document<'a>, start: usize) -> Self {
        let bytes = document.bytes().get(start..).unwrap_or_default();
        Self { side, reader: Reader::new(bytes, *document.options()), base: start }
    }

    pub(super) const fn offset(&self) -> usize {
        self.base.saturating_add(self.reader.offset())
    }

    pub(super) fn kind(&self) -> Result<Kind, Damage> {
        self.reader.kind().map_err(|error| self.damage(error))
    }

    pub(super) fn next(&mut self) -> Result<(VariantView<'a>, Option<u32>), Damage> {
        self.reader.next_value().map_err(|error| self.damage(error))
    }

    pub(super) fn name(&mut self) -> Result<StrView<'a>, Damage> {
        self.reader.name().map_err(|error| self.damage(error))
    }

    pub(super) fn skip(&mut self) -> Result<&'a [u8], Damage> {
        self.reader.skip().map_err(|error| self.damage(error))
    }

    const fn damage(&self, error: Error) -> Damage {
        (self.side, error.in_buffer(self.base))
    }

    pub(super) const fn exit(&mut self) {
        self.reader.exit();
    }
}

#[derive(Debug)]
pub(super) struct Half<'a> {
    pub(super) side: Side,
    pub(super) document: Document<'a>,
    pub(super) cursor: Cursor<'a>,
    /// The offset of the document in its file.
    pub(super) start: usize,
    pub(super) trail: Trail,
    /// The ends of the long values; `None` before [`Half::list_spans`].
    pub(super) spans: Option<Spans>,
    /// The offsets of the ignored values, sorted.
    pub(super) ignored: Vec<usize>,
}

impl<'a> Half<'a> {
    /// A cursor at an offset of the document.
    pub(super) fn at(&self, start: usize) -> Cursor<'a> {
        Cursor::new(self.side, &self.document, start)
    }

    pub(super) fn go_to(&mut self, start: usize) {
        self.cursor = self.at(start);
    }

    pub(super) fn is_ignored(&self) -> bool {
        !self.ignored.is_empty() && self.ignored.binary_search(&self.cursor.offset()).is_ok()
    }

    /// Lists the ends of the long values, so that a value is read once even if it is skipped several times.
    pub(super) fn list_spans(&mut self) -> Result<(), Damage> {
        if self.spans.is_none() {
            self.spans = Some(Spans::of(&self.document).map_err(|error| (self.side, error))?);
        }
        Ok(())
    }

    /// Skips the next value. O(1) for a long value after [`Half::list_spans`].
    pub(super) fn skip(&mut self) -> Result<(), Damage> {
        let end = self.spans.as_ref().and_then(|spans| spans.end_of(self.cursor.offset()));
        match end {
            Some(end) => self.go_to(end),
            None => drop(self.cursor.skip()?),
        }
        Ok(())
    }

    /// Skips the items of a value whose head was read, if it is a container.
    pub(super) fn skip_items(&mut self, kind: Kind, items: Option<u32>) -> Result<(), Damage> {
        let Some(items) = items else { return Ok(()) };
        for _ in 0..items {
            if kind == Kind::Object {
                self.cursor.name()?;
            }
            self.skip()?;
        }
        self.cursor.exit();
        Ok(())
    }

    /// The value of the key with this text in the dictionary at `start`. `None` if there is no such value, or if it has
    /// children. The cursor does not move.
    pub(super) fn find(
        &mut self,
        start: usize,
        key: &str,
    ) -> Result<Option<VariantView<'a>>, Damage> {
        let there = self.at(start);
        let before = std::mem::replace(&mut self.cursor, there);
        let found = self.find_here(key);
        self.cursor = before;
        found
    }

    fn find_here(&mut self, key: &str) -> Result<Option<VariantView<'a>>, Damage> {
        if self.cursor.kind()? != Kind::Dictionary {
            return Ok(None);
        }
        let items = self.cursor.next()?.1.unwrap_or(0);
        for _ in 0..items / 2 {
            let is_it = match self.cursor.kind()? {
                Kind::String | Kind::StringName => match self.cursor.next()?.0 {
                    VariantView::String(text) | VariantView::StringName(text) => {
                        text.engine_bytes() == key.as_bytes()
                    }
                    _ => false,
                },
                _ => {
                    self.skip()?;
                    false
                }
            };
            if is_it {
                let (view, items) = self.cursor.next()?;
                return Ok(items.is_none().then_some(view));
            }
            self.skip()?;
        }
        Ok(None)
    }
}
