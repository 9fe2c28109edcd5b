//! The form of Godot's `JSON.from_native`, out and in.

use std::io::{self, Write};

use variant_view::{ElementType as Declared, Kind, ObjectForm, Role, VariantView, Width};

use super::error::JsonErrorKind;
use super::exact_in::lane_bytes;
use super::lanes::{self, Lanes, Layout, Number};
use super::losses::LossKind;
use super::read::{Fault, Fields, Grammar as Reading, Items, Piece};
use super::read::{array_of, class, expected, fault, kind};
use super::tape::{Tape, Token};
use super::write::{Grammar as Writing, Sheet};
use crate::array::ElementType;
use crate::dictionary::Dictionary;
use crate::leaf::{Float, Int, NodePath};
use crate::object::Object;
use crate::text::Text;
use crate::variant::Variant;

pub(super) struct Native;

/// The class that the engine gives to objects by id.
const BY_ID: &str = "EncodedObjectAsID";

impl<W: Write> Writing<W> for Native {
    fn lead(&mut self, sheet: &mut Sheet<'_, W>, role: Role<'_>) -> io::Result<()> {
        match role {
            Role::Property(_, name) => sheet.lossy("", name),
            _ => Ok(()),
        }
    }

    fn trail(&mut self, _: &mut Sheet<'_, W>, _: Role<'_>) -> io::Result<()> {
        Ok(())
    }

    fn open(
        &mut self,
        sheet: &mut Sheet<'_, W>,
        view: &VariantView<'_>,
    ) -> io::Result<&'static [&'static str]> {
        let mut args = "args";
        match view {
            VariantView::Array(array) if matches!(array.element_type(), Declared::Any) => {
                sheet.out.begin("[")?;
                return Ok(&["]"]);
            }
            VariantView::Array(array)
            | VariantView::TypedArray(array)
            | VariantView::PackedTypedArray(array) => {
                if view.kind() != Kind::Array {
                    sheet.lost(LossKind::Kind, view.offset());
                }
                begin(sheet, "Array")?;
                declared(sheet, "elem_type", array.element_type(), view.offset())?;
            }
            VariantView::Dictionary(dictionary) => {
                begin(sheet, "Dictionary")?;
                declared(sheet, "key_type", dictionary.key_type(), view.offset())?;
                declared(sheet, "value_type", dictionary.value_type(), view.offset())?;
            }
            VariantView::Object(object) => {
                sheet.out.begin("{")?;
                sheet.out.key("type")?;
                match object.class() {
                    Some(class) => sheet.lossy("", class)?,
                    None => sheet.out.string("")?,
                }
                args = "props";
            }
            _ => {}
        }
        sheet.out.key(args)?;
        sheet.out.begin("[")?;
        Ok(&["]", "}"])
    }

    fn leaf(&mut self, sheet: &mut Sheet<'_, W>, view: &VariantView<'_>) -> io::Result<()> {
        match view {
            VariantView::Nil(_) => sheet.out.token("null"),
            VariantView::Bool(v) => sheet.out.token(if v.value() { "true" } else { "false" }),
            VariantView::Int(v) => sheet.out.string(&format!("i:{}", v.value())),
            VariantView::Float(v) => {
                // The engine writes these too, and reads them as 0.
                if !v.value().is_finite() {
                    sheet.lost(LossKind::NotFinite, view.offset());
                }
                sheet.out.string(&format!("f:{}", float_text(v.value())))
            }
            VariantView::String(v) => sheet.lossy("s:", *v),
            VariantView::StringName(v) => sheet.lossy("sn:", *v),
            VariantView::NodePath(v) => sheet.node_path("np:", v),
            VariantView::Object(v) => match v.form() {
                ObjectForm::Id(id) => by_id(sheet, id),
                _ => sheet.out.token("null"),
            },
            VariantView::PackedStringArray(v) => {
                begin(sheet, view.kind().name())?;
                sheet.out.key("args")?;
                sheet.out.begin("[")?;
                v.iter().try_for_each(|text| sheet.lossy("", text))?;
                sheet.out.end("]")?;
                sheet.out.end("}")
            }
            other => match Lanes::of(other) {
                Some(lanes) => numbers(sheet, other, &lanes),
                None => only_kind(sheet, other),
            },
        }
    }
}

fn begin<W: Write>(sheet: &mut Sheet<'_, W>, kind: &str) -> io::Result<()> {
    sheet.out.begin("{")?;
    sheet.out.key("type")?;
    sheet.out.string(kind)
}

fn float_text(value: f64) -> String {
    if value.is_nan() { "nan".to_owned() } else { format!("{value:?}") }
}

fn by_id<W: Write>(sheet: &mut Sheet<'_, W>, id: u64) -> io::Result<()> {
    sheet.out.begin_flat("{")?;
    sheet.out.key("type")?;
    sheet.out.string(BY_ID)?;
    sheet.out.key("props")?;
    sheet.out.begin("[")?;
    sheet.out.string("object_id")?;
    sheet.out.string(&format!("i:{}", id.cast_signed()))?;
    sheet.out.end("]")?;
    sheet.out.end("}")
}

/// Handles and references, of which the engine writes no more.
fn only_kind<W: Write>(sheet: &mut Sheet<'_, W>, view: &VariantView<'_>) -> io::Result<()> {
    match view {
        VariantView::Rid(id) if id.value() == 0 => {}
        VariantView::Callable(_) => {}
        VariantView::Rid(_) | VariantView::Signal(_) => {
            sheet.lost(LossKind::Reference, view.offset());
        }
        _ => {
            sheet.lost(LossKind::Kind, view.offset());
            return sheet.out.token("null");
        }
    }
    sheet.out.begin_flat("{")?;
    sheet.out.key("type")?;
    sheet.out.string(view.kind().name())?;
    sheet.out.end("}")
}

fn numbers<W: Write>(
    sheet: &mut Sheet<'_, W>,
    view: &VariantView<'_>,
    lanes: &Lanes<'_>,
) -> io::Result<()> {
    sheet.out.begin_flat("{")?;
    sheet.out.key("type")?;
    sheet.out.string(view.kind().name())?;
    sheet.out.key("args")?;
    sheet.out.begin("[")?;
    if let Kind::Basis | Kind::Transform3D = view.kind() {
        let all: Vec<_> = lanes.iter().collect();
        for place in 0..all.len() {
            if let Some(&value) = all.get(transposed(place)) {
                number(sheet, value, view.offset())?;
            }
        }
    } else {
        lanes.iter().try_for_each(|value| number(sheet, value, view.offset()))?;
    }
    sheet.out.end("]")?;
    sheet.out.end("}")
}

/// Rows on the wire, columns in this form; what is behind a basis stays.
const fn transposed(place: usize) -> usize {
    match place {
        1 => 3,
        2 => 6,
        3 => 1,
        5 => 7,
        6 => 2,
        7 => 5,
        other => other,
    }
}

/// Infinities as the engine's JSON has them: numbers too large.
fn number<W: Write>(sheet: &mut Sheet<'_, W>, value: Number, offset: usize) -> io::Result<()> {
    if value.is_nan() {
        sheet.lost(LossKind::NotFinite, offset);
        return sheet.out.token("null");
    }
    if !value.is_finite() {
        return sheet.out.token(if value.is_negative() { "-1e99999" } else { "1e99999" });
    }
    match value {
        Number::Int(value) => sheet.out.number(format_args!("{value}"), false),
        Number::Float32(bits) => {
            sheet.out.number(format_args!("{:?}", f64::from(f32::from_bits(bits))), false)
        }
        Number::Float64(bits) => {
            sheet.out.number(format_args!("{:?}", f64::from_bits(bits)), false)
        }
    }
}

fn declared<W: Write>(
    sheet: &mut Sheet<'_, W>,
    key: &str,
    declared: Declared<'_>,
    offset: usize,
) -> io::Result<()> {
    match declared {
        Declared::Any => return Ok(()),
        Declared::Builtin(kind) => {
            sheet.out.key(key)?;
            return sheet.out.string(kind.name());
        }
        Declared::Class(text) | Declared::Script(text) => {
            sheet.out.key(key)?;
            return sheet.lossy("", text);
        }
        _ => {}
    }
    sheet.lost(LossKind::Kind, offset);
    Ok(())
}

impl Reading for Native {
    fn piece(&self, tape: &Tape<'_>, at: usize) -> Result<Piece, Fault> {
        match tape.token(at) {
            Token::Null => Ok(Piece::Leaf(Variant::Nil)),
            Token::Bool(value) => Ok(Piece::Leaf(Variant::Bool(value))),
            Token::String => prefixed(&tape.string(at).unwrap_or_default(), at).map(Piece::Leaf),
            Token::Number => expected("a string with a prefix, such as \"i:5\"", at),
            Token::Array => {
                let array = array_of(ElementType::Any, false);
                Ok(Piece::Array(Kind::Array, array, Items::flat(tape, at)))
            }
            Token::Object => tagged(&Fields { tape, at }),
        }
    }
}

/// A number, a text or a path.
fn prefixed(text: &str, at: usize) -> Result<Variant, Fault> {
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
        "np" => Variant::NodePath(Box::new(NodePath::parse(rest))),
        _ => return expected("a prefix: i, f, s, sn or np", at),
    })
}

fn tagged(fields: &Fields<'_, '_>) -> Result<Piece, Fault> {
    let tape = fields.tape;
    let tag = fields.get("type")?;
    let Some(name) = tape.string(tag) else { return expected("the name of a type", tag) };
    if fields.find("props").is_some() {
        return object(fields, &name, tag);
    }
    let kind = kind(&name, tag)?;
    match kind {
        Kind::Array => {
            fields.only(&["type", "elem_type", "args"])?;
            let array = array_of(container_type(fields, "elem_type")?, false);
            Ok(Piece::Array(kind, array, Items::flat(tape, fields.array("args")?)))
        }
        Kind::Dictionary => {
            fields.only(&["type", "key_type", "value_type", "args"])?;
            let mut dictionary = Dictionary::new();
            let key_type = container_type(fields, "key_type")?;
            dictionary.set_types(key_type, container_type(fields, "value_type")?);
            let args = fields.array("args")?;
            if !tape.node(args).len.is_multiple_of(2) {
                return expected("a value for each key", args);
            }
            Ok(Piece::Dictionary(dictionary, Items::flat(tape, args)))
        }
        _ => leaf(fields, kind, tag).map(Piece::Leaf),
    }
}

fn leaf(fields: &Fields<'_, '_>, kind: Kind, tag: usize) -> Result<Variant, Fault> {
    let tape = fields.tape;
    if let Some(layout) = lanes::layout(kind) {
        return math(fields, kind, layout);
    }
    match kind {
        Kind::PackedStringArray => {
            fields.only(&["type", "args"])?;
            let text = |at| match tape.string(at) {
                Some(text) => Ok(Text::from(text)),
                None => expected("a string", at),
            };
            let texts: Result<_, _> = tape.children(fields.array("args")?).map(text).collect();
            texts.map(Variant::PackedStringArray)
        }
        Kind::Rid | Kind::Callable | Kind::Signal => {
            fields.only(&["type"])?;
            Ok(match kind {
                Kind::Rid => Variant::Rid(0),
                Kind::Callable => Variant::Callable,
                _ => Variant::Signal(Box::default()),
            })
        }
        _ => expected("a type that is written with args", tag),
    }
}

fn math(fields: &Fields<'_, '_>, kind: Kind, layout: Layout) -> Result<Variant, Fault> {
    fields.only(&["type", "args"])?;
    let at = fields.array("args")?;
    let args: Vec<_> = fields.tape.children(at).collect();
    let fits = if layout.is_pool {
        args.len().is_multiple_of(layout.count)
    } else {
        args.len() == layout.count
    };
    if !fits {
        return expected("another number of numbers", at);
    }
    let is_basis = matches!(kind, Kind::Basis | Kind::Transform3D);
    let order = |place| if is_basis { transposed(place) } else { place };
    let nodes = (0..args.len()).filter_map(|place| args.get(order(place)).copied());
    let lane = layout.lane.of_width(Width::W32);
    let bytes = lane_bytes(fields.tape, nodes, lane, true)?;
    match lanes::value(kind, Width::W32, &bytes) {
        Some(value) => Ok(value),
        None => expected("another number of numbers", at),
    }
}

fn object(fields: &Fields<'_, '_>, name: &str, tag: usize) -> Result<Piece, Fault> {
    fields.only(&["type", "props"])?;
    let tape = fields.tape;
    let props = fields.array("props")?;
    let len = tape.node(props).len;
    if !len.is_multiple_of(2) {
        return expected("a value for each name", props);
    }
    let mut parts = tape.children(props);
    if name == BY_ID && len == 2 && parts.next().is_some_and(|at| tape.is(at, "object_id")) {
        let id = parts.next().and_then(|at| tape.string(at));
        if let Some(id) = id.and_then(|id| id.strip_prefix("i:")?.parse::<i64>().ok()) {
            return Ok(Piece::Leaf(Variant::Object(Box::new(Object::Id(id.cast_unsigned())))));
        }
    }
    Ok(Piece::Object(class(name.into(), tag)?, Items::named(tape, props)))
}

/// As the engine guesses it: a type, a script by its path, or else a class.
fn container_type(fields: &Fields<'_, '_>, name: &str) -> Result<ElementType, Fault> {
    let Some(at) = fields.find(name) else { return Ok(ElementType::Any) };
    let Some(text) = fields.tape.string(at) else { return expected("the name of a type", at) };
    if text.starts_with("res://") {
        return Ok(ElementType::Script(text.into()));
    }
    Ok(match kind(&text, at) {
        Ok(kind) if kind != Kind::Object => ElementType::Builtin(kind),
        _ => ElementType::Class(text.into()),
    })
}
