//! Reads the exact form.

use variant_view::{Kind, NumberType, Shape, Width};

use super::error::JsonErrorKind;
use super::fields::{Fault, Fields, Result, due, expected, hex, kind};
use super::numbers_in::{INTEGER, float_bits, integer, of_wire, wire_bytes};
use super::read::{Given, Grammar, Items, Pattern};
use super::tape::{Tape, Token};
use crate::array::{Array, ElementType, array_of};
use crate::dictionary::Dictionary;
use crate::leaf::{Float, Image, InputEvent, Int, NodePath, Signal};
use crate::object::Object;
use crate::text::Text;
use crate::variant::Variant;

pub(super) struct ExactIn;

impl Grammar for ExactIn {
    fn number(&self, tape: &Tape<'_>, at: usize) -> Result<Variant> {
        match integer(tape, at) {
            Ok(value) => Ok(Variant::Int(Int::new(value))),
            Err(Fault { kind: JsonErrorKind::Expected(what), at }) if what == INTEGER => {
                expected(FLOAT, at)
            }
            Err(fault) => Err(fault),
        }
    }

    fn object(&self, fields: Fields<'_, '_>) -> Result<Given> {
        let tape = fields.tape;
        let tag = fields.get("t")?;
        let name = due(tape.string(tag), "the name of a kind", tag)?;
        let kind = kind(&name, tag)?;
        Ok(match (kind, kind.shape()) {
            (Kind::Array | Kind::TypedArray | Kind::PackedTypedArray, _) => {
                only(fields, &["of", "shared", "v"])?;
                let mut array = Array::with_type(declared(fields, "of")?);
                array.set_shared(fields.flag("shared")?);
                (array_of(kind)(array), Some(Items::of(tape, fields.array("v")?, Pattern::Flat)))
            }
            (Kind::Dictionary, _) => {
                only(fields, &["key", "value", "shared", "v"])?;
                let mut dictionary = Dictionary::new();
                dictionary.set_types(declared(fields, "key")?, declared(fields, "value")?);
                dictionary.set_shared(fields.flag("shared")?);
                (dictionary.into(), Some(Items::of(tape, fields.array("v")?, Pattern::Pairs)))
            }
            (Kind::Object, _) if fields.find("class").is_some() => {
                only(fields, &["class", "v"])?;
                let object = Object::new(text(tape, fields.get("class")?)?);
                (object.into(), Some(Items::of(tape, fields.array("v")?, Pattern::NamedPairs)))
            }
            (_, Some(shape)) => (numbers(fields, kind, shape)?, None),
            (_, None) => (leaf(fields, kind, tag)?, None),
        })
    }

    fn name(&self, tape: &Tape<'_>, at: usize) -> Result<Text> {
        match tape.token(at) {
            Token::Object => text_fields(Fields { tape, at }, &["raw"]),
            _ => text(tape, at),
        }
    }

    fn raw(&self, tape: &Tape<'_>, at: usize) -> Result<Vec<u8>> {
        let raw = match tape.token(at) {
            Token::Object => Fields { tape, at }.find("raw"),
            _ => None,
        };
        raw.map_or(Ok(Vec::new()), |at| hex(tape, at))
    }
}

/// The expected JSON in the message about a number with a fraction. Floats need a tag, because tools with one number
/// type print 1.0 as 1.
const FLOAT: &str = "an integer, or {\"t\": \"float\", \"v\": \"1.5\"} for a float";

/// The fields that every tagged object may have.
const ALWAYS: &[&str] = &["t", "raw"];

/// Refuses fields of a tagged object that are neither in `names` nor in [`ALWAYS`].
fn only(fields: Fields<'_, '_>, names: &[&str]) -> Result<()> {
    fields.only(ALWAYS, names)
}

/// Reads a text: a string, or an object with the text or its bytes.
pub(super) fn text(tape: &Tape<'_>, at: usize) -> Result<Text> {
    match tape.token(at) {
        Token::String => Ok(Text::from(&*tape.characters(at))),
        Token::Object => text_fields(Fields { tape, at }, &[]),
        _ => expected("text", at),
    }
}

fn text_fields(fields: Fields<'_, '_>, always: &[&str]) -> Result<Text> {
    let tape = fields.tape;
    if let Some(at) = fields.find("hex") {
        fields.only(always, &["hex"])?;
        return hex(tape, at).map(|bytes| Text::from_bytes(&bytes));
    }
    fields.only(always, &["v"])?;
    tape.text(fields.get("v")?)
}

fn texts(fields: Fields<'_, '_>, name: &'static str) -> Result<Vec<Text>> {
    let at = fields.array(name)?;
    fields.tape.children(at).map(|at| text(fields.tape, at)).collect()
}

fn declared(fields: Fields<'_, '_>, name: &str) -> Result<ElementType> {
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
    inner.integer("unknown").map(ElementType::Unknown)
}

fn width(fields: Fields<'_, '_>) -> Result<Option<Width>> {
    let Some(at) = fields.find("w") else { return Ok(None) };
    match integer::<i64>(fields.tape, at) {
        Ok(32) => Ok(Some(Width::W32)),
        Ok(64) => Ok(Some(Width::W64)),
        _ => expected("32 or 64", at),
    }
}

fn numbers(fields: Fields<'_, '_>, kind: Kind, shape: Shape) -> Result<Variant> {
    let tape = fields.tape;
    if shape.number == NumberType::Byte {
        only(fields, &["hex"])?;
        return Ok(hex(tape, fields.get("hex")?)?.into());
    }
    only(fields, if shape.number == NumberType::Real { &["w", "v"] } else { &["v"] })?;
    let width = width(fields)?.unwrap_or(Width::W32);
    let at = fields.array("v")?;
    let bytes = wire_bytes(tape, tape.children(at), shape.number.with_reals(width), false)?;
    of_wire(kind, shape, width, &bytes, at)
}

/// The fields that a value of this kind may have. `None` for kinds that are not leaves of the exact form.
fn names(fields: Fields<'_, '_>, kind: Kind) -> Option<&'static [&'static str]> {
    Some(match kind {
        Kind::Nil | Kind::Callable => &[],
        Kind::Int | Kind::Float => &["w", "v"],
        Kind::String | Kind::StringName if fields.find("hex").is_some() => &["hex"],
        Kind::Bool | Kind::Rid | Kind::String | Kind::StringName | Kind::PackedStringArray => {
            &["v"]
        }
        Kind::NodePath if fields.find("plain").is_some() => &["plain"],
        Kind::NodePath => &["absolute", "property", "names", "subnames"],
        Kind::Object => &["id"],
        Kind::Signal => &["v", "id"],
        Kind::Image => &["format", "mipmaps", "width", "height", "hex"],
        Kind::InputEvent => &["event", "device", "hex"],
        _ => return None,
    })
}

fn leaf(fields: Fields<'_, '_>, kind: Kind, tag: usize) -> Result<Variant> {
    let names = due(names(fields, kind), "a kind that is written with a tag", tag)?;
    only(fields, names)?;
    let tape = fields.tape;
    Ok(match kind {
        Kind::Bool => {
            fields.get("v")?;
            fields.flag("v")?.into()
        }
        Kind::Int => {
            let width = width(fields)?.unwrap_or(Width::W32);
            Variant::Int(Int::with_width(fields.integer("v")?, width))
        }
        Kind::Float => Variant::Float(float(fields)?),
        Kind::String => Variant::String(text_fields(fields, ALWAYS)?),
        Kind::StringName => Variant::StringName(text_fields(fields, ALWAYS)?),
        Kind::NodePath => node_path(fields)?.into(),
        Kind::Rid => Variant::Rid(fields.integer("v")?),
        Kind::Callable => Variant::Callable,
        Kind::Object if fields.find("id").is_some() => Object::Id(fields.integer("id")?).into(),
        Kind::Object => Object::Null.into(),
        Kind::PackedStringArray => Variant::PackedStringArray(texts(fields, "v")?),
        Kind::Signal => {
            let name = text(tape, fields.get("v")?)?;
            Signal { name, object_id: fields.integer("id")? }.into()
        }
        Kind::Image => Variant::Image(Box::new(Image {
            format: fields.integer("format")?,
            mipmaps: fields.integer("mipmaps")?,
            width: fields.integer("width")?,
            height: fields.integer("height")?,
            data: hex(tape, fields.get("hex")?)?,
        })),
        Kind::InputEvent => Variant::InputEvent(Box::new(InputEvent {
            event: fields.integer("event")?,
            device: fields.integer("device")?,
            payload: hex(tape, fields.get("hex")?)?,
        })),
        _ => Variant::Nil,
    })
}

/// Reads a float. If the JSON gives no width, the number of digits decides the width of a NaN, and any other float has
/// the width that the engine's writer picks.
fn float(fields: Fields<'_, '_>) -> Result<Float> {
    let at = fields.get("v")?;
    let text = fields.tape.characters(at);
    let width = match (width(fields)?, text.strip_prefix("nan:")) {
        (None, Some(digits)) if digits.len() == 8 => Some(Width::W32),
        (None, Some(_)) => Some(Width::W64),
        (width, _) => width,
    };
    let bits = float_bits(fields.tape, at, width.unwrap_or(Width::W64))?;
    Ok(match width {
        Some(width) => Float::from_wire(bits, width),
        None => Float::new(f64::from_bits(bits)),
    })
}

fn node_path(fields: Fields<'_, '_>) -> Result<NodePath> {
    if let Some(at) = fields.find("plain") {
        return Ok(NodePath { plain: Some(text(fields.tape, at)?), ..NodePath::default() });
    }
    Ok(NodePath {
        names: texts(fields, "names")?,
        subnames: texts(fields, "subnames")?,
        is_absolute: fields.flag("absolute")?,
        has_property: fields.flag("property")?,
        plain: None,
    })
}
