//! [`CompactValues`]: consecutive values in the compact form of Godot 4's multiplayer
//! (docs/spec/multiplayer.md, section 5).

use std::fmt;
use std::iter::FusedIterator;

use variant_view::internal::{is_compact_scalar, read_compact, validate_compact};
use variant_view::{Error, Options, Result, Summary, VariantView};

/// Consecutive values in the compact form: arguments of remote calls and states of nodes in Godot 4's multiplayer.
///
/// An `int` takes 2, 3, 5 or 9 bytes, and a `bool` takes 1. All other values, and all values inside containers, have
/// the ordinary form. The bytes do not contain the number of values. [`CompactValues::new`] reads to the end of the
/// bytes, [`CompactValues::counted`] reads the number that the caller gives.
///
/// Iteration returns views, and ends after the first error. [`VariantView::raw_bytes`] of an `int` or a `bool` returns
/// its compact bytes, which are valid only among compact values.
///
/// ```
/// use variant_multiplayer::CompactValues;
/// use variant_view::Dialect;
///
/// // 5, true, "a"
/// let bytes = [2, 5, 0x81, 4, 0, 0, 0, 1, 0, 0, 0, b'a', 0, 0, 0];
/// let mut values = CompactValues::new(&bytes, Dialect::Godot4).iter();
/// assert_eq!(values.next().unwrap()?.as_i64()?, 5);
/// assert!(values.next().unwrap()?.as_bool()?);
/// assert_eq!(values.next().unwrap()?.as_str()?, "a");
/// assert!(values.next().is_none());
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct CompactValues<'a> {
    bytes: &'a [u8],
    /// The offset of the bytes in the buffer that contains them.
    offset: usize,
    options: Options,
    /// The number of remaining values. `None` if the values end with the bytes.
    left: Option<u32>,
}

impl<'a> CompactValues<'a> {
    /// The values from the start of `bytes` to their end. O(1).
    pub fn new(bytes: &'a [u8], options: impl Into<Options>) -> Self {
        Self { bytes, offset: 0, options: options.into(), left: None }
    }

    /// The `count` values at the start of `bytes`. More bytes may follow. O(1).
    ///
    /// ```
    /// use variant_multiplayer::CompactValues;
    /// use variant_view::Dialect;
    ///
    /// // 5, true, and a byte after the values
    /// let values = CompactValues::counted(&[2, 5, 0x81, 0xff], Dialect::Godot4, 2);
    /// assert_eq!((values.iter().count(), values.validate()?.consumed), (2, 3));
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    pub fn counted(bytes: &'a [u8], options: impl Into<Options>, count: u32) -> Self {
        Self { left: Some(count), ..Self::new(bytes, options) }
    }

    /// The same values as part of a larger buffer, from byte `start` of the buffer. Views and errors have offsets in
    /// the buffer. O(1).
    ///
    /// ```
    /// use variant_multiplayer::CompactValues;
    /// use variant_view::Dialect;
    ///
    /// let packet = [9, 9, 0x42, 0x2c]; // two other bytes, and an incomplete int
    /// let values = CompactValues::new(&packet[2..], Dialect::Godot4).in_buffer(2);
    /// assert_eq!(values.validate().unwrap_err().offset(), 3);
    /// ```
    #[must_use]
    pub const fn in_buffer(self, start: usize) -> Self {
        Self { offset: start, ..self }
    }

    /// The bytes of the values, and all bytes after them. O(1).
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The offset of the first byte. O(1).
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The number of values. `None` if the values end with the bytes. O(1).
    pub const fn count(&self) -> Option<u32> {
        self.left
    }

    /// The options for reading the values.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Whether there are no values. O(1).
    pub const fn is_empty(&self) -> bool {
        match self.left {
            Some(left) => left == 0,
            None => self.bytes.is_empty(),
        }
    }

    /// The values in order.
    pub const fn iter(&self) -> CompactIter<'a> {
        CompactIter { rest: *self, failed: None }
    }

    /// Validates the values: structure, limits and text. With [`Profile::Canonical`](variant_view::Profile::Canonical),
    /// also checks that the engine would write the same bytes. The depth limit applies to each value, other limits to
    /// all values together. One pass, O(bytes), no allocation.
    ///
    /// ```
    /// use variant_multiplayer::CompactValues;
    /// use variant_view::Dialect;
    ///
    /// // 300, and an incomplete int
    /// let values = CompactValues::new(&[0x42, 0x2c, 1, 0x82, 1], Dialect::Godot4);
    /// assert_eq!(values.validate().unwrap_err().offset(), 4);
    /// ```
    ///
    /// # Errors
    /// The first violation.
    pub fn validate(&self) -> Result<Summary> {
        let (mut rest, mut sum) = (*self, Summary::default());
        let mut options = self.options;
        while !rest.is_empty() {
            let one = validate_compact(rest.bytes, rest.offset, &options)?;
            rest.advance(one.consumed);
            let limits = &mut options.limits;
            limits.values = limits.values.saturating_sub(one.values);
            limits.bytes =
                limits.bytes.saturating_sub(u64::try_from(one.consumed).unwrap_or(u64::MAX));
            sum.consumed = sum.consumed.saturating_add(one.consumed);
            sum.values = sum.values.saturating_add(one.values);
            sum.depth = sum.depth.max(one.depth);
        }
        Ok(sum)
    }

    /// Moves past the next value, which takes `len` bytes.
    #[inline]
    fn advance(&mut self, len: usize) {
        self.bytes = self.bytes.get(len..).unwrap_or_default();
        self.offset = self.offset.saturating_add(len);
        self.left = self.left.map(|left| left.saturating_sub(1));
    }
}

impl<'a> IntoIterator for CompactValues<'a> {
    type Item = Result<VariantView<'a>>;
    type IntoIter = CompactIter<'a>;

    fn into_iter(self) -> CompactIter<'a> {
        self.iter()
    }
}

impl<'a> IntoIterator for &CompactValues<'a> {
    type Item = Result<VariantView<'a>>;
    type IntoIter = CompactIter<'a>;

    fn into_iter(self) -> CompactIter<'a> {
        self.iter()
    }
}

/// Iterates over [`CompactValues`].
///
/// ```
/// use variant_multiplayer::CompactValues;
/// use variant_view::Dialect;
///
/// let mut values = CompactValues::new(&[2, 5, 0x81], Dialect::Godot4).iter(); // 5, true
/// assert_eq!(values.next().unwrap()?.as_i64()?, 5);
/// assert_eq!(values.rest().bytes(), [0x81]);
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone)]
pub struct CompactIter<'a> {
    rest: CompactValues<'a>,
    /// An error that `nth` returned. The next call returns it again.
    failed: Option<Error>,
}

impl<'a> CompactIter<'a> {
    /// The remaining values. O(1).
    pub const fn rest(&self) -> CompactValues<'a> {
        self.rest
    }

    /// The bytes from the start of the next value, if that value has the ordinary form. A reader of that form, like
    /// [`Reader`](variant_view::Reader), can read the value from these bytes. `None` if the value is an `int` or a
    /// `bool`, or if no value is left. O(1).
    ///
    /// ```
    /// use variant_multiplayer::CompactValues;
    /// use variant_view::{Dialect, Reader};
    ///
    /// // "a", 5
    /// let bytes = [4, 0, 0, 0, 1, 0, 0, 0, b'a', 0, 0, 0, 2, 5];
    /// let mut values = CompactValues::new(&bytes, Dialect::Godot4).iter();
    /// let mut reader = Reader::new(values.ordinary().unwrap(), Dialect::Godot4);
    /// assert_eq!(reader.text(), Some(&b"a"[..]));
    /// values.advance(reader.offset());
    /// assert!(values.ordinary().is_none());
    /// assert_eq!(values.next().unwrap()?.as_i64()?, 5);
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    #[inline]
    pub fn ordinary(&self) -> Option<&'a [u8]> {
        let bytes = self.rest.bytes();
        let is_scalar = is_compact_scalar(*bytes.first()?);
        (!is_scalar && !self.rest.is_empty()).then_some(bytes)
    }

    /// Moves past the next value, which has `bytes` bytes. O(1).
    #[inline]
    pub fn advance(&mut self, bytes: usize) {
        self.rest.advance(bytes);
    }
}

impl<'a> Iterator for CompactIter<'a> {
    type Item = Result<VariantView<'a>>;

    /// O(1); for a container O(bytes of the value), because the container is skipped.
    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let rest = &mut self.rest;
        if rest.is_empty() {
            return self.failed.take().map(Err);
        }
        let mut behind = rest.bytes;
        let value = read_compact(&mut behind, rest.offset, &rest.options);
        match value {
            Ok(_) => rest.advance(rest.bytes.len().wrapping_sub(behind.len())),
            Err(_) => rest.left = Some(0),
        }
        Some(value)
    }

    /// Skips `n` values. An error in a skipped value is returned instead of the requested value, and again by the next
    /// call. So `skip` and `step_by` do not hide damage.
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        if self.failed.is_some() {
            return self.next();
        }
        let item = self.by_ref().take(n).find(Result::is_err).or_else(|| self.next())?;
        self.failed = item.as_ref().err().copied();
        Some(item)
    }
}

impl FusedIterator for CompactIter<'_> {}

impl fmt::Debug for CompactIter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CompactIter").field(&self.rest).finish()
    }
}

impl fmt::Debug for CompactValues<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CompactValues")
            .field("offset", &self.offset())
            .field("bytes", &self.bytes().len())
            .field("count", &self.left)
            .finish()
    }
}
