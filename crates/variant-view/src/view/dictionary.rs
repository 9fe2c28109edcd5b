//! [`DictionaryView`]: pairs of key and value (docs/format.md, sections 2.9 and 6).

use core::fmt;

use super::items::Items;
use super::{Dialect, Raw, Source, StrView, VariantView, source_methods};
use crate::bytes::{Cursor, Fault, Unfit, size};
use crate::dialect::{DialectRules, by_dialect};
use crate::element_type::ElementType;
use crate::error::{ErrorKind, Limit, Result};
use crate::header::Header;
use crate::key::{KeyBody, KeyPart, KeyPlace, is_same_text};
use crate::kind::Kind;
use crate::layout::{self, Extent};
use crate::options::Mode;
use crate::scan;
use crate::text::before_nul;

/// A dictionary. Its pairs are read on access, in wire order, duplicates included (docs/format.md, section
/// 2.9).
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

/// The start of the value of each key looked up.
type Found<'a> = [Option<Cursor<'a>>];

impl<'a> DictionaryView<'a> {
    /// The number of pairs that the wire claims. The claim is not verified: do not reserve memory by it.
    /// O(1).
    #[inline]
    pub fn len(&self) -> usize {
        match self.source.plain_count() {
            Some(count) => size(count & layout::COUNT),
            None => size(Items::new(self.source).remaining() / 2),
        }
    }

    /// Whether the wire claims no pairs.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether its writer marked it as shared, which only Godot 2 does. O(1).
    #[inline]
    pub fn is_shared(&self) -> bool {
        match self.source.plain_count() {
            Some(count) => count > layout::COUNT,
            None => Items::is_shared(self.source),
        }
    }

    /// The pairs in wire order, duplicates included.
    pub fn iter(&self) -> Pairs<'a> {
        Pairs(Items::new(self.source))
    }

    /// The value of `key`. If the key occurs twice, the last value wins, as in the engines.
    ///
    /// Text is compared as the engine reads it. Keys of a typed dictionary are compared as written: Godot 4
    /// converts keys to the declared type and drops pairs whose keys do not fit; this view does not
    /// (docs/format.md, section 2.10).
    ///
    /// O(bytes of the dictionary), no allocation. [`DictionaryView::get_many`] looks up several keys in one
    /// pass.
    ///
    /// # Errors
    /// The first error inside, before or after the key.
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
        let keys = keys.map(Into::into);
        let mut found = [None; N];
        self.find_all(&keys, &mut found)?;
        // Keys on the wire end at a NUL, so a key with one is cut and looked up again.
        if keys.iter().zip(&found).any(|(key, place)| place.is_none() && key.has_nul()) {
            self.find_all(&keys.map(Key::cut), &mut found)?;
        }
        let mode = self.source.mode.inner();
        let mut values = [None; N];
        for (cursor, value) in found.into_iter().zip(&mut values) {
            if let Some(cursor) = cursor {
                *value = Some(VariantView::starting(cursor.rest(), cursor.offset(), mode)?);
            }
        }
        Ok(values)
    }

    /// A second pass finds the exact error.
    #[inline]
    fn find_all(&self, keys: &[Key<'_>], found: &mut Found<'a>) -> Result<()> {
        self.find_fast(keys, found).or_else(|Unfit| self.find_slowly(keys, found))
    }

    #[inline(never)]
    fn find_fast(&self, keys: &[Key<'_>], found: &mut Found<'a>) -> Result<(), Unfit> {
        by_dialect!(self.source.mode.dialect, |dialect| self.find(dialect, keys, found))
    }

    #[cold]
    #[inline(never)]
    fn find_slowly(&self, keys: &[Key<'_>], found: &mut Found<'a>) -> Result<()> {
        self.find(self.source.mode.dialect, keys, found)
    }

    /// Finds where the values of `keys` start.
    #[inline(always)]
    fn find<E: Fault>(
        &self,
        dialect: Dialect,
        keys: &[Key<'_>],
        found: &mut Found<'a>,
    ) -> Result<(), E> {
        let rules = dialect.rules();
        let outer = Mode { dialect, ..self.source.mode };
        let mode = outer.inner();
        let mut cursor = self.source.raw.cursor().with_fault::<E>();
        let header = Header::read(&mut cursor, rules)?.of_kind(Kind::Dictionary);
        let (mut cursor, extent) = layout::payload::<false, E>(header, cursor, outer)?;
        let Extent::Open { items, .. } = extent else { return Ok(()) };
        if items > 0 && outer.depth == 0 {
            return Err(cursor.error(ErrorKind::LimitExceeded { limit: Limit::Depth }));
        }
        for _ in 0..items / 2 {
            let start = cursor;
            let header = Header::read(&mut cursor, rules)?;
            if let Kind::String | Kind::StringName = header.kind {
                let text = layout::string::<false, _>(&mut cursor, rules)?;
                for (wanted, place) in keys.iter().zip(&mut *found) {
                    if wanted.is_text(header.kind, text, rules) {
                        *place = Some(cursor.with_fault());
                    }
                }
            } else {
                cursor = scan::skip_apart(start, mode)?;
                for (wanted, place) in keys.iter().zip(&mut *found) {
                    if wanted.is_scalar(header.kind, start.rest(), mode) {
                        *place = Some(cursor.with_fault());
                    }
                }
            }
            scan::skip(&mut cursor, mode)?;
        }
        Ok(())
    }

    /// The declared type of the keys. O(1).
    #[inline]
    pub fn key_type(&self) -> ElementType<StrView<'a>> {
        self.types().map_or(ElementType::Any, |types| types.0)
    }

    /// The declared type of the values. O(1).
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
    type IntoIter = Pairs<'a>;

    fn into_iter(self) -> Pairs<'a> {
        self.iter()
    }
}

impl<'a> IntoIterator for &DictionaryView<'a> {
    type Item = Result<(VariantView<'a>, VariantView<'a>)>;
    type IntoIter = Pairs<'a>;

    fn into_iter(self) -> Pairs<'a> {
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

/// Iterator of [`DictionaryView::iter`]; ends after the first error.
///
/// O(1) per pair. A value that is a container is skipped, O(its bytes), when the next pair is read; a key
/// that is a container is skipped at once.
#[derive(Clone, Debug)]
pub struct Pairs<'a>(Items<'a>);

impl<'a> Iterator for Pairs<'a> {
    type Item = Result<(VariantView<'a>, VariantView<'a>)>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let key = match self.0.value()? {
            Ok(key) => key,
            Err(error) => return Some(Err(error)),
        };
        Some(self.0.value()?.map(|value| (key, value)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(size(self.0.remaining()) / 2))
    }
}

impl core::iter::FusedIterator for Pairs<'_> {}

/// A key to look up. Text is given as the engine reads it, and ends at its first NUL.
///
/// Keys are equal by kind and value, as in the engines: `1`, `1.0` and `"1"` are three keys; all NaNs are
/// one key, and so are 0.0 and -0.0 (docs/format.md, section 6).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Key<'k> {
    /// The key `null`.
    Nil,
    /// A `bool`.
    Bool(bool),
    /// An `int` of either width.
    Int(i64),
    /// A `float` of either width.
    Float(f64),
    /// A `String`; in Godot 4 also a `StringName` of the same text.
    String(&'k [u8]),
    /// A `StringName`; in Godot 4 also a `String` of the same text.
    StringName(&'k [u8]),
}

impl<'k> Key<'k> {
    /// The key with its text cut at the first NUL. O(bytes).
    #[inline]
    pub(crate) fn cut(self) -> Self {
        match self {
            Self::String(text) => Self::String(before_nul(text)),
            Self::StringName(text) => Self::StringName(before_nul(text)),
            other => other,
        }
    }

    fn has_nul(&self) -> bool {
        matches!(self, Self::String(text) | Self::StringName(text) if text.contains(&0))
    }

    /// The parts that the key consists of. O(1).
    pub const fn part(&self) -> KeyPart<'k> {
        let (kind, body) = match *self {
            Self::Nil => (Kind::Nil, KeyBody::Empty),
            #[expect(clippy::as_conversions, reason = "0 or 1")]
            Self::Bool(value) => (Kind::Bool, KeyBody::Int(value as i64)),
            Self::Int(value) => (Kind::Int, KeyBody::Int(value)),
            Self::Float(value) => (Kind::Float, KeyBody::Float(value)),
            Self::String(text) => (Kind::String, KeyBody::Held(text)),
            Self::StringName(text) => (Kind::StringName, KeyBody::Held(text)),
        };
        KeyPart { kind, body }
    }

    /// Whether the key of this kind at the start of `bytes` is equal. Only the few kinds that can be equal
    /// are read; text is handled by [`Key::is_text`].
    pub(crate) fn is_scalar(&self, kind: Kind, bytes: &[u8], mode: Mode) -> bool {
        matches!(kind, Kind::Bool | Kind::Float | Kind::Int | Kind::Nil)
            && self.is(bytes, mode).unwrap_or_default()
    }

    /// Whether a key of this kind and text is equal. The text of `self` must have been [cut](Key::cut).
    #[inline(always)]
    pub(crate) fn is_text(&self, kind: Kind, text: &[u8], rules: &DialectRules) -> bool {
        let (wanted, fits) = match *self {
            Self::String(wanted) => (wanted, kind == Kind::String),
            Self::StringName(wanted) => (wanted, kind == Kind::StringName),
            _ => return false,
        };
        (fits || rules.keys.one_text_key) && is_same_text(text, wanted, rules.text)
    }

    /// Whether the value at the start of `bytes` is this key.
    ///
    /// # Errors
    /// The first error of that value.
    pub(crate) fn is(&self, bytes: &[u8], mode: Mode) -> Result<bool> {
        let own = KeyPart::read(bytes, mode)?;
        Ok(own.is_same(&self.part(), mode.dialect.rules().keys, KeyPlace::Key))
    }
}

impl<'k> From<&'k str> for Key<'k> {
    fn from(text: &'k str) -> Self {
        Self::String(text.as_bytes())
    }
}

#[cfg(feature = "alloc")]
impl<'k> From<&'k alloc::string::String> for Key<'k> {
    fn from(text: &'k alloc::string::String) -> Self {
        Self::String(text.as_bytes())
    }
}

impl<'k> From<&'k [u8]> for Key<'k> {
    /// A `String` of these bytes.
    fn from(text: &'k [u8]) -> Self {
        Self::String(text)
    }
}

impl From<u32> for Key<'_> {
    fn from(value: u32) -> Self {
        Self::Int(value.into())
    }
}

impl From<i64> for Key<'_> {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<i32> for Key<'_> {
    fn from(value: i32) -> Self {
        Self::Int(value.into())
    }
}

impl From<f64> for Key<'_> {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

impl From<bool> for Key<'_> {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}
