//! The form of Godot's `JSON.from_native`, read.

use variant_view::{
    ArrayHead, Consumer, DictionaryHead, ElementType, Head, Kind, Leaf, Numbers, ObjectHead, Shape,
    Texts, Width,
};

use super::error::JsonErrorKind;
use super::fields::{Fields, Result, expected, fault, kind};
use super::native::{BY_ID, place_in_form};
use super::numbers_in::{wanted, wire_bytes};
use super::plain_in::{float, int};
use super::read::{Given, Grammar, Items, enter, enter_array, leaf};
use super::tape::{Tape, Token};
use crate::leaf::NodePath;
use crate::variant::Variant;

pub(super) struct NativeIn;

impl Grammar for NativeIn {
    fn value<C: Consumer>(&self, tape: &Tape<'_>, at: usize, consumer: &mut C) -> Given<C> {
        match tape.token(at) {
            Token::Null => leaf(consumer, Leaf::Nil),
            Token::Bool(value) => leaf(consumer, Leaf::Bool(value)),
            Token::String => prefixed(&tape.characters(at), at, consumer),
            Token::Number => expected("a string with a prefix, such as \"i:5\"", at)?,
            Token::Array => enter_array(consumer, tape, at),
            Token::Object => tagged(Fields { tape, at }, consumer),
        }
    }
}

/// A number, a text or a path.
fn prefixed<C: Consumer>(text: &str, at: usize, consumer: &mut C) -> Given<C> {
    let Some((prefix, rest)) = text.split_once(':') else {
        return expected("a prefix, such as \"s:\"", at)?;
    };
    let value = match prefix {
        "i" => match rest.parse() {
            Ok(value) => int(value),
            Err(_) => return fault(JsonErrorKind::OutOfRange, at)?,
        },
        "f" => match rest.parse() {
            Ok(value) => float(value),
            Err(_) => return expected("a float", at)?,
        },
        "s" => Leaf::String(rest.as_bytes()),
        "sn" => Leaf::StringName(rest.as_bytes()),
        "np" => {
            let path = Variant::NodePath(Box::new(NodePath::parse(rest)));
            return path.with_leaf(|path| leaf(consumer, path));
        }
        _ => return expected("a prefix: i, f, s, sn or np", at)?,
    };
    leaf(consumer, value)
}

fn tagged<C: Consumer>(fields: Fields<'_, '_>, consumer: &mut C) -> Given<C> {
    let tape = fields.tape;
    let tag = fields.get("type")?;
    let Some(name) = tape.string(tag) else { return expected("the name of a type", tag)? };
    if fields.find("props").is_some() {
        return object(fields, &name, consumer);
    }
    let kind = kind(&name, tag)?;
    match (kind, kind.shape()) {
        (Kind::Array, _) => {
            fields.only(&[], &["type", "elem_type", "args"])?;
            let element_type = container_type(fields, "elem_type")?;
            let items = Items::flat(tape, fields.array("args")?);
            let element_type = element_type.as_ref().map(String::as_bytes);
            let len = Some(items.count);
            let head = ArrayHead { element_type, len, ..ArrayHead::default() };
            enter(consumer, Head::Array(head), items)
        }
        (Kind::Dictionary, _) => dictionary(fields, consumer),
        (_, Some(shape)) => numbers(fields, kind, shape, consumer),
        (_, None) => tagged_leaf(fields, kind, tag, consumer),
    }
}

fn dictionary<C: Consumer>(fields: Fields<'_, '_>, consumer: &mut C) -> Given<C> {
    fields.only(&[], &["type", "key_type", "value_type", "args"])?;
    let key = container_type(fields, "key_type")?;
    let value = container_type(fields, "value_type")?;
    let args = fields.array("args")?;
    let items = Items::flat(fields.tape, args);
    if !items.count.is_multiple_of(2) {
        return expected("a value for each key", args)?;
    }
    let head = DictionaryHead {
        key_type: key.as_ref().map(String::as_bytes),
        value_type: value.as_ref().map(String::as_bytes),
        len: Some(items.count / 2),
        ..DictionaryHead::default()
    };
    enter(consumer, Head::Dictionary(head), items)
}

fn tagged_leaf<C: Consumer>(
    fields: Fields<'_, '_>,
    kind: Kind,
    tag: usize,
    consumer: &mut C,
) -> Given<C> {
    let tape = fields.tape;
    let value = match kind {
        Kind::PackedStringArray => {
            fields.only(&[], &["type", "args"])?;
            let text = |at| match tape.string(at) {
                Some(text) => Ok(text),
                None => expected("a string", at),
            };
            let texts: Result<Vec<_>> = tape.children(fields.array("args")?).map(text).collect();
            return leaf(consumer, Leaf::Strings(Texts::of(&&*texts?)));
        }
        Kind::Rid => Leaf::Rid(0),
        Kind::Callable => Leaf::Callable,
        Kind::Signal => Leaf::Signal { name: b"", object_id: 0 },
        _ => return expected("a type that is written with args", tag)?,
    };
    fields.only(&[], &["type"])?;
    leaf(consumer, value)
}

fn numbers<C: Consumer>(
    fields: Fields<'_, '_>,
    kind: Kind,
    shape: Shape,
    consumer: &mut C,
) -> Given<C> {
    fields.only(&[], &["type", "args"])?;
    let at = fields.array("args")?;
    let args: Vec<_> = fields.tape.children(at).collect();
    if !shape.fits(args.len()) {
        return expected(wanted(shape), at)?;
    }
    let nodes = (0..args.len()).filter_map(|place| args.get(place_in_form(kind, place)).copied());
    let number = shape.number.with_reals(Width::W32);
    let bytes = wire_bytes(fields.tape, nodes, number, true)?;
    match Numbers::from_wire(kind, Width::W32, &bytes) {
        Some(numbers) => leaf(consumer, Leaf::Numbers(numbers)),
        None => expected(wanted(shape), at)?,
    }
}

fn object<C: Consumer>(fields: Fields<'_, '_>, name: &str, consumer: &mut C) -> Given<C> {
    fields.only(&[], &["type", "props"])?;
    let tape = fields.tape;
    let props = fields.array("props")?;
    if !tape.node(props).len.is_multiple_of(2) {
        return expected("a value for each name", props)?;
    }
    if let Some(id) = id_of(tape, name, props) {
        return leaf(consumer, Leaf::ObjectId(id));
    }
    let items = Items::named(tape, props);
    let head = ObjectHead { len: Some(items.count), ..ObjectHead::new(name.as_bytes()) };
    enter(consumer, Head::Object(head), items)
}

/// The id of an object that is given by it.
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

/// As the engine guesses it: a type, a script by its path, or else a class.
fn container_type(fields: Fields<'_, '_>, name: &str) -> Result<ElementType<String>> {
    let Some(at) = fields.find(name) else { return Ok(ElementType::Any) };
    let Some(text) = fields.tape.string(at) else { return expected("the name of a type", at) };
    if text.starts_with("res://") {
        return Ok(ElementType::Script(text));
    }
    Ok(match kind(&text, at) {
        Ok(kind) if kind != Kind::Object => ElementType::Builtin(kind),
        _ => ElementType::Class(text),
    })
}
