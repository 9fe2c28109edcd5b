//! In from the exact form.

use variant_view::{Kind, Real as _, Width};

use super::error::JsonErrorKind;
use super::lanes::{self, Lane, Layout};
use super::read::{
    Fault, Fields, Grammar, Items, Piece, array_of, class, expected, fault, hex, kind,
};
use super::tape::{Tape, Token};
use crate::array::ElementType;
use crate::dictionary::Dictionary;
use crate::leaf::{Float, Image, InputEvent, Int, NodePath, Signal};
use crate::object::Object;
use crate::text::Text;
use crate::variant::Variant;

type Result<T, E = Fault> = std::result::Result<T, E>;

pub(super) struct ExactIn;

impl Grammar for ExactIn {
    fn piece(&self, tape: &Tape<'_>, at: usize) -> Result<Piece> {
        Ok(Piece::Leaf(match tape.token(at) {
            Token::Null => Variant::Nil,
            Token::Bool(value) => Variant::Bool(value),
            Token::String => Variant::String(text(tape, at)?),
            Token::Number => bare_number(tape, at)?,
            Token::Array => {
                let array = array_of(ElementType::Any, false);
                return Ok(Piece::Array(Kind::Array, array, Items::flat(tape, at)));
            }
            Token::Object => return tagged(&Fields { tape, at }),
        }))
    }

    fn name(&self, tape: &Tape<'_>, at: usize) -> Result<Text> {
        text(tape, at)
    }
}

/// Text, or an object of its bytes.
fn text(tape: &Tape<'_>, at: usize) -> Result<Text> {
    match tape.token(at) {
        Token::String => Ok(tape.string(at).unwrap_or_default().into()),
        Token::Object => {
            let fields = Fields { tape, at };
            fields.only(&["hex"])?;
            Ok(Text::from_bytes(&hex(tape, fields.get("hex")?)?))
        }
        _ => expected("text", at),
    }
}

fn bare_number(tape: &Tape<'_>, at: usize) -> Result<Variant> {
    let source = tape.source(at);
    if !source.contains(['.', 'e', 'E']) {
        return Ok(Variant::Int(Int::new(integer(tape, at)?)));
    }
    match source.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Variant::Float(Float::new(value))),
        _ => fault(JsonErrorKind::OutOfRange, at),
    }
}

/// A number, or a string of one.
fn integer<T: TryFrom<i128>>(tape: &Tape<'_>, at: usize) -> Result<T> {
    let source = match tape.token(at) {
        Token::Number | Token::String => tape.source(at),
        _ => return expected("an integer", at),
    };
    let is_integer = source.strip_prefix('-').unwrap_or(source).bytes().all(|b| b.is_ascii_digit());
    if !is_integer || source.is_empty() {
        return expected("an integer", at);
    }
    match source.parse::<i128>().ok().and_then(|value| T::try_from(value).ok()) {
        Some(value) => Ok(value),
        None => fault(JsonErrorKind::OutOfRange, at),
    }
}

/// The bits of a float whose width is known.
fn float_bits(tape: &Tape<'_>, at: usize, width: Width) -> Result<u64> {
    let source = tape.source(at);
    let value = match (tape.token(at), source, width) {
        (Token::String, "inf", Width::W32) => return Ok(f32::INFINITY.to_bits().into()),
        (Token::String, "-inf", Width::W32) => return Ok(f32::NEG_INFINITY.to_bits().into()),
        (Token::String, "inf", Width::W64) => return Ok(f64::INFINITY.to_bits()),
        (Token::String, "-inf", Width::W64) => return Ok(f64::NEG_INFINITY.to_bits()),
        (Token::String, ..) => return nan(tape, at, width),
        (Token::Number, source, Width::W32) => {
            source.parse::<f32>().ok().filter(|v| v.is_finite()).map(|v| v.to_bits().into())
        }
        (Token::Number, source, Width::W64) => {
            source.parse::<f64>().ok().filter(|v| v.is_finite()).map(f64::to_bits)
        }
        _ => return expected("a number, \"inf\", \"-inf\" or \"nan:\" and its bits", at),
    };
    match value {
        Some(bits) => Ok(bits),
        None => fault(JsonErrorKind::OutOfRange, at),
    }
}

/// A NaN by its bits.
fn nan(tape: &Tape<'_>, at: usize, width: Width) -> Result<u64> {
    let digits = tape.source(at).strip_prefix("nan:").unwrap_or_default();
    let wanted = match width {
        Width::W32 => 8,
        Width::W64 => 16,
    };
    let is_hex = digits.len() == wanted && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let bits = u64::from_str_radix(digits, 16).ok().filter(|_| is_hex);
    let is_nan = |bits: &u64| match width {
        Width::W32 => u32::try_from(*bits).is_ok_and(|bits| f32::from_bits(bits).is_nan()),
        Width::W64 => f64::from_bits(*bits).is_nan(),
    };
    match bits.filter(is_nan) {
        Some(bits) => Ok(bits),
        None => expected("\"inf\", \"-inf\" or \"nan:\" and the 8 or 16 digits of its bits", at),
    }
}

fn width(fields: &Fields<'_, '_>) -> Result<Option<Width>> {
    match fields.find("w") {
        None => Ok(None),
        Some(at) if fields.tape.token(at) == Token::Number => match fields.tape.source(at) {
            "32" => Ok(Some(Width::W32)),
            "64" => Ok(Some(Width::W64)),
            _ => expected("32 or 64", at),
        },
        Some(at) => expected("32 or 64", at),
    }
}

fn tagged(fields: &Fields<'_, '_>) -> Result<Piece> {
    let tape = fields.tape;
    let tag = fields.get("t")?;
    let Some(name) = tape.string(tag) else { return expected("the name of a kind", tag) };
    let kind = kind(&name, tag)?;
    match kind {
        Kind::Array | Kind::TypedArray | Kind::PackedTypedArray => {
            fields.only(&["t", "of", "shared", "v"])?;
            let array = array_of(declared(fields, "of")?, fields.flag("shared")?);
            Ok(Piece::Array(kind, array, Items::flat(tape, fields.array("v")?)))
        }
        Kind::Dictionary => {
            fields.only(&["t", "key", "value", "shared", "v"])?;
            let mut dictionary = Dictionary::new();
            dictionary.set_types(declared(fields, "key")?, declared(fields, "value")?);
            dictionary.set_shared(fields.flag("shared")?);
            Ok(Piece::Dictionary(dictionary, Items::pairs(tape, fields.array("v")?)))
        }
        Kind::Object => object(fields),
        _ => match lanes::layout(kind) {
            Some(layout) => numbers(fields, kind, layout).map(Piece::Leaf),
            None => leaf(fields, kind, tag).map(Piece::Leaf),
        },
    }
}

fn object(fields: &Fields<'_, '_>) -> Result<Piece> {
    let tape = fields.tape;
    if let Some(at) = fields.find("class") {
        fields.only(&["t", "class", "v"])?;
        let class = class(text(tape, at)?, at)?;
        return Ok(Piece::Object(class, Items::named_pairs(tape, fields.array("v")?)));
    }
    fields.only(&["t", "id"])?;
    let object = match fields.find("id") {
        Some(at) => Object::Id(integer(tape, at)?),
        None => Object::Null,
    };
    Ok(Piece::Leaf(Variant::Object(Box::new(object))))
}

/// A declared type.
fn declared(fields: &Fields<'_, '_>, name: &str) -> Result<ElementType> {
    let Some(at) = fields.find(name) else { return Ok(ElementType::Any) };
    let tape = fields.tape;
    if let Some(name) = tape.string(at) {
        return kind(&name, at).map(ElementType::Builtin);
    }
    let inner = Fields { tape, at };
    if tape.token(at) != Token::Object || tape.node(at).len != 1 {
        return expected("a kind, or an object of a class, a script or a number", at);
    }
    if let Some(at) = inner.find("class") {
        return text(tape, at).map(ElementType::Class);
    }
    if let Some(at) = inner.find("script") {
        return text(tape, at).map(ElementType::Script);
    }
    integer(tape, inner.get("unknown")?).map(ElementType::Unknown)
}

fn numbers(fields: &Fields<'_, '_>, kind: Kind, layout: Layout) -> Result<Variant> {
    let tape = fields.tape;
    if layout.lane == Lane::Byte {
        fields.only(&["t", "hex"])?;
        return Ok(Variant::PackedByteArray(hex(tape, fields.get("hex")?)?));
    }
    let names: &[&str] = if layout.lane == Lane::Real { &["t", "w", "v"] } else { &["t", "v"] };
    fields.only(names)?;
    let width = width(fields)?.unwrap_or(Width::W32);
    let at = fields.array("v")?;
    let lane = layout.lane.of_width(width);
    let bytes = lane_bytes(tape, tape.children(at), lane, false)?;
    let len = tape.node(at).len;
    let fits = if layout.is_pool { len.is_multiple_of(layout.count) } else { len == layout.count };
    match lanes::value(kind, width, &bytes) {
        Some(value) if fits => Ok(value),
        _ => expected("another number of numbers", at),
    }
}

/// Numbers as they stand on the wire; too large ones become infinite only if that is allowed.
pub(super) fn lane_bytes(
    tape: &Tape<'_>,
    nodes: impl Iterator<Item = usize>,
    lane: Lane,
    may_overflow: bool,
) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for at in nodes {
        match lane {
            Lane::Byte => bytes.push(integer(tape, at)?),
            Lane::Int32 => bytes.extend_from_slice(&integer::<i32>(tape, at)?.to_le_bytes()),
            Lane::Int64 => bytes.extend_from_slice(&integer::<i64>(tape, at)?.to_le_bytes()),
            Lane::Float32 | Lane::Real => {
                let bits = lane_bits(tape, at, Width::W32, may_overflow)?;
                bytes.extend(bits.to_le_bytes().into_iter().take(4));
            }
            Lane::Float64 => {
                bytes.extend_from_slice(
                    &lane_bits(tape, at, Width::W64, may_overflow)?.to_le_bytes(),
                );
            }
        }
    }
    Ok(bytes)
}

/// The engine's own form has infinities as numbers too large, and NaNs as null.
fn lane_bits(tape: &Tape<'_>, at: usize, width: Width, may_overflow: bool) -> Result<u64> {
    let value = match tape.token(at) {
        Token::Number => tape.source(at).parse::<f64>().ok(),
        Token::Null => Some(f64::NAN),
        _ => None,
    };
    match (value.filter(|_| may_overflow), width) {
        (None, _) => float_bits(tape, at, width),
        (Some(value), Width::W32) => Ok(f32::narrow(value).to_bits().into()),
        (Some(value), Width::W64) => Ok(value.to_bits()),
    }
}

fn leaf(fields: &Fields<'_, '_>, kind: Kind, tag: usize) -> Result<Variant> {
    let tape = fields.tape;
    let only_value = |value| {
        fields.only(&["t", value])?;
        fields.get(value)
    };
    Ok(match kind {
        Kind::String => Variant::String(Text::from_bytes(&hex(tape, only_value("hex")?)?)),
        Kind::StringName => Variant::StringName(text(tape, only_value("v")?)?),
        Kind::Rid => Variant::Rid(integer(tape, only_value("v")?)?),
        Kind::PackedStringArray => {
            only_value("v")?;
            Variant::PackedStringArray(texts(fields, "v")?)
        }
        Kind::Callable => {
            fields.only(&["t"])?;
            Variant::Callable
        }
        Kind::Int => {
            fields.only(&["t", "w", "v"])?;
            let width = width(fields)?.unwrap_or(Width::W32);
            Variant::Int(Int::with_width(integer(tape, fields.get("v")?)?, width))
        }
        Kind::Float => Variant::Float(float(fields)?),
        Kind::Signal => {
            fields.only(&["t", "v", "id"])?;
            let name = text(tape, fields.get("v")?)?;
            let object_id = integer(tape, fields.get("id")?)?;
            Variant::Signal(Box::new(Signal { name, object_id }))
        }
        Kind::NodePath => Variant::NodePath(Box::new(node_path(fields)?)),
        Kind::Image => {
            fields.only(&["t", "format", "mipmaps", "width", "height", "hex"])?;
            let number = |name| integer(tape, fields.get(name)?);
            Variant::Image(Box::new(Image {
                format: number("format")?,
                mipmaps: number("mipmaps")?,
                width: number("width")?,
                height: number("height")?,
                data: hex(tape, fields.get("hex")?)?,
            }))
        }
        Kind::InputEvent => {
            fields.only(&["t", "event", "device", "hex"])?;
            Variant::InputEvent(Box::new(InputEvent {
                event: integer(tape, fields.get("event")?)?,
                device: integer(tape, fields.get("device")?)?,
                payload: hex(tape, fields.get("hex")?)?,
            }))
        }
        _ => return expected("a kind that is written with a tag", tag),
    })
}

/// Without a width, in the one that the writer picks; a NaN in that of its digits.
fn float(fields: &Fields<'_, '_>) -> Result<Float> {
    fields.only(&["t", "w", "v"])?;
    let at = fields.get("v")?;
    let is_narrow_nan = fields.tape.source(at).len() == "nan:".len().saturating_add(8);
    let is_text = fields.tape.token(at) == Token::String;
    match width(fields)? {
        Some(width) => Ok(Float::from_wire(float_bits(fields.tape, at, width)?, width)),
        None if is_text && is_narrow_nan => {
            Ok(Float::from_wire(float_bits(fields.tape, at, Width::W32)?, Width::W32))
        }
        None => {
            let bits = float_bits(fields.tape, at, Width::W64)?;
            let value = f64::from_bits(bits);
            Ok(if value.is_nan() { Float::from_wire(bits, Width::W64) } else { Float::new(value) })
        }
    }
}

fn node_path(fields: &Fields<'_, '_>) -> Result<NodePath> {
    if let Some(at) = fields.find("plain") {
        fields.only(&["t", "plain"])?;
        return Ok(NodePath { plain: Some(text(fields.tape, at)?), ..NodePath::default() });
    }
    fields.only(&["t", "absolute", "property", "names", "subnames"])?;
    Ok(NodePath {
        names: texts(fields, "names")?,
        subnames: texts(fields, "subnames")?,
        is_absolute: fields.flag("absolute")?,
        has_property: fields.flag("property")?,
        plain: None,
    })
}

fn texts(fields: &Fields<'_, '_>, name: &'static str) -> Result<Vec<Text>> {
    let at = fields.array(name)?;
    fields.tape.children(at).map(|at| text(fields.tape, at)).collect()
}
