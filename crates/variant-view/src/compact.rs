//! [`CompactValues`]: consecutive values in the compact form of Godot 4's multiplayer
//! (docs/multiplayer.md, section 5).

use core::fmt;
use core::iter::FusedIterator;

use crate::bytes::Cursor;
use crate::error::{Error, ErrorKind, Limit, Result, item_or_error};
use crate::layout::Extent;
use crate::limits::Limits;
use crate::options::{Options, Profile};
use crate::scan::{self, flat};
use crate::validate::{self, Summary};
use crate::view::{VariantView, compact_deviation, is_compact_scalar};

/// Consecutive values in the compact form: arguments of remote calls and states of nodes in Godot 4's multiplayer.
///
/// An `int` takes 2, 3, 5 or 9 bytes, a `bool` takes 1. All other values have the ordinary form, and so do all values
/// inside containers. The bytes do not contain the number of values: [`CompactValues::new`] reads to the end of the
/// bytes, [`CompactValues::counted`] reads the number that the caller gives.
///
/// Iterating gives views, and ends after the first error. [`VariantView::raw_bytes`] of an `int` or a `bool` returns
/// its compact bytes, which are valid only among compact values.
///
/// ```
/// use variant_view::{CompactValues, Dialect};
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
    cursor: Cursor<'a>,
    options: Options,
    /// The number of values left; `None` if they go on to the end of the bytes.
    left: Option<u32>,
}

impl<'a> CompactValues<'a> {
    /// The values from the start of `bytes` to their end. O(1).
    pub fn new(bytes: &'a [u8], options: impl Into<Options>) -> Self {
        Self { cursor: Cursor::new(bytes, 0), options: options.into(), left: None }
    }

    /// The `count` values at the start of `bytes`; more bytes may follow. O(1).
    ///
    /// ```
    /// use variant_view::{CompactValues, Dialect};
    ///
    /// // 5, true, and a byte that belongs to something else
    /// let values = CompactValues::counted(&[2, 5, 0x81, 0xff], Dialect::Godot4, 2);
    /// assert_eq!((values.iter().count(), values.validate()?.consumed), (2, 3));
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    pub fn counted(bytes: &'a [u8], options: impl Into<Options>, count: u32) -> Self {
        Self { left: Some(count), ..Self::new(bytes, options) }
    }

    /// The same values in a larger buffer, where they start at byte `start`: views and errors have offsets in that
    /// buffer. O(1).
    ///
    /// ```
    /// use variant_view::{CompactValues, Dialect};
    ///
    /// let packet = [9, 9, 0x42, 0x2c]; // two bytes of something else, and an int that is cut short
    /// let values = CompactValues::new(&packet[2..], Dialect::Godot4).in_buffer(2);
    /// assert_eq!(values.validate().unwrap_err().offset(), 3);
    /// ```
    #[must_use]
    pub const fn in_buffer(self, start: usize) -> Self {
        Self { cursor: Cursor::new(self.cursor.rest(), start), ..self }
    }

    /// The bytes of the values, and all bytes after them. O(1).
    pub const fn bytes(&self) -> &'a [u8] {
        self.cursor.rest()
    }

    /// The offset of the first byte. O(1).
    pub const fn offset(&self) -> usize {
        self.cursor.offset()
    }

    /// The number of values; `None` if they go on to the end of the bytes. O(1).
    pub const fn count(&self) -> Option<u32> {
        self.left
    }

    /// The options that the values are read with.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Whether there are no values. O(1).
    pub const fn is_empty(&self) -> bool {
        match self.left {
            Some(left) => left == 0,
            None => self.cursor.rest().is_empty(),
        }
    }

    /// The values in order.
    pub const fn iter(&self) -> CompactIter<'a> {
        CompactIter { rest: *self, failed: None }
    }

    /// Validates the values: structure, limits and text, and with [`Profile::Canonical`] that each is as the engine
    /// writes it. The limits apply to all values together, the depth to each. One pass, O(bytes), no allocation.
    ///
    /// ```
    /// use variant_view::{CompactValues, Dialect};
    ///
    /// // 300, and an int that is cut short
    /// let values = CompactValues::new(&[0x42, 0x2c, 1, 0x82, 1], Dialect::Godot4);
    /// assert_eq!(values.validate().unwrap_err().offset(), 4);
    /// ```
    ///
    /// # Errors
    /// The first violation.
    pub fn validate(&self) -> Result<Summary> {
        let is_free = self.is_free();
        let mut rest = *self;
        let mut sum = Summary { consumed: 0, values: 0, depth: 0 };
        while !rest.is_empty() {
            let one = match is_free.then(|| rest.validate_flat()).flatten() {
                Some(one) => one,
                None => rest.validate_one(&sum)?,
            };
            sum.consumed = sum.consumed.saturating_add(one.consumed);
            sum.values = sum.values.saturating_add(one.values);
            sum.depth = sum.depth.max(one.depth);
        }
        Ok(sum)
    }

    /// Whether only the limit of depth can be exceeded, since each value takes at least one byte, and the profile has
    /// no further rules.
    fn is_free(&self) -> bool {
        let Limits { values, bytes, .. } = self.options.limits;
        let most = u64::try_from(self.bytes().len()).unwrap_or(u64::MAX);
        self.options.profile == Profile::Engine && most <= bytes && most <= values
    }

    /// Validates the next value without counting towards limits. Returns `None`, and takes nothing, if something is
    /// wrong.
    #[inline]
    fn validate_flat(&mut self) -> Option<Summary> {
        let mut cursor = self.cursor;
        let one = match VariantView::compact_scalar(&mut cursor) {
            Ok(Some(_)) => {
                let consumed = self.bytes().len().wrapping_sub(cursor.rest().len());
                Summary { consumed, values: 1, depth: 0 }
            }
            Ok(None) => {
                let mode = self.options.mode();
                let flat::Passed { len, values, depth } =
                    flat::validate(cursor.rest(), mode, &mut ())?;
                cursor = cursor.behind(len);
                Summary { consumed: len, values, depth }
            }
            Err(_) => return None,
        };
        self.cursor = cursor;
        self.left = self.left.map(|left| left.wrapping_sub(1));
        Some(one)
    }

    /// Validates the next value; `sum` is the summary of the values before it.
    fn validate_one(&mut self, sum: &Summary) -> Result<Summary> {
        let start = self.cursor;
        let Limits { values, bytes, .. } = self.options.limits;
        if sum.values >= values {
            return Err(start.error(ErrorKind::LimitExceeded { limit: Limit::Values }));
        }
        let read = u64::try_from(sum.consumed).unwrap_or(u64::MAX);
        let limits = self.options.limits.values(values.saturating_sub(sum.values));
        let options = self.options.limits(limits.bytes(bytes.saturating_sub(read)));
        self.left = self.left.map(|left| left.saturating_sub(1));
        if let Some(scalar) = VariantView::compact_scalar(&mut self.cursor)? {
            return validate_scalar(&scalar, start, &options);
        }
        let one = validate::validate(self.next_alone(&options)?, &options)
            .map_err(|error| error.in_buffer(start.offset()))?;
        self.cursor = start.behind(one.consumed);
        Ok(one)
    }

    /// The bytes from the next value on. For the canonical profile only those of the next value, since it refuses
    /// trailing bytes.
    fn next_alone(&self, options: &Options) -> Result<&'a [u8]> {
        let bytes = self.cursor.rest();
        if options.profile == Profile::Engine {
            return Ok(bytes);
        }
        let mut behind = self.cursor;
        scan::skip(&mut behind, options.mode())?;
        let len = bytes.len().saturating_sub(behind.rest().len());
        Ok(bytes.get(..len).unwrap_or(bytes))
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn read(&mut self) -> Result<VariantView<'a>> {
        let mode = self.options.mode();
        if let Some(scalar) = VariantView::compact_scalar(&mut self.cursor)? {
            return Ok(scalar);
        }
        let start = self.cursor;
        let (view, extent) = VariantView::read(&mut self.cursor, mode)?;
        if let Extent::Open { .. } = extent {
            self.cursor = start;
            scan::skip(&mut self.cursor, mode)?;
        }
        Ok(view)
    }
}

/// Checks a `bool` or an `int` against the limit of bytes and against the form that the engine writes.
fn validate_scalar(
    scalar: &VariantView<'_>,
    start: Cursor<'_>,
    options: &Options,
) -> Result<Summary> {
    let bytes = scalar.raw_bytes()?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > options.limits.bytes {
        return Err(start.error(ErrorKind::LimitExceeded { limit: Limit::Bytes }));
    }
    if options.profile == Profile::Canonical
        && let Some(deviation) = compact_deviation(scalar, bytes)
    {
        return Err(start.error(ErrorKind::NotCanonical(deviation)));
    }
    Ok(Summary { consumed: bytes.len(), values: 1, depth: 0 })
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
/// use variant_view::{CompactValues, Dialect};
///
/// let mut values = CompactValues::new(&[2, 5, 0x81], Dialect::Godot4).iter(); // 5, true
/// assert_eq!(values.next().unwrap()?.as_i64()?, 5);
/// assert_eq!(values.rest().bytes(), [0x81]);
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone)]
pub struct CompactIter<'a> {
    rest: CompactValues<'a>,
    /// An error that `nth` returned, which the next call returns again.
    failed: Option<Error>,
}

impl<'a> CompactIter<'a> {
    /// The remaining values. O(1).
    pub const fn rest(&self) -> CompactValues<'a> {
        self.rest
    }

    /// The bytes from the next value on, if that value has the ordinary form: readers of that form, like
    /// [`Reader`](crate::Reader), can take it from there. `None` if it is an `int` or a `bool`, or if no value is
    /// left. O(1).
    ///
    /// ```
    /// use variant_view::{CompactValues, Dialect, Reader};
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

    /// Steps over the next value, which takes `bytes` bytes. O(1).
    #[inline]
    pub fn advance(&mut self, bytes: usize) {
        let rest = &mut self.rest;
        rest.cursor = rest.cursor.behind(bytes);
        rest.left = rest.left.map(|left| left.saturating_sub(1));
    }
}

impl<'a> Iterator for CompactIter<'a> {
    type Item = Result<VariantView<'a>>;

    /// O(1); for containers O(bytes of the value), which is stepped over.
    #[cfg_attr(not(variant_small), inline(always))]
    fn next(&mut self) -> Option<Self::Item> {
        let rest = &mut self.rest;
        if rest.is_empty() {
            return self.failed.take().map(Err);
        }
        let value = rest.read();
        rest.left = match value {
            Ok(_) => rest.left.map(|left| left.wrapping_sub(1)),
            Err(_) => Some(0),
        };
        Some(value)
    }

    /// Skips `n` values. An error in them is returned in place of the requested value, and once more by the next call,
    /// so that `skip` and `step_by` do not hide damage.
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        if self.failed.is_some() {
            return self.next();
        }
        let item = item_or_error(self, n)?;
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
