//! Writes the exact form. Numbers that other JSON tools may change are strings.

use std::io::{self, Write};

use variant_view::{
    Dialect, ElementType, Head, Input, Kind, Leaf, NodePathLeaf, Number, NumberType, Numbers,
    Reals, Texts, Width,
};

use super::WriteOptions;
use super::out::Out;
use super::raw::{Usual, unlike_text};
use super::write::Sheet;
use crate::encode::EncodeOptions;
use crate::leaf::{Float, Int};
use crate::path::Role;
use crate::text_form::Signed;

/// The largest integer that every JSON reader holds exactly.
const SAFE: u64 = (1 << 53) - 1;

#[derive(Debug)]
pub(super) struct Exact<'o> {
    around: WriteOptions<'o>,
    input: Input,
    /// Compares original bytes with the encoder's output; `None` if the dialect or the width of reals is unknown.
    usual: Option<Usual>,
    /// The original bytes of the next property's name, if the encoder would write other bytes.
    raw_name: Option<Vec<u8>>,
}

impl<'o> Exact<'o> {
    pub(super) fn new(around: WriteOptions<'o>, input: Input) -> Self {
        let options = input.dialect.zip(input.reals);
        let usual = options.map(|(dialect, reals)| EncodeOptions::new(dialect).reals(reals));
        let usual = usual.map(Usual::new);
        Self { around, input, usual, raw_name: None }
    }

    /// Writes the metadata around the value; nothing if the dialect is unknown.
    fn envelope(&self, out: &mut Out<impl Write>) -> io::Result<()> {
        let Some(dialect) = self.input.dialect else { return Ok(()) };
        out.begin("{")?.key("dialect")?.string(dialect.name())?;
        out.key("reals")?.string(self.input.reals.unwrap_or(Reals::ByFlag).name())?;
        if let Some(framing) = self.around.framing {
            out.key("framing")?.string(framing)?;
        }
        if let Some(name) = self.around.name {
            out.key("name")?;
            text(out, name, None)?;
        }
        out.key("value")?;
        Ok(())
    }

    pub(super) const fn has_envelope(&self) -> bool {
        self.input.dialect.is_some()
    }

    pub(super) fn name(&mut self, wire: &[u8], name: &[u8]) {
        self.raw_name = unlike_text(wire, name).map(<[u8]>::to_vec);
    }

    /// Opens the brackets around a value in its container, such as the brackets of a pair.
    pub(super) fn lead(&self, sheet: &mut Sheet<impl Write>) -> io::Result<()> {
        match sheet.path.role() {
            Role::Root => self.envelope(&mut sheet.out),
            Role::Key => sheet.out.begin("[").map(|_| ()),
            Role::Property => {
                sheet.out.begin("[")?;
                text(&mut sheet.out, sheet.path.name_of_value(), self.raw_name.as_deref())
            }
            _ => Ok(()),
        }
    }

    /// Closes the brackets that `lead` opened.
    pub(super) fn trail(sheet: &mut Sheet<impl Write>) -> io::Result<()> {
        match sheet.path.role() {
            Role::Value | Role::Property => sheet.out.end("]"),
            _ => Ok(()),
        }
    }

    /// Writes a container up to its children; returns its closing brackets.
    pub(super) fn enter(
        &mut self,
        sheet: &mut Sheet<impl Write>,
        head: &Head<'_>,
    ) -> io::Result<Option<&'static [&'static str]>> {
        let (out, wire) = (&mut sheet.out, &*sheet.wire);
        let raw = self.usual.as_mut().and_then(|usual| usual.unlike_head(head, wire));
        let is_shared =
            |is_shared| is_shared && self.input.dialect.is_none_or(Dialect::has_shared_bit);
        if let Head::Array(array) = head
            && (array.kind, array.element_type) == (Kind::Array, ElementType::Any)
            && !is_shared(array.is_shared)
            && raw.is_none()
        {
            out.begin("[")?;
            return Ok(Some(&["]"]));
        }
        out.begin("{")?.key("t")?.string(head.kind().name())?;
        match head {
            Head::Array(array) => {
                declared(out, "of", array.element_type)?;
                flag(out, "shared", is_shared(array.is_shared))?;
            }
            Head::Dictionary(dictionary) => {
                declared(out, "key", dictionary.key_type)?;
                declared(out, "value", dictionary.value_type)?;
                flag(out, "shared", is_shared(dictionary.is_shared))?;
            }
            Head::Object { class, .. } => {
                out.key("class")?;
                text(out, class, None)?;
            }
        }
        carry(out, raw)?;
        out.key("v")?.begin("[")?;
        Ok(Some(&["]", "}"]))
    }

    pub(super) fn leaf(
        &mut self,
        sheet: &mut Sheet<impl Write>,
        leaf: &Leaf<'_>,
    ) -> io::Result<()> {
        let (out, wire) = (&mut sheet.out, &*sheet.wire);
        let raw = self.usual.as_mut().and_then(|usual| usual.unlike_leaf(leaf, wire));
        if raw.is_none() && bare(out, leaf)? {
            return Ok(());
        }
        out.begin_flat("{")?.key("t")?.string(leaf.kind().name())?;
        fields(out, leaf)?;
        carry(out, raw)?;
        out.end("}")
    }
}

/// Writes the value and returns true, if the value needs no tag. Otherwise writes nothing and returns false.
fn bare(out: &mut Out<impl Write>, leaf: &Leaf<'_>) -> io::Result<bool> {
    match *leaf {
        Leaf::Nil => out.token("null")?,
        Leaf::Bool(value) => out.token(value)?,
        Leaf::Int { value, width } if is_usual(value, width) => {
            out.token(value)?;
        }
        Leaf::String(text) => match std::str::from_utf8(text) {
            Ok(text) => out.string(text)?,
            Err(_) => return Ok(false),
        },
        _ => return Ok(false),
    }
    Ok(true)
}

/// Whether a number without a tag is read as this integer, in this width.
fn is_usual(value: i64, width: Width) -> bool {
    Int::new(value).width() == width && value.unsigned_abs() <= SAFE
}

fn fields(out: &mut Out<impl Write>, leaf: &Leaf<'_>) -> io::Result<()> {
    match *leaf {
        Leaf::Nil | Leaf::Callable | Leaf::NullObject => Ok(()),
        Leaf::Bool(value) => out.key("v")?.token(value),
        Leaf::Int { value, width } => {
            wide(out, Int::new(value).width() != width)?;
            out.key("v")?;
            number(out, Number::Int(value))
        }
        Leaf::Float { bits, width } => float(out, Float::from_wire(bits, width)),
        Leaf::String(text) | Leaf::StringName(text) => text_fields(out, text),
        Leaf::Numbers(all) => numbers(out, all),
        Leaf::NodePath(path) => node_path(out, path),
        Leaf::Strings(all) => texts(out, "v", all),
        Leaf::Rid(id) => unsigned(out, "v", id),
        Leaf::ObjectId(id) => unsigned(out, "id", id),
        Leaf::Signal { name, object_id } => {
            out.key("v")?;
            text(out, name, None)?;
            unsigned(out, "id", object_id)
        }
        Leaf::Image { format, mipmaps, width, height, data } => {
            unsigned(out, "format", format.into())?;
            unsigned(out, "mipmaps", mipmaps.into())?;
            unsigned(out, "width", width.into())?;
            unsigned(out, "height", height.into())?;
            out.key("hex")?.hex(data)
        }
        Leaf::InputEvent { event, device, payload } => {
            unsigned(out, "event", event.into())?;
            unsigned(out, "device", device.into())?;
            out.key("hex")?.hex(payload)
        }
    }
}

/// Writes the original bytes, if the encoder would write other bytes.
fn carry(out: &mut Out<impl Write>, raw: Option<&[u8]>) -> io::Result<()> {
    let Some(raw) = raw else { return Ok(()) };
    out.key("raw")?.hex(raw)
}

/// Writes a text: a string if possible, otherwise an object.
fn text(out: &mut Out<impl Write>, text: &[u8], raw: Option<&[u8]>) -> io::Result<()> {
    if let (Ok(text), None) = (std::str::from_utf8(text), raw) {
        return out.string(text);
    }
    out.begin_flat("{")?;
    text_fields(out, text)?;
    carry(out, raw)?;
    out.end("}")
}

fn text_fields(out: &mut Out<impl Write>, text: &[u8]) -> io::Result<()> {
    if let Ok(text) = std::str::from_utf8(text) {
        return out.key("v")?.string(text);
    }
    out.key("hex")?.hex(text)
}

fn float(out: &mut Out<impl Write>, float: Float) -> io::Result<()> {
    let value = float.value();
    let is_nan = value.is_nan();
    wide(out, !is_nan && Float::new(value).width() != float.width())?;
    out.key("v")?;
    match float.width() {
        // A NaN needs no width, since the number of its digits determines the width.
        Width::W32 if is_nan => number(out, Number::Float32(float.low())),
        Width::W32 => number(out, Number::Float64(value.to_bits())),
        Width::W64 => number(out, Number::Float64(float.bits())),
    }
}

/// Writes the width 64, if readers would assume 32.
fn wide(out: &mut Out<impl Write>, is_wide: bool) -> io::Result<()> {
    if is_wide {
        out.key("w")?.token("64")?;
    }
    Ok(())
}

/// Writes a number whose width is known from its context.
fn number(out: &mut Out<impl Write>, number: Number) -> io::Result<()> {
    match number {
        Number::Int(value) if value.unsigned_abs() <= SAFE => out.token(value),
        Number::Int(value) => out.quoted(value),
        Number::Float32(bits) if number.is_nan() => out.quoted(format_args!("nan:{bits:08x}")),
        Number::Float64(bits) if number.is_nan() => out.quoted(format_args!("nan:{bits:016x}")),
        other => out.quoted(Signed(other)),
    }
}

fn unsigned(out: &mut Out<impl Write>, key: &str, value: u64) -> io::Result<()> {
    out.key(key)?;
    if value <= SAFE { out.token(value) } else { out.quoted(value) }
}

fn numbers(out: &mut Out<impl Write>, numbers: Numbers<'_>) -> io::Result<()> {
    if numbers.number_type() == NumberType::Byte {
        return out.key("hex")?.hex(numbers.as_wire_bytes().unwrap_or_default());
    }
    wide(out, numbers.width() == Width::W64)?;
    out.key("v")?.begin("[")?;
    numbers.iter().try_for_each(|one| number(out, one))?;
    out.end("]")
}

fn texts(out: &mut Out<impl Write>, key: &str, all: Texts<'_>) -> io::Result<()> {
    out.key(key)?.begin("[")?;
    all.iter().try_for_each(|one| text(out, one, None))?;
    out.end("]")
}

fn node_path(out: &mut Out<impl Write>, path: &NodePathLeaf<'_>) -> io::Result<()> {
    match *path {
        NodePathLeaf::Plain(plain) => {
            out.key("plain")?;
            text(out, plain, None)
        }
        NodePathLeaf::Names { names, subnames, is_absolute, has_property } => {
            flag(out, "absolute", is_absolute)?;
            flag(out, "property", has_property)?;
            texts(out, "names", names)?;
            texts(out, "subnames", subnames)
        }
    }
}

/// Writes a flag only if it is true.
fn flag(out: &mut Out<impl Write>, key: &str, is_set: bool) -> io::Result<()> {
    if is_set {
        out.key(key)?.token("true")?;
    }
    Ok(())
}

fn declared(out: &mut Out<impl Write>, key: &str, declared: ElementType<&[u8]>) -> io::Result<()> {
    let (name, class) = match declared {
        ElementType::Any => return Ok(()),
        ElementType::Builtin(kind) => {
            return out.key(key)?.string(kind.name());
        }
        ElementType::Class(class) => ("class", class),
        ElementType::Script(path) => ("script", path),
        ElementType::Unknown(id) => {
            out.key(key)?.begin_flat("{")?;
            unsigned(out, "unknown", id.into())?;
            return out.end("}");
        }
    };
    out.key(key)?.begin_flat("{")?.key(name)?;
    text(out, class, None)?;
    out.end("}")
}
