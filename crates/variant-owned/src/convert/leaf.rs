//! What becomes of values without children (docs/dialects.md).

use variant_view::{Consumer, Dialect, Kind, Real, Rect2, Vector2, Vector3, Width};

use super::{ConvertError, Converter, Loss};
use crate::array::{Array, ElementType};
use crate::dictionary::Dictionary;
use crate::encode::legal;
use crate::key::KeyRule;
use crate::leaf::{Float, Image, InputEvent, Int, NodePath, Signal};
use crate::object::Object;
use crate::reals::{MathValue, RealVec};
use crate::text::Text;
use crate::variant::Variant;

type Result<T, E = ConvertError> = std::result::Result<T, E>;

impl<C: Consumer> Converter<'_, C> {
    pub(super) fn convert_leaf(&mut self, value: &Variant) -> Result<Variant> {
        let kind = value.kind();
        Ok(match value {
            Variant::Int(int) => self.int(*int)?,
            Variant::Float(float) => self.float(*float)?,
            Variant::String(text) => Variant::String(self.text(text, kind)?),
            Variant::StringName(text) => {
                let text = self.text(text, kind)?;
                if self.has(kind) {
                    Variant::StringName(text)
                } else {
                    self.changed(kind, Kind::String, Loss::Kind)?;
                    Variant::String(text)
                }
            }
            Variant::Vector2(v) => Variant::Vector2(self.reals(kind, v)?),
            Variant::Rect2(v) => Variant::Rect2(self.reals(kind, v)?),
            Variant::Vector3(v) => Variant::Vector3(self.reals(kind, v)?),
            Variant::Transform2D(v) => Variant::Transform2D(Box::new(self.reals(kind, v)?)),
            Variant::Plane(v) => Variant::Plane(self.reals(kind, v)?),
            Variant::Quaternion(v) => Variant::Quaternion(self.reals(kind, v)?),
            Variant::Aabb(v) => Variant::Aabb(Box::new(self.reals(kind, v)?)),
            Variant::Basis(v) => Variant::Basis(Box::new(self.reals(kind, v)?)),
            Variant::Transform3D(v) => Variant::Transform3D(Box::new(self.reals(kind, v)?)),
            Variant::Vector4(v) if self.has(kind) => Variant::Vector4(self.reals(kind, v)?),
            Variant::Projection(v) if self.has(kind) => {
                Variant::Projection(Box::new(self.reals(kind, v)?))
            }
            Variant::NodePath(path) => self.node_path(path)?,
            Variant::Rid(id) => {
                if !self.has(kind) {
                    let loss = if *id == 0 { Loss::Kind } else { Loss::Id };
                    self.changed(kind, Kind::Nil, loss)?;
                    return Ok(Variant::Nil);
                }
                if *id != 0 && !self.target.writes_rids() {
                    self.changed(kind, kind, Loss::Id)?;
                    return Ok(Variant::Rid(0));
                }
                Variant::Rid(*id)
            }
            Variant::Object(object) => self.lone_object(object)?,
            Variant::Signal(signal) if self.has(kind) => {
                let Signal { name, object_id } = &**signal;
                let name = self.text(name, kind)?;
                Variant::Signal(Box::new(Signal { name, object_id: *object_id }))
            }
            Variant::PackedStringArray(texts) => {
                let texts: Result<_> = texts.iter().map(|text| self.text(text, kind)).collect();
                Variant::PackedStringArray(texts?)
            }
            Variant::PackedVector2Array(v) => Variant::PackedVector2Array(self.real_vec(kind, v)?),
            Variant::PackedVector3Array(v) => Variant::PackedVector3Array(self.real_vec(kind, v)?),
            Variant::PackedVector4Array(v) if self.has(kind) => {
                Variant::PackedVector4Array(self.real_vec(kind, v)?)
            }
            Variant::InputEvent(event)
                if legal::input_event(event.event, event.payload.len()).is_err() =>
            {
                self.nearest(value)?
            }
            other if self.has(kind) => other.clone(),
            other => self.nearest(other)?,
        })
    }

    /// The nearest value of a kind that the target has.
    fn nearest(&mut self, value: &Variant) -> Result<Variant> {
        let (nearest, loss) = match value {
            Variant::Vector2i(v) => {
                (Variant::Vector2(v.map(real).into()), precision([v.x, v.y].into_iter()))
            }
            Variant::Rect2i(v) => {
                let Rect2 { position, size } = *v;
                let numbers = [position.x, position.y, size.x, size.y];
                (Variant::Rect2(v.map(real).into()), precision(numbers.into_iter()))
            }
            Variant::Vector3i(v) => {
                (Variant::Vector3(v.map(real).into()), precision([v.x, v.y, v.z].into_iter()))
            }
            Variant::Vector4i(v) => {
                (Variant::PackedInt32Array(vec![v.x, v.y, v.z, v.w]), Loss::Kind)
            }
            Variant::Vector4(v) => {
                let v = v.f64();
                self.floats(&[v.x, v.y, v.z, v.w])
            }
            Variant::Projection(v) => {
                let p = v.f64();
                let columns = [p.x, p.y, p.z, p.w];
                self.floats(&columns.map(|v| [v.x, v.y, v.z, v.w]).concat())
            }
            Variant::Signal(signal) => {
                (Variant::String(self.text(&signal.name, Kind::Signal)?), Loss::Id)
            }
            Variant::PackedInt64Array(v) => self.ints(v),
            Variant::PackedFloat64Array(v) => self.floats(v),
            Variant::PackedVector2iArray(v) => self.vectors2i(v),
            Variant::PackedVector3iArray(v) => self.vectors3i(v),
            Variant::PackedVector4iArray(v) if self.has(Kind::Vector4i) => {
                (self.list(Kind::Vector4i, v.iter().map(|&v| Variant::Vector4i(v))), Loss::Kind)
            }
            Variant::PackedVector4iArray(v) => {
                let numbers = v.iter().flat_map(|v| [v.x, v.y, v.z, v.w]);
                (Variant::PackedInt32Array(numbers.collect()), Loss::Kind)
            }
            Variant::PackedVector4Array(v) => {
                let numbers: Vec<f64> = v.iter_f64().flat_map(|v| [v.x, v.y, v.z, v.w]).collect();
                self.floats(&numbers)
            }
            Variant::Image(image) => (self.image_dictionary(image), Loss::Kind),
            Variant::InputEvent(event) => self.event_dictionary(event),
            // A callable, of which the wire holds nothing.
            _ => (Variant::Nil, Loss::Value),
        };
        self.changed(value.kind(), nearest.kind(), loss)?;
        Ok(nearest)
    }

    fn int(&mut self, int: Int) -> Result<Variant> {
        let fits = i32::try_from(int.value()).is_ok();
        if fits || self.target.int_width() != Some(Width::W32) {
            return Ok(Variant::Int(Int::new(int.value())));
        }
        let (float, loss) = nearest_float(int.value());
        self.changed(Kind::Int, Kind::Float, loss)?;
        Ok(Variant::Float(float))
    }

    fn float(&mut self, float: Float) -> Result<Variant> {
        let written = match float.width() {
            // A NaN keeps its bits in its own width, and is written wide.
            Width::W32 if !float.value().is_nan() => float,
            _ => Float::new(float.value()),
        };
        if written.width() == Width::W64 && !self.target.has_wide_scalars() {
            if !float.value().is_nan() {
                self.changed(Kind::Float, Kind::Float, Loss::Precision)?;
            }
            return Ok(Variant::Float(Float::from(f32::narrow(float.value()))));
        }
        Ok(Variant::Float(written))
    }

    /// Wide reals where the target has them, and narrow ones elsewhere.
    fn reals<T: Real>(&mut self, kind: Kind, reals: &MathValue<T>) -> Result<MathValue<T>> {
        match reals {
            MathValue::Double(wide) if !self.has_wide_reals => {
                let narrow = T::narrow(**wide);
                if narrow.widen() != **wide {
                    self.changed(kind, kind, Loss::Precision)?;
                }
                Ok(MathValue::Single(narrow))
            }
            kept => Ok(kept.clone()),
        }
    }

    fn real_vec<T: Real>(&mut self, kind: Kind, packed: &RealVec<T>) -> Result<RealVec<T>> {
        match packed {
            RealVec::Double(wide) if !self.has_wide_reals => {
                let narrow: Vec<T> = wide.iter().copied().map(T::narrow).collect();
                if narrow.iter().zip(&**wide).any(|(narrow, wide)| narrow.widen() != *wide) {
                    self.changed(kind, kind, Loss::Precision)?;
                }
                Ok(RealVec::Single(narrow))
            }
            kept => Ok(kept.clone()),
        }
    }

    /// A path of one text becomes names, as its writer would have it.
    fn node_path(&mut self, path: &NodePath) -> Result<Variant> {
        let has_names = !path.names.is_empty() || !path.subnames.is_empty();
        let mut converted = match &path.plain {
            Some(plain) if !has_names => NodePath::parse(&plain.to_str_lossy()),
            _ => NodePath { plain: None, ..path.clone() },
        };
        if has_names && path.plain.is_some() {
            self.changed(Kind::NodePath, Kind::NodePath, Loss::Value)?;
        }
        // A property is a subname; that it is marked as one means nothing to others.
        converted.has_property &= self.target == Dialect::Godot2 && !converted.subnames.is_empty();
        for name in converted.names.iter_mut().chain(&mut converted.subnames) {
            *name = self.text(&std::mem::take(name), Kind::NodePath)?;
        }
        Ok(Variant::NodePath(Box::new(converted)))
    }

    /// Null is written as nil.
    fn lone_object(&mut self, object: &Object) -> Result<Variant> {
        match object {
            Object::Id(id) if self.target.writes_objects() => {
                Ok(Variant::Object(Box::new(Object::Id(*id))))
            }
            Object::Id(_) => {
                self.changed(Kind::Object, Kind::Nil, Loss::Id)?;
                Ok(Variant::Nil)
            }
            _ if self.has(Kind::Object) && !self.target.writes_objects() => {
                Ok(Variant::Object(Box::new(Object::Null)))
            }
            _ => {
                self.changed(Kind::Object, Kind::Nil, Loss::Kind)?;
                Ok(Variant::Nil)
            }
        }
    }

    /// An array of values of a kind that the target has, declared where it can be.
    fn list(&self, kind: Kind, values: impl Iterator<Item = Variant>) -> Variant {
        let mut array: Array = values.collect();
        if self.target.has_typed_containers() {
            array.set_element_type(ElementType::Builtin(kind));
        }
        Variant::Array(array)
    }

    /// As integers of 32 bits if all fit, and else as an array of integers, or of floats where there are no
    /// wider ones.
    fn ints(&self, values: &[i64]) -> (Variant, Loss) {
        let narrow: Option<Vec<i32>> = values.iter().map(|&value| value.try_into().ok()).collect();
        match narrow {
            Some(narrow) => (Variant::PackedInt32Array(narrow), Loss::Kind),
            None if self.target.int_width() != Some(Width::W32) => {
                (Variant::Array(values.iter().copied().collect()), Loss::Kind)
            }
            None => {
                let floats = values.iter().map(|&value| nearest_float(value).0);
                (Variant::Array(floats.collect()), Loss::Precision)
            }
        }
    }

    /// A number of 32 bits without a sign.
    fn word(&self, word: u32) -> (Variant, Loss) {
        if self.target.has_wide_scalars() || i32::try_from(word).is_ok() {
            return (Variant::from(word), Loss::Kind);
        }
        let (float, loss) = nearest_float(word.into());
        (Variant::Float(float), loss)
    }

    fn image_dictionary(&self, image: &Image) -> Variant {
        let Image { format, mipmaps, width, height, data } = image;
        let mut dictionary = Dictionary::with_rule(KeyRule::of(self.target));
        for (name, number) in
            [("format", format), ("mipmaps", mipmaps), ("width", width), ("height", height)]
        {
            dictionary.insert(Text::from(name), *number);
        }
        dictionary.insert(Text::from("data"), data.clone());
        dictionary.into()
    }

    fn event_dictionary(&self, event: &InputEvent) -> (Variant, Loss) {
        let mut dictionary = Dictionary::with_rule(KeyRule::of(self.target));
        let mut worst = Loss::Kind;
        for (name, word) in [("event", event.event), ("device", event.device)] {
            let (number, loss) = self.word(word);
            dictionary.insert(Text::from(name), number);
            worst = if loss == Loss::Kind { worst } else { loss };
        }
        dictionary.insert(Text::from("payload"), event.payload.clone());
        (dictionary.into(), worst)
    }

    /// As floats of 32 bits if all are exact, and else as an array of floats.
    #[expect(clippy::float_cmp, reason = "exactness is the question")]
    fn floats(&self, values: &[f64]) -> (Variant, Loss) {
        let narrow: Vec<f32> = values.iter().copied().map(f32::narrow).collect();
        let is_exact = narrow.iter().zip(values).all(|(&narrow, &wide)| f64::from(narrow) == wide);
        match (is_exact, self.target.has_wide_scalars()) {
            (true, _) => (Variant::PackedFloat32Array(narrow), Loss::Kind),
            (false, true) => (Variant::Array(values.iter().copied().collect()), Loss::Kind),
            (false, false) => (Variant::PackedFloat32Array(narrow), Loss::Precision),
        }
    }

    fn vectors2i(&self, vectors: &[Vector2<i32>]) -> (Variant, Loss) {
        if self.has(Kind::Vector2i) {
            let values = vectors.iter().map(|&v| Variant::Vector2i(v));
            return (self.list(Kind::Vector2i, values), Loss::Kind);
        }
        let reals: Vec<_> = vectors.iter().map(|v| v.map(real)).collect();
        let loss = precision(vectors.iter().flat_map(|v| [v.x, v.y]));
        (Variant::PackedVector2Array(reals.into()), loss)
    }

    fn vectors3i(&self, vectors: &[Vector3<i32>]) -> (Variant, Loss) {
        if self.has(Kind::Vector3i) {
            let values = vectors.iter().map(|&v| Variant::Vector3i(v));
            return (self.list(Kind::Vector3i, values), Loss::Kind);
        }
        let reals: Vec<_> = vectors.iter().map(|v| v.map(real)).collect();
        let loss = precision(vectors.iter().flat_map(|v| [v.x, v.y, v.z]));
        (Variant::PackedVector3Array(reals.into()), loss)
    }
}

/// The nearest `f32`.
fn real(number: i32) -> f32 {
    f32::narrow(number.into())
}

/// Whether all numbers are the same as reals.
#[expect(clippy::float_cmp, reason = "exactness is the question")]
fn precision(mut numbers: impl Iterator<Item = i32>) -> Loss {
    let is_exact = numbers.all(|number| f64::from(real(number)) == f64::from(number));
    if is_exact { Loss::Kind } else { Loss::Precision }
}

/// The nearest float of 32 bits, which is all that Godot 2 has.
#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "rounding is the purpose, and exactness the question"
)]
fn nearest_float(value: i64) -> (Float, Loss) {
    let nearest = f32::narrow(value as f64);
    let is_exact = f64::from(nearest) == value as f64 && value.unsigned_abs() < 1 << 53;
    (Float::from(nearest), if is_exact { Loss::Kind } else { Loss::Precision })
}
