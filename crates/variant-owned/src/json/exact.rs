//! Out in the exact form.

use std::io::{self, Write};

use variant_view::{
    ArrayView, DictionaryView, ElementType, NodePathView, ObjectForm, ObjectView, Role, StrView,
    VariantView, Width,
};

use super::lanes::{Lanes, Number};
use super::out::Out;
use super::write::{Grammar, Sheet};
use crate::leaf::{Float, Int};

/// The largest integer up to which every reader of JSON tells them apart.
const SAFE: u64 = (1 << 53) - 1;

pub(super) struct Exact;

impl<W: Write> Grammar<W> for Exact {
    fn lead(&mut self, sheet: &mut Sheet<'_, W>, role: Role<'_>) -> io::Result<()> {
        match role {
            Role::Key(_) => sheet.out.begin("["),
            Role::Property(_, name) => {
                sheet.out.begin("[")?;
                text(&mut sheet.out, name)
            }
            _ => Ok(()),
        }
    }

    fn trail(&mut self, sheet: &mut Sheet<'_, W>, role: Role<'_>) -> io::Result<()> {
        match role {
            Role::Value(_) | Role::Property(..) => sheet.out.end("]"),
            _ => Ok(()),
        }
    }

    fn open(
        &mut self,
        sheet: &mut Sheet<'_, W>,
        view: &VariantView<'_>,
    ) -> io::Result<&'static [&'static str]> {
        let out = &mut sheet.out;
        match view {
            VariantView::Array(array) if is_plain(array) => {
                out.begin("[")?;
                return Ok(&["]"]);
            }
            VariantView::Array(array)
            | VariantView::TypedArray(array)
            | VariantView::PackedTypedArray(array) => open_array(out, view.kind().name(), array)?,
            VariantView::Dictionary(dictionary) => open_dictionary(out, dictionary)?,
            VariantView::Object(object) => open_object(out, object)?,
            _ => {}
        }
        out.key("v")?;
        out.begin("[")?;
        Ok(&["]", "}"])
    }

    fn leaf(&mut self, sheet: &mut Sheet<'_, W>, view: &VariantView<'_>) -> io::Result<()> {
        let out = &mut sheet.out;
        match view {
            VariantView::Nil(_) => out.token("null"),
            VariantView::Bool(v) => out.token(if v.value() { "true" } else { "false" }),
            VariantView::Int(v) => int(out, v.value(), v.width()),
            VariantView::Float(v) => float(out, Float::from_wire(v.bits(), v.width())),
            VariantView::String(v) => match v.to_str() {
                Ok(text) => out.string(text),
                Err(_) => tagged(out, "String", |out| {
                    out.key("hex")?;
                    out.hex(v.as_bytes())
                }),
            },
            other => match Lanes::of(other) {
                Some(lanes) => numbers(out, other.kind().name(), &lanes),
                None => tagged(out, other.kind().name(), |out| rare(out, other)),
            },
        }
    }
}

/// An object in one line that says what it is.
fn tagged<W: Write>(
    out: &mut Out<W>,
    tag: &str,
    fields: impl FnOnce(&mut Out<W>) -> io::Result<()>,
) -> io::Result<()> {
    out.begin_flat("{")?;
    out.key("t")?;
    out.string(tag)?;
    fields(out)?;
    out.end("}")
}

fn text<W: Write>(out: &mut Out<W>, text: StrView<'_>) -> io::Result<()> {
    if let Ok(text) = text.to_str() {
        return out.string(text);
    }
    out.begin_flat("{")?;
    out.key("hex")?;
    out.hex(text.as_bytes())?;
    out.end("}")
}

fn int<W: Write>(out: &mut Out<W>, value: i64, width: Width) -> io::Result<()> {
    let is_own = Int::new(value).width() == width;
    if is_own && value.unsigned_abs() <= SAFE {
        return out.number(format_args!("{value}"), false);
    }
    tagged(out, "int", |out| {
        if !is_own {
            out.key("w")?;
            out.token("64")?;
        }
        out.key("v")?;
        number(out, Number::Int(value))
    })
}

fn float<W: Write>(out: &mut Out<W>, float: Float) -> io::Result<()> {
    let value = float.value();
    let is_own = Float::new(value).width() == float.width();
    if value.is_finite() && is_own {
        return out.number(format_args!("{value:?}"), false);
    }
    tagged(out, "float", |out| {
        // The digits of a NaN tell its width.
        if !is_own && !value.is_nan() {
            out.key("w")?;
            out.token("64")?;
        }
        out.key("v")?;
        match float.width() {
            Width::W32 => number(out, Number::Float32(float.low())),
            Width::W64 => number(out, Number::Float64(float.bits())),
        }
    })
}

/// A number whose width is known from where it stands.
fn number<W: Write>(out: &mut Out<W>, number: Number) -> io::Result<()> {
    match number {
        Number::Int(value) if value.unsigned_abs() <= SAFE => {
            out.number(format_args!("{value}"), false)
        }
        Number::Int(value) => out.string(&value.to_string()),
        Number::Float32(bits) if number.is_nan() => out.string(&format!("nan:{bits:08x}")),
        Number::Float64(bits) if number.is_nan() => out.string(&format!("nan:{bits:016x}")),
        _ if !number.is_finite() => out.string(if number.is_negative() { "-inf" } else { "inf" }),
        Number::Float32(bits) => out.number(format_args!("{:?}", f32::from_bits(bits)), true),
        Number::Float64(bits) => out.number(format_args!("{:?}", f64::from_bits(bits)), true),
    }
}

fn unsigned<W: Write>(out: &mut Out<W>, key: &str, value: u64) -> io::Result<()> {
    out.key(key)?;
    if value <= SAFE {
        out.number(format_args!("{value}"), false)
    } else {
        out.string(&value.to_string())
    }
}

fn numbers<W: Write>(out: &mut Out<W>, tag: &str, lanes: &Lanes<'_>) -> io::Result<()> {
    tagged(out, tag, |out| {
        if lanes.lane == super::lanes::Lane::Byte {
            out.key("hex")?;
            return out.hex(lanes.bytes());
        }
        if lanes.is_wide() {
            out.key("w")?;
            out.token("64")?;
        }
        out.key("v")?;
        out.begin("[")?;
        lanes.iter().try_for_each(|lane| number(out, lane))?;
        out.end("]")
    })
}

/// The fields of the others.
fn rare<W: Write>(out: &mut Out<W>, view: &VariantView<'_>) -> io::Result<()> {
    match view {
        VariantView::StringName(name) => {
            out.key("v")?;
            text(out, *name)
        }
        VariantView::NodePath(path) => node_path(out, path),
        VariantView::Rid(id) => unsigned(out, "v", id.value()),
        VariantView::Object(object) => match object.form() {
            ObjectForm::Id(id) => unsigned(out, "id", id),
            ObjectForm::Null | ObjectForm::Full(_) => Ok(()),
        },
        VariantView::Signal(signal) => {
            out.key("v")?;
            text(out, signal.name())?;
            unsigned(out, "id", signal.object_id())
        }
        VariantView::Image(image) => {
            unsigned(out, "format", image.format().into())?;
            unsigned(out, "mipmaps", image.mipmaps().into())?;
            unsigned(out, "width", image.width().into())?;
            unsigned(out, "height", image.height().into())?;
            out.key("hex")?;
            out.hex(image.data())
        }
        VariantView::InputEvent(event) => {
            unsigned(out, "event", event.event().into())?;
            unsigned(out, "device", event.device().into())?;
            out.key("hex")?;
            out.hex(event.payload())
        }
        VariantView::PackedStringArray(strings) => texts(out, "v", strings.iter()),
        _ => Ok(()),
    }
}

fn texts<'a, W: Write>(
    out: &mut Out<W>,
    key: &str,
    mut all: impl Iterator<Item = StrView<'a>>,
) -> io::Result<()> {
    out.key(key)?;
    out.begin("[")?;
    all.try_for_each(|one| text(out, one))?;
    out.end("]")
}

fn node_path<W: Write>(out: &mut Out<W>, path: &NodePathView<'_>) -> io::Result<()> {
    if let Some(plain) = path.plain() {
        out.key("plain")?;
        return text(out, plain);
    }
    if path.is_absolute() {
        out.key("absolute")?;
        out.token("true")?;
    }
    if path.has_property() && path.dialect() == variant_view::Dialect::Godot2 {
        out.key("property")?;
        out.token("true")?;
    }
    texts(out, "names", path.names())?;
    texts(out, "subnames", path.subnames())
}

fn is_plain(array: &ArrayView<'_>) -> bool {
    !array.is_shared() && matches!(array.element_type(), ElementType::Any)
}

fn open_array<W: Write>(out: &mut Out<W>, tag: &str, array: &ArrayView<'_>) -> io::Result<()> {
    begin(out, tag)?;
    declared(out, "of", array.element_type())?;
    shared(out, array.is_shared())
}

fn open_dictionary<W: Write>(out: &mut Out<W>, dictionary: &DictionaryView<'_>) -> io::Result<()> {
    begin(out, "Dictionary")?;
    declared(out, "key", dictionary.key_type())?;
    declared(out, "value", dictionary.value_type())?;
    shared(out, dictionary.is_shared())
}

fn open_object<W: Write>(out: &mut Out<W>, object: &ObjectView<'_>) -> io::Result<()> {
    begin(out, "Object")?;
    out.key("class")?;
    match object.class() {
        Some(class) => text(out, class),
        None => out.string(""),
    }
}

fn begin<W: Write>(out: &mut Out<W>, tag: &str) -> io::Result<()> {
    out.begin("{")?;
    out.key("t")?;
    out.string(tag)
}

fn shared<W: Write>(out: &mut Out<W>, is_shared: bool) -> io::Result<()> {
    if is_shared {
        out.key("shared")?;
        out.token("true")?;
    }
    Ok(())
}

fn declared<W: Write>(out: &mut Out<W>, key: &str, declared: ElementType<'_>) -> io::Result<()> {
    let (name, class) = match declared {
        ElementType::Builtin(kind) => {
            out.key(key)?;
            return out.string(kind.name());
        }
        ElementType::Class(class) => ("class", class),
        ElementType::Script(path) => ("script", path),
        ElementType::Unknown(id) => {
            out.key(key)?;
            out.begin_flat("{")?;
            unsigned(out, "unknown", id.into())?;
            return out.end("}");
        }
        _ => return Ok(()),
    };
    out.key(key)?;
    out.begin_flat("{")?;
    out.key(name)?;
    text(out, class)?;
    out.end("}")
}
