//! [`Reader`]: reads a document value by value.

use crate::bytes::{Cursor, padded, size};
use crate::contents::Contents;
use crate::dialect::{Dialect, DialectRules, ScalarWidth};
use crate::error::{ErrorKind, Limit, Result};
use crate::event::Numbers;
use crate::header::{FLAG, Header};
use crate::kind::{Kind, Shape, Width};
use crate::layout::{self, Extent};
use crate::options::{Mode, Options, Reals};
use crate::scan::{self, Meter, Scanner};
use crate::view::{ArrayView, DictionaryView, ObjectView, Source, StrView, VariantView};

/// Reads a document value by value. The caller decides whether a value is read or skipped.
///
/// A reader is for programs that know the expected types, such as decoders of custom types. Each byte is read once at
/// any depth; [`VariantView`]'s iterators read the bytes of a container once for each level around it.
/// [`Walker`](crate::Walker) is simpler if every value is wanted.
///
/// [`Reader::next_value`] reads a value, [`Reader::skip`] skips it. For a container, `next_value` reads only the head
/// and returns the number of items. The items follow: elements, or keys and values in turn, or for each property its
/// [`Reader::name`] and its value. After the last item the caller calls [`Reader::exit`]. After calls in another order
/// the reader returns wrong values or errors, but does not panic.
///
/// The methods [`int`](Reader::int), [`float`](Reader::float), [`bool`](Reader::bool), [`text`](Reader::text),
/// [`numbers`](Reader::numbers) and [`enter`](Reader::enter) are short cuts for frequent values. If the next value has
/// another kind, is damaged or exceeds a limit, they return `None` and do not move. `next_value` distinguishes these
/// cases.
///
/// All limits of the options are checked, as by [`Walker`](crate::Walker). Text is not validated.
///
/// ```
/// use variant_view::{Dialect, Reader};
///
/// // [5, "a"], as Godot 3 writes it
/// let bytes = [
///     19, 0, 0, 0, 2, 0, 0, 0,
///     2, 0, 0, 0, 5, 0, 0, 0,
///     4, 0, 0, 0, 1, 0, 0, 0, b'a', 0, 0, 0,
/// ];
/// let mut reader = Reader::new(&bytes, Dialect::Godot3);
/// assert_eq!(reader.next_value()?.1, Some(2));
/// assert_eq!(reader.int(), Some(5));
/// reader.skip()?;
/// reader.exit();
/// assert_eq!(reader.offset(), bytes.len());
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    cursor: Cursor<'a>,
    rules: &'static DialectRules,
    mode: Mode,
    /// The number of open containers.
    level: u32,
    meter: Meter,
}

impl<'a> Reader<'a> {
    /// A reader of the value at the start of `bytes`. O(1).
    pub fn new(bytes: &'a [u8], options: impl Into<Options>) -> Self {
        let options = options.into();
        let meter = Meter::needed(bytes.len(), &options.limits);
        Self::of_cursor(Cursor::new(bytes, 0), options.mode(), meter)
    }

    fn of_container(Source { raw, mode }: Source<'a>) -> Self {
        Self::of_cursor(raw.cursor(), mode, Meter::UNLIMITED)
    }

    const fn of_cursor(cursor: Cursor<'a>, mode: Mode, meter: Meter) -> Self {
        Self { cursor, rules: mode.dialect.rules(), mode, level: 0, meter }
    }

    /// The offset of the next byte. O(1).
    #[inline]
    pub const fn offset(&self) -> usize {
        self.cursor.offset()
    }

    /// The unread bytes. O(1).
    #[inline]
    pub const fn rest(&self) -> &'a [u8] {
        self.cursor.rest()
    }

    /// The dialect of the bytes. O(1).
    #[inline]
    pub const fn dialect(&self) -> Dialect {
        self.mode.dialect
    }

    /// The number of open containers. O(1).
    pub const fn level(&self) -> u32 {
        self.level
    }

    /// The options for the next value as a separate document, with the depth that remains. O(1).
    pub fn options(&self) -> Options {
        let mut options =
            Options::engine(self.mode.dialect).reals(self.mode.reals).objects(self.mode.objects);
        options.limits.depth = self.mode.depth.saturating_sub(self.level);
        options
    }

    /// The kind of the next value. O(1).
    ///
    /// # Errors
    /// Those of the header.
    #[inline]
    pub fn kind(&self) -> Result<Kind> {
        let mut cursor = self.cursor;
        Header::read(&mut cursor, self.rules).map(|header| header.kind)
    }

    /// Reads the next value; for a container only the head. O(1), except for string arrays and node paths, whose texts
    /// are measured.
    ///
    /// For a container or a full object, also returns the number of items that follow: elements, keys and values
    /// together, or properties. The number is not verified: do not reserve memory for it.
    ///
    /// # Errors
    /// The first error of the value, or a limit that it exceeds. The reader stays before the value.
    pub fn next_value(&mut self) -> Result<(VariantView<'a>, Option<u32>)> {
        let start = self.cursor;
        let mut behind = start;
        let (view, extent) = VariantView::read(&mut behind, self.inner())?;
        let mut meter = self.meter;
        meter.count(start, behind)?;
        let items = match extent {
            Extent::Leaf => None,
            Extent::Open { items, form } => {
                self.check_depth(behind, items, form)?;
                self.level = self.level.wrapping_add(1);
                Some(items)
            }
        };
        self.cursor = behind;
        self.meter = meter;
        Ok((view, items))
    }

    /// Leaves a container after its last item. O(1).
    #[inline]
    pub const fn exit(&mut self) {
        self.level = self.level.saturating_sub(1);
    }

    /// Reads the name of a property. O(1).
    ///
    /// # Errors
    /// The length is negative, or the name is cut short.
    pub fn name(&mut self) -> Result<StrView<'a>> {
        let offset = self.offset().saturating_add(4);
        let text = layout::string::<false, _>(&mut self.cursor, self.rules)?;
        Ok(StrView::of_name(text, offset, self.mode.dialect))
    }

    /// Skips the next value and returns its bytes. O(bytes) for a container, a string array or a node path, O(1) for
    /// others. Nothing recurses.
    ///
    /// # Errors
    /// The first error inside the value, or a limit that it exceeds.
    #[inline]
    pub fn skip(&mut self) -> Result<&'a [u8]> {
        let start = self.cursor;
        let mode = self.inner();
        let (behind, extent) = layout::measure(start, mode)?;
        if matches!(extent, Extent::Open { items: 1.., .. }) {
            self.skip_container(mode)?;
        } else {
            self.meter.count(start, behind)?;
            self.cursor = behind;
        }
        let len = start.rest().len().wrapping_sub(self.cursor.rest().len());
        Ok(start.rest().get(..len).unwrap_or_default())
    }

    #[inline(never)]
    fn skip_container(&mut self, mode: Mode) -> Result<()> {
        if let Some(passed) = scan::flat::pass_over::<false>(self.cursor.rest(), mode) {
            let behind = self.cursor.behind(passed.len);
            let values = self.meter.values.saturating_add(passed.values);
            if values <= self.meter.max_values && behind.rest().len() >= self.meter.tail {
                self.cursor = behind;
                self.meter.values = values;
                return Ok(());
            }
        }
        let mut scanner = Scanner::<false>::counting(self.cursor, mode, self.meter);
        let outcome = scanner.run(&mut ())?;
        self.cursor = outcome.cursor;
        self.meter.values = outcome.values;
        Ok(())
    }

    /// The mode of the next value, with the depth that remains.
    #[cfg_attr(not(variant_small), inline(always))]
    const fn inner(&self) -> Mode {
        Mode { depth: self.mode.depth.saturating_sub(self.level), ..self.mode }
    }

    /// Checks the depth of a container's first item. The error's offset is past the item's name.
    #[inline]
    fn check_depth(&self, mut cursor: Cursor<'a>, items: u32, form: Contents) -> Result<()> {
        if items == 0 || self.level < self.mode.depth {
            return Ok(());
        }
        if form == Contents::Properties {
            layout::string::<false, _>(&mut cursor, self.rules)?;
        }
        Err(cursor.error(ErrorKind::LimitExceeded { limit: Limit::Depth }))
    }
}

/// The short cuts. They return `None` and do not move the reader if the next value has another kind, is damaged or
/// exceeds a limit.
impl<'a> Reader<'a> {
    /// The header of the next value, and the bytes after it.
    #[cfg_attr(not(variant_small), inline(always))]
    fn header(&self) -> Option<(Header, &'a [u8])> {
        let (word, rest) = self.cursor.rest().split_first_chunk()?;
        Some((Header::parse(u32::from_le_bytes(*word), self.rules)?, rest))
    }

    /// The header word of the next value and the bytes after the word, if the value's type has this id.
    #[cfg_attr(not(variant_small), inline(always))]
    fn word_of(&self, id: u32) -> Option<(u32, &'a [u8])> {
        let (word, rest) = self.cursor.rest().split_first_chunk()?;
        let word = u32::from_le_bytes(*word);
        (word & self.rules.id_mask == id).then_some((word, rest))
    }

    /// Moves to `rest`, the bytes after a value, unless a limit forbids it.
    #[cfg_attr(not(variant_small), inline(always))]
    fn pass(&mut self, rest: &'a [u8]) -> Option<()> {
        let behind = self.cursor.with_rest(rest);
        if self.meter.limits() {
            self.meter.count(self.cursor, behind).ok()?;
        }
        self.cursor = behind;
        Some(())
    }

    /// Reads the next value if its type has this id. The header and `width` decide whether `narrow` or `wide` reads it.
    #[cfg_attr(not(variant_small), inline(always))]
    fn scalar<T>(
        &mut self,
        id: u32,
        width: ScalarWidth,
        narrow: impl FnOnce([u8; 4]) -> T,
        wide: impl FnOnce([u8; 8]) -> T,
    ) -> Option<T> {
        let (word, rest) = self.word_of(id)?;
        let width = if word & FLAG == 0 { width.without } else { width.with };
        let (value, rest) = match width {
            Width::W32 => rest.split_first_chunk().map(|(bytes, rest)| (narrow(*bytes), rest))?,
            Width::W64 => rest.split_first_chunk().map(|(bytes, rest)| (wide(*bytes), rest))?,
        };
        self.pass(rest)?;
        Some(value)
    }

    #[cold]
    fn string_name(&self) -> Option<(u32, &'a [u8])> {
        let (header, rest) = self.header()?;
        (header.kind == Kind::StringName).then_some((header.word(), rest))
    }

    /// Reads the next value if it is an `int`. O(1).
    #[inline]
    pub fn int(&mut self) -> Option<i64> {
        self.scalar(
            id::INT,
            self.rules.int,
            |bytes| i32::from_le_bytes(bytes).into(),
            i64::from_le_bytes,
        )
    }

    /// Reads the next value if it is a `float`. O(1).
    #[inline]
    pub fn float(&mut self) -> Option<f64> {
        self.scalar(
            id::FLOAT,
            self.rules.float,
            |bytes| f32::from_le_bytes(bytes).into(),
            f64::from_le_bytes,
        )
    }

    /// Reads the next value if it is a `bool`. O(1).
    #[inline]
    pub fn bool(&mut self) -> Option<bool> {
        let (_, rest) = self.word_of(id::BOOL)?;
        let (word, rest) = rest.split_first_chunk()?;
        self.pass(rest)?;
        Some(u32::from_le_bytes(*word) != 0)
    }

    /// Reads the next value if it is `null`. O(1).
    #[inline]
    pub fn nil(&mut self) -> Option<()> {
        let (_, rest) = self.word_of(id::NIL)?;
        self.pass(rest)
    }

    /// Reads the next value if it is a vector, a matrix or the like, but not a packed array. Returns its numbers and
    /// the shape of its kind. O(1).
    ///
    /// ```
    /// # use variant_view::{Dialect, Reader};
    /// let mut reader = Reader::new(b"\x06\0\0\0\x03\0\0\0\x04\0\0\0", Dialect::Godot4); // Vector2i(3, 4)
    /// let (numbers, shape) = reader.numbers().unwrap();
    /// assert_eq!((numbers.len(), shape.parts[1].0), (2, "y"));
    /// ```
    #[inline]
    pub fn numbers(&mut self) -> Option<(Numbers<'a>, &'static Shape)> {
        let (header, rest) = self.header()?;
        let shape = header.kind.shape_ref().filter(|shape| !shape.is_packed)?;
        let width = self.real_width(header.flag());
        let (bytes, rest) = rest.split_at_checked(shape.bytes(width))?;
        self.pass(rest)?;
        Some((Numbers::of_whole(header.kind, *shape, width, bytes), shape))
    }

    /// Reads the next value if it is a `String` or a `StringName`. Returns its bytes, unchecked, like
    /// [`StrView::as_bytes`]. O(1).
    #[inline]
    pub fn text(&mut self) -> Option<&'a [u8]> {
        self.text_if(Some)
    }

    /// [`Reader::text`] if `take` accepts the text; otherwise the reader stays before it. O(1), and the cost of `take`.
    #[inline]
    pub fn text_if<T>(&mut self, take: impl FnOnce(&'a [u8]) -> Option<T>) -> Option<T> {
        if self.rules.open_string_end {
            return None;
        }
        let (_, rest) = self.word_of(id::STRING).or_else(|| self.string_name())?;
        let (length, rest) = rest.split_first_chunk()?;
        let length = u32::from_le_bytes(*length);
        if length > layout::COUNT {
            return None;
        }
        let (text, rest) = rest.split_at_checked(size(padded(length)))?;
        let taken = take(text.get(..size(length))?)?;
        self.pass(rest)?;
        Some(taken)
    }

    /// The width of the reals of a mathematical value. `is_flagged`: its header has the flag of wide reals.
    #[cfg_attr(not(variant_small), inline(always))]
    fn real_width(&self, is_flagged: bool) -> Width {
        let is_wide = is_flagged && self.rules.wide_reals || self.mode.reals == Reals::Always64;
        if is_wide { Width::W64 } else { Width::W32 }
    }

    /// Enters the next value if it has this kind and declares no types. `kind` must be [`Kind::Array`] or
    /// [`Kind::Dictionary`]. Returns the number of items; keys and values both count. The number is not verified. O(1).
    ///
    /// ```
    /// # use variant_view::{Dialect, Kind, Reader};
    /// # let bytes = b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x05\0\0\0\x02\0\0\0\x07\0\0\0";
    /// let mut reader = Reader::new(bytes, Dialect::Godot4); // [5, 7]
    /// let items = reader.enter(Kind::Array).unwrap_or(0);
    /// assert_eq!((0..items).filter_map(|_| reader.int()).sum::<i64>(), 12);
    /// reader.exit();
    /// ```
    #[inline]
    pub fn enter(&mut self, kind: Kind) -> Option<u32> {
        let (header, rest) = self.header()?;
        if header.kind != kind || layout::has_types(header, self.rules) {
            return None;
        }
        let (count, rest) = rest.split_first_chunk()?;
        let count = u32::from_le_bytes(*count) & layout::COUNT;
        let items = match kind {
            Kind::Array => count,
            Kind::Dictionary => count.wrapping_mul(2),
            _ => return None,
        };
        if items > 0 && self.level >= self.mode.depth {
            return None;
        }
        self.pass(rest)?;
        self.level = self.level.wrapping_add(1);
        Some(items)
    }
}

/// The ids that are the same in each dialect (docs/spec/engines.md).
mod id {
    pub(super) const NIL: u32 = 0;
    pub(super) const BOOL: u32 = 1;
    pub(super) const INT: u32 = 2;
    pub(super) const FLOAT: u32 = 3;
    pub(super) const STRING: u32 = 4;
}

macro_rules! readers {
    ($($view:ident)*) => {$(
        impl<'a> $view<'a> {
            /// A reader at the start of the value. The only limit that applies is the depth, counted from this value.
            /// O(1).
            pub fn reader(&self) -> Reader<'a> {
                Reader::of_container(self.source())
            }
        }
    )*};
}

readers! { ArrayView DictionaryView ObjectView }
