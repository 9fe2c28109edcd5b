//! [`Emit`]: single pieces of a value, as a dialect writes them.

use variant_view::{Dialect, Kind, Real, Reals as RealLayout, Width};

use super::lanes::Lanes;
use super::{EncodeErrorKind, EncodeOptions, Precision, Widths, fail};
use crate::array::{Array, ElementType};
use crate::dictionary::Dictionary;
use crate::leaf::{Float, Int, NodePath};
use crate::object::Object;
use crate::reals::{RealVec, Reals};
use crate::text::{INLINE, Text};
use crate::variant::Variant;

type Result<T = (), E = EncodeErrorKind> = std::result::Result<T, E>;

/// Bit 16 of a header.
const FLAG: u32 = 1 << 16;
const SHARED: u32 = 1 << 31;

/// Appends single pieces of a value.
pub(crate) struct Emit<'b> {
    bytes: &'b mut Vec<u8>,
    options: EncodeOptions,
    /// Wire id of each kind; 255 where the dialect has none.
    ids: [u8; Kind::ALL.len()],
}

impl<'b> Emit<'b> {
    pub(crate) fn new(bytes: &'b mut Vec<u8>, options: EncodeOptions) -> Self {
        Self { bytes, options, ids: ids(options.dialect) }
    }

    fn dialect(&self) -> Dialect {
        self.options.dialect
    }

    #[inline]
    fn id(&self, kind: Kind) -> Result<u32> {
        match self.ids.get(kind.index()) {
            Some(&id) if id != NO_ID => Ok(id.into()),
            _ => fail(EncodeErrorKind::Kind(kind)),
        }
    }

    #[inline]
    fn header(&mut self, kind: Kind, flags: u32) -> Result {
        let word = self.id(kind)? | flags;
        self.word(word);
        Ok(())
    }

    #[inline]
    fn word(&mut self, word: u32) {
        self.bytes.extend_from_slice(&word.to_le_bytes());
    }

    /// A header and the word behind it.
    #[inline]
    fn header_and_word(&mut self, kind: Kind, flags: u32, word: u32) -> Result {
        let header = self.id(kind)? | flags;
        let words = u64::from(word) << 32 | u64::from(header);
        self.bytes.extend_from_slice(&words.to_le_bytes());
        Ok(())
    }

    #[inline]
    fn count(&mut self, count: usize) -> Result {
        let word = length(count)?;
        self.word(word);
        Ok(())
    }

    /// A length, text and padding; without a header.
    #[inline]
    pub(crate) fn text(&mut self, text: &[u8]) -> Result {
        if !text.is_ascii() && self.dialect().text_rule().check(text).is_err() {
            return fail(EncodeErrorKind::Text(Text::from_bytes(text)));
        }
        self.count(text.len())?;
        self.bytes.extend_from_slice(text);
        self.pad(text.len());
        Ok(())
    }

    #[inline]
    fn string(&mut self, kind: Kind, text: &Text) -> Result {
        let Some((block, len)) = text.as_block() else {
            self.header(kind, 0)?;
            return self.text(text.as_bytes());
        };
        self.header_and_word(kind, 0, len.into())?;
        // More than needed, so that the length of the copy is known; the rest is cut off.
        let end = self.bytes.len().saturating_add(usize::from(len).next_multiple_of(4));
        self.bytes.extend_from_slice(&padded(block));
        self.bytes.truncate(end);
        Ok(())
    }

    #[inline]
    fn pad(&mut self, len: usize) {
        let padding = len.next_multiple_of(4).saturating_sub(len);
        self.bytes.extend_from_slice([0; 3].get(..padding).unwrap_or_default());
    }

    /// A value without children.
    #[inline(always)]
    pub(crate) fn leaf(&mut self, value: &Variant) -> Result {
        let kind = value.kind();
        match value {
            Variant::Nil | Variant::Callable => self.header(kind, 0),
            Variant::Bool(v) => self.header_and_word(kind, 0, (*v).into()),
            Variant::Int(v) => self.int(*v),
            Variant::Float(v) => self.float(*v),
            Variant::String(v) | Variant::StringName(v) => self.string(kind, v),
            Variant::Vector2(v) => self.reals(kind, v),
            Variant::Rect2(v) => self.reals(kind, v),
            Variant::Vector3(v) => self.reals(kind, v),
            Variant::Transform2D(v) => self.reals(kind, v),
            Variant::Vector4(v) => self.reals(kind, v),
            Variant::Plane(v) => self.reals(kind, v),
            Variant::Quaternion(v) => self.reals(kind, v),
            Variant::Aabb(v) => self.reals(kind, v),
            Variant::Basis(v) => self.reals(kind, v),
            Variant::Transform3D(v) => self.reals(kind, v),
            Variant::Projection(v) => self.reals(kind, v),
            Variant::Vector2i(v) => self.lanes(kind, v),
            Variant::Rect2i(v) => self.lanes(kind, v),
            Variant::Vector3i(v) => self.lanes(kind, v),
            Variant::Vector4i(v) => self.lanes(kind, v),
            Variant::Color(v) => self.lanes(kind, v),
            Variant::PackedByteArray(v) => {
                self.header(kind, 0)?;
                self.count(v.len())?;
                self.bytes.extend_from_slice(v);
                self.pad(v.len());
                Ok(())
            }
            Variant::PackedInt32Array(v) => self.pool(kind, v),
            Variant::PackedInt64Array(v) => self.pool(kind, v),
            Variant::PackedFloat32Array(v) => self.pool(kind, v),
            Variant::PackedFloat64Array(v) => self.pool(kind, v),
            Variant::PackedVector2iArray(v) => self.pool(kind, v),
            Variant::PackedVector3iArray(v) => self.pool(kind, v),
            Variant::PackedVector4iArray(v) => self.pool(kind, v),
            Variant::PackedColorArray(v) => self.pool(kind, v),
            Variant::PackedVector2Array(v) => self.real_pool(kind, v),
            Variant::PackedVector3Array(v) => self.real_pool(kind, v),
            Variant::PackedVector4Array(v) => self.real_pool(kind, v),
            Variant::PackedStringArray(v) => self.strings(kind, v),
            rare => self.rare_leaf(rare),
        }
    }

    #[inline(never)]
    fn rare_leaf(&mut self, value: &Variant) -> Result {
        let kind = value.kind();
        match value {
            Variant::NodePath(path) => self.node_path(path),
            Variant::Rid(id) => {
                self.header(kind, 0)?;
                if self.dialect().writes_rids() {
                    self.bytes.extend_from_slice(&id.to_le_bytes());
                }
                Ok(())
            }
            Variant::Object(object) => self.object_without_properties(object),
            Variant::Signal(signal) => {
                self.header(kind, 0)?;
                self.text(signal.name.as_bytes())?;
                self.bytes.extend_from_slice(&signal.object_id.to_le_bytes());
                Ok(())
            }
            Variant::Image(image) => {
                self.header(kind, 0)?;
                for word in [image.format, image.mipmaps, image.width, image.height] {
                    self.word(word);
                }
                self.count(image.data.len())?;
                self.bytes.extend_from_slice(&image.data);
                self.pad(image.data.len());
                Ok(())
            }
            Variant::InputEvent(event) => {
                self.header(kind, 0)?;
                self.word(event.event);
                self.word(event.device);
                self.count(event.payload.len().saturating_add(12))?;
                self.bytes.extend_from_slice(&event.payload);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    #[inline]
    fn int(&mut self, int: Int) -> Result {
        let width = match self.options.widths {
            Widths::AsIs => int.width(),
            Widths::Canonical => Int::new(int.value()).width(),
        };
        match (width, i32::try_from(int.value())) {
            (Width::W64, _) | (_, Err(_)) if self.dialect().has_wide_scalars() => {
                self.header(Kind::Int, FLAG)?;
                self.bytes.extend_from_slice(&int.value().to_le_bytes());
                Ok(())
            }
            (_, Ok(narrow)) => self.header_and_word(Kind::Int, 0, narrow.cast_unsigned()),
            (_, Err(_)) => fail(EncodeErrorKind::TooLong(usize::MAX)),
        }
    }

    #[inline]
    #[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "as Godot 2 does")]
    fn float(&mut self, float: Float) -> Result {
        if !self.dialect().has_wide_scalars() {
            let narrow = match float.width() {
                Width::W32 => float.low(),
                Width::W64 => (float.value() as f32).to_bits(),
            };
            return self.header_and_word(Kind::Float, 0, narrow);
        }
        let float = match self.options.widths {
            Widths::AsIs => float,
            Widths::Canonical => Float::new(float.value()),
        };
        match float.width() {
            Width::W32 => self.header_and_word(Kind::Float, 0, float.low()),
            Width::W64 => {
                self.header(Kind::Float, FLAG)?;
                self.bytes.extend_from_slice(&float.bits().to_le_bytes());
                Ok(())
            }
        }
    }

    /// The width that reals of `width` are written in, and its flag.
    fn real_width(&self, width: Width) -> (Width, u32) {
        if self.options.reals == RealLayout::Always64 {
            return (Width::W64, 0);
        }
        let wanted = match self.options.precision {
            Precision::AsIs => width,
            Precision::Single => Width::W32,
            Precision::Double => Width::W64,
        };
        match wanted {
            Width::W64 if self.dialect().has_wide_reals() => (Width::W64, FLAG),
            _ => (Width::W32, 0),
        }
    }

    #[inline]
    fn reals<T: Real + Lanes>(&mut self, kind: Kind, value: &Reals<T>) -> Result
    where
        T::Double: Lanes,
    {
        let (width, flag) = self.real_width(value.width());
        self.header(kind, flag)?;
        match width {
            Width::W32 => value.f32().write(self.bytes),
            Width::W64 => value.f64().write(self.bytes),
        }
        Ok(())
    }

    fn lanes(&mut self, kind: Kind, value: &impl Lanes) -> Result {
        self.header(kind, 0)?;
        value.write(self.bytes);
        Ok(())
    }

    fn pool(&mut self, kind: Kind, elements: &[impl Lanes]) -> Result {
        self.header(kind, 0)?;
        self.elements(elements)
    }

    fn elements<T: Lanes>(&mut self, elements: &[T]) -> Result {
        self.count(elements.len())?;
        self.bytes.reserve(size_of_val(elements));
        for element in elements {
            element.write(self.bytes);
        }
        Ok(())
    }

    fn real_pool<T: Real + Lanes>(&mut self, kind: Kind, pool: &RealVec<T>) -> Result
    where
        T::Double: Lanes,
    {
        let (width, flag) = self.real_width(pool.width());
        self.header(kind, flag)?;
        match (width, pool) {
            (Width::W32, RealVec::Single(elements)) => self.elements(elements),
            (Width::W64, RealVec::Double(elements)) => self.elements(elements),
            (Width::W32, RealVec::Double(elements)) => {
                let narrow: Vec<T> = elements.iter().copied().map(T::narrow).collect();
                self.elements(&narrow)
            }
            (Width::W64, RealVec::Single(elements)) => {
                let wide: Vec<T::Double> = elements.iter().copied().map(T::widen).collect();
                self.elements(&wide)
            }
        }
    }

    /// Each with its terminating NUL, which the length counts.
    fn strings(&mut self, kind: Kind, strings: &[Text]) -> Result {
        self.header(kind, 0)?;
        self.count(strings.len())?;
        for string in strings {
            let bytes = string.as_bytes();
            if self.dialect().text_rule().check(bytes).is_err() {
                return fail(EncodeErrorKind::Text(string.clone()));
            }
            let len = bytes.len().saturating_add(1);
            self.count(len)?;
            self.bytes.extend_from_slice(bytes);
            self.bytes.push(0);
            self.pad(len);
        }
        Ok(())
    }

    fn node_path(&mut self, path: &NodePath) -> Result {
        self.header(Kind::NodePath, 0)?;
        if let Some(plain) = &path.plain {
            return self.plain_node_path(plain);
        }
        let is_legacy = path.has_property && self.dialect() == Dialect::Godot2;
        let names = length(path.names.len())?;
        let subnames = length(path.subnames.len())?;
        self.word(names | 1 << 31);
        self.word(subnames.saturating_sub(is_legacy.into()));
        self.word(u32::from(path.is_absolute) | u32::from(is_legacy) << 1);
        for name in path.names.iter().chain(&path.subnames) {
            self.text(name.as_bytes())?;
        }
        Ok(())
    }

    /// The old form where it is read, and its names elsewhere.
    fn plain_node_path(&mut self, plain: &Text) -> Result {
        if self.dialect() == Dialect::Godot2 {
            self.count(plain.len())?;
            self.bytes.extend_from_slice(plain.as_bytes());
            return Ok(());
        }
        let path = NodePath::parse(&plain.to_str_lossy());
        let header = self.bytes.len().saturating_sub(4);
        self.bytes.truncate(header);
        self.node_path(&path)
    }

    fn object_without_properties(&mut self, object: &Object) -> Result {
        match object {
            Object::Null if !self.dialect().writes_objects() => self.header(Kind::Object, 0)?,
            _ if !self.dialect().writes_objects() => return fail(EncodeErrorKind::Object),
            Object::Id(id) => {
                self.header(Kind::Object, FLAG)?;
                self.bytes.extend_from_slice(&id.to_le_bytes());
            }
            _ => {
                self.header(Kind::Object, 0)?;
                self.word(0);
            }
        }
        Ok(())
    }

    /// What precedes the children of a container.
    pub(crate) fn shell(&mut self, value: &Variant) -> Result {
        match value {
            Variant::Array(array) => self.array(array, array.len()),
            Variant::TypedArray(array) | Variant::PackedTypedArray(array) => {
                self.typed_array(value.kind(), array, array.len())
            }
            Variant::Dictionary(dictionary) => self.dictionary(dictionary, dictionary.len()),
            Variant::Object(object) => match &**object {
                Object::Full { class, properties } => {
                    self.object(class.as_bytes(), properties.as_slice().len())
                }
                other => self.object_without_properties(other),
            },
            _ => Ok(()),
        }
    }

    pub(crate) fn array(&mut self, array: &Array, len: usize) -> Result {
        let bits = self.type_bits(array.element_type())?;
        self.header(Kind::Array, bits << 16)?;
        self.element_type(array.element_type())?;
        self.shared_count(len, array.is_shared())
    }

    #[inline]
    pub(crate) fn dictionary(&mut self, dictionary: &Dictionary, len: usize) -> Result {
        if dictionary.is_plain() {
            return self.header_and_word(Kind::Dictionary, 0, length(len)?);
        }
        self.typed_dictionary(dictionary, len)
    }

    fn typed_dictionary(&mut self, dictionary: &Dictionary, len: usize) -> Result {
        let (key, value) = dictionary.types();
        let key_bits = self.type_bits(key)?;
        let value_bits = self.type_bits(value)?;
        self.header(Kind::Dictionary, key_bits << 16 | value_bits << 18)?;
        self.element_type(key)?;
        self.element_type(value)?;
        self.shared_count(len, dictionary.is_shared())
    }

    pub(crate) fn object(&mut self, class: &[u8], len: usize) -> Result {
        if !self.dialect().writes_objects() {
            return fail(EncodeErrorKind::Object);
        }
        self.header(Kind::Object, 0)?;
        self.text(class)?;
        self.count(len)
    }

    fn shared_count(&mut self, len: usize, is_shared: bool) -> Result {
        let is_shared = is_shared && self.dialect() == Dialect::Godot2;
        let word = length(len)? | if is_shared { SHARED } else { 0 };
        self.word(word);
        Ok(())
    }

    /// How a Godot 4 container says that it declares a type.
    fn type_bits(&self, declared: &ElementType) -> Result<u32> {
        let bits = match declared {
            ElementType::Any => return Ok(0),
            ElementType::Builtin(_) => 1,
            ElementType::Class(_) => 2,
            ElementType::Script(_) => 3,
            ElementType::Unknown(_) => 0,
        };
        if bits == 0 || !self.dialect().has_typed_containers() {
            return fail(EncodeErrorKind::ElementType(declared.clone()));
        }
        Ok(bits)
    }

    fn element_type(&mut self, declared: &ElementType) -> Result {
        match declared {
            ElementType::Builtin(kind) => {
                let id = self.id(*kind)?;
                self.word(id);
                Ok(())
            }
            ElementType::Class(text) | ElementType::Script(text) => self.text(text.as_bytes()),
            ElementType::Any | ElementType::Unknown(_) => Ok(()),
        }
    }

    /// A Pandemonium 5 typed array.
    pub(crate) fn typed_array(&mut self, kind: Kind, array: &Array, len: usize) -> Result {
        let object = || ElementType::Builtin(Kind::Object);
        match array.element_type() {
            declared if *declared == object() => {
                self.header(kind, FLAG)?;
                let id = self.id(Kind::Object)?;
                self.word(id);
            }
            ElementType::Any => {
                self.header(kind, 0)?;
                self.word(0);
            }
            ElementType::Builtin(element) => {
                self.header(kind, 0)?;
                let id = self.id(*element)?;
                self.word(id);
            }
            declared @ ElementType::Unknown(id) => {
                // As a type of the dialect it may have more behind it, and of bit 31 the reader knows nothing.
                let is_known = u8::try_from(*id).is_ok_and(|id| self.dialect().kind(id).is_some());
                if is_known || *id >= SHARED {
                    return fail(EncodeErrorKind::ElementType(declared.clone()));
                }
                self.header(kind, 0)?;
                self.word(*id);
            }
            ElementType::Class(class) => {
                self.header(kind, 0)?;
                let id = self.id(Kind::Object)?;
                self.word(id);
                self.header(Kind::StringName, 0)?;
                self.text(class.as_bytes())?;
            }
            declared @ ElementType::Script(_) => {
                return fail(EncodeErrorKind::ElementType(declared.clone()));
            }
        }
        self.count(len)
    }
}

/// Text and its zeroes, to a round number of words.
#[inline]
fn padded(block: &[u8; INLINE]) -> [u8; 24] {
    let mut padded = [0; 24];
    if let Some(place) = padded.first_chunk_mut() {
        *place = *block;
    }
    padded
}

const NO_ID: u8 = u8::MAX;

fn ids(dialect: Dialect) -> [u8; Kind::ALL.len()] {
    let mut ids = [NO_ID; Kind::ALL.len()];
    for (id, kind) in (0..NO_ID).zip(dialect.kinds()) {
        if let Some(place) = ids.get_mut(kind.index()) {
            *place = id;
        }
    }
    ids
}

#[inline]
fn length(len: usize) -> Result<u32> {
    match i32::try_from(len) {
        Ok(len) => Ok(len.cast_unsigned()),
        Err(_) => fail(EncodeErrorKind::TooLong(len)),
    }
}
