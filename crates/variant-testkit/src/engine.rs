//! The value that an engine holds after reading, in the tagged JSON of the records.
//!
//! The views show the bytes on the wire. An engine's reader does more. Of equal keys only the last remains. Elements
//! that do not fit a typed array are dropped or converted. Reals are narrowed (docs/spec/format.md#containers,
//! docs/spec/format.md#typed-containers and docs/spec/format.md#double-precision). This module does the same, so that
//! its values can be compared with those of an engine.

mod keys;
mod numbers;

use numbers::{
    basis, cast, color, double, flat, list, narrowed, vector2, vector2i, vector3, vector3i,
    vector4, vector4i,
};
use serde_json::{Map, Value, json};
use variant_view::{
    Aabb, ArrayView, Dialect, DictionaryView, ElementType, KeyRule, Kind, ObjectForm, ObjectView,
    PackedReals, Plane, Projection, Quaternion, Rect2, Result, StrView, Transform2D, Transform3D,
    VariantView, Wire,
};

use crate::corpus::Precision;

/// An engine that reads a value.
#[derive(Clone, Copy, Debug)]
pub struct Engine {
    /// The dialect of the engine.
    pub dialect: Dialect,
    /// The width of the engine's reals.
    pub precision: Precision,
    /// Whether the engine is set to accept full objects.
    pub objects: bool,
}

impl Engine {
    /// The value that the engine holds.
    pub fn read(self, view: &VariantView<'_>) -> Result<Value> {
        let name = type_name(self.dialect, view.kind());
        Ok(match view {
            VariantView::Nil(_) => json!({"t": "nil"}),
            VariantView::Bool(v) => json!({"t": name, "v": v.value()}),
            VariantView::Int(v) => json!({"t": name, "v": v.value()}),
            VariantView::Float(v) => json!({"t": name, "v": double(v.value())}),
            VariantView::String(v) | VariantView::StringName(v) => text_value(&name, *v),
            VariantView::Array(v)
            | VariantView::TypedArray(v)
            | VariantView::PackedTypedArray(v) => self.array(&name, *v)?,
            VariantView::Dictionary(v) => self.dictionary(&name, *v)?,
            VariantView::Object(v) => self.object(&name, *v)?,
            VariantView::Callable(_) => json!({"t": name, "v": null}),
            VariantView::Signal(v) => {
                json!({"t": name, "v": {"name": text(v.name()), "object_id": v.object_id()}})
            }
            VariantView::Rid(v) => json!({"t": name, "v": v.value()}),
            VariantView::NodePath(v) => {
                let names: Vec<_> = v.names().map(text).collect();
                let subnames: Vec<_> = v.subnames().map(text).collect();
                if let Some(plain) = v.plain() {
                    return Ok(json!({"t": name, "v": {"plain": text(plain)}}));
                }
                // Before Godot 4.4 a path without names loses its absolute flag.
                let kept = KeyRule::of(self.dialect).has_absolute_empty_path()
                    || !(names.is_empty() && subnames.is_empty());
                let absolute = v.is_absolute() && kept;
                json!({"t": name, "v": {"names": names, "subnames": subnames, "absolute": absolute}})
            }
            VariantView::PackedStringArray(v) => {
                let cps: Vec<Vec<u32>> = v.iter().map(|s| s.code_points().collect()).collect();
                let texts: Vec<_> = v.iter().map(text).collect();
                json!({"t": name, "v": texts, "cps": cps})
            }
            other => json!({"t": name, "v": self.numbers(other)}),
        })
    }

    /// The numbers of a mathematical value or packed array, nested as the records nest them.
    fn numbers(self, view: &VariantView<'_>) -> Value {
        macro_rules! reals {
            ($view:expr, $list:expr) => {
                match self.precision {
                    Precision::Single => ($list)($view.f32().widen()),
                    Precision::Double => ($list)($view.f64()),
                }
            };
        }
        match view {
            VariantView::Vector2(v) => reals!(v, vector2),
            VariantView::Vector3(v) => reals!(v, vector3),
            VariantView::Vector4(v) => reals!(v, vector4),
            VariantView::Rect2(v) => {
                reals!(v, |r: Rect2<f64>| flat([vector2(r.position), vector2(r.size)]))
            }
            VariantView::Plane(v) => {
                reals!(v, |p: Plane<f64>| flat([vector3(p.normal), json!([double(p.d)])]))
            }
            VariantView::Quaternion(v) => {
                reals!(v, |q: Quaternion<f64>| list([q.x, q.y, q.z, q.w]))
            }
            VariantView::Aabb(v) => {
                reals!(v, |b: Aabb<f64>| json!([vector3(b.position), vector3(b.size)]))
            }
            VariantView::Transform2D(v) => {
                reals!(v, |t: Transform2D<f64>| json!([t.x, t.y, t.origin].map(vector2)))
            }
            VariantView::Basis(v) => reals!(v, basis),
            VariantView::Transform3D(v) => {
                reals!(v, |t: Transform3D<f64>| json!([basis(t.basis), vector3(t.origin)]))
            }
            VariantView::Projection(v) => {
                reals!(v, |p: Projection<f64>| json!([p.x, p.y, p.z, p.w].map(vector4)))
            }
            VariantView::Color(v) => color(v.value()),
            VariantView::Vector2i(v) => vector2i(v.value()),
            VariantView::Vector3i(v) => vector3i(v.value()),
            VariantView::Vector4i(v) => vector4i(v.value()),
            VariantView::Rect2i(v) => {
                let rect = v.value();
                flat([vector2i(rect.position), vector2i(rect.size)])
            }
            VariantView::PackedByteArray(v) => v.iter().collect(),
            VariantView::PackedInt32Array(v) => v.iter().collect(),
            VariantView::PackedInt64Array(v) => v.iter().collect(),
            VariantView::PackedFloat32Array(v) => v.iter().map(f64::from).map(double).collect(),
            VariantView::PackedFloat64Array(v) => v.iter().map(double).collect(),
            VariantView::PackedVector2Array(v) => self.packed_reals(v, vector2),
            VariantView::PackedVector3Array(v) => self.packed_reals(v, vector3),
            VariantView::PackedVector4Array(v) => self.packed_reals(v, vector4),
            VariantView::PackedVector2iArray(v) => v.iter().map(vector2i).collect(),
            VariantView::PackedVector3iArray(v) => v.iter().map(vector3i).collect(),
            VariantView::PackedVector4iArray(v) => v.iter().map(vector4i).collect(),
            VariantView::PackedColorArray(v) => v.iter().map(color).collect(),
            _ => Value::Null,
        }
    }

    fn packed_reals<T: Wire>(
        self,
        packed: &PackedReals<'_, T>,
        list: fn(T::Double) -> Value,
    ) -> Value {
        match self.precision {
            Precision::Single => packed.iter().map(T::widen).map(list).collect(),
            Precision::Double => packed.iter_f64().map(list).collect(),
        }
    }

    fn object(self, name: &str, object: ObjectView<'_>) -> Result<Value> {
        let class = match object.form() {
            ObjectForm::Null | ObjectForm::Id(0) => return Ok(json!({"t": "Object", "v": null})),
            ObjectForm::Id(id) => return Ok(json!({"t": "EncodedObjectAsID", "v": id})),
            ObjectForm::Full(class) => text(class),
        };
        // Engines hold an object of this class as the id that it represents, and other objects as objects.
        if class == "EncodedObjectAsID" {
            let id = match object.get("object_id")? {
                Some(VariantView::Int(id)) => id.value().cast_unsigned(),
                _ => 0,
            };
            return Ok(json!({"t": "EncodedObjectAsID", "v": id}));
        }
        let mut properties = Vec::new();
        for property in object.properties() {
            let (name, value) = property?;
            // `json!` would copy the value again at each level.
            properties.push(Value::Array(vec![text(name).into(), self.read(&value)?]));
        }
        let parts = [("class", Value::from(class)), ("props", properties.into())];
        let object = Value::from_iter(parts);
        Ok(Value::from_iter([("t", name.into()), ("v", object)]))
    }

    fn array(self, name: &str, array: ArrayView<'_>) -> Result<Value> {
        let declared = array.element_type();
        let mut elements = Vec::new();
        for element in array {
            let element = element?;
            let value = match &element {
                // The floats in this array are reals of the build (docs/spec/format.md#packedtypedarray).
                VariantView::Float(float) if name == "PackedTypedArray" => {
                    json!({"t": "float", "v": double(narrowed(float.value()))})
                }
                other => self.read(other)?,
            };
            elements.extend(self.admit(&declared, &element, value));
        }
        let mut record = Map::from_iter([("t".to_owned(), json!(name))]);
        if is_declared(&declared) || name.ends_with("TypedArray") {
            record.insert("et".to_owned(), self.type_info(&declared));
        }
        record.insert("v".to_owned(), elements.into());
        Ok(record.into())
    }

    fn dictionary(self, name: &str, dictionary: DictionaryView<'_>) -> Result<Value> {
        let key_type = dictionary.key_type();
        let value_type = dictionary.value_type();
        let mut pairs: Vec<(Value, Value)> = Vec::new();
        // Each key in a form that is equal for equal keys. `None` for a key that equals no other key.
        let mut forms: Vec<Option<Value>> = Vec::new();
        for pair in dictionary {
            let (key, value) = pair?;
            let mut value = self.read(&value)?;
            let Some(key) = self.admit(&key_type, &key, self.read(&key)?) else { continue };
            if keys::is_lost(self.dialect, &key) {
                value = json!({"t": "lost"});
            }
            let form = keys::normal(self.dialect, &key);
            let place = forms.iter().position(|other| form.is_some() && *other == form);
            if let Some((_, place)) = place.and_then(|place| pairs.get_mut(place)) {
                *place = value;
            } else {
                pairs.push((key, value));
                forms.push(form);
            }
        }
        let pair = |(key, value)| Value::Array(vec![key, value]);
        let pairs: Value = pairs.into_iter().map(pair).collect();
        let mut record = Map::from_iter([("t".to_owned(), json!(name))]);
        if is_declared(&key_type) || is_declared(&value_type) {
            for (field, declared) in [("kt", &key_type), ("vt", &value_type)] {
                let info =
                    if is_declared(declared) { self.type_info(declared) } else { Value::Null };
                record.insert(field.to_owned(), info);
            }
        }
        record.insert("v".to_owned(), pairs);
        Ok(record.into())
    }

    /// The element as a typed container holds it, converted if necessary. `None` if the container drops it.
    fn admit(
        self,
        declared: &ElementType<StrView<'_>>,
        found: &VariantView<'_>,
        mut value: Value,
    ) -> Option<Value> {
        let wanted = match declared {
            ElementType::Any => return Some(value),
            ElementType::Builtin(kind) => *kind,
            ElementType::Class(_) | ElementType::Script(_) => Kind::Object,
            ElementType::Unknown(_) => return None,
        };
        match admission(self.dialect, wanted, found.kind()) {
            Admission::Dropped => None,
            Admission::Kept => self.is_instance(declared, found).then_some(value),
            Admission::Converted => {
                if wanted == Kind::Float {
                    value["v"] = value["v"].as_i64().map_or(Value::Null, cast);
                }
                value["t"] = json!(type_name(self.dialect, wanted));
                Some(value)
            }
        }
    }

    /// Whether an object is of the declared class. This module does not know the base classes of an engine. All objects
    /// by id are of the class `EncodedObjectAsID`.
    fn is_instance(self, declared: &ElementType<StrView<'_>>, found: &VariantView<'_>) -> bool {
        let ElementType::Class(class) = declared else { return true };
        let VariantView::Object(object) = found else { return true };
        match object.form() {
            ObjectForm::Null | ObjectForm::Id(0) => true,
            ObjectForm::Id(_) => {
                !self.objects || class.is_empty() || text(*class) == "EncodedObjectAsID"
            }
            ObjectForm::Full(own) => class.is_empty() || text(*class) == text(own),
        }
    }

    fn type_info(self, declared: &ElementType<StrView<'_>>) -> Value {
        let id = |kind| self.dialect.id(kind).unwrap_or_default();
        let object = id(Kind::Object);
        match declared {
            ElementType::Class(_) | ElementType::Script(_)
                if !self.objects && self.dialect == Dialect::Godot4 =>
            {
                json!({"builtin": object, "class": "EncodedObjectAsID"})
            }
            ElementType::Class(class) => json!({"builtin": object, "class": text(*class)}),
            ElementType::Script(path) => json!({"builtin": object, "class": text(*path)}),
            ElementType::Builtin(Kind::Object)
                if !self.objects || self.dialect == Dialect::Pandemonium5 =>
            {
                json!({"builtin": object, "class": "EncodedObjectAsID"})
            }
            ElementType::Builtin(kind) => json!({"builtin": id(*kind), "class": ""}),
            ElementType::Unknown(id) => json!({"builtin": id, "class": ""}),
            ElementType::Any => json!({"builtin": 0, "class": ""}),
        }
    }
}

/// The name of a kind in the dialect's engine and its records.
pub fn type_name(dialect: Dialect, of: Kind) -> String {
    let name = of.name();
    let is_godot2 = dialect == Dialect::Godot2;
    if dialect == Dialect::Godot4 {
        return name.to_owned();
    }
    match of {
        Kind::Quaternion
            if matches!(dialect, Dialect::Godot2 | Dialect::Godot3 | Dialect::Pandemonium3) =>
        {
            "Quat".to_owned()
        }
        Kind::Transform2D if is_godot2 => "Matrix32".to_owned(),
        Kind::Basis if is_godot2 => "Matrix3".to_owned(),
        Kind::Transform3D => "Transform".to_owned(),
        Kind::PackedTypedArray => name.to_owned(),
        _ => {
            let prefix = if is_godot2 { "" } else { "Pool" };
            let name = name.replace("Int32", "Int").replace("Float32", "Real");
            let name = name.replace("PackedByte", if is_godot2 { "Raw" } else { "PoolByte" });
            name.replace("Packed", prefix)
        }
    }
}

/// The treatment of an element by a typed container, if the element's kind determines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// The container keeps the element, if the element is of the declared class.
    Kept,
    /// The container converts the element to its declared type.
    Converted,
    /// The container drops the element.
    Dropped,
}

/// The treatment of a value of kind `found` by a container of `wanted` values (docs/spec/format.md#typed-containers).
pub fn admission(dialect: Dialect, wanted: Kind, found: Kind) -> Admission {
    match (wanted, found) {
        (Kind::Object | Kind::Nil, Kind::Nil) => Admission::Kept,
        (wanted, found) if wanted == found => Admission::Kept,
        (Kind::String, Kind::StringName)
        | (Kind::StringName, Kind::String)
        | (Kind::Float, Kind::Int)
            if dialect == Dialect::Godot4 =>
        {
            Admission::Converted
        }
        _ => Admission::Dropped,
    }
}

fn is_declared(declared: &ElementType<StrView<'_>>) -> bool {
    !matches!(declared, ElementType::Any)
}

fn text_value(name: &str, view: StrView<'_>) -> Value {
    let cps: Vec<u32> = view.code_points().collect();
    json!({"t": name, "v": text(view), "cps": cps})
}

/// The text as the engine reads it, with U+FFFD for characters that JSON cannot hold.
fn text(view: StrView<'_>) -> String {
    view.code_points().map(|point| char::from_u32(point).unwrap_or('\u{fffd}')).collect()
}
