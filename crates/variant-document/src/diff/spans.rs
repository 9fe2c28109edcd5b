//! [`Spans`]: the ends of the long values of a document.

use variant_view::{Document, Error, Event, Kind};

/// The minimum length in bytes of a listed value. A shorter value is not listed. It is read again for each unlisted
/// container around it.
const LONG: usize = 256;

/// The ends, by offset, of the long values that cannot be skipped in O(1). Without the list, nested values would be
/// read again for each level around them. A save of short records has few long values, so its list is short.
#[derive(Debug, Default)]
pub(super) struct Spans {
    /// Start and end, in the order of the starts.
    all: Vec<(usize, usize)>,
}

impl Spans {
    /// Lists the long values of a document. O(bytes).
    ///
    /// # Errors
    /// The first damage.
    pub(super) fn of(document: &Document<'_>) -> Result<Self, Error> {
        let mut all: Vec<(usize, usize)> = Vec::new();
        let mut open = Vec::new();
        for event in document.walk() {
            match event? {
                Event::Enter(node) => {
                    open.push(all.len());
                    all.push((node.view.offset(), usize::MAX));
                }
                Event::Leaf(node) => {
                    if matches!(node.view.kind(), Kind::PackedStringArray | Kind::NodePath) {
                        let (start, len) = (node.view.offset(), node.view.raw_bytes()?.len());
                        if len >= LONG {
                            all.push((start, start.saturating_add(len)));
                        }
                    }
                }
                Event::Exit { end, .. } => {
                    let Some(at) = open.pop() else { continue };
                    let Some(span) = all.get_mut(at) else { continue };
                    span.1 = end;
                    if end.saturating_sub(span.0) < LONG {
                        // The value is short, so the values inside it are short.
                        all.truncate(at);
                    }
                }
            }
        }
        Ok(Self { all })
    }

    /// The end of the value at `start`, if it is long.
    pub(super) fn end_of(&self, start: usize) -> Option<usize> {
        let at = self.all.binary_search_by_key(&start, |span| span.0).ok()?;
        self.all.get(at).map(|span| span.1)
    }
}
