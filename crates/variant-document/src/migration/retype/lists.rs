//! Conversions between arrays, packed arrays, vectors and colours.

use variant_owned::{
    Element, MathValue, Text, TextOptions, TextStyle, Variant, from_text, to_text,
};
use variant_view::{Color, Kind, Vector2, Vector3, Vector4};

/// Defines the conversions of packed arrays. Each line has the kind of the packed array and the Rust type of its elements.
macro_rules! packed_arrays {
    ($($packed:ident: $type:ty;)*) => {
        /// The packed array of these elements.
        pub(super) fn packed(items: &[Variant], wanted: Kind) -> Result<Variant, String> {
            match wanted {
                $(Kind::$packed => packed_of::<$type>(items),)*
                _ => Err(format!("{wanted} is not a packed array")),
            }
        }

        /// The elements of a packed array.
        fn unpacked(value: &Variant) -> Result<Option<Vec<Variant>>, String> {
            match value {
                $(Variant::$packed(_) => unpacked_of::<$type>(value).map(Some),)*
                _ => Ok(None),
            }
        }
    };
}

packed_arrays! {
    PackedByteArray: u8;
    PackedInt32Array: i32;
    PackedInt64Array: i64;
    PackedFloat32Array: f32;
    PackedFloat64Array: f64;
    PackedStringArray: Text;
    PackedVector2Array: Vector2;
    PackedVector2iArray: Vector2<i32>;
    PackedVector3Array: Vector3;
    PackedVector3iArray: Vector3<i32>;
    PackedVector4Array: Vector4;
    PackedVector4iArray: Vector4<i32>;
    PackedColorArray: Color;
}

fn packed_of<T>(items: &[Variant]) -> Result<Variant, String>
where
    T: Element + TryFrom<Variant, Error: ToString>,
{
    let items = items.iter().cloned().map(T::try_from);
    let items: Result<Vec<T>, _> = items.collect();
    items.map(T::into_array).map_err(|error| error.to_string())
}

fn unpacked_of<T>(value: &Variant) -> Result<Vec<Variant>, String>
where
    T: Element + Clone + Into<Variant>,
    Vec<T>: TryFrom<Variant, Error: ToString>,
{
    let items = Vec::<T>::try_from(value.clone()).map_err(|error| error.to_string())?;
    if T::into_array(items.clone()) != *value {
        return Err(format!("the {} has reals of 64 bits", value.kind()));
    }
    Ok(items.into_iter().map(Into::into).collect())
}

/// The kind of the numbers of a vector or a colour.
pub(super) const fn number_of(wanted: Kind) -> Option<Kind> {
    match wanted {
        Kind::Vector2i | Kind::Vector3i | Kind::Vector4i => Some(Kind::Int),
        Kind::Vector2 | Kind::Vector3 | Kind::Vector4 | Kind::Quaternion | Kind::Color => {
            Some(Kind::Float)
        }
        _ => None,
    }
}

/// The vector or the colour of these numbers.
pub(super) fn composed(items: &[Variant], wanted: Kind) -> Result<Variant, String> {
    let numbers: Vec<_> = items.iter().map(text).collect();
    let literal = format!("{wanted}({})", numbers.join(", "));
    let made = from_text(&literal).ok().filter(|value| value.kind() == wanted);
    made.ok_or_else(|| format!("{wanted} does not hold these numbers: [{}]", numbers.join(", ")))
}

fn text(value: &Variant) -> String {
    to_text(value, &TextOptions::new(TextStyle::Godot4))
}

/// The elements of a packed array, or the numbers of a vector or a colour.
pub(super) fn items(value: &Variant) -> Result<Option<Vec<Variant>>, String> {
    let floats = |numbers: &[f64]| Some(numbers.iter().map(|number| (*number).into()).collect());
    let ints = |numbers: &[i32]| Some(numbers.iter().map(|number| (*number).into()).collect());
    Ok(match value {
        Variant::Vector2(v) => {
            let v = MathValue::f64(v);
            floats(&[v.x, v.y])
        }
        Variant::Vector3(v) => {
            let v = MathValue::f64(v);
            floats(&[v.x, v.y, v.z])
        }
        Variant::Vector4(v) => {
            let v = MathValue::f64(v);
            floats(&[v.x, v.y, v.z, v.w])
        }
        Variant::Quaternion(v) => {
            let v = MathValue::f64(v);
            floats(&[v.x, v.y, v.z, v.w])
        }
        Variant::Color(v) => floats(&[v.r, v.g, v.b, v.a].map(f64::from)),
        Variant::Vector2i(v) => ints(&[v.x, v.y]),
        Variant::Vector3i(v) => ints(&[v.x, v.y, v.z]),
        Variant::Vector4i(v) => ints(&[v.x, v.y, v.z, v.w]),
        other => unpacked(other)?,
    })
}
