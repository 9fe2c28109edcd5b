//! [`Document`]: a buffer and its options.

use core::fmt;

use crate::error::{Error, Result};
use crate::event::{self, Consumer, FeedError, Input, Producer};
use crate::header::Header;
use crate::kind::Kind;
use crate::options::Options;
use crate::path::{self, Path};
use crate::validate::{self, Summary};
use crate::view::{self, Key, Raw, Source, VariantView, Wanted};
use crate::walk::Walker;

/// A buffer that holds one serialized value, and the [`Options`] to read it with.
///
/// `Copy`; all views borrow from the buffer. Bytes after the value are allowed, except with
/// [`Profile::Canonical`](crate::Profile::Canonical).
///
/// The bytes need not be validated: each access checks what it reads. After a successful [`Document::validate`], errors
/// come only from the request: a wrong kind, a missing key, or text that is not UTF-8.
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
#[doc(alias("bytes_to_var", "bytes2var", "get_var"))]
pub struct Document<'a> {
    bytes: &'a [u8],
    options: Options,
}

impl<'a> Document<'a> {
    /// Creates a document of `bytes` with `options`, or with just a [`Dialect`](crate::Dialect). O(1): reads nothing.
    pub fn new(bytes: &'a [u8], options: impl Into<Options>) -> Self {
        Self { bytes, options: options.into() }
    }

    /// The whole buffer.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The options for reading the document.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// The root value. O(1), except for string arrays and node paths: their texts are measured, O(bytes).
    ///
    /// ```
    /// use variant_view::{Dialect, Document, Kind};
    ///
    /// let bytes = b"\x02\0\0\0\x07\0\0\0";
    /// assert_eq!(Document::new(bytes, Dialect::Godot4).root()?.kind(), Kind::Int);
    /// assert!(Document::new(&bytes[..6], Dialect::Godot4).root().is_err());
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// # Errors
    /// The first error in the header; for a leaf also in its payload. Items of a container are not read.
    #[inline]
    pub fn root(&self) -> Result<VariantView<'a>> {
        VariantView::starting(self.bytes, 0, self.options.mode())
    }

    /// Iterates over all values of the document as events. O(bytes) in all, no allocation. See [`Walker`].
    ///
    /// ```
    /// use variant_view::{Dialect, Document, Event};
    ///
    /// let bytes = b"\x1c\0\0\0\x02\0\0\0\x1c\0\0\0\x01\0\0\0\x02\0\0\0\x05\0\0\0\x02\0\0\0\x07\0\0\0";
    /// let events = Document::new(bytes, Dialect::Godot4).walk(); // [[5], 7]
    /// assert_eq!(events.filter(|event| matches!(event, Ok(Event::Leaf(_)))).count(), 2);
    /// ```
    pub fn walk(&self) -> Walker<'a> {
        Walker::new(self.bytes, &self.options)
    }

    /// Validates everything: structure, limits, text by the dialect's rule, and the rules of the profile.
    ///
    /// One iterative pass, O(bytes), no allocation. [`Profile::Canonical`](crate::Profile::Canonical) also sorts the
    /// keys of each dictionary to find duplicates: O(n log n) comparisons, and memory for the keys of all open
    /// dictionaries. If a key is a container whose keys are containers, its bytes are compared once per level. Without
    /// the `alloc` feature, open dictionaries may have 256 keys in all.
    ///
    /// ```
    /// use variant_view::{Dialect, Document, ErrorClass};
    ///
    /// let bytes = [2, 0, 0, 0, 7, 0]; // an int, cut short
    /// let error = Document::new(&bytes, Dialect::Godot3).validate().unwrap_err();
    /// assert_eq!((error.class(), error.offset()), (ErrorClass::Truncated, 4));
    /// assert_eq!(error.to_string(), "int value needs 4 bytes, 2 are left at byte 4");
    /// ```
    ///
    /// # Errors
    /// The first violation in the document.
    pub fn validate(&self) -> Result<Summary> {
        validate::validate(self.bytes, &self.options)
    }

    /// Calls `found` with each deviation from [`Profile::Canonical`](crate::Profile::Canonical). With this profile,
    /// [`Document::validate`] returns only the first deviation. Texts are not validated.
    ///
    /// Reports only the first deviation among the texts of one value, and only the first duplicate key of each
    /// dictionary. A duplicate key is reported at the end of its dictionary; the offsets of all other deviations
    /// ascend. Costs what `validate` costs with that profile.
    ///
    /// ```
    /// use variant_view::{Dialect, Document};
    ///
    /// // true, written as 2, and then 7
    /// let bytes = [1, 0, 0, 0, 2, 0, 0, 0, 7];
    /// let mut offsets = Vec::new();
    /// Document::new(&bytes, Dialect::Godot4).deviations(|found| offsets.push(found.offset()))?;
    /// assert_eq!(offsets, [4, 8]);
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// # Errors
    /// The first error in the bytes; the bytes after it cannot be read.
    pub fn deviations(&self, found: impl FnMut(Error)) -> Result<Summary> {
        validate::deviations(self.bytes, &self.options, found)
    }

    /// The value of `key` in the root, which must be a dictionary or an object. See [`VariantView::get`].
    ///
    /// O(bytes of the root), no allocation. [`Document::get_many`] looks up several keys in one pass.
    ///
    /// ```
    /// # use variant_view::{Dialect, Document};
    /// # let bytes = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x07\0\0\0";
    /// let document = Document::new(bytes, Dialect::Godot4); // {"hp": 7}
    /// assert_eq!(document.get("hp")?.unwrap().as_i64()?, 7);
    /// assert!(document.get("mp")?.is_none());
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`VariantView::get`].
    pub fn get<'k>(&self, key: impl Into<Key<'k>>) -> Result<Option<VariantView<'a>>> {
        let [value] = self.get_many([key.into()])?;
        Ok(value)
    }

    /// The values of several keys in the root, which must be a dictionary or an object.
    ///
    /// O(bytes of the root + pairs x keys), no allocation. One pass for a dictionary; one pass per key for an object.
    /// [`Document::validated_get_many`] validates in the same pass.
    ///
    /// ```
    /// # use variant_view::{Dialect, Document};
    /// # let bytes = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x07\0\0\0";
    /// let [hp, mp] = Document::new(bytes, Dialect::Godot4).get_many(["hp", "mp"])?; // {"hp": 7}
    /// assert_eq!((hp.unwrap().as_i64()?, mp.is_none()), (7, true));
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`VariantView::get`].
    pub fn get_many<'k, K: Into<Key<'k>>, const N: usize>(
        &self,
        keys: [K; N],
    ) -> Result<[Option<VariantView<'a>>; N]> {
        let mut keys = keys.map(|key| Wanted::new(key.into()));
        view::in_place(|values| self.look_up(&mut keys, values))
    }

    /// [`Document::validate`] and [`Document::get_many`] in one pass, for servers that need a few values of an
    /// untrusted packet.
    ///
    /// O(bytes of the document + pairs x keys), no allocation. One pass if the root is a dictionary without declared
    /// types and the profile is [`Profile::Engine`](crate::Profile::Engine), otherwise two.
    ///
    /// ```
    /// use variant_view::{Dialect, Document, Options};
    ///
    /// # let packet = [18, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, b'h', b'p', 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
    /// // {"hp": 7}, as Godot 3 sends it
    /// let document = Document::new(&packet, Options::server(Dialect::Godot3));
    /// let [hp, name] = document.validated_get_many(["hp", "name"])?;
    /// assert_eq!(hp.map(|hp| hp.as_i64()), Some(Ok(7)));
    /// assert!(name.is_none());
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Document::validate`]; if the document is valid, those of [`VariantView::get`].
    pub fn validated_get_many<'k, K: Into<Key<'k>>, const N: usize>(
        &self,
        keys: [K; N],
    ) -> Result<[Option<VariantView<'a>>; N]> {
        self.validated_look_up(keys.map(|key| Wanted::new(key.into())))
    }

    #[inline]
    pub(crate) fn validated_look_up<const N: usize>(
        &self,
        mut keys: [Wanted<'_>; N],
    ) -> Result<[Option<VariantView<'a>>; N]> {
        view::in_place(|values| self.look_up_validated(&mut keys, values))
    }

    #[inline]
    pub(crate) fn look_up_validated(
        &self,
        keys: &mut [Wanted<'_>],
        values: &mut [Option<VariantView<'a>>],
    ) -> Result<()> {
        let mode = self.options.mode();
        if validate::is_bounded(self.bytes, &self.options)
            && view::look_up_validated(self.bytes, mode, keys, values).is_some()
        {
            return Ok(());
        }
        self.validate()?;
        view::forget(keys);
        values.fill(None);
        self.look_up(keys, values)
    }

    #[inline]
    fn look_up(
        &self,
        keys: &mut [Wanted<'_>],
        values: &mut [Option<VariantView<'a>>],
    ) -> Result<()> {
        let mode = self.options.mode();
        let raw = Raw { bytes: self.bytes, offset: 0 };
        let header = Header::read(&mut raw.cursor(), mode.dialect.rules())?;
        if header.kind == Kind::Dictionary {
            return view::look_up(Source { raw, mode }, keys, values);
        }
        let root = self.root()?;
        for (wanted, value) in keys.iter().zip(values) {
            *value = root.get(wanted.key())?;
        }
        Ok(())
    }

    /// The value at `path`. O(bytes of the containers on the path), no allocation.
    ///
    /// | step | selects |
    /// |---|---|
    /// | `name`, `.name` | the value of a text key, or a property |
    /// | `["any text"]`, `['any text']` | the same, for text with dots, brackets or quotes |
    /// | `[&"name"]` | the value of a `StringName` key, in dialects that distinguish it from a `String` |
    /// | `[3]`, `[-1]` | an element, from the end if negative; or the value of an integer key |
    /// | `{3}` | the value of pair or property 3, counted from 0, by position |
    /// | `{3:key}` | the key of pair 3 |
    ///
    /// The empty path is the root. If a key occurs twice, the last value wins, as in the engines.
    ///
    /// ```
    /// use variant_view::{Dialect, Document};
    ///
    /// // {"items": [5, 7]}, as Godot 3 writes it
    /// # let bytes = [
    /// #     18, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0, b'i', b't', b'e', b'm', b's', 0, 0, 0,
    /// #     19, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0,
    /// # ];
    /// let document = Document::new(&bytes, Dialect::Godot3);
    /// assert_eq!(document.at("items[1]")?.as_i64()?, 7);
    /// assert_eq!(document.at("{0:key}")?.as_str()?, "items");
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::PathSyntax`](crate::ErrorKind::PathSyntax),
    /// [`ErrorKind::KeyNotFound`](crate::ErrorKind::KeyNotFound) and
    /// [`ErrorKind::IndexOutOfRange`](crate::ErrorKind::IndexOutOfRange), with the column in the path and the offset of
    /// the searched container. [`ErrorKind::NotAContainer`](crate::ErrorKind::NotAContainer) for a step into a leaf.
    /// Errors of the bytes read on the way.
    pub fn at(&self, path: &str) -> Result<VariantView<'a>> {
        path::resolve(self.root()?, path)
    }

    /// The path of the innermost value that contains byte `offset`. For the offset of an error, this is the path of the
    /// value at which reading stopped.
    ///
    /// O(bytes before the offset), no allocation: the path text is produced on display. Displaying costs
    /// O(bytes of the document), since a later duplicate may hide a key on the path. In an undamaged
    /// document [`Document::at`] resolves the path to the same value.
    ///
    /// ```
    /// # use variant_view::{Dialect, Document};
    /// # let bytes = b"\x1c\0\0\0\x02\0\0\0\x1c\0\0\0\x01\0\0\0\x02\0\0\0\x05\0\0\0\x02\0\0\0\x07\0\0\0";
    /// let document = Document::new(bytes, Dialect::Godot4); // [[5], 7]
    /// assert_eq!(document.path_to(20)?.to_string(), "[0][0]");
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::OutsideDocument`](crate::ErrorKind::OutsideDocument) if `offset` is past the value's end.
    pub fn path_to(
        &self,
        offset: usize,
    ) -> Result<impl fmt::Display + fmt::Debug + Clone + use<'a>> {
        Path::find(self.bytes, self.options.mode(), offset)
    }
}

impl Producer for Document<'_> {
    type Error = Error;

    /// One pass by [`Walker::visit`]: O(bytes), no allocation. All limits apply; text is not validated.
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
