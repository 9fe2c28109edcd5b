//! [`DictionaryView`]: pairs of key and value (docs/spec/format.md#dictionary and docs/spec/format.md#key-identity).

use core::fmt;

use super::items::ItemCursor;
use super::key::Key;
use super::look_up::{in_place, look_up};
use super::wanted::Wanted;
use super::{Dialect, Items, Raw, Source, StrView, VariantView, source_methods};
use crate::bytes::size;
use crate::element_type::ElementType;
use crate::error::Result;
use crate::header::Header;
use crate::layout;

/// A dictionary. Its pairs are read on access, in wire order, duplicates included (docs/spec/format.md#dictionary).
///
/// ```
/// # use variant_view::{Dialect, Document};
/// # let bytes = [18, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, b'h', b'p', 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
/// for pair in Document::new(&bytes, Dialect::Godot3).root()?.as_dictionary()? {
///     let (key, value) = pair?;
///     assert_eq!((key.as_str()?, value.as_i64()?), ("hp", 7));
/// }
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct DictionaryView<'a> {
    pub(super) source: Source<'a>,
}

source_methods!(DictionaryView);

impl<'a> DictionaryView<'a> {
    /// The count of pairs on the wire. The count is not verified: do not reserve memory for it. O(1).
    #[inline]
    pub fn len(&self) -> usize {
        match self.source.plain_count() {
            Some(count) => size(count & layout::COUNT),
            None => size(ItemCursor::new(self.source).remaining() / 2),
        }
    }

    /// Whether the count of pairs on the wire is 0.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the writer marked the dictionary as shared, which only Godot 2 does. O(1).
    #[inline]
    pub fn is_shared(&self) -> bool {
        match self.source.plain_count() {
            Some(count) => count > layout::COUNT,
            None => ItemCursor::is_shared(self.source),
        }
    }

    /// The pairs in wire order, duplicates included.
    pub fn iter(&self) -> Items<'a, (VariantView<'a>, VariantView<'a>)> {
        Items::of(self.source)
    }

    /// The value of `key`. If the key occurs twice, the last value wins, as in the engines.
    ///
    /// Text is compared as the engine reads it. This view compares and returns keys of a typed dictionary as written.
    /// Godot 4 converts the keys to the declared type, and drops pairs whose keys do not fit
    /// (docs/spec/format.md#typed-containers).
    ///
    /// O(bytes of the dictionary), no allocation. [`DictionaryView::get_many`] looks up several keys in one pass.
    ///
    /// ```
    /// # use variant_view::{Dialect, Document};
    /// # let bytes = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x07\0\0\0";
    /// let packet = Document::new(bytes, Dialect::Godot4).root()?.as_dictionary()?; // {"hp": 7}
    /// assert_eq!(packet.get("hp")?.unwrap().as_i64()?, 7);
    /// assert!(packet.get("mp")?.is_none());
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// # Errors
    /// The first error in the dictionary, before or after the key.
    pub fn get<'k>(&self, key: impl Into<Key<'k>>) -> Result<Option<VariantView<'a>>> {
        let [value] = self.get_many([key.into()])?;
        Ok(value)
    }

    /// The values of several keys in one pass. O(bytes of the dictionary + pairs x keys), no allocation.
    ///
    /// ```
    /// # use variant_view::{Dialect, Document};
    /// # let bytes = [18, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, b'h', b'p', 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
    /// let packet = Document::new(&bytes, Dialect::Godot3).root()?.as_dictionary()?;
    /// let [hp, name] = packet.get_many(["hp", "name"])?;
    /// assert_eq!(hp.map(|hp| hp.as_i64()), Some(Ok(7)));
    /// assert!(name.is_none());
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`DictionaryView::get`].
    pub fn get_many<'k, K: Into<Key<'k>>, const N: usize>(
        &self,
        keys: [K; N],
    ) -> Result<[Option<VariantView<'a>>; N]> {
        let mut keys = keys.map(|key| Wanted::new(key.into()));
        in_place(|values| look_up(self.source, &mut keys, values))
    }

    /// The declared type of the keys. O(1).
    #[inline]
    pub fn key_type(&self) -> ElementType<StrView<'a>> {
        self.types().map_or(ElementType::Any, |types| types.0)
    }

    /// The declared type of the values. O(1).
    ///
    /// ```
    /// use variant_view::{Dialect, Document, ElementType, Kind};
    ///
    /// let bytes = b"\x1b\0\x04\0\x02\0\0\0\0\0\0\0"; // Dictionary[Variant, int], empty
    /// let dictionary = Document::new(bytes, Dialect::Godot4).root()?.as_dictionary()?;
    /// assert!(matches!(dictionary.value_type(), ElementType::Builtin(Kind::Int)));
    /// assert!(dictionary.key_type().is_any());
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    #[inline]
    pub fn value_type(&self) -> ElementType<StrView<'a>> {
        self.types().map_or(ElementType::Any, |types| types.1)
    }

    /// The declared types of keys and values, if any are declared.
    #[inline]
    fn types(&self) -> Option<(ElementType<StrView<'a>>, ElementType<StrView<'a>>)> {
        match self.source.plain_count() {
            Some(_) => None,
            None => self.declared_types(),
        }
    }

    fn declared_types(&self) -> Option<(ElementType<StrView<'a>>, ElementType<StrView<'a>>)> {
        let dialect = self.source.mode.dialect;
        let mut cursor = self.source.raw.cursor();
        let header = Header::read(&mut cursor, dialect.rules()).ok()?;
        let key = ElementType::read(&mut cursor, header.first_type(), dialect);
        let value = ElementType::read(&mut cursor, header.second_type(), dialect);
        Some((key, value))
    }
}

impl<'a> IntoIterator for DictionaryView<'a> {
    type Item = Result<(VariantView<'a>, VariantView<'a>)>;
    type IntoIter = Items<'a, (VariantView<'a>, VariantView<'a>)>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &DictionaryView<'a> {
    type Item = Result<(VariantView<'a>, VariantView<'a>)>;
    type IntoIter = Items<'a, (VariantView<'a>, VariantView<'a>)>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for DictionaryView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DictionaryView")
            .field("offset", &self.offset())
            .field("len", &self.len())
            .field("key_type", &self.key_type())
            .field("value_type", &self.value_type())
            .finish()
    }
}
