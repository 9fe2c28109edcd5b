//! [`Tape`]: a validated document as a list of its values.

mod build;
mod fill;
mod find;
mod items;
mod node;
mod value;

use alloc::vec::Vec;
use core::fmt;

pub use value::TapeValue;

use crate::dialect::Dialect;
use crate::document::Document;
use crate::error::Result;
use crate::options::Options;
use crate::validate::Summary;
use node::Node;

/// The values of a validated document, one after another: 16 bytes each, text and numbers borrowed from the document.
///
/// A tape is a reusable buffer. [`Tape::read`] fills it and returns the root as a [`TapeValue`].
///
/// Use a tape if a document is validated and several of its values are read. The validation pass fills the tape. A tape
/// skips each value in O(1), and its values cannot be damaged. A view needs neither memory nor a previous pass, but
/// each access reads all containers before the value again.
///
/// | work | [`Document`] | [`Tape`] |
/// |---|---|---|
/// | validate | O(bytes) | O(bytes), and 16 bytes a value are written |
/// | a key of a dictionary | O(bytes of the dictionary) | O(pairs), whatever their sizes |
/// | element `n` of an array | O(bytes before it) | O(n); O(1) if no element has children |
/// | the next sibling | O(bytes of the value) | O(1) |
/// | the bytes of a value | O(bytes of the value) | O(1) |
///
/// ```
/// use variant_view::{Dialect, Document, Tape};
///
/// # let save = [
/// #     28, 0, 0, 0, 2, 0, 0, 0, 28, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0,
/// # ];
/// let mut tape = Tape::new();
/// let root = tape.read(Document::new(&save, Dialect::Godot4))?; // [[5], 7]
/// assert_eq!(root.summary().values, 4);
/// let last = root.index(1)?.unwrap();
/// assert_eq!(last.view().as_i64()?, 7);
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone)]
pub struct Tape {
    /// The nodes of the last document, and after them unused nodes of earlier documents.
    all: Vec<Node>,
    /// The options of the last document.
    options: Options,
    summary: Summary,
}

const NOTHING: Summary = Summary { consumed: 0, values: 0, depth: 0 };

impl Tape {
    /// An empty tape; allocates on first use.
    pub const fn new() -> Self {
        Self { all: Vec::new(), options: Options::engine(Dialect::Godot4), summary: NOTHING }
    }

    /// An empty tape with room for the values of a typical document: one value for every 11 bytes, but not more than
    /// the limits allow. The packets and saves of the benchmarks have fewer values, so their tapes do not grow.
    pub(crate) fn for_document(document: &Document<'_>) -> Self {
        let limits = document.options().limits;
        let most = |limit: u64| usize::try_from(limit).unwrap_or(usize::MAX);
        let values = document.bytes().len().min(most(limits.bytes)).div_ceil(11);
        Self { all: alloc::vec![Node::NONE; values.min(most(limits.values))], ..Self::new() }
    }

    pub(crate) const fn options(&self) -> &Options {
        &self.options
    }

    /// Validates a document like [`Document::validate`], records its values and returns the root.
    ///
    /// O(bytes of the document). Reuses the memory of this tape. Grows as values are found, up to 16 bytes per value
    /// and the slack of `Vec`. Counts in the document never reserve memory. Allocates nothing if the tape has read as
    /// many values before. [`Profile::Canonical`](crate::Profile::Canonical) allocates to find duplicate keys.
    ///
    /// # Errors
    /// Those of [`Document::validate`]. [`Limit::Bytes`](crate::Limit::Bytes) if a value ends past the
    /// first 4 GiB less one byte, since offsets have 32 bits. The tape is empty after an error.
    pub fn read<'t, 'a>(&'t mut self, document: Document<'a>) -> Result<TapeValue<'t, 'a>> {
        self.summary = NOTHING;
        self.summary = build::build(&document, &mut self.all)?;
        self.options = *document.options();
        Ok(TapeValue::root(self, document.bytes()))
    }

    /// A node for each value, containers before their items.
    #[inline]
    fn nodes(&self) -> &[Node] {
        let values = usize::try_from(self.summary.values).unwrap_or(usize::MAX);
        self.all.get(..values).unwrap_or_default()
    }

    /// The allocated memory in bytes. O(1).
    ///
    /// ```
    /// use variant_view::{Dialect, Document, Tape};
    ///
    /// let mut tape = Tape::new();
    /// assert_eq!(tape.memory(), 0);
    /// tape.read(Document::new(b"\x02\0\0\0\x07\0\0\0", Dialect::Godot4))?;
    /// assert!(tape.memory() >= 16);
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    pub fn memory(&self) -> usize {
        self.all.capacity().saturating_mul(size_of::<Node>())
    }
}

impl Default for Tape {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Tape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tape").field("values", &self.nodes().len()).finish_non_exhaustive()
    }
}
