//! The exact form, read.

use variant_view::{
    ArrayHead, Consumer, DictionaryHead, ElementType, Head, ImageLeaf, Kind, Leaf, NodePathLeaf,
    NumberType, Numbers, ObjectHead, Shape, Texts, Width,
};

use super::error::JsonErrorKind;
use super::fields::{Fault, Fields, Result, expected, hex, kind};
use super::numbers_in::{INTEGER, float_bits, integer, wanted, wire_bytes};
use super::plain_in::{float, int};
use super::read::{Given, Grammar, Items, enter, enter_array, leaf};
use super::tape::{Tape, Token};
use crate::leaf::Int;

pub(super) struct ExactIn;

impl Grammar for ExactIn {
    fn value<C: Consumer>(&self, tape: &Tape<'_>, at: usize, consumer: &mut C) -> Given<C> {
        let value = match tape.token(at) {
            Token::Null => Leaf::Nil,
            Token::Bool(value) => Leaf::Bool(value),
            Token::String => return leaf(consumer, Leaf::String(tape.characters(at).as_bytes())),
            Token::Number => match integer(tape, at) {
                Ok(value) => int(value),
                Err(Fault { kind: JsonErrorKind::Expected(what), at }) if what == INTEGER => {
                    return expected(FLOAT, at)?;
                }
                Err(fault) => return Err(fault.into()),
            },
            Token::Array => return enter_array(consumer, tape, at),
            Token::Object => return tagged(Fields { tape, at }, consumer),
        };
        leaf(consumer, value)
    }

    fn name(&self, tape: &Tape<'_>, at: usize) -> Result<Vec<u8>> {
        if tape.token(at) != Token::Object {
            return text(tape, at);
        }
        text_fields(Fields { tape, at }, &["raw"])
    }

    fn raw(&self, tape: &Tape<'_>, at: usize) -> Result<Vec<u8>> {
        let raw = match tape.token(at) {
            Token::Object => Fields { tape, at }.find("raw"),
            _ => None,
        };
        raw.map_or(Ok(Vec::new()), |at| hex(tape, at))
    }
}

/// What to write instead of a number that is no integer: some tools have one kind of number, and print 1.0 as 1.
const FLOAT: &str = "an integer, or {\"t\": \"float\", \"v\": \"1.5\"} for a float";

/// Refuses all fields of a tagged object but these.
fn only(fields: Fields<'_, '_>, names: &[&str]) -> Result<()> {
    fields.only(&["t", "raw"], names)
}

/// Text, or an object of it or of its bytes.
pub(super) fn text(tape: &Tape<'_>, at: usize) -> Result<Vec<u8>> {
    match tape.token(at) {
        Token::String => Ok(tape.characters(at).into_owned().into_bytes()),
        Token::Object => text_fields(Fields { tape, at }, &[]),
        _ => expected("text", at),
    }
}

fn text_fields(fields: Fields<'_, '_>, always: &[&str]) -> Result<Vec<u8>> {
    let tape = fields.tape;
    if let Some(at) = fields.find("hex") {
        fields.only(always, &["hex"])?;
        return hex(tape, at);
    }
    fields.only(always, &["v"])?;
    let at = fields.get("v")?;
    match tape.string(at) {
        Some(text) => Ok(text.into_bytes()),
        None => expected("a string", at),
    }
}

fn texts(fields: Fields<'_, '_>, name: &'static str) -> Result<Vec<Vec<u8>>> {
    let at = fields.array(name)?;
    fields.tape.children(at).map(|at| text(fields.tape, at)).collect()
}

fn tagged<C: Consumer>(fields: Fields<'_, '_>, consumer: &mut C) -> Given<C> {
    let tape = fields.tape;
    let tag = fields.get("t")?;
    let Some(name) = tape.string(tag) else { return expected("the name of a kind", tag)? };
    let kind = kind(&name, tag)?;
    match (kind, kind.shape()) {
        (Kind::Array | Kind::TypedArray | Kind::PackedTypedArray, _) => {
            array(fields, kind, consumer)
        }
        (Kind::Dictionary, _) => dictionary(fields, consumer),
        (Kind::Object, _) => object(fields, consumer),
        (_, Some(shape)) => numbers(fields, kind, shape, consumer),
        (_, None) => tagged_leaf(fields, kind, tag, consumer),
    }
}

fn array<C: Consumer>(fields: Fields<'_, '_>, kind: Kind, consumer: &mut C) -> Given<C> {
    only(fields, &["of", "shared", "v"])?;
    let declared = declared(fields, "of")?;
    let is_shared = fields.flag("shared")?;
    let items = Items::flat(fields.tape, fields.array("v")?);
    let element_type = declared.as_ref().map(Vec::as_slice);
    let head = ArrayHead { kind, element_type, is_shared, len: Some(items.count) };
    enter(consumer, Head::Array(head), items)
}

fn dictionary<C: Consumer>(fields: Fields<'_, '_>, consumer: &mut C) -> Given<C> {
    only(fields, &["key", "value", "shared", "v"])?;
    let (key, value) = (declared(fields, "key")?, declared(fields, "value")?);
    let is_shared = fields.flag("shared")?;
    let items = Items::pairs(fields.tape, fields.array("v")?);
    let head = DictionaryHead {
        key_type: key.as_ref().map(Vec::as_slice),
        value_type: value.as_ref().map(Vec::as_slice),
        is_shared,
        rule: None,
        len: Some(items.count),
    };
    enter(consumer, Head::Dictionary(head), items)
}

fn object<C: Consumer>(fields: Fields<'_, '_>, consumer: &mut C) -> Given<C> {
    let tape = fields.tape;
    if let Some(at) = fields.find("class") {
        only(fields, &["class", "v"])?;
        let class = text(tape, at)?;
        let items = Items::named_pairs(tape, fields.array("v")?);
        let head = ObjectHead { len: Some(items.count), ..ObjectHead::new(&class) };
        return enter(consumer, Head::Object(head), items);
    }
    only(fields, &["id"])?;
    let object = match fields.find("id") {
        Some(at) => Leaf::ObjectId(integer(tape, at)?),
        None => Leaf::NullObject,
    };
    leaf(consumer, object)
}

/// A declared type.
fn declared(fields: Fields<'_, '_>, name: &str) -> Result<ElementType<Vec<u8>>> {
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

fn width(fields: Fields<'_, '_>) -> Result<Option<Width>> {
    let Some(at) = fields.find("w") else { return Ok(None) };
    match integer::<i64>(fields.tape, at) {
        Ok(32) => Ok(Some(Width::W32)),
        Ok(64) => Ok(Some(Width::W64)),
        _ => expected("32 or 64", at),
    }
}

fn numbers<C: Consumer>(
    fields: Fields<'_, '_>,
    kind: Kind,
    shape: Shape,
    consumer: &mut C,
) -> Given<C> {
    let tape = fields.tape;
    let (at, width, bytes) = if shape.number == NumberType::Byte {
        only(fields, &["hex"])?;
        let at = fields.get("hex")?;
        (at, Width::W32, hex(tape, at)?)
    } else {
        let names: &[&str] = if shape.number == NumberType::Real { &["w", "v"] } else { &["v"] };
        only(fields, names)?;
        let width = width(fields)?.unwrap_or(Width::W32);
        let at = fields.array("v")?;
        let number = shape.number.with_reals(width);
        (at, width, wire_bytes(tape, tape.children(at), number, false)?)
    };
    match Numbers::from_wire(kind, width, &bytes) {
        Some(numbers) => leaf(consumer, Leaf::Numbers(numbers)),
        None => expected(wanted(shape), at)?,
    }
}

fn tagged_leaf<C: Consumer>(
    fields: Fields<'_, '_>,
    kind: Kind,
    tag: usize,
    consumer: &mut C,
) -> Given<C> {
    let tape = fields.tape;
    match kind {
        Kind::String => leaf(consumer, Leaf::String(&text_fields(fields, &["t", "raw"])?)),
        Kind::StringName => leaf(consumer, Leaf::StringName(&text_fields(fields, &["t", "raw"])?)),
        Kind::PackedStringArray => {
            only(fields, &["v"])?;
            leaf(consumer, Leaf::Strings(Texts::of(&&*texts(fields, "v")?)))
        }
        Kind::Signal => {
            only(fields, &["v", "id"])?;
            let name = text(tape, fields.get("v")?)?;
            let object_id = integer(tape, fields.get("id")?)?;
            leaf(consumer, Leaf::Signal { name: &name, object_id })
        }
        Kind::NodePath => node_path(fields, consumer),
        Kind::Image => image(fields, consumer),
        Kind::InputEvent => {
            only(fields, &["event", "device", "hex"])?;
            let number = |name| integer(tape, fields.get(name)?);
            let (event, device) = (number("event")?, number("device")?);
            let payload = hex(tape, fields.get("hex")?)?;
            leaf(consumer, Leaf::InputEvent { event, device, payload: &payload })
        }
        _ => leaf(consumer, scalar(fields, kind, tag)?),
    }
}

/// A leaf that needs no memory.
fn scalar(fields: Fields<'_, '_>, kind: Kind, tag: usize) -> Result<Leaf<'static>> {
    let names: &[&str] = match kind {
        Kind::Nil | Kind::Callable => &[],
        Kind::Bool | Kind::Rid => &["v"],
        Kind::Int | Kind::Float => &["w", "v"],
        _ => return expected("a kind that is written with a tag", tag),
    };
    only(fields, names)?;
    Ok(match kind {
        Kind::Nil => Leaf::Nil,
        Kind::Callable => Leaf::Callable,
        Kind::Bool => {
            fields.get("v")?;
            Leaf::Bool(fields.flag("v")?)
        }
        Kind::Rid => Leaf::Rid(integer(fields.tape, fields.get("v")?)?),
        Kind::Int => {
            let width = width(fields)?.unwrap_or(Width::W32);
            let int = Int::with_width(integer(fields.tape, fields.get("v")?)?, width);
            Leaf::Int { value: int.value(), width: int.width() }
        }
        _ => tagged_float(fields)?,
    })
}

/// Without a width, in the one that the writer picks; a NaN in that of its digits.
fn tagged_float(fields: Fields<'_, '_>) -> Result<Leaf<'static>> {
    let at = fields.get("v")?;
    let text = fields.tape.characters(at);
    let width = match (width(fields)?, text.strip_prefix("nan:")) {
        (None, Some(digits)) if digits.len() == 8 => Some(Width::W32),
        (None, Some(_)) => Some(Width::W64),
        (width, _) => width,
    };
    let bits = float_bits(fields.tape, at, width.unwrap_or(Width::W64))?;
    Ok(match width {
        Some(width) => Leaf::Float { bits, width },
        None => float(f64::from_bits(bits)),
    })
}

fn node_path<C: Consumer>(fields: Fields<'_, '_>, consumer: &mut C) -> Given<C> {
    if let Some(at) = fields.find("plain") {
        only(fields, &["plain"])?;
        let plain = text(fields.tape, at)?;
        return leaf(consumer, Leaf::NodePath(&NodePathLeaf::Plain(&plain)));
    }
    only(fields, &["absolute", "property", "names", "subnames"])?;
    let (names, subnames) = (texts(fields, "names")?, texts(fields, "subnames")?);
    let (names, subnames) = (&*names, &*subnames);
    let path = NodePathLeaf::Names {
        names: Texts::of(&names),
        subnames: Texts::of(&subnames),
        is_absolute: fields.flag("absolute")?,
        has_property: fields.flag("property")?,
    };
    leaf(consumer, Leaf::NodePath(&path))
}

fn image<C: Consumer>(fields: Fields<'_, '_>, consumer: &mut C) -> Given<C> {
    only(fields, &["format", "mipmaps", "width", "height", "hex"])?;
    let number = |name| integer(fields.tape, fields.get(name)?);
    let (format, mipmaps) = (number("format")?, number("mipmaps")?);
    let (width, height) = (number("width")?, number("height")?);
    let data = hex(fields.tape, fields.get("hex")?)?;
    leaf(consumer, Leaf::Image(&ImageLeaf { format, mipmaps, width, height, data: &data }))
}
