//! Generates values of a dialect from arbitrary bytes, for fuzz targets and property tests. Feature `arbitrary`.
//!
//! [`Variant`] implements [`Arbitrary`] with values of Godot 4 in single precision:
//!
//! ```
//! use arbitrary::{Arbitrary, Unstructured};
//! use variant_owned::{Variant, encode};
//! use variant_view::{Dialect, Document};
//!
//! let value = Variant::arbitrary(&mut Unstructured::new(b"whatever a fuzzer comes up with"))?;
//! let bytes = encode(&value, Dialect::Godot4).expect("Godot 4 holds it");
//! assert!(Document::new(&bytes, Dialect::Godot4).validate().is_ok());
//! # Ok::<(), arbitrary::Error>(())
//! ```

use arbitrary::{Arbitrary, Result, Unstructured};
use variant_view::{Dialect, Kind, NumberType, Numbers, Shape, Width};

use crate::{
    Array, Dictionary, ElementType, Float, Int, KeyRule, NodePath, Object, Signal, Text, Variant,
};

/// The greatest depth of generated values.
const DEPTH: u32 = 5;

/// Generates a value of `dialect` with distinct keys and canonical widths, as the engine's writer would write it.
/// `is_double` selects the reals of double-precision builds. O(bytes taken).
///
/// ```
/// use arbitrary::Unstructured;
/// use variant_owned::{arbitrary::variant, encode};
/// use variant_view::Dialect;
///
/// let value = variant(&mut Unstructured::new(b"bytes of a fuzzer"), Dialect::Godot2, false)?;
/// assert!(encode(&value, Dialect::Godot2).is_ok());
/// # Ok::<(), arbitrary::Error>(())
/// ```
///
/// # Errors
/// None in practice: after the last byte of `u`, the generated values are simple.
pub fn variant(u: &mut Unstructured<'_>, dialect: Dialect, is_double: bool) -> Result<Variant> {
    Source { u, dialect, is_double: is_double && dialect.has_wide_reals() }.value(DEPTH)
}

/// Generates a leaf of `kind`, or nil if `kind` is a container. O(bytes taken).
///
/// # Errors
/// Those of [`variant`].
pub fn leaf(
    u: &mut Unstructured<'_>,
    kind: Kind,
    dialect: Dialect,
    is_double: bool,
) -> Result<Variant> {
    Source { u, dialect, is_double: is_double && dialect.has_wide_reals() }.leaf(kind)
}

impl<'a> Arbitrary<'a> for Variant {
    /// A value of Godot 4 in single precision; see [`variant`] for others.
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        variant(u, Dialect::Godot4, false)
    }
}

struct Source<'u, 'b> {
    u: &'u mut Unstructured<'b>,
    dialect: Dialect,
    is_double: bool,
}

impl Source<'_, '_> {
    fn value(&mut self, depth: u32) -> Result<Variant> {
        if self.u.is_empty() {
            return Ok(Variant::Nil);
        }
        let kind = *self.u.choose(self.dialect.kinds())?;
        // The dialect of a documentation page has ids for kinds that the page calls unsupported. Nil replaces these
        // kinds.
        let kind = if self.dialect.unsupported().contains(&kind) { Kind::Nil } else { kind };
        let inside = depth.checked_sub(1);
        Ok(match (kind, inside) {
            (Kind::Dictionary, Some(inside)) => self.dictionary(inside)?.into(),
            (Kind::Array, Some(inside)) => self.array(inside)?.into(),
            (Kind::TypedArray, Some(_)) => Variant::TypedArray(self.typed_array()?),
            (Kind::PackedTypedArray, Some(_)) => Variant::PackedTypedArray(self.typed_array()?),
            (Kind::Object, Some(inside)) if self.u.arbitrary()? => self.object(inside)?.into(),
            _ => self.leaf(kind)?,
        })
    }

    fn leaf(&mut self, kind: Kind) -> Result<Variant> {
        if let Some(shape) = kind.shape() {
            return self.numbers(kind, shape);
        }
        Ok(match kind {
            Kind::Bool => Variant::Bool(self.u.arbitrary()?),
            Kind::Int => self.int()?,
            Kind::Float => self.float()?,
            Kind::String => Variant::String(self.text()?),
            Kind::StringName => Variant::StringName(self.text()?),
            Kind::NodePath => self.node_path()?.into(),
            Kind::Rid => {
                Variant::Rid(if self.dialect.writes_rids() { self.u.arbitrary()? } else { 0 })
            }
            Kind::Object if self.dialect.writes_objects() => Object::Id(self.u.arbitrary()?).into(),
            Kind::Object => Object::Null.into(),
            Kind::Callable => Variant::Callable,
            Kind::Signal => Signal { name: self.text()?, object_id: self.u.arbitrary()? }.into(),
            Kind::PackedStringArray => {
                let len = self.u.int_in_range(0..=4)?;
                let strings: Result<Vec<_>> = (0..len).map(|_| self.text()).collect();
                Variant::PackedStringArray(strings?)
            }
            _ => Variant::Nil,
        })
    }

    /// An integer of a width that the dialect has.
    fn int(&mut self) -> Result<Variant> {
        let width = self.dialect.int_width();
        let value: i64 = if width != Some(Width::W32) && self.u.arbitrary()? {
            self.u.arbitrary()?
        } else {
            self.u.arbitrary::<i32>()?.into()
        };
        Ok(Variant::Int(Int::with_width(value, width.unwrap_or(Width::W32))))
    }

    fn float(&mut self) -> Result<Variant> {
        let narrow: f32 = self.u.arbitrary()?;
        let float = if self.dialect.float_width() == Some(Width::W32) {
            Float::from(narrow)
        } else if self.u.arbitrary()? {
            Float::new(self.u.arbitrary()?)
        } else {
            Float::new(narrow.into())
        };
        Ok(Variant::Float(float))
    }

    fn text(&mut self) -> Result<Text> {
        Ok(Text::from(self.u.arbitrary::<&str>()?))
    }

    /// A mathematical value, or a packed array of few elements.
    fn numbers(&mut self, kind: Kind, shape: Shape) -> Result<Variant> {
        let width = if self.is_double { Width::W64 } else { Width::W32 };
        let elements = match (shape.is_packed, shape.count) {
            (false, _) => 1,
            (true, 1) => self.u.int_in_range(0..=40)?,
            (true, _) => self.u.int_in_range(0..=3)?,
        };
        let mut bytes = Vec::new();
        for _ in 0..usize::from(shape.count).saturating_mul(elements) {
            match shape.number.with_reals(width) {
                NumberType::Byte => bytes.push(self.u.arbitrary()?),
                NumberType::Int32 => bytes.extend(self.u.arbitrary::<i32>()?.to_le_bytes()),
                NumberType::Int64 => bytes.extend(self.u.arbitrary::<i64>()?.to_le_bytes()),
                NumberType::Float32 | NumberType::Real => {
                    bytes.extend(self.u.arbitrary::<f32>()?.to_le_bytes());
                }
                NumberType::Float64 => bytes.extend(self.u.arbitrary::<f64>()?.to_le_bytes()),
            }
        }
        let numbers = Numbers::from_wire(kind, width, &bytes);
        Ok(numbers.map_or(Variant::Nil, |numbers| Variant::from_numbers(&numbers)))
    }

    fn node_path(&mut self) -> Result<NodePath> {
        if self.dialect.pads_plain_node_paths() && self.u.ratio(1, 3)? {
            return Ok(NodePath { plain: Some(self.text()?), ..NodePath::default() });
        }
        let names = self.u.int_in_range(0..=3)?;
        let subnames = self.u.int_in_range(0..=2)?;
        Ok(NodePath {
            names: (0..names).map(|_| self.text()).collect::<Result<_>>()?,
            subnames: (0..subnames).map(|_| self.text()).collect::<Result<_>>()?,
            is_absolute: self.u.arbitrary()?,
            ..NodePath::default()
        })
    }

    fn array(&mut self, depth: u32) -> Result<Array> {
        let len = self.u.int_in_range(0..=6)?;
        let element_type = self.element_type()?;
        let mut array = Array::with_type(element_type.clone());
        for _ in 0..len {
            array.push(self.of_type(&element_type, depth)?);
        }
        Ok(array)
    }

    /// The type declaration of a container: usually none.
    fn element_type(&mut self) -> Result<ElementType> {
        if !self.dialect.has_typed_containers() || !self.u.ratio(1, 4)? {
            return Ok(ElementType::Any);
        }
        Ok(match self.u.int_in_range(0..=4)? {
            0 => ElementType::Builtin(Kind::Int),
            1 => ElementType::Builtin(Kind::String),
            2 => ElementType::Builtin(Kind::Vector3),
            3 => ElementType::Class("Node".into()),
            _ => ElementType::Script(self.text()?),
        })
    }

    fn of_type(&mut self, element_type: &ElementType, depth: u32) -> Result<Variant> {
        match element_type {
            ElementType::Builtin(kind) => self.leaf(*kind),
            ElementType::Class(_) | ElementType::Script(_) => self.leaf(Kind::Object),
            _ => self.value(depth),
        }
    }

    fn typed_array(&mut self) -> Result<Array> {
        let kind = *self.u.choose(&[Kind::Int, Kind::String, Kind::Color, Kind::Object])?;
        let len = self.u.int_in_range(0..=4)?;
        let mut array = Array::with_type(ElementType::Builtin(kind));
        for _ in 0..len {
            array.push(self.leaf(kind)?);
        }
        Ok(array)
    }

    fn dictionary(&mut self, depth: u32) -> Result<Dictionary> {
        let mut dictionary = Dictionary::with_rule(KeyRule::of(self.dialect));
        let (key_type, value_type) = (self.element_type()?, self.element_type()?);
        dictionary.set_types(key_type.clone(), value_type.clone());
        for _ in 0..self.u.int_in_range(0..=6)? {
            let is_text = key_type == ElementType::Any && !self.u.ratio(1, 8)?;
            let key = if is_text {
                Variant::String(self.text()?)
            } else {
                self.of_type(&key_type, depth)?
            };
            let value = self.of_type(&value_type, depth)?;
            dictionary.insert(key, value);
        }
        Ok(dictionary)
    }

    fn object(&mut self, depth: u32) -> Result<Object> {
        if !self.dialect.writes_objects() {
            return Ok(Object::Null);
        }
        let mut object = Object::with_rule("Resource", KeyRule::of(self.dialect));
        let len = self.u.int_in_range(0..=3)?;
        for i in 0..len {
            let name = format!("{i}{}", self.text()?);
            let value = self.value(depth)?;
            if let Some(properties) = object.properties_mut() {
                properties.push(name, value);
            }
        }
        Ok(object)
    }
}
