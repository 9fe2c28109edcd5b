//! [`Half`]: one of the two documents, and the current position in it.

use variant_view::{Document, Error, Kind, Next, Reader, StrView, VariantView};

use super::spans::Spans;

/// A reader that can start anywhere in a document; offsets and errors count from the start of the document.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    reader: Reader<'a>,
    base: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(document: &Document<'a>, start: usize) -> Self {
        let bytes = document.bytes().get(start..).unwrap_or_default();
        Self { reader: Reader::new(bytes, *document.options()), base: start }
    }

    pub(super) const fn offset(&self) -> usize {
        self.base.saturating_add(self.reader.offset())
    }

    pub(super) fn kind(&self) -> Result<Kind, Error> {
        self.reader.kind().map_err(|error| error.in_buffer(self.base))
    }

    pub(super) fn next(&mut self) -> Result<Next<'a>, Error> {
        self.reader.next_value().map_err(|error| error.in_buffer(self.base))
    }

    pub(super) fn name(&mut self) -> Result<StrView<'a>, Error> {
        self.reader.name().map_err(|error| error.in_buffer(self.base))
    }

    pub(super) fn skip(&mut self) -> Result<&'a [u8], Error> {
        self.reader.skip().map_err(|error| error.in_buffer(self.base))
    }

    pub(super) const fn exit(&mut self) {
        self.reader.exit();
    }
}

/// One of the two documents.
#[derive(Debug)]
pub(super) struct Half<'a> {
    pub(super) document: Document<'a>,
    pub(super) cursor: Cursor<'a>,
    /// Set when a value is skipped for the first time.
    spans: Option<Spans>,
    /// The offsets of the ignored values, sorted.
    ignored: Vec<usize>,
}

impl<'a> Half<'a> {
    pub(super) fn new(document: Document<'a>, start: usize, ignored: Vec<usize>) -> Self {
        Self { document, cursor: Cursor::new(&document, start), spans: None, ignored }
    }

    pub(super) fn go_to(&mut self, start: usize) {
        self.cursor = Cursor::new(&self.document, start);
    }

    /// Whether the next value is ignored.
    pub(super) fn is_ignored(&self) -> bool {
        !self.ignored.is_empty() && self.ignored.binary_search(&self.cursor.offset()).is_ok()
    }

    /// Lists the long values, so that values can be skipped several times.
    pub(super) fn list_spans(&mut self) -> Result<(), Error> {
        if self.spans.is_none() {
            self.spans = Some(Spans::of(&self.document)?);
        }
        Ok(())
    }

    /// Skips the next value. O(1) for a long one, once they are listed.
    pub(super) fn skip(&mut self) -> Result<(), Error> {
        let end = self.spans.as_ref().and_then(|spans| spans.end_of(self.cursor.offset()));
        match end {
            Some(end) => self.go_to(end),
            None => drop(self.cursor.skip()?),
        }
        Ok(())
    }

    /// Skips the items of a container after its head.
    pub(super) fn skip_items(&mut self, kind: Kind, items: u32) -> Result<(), Error> {
        for _ in 0..items {
            if kind == Kind::Object {
                self.cursor.name()?;
            }
            self.skip()?;
        }
        self.cursor.exit();
        Ok(())
    }

    /// The value of the key with this text in the dictionary at `start`, if it has no children. The cursor stays.
    pub(super) fn find(
        &mut self,
        start: usize,
        key: &str,
    ) -> Result<Option<VariantView<'a>>, Error> {
        let before = std::mem::replace(&mut self.cursor, Cursor::new(&self.document, start));
        let found = self.find_here(key);
        self.cursor = before;
        found
    }

    fn find_here(&mut self, key: &str) -> Result<Option<VariantView<'a>>, Error> {
        if self.cursor.kind()? != Kind::Dictionary {
            return Ok(None);
        }
        let items = self.cursor.next()?.items.unwrap_or(0);
        for _ in 0..items / 2 {
            let is_it = match self.cursor.kind()? {
                Kind::String | Kind::StringName => match self.cursor.next()?.view {
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
                let Next { view, items, .. } = self.cursor.next()?;
                return Ok(items.is_none().then_some(view));
            }
            self.skip()?;
        }
        Ok(None)
    }
}
