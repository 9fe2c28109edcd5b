//! Writes the plain form: natural JSON.

use std::borrow::Cow;
use std::io::{self, Write};

use variant_view::{Head, Kind, Leaf, Number, Numbers};

use super::losses::LossKind;
use super::plain_keys::{PlainKeys, key_text};
use super::write::Sheet;
use crate::base64;
use crate::leaf::Float;
use crate::path::Role;
use crate::text_form::Signed;

/// Counts the keys of each open container, to distinguish repeated ones.
#[derive(Debug)]
pub(super) struct Plain<'o> {
    pub(super) name: Option<&'o [u8]>,
    keys: Vec<PlainKeys>,
}

impl<'o> Plain<'o> {
    pub(super) const fn new(name: Option<&'o [u8]>) -> Self {
        Self { name, keys: Vec::new() }
    }

    /// Writes the text before a value: the start of the object around a named root, or the name of a property.
    pub(super) fn lead(&mut self, sheet: &mut Sheet<impl Write>) -> io::Result<()> {
        match sheet.path.role() {
            Role::Root => sheet.begin_named(self.name),
            Role::Property => {
                let name = sheet.path.name_of_value().to_vec();
                let name = sheet.lossy(&name);
                self.key(sheet, &name)
            }
            _ => Ok(()),
        }
    }

    /// Writes a container up to its children; returns its closing brackets. `None` for a key: its children are omitted.
    pub(super) fn enter(
        &mut self,
        sheet: &mut Sheet<impl Write>,
        head: &Head<'_>,
    ) -> io::Result<Option<&'static [&'static str]>> {
        if sheet.path.role() == Role::Key {
            sheet.lost(LossKind::Key);
            return self.key(sheet, head.kind().name()).map(|()| None);
        }
        self.keys.push(PlainKeys::default());
        if let Head::Array(_) = head {
            sheet.out.begin("[")?;
            return Ok(Some(&["]"]));
        }
        sheet.out.begin("{")?;
        if let Head::Object { class, .. } = head {
            self.key(sheet, "@class")?;
            sheet.string("", class)?;
        }
        Ok(Some(&["}"]))
    }

    pub(super) fn exit(&mut self) {
        self.keys.pop();
    }

    pub(super) fn leaf(
        &mut self,
        sheet: &mut Sheet<impl Write>,
        leaf: &Leaf<'_>,
    ) -> io::Result<()> {
        if sheet.path.role() != Role::Key {
            return value(sheet, leaf);
        }
        let text = match leaf {
            Leaf::String(text) | Leaf::StringName(text) => sheet.lossy(text),
            other => {
                sheet.lost(LossKind::Key);
                key_text(other).into()
            }
        };
        self.key(sheet, &text)
    }

    /// Writes a key, with a suffix if it is repeated.
    fn key(&mut self, sheet: &mut Sheet<impl Write>, text: &str) -> io::Result<()> {
        let Some(keys) = self.keys.last_mut() else { return sheet.out.key(text).map(|_| ()) };
        let key = keys.add(text);
        if let Cow::Owned(_) = key {
            sheet.lost(LossKind::Collision);
        }
        sheet.out.key(&key).map(|_| ())
    }
}

fn value(sheet: &mut Sheet<impl Write>, leaf: &Leaf<'_>) -> io::Result<()> {
    match *leaf {
        Leaf::Nil | Leaf::NullObject => sheet.out.token("null"),
        Leaf::Bool(value) => sheet.out.token(value),
        Leaf::Int { value, .. } => sheet.out.token(value),
        Leaf::Float { bits, width } => match Float::from_wire(bits, width).value() {
            value if value.is_finite() => sheet.out.token(format_args!("{value:?}")),
            _ => not_finite(sheet),
        },
        Leaf::String(text) | Leaf::StringName(text) => sheet.string("", text),
        Leaf::NodePath(path) => sheet.node_path("", path),
        Leaf::Numbers(all) => numbers(sheet, all),
        Leaf::Strings(texts) => sheet.strings(texts),
        Leaf::Rid(id) => sheet.out.token(id),
        Leaf::Callable => {
            sheet.lost(LossKind::Reference);
            sheet.out.token("null")
        }
        Leaf::Signal { name, object_id } => {
            sheet.out.begin_flat("{")?.key("signal")?;
            sheet.string("", name)?;
            fields(sheet, &[("object_id", object_id)], None)
        }
        Leaf::ObjectId(id) => {
            sheet.out.begin_flat("{")?;
            fields(sheet, &[("@id", id)], None)
        }
        Leaf::Image { format, mipmaps, width, height, data } => {
            let numbers = [
                ("format", format.into()),
                ("mipmaps", mipmaps.into()),
                ("width", width.into()),
                ("height", height.into()),
            ];
            sheet.out.begin_flat("{")?;
            fields(sheet, &numbers, Some(data))
        }
        Leaf::InputEvent { event, device, payload } => {
            sheet.out.begin_flat("{")?;
            fields(sheet, &[("event", event.into()), ("device", device.into())], Some(payload))
        }
    }
}

fn fields(
    sheet: &mut Sheet<impl Write>,
    numbers: &[(&str, u64)],
    data: Option<&[u8]>,
) -> io::Result<()> {
    for (name, value) in numbers {
        sheet.out.key(name)?.token(value)?;
    }
    if let Some(data) = data {
        sheet.out.key("data")?.quoted(base64::encode(data))?;
    }
    sheet.out.end("}")
}

fn not_finite(sheet: &mut Sheet<impl Write>) -> io::Result<()> {
    sheet.lost(LossKind::NotFinite);
    sheet.out.token("null")
}

fn numbers(sheet: &mut Sheet<impl Write>, numbers: Numbers<'_>) -> io::Result<()> {
    let shape = numbers.shape();
    if numbers.kind() == Kind::PackedByteArray {
        return sheet.out.quoted(base64::encode(numbers.as_wire_bytes().unwrap_or_default()));
    }
    let mut all = numbers.iter();
    if !shape.is_packed {
        return structure(sheet, shape.parts, &mut all);
    }
    sheet.out.begin_flat("[")?;
    (0..numbers.elements()).try_for_each(|_| structure(sheet, shape.parts, &mut all))?;
    sheet.out.end("]")
}

/// Writes one value or element: an object of its parts, or a number if it has no parts.
fn structure(
    sheet: &mut Sheet<impl Write>,
    parts: &[(&str, &[&str])],
    numbers: &mut impl Iterator<Item = Number>,
) -> io::Result<()> {
    if parts.is_empty() {
        return number(sheet, numbers.next());
    }
    sheet.out.begin_flat("{")?;
    for (name, names) in parts {
        sheet.out.key(name)?;
        if names.is_empty() {
            number(sheet, numbers.next())?;
            continue;
        }
        sheet.out.begin("{")?;
        for name in *names {
            sheet.out.key(name)?;
            number(sheet, numbers.next())?;
        }
        sheet.out.end("}")?;
    }
    sheet.out.end("}")
}

fn number(sheet: &mut Sheet<impl Write>, number: Option<Number>) -> io::Result<()> {
    match number {
        Some(number) if number.is_finite() => sheet.out.token(Signed(number)),
        _ => not_finite(sheet),
    }
}
