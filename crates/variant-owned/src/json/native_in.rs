//! Reads the form of Godot's `JSON.from_native`.

use variant_view::{Kind, Shape, Width};

use super::error::JsonErrorKind;
use super::fields::{Fields, Result, due, expected, fault, kind};
use super::native::{BY_ID, place_in_form};
use super::numbers_in::{of_wire, wanted, wire_bytes};
use super::read::{Given, Grammar, Items, Pattern};
use super::tape::Tape;
use crate::array::{Array, ElementType};
use crate::dictionary::Dictionary;
use crate::leaf::{Float, Int, NodePath};
use crate::object::Object;
use crate::variant::Variant;

pub(super) struct NativeIn;

impl Grammar for NativeIn {
    fn number(&self, _: &Tape<'_>, at: usize) -> Result<Variant> {
        expected("a string with a prefix, such as \"i:5\"", at)
    }

    /// Reads an integer, a float, a text or a path by its prefix.
    fn string(&self, tape: &Tape<'_>, at: usize) -> Result<Variant> {
        let text = tape.characters(at);
        let Some((prefix, rest)) = text.split_once(':') else {
            return expected("a prefix, such as \"s:\"", at);
        };
        Ok(match prefix {
            "i" => match rest.parse() {
                Ok(value) => Variant::Int(Int::new(value)),
                Err(_) => return fault(JsonErrorKind::OutOfRange, at),
            },
            "f" => match rest.parse() {
                Ok(value) => Variant::Float(Float::new(value)),
                Err(_) => return expected("a float", at),
            },
            "s" => Variant::String(rest.into()),
            "sn" => Variant::StringName(rest.into()),
            "np" => NodePath::parse(rest).into(),
            _ => return expected("a prefix: i, f, s, sn or np", at),
        })
    }

    fn object(&self, fields: Fields<'_, '_>) -> Result<Given> {
        let tape = fields.tape;
        let tag = fields.get("type")?;
        let name = due(tape.string(tag), "the name of a type", tag)?;
        if fields.find("props").is_some() {
            return object(fields, &name);
        }
        let kind = kind(&name, tag)?;
        Ok(match (kind, kind.shape()) {
            (Kind::Array, _) => {
                fields.only(&[], &["type", "elem_type", "args"])?;
                let array = Array::with_type(container_type(fields, "elem_type")?);
                (array.into(), Some(Items::of(tape, fields.array("args")?, Pattern::Flat)))
            }
            (Kind::Dictionary, _) => {
                fields.only(&[], &["type", "key_type", "value_type", "args"])?;
                let key_type = container_type(fields, "key_type")?;
                let mut dictionary = Dictionary::new();
                dictionary.set_types(key_type, container_type(fields, "value_type")?);
                let args = even(fields, "args", "a value for each key")?;
                (dictionary.into(), Some(Items::of(tape, args, Pattern::Turns)))
            }
            (_, Some(shape)) => (numbers(fields, kind, shape)?, None),
            (_, None) => (leaf(fields, kind, tag)?, None),
        })
    }
}

/// A field whose array alternates keys and values, or names and values.
fn even(fields: Fields<'_, '_>, name: &'static str, missing: &'static str) -> Result<usize> {
    let at = fields.array(name)?;
    let is_even = fields.tape.node(at).len.is_multiple_of(2);
    if is_even { Ok(at) } else { expected(missing, at) }
}

fn leaf(fields: Fields<'_, '_>, kind: Kind, tag: usize) -> Result<Variant> {
    let tape = fields.tape;
    let value = match kind {
        Kind::PackedStringArray => {
            fields.only(&[], &["type", "args"])?;
            let texts = tape.children(fields.array("args")?).map(|at| tape.text(at));
            return texts.collect::<Result<_>>().map(Variant::PackedStringArray);
        }
        Kind::Rid => Variant::Rid(0),
        Kind::Callable => Variant::Callable,
        Kind::Signal => Variant::Signal(Box::default()),
        _ => return expected("a type that is written with args", tag),
    };
    fields.only(&[], &["type"]).map(|()| value)
}

fn numbers(fields: Fields<'_, '_>, kind: Kind, shape: Shape) -> Result<Variant> {
    fields.only(&[], &["type", "args"])?;
    let at = fields.array("args")?;
    let args: Vec<_> = fields.tape.children(at).collect();
    if !shape.fits(args.len()) {
        return expected(wanted(shape), at);
    }
    let nodes = (0..args.len()).filter_map(|place| args.get(place_in_form(kind, place)).copied());
    let number = shape.number.with_reals(Width::W32);
    let bytes = wire_bytes(fields.tape, nodes, number, true)?;
    of_wire(kind, shape, Width::W32, &bytes, at)
}

fn object(fields: Fields<'_, '_>, class: &str) -> Result<Given> {
    fields.only(&[], &["type", "props"])?;
    let props = even(fields, "props", "a value for each name")?;
    Ok(match id_of(fields.tape, class, props) {
        Some(id) => (Object::Id(id).into(), None),
        None => (Object::new(class).into(), Some(Items::of(fields.tape, props, Pattern::Named))),
    })
}

/// The id, if the object is stored by id.
fn id_of(tape: &Tape<'_>, class: &str, props: usize) -> Option<u64> {
    if class != BY_ID || tape.node(props).len != 2 {
        return None;
    }
    let mut parts = tape.children(props);
    if !tape.is(parts.next()?, "object_id") {
        return None;
    }
    let id = tape.string(parts.next()?)?;
    id.strip_prefix("i:")?.parse().ok().map(i64::cast_unsigned)
}

/// Reads an element type as the engine does: a script if it starts with `res://`, a kind by its name,
/// otherwise a class.
fn container_type(fields: Fields<'_, '_>, name: &str) -> Result<ElementType> {
    let Some(at) = fields.find(name) else { return Ok(ElementType::Any) };
    let text = due(fields.tape.string(at), "the name of a type", at)?;
    if text.starts_with("res://") {
        return Ok(ElementType::Script(text.into()));
    }
    Ok(match kind(&text, at) {
        Ok(kind) if kind != Kind::Object => ElementType::Builtin(kind),
        _ => ElementType::Class(text.into()),
    })
}
