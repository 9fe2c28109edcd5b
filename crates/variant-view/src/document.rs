//! [`Document`]: bytes, and how to read them.

use core::fmt;

use crate::error::{Error, Result};
use crate::event::{self, Consumer, FeedError, Input, Producer};
use crate::options::Options;
use crate::path::{self, Path};
use crate::validate::{self, Summary};
use crate::view::{Key, Raw, VariantView};
use crate::walk::Walker;

/// A buffer that holds one serialized value, and the [`Options`] to read it by.
///
/// `Copy`; everything it gives out borrows from the buffer. Making one looks at nothing. Behind the
/// value there may be more bytes, which only [`Profile::Canonical`](crate::Profile::Canonical) minds.
///
/// Everything works on bytes that were never validated: each access checks what it touches. After
/// [`Document::validate`] returned [`Ok`], none of them fails.
///
/// ```
/// use variant_view::{Dialect, Document};
///
/// // {"hp": 7}, as Godot 3 writes it
/// let bytes = [
///     18, 0, 0, 0, 1, 0, 0, 0,
///     4, 0, 0, 0, 2, 0, 0, 0, b'h', b'p', 0, 0,
///     2, 0, 0, 0, 7, 0, 0, 0,
/// ];
/// let document = Document::new(&bytes, Dialect::Godot3);
/// assert_eq!(document.at("hp")?.as_i64()?, 7);
/// assert_eq!(document.path_to(22)?.to_string(), "hp");
/// assert_eq!(document.validate()?.values, 3);
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Document<'a> {
    bytes: &'a [u8],
    options: Options,
}

impl<'a> Document<'a> {
    /// A document of `bytes`, read by `options`: a [`Dialect`](crate::Dialect) alone will do. O(1).
    pub fn new(bytes: &'a [u8], options: impl Into<Options>) -> Self {
        Self { bytes, options: options.into() }
    }

    /// The whole buffer.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// How it is read.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// The value. O(1), but for string arrays and node paths, whose texts are stepped over.
    ///
    /// # Errors
    /// Whatever is wrong with its header or, of a leaf, with its payload.
    #[inline]
    pub fn root(&self) -> Result<VariantView<'a>> {
        VariantView::starting(self.bytes, 0, self.options.mode())
    }

    /// Goes through everything in the value. O(bytes), nothing allocated.
    pub fn walk(&self) -> Walker<'a> {
        Walker::new(self.bytes, &self.options)
    }

    /// Checks everything: structure, limits, text by the dialect's rule, and what the profile adds.
    ///
    /// One iterative pass, O(bytes), nothing allocated. With
    /// [`Profile::Canonical`](crate::Profile::Canonical) the keys of each dictionary are sorted to find
    /// duplicates: O(n log n) comparisons, and memory for the keys of the dictionaries that are open
    /// at the same time; where containers are keys of containers that are keys, bytes are compared
    /// once for each level. Without the `alloc` feature it is 256 keys at a time.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn validate(&self) -> Result<Summary> {
        validate::validate(self.bytes, &self.options)
    }

    /// The value of `key` of the dictionary or object that is the root. See [`VariantView::get`].
    ///
    /// # Errors
    /// As [`VariantView::get`].
    pub fn get<'k>(&self, key: impl Into<Key<'k>>) -> Result<Option<VariantView<'a>>> {
        self.root()?.get(key)
    }

    /// The value at `path`. O(bytes of the containers on the way), nothing allocated.
    ///
    /// | in the path | is |
    /// |---|---|
    /// | `name`, `.name` | the value of a key of text, or a property |
    /// | `["any text"]`, `['any text']` | the same, for text with dots, brackets or quotes |
    /// | `[&"name"]` | the value of a `StringName` key, where the dialect tells it from a `String` |
    /// | `[3]` | an element, or the value of the integer key 3 |
    /// | `{3}` | the value of pair or property 3, counted from 0, whatever its key |
    /// | `{3:key}` | the key of pair 3 |
    ///
    /// The empty path is the root. Where a key stands twice its last value counts, as in the engine.
    ///
    /// # Errors
    /// [`ErrorKind::PathSyntax`](crate::ErrorKind::PathSyntax),
    /// [`ErrorKind::KeyNotFound`](crate::ErrorKind::KeyNotFound),
    /// [`ErrorKind::IndexOutOfRange`](crate::ErrorKind::IndexOutOfRange) with the column in the path and
    /// the offset of the value that was looked into; whatever is wrong on the way.
    pub fn at(&self, path: &str) -> Result<VariantView<'a>> {
        path::resolve(self.root()?, path)
    }

    /// The path of the innermost value that has byte `offset`, or in which reading ended before it: that
    /// of an error, too, by its offset.
    ///
    /// The path is put together when it is displayed, so nothing is allocated. O(bytes before the offset); to
    /// display it, O(bytes of the document): what stands behind the value may hide a key on the way. In a document
    /// without damage, [`Document::at`] finds the way back.
    ///
    /// # Errors
    /// [`ErrorKind::OutsideDocument`](crate::ErrorKind::OutsideDocument) behind the value's end.
    pub fn path_to(&self, offset: usize) -> Result<Path<'a>> {
        Path::find(self.bytes, self.options.mode(), offset)
    }
}

impl Producer for Document<'_> {
    type Error = Error;

    /// One pass by [`Walker::visit`]: O(bytes), nothing allocated. All limits apply; text is not checked.
    #[inline]
    fn feed<C: Consumer>(self, consumer: &mut C) -> Result<(), FeedError<Error, C::Error>> {
        let bytes = Raw { bytes: self.bytes, offset: 0 };
        event::feed(&mut self.walk(), bytes, self.options.dialect, consumer)?;
        if C::WANTS_ORIGINS {
            consumer.source(self.bytes, &self.options).map_err(FeedError::Consumer)?;
        }
        Ok(())
    }

    fn input(&self) -> Input {
        Input {
            dialect: Some(self.options.dialect),
            reals: Some(self.options.reals),
            max_values: Some(event::max_values(self.bytes.len())),
        }
    }
}

impl Producer for &Document<'_> {
    type Error = Error;

    #[inline]
    fn feed<C: Consumer>(self, consumer: &mut C) -> Result<(), FeedError<Error, C::Error>> {
        (*self).feed(consumer)
    }

    fn input(&self) -> Input {
        (**self).input()
    }
}

impl fmt::Debug for Document<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document")
            .field("bytes", &self.bytes.len())
            .field("options", &self.options)
            .finish()
    }
}
