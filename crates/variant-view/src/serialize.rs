//! serde: views and leaves in any format (feature `serde`).
//!
//! serde has no types for most kinds, so their values are written in simpler forms, as in the project's plain JSON:
//!
//! | value | is written as | in human-readable formats | because |
//! |---|---|---|---|
//! | nil, a null object, a callable | unit | | the wire holds no content for them |
//! | `bool`, `int`, `float` | the same; floats in 64 bits | | values are equal whatever their width |
//! | `String`, `StringName` | text, with U+FFFD for invalid UTF-8 | | |
//! | `NodePath` | text, as the engine prints it | | |
//! | mathematical types | maps of the names of [`Kind::shape`](crate::Kind::shape) | | names identify the numbers |
//! | packed bytes | bytes | text in base64 | an array of numbers takes four times as much |
//! | other packed arrays, arrays | sequences | | |
//! | dictionaries | maps, pairs in wire order, equal keys included | keys as text | JSON has only text keys |
//! | objects | maps: `@class`, then the properties | | |
//! | objects by id, signals, images, input events | maps of `@id`, or of their fields | | |
//! | RIDs | unsigned integers | | |

mod base64;
mod key;
mod numbers;
mod texts;

use core::any::type_name;
use core::cell::RefCell;

use serde_core::ser::{Error as _, Serialize, SerializeMap as _, SerializeSeq as _, Serializer};

pub use self::key::serialize_key;
use self::numbers::Values;
use self::texts::{PathText, Text};
use crate::event::{Consumer, Head, Leaf};
use crate::kind::Kind;
use crate::reader::Reader;
use crate::view::VariantView;

/// The deepest level: serde recurses over the data, and each level takes stack.
const MAX_DEPTH: u32 = 128;

/// Whether the serializer is that of `variant-serde`, which reads the names of newtypes. Other serializers ignore the
/// names, or print them.
///
/// A wrapper of this serializer is also recognised, since the wrapper's type name contains the name of the serializer.
pub(crate) fn is_own<S>() -> bool {
    type_name::<S>().contains("variant_serde::")
}

/// Serializes `value`; for `variant-serde`, in a newtype with the name of the kind.
fn marked<S: Serializer>(kind: Kind, value: &impl Serialize, to: S) -> Result<S::Ok, S::Error> {
    if is_own::<S>() {
        to.serialize_newtype_struct(kind.mark(), value)
    } else {
        value.serialize(to)
    }
}

impl Serialize for Leaf<'_> {
    /// Writes the leaf in the form that the table in `serialize.rs` gives. O(bytes).
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match *self {
            Leaf::Nil | Leaf::NullObject | Leaf::Callable => to.serialize_unit(),
            Leaf::Bool(value) => to.serialize_bool(value),
            Leaf::Int { value, .. } => to.serialize_i64(value),
            Leaf::Float { bits, width } => numbers::float(bits, width, to),
            Leaf::String(text) => Text(text).serialize(to),
            Leaf::StringName(text) => marked(Kind::StringName, &Text(text), to),
            Leaf::NodePath(path) => marked(Kind::NodePath, &PathText(path), to),
            Leaf::Numbers(numbers) => {
                marked(numbers.kind(), &Values::of(numbers, is_own::<S>()), to)
            }
            Leaf::Strings(texts) => marked(Kind::PackedStringArray, &texts::List(texts), to),
            Leaf::Rid(id) => to.serialize_u64(id),
            Leaf::Signal { name, object_id } => {
                let mut map = to.serialize_map(Some(2))?;
                map.serialize_entry("signal", &Text(name))?;
                map.serialize_entry("object_id", &object_id)?;
                map.end()
            }
            Leaf::ObjectId(id) => {
                let mut map = to.serialize_map(Some(1))?;
                map.serialize_entry("@id", &id)?;
                map.end()
            }
            Leaf::Image { format, mipmaps, width, height, data } => {
                let mut map = to.serialize_map(Some(5))?;
                map.serialize_entry("format", &format)?;
                map.serialize_entry("mipmaps", &mipmaps)?;
                map.serialize_entry("width", &width)?;
                map.serialize_entry("height", &height)?;
                map.serialize_entry("data", &base64::Bytes(data))?;
                map.end()
            }
            Leaf::InputEvent { event, device, payload } => {
                let mut map = to.serialize_map(Some(3))?;
                map.serialize_entry("event", &event)?;
                map.serialize_entry("device", &device)?;
                map.serialize_entry("data", &base64::Bytes(payload))?;
                map.end()
            }
        }
    }
}

/// A consumer that passes one leaf to `take`.
struct Take<F, T> {
    take: Option<F>,
    taken: Option<T>,
}

impl<T, F: FnOnce(Leaf<'_>) -> T> Consumer for Take<F, T> {
    type Error = core::convert::Infallible;

    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), Self::Error> {
        self.taken = self.take.take().map(|take| take(leaf));
        Ok(())
    }

    fn enter(&mut self, _: Head<'_>) -> Result<(), Self::Error> {
        Ok(())
    }

    fn name(&mut self, _: &[u8]) -> Result<(), Self::Error> {
        Ok(())
    }

    fn exit(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// Passes the value of `view`, as a leaf, to `take`. `None` for a container.
fn with_leaf<T>(view: &VariantView<'_>, take: impl FnOnce(Leaf<'_>) -> T) -> Option<T> {
    let mut consumer = Take { take: Some(take), taken: None };
    match crate::event::leaf(view, &mut consumer) {
        Ok(()) => consumer.taken,
        Err(never) => match never {},
    }
}

impl Serialize for VariantView<'_> {
    /// Writes any value in any format, in the form that the table in `serialize.rs` gives. O(bytes), one pass.
    /// Recurses, so a container inside of 128 others is an error.
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let reader = match self {
            Self::Array(v) | Self::TypedArray(v) | Self::PackedTypedArray(v) => v.reader(),
            Self::Dictionary(v) => v.reader(),
            Self::Object(v) if v.class().is_some() => v.reader(),
            leaf => return give(leaf, to),
        };
        Rest { reader: &RefCell::new(reader), depth: 0, is_key: false }.serialize(to)
    }
}

fn give<S: Serializer>(view: &VariantView<'_>, to: S) -> Result<S::Ok, S::Error> {
    let outcome = with_leaf(view, |leaf| leaf.serialize(to));
    outcome.unwrap_or_else(|| Err(S::Error::custom("a container where a leaf was read")))
}

/// The next value of a reader. Serializing reads the value.
#[derive(Clone, Copy)]
struct Rest<'r, 'a> {
    reader: &'r RefCell<Reader<'a>>,
    depth: u32,
    /// Whether the value is a key in a human-readable format.
    is_key: bool,
}

impl<'a> Rest<'_, 'a> {
    /// Calls `read` with exclusive access to the reader. Fails if another call uses the reader.
    fn read<T, E: serde_core::ser::Error>(
        &self,
        read: impl FnOnce(&mut Reader<'a>) -> crate::error::Result<T>,
    ) -> Result<T, E> {
        match self.reader.try_borrow_mut() {
            Ok(mut reader) => read(&mut reader).map_err(E::custom),
            Err(error) => Err(E::custom(error)),
        }
    }
}

impl Serialize for Rest<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.is_key {
            return self.key(to);
        }
        let (view, items) = self.read(Reader::next_value)?;
        let Some(items) = items else { return give(&view, to) };
        let Some(depth) = self.depth.checked_add(1).filter(|&depth| depth <= MAX_DEPTH) else {
            return Err(S::Error::custom(format_args!("more than {MAX_DEPTH} levels of nesting")));
        };
        let inner = Self { depth, ..*self };
        let outcome = match &view {
            VariantView::Dictionary(_) => inner.pairs(items, to),
            VariantView::Object(object) => {
                let class = object.class().map(|class| class.as_bytes());
                inner.properties(class.unwrap_or_default(), items, to)
            }
            _ => inner.elements(items, to),
        }?;
        self.read(|reader| {
            reader.exit();
            Ok(())
        })?;
        Ok(outcome)
    }
}

impl Rest<'_, '_> {
    fn elements<S: Serializer>(self, items: u32, to: S) -> Result<S::Ok, S::Error> {
        let mut all = to.serialize_seq(usize::try_from(items).ok())?;
        for _ in 0..items {
            all.serialize_element(&self)?;
        }
        all.end()
    }

    fn pairs<S: Serializer>(self, items: u32, to: S) -> Result<S::Ok, S::Error> {
        let is_key = to.is_human_readable() && !is_own::<S>();
        let pairs = items / 2;
        let mut all = to.serialize_map(usize::try_from(pairs).ok())?;
        for _ in 0..pairs {
            all.serialize_entry(&Self { is_key, ..self }, &self)?;
        }
        all.end()
    }

    fn properties<S: Serializer>(self, class: &[u8], items: u32, to: S) -> Result<S::Ok, S::Error> {
        let len = usize::try_from(items).ok().and_then(|items| items.checked_add(1));
        let mut all = to.serialize_map(len)?;
        all.serialize_entry("@class", &Text(class))?;
        for _ in 0..items {
            let name = self.read(Reader::name)?;
            all.serialize_entry(&Text(name.as_bytes()), &self)?;
        }
        all.end()
    }

    /// A key as text. A container is written as the name of its kind.
    fn key<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let start = self.read(|reader| Ok(reader.clone()))?;
        let mut start: Reader<'_> = start;
        let (view, items) = start.next_value().map_err(S::Error::custom)?;
        self.read(|reader| reader.skip().map(drop))?;
        if items.is_some() {
            return to.serialize_str(view.kind().name());
        }
        let outcome = with_leaf(&view, |leaf| serialize_key(&leaf, to));
        outcome.unwrap_or_else(|| Err(S::Error::custom("a container where a leaf was read")))
    }
}
