//! Writes leaves.

use variant_view::{Kind, Leaf, NodePathLeaf, Number, NumberType, Numbers, Reals, Texts, Width};

use super::{Emit, FLAG, Result};
use crate::encode::{EncodeErrorKind, Precision, Widths, fail, legal};
use crate::leaf::{Float, Int};

impl Emit<'_> {
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn leaf(&mut self, leaf: Leaf<'_>) -> Result {
        match leaf {
            Leaf::Nil | Leaf::Callable => self.header(leaf.kind(), 0),
            Leaf::Bool(value) => self.bool(value),
            Leaf::Int { value, width } => self.int(Int::with_width(value, width)),
            Leaf::Float { bits, width } => self.float(Float::from_wire(bits, width)),
            Leaf::String(text) | Leaf::StringName(text) => self.any_text(leaf.kind(), text),
            Leaf::Numbers(numbers) => self.numbers(&numbers),
            rare => self.rare_leaf(rare),
        }
    }

    #[inline(never)]
    fn rare_leaf(&mut self, leaf: Leaf<'_>) -> Result {
        match leaf {
            Leaf::NodePath(path) => self.node_path(path),
            Leaf::Rid(id) => {
                self.header(Kind::Rid, 0)?;
                if self.dialect().writes_rids() {
                    self.bytes.extend_from_slice(&id.to_le_bytes());
                } else {
                    self.doubts.has_changed |= id != 0;
                }
                Ok(())
            }
            Leaf::NullObject => self.object_without_properties(None),
            Leaf::ObjectId(id) => self.object_without_properties(Some(id)),
            Leaf::Signal { name, object_id } => {
                self.header(Kind::Signal, 0)?;
                self.text(name)?;
                self.bytes.extend_from_slice(&object_id.to_le_bytes());
                Ok(())
            }
            Leaf::Strings(texts) => self.strings(texts),
            Leaf::Image { format, mipmaps, width, height, data } => {
                self.header(Kind::Image, 0)?;
                for word in [format, mipmaps, width, height] {
                    self.word(word);
                }
                self.count(data.len())?;
                self.bytes.extend_from_slice(data);
                self.pad(data.len());
                Ok(())
            }
            Leaf::InputEvent { event, device, payload } => {
                legal::input_event(event, payload.len())?;
                self.header(Kind::InputEvent, 0)?;
                self.word(event);
                self.word(device);
                self.count(payload.len().saturating_add(12))?;
                self.bytes.extend_from_slice(payload);
                Ok(())
            }
            other => self.header(other.kind(), 0),
        }
    }

    #[inline]
    pub(crate) fn bool(&mut self, value: bool) -> Result {
        self.header_and_word(Kind::Bool, 0, value.into())
    }

    #[inline]
    pub(crate) fn int(&mut self, int: Int) -> Result {
        let width = match self.options.widths {
            Widths::AsIs => int.width(),
            Widths::Canonical => Int::new(int.value()).width(),
        };
        let has_wide_ints = self.table.has_wide_ints;
        if has_wide_ints || (width == Width::W64 && self.dialect().has_wide_scalars()) {
            let flag = if has_wide_ints { 0 } else { FLAG };
            return self.header_and_double(Kind::Int, flag, int.value().cast_unsigned());
        }
        let narrow = legal::narrow_int(int)?;
        self.header_and_word(Kind::Int, 0, narrow.cast_unsigned())
    }

    /// Writes an integer in the width that the engine's writer picks.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn new_int(&mut self, value: i64) -> Result {
        match i32::try_from(value) {
            Ok(narrow) if !self.table.has_wide_ints => {
                self.header_and_word(Kind::Int, 0, narrow.cast_unsigned())
            }
            _ => self.int(Int::new(value)),
        }
    }

    #[inline]
    #[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "as Godot 2 does")]
    pub(crate) fn float(&mut self, float: Float) -> Result {
        if self.table.has_narrow_floats {
            let narrow = match float.width() {
                Width::W32 => float.low(),
                Width::W64 => {
                    self.doubts.has_changed = true;
                    (float.value() as f32).to_bits()
                }
            };
            return self.header_and_word(Kind::Float, 0, narrow);
        }
        let float = match self.options.widths {
            Widths::AsIs => float,
            Widths::Canonical => Float::new(float.value()),
        };
        match float.width() {
            Width::W32 => self.header_and_word(Kind::Float, 0, float.low()),
            Width::W64 => self.header_and_double(Kind::Float, FLAG, float.bits()),
        }
    }

    /// The width in which reals of the given width are written, and the header flag of the written width.
    fn real_width(&mut self, width: Width) -> (Width, u32) {
        if self.options.reals == Reals::Always64 {
            return (Width::W64, 0);
        }
        let wanted = match self.options.precision {
            Precision::AsIs => width,
            Precision::Single => Width::W32,
            Precision::Double => Width::W64,
        };
        if wanted == Width::W64 && self.table.has_wide_reals {
            return (Width::W64, FLAG);
        }
        if width == Width::W64 {
            self.doubts.has_changed = true;
        }
        (Width::W32, 0)
    }

    /// Writes a mathematical value or a packed array of numbers.
    fn numbers(&mut self, numbers: &Numbers<'_>) -> Result {
        let (kind, shape, from) = (numbers.kind(), numbers.shape(), numbers.width());
        let is_real = shape.number == NumberType::Real;
        let (to, flag) = if is_real { self.real_width(from) } else { (from, 0) };
        self.header(kind, flag)?;
        if shape.is_packed {
            let elements = numbers.elements();
            let bytes = elements.saturating_mul(shape.bytes(to));
            let count = legal::element_count(elements, bytes)?;
            self.word(count);
            self.bytes.reserve(bytes.next_multiple_of(4));
        }
        if let (true, Some(bytes)) = (from == to, numbers.as_wire_bytes()) {
            self.bytes.extend_from_slice(bytes);
        } else if from == to && !shape.is_packed {
            // These kinds have too few numbers to benefit from copying several numbers at once.
            numbers.iter().for_each(|number| self.number(number, shape.number));
        } else if from == to {
            let _ = numbers.try_for_each_piece(|piece| {
                self.bytes.extend_from_slice(piece);
                Ok::<_, ()>(())
            });
        } else {
            numbers.iter().for_each(|number| self.real(number, to));
        }
        if shape.number == NumberType::Byte {
            self.pad(numbers.len());
        }
        Ok(())
    }

    /// Writes one number without a change of width.
    #[inline]
    fn number(&mut self, number: Number, kind: NumberType) {
        match (number, kind) {
            (Number::Int(value), NumberType::Int64) => {
                self.bytes.extend_from_slice(&value.to_le_bytes());
            }
            (Number::Int(value), _) => {
                let low = value.to_le_bytes();
                self.bytes.extend_from_slice(low.first_chunk::<4>().map_or(&[], |low| low));
            }
            (Number::Float32(bits), _) => self.bytes.extend_from_slice(&bits.to_le_bytes()),
            (Number::Float64(bits), _) => self.bytes.extend_from_slice(&bits.to_le_bytes()),
        }
    }

    /// Writes one real in another width.
    fn real(&mut self, number: Number, width: Width) {
        match width {
            Width::W32 => self.bytes.extend_from_slice(&number.to_f32().to_le_bytes()),
            Width::W64 => self.bytes.extend_from_slice(&number.to_f64().to_le_bytes()),
        }
    }

    /// Writes the texts. In some dialects a NUL ends each text, and the length of the text counts the NUL.
    fn strings(&mut self, texts: Texts<'_>) -> Result {
        self.header(Kind::PackedStringArray, 0)?;
        self.count(texts.len())?;
        let nul: &[u8] = if self.dialect().terminates_strings() { &[0] } else { &[] };
        texts.iter().try_for_each(|text| self.text_and(text, nul))
    }

    fn node_path(&mut self, path: &NodePathLeaf<'_>) -> Result {
        legal::node_path(path, self.dialect())?;
        self.header(Kind::NodePath, 0)?;
        match *path {
            NodePathLeaf::Plain(plain) if self.dialect().pads_plain_node_paths() => {
                self.text(plain)
            }
            NodePathLeaf::Plain(plain) => {
                self.count(plain.len())?;
                self.bytes.extend_from_slice(plain);
                Ok(())
            }
            NodePathLeaf::Names { names, subnames, is_absolute, has_property } => {
                let counts = [legal::length(names.len())?, legal::length(subnames.len())?];
                self.word(counts[0] | 1 << 31);
                self.word(counts[1].saturating_sub(has_property.into()));
                self.word(u32::from(is_absolute) | u32::from(has_property) << 1);
                names.iter().chain(subnames.iter()).try_for_each(|name| self.text(name))
            }
        }
    }

    /// Writes an object by id; `None` is null.
    fn object_without_properties(&mut self, id: Option<u64>) -> Result {
        self.id(Kind::Object)?;
        match id {
            None if !self.dialect().writes_objects() => self.header(Kind::Object, 0)?,
            _ if !self.dialect().writes_objects() => return fail(EncodeErrorKind::Object),
            Some(id) => {
                self.header(Kind::Object, FLAG)?;
                self.bytes.extend_from_slice(&id.to_le_bytes());
            }
            None => {
                self.header(Kind::Object, 0)?;
                self.word(0);
            }
        }
        Ok(())
    }
}
