//! Any value that a dialect can hold, out of any bytes.

use arbitrary::{Arbitrary, Result, Unstructured};
use variant_owned::{
    Array, Dictionary, ElementType, Float, Int, KeyRule, NodePath, Object, RealVec, Reals, Signal,
    Text, Variant,
};
use variant_view::{
    Aabb, Basis, Color, Dialect, Kind, Plane, Projection, Quaternion, Real, Rect2, Transform2D,
    Transform3D, Vector2, Vector3, Vector4,
};

/// How deep values nest at most.
const DEPTH: u32 = 5;

/// A value of `dialect`, in the widths of `is_double` builds or others, and as its writer writes it: no key
/// twice, numbers in their own widths.
///
/// # Errors
/// None in practice: where the bytes end, values become simple.
pub fn variant(u: &mut Unstructured<'_>, dialect: Dialect, is_double: bool) -> Result<Variant> {
    Source { u, dialect, is_double: is_double && dialect.has_wide_reals() }.value(DEPTH)
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
        Ok(match kind {
            Kind::Bool => Variant::Bool(self.u.arbitrary()?),
            Kind::Int => self.int()?,
            Kind::Float => self.float()?,
            Kind::String => Variant::String(self.text()?),
            Kind::StringName => Variant::StringName(self.text()?),
            Kind::Vector2 => Variant::Vector2(self.reals()?),
            Kind::Vector3 => Variant::Vector3(self.reals()?),
            Kind::Vector4 => Variant::Vector4(self.reals()?),
            Kind::Rect2 => Variant::Rect2(self.reals()?),
            Kind::Plane => Variant::Plane(self.reals()?),
            Kind::Quaternion => Variant::Quaternion(self.reals()?),
            Kind::Transform2D => Variant::Transform2D(Box::new(self.reals()?)),
            Kind::Aabb => Variant::Aabb(Box::new(self.reals()?)),
            Kind::Basis => Variant::Basis(Box::new(self.reals()?)),
            Kind::Transform3D => Variant::Transform3D(Box::new(self.reals()?)),
            Kind::Projection => Variant::Projection(Box::new(self.reals()?)),
            Kind::Vector2i => Variant::Vector2i(self.lanes::<Vector2<i32>>()?),
            Kind::Vector3i => Variant::Vector3i(self.lanes::<Vector3<i32>>()?),
            Kind::Vector4i => Variant::Vector4i(self.lanes::<Vector4<i32>>()?),
            Kind::Rect2i => Variant::Rect2i(self.lanes::<Rect2<i32>>()?),
            Kind::Color => Variant::Color(self.lanes::<Color>()?),
            Kind::NodePath => self.node_path()?.into(),
            Kind::Rid => {
                Variant::Rid(if self.dialect.writes_rids() { self.u.arbitrary()? } else { 0 })
            }
            Kind::Object if self.dialect.writes_objects() => Object::Id(self.u.arbitrary()?).into(),
            Kind::Object => Object::Null.into(),
            Kind::Callable => Variant::Callable,
            Kind::Signal => Signal { name: self.text()?, object_id: self.u.arbitrary()? }.into(),
            Kind::PackedByteArray => Variant::PackedByteArray(self.u.arbitrary()?),
            Kind::PackedInt32Array => Variant::PackedInt32Array(self.u.arbitrary()?),
            Kind::PackedInt64Array => Variant::PackedInt64Array(self.u.arbitrary()?),
            Kind::PackedFloat32Array => Variant::PackedFloat32Array(self.u.arbitrary()?),
            Kind::PackedFloat64Array => Variant::PackedFloat64Array(self.u.arbitrary()?),
            Kind::PackedStringArray => {
                let len = self.u.int_in_range(0..=4)?;
                let strings: Result<Vec<_>> = (0..len).map(|_| self.text()).collect();
                Variant::PackedStringArray(strings?)
            }
            Kind::PackedVector2Array => Variant::PackedVector2Array(self.real_vec()?),
            Kind::PackedVector3Array => Variant::PackedVector3Array(self.real_vec()?),
            Kind::PackedVector4Array => Variant::PackedVector4Array(self.real_vec()?),
            Kind::PackedVector2iArray => Variant::PackedVector2iArray(self.vec()?),
            Kind::PackedVector3iArray => Variant::PackedVector3iArray(self.vec()?),
            Kind::PackedVector4iArray => Variant::PackedVector4iArray(self.vec()?),
            Kind::PackedColorArray => Variant::PackedColorArray(self.vec()?),
            _ => Variant::Nil,
        })
    }

    /// As wide as the dialect has them.
    fn int(&mut self) -> Result<Variant> {
        let value: i64 = if self.dialect.has_wide_scalars() && self.u.arbitrary()? {
            self.u.arbitrary()?
        } else {
            self.u.arbitrary::<i32>()?.into()
        };
        Ok(Variant::Int(Int::new(value)))
    }

    fn float(&mut self) -> Result<Variant> {
        let narrow: f32 = self.u.arbitrary()?;
        let float = if !self.dialect.has_wide_scalars() {
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

    fn reals<T: Real + Lanes>(&mut self) -> Result<Reals<T>>
    where
        T::Double: Lanes,
    {
        if self.is_double {
            Ok(Reals::double(self.lanes()?))
        } else {
            Ok(Reals::Single(self.lanes()?))
        }
    }

    fn real_vec<T: Real + Lanes>(&mut self) -> Result<RealVec<T>>
    where
        T::Double: Lanes,
    {
        if self.is_double {
            Ok(RealVec::Double(Box::new(self.vec()?)))
        } else {
            Ok(RealVec::Single(self.vec()?))
        }
    }

    fn vec<T: Lanes>(&mut self) -> Result<Vec<T>> {
        let len = self.u.int_in_range(0..=3)?;
        (0..len).map(|_| self.lanes()).collect()
    }

    fn lanes<T: Lanes>(&mut self) -> Result<T> {
        T::arbitrary(self.u)
    }

    fn node_path(&mut self) -> Result<NodePath> {
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

    /// What is declared of what is in a container: nothing, as a rule.
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
        let mut object = Object::new("Resource");
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

/// A structure of numbers.
pub(crate) trait Lanes: Sized {
    /// Any numbers.
    fn arbitrary(u: &mut Unstructured<'_>) -> Result<Self>;

    /// As they stand on the wire.
    fn write(&self, out: &mut Vec<u8>);
}

macro_rules! lanes {
    ($($type:ident { $($field:ident)* })*) => {$(
        impl<T: Lanes> Lanes for $type<T> {
            fn arbitrary(u: &mut Unstructured<'_>) -> Result<Self> {
                Ok(Self { $($field: Lanes::arbitrary(u)?,)* })
            }

            fn write(&self, out: &mut Vec<u8>) {
                $(self.$field.write(out);)*
            }
        }
    )*};
}

macro_rules! scalar_lanes {
    ($($type:ty)*) => {$(
        impl Lanes for $type {
            fn arbitrary(u: &mut Unstructured<'_>) -> Result<Self> {
                <$type as Arbitrary>::arbitrary(u)
            }

            fn write(&self, out: &mut Vec<u8>) {
                out.extend(self.to_le_bytes());
            }
        }
    )*};
}

scalar_lanes! { u8 i32 i64 f32 f64 }

lanes! {
    Vector2 { x y }
    Vector3 { x y z }
    Vector4 { x y z w }
    Rect2 { position size }
    Plane { normal d }
    Quaternion { x y z w }
    Aabb { position size }
    Transform2D { x y origin }
    Basis { row0 row1 row2 }
    Transform3D { basis origin }
    Projection { x y z w }
    Color { r g b a }
}
