//! Writes the form of Godot's `JSON.from_native`.

use std::io::{self, Write};

use variant_view::{ElementType, Head, Kind, Leaf, Number, Numbers};

use super::losses::LossKind;
use super::write::Sheet;
use crate::leaf::Float;
use crate::path::Role;

#[derive(Debug)]
pub(super) struct Native<'o> {
    /// The name of the value.
    pub(super) name: Option<&'o [u8]>,
}

/// The engine's class for objects by id.
pub(super) const BY_ID: &str = "EncodedObjectAsID";

#[expect(clippy::unused_self, reason = "the methods of the other forms use `self`")]
impl Native<'_> {
    /// Writes the text before a value: the start of the object around a named root, or the name of a property.
    pub(super) fn lead(&self, sheet: &mut Sheet<impl Write>) -> io::Result<()> {
        match sheet.path.role() {
            Role::Root => sheet.begin_named(self.name),
            Role::Property => {
                let name = sheet.path.name_of_value().to_vec();
                sheet.string("", &name)
            }
            _ => Ok(()),
        }
    }

    /// Writes a container up to its children; returns its closing brackets.
    pub(super) fn enter(
        &self,
        sheet: &mut Sheet<impl Write>,
        head: &Head<'_>,
    ) -> io::Result<Option<&'static [&'static str]>> {
        let mut args = "args";
        match head {
            Head::Array(array) if array.kind == Kind::Array && array.element_type.is_any() => {
                sheet.out.begin("[")?;
                return Ok(Some(&["]"]));
            }
            Head::Array(array) => {
                if array.kind != Kind::Array {
                    sheet.lost(LossKind::Kind);
                }
                begin(sheet, "Array")?;
                declared(sheet, "elem_type", array.element_type)?;
            }
            Head::Dictionary(dictionary) => {
                begin(sheet, "Dictionary")?;
                declared(sheet, "key_type", dictionary.key_type)?;
                declared(sheet, "value_type", dictionary.value_type)?;
            }
            Head::Object { class, .. } => {
                sheet.out.begin("{")?.key("type")?;
                sheet.string("", class)?;
                args = "props";
            }
        }
        sheet.out.key(args)?.begin("[")?;
        Ok(Some(&["]", "}"]))
    }

    pub(super) fn leaf(&self, sheet: &mut Sheet<impl Write>, leaf: &Leaf<'_>) -> io::Result<()> {
        match *leaf {
            Leaf::Nil | Leaf::NullObject => sheet.out.token("null"),
            Leaf::Bool(value) => sheet.out.token(value),
            Leaf::Int { value, .. } => sheet.out.string(&format!("i:{value}")),
            Leaf::Float { bits, width } => {
                let value = Float::from_wire(bits, width).value();
                // A float that is not finite is a loss: the engine writes it, but reads it as 0.
                if !value.is_finite() {
                    sheet.lost(LossKind::NotFinite);
                }
                sheet.out.string(&format!("f:{}", float_text(value)))
            }
            Leaf::String(text) => sheet.string("s:", text),
            Leaf::StringName(text) => sheet.string("sn:", text),
            Leaf::NodePath(path) => sheet.node_path("np:", path),
            Leaf::ObjectId(id) => by_id(sheet, id),
            Leaf::Strings(texts) => {
                begin(sheet, leaf.kind().name())?;
                sheet.out.key("args")?;
                sheet.strings(texts)?;
                sheet.out.end("}")
            }
            Leaf::Numbers(all) => numbers(sheet, all),
            // Handles and references are losses: the engine writes only their type.
            Leaf::Rid(0) | Leaf::Callable => only_kind(sheet, leaf.kind()),
            Leaf::Rid(_) | Leaf::Signal { .. } => {
                sheet.lost(LossKind::Reference);
                only_kind(sheet, leaf.kind())
            }
            Leaf::Image { .. } | Leaf::InputEvent { .. } => {
                sheet.lost(LossKind::Kind);
                sheet.out.token("null")
            }
        }
    }
}

fn begin(sheet: &mut Sheet<impl Write>, name: &str) -> io::Result<()> {
    sheet.out.begin("{")?.key("type")?.string(name)
}

fn begin_flat(sheet: &mut Sheet<impl Write>, name: &str) -> io::Result<()> {
    sheet.out.begin_flat("{")?.key("type")?.string(name)
}

fn float_text(value: f64) -> String {
    if value.is_nan() { "nan".to_owned() } else { format!("{value:?}") }
}

fn by_id(sheet: &mut Sheet<impl Write>, id: u64) -> io::Result<()> {
    begin_flat(sheet, BY_ID)?;
    sheet.out.key("props")?.begin("[")?.string("object_id")?;
    sheet.out.string(&format!("i:{}", id.cast_signed()))?;
    sheet.out.end("]")?;
    sheet.out.end("}")
}

fn only_kind(sheet: &mut Sheet<impl Write>, kind: Kind) -> io::Result<()> {
    begin_flat(sheet, kind.name())?;
    sheet.out.end("}")
}

fn numbers(sheet: &mut Sheet<impl Write>, numbers: Numbers<'_>) -> io::Result<()> {
    begin_flat(sheet, numbers.kind().name())?;
    sheet.out.key("args")?.begin("[")?;
    for place in 0..numbers.len() {
        if let Some(value) = numbers.get(place_in_form(numbers.kind(), place)) {
            number(sheet, value)?;
        }
    }
    sheet.out.end("]")?;
    sheet.out.end("}")
}

/// Maps the index of a number in this form to its index on the wire. The same function maps back. This form has the
/// numbers of a basis column by column, and the wire has them row by row. Numbers after the basis keep their index.
pub(super) const fn place_in_form(kind: Kind, place: usize) -> usize {
    match (kind, place) {
        (Kind::Basis | Kind::Transform3D, 0..9) => {
            (place % 3).saturating_mul(3).saturating_add(place / 3)
        }
        _ => place,
    }
}

/// Writes a number. An infinity is written as a number that overflows, as in the engine's JSON.
fn number(sheet: &mut Sheet<impl Write>, value: Number) -> io::Result<()> {
    match value {
        Number::Int(value) => sheet.out.token(value),
        _ if value.is_nan() => {
            sheet.lost(LossKind::NotFinite);
            sheet.out.token("null")
        }
        _ if value.is_finite() => sheet.out.token(format_args!("{:?}", value.to_f64())),
        _ => sheet.out.token(if value.is_negative() { "-1e99999" } else { "1e99999" }),
    }
}

fn declared(
    sheet: &mut Sheet<impl Write>,
    key: &str,
    declared: ElementType<&[u8]>,
) -> io::Result<()> {
    match declared {
        ElementType::Any => Ok(()),
        ElementType::Builtin(kind) => sheet.out.key(key)?.string(kind.name()),
        ElementType::Class(text) | ElementType::Script(text) => {
            sheet.out.key(key)?;
            sheet.string("", text)
        }
        ElementType::Unknown(_) => {
            sheet.lost(LossKind::Kind);
            Ok(())
        }
    }
}
