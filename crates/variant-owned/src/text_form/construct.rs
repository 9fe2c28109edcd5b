//! Reads constructors without children: `Vector2(1, 2)`, `PackedByteArray("AQI=")`.

use std::borrow::Cow;

use variant_view::{Kind, NumberType, Numbers, Shape, Width};

use super::number::{SINGLE_DIGITS, digits, is_single};
use super::token::{self, Number, Parsed, fault, wrong_count};
use super::{BY_ID, names};
use crate::array::ElementType;
use crate::base64;
use crate::leaf::{Image, InputEvent, NodePath};
use crate::object::Object;
use crate::text::Text;
use crate::variant::Variant;

/// Reads the arguments of the constructor of `kind`, from the parenthesis on. `name` is its name in the text.
pub(super) fn value<'a>(input: &'a str, name: &str, kind: Kind) -> Parsed<'a, Variant> {
    match kind {
        Kind::NodePath => {
            let (rest, path) = token::argument(input, token::string)?;
            Ok((rest, NodePath::parse(&path).into()))
        }
        Kind::Rid => rid(input),
        Kind::Callable => nothing(input, Variant::Callable),
        Kind::Signal => nothing(input, Variant::Signal(Box::default())),
        Kind::Image => image(input),
        Kind::InputEvent => input_event(input),
        Kind::PackedStringArray => {
            let (rest, texts) = token::arguments(input, token::string)?;
            let texts = texts.iter().map(|text| Text::from(&**text)).collect();
            Ok((rest, Variant::PackedStringArray(texts)))
        }
        _ => of_numbers(input, name, kind),
    }
}

fn nothing(input: &str, value: Variant) -> Parsed<'_, Variant> {
    let (input, _) = token::symbol(input, "(")?;
    let (rest, _) = token::symbol(input, ")")?;
    Ok((rest, value))
}

fn rid(input: &str) -> Parsed<'_, Variant> {
    let (rest, numbers) = token::arguments(input, token::number)?;
    let id = match numbers.as_slice() {
        [] => Some(0),
        // Engines print ids as signed integers.
        [id] => id.int().map(i64::cast_unsigned).or_else(|| id.0.parse().ok()),
        _ => {
            return wrong_count(
                input.trim_start(),
                "one id for a RID, or none".into(),
                numbers.len(),
            );
        }
    };
    match id {
        Some(id) => Ok((rest, Variant::Rid(id))),
        None => fault(first_argument(input), "an id of 64 bits"),
    }
}

/// Reads an image of Godot 2 in this project's form (docs/dev/choices.md#text-form), from the parenthesis on.
fn image(input: &str) -> Parsed<'_, Variant> {
    let (rest, format) = field(token::symbol(input, "(")?.0, "format")?;
    let (rest, mipmaps) = field(token::symbol(rest, ",")?.0, "mipmaps")?;
    let (rest, width) = field(token::symbol(rest, ",")?.0, "width")?;
    let (rest, height) = field(token::symbol(rest, ",")?.0, "height")?;
    let (rest, data) = bytes_field(token::symbol(rest, ",")?.0, "data")?;
    let (rest, _) = token::symbol(rest, ")")?;
    Ok((rest, Variant::Image(Box::new(Image { format, mipmaps, width, height, data }))))
}

/// Reads an input event of Godot 2 in this project's form, from the parenthesis on.
fn input_event(input: &str) -> Parsed<'_, Variant> {
    let (rest, event) = field(token::symbol(input, "(")?.0, "event")?;
    let (rest, device) = field(token::symbol(rest, ",")?.0, "device")?;
    let (rest, payload) = bytes_field(token::symbol(rest, ",")?.0, "payload")?;
    let (rest, _) = token::symbol(rest, ")")?;
    Ok((rest, Variant::InputEvent(Box::new(InputEvent { event, device, payload }))))
}

/// Reads the name of a field in quotes, and its colon.
fn field_name<'a>(input: &'a str, name: &'static str) -> Parsed<'a, ()> {
    let (at, _) = token::spaces(input)?;
    match token::string(at) {
        Ok((rest, found)) if found == name => Ok((token::symbol(rest, ":")?.0, ())),
        _ => fault(at, format!("the field \"{name}\"")),
    }
}

fn field<'a>(input: &'a str, name: &'static str) -> Parsed<'a, u32> {
    let (input, ()) = field_name(input, name)?;
    let (at, _) = token::spaces(input)?;
    let (rest, number) = token::number(at)?;
    match number.int().and_then(|value| u32::try_from(value).ok()) {
        Some(value) => Ok((rest, value)),
        None => fault(at, "an integer from 0 to 4294967295"),
    }
}

/// Reads a field that is an array of bytes.
fn bytes_field<'a>(input: &'a str, name: &'static str) -> Parsed<'a, Vec<u8>> {
    let (input, ()) = field_name(input, name)?;
    let (at, _) = token::spaces(input)?;
    let (rest, name) = token::identifier(at)?;
    match names::kind(name) {
        Some(kind @ Kind::PackedByteArray) => match of_numbers(rest, name, kind)? {
            (rest, Variant::PackedByteArray(bytes)) => Ok((rest, bytes)),
            _ => fault(at, "an array of bytes"),
        },
        _ => fault(at, "an array of bytes"),
    }
}

/// Reads the text after `Object(` if it is an object by id, including the script that engines
/// print. `Object("EncodedObjectAsID", ..)` is a full object.
pub(super) fn id(input: &str) -> Option<(&str, u64)> {
    let property = |input, wanted| {
        let (rest, name) = token::string(token::try_symbol(input, ",")?).ok()?;
        (name == wanted).then_some(())?;
        token::try_symbol(rest, ":")
    };
    let (rest, class) = token::identifier(input).ok()?;
    (class == BY_ID).then_some(())?;
    let (rest, id) = token::number(property(rest, "object_id")?).ok()?;
    let id = id.int().filter(|_| id.is_int())?.cast_unsigned();
    let script = |rest| {
        let (rest, name) = token::identifier(property(rest, "script")?).ok()?;
        (name == "null").then_some(rest)
    };
    let rest = script(rest).unwrap_or(rest);
    Some((token::try_symbol(rest, ")")?, id))
}

/// Reads the path of `Resource("res://icon.png")`, from the parenthesis on. Godot 4.6 also writes
/// `Resource("uid://b7", "res://icon.png")`, in either order. Returns the path, which scripts use.
fn resource_path(input: &str) -> Parsed<'_, Cow<'_, str>> {
    let (rest, texts) = token::arguments(input, token::string)?;
    let is_uid = |text: &Cow<'_, str>| text.starts_with("uid://");
    match <[_; 2]>::try_from(texts) {
        Ok([uid, path]) if is_uid(&uid) && !is_uid(&path) => Ok((rest, path)),
        Ok([path, uid]) if is_uid(&uid) && !is_uid(&path) => Ok((rest, path)),
        Ok(_) => fault(first_argument(input), "one path and one `uid://`"),
        Err(mut texts) => match (texts.pop(), texts.is_empty()) {
            (Some(path), true) => Ok((rest, path)),
            (_, _) => fault(first_argument(input), "a path, or a `uid://` and a path"),
        },
    }
}

/// Reads `Resource("res://icon.png")`, from the parenthesis on.
pub(super) fn resource(input: &str) -> Parsed<'_, Variant> {
    let (rest, path) = resource_path(input)?;
    let mut object = Object::new("Resource");
    if let Some(properties) = object.properties_mut() {
        properties.push("resource_path", &*path);
    }
    Ok((rest, object.into()))
}

pub(super) fn element_type(input: &str) -> Parsed<'_, ElementType> {
    let (input, _) = token::spaces(input)?;
    if let Ok((rest, class)) = token::string(input) {
        return Ok((rest, ElementType::Class((*class).into())));
    }
    if let Ok((rest, number)) = token::number(input) {
        return match number.0.parse() {
            Ok(id) => Ok((rest, ElementType::Unknown(id))),
            Err(_) => fault(input, "a type"),
        };
    }
    let (rest, name) = token::identifier(input).or_else(|_| fault(input, "a type"))?;
    if let ("Resource", Some(_)) = (name, token::try_symbol(rest, "(")) {
        let (rest, path) = resource_path(rest)?;
        return Ok((rest, ElementType::Script((*path).into())));
    }
    let declared = match names::element_kind(name) {
        Some(kind) => ElementType::Builtin(kind),
        None if name == "Variant" => ElementType::Any,
        None => ElementType::Class(name.into()),
    };
    Ok((rest, declared))
}

/// The text after the parenthesis and whitespace.
fn first_argument(input: &str) -> &str {
    token::try_symbol(input, "(").unwrap_or(input).trim_start()
}

/// Reads the numbers of `kind` into wire form, then into a value.
fn of_numbers<'a>(input: &'a str, name: &str, kind: Kind) -> Parsed<'a, Variant> {
    let Some(shape) = kind.shape() else { return fault(input, "a value") };
    if kind == Kind::PackedByteArray
        && let Ok((rest, text)) = token::argument(input, token::string)
    {
        return match base64::decode(&text) {
            Some(bytes) => Ok((rest, bytes.into())),
            None => fault(first_argument(input), "base64"),
        };
    }
    let is_of_single_ints = shape.number.is_integer() && shape.count == 1;
    let item = |input| if is_of_single_ints { integer(input, shape) } else { token::number(input) };
    let (rest, numbers) = token::arguments(input, item)?;
    if !shape.fits(numbers.len()) {
        let times = if shape.is_packed { "a multiple of " } else { "" };
        let expected = format!("{times}{} numbers for {name}", shape.count);
        return wrong_count(input.trim_start(), expected, numbers.len());
    }
    let width = if numbers.iter().any(|number| is_wide(*number)) { Width::W64 } else { Width::W32 };
    let mut bytes = Vec::new();
    for &number in &numbers {
        if write(number, shape, width, &mut bytes).is_none() {
            // One of the numbers is not an integer of the type. Reads the arguments again to find that number.
            let (rest, _) = token::arguments(input, |input| integer(input, shape))?;
            return fault(rest, INT_32);
        }
    }
    let numbers = Numbers::from_wire(kind, width, &bytes);
    Ok((rest, numbers.map_or(Variant::Nil, |numbers| Variant::from_numbers(&numbers))))
}

/// Whether the number needs an `f64`; see [`super::from_text`].
fn is_wide(number: Number<'_>) -> bool {
    digits(number.0) > SINGLE_DIGITS && !is_single(number.f64())
}

/// Appends a number in wire form; `None` if it does not fit the type.
fn write(number: Number<'_>, shape: Shape, width: Width, bytes: &mut Vec<u8>) -> Option<()> {
    match shape.number.with_reals(width) {
        NumberType::Byte => bytes.push(u8::try_from(whole(number, shape)?).ok()?),
        NumberType::Int32 => {
            bytes.extend(i32::try_from(whole(number, shape)?).ok()?.to_le_bytes());
        }
        NumberType::Int64 => bytes.extend(whole(number, shape)?.to_le_bytes()),
        NumberType::Float32 | NumberType::Real => bytes.extend(number.f32().to_le_bytes()),
        NumberType::Float64 => bytes.extend(number.f64().to_le_bytes()),
    }
    Some(())
}

const INT_32: &str = "an integer of 32 bits";

/// Reads a number that must be an integer of the shape's type.
fn integer(input: &str, shape: Shape) -> Parsed<'_, Number<'_>> {
    let expected = match shape.number {
        NumberType::Byte => "a byte, 0 to 255",
        NumberType::Int32 => INT_32,
        _ => "an integer of 64 bits",
    };
    let (input, _) = token::spaces(input)?;
    let (rest, number) = token::number(input).or_else(|_| fault(input, expected))?;
    match write(number, shape, Width::W32, &mut Vec::new()) {
        Some(()) => Ok((rest, number)),
        None => fault(input, expected),
    }
}

/// The number as an integer. Pandemonium prints the integers of vectors through a float, such as `2.14748e+09`.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "the number is whole and in range"
)]
fn whole(number: Number<'_>, shape: Shape) -> Option<i64> {
    if shape.count == 1 || number.is_int() {
        return number.int();
    }
    let value = number.f64();
    let is_in_range = (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&value);
    (is_in_range && value.fract() == 0.0).then_some(value as i64)
}
