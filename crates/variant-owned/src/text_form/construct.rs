//! Reads constructors without children: `Vector2(1, 2)`, `PackedByteArray("AQI=")`.

use variant_view::{
    Aabb, Basis, Color, Kind, Plane, Projection, Quaternion, Rect2, Transform2D, Transform3D,
    Vector2, Vector3, Vector4,
};

use super::number::{SINGLE_DIGITS, digits, is_single};
use super::token::{self, Number, Parsed, fault};
use super::{base64, names};
use crate::array::ElementType;
use crate::leaf::NodePath;
use crate::object::Object;
use crate::reals::{RealVec, Reals};
use crate::text::Text;
use crate::variant::Variant;

/// What `kind` is made of, from the parenthesis on.
pub(super) fn value(input: &str, kind: Kind) -> Parsed<'_, Variant> {
    match kind {
        Kind::NodePath => node_path(input),
        Kind::Rid => rid(input),
        Kind::Callable => nothing(input, Variant::Callable),
        Kind::Signal => nothing(input, Variant::Signal(Box::default())),
        Kind::PackedStringArray => {
            let (rest, texts) = token::arguments(input, token::string)?;
            let texts = texts.into_iter().map(Text::from).collect();
            Ok((rest, Variant::PackedStringArray(texts)))
        }
        Kind::PackedByteArray => bytes(input),
        Kind::PackedInt32Array | Kind::PackedInt64Array => ints(input, kind),
        _ => of_numbers(input, kind),
    }
}

fn nothing(input: &str, value: Variant) -> Parsed<'_, Variant> {
    let (input, _) = token::symbol(input, "(")?;
    let (rest, _) = token::symbol(input, ")")?;
    Ok((rest, value))
}

fn node_path(input: &str) -> Parsed<'_, Variant> {
    let (rest, path) = token::argument(input, token::string)?;
    Ok((rest, Variant::NodePath(Box::new(NodePath::parse(&path)))))
}

fn rid(input: &str) -> Parsed<'_, Variant> {
    let (rest, numbers) = token::arguments(input, token::number)?;
    let id = match numbers.as_slice() {
        [] => Some(0),
        // Engines print it as a signed one.
        [id] => id.int().map(i64::cast_unsigned).or_else(|| id.0.parse().ok()),
        _ => None,
    };
    match id {
        Some(id) => Ok((rest, Variant::Rid(id))),
        None => fault(input, "nothing or one id in parentheses"),
    }
}

/// `Resource("res://icon.png")`, from the parenthesis on.
pub(super) fn resource(input: &str) -> Parsed<'_, Variant> {
    let (rest, path) = token::argument(input, token::string)?;
    let mut object = Object::new("Resource");
    if let Some(properties) = object.properties_mut() {
        properties.push("resource_path", path);
    }
    Ok((rest, Variant::Object(Box::new(object))))
}

/// The declared type of a container's elements.
pub(super) fn element_type(input: &str) -> Parsed<'_, ElementType> {
    let (input, _) = token::spaces(input)?;
    if let Ok((rest, class)) = token::string(input) {
        return Ok((rest, ElementType::Class(class.into())));
    }
    if let Ok((rest, number)) = token::number(input) {
        return match number.0.parse() {
            Ok(id) => Ok((rest, ElementType::Unknown(id))),
            Err(_) => fault(input, "a type"),
        };
    }
    let (rest, name) = token::identifier(input).or_else(|_| fault(input, "a type"))?;
    if let ("Resource", Some(_)) = (name, token::try_symbol(rest, "(")) {
        let (rest, path) = token::argument(rest, token::string)?;
        return Ok((rest, ElementType::Script(path.into())));
    }
    let declared = match names::element_kind(name) {
        Some(kind) => ElementType::Builtin(kind),
        None if name == "Variant" => ElementType::Any,
        None => ElementType::Class(name.into()),
    };
    Ok((rest, declared))
}

fn bytes(input: &str) -> Parsed<'_, Variant> {
    if let Ok((rest, text)) = token::argument(input, token::string) {
        return match base64::decode(&text) {
            Some(bytes) => Ok((rest, Variant::PackedByteArray(bytes))),
            None => fault(input, "base64"),
        };
    }
    let (rest, bytes) = token::arguments(input, |input| {
        integer(input, "a byte, 0 to 255", |int| u8::try_from(int).ok())
    })?;
    Ok((rest, Variant::PackedByteArray(bytes)))
}

fn ints(input: &str, kind: Kind) -> Parsed<'_, Variant> {
    if kind == Kind::PackedInt64Array {
        let (rest, ints) =
            token::arguments(input, |input| integer(input, "an integer of 64 bits", Some))?;
        return Ok((rest, Variant::PackedInt64Array(ints)));
    }
    let (rest, ints) = token::arguments(input, |input| {
        integer(input, "an integer of 32 bits", |int| i32::try_from(int).ok())
    })?;
    Ok((rest, Variant::PackedInt32Array(ints)))
}

fn integer<'a, T>(
    input: &'a str,
    expected: &'static str,
    fit: fn(i64) -> Option<T>,
) -> Parsed<'a, T> {
    let (input, _) = token::spaces(input)?;
    let (rest, number) = token::number(input).or_else(|_| fault(input, expected))?;
    match number.int().and_then(fit) {
        Some(value) => Ok((rest, value)),
        None => fault(input, expected),
    }
}

/// How many numbers make one `kind`, and whether any number of these may follow.
fn arity(kind: Kind) -> Option<(usize, bool)> {
    Some(match kind {
        Kind::Vector2 | Kind::Vector2i => (2, false),
        Kind::Vector3 | Kind::Vector3i => (3, false),
        Kind::Rect2
        | Kind::Rect2i
        | Kind::Vector4
        | Kind::Vector4i
        | Kind::Plane
        | Kind::Quaternion
        | Kind::Color => (4, false),
        Kind::Transform2D | Kind::Aabb => (6, false),
        Kind::Basis => (9, false),
        Kind::Transform3D => (12, false),
        Kind::Projection => (16, false),
        Kind::PackedFloat32Array | Kind::PackedFloat64Array => (1, true),
        Kind::PackedVector2Array | Kind::PackedVector2iArray => (2, true),
        Kind::PackedVector3Array | Kind::PackedVector3iArray => (3, true),
        Kind::PackedVector4Array | Kind::PackedVector4iArray | Kind::PackedColorArray => (4, true),
        _ => return None,
    })
}

fn of_numbers(input: &str, kind: Kind) -> Parsed<'_, Variant> {
    let Some((arity, is_packed)) = arity(kind) else { return fault(input, "a value") };
    let (rest, numbers) = token::arguments(input, token::number)?;
    let fits = if is_packed { numbers.len().is_multiple_of(arity) } else { numbers.len() == arity };
    let input = input.trim_start();
    if !fits {
        let times = if is_packed { "a multiple of " } else { "" };
        return fault(input, format!("{times}{arity} numbers in parentheses"));
    }
    match of_reals(kind, &numbers).or_else(|| of_ints(kind, &numbers)) {
        Some(value) => Ok((rest, value)),
        None => fault(input, "integers of 32 bits"),
    }
}

/// One mathematical value of the numbers that `$next` gives.
macro_rules! fill {
    ($type:ident, $next:expr) => {
        $type::<()>::default().map(|()| $next)
    };
}

macro_rules! reals {
    ($type:ident, $numbers:expr) => {{
        let mut rest = $numbers.iter();
        if is_wide($numbers) {
            Reals::double(fill!($type, rest.next().map_or(0.0, |n| n.f64())))
        } else {
            Reals::Single(fill!($type, rest.next().map_or(0.0, |n| n.f32())))
        }
    }};
}

macro_rules! chunks {
    ($type:ident, $arity:literal, $numbers:expr, $method:ident) => {{
        let fill = |chunk: &[Number<'_>; $arity]| {
            let mut rest = chunk.iter();
            fill!($type, rest.next().map_or(0.0, |n| n.$method()))
        };
        $numbers.as_chunks::<$arity>().0.iter().map(fill).collect()
    }};
}

macro_rules! real_vec {
    ($type:ident, $arity:literal, $numbers:expr) => {
        if is_wide($numbers) {
            RealVec::Double(Box::new(chunks!($type, $arity, $numbers, f64)))
        } else {
            RealVec::Single(chunks!($type, $arity, $numbers, f32))
        }
    };
}

/// Whether the numbers are written for `f64`; see [`super::from_text`].
fn is_wide(numbers: &[Number<'_>]) -> bool {
    numbers.iter().any(|n| digits(n.0) > SINGLE_DIGITS && !is_single(n.f64()))
}

fn of_reals(kind: Kind, numbers: &[Number<'_>]) -> Option<Variant> {
    Some(match kind {
        Kind::Vector2 => Variant::Vector2(reals!(Vector2, numbers)),
        Kind::Rect2 => Variant::Rect2(reals!(Rect2, numbers)),
        Kind::Vector3 => Variant::Vector3(reals!(Vector3, numbers)),
        Kind::Vector4 => Variant::Vector4(reals!(Vector4, numbers)),
        Kind::Plane => Variant::Plane(reals!(Plane, numbers)),
        Kind::Quaternion => Variant::Quaternion(reals!(Quaternion, numbers)),
        Kind::Transform2D => Variant::Transform2D(Box::new(reals!(Transform2D, numbers))),
        Kind::Aabb => Variant::Aabb(Box::new(reals!(Aabb, numbers))),
        Kind::Basis => Variant::Basis(Box::new(reals!(Basis, numbers))),
        Kind::Transform3D => Variant::Transform3D(Box::new(reals!(Transform3D, numbers))),
        Kind::Projection => Variant::Projection(Box::new(reals!(Projection, numbers))),
        Kind::Color => {
            let mut rest = numbers.iter();
            Variant::Color(fill!(Color, rest.next().map_or(0.0, |n| n.f32())))
        }
        Kind::PackedFloat32Array => {
            Variant::PackedFloat32Array(numbers.iter().map(|n| n.f32()).collect())
        }
        Kind::PackedFloat64Array => {
            Variant::PackedFloat64Array(numbers.iter().map(|n| n.f64()).collect())
        }
        Kind::PackedVector2Array => Variant::PackedVector2Array(real_vec!(Vector2, 2, numbers)),
        Kind::PackedVector3Array => Variant::PackedVector3Array(real_vec!(Vector3, 3, numbers)),
        Kind::PackedVector4Array => Variant::PackedVector4Array(real_vec!(Vector4, 4, numbers)),
        Kind::PackedColorArray => Variant::PackedColorArray(chunks!(Color, 4, numbers, f32)),
        _ => return None,
    })
}

macro_rules! int_vec {
    ($type:ident, $arity:literal, $ints:expr) => {{
        let fill = |chunk: &[i32; $arity]| {
            let mut rest = chunk.iter().copied();
            fill!($type, rest.next().unwrap_or_default())
        };
        $ints.as_chunks::<$arity>().0.iter().map(fill).collect()
    }};
}

fn of_ints(kind: Kind, numbers: &[Number<'_>]) -> Option<Variant> {
    let ints: Vec<i32> = numbers.iter().map(|&n| component(n)).collect::<Option<_>>()?;
    let mut rest = ints.iter().copied();
    Some(match kind {
        Kind::Vector2i => Variant::Vector2i(fill!(Vector2, rest.next().unwrap_or_default())),
        Kind::Rect2i => Variant::Rect2i(fill!(Rect2, rest.next().unwrap_or_default())),
        Kind::Vector3i => Variant::Vector3i(fill!(Vector3, rest.next().unwrap_or_default())),
        Kind::Vector4i => Variant::Vector4i(fill!(Vector4, rest.next().unwrap_or_default())),
        Kind::PackedVector2iArray => Variant::PackedVector2iArray(int_vec!(Vector2, 2, ints)),
        Kind::PackedVector3iArray => Variant::PackedVector3iArray(int_vec!(Vector3, 3, ints)),
        Kind::PackedVector4iArray => Variant::PackedVector4iArray(int_vec!(Vector4, 4, ints)),
        _ => return None,
    })
}

/// Pandemonium prints it through a float: `2.14748e+09`.
#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "whole, and in range")]
fn component(number: Number<'_>) -> Option<i32> {
    if number.is_int() {
        return number.int().and_then(|int| i32::try_from(int).ok());
    }
    let value = number.f64();
    let is_in_range = (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&value);
    (is_in_range && value.fract() == 0.0).then_some(value as i32)
}
