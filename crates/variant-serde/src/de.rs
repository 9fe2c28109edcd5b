//! [`Deserializer`]: decodes Rust values from bytes in one pass.

/// Defines serde's methods for an option and a newtype. Both deserialize the value inside.
macro_rules! wrappers_pass {
    () => {
        fn deserialize_option<V: Visitor<'de>>(
            self,
            visitor: V,
        ) -> core::result::Result<V::Value, Self::Error> {
            visitor.visit_some(self)
        }

        fn deserialize_newtype_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            visitor: V,
        ) -> core::result::Result<V::Value, Self::Error> {
            visitor.visit_newtype_struct(self)
        }
    };
}

mod containers;
mod fields;
mod key;
mod leaf;
mod math;
mod methods;
mod number;
mod packed;
mod text;

use core::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, Visitor};
use variant_view::{ArrayView, Document, Kind, Options, Profile, Reader, VariantView};

use self::containers::{Elements, OnePair, Pairs, Properties};
pub(crate) use self::fields::{Field, Handed};
use self::leaf::LeafDeserializer;
use self::math::wrong_length;
use crate::error::{Error, ErrorKind};
use crate::raw;

type Result<T> = core::result::Result<T, Error>;

/// Decodes the value at the start of `bytes`. `options` is an [`Options`] or only a [`Dialect`](variant_view::Dialect).
///
/// One pass, O(bytes); allocates only the memory of `T`. Bytes after the value are allowed, except with
/// [`Profile::Canonical`], which validates the document first. Skipped values are not decoded, and their text is not
/// checked.
///
/// ```
/// use variant_view::Dialect;
///
/// #[derive(serde::Deserialize)]
/// struct Player<'a> {
///     name: &'a str,
///     hp: i32,
/// }
///
/// # let bytes = [
/// #     18, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, b'n', b'a', b'm', b'e', 4, 0, 0, 0, 3, 0, 0, 0, b'A', b'd',
/// #     b'a', 0, 4, 0, 0, 0, 2, 0, 0, 0, b'h', b'p', 0, 0, 2, 0, 0, 0, 7, 0, 0, 0,
/// # ];
/// // {"name": "Ada", "hp": 7}, as Godot 3 writes it
/// let player: Player<'_> = variant_serde::from_slice(&bytes, Dialect::Godot3)?;
/// assert_eq!((player.name, player.hp), ("Ada", 7));
/// # Ok::<(), variant_serde::Error>(())
/// ```
///
/// # Errors
/// The first value that does not fit `T`, or the first error of the bytes.
#[doc(alias("bytes_to_var", "bytes2var", "get_var"))]
pub fn from_slice<'de, T: Deserialize<'de>>(
    bytes: &'de [u8],
    options: impl Into<Options>,
) -> Result<T> {
    let options = options.into();
    if options.profile == Profile::Canonical {
        Document::new(bytes, options).validate()?;
    }
    T::deserialize(&mut Deserializer::new(bytes, options))
}

/// [`from_slice`] of a document. O(bytes).
///
/// ```
/// use variant_serde::{from_document, from_view};
/// use variant_view::{Dialect, Document};
///
/// let bytes = [28, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]; // [7, true]
/// let document = Document::new(&bytes, Dialect::Godot4);
/// assert_eq!(from_document::<(u8, bool)>(&document)?, (7, true));
/// assert_eq!(from_view::<u8>(document.at("[0]").expect("two elements"))?, 7); // a part of the document
/// # Ok::<(), variant_serde::Error>(())
/// ```
///
/// # Errors
/// Those of [`from_slice`].
pub fn from_document<'de, T: Deserialize<'de>>(document: &Document<'de>) -> Result<T> {
    from_slice(document.bytes(), *document.options())
}

/// Decodes the value of a view, such as one found by [`Document::at`]. O(bytes of the value).
///
/// The only limit that applies is the depth, counted from this value. Only the view of a container can become a
/// [`RawValue`](crate::RawValue), because other views do not know their options.
///
/// # Errors
/// Those of [`from_slice`]. Offsets count from the start of the document. Paths start at the value.
pub fn from_view<'de, T: Deserialize<'de>>(view: VariantView<'de>) -> Result<T> {
    from_view_seed(PhantomData, view)
}

/// [`from_view`] with a seed, for code that implements serde's traits itself. O(bytes).
///
/// # Errors
/// Those of [`from_slice`].
pub fn from_view_seed<'de, S: DeserializeSeed<'de>>(
    seed: S,
    view: VariantView<'de>,
) -> Result<S::Value> {
    let reader = match &view {
        VariantView::Array(v) | VariantView::TypedArray(v) | VariantView::PackedTypedArray(v) => {
            ArrayView::reader(v)
        }
        VariantView::Dictionary(v) => v.reader(),
        VariantView::Object(v) if v.class().is_some() => v.reader(),
        _ => return seed.deserialize(LeafDeserializer(view)),
    };
    seed.deserialize(&mut Deserializer::of_reader(reader))
}

/// Decodes an owned value with the mapping of [`from_slice`], and borrows its text and bytes. The value need not fit
/// any dialect, because nothing is encoded. O(parts read).
///
/// ```
/// use std::collections::BTreeMap;
/// use variant_owned::{Variant, dictionary};
///
/// let stock = Variant::from(dictionary! { "axe" => 1, "arrow" => 40 });
/// let stock: BTreeMap<&str, u32> = variant_serde::from_variant(&stock)?;
/// assert_eq!(stock["arrow"], 40);
/// # Ok::<(), variant_serde::Error>(())
/// ```
///
/// # Errors
/// Those of [`from_slice`], without offsets. A type that borrows the bytes of a value ([`RawValue`](crate::RawValue),
/// [`Packed`](crate::Packed)) is also an error.
#[cfg(feature = "std")]
pub fn from_variant<'de, T: Deserialize<'de>>(value: &'de variant_owned::Variant) -> Result<T> {
    T::deserialize(value).map_err(Error::from)
}

/// Reads Rust values from bytes. Most programs use [`from_slice`].
///
/// Each `T::deserialize(&mut deserializer)` reads the next value and moves past it. So a loop can read consecutive
/// values.
///
/// ```
/// use serde::Deserialize;
/// use variant_serde::Deserializer;
/// use variant_view::Dialect;
///
/// let bytes = [2, 0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]; // 7, true
/// let mut values = Deserializer::new(&bytes, Dialect::Godot4);
/// assert_eq!(u8::deserialize(&mut values)?, 7);
/// assert_eq!(values.offset(), 8);
/// assert!(bool::deserialize(&mut values)?);
/// # Ok::<(), variant_serde::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Deserializer<'de> {
    reader: Reader<'de>,
    /// The number of levels that may still be entered.
    room: u32,
}

/// The default of [`Deserializer::max_depth`].
const MAX_DEPTH: u32 = 128;

impl<'de> Deserializer<'de> {
    /// A deserializer whose first value is at the start of `bytes`. O(1).
    pub fn new(bytes: &'de [u8], options: impl Into<Options>) -> Self {
        Self::of_reader(Reader::new(bytes, options))
    }

    const fn of_reader(reader: Reader<'de>) -> Self {
        Self { reader, room: MAX_DEPTH }
    }

    /// Sets the greatest depth of decoded values, 128 by default. Skipped values do not use the stack, so only the
    /// limit of the options applies to them.
    ///
    /// Each decoded level uses several KiB of stack without optimisation, depending on the type.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use variant_serde::{Deserializer, ErrorKind};
    /// use variant_view::Dialect;
    ///
    /// let bytes = [28, 0, 0, 0, 1, 0, 0, 0, 28, 0, 0, 0, 0, 0, 0, 0]; // [[]]
    /// let mut flat = Deserializer::new(&bytes, Dialect::Godot4).max_depth(1);
    /// let error = Vec::<Vec<u8>>::deserialize(&mut flat).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::TooDeep);
    /// ```
    #[must_use]
    pub const fn max_depth(mut self, levels: u32) -> Self {
        self.room = levels;
        self
    }

    /// The offset of the byte after the values read so far. O(1).
    pub const fn offset(&self) -> usize {
        self.reader.offset()
    }

    /// Decodes the contents of a container that was entered.
    #[inline]
    fn inside<T>(
        &mut self,
        start: usize,
        kind: Kind,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let Some(room) = self.room.checked_sub(1) else { return Err(too_deep(start, kind)) };
        self.room = room;
        let outcome = read(self);
        self.room = room.wrapping_add(1);
        self.reader.exit();
        outcome.map_err(|error: Error| error.at(start, kind))
    }

    fn elements<V: Visitor<'de>>(
        &mut self,
        start: usize,
        kind: Kind,
        items: u32,
        visitor: V,
    ) -> Result<V::Value> {
        self.inside(start, kind, |de| {
            let mut elements = Elements::new(de, items);
            let value = visitor.visit_seq(&mut elements)?;
            let (read, all) = elements.counts();
            if read < all { Err(wrong_length(read, all)) } else { Ok(value) }
        })
    }

    #[inline]
    fn pairs<V: Visitor<'de>>(&mut self, start: usize, items: u32, visitor: V) -> Result<V::Value> {
        self.inside(start, Kind::Dictionary, |de| {
            let mut pairs = Pairs::new(de, items, None);
            let value = visitor.visit_map(&mut pairs)?;
            pairs.finish()?;
            Ok(value)
        })
    }

    #[inline]
    fn record<V: Visitor<'de>>(
        &mut self,
        start: usize,
        items: u32,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.inside(start, Kind::Dictionary, |de| {
            let mut pairs = Pairs::new(de, items, Some(fields));
            let value = visitor.visit_map(&mut pairs)?;
            pairs.finish()?;
            Ok(value)
        })
    }

    /// Decodes a full object: its properties, and its class under `@class`. `fields` are the fields of a struct. A
    /// struct receives the class only if it has the field `@class`.
    fn properties<V: Visitor<'de>>(
        &mut self,
        start: usize,
        view: &VariantView<'de>,
        items: u32,
        fields: Option<&'static [&'static str]>,
        visitor: V,
    ) -> Result<V::Value> {
        let wants_class = fields.is_none_or(|fields| fields.contains(&"@class"));
        let class = match view {
            VariantView::Object(object) => object.class().filter(|_| wants_class),
            _ => None,
        };
        self.inside(start, Kind::Object, |de| {
            let mut properties = Properties::new(de, items, class);
            let value = visitor.visit_map(&mut properties)?;
            properties.finish()?;
            Ok(value)
        })
    }

    /// Decodes the next value, of any kind, for a type that expects `what`.
    #[inline(never)]
    fn slowly<V: Visitor<'de>>(&mut self, what: Take, visitor: V) -> Result<V::Value> {
        use serde::Deserializer as _;
        let start = self.reader.offset();
        let (view, items) = self.reader.next_value()?;
        let kind = view.kind();
        let Some(items) = items else {
            let leaf = LeafDeserializer(view);
            return match what {
                Take::Any => leaf.deserialize_any(visitor),
                Take::Seq => leaf.deserialize_seq(visitor),
                Take::Tuple(len) => leaf.deserialize_tuple(len, visitor),
                Take::Map | Take::Struct(_) => leaf.deserialize_map(visitor),
            };
        };
        match (kind, what) {
            (Kind::Dictionary, Take::Struct(fields)) => self.record(start, items, fields, visitor),
            (Kind::Dictionary, Take::Any | Take::Map) => self.pairs(start, items, visitor),
            (Kind::Object, Take::Struct(fields)) => {
                self.properties(start, &view, items, Some(fields), visitor)
            }
            (Kind::Object, Take::Any | Take::Map) => {
                self.properties(start, &view, items, None, visitor)
            }
            (Kind::Dictionary | Kind::Object, _) | (_, Take::Map) => {
                Err(Error::wrong_kind(&visitor, kind, start))
            }
            _ => self.elements(start, kind, items, visitor),
        }
    }

    /// Decodes the next value with `take`. The value must not be a container.
    #[inline(never)]
    fn leaf<T>(&mut self, take: impl FnOnce(LeafDeserializer<'de>) -> Result<T>) -> Result<T> {
        let (view, _) = self.reader.next_value()?;
        take(LeafDeserializer(view))
    }

    fn raw<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let (start, kind) = (self.reader.offset(), self.reader.kind()?);
        let options = self.reader.options();
        let bytes = self.reader.skip()?;
        raw::hand_over(bytes, &options, visitor).map_err(|error: Error| error.at(start, kind))
    }

    fn any_enum<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        use serde::Deserializer as _;
        let start = self.reader.offset();
        let (view, items) = self.reader.next_value()?;
        match (view.kind(), items) {
            (Kind::Dictionary, Some(2)) => {
                self.inside(start, Kind::Dictionary, |de| visitor.visit_enum(OnePair::new(de)))
            }
            (Kind::Dictionary, Some(items)) => {
                let error = Error::new(
                    ErrorKind::WrongLength,
                    format_args!("expected a text or a dictionary of 1 pair, found {}", items / 2),
                );
                Err(error.at(start, Kind::Dictionary))
            }
            _ => LeafDeserializer(view).deserialize_enum("", &[], visitor),
        }
    }
}

/// The form of data that a type requests.
#[derive(Clone, Copy)]
enum Take {
    Any,
    Seq,
    Tuple(usize),
    Map,
    Struct(&'static [&'static str]),
}

#[cold]
fn too_deep(offset: usize, kind: Kind) -> Error {
    Error::new(ErrorKind::TooDeep, "more levels than the deserializer allows").at(offset, kind)
}
