//! The plain form: natural JSON, out and in.

use std::collections::HashMap;
use std::io::{self, Write};

use variant_view::{Kind, ObjectForm, Role, VariantView};

use super::error::JsonErrorKind;
use super::lanes::{Lanes, Number};
use super::losses::LossKind;
use super::read::{Fault, Grammar as Reading, Items, Piece, array_of, fault};
use super::tape::{Tape, Token};
use super::write::{Grammar as Writing, Sheet};
use crate::array::ElementType;
use crate::dictionary::Dictionary;
use crate::leaf::{Float, Int};
use crate::variant::Variant;

/// Writes; remembers the keys of each open container, and how often each has come.
#[derive(Default)]
pub(super) struct Plain(Vec<HashMap<String, u64>>);

impl Plain {
    /// Writes a key, with a suffix if it was there already.
    fn key<W: Write>(&mut self, sheet: &mut Sheet<'_, W>, text: &str, at: usize) -> io::Result<()> {
        let Some(keys) = self.0.last_mut() else { return sheet.out.key(text) };
        if !keys.contains_key(text) {
            keys.insert(text.to_owned(), 1);
            return sheet.out.key(text);
        }
        sheet.lost(LossKind::Collision, at);
        // From where the last search for this key has ended, so that many of one key take no square.
        let mut number = keys.get(text).copied().unwrap_or(1);
        let unused = loop {
            number = number.saturating_add(1);
            let candidate = format!("{text}#{number}");
            if !keys.contains_key(&candidate) {
                break candidate;
            }
        };
        keys.insert(text.to_owned(), number);
        sheet.out.key(&unused)?;
        keys.insert(unused, 1);
        Ok(())
    }
}

impl<W: Write> Writing<W> for Plain {
    fn lead(&mut self, sheet: &mut Sheet<'_, W>, role: Role<'_>) -> io::Result<()> {
        let Role::Property(_, name) = role else { return Ok(()) };
        if name.to_str().is_err() {
            sheet.lost(LossKind::Text, name.offset());
        }
        self.key(sheet, &name.to_str_lossy(), name.offset())
    }

    fn trail(&mut self, _: &mut Sheet<'_, W>, _: Role<'_>) -> io::Result<()> {
        Ok(())
    }

    fn key(&mut self, sheet: &mut Sheet<'_, W>, view: &VariantView<'_>) -> io::Result<bool> {
        let text = match view {
            VariantView::String(text) | VariantView::StringName(text) => {
                if text.to_str().is_err() {
                    sheet.lost(LossKind::Text, view.offset());
                }
                text.to_str_lossy().into_owned()
            }
            other => {
                sheet.lost(LossKind::Key, view.offset());
                key_text(other)
            }
        };
        Self::key(self, sheet, &text, view.offset()).map(|()| true)
    }

    fn open(
        &mut self,
        sheet: &mut Sheet<'_, W>,
        view: &VariantView<'_>,
    ) -> io::Result<&'static [&'static str]> {
        self.0.push(HashMap::new());
        if let VariantView::Array(_)
        | VariantView::TypedArray(_)
        | VariantView::PackedTypedArray(_) = view
        {
            sheet.out.begin("[")?;
            return Ok(&["]"]);
        }
        sheet.out.begin("{")?;
        if let VariantView::Object(object) = view {
            Self::key(self, sheet, "@class", view.offset())?;
            match object.class() {
                Some(class) => sheet.lossy("", class)?,
                None => sheet.out.string("")?,
            }
        }
        Ok(&["}"])
    }

    fn closed(&mut self) {
        self.0.pop();
    }

    fn leaf(&mut self, sheet: &mut Sheet<'_, W>, view: &VariantView<'_>) -> io::Result<()> {
        match view {
            VariantView::Nil(_) => sheet.out.token("null"),
            VariantView::Bool(v) => sheet.out.token(if v.value() { "true" } else { "false" }),
            VariantView::Int(v) => sheet.out.number(format_args!("{}", v.value()), false),
            VariantView::Float(v) => match v.value() {
                value if value.is_finite() => sheet.out.number(format_args!("{value:?}"), false),
                _ => not_finite(sheet, view.offset()),
            },
            VariantView::String(v) | VariantView::StringName(v) => sheet.lossy("", *v),
            VariantView::NodePath(v) => sheet.node_path("", v),
            VariantView::PackedByteArray(v) => sheet.out.base64(v.as_bytes()),
            VariantView::PackedStringArray(v) => {
                sheet.out.begin("[")?;
                v.iter().try_for_each(|text| sheet.lossy("", text))?;
                sheet.out.end("]")
            }
            other => match Lanes::of(other) {
                Some(lanes) => numbers(sheet, other, &lanes),
                None => rare(sheet, other),
            },
        }
    }
}

fn not_finite<W: Write>(sheet: &mut Sheet<'_, W>, offset: usize) -> io::Result<()> {
    sheet.lost(LossKind::NotFinite, offset);
    sheet.out.token("null")
}

/// A key that is no text: numbers as such, mathematical values by their numbers, the others by their kind.
fn key_text(view: &VariantView<'_>) -> String {
    match view {
        VariantView::Nil(_) => "null".to_owned(),
        VariantView::Bool(v) => v.value().to_string(),
        VariantView::Int(v) => v.value().to_string(),
        VariantView::Float(v) => format!("{:?}", v.value()),
        VariantView::NodePath(v) => v.to_string(),
        VariantView::Rid(v) => format!("RID({})", v.value()),
        other => match Lanes::of(other) {
            Some(lanes) if !lanes.layout.is_pool => {
                let numbers: Vec<_> = lanes.iter().map(number_text).collect();
                format!("({})", numbers.join(", "))
            }
            _ => other.kind().name().to_owned(),
        },
    }
}

fn number_text(number: Number) -> String {
    let text = match number {
        Number::Int(value) => value.to_string(),
        Number::Float32(bits) => format!("{:?}", f32::from_bits(bits)),
        Number::Float64(bits) => format!("{:?}", f64::from_bits(bits)),
    };
    // Zero would lose its sign in the eyes of most readers.
    match text.strip_suffix(".0") {
        Some(short) if short != "-0" => short.to_owned(),
        _ => text,
    }
}

/// A part of a mathematical value: its name, if it has parts, and the names of its numbers.
type Part = (&'static str, &'static [&'static str]);

const XY: &[&str] = &["x", "y"];
const XYZ: &[&str] = &["x", "y", "z"];
const XYZW: &[&str] = &["x", "y", "z", "w"];
const RGBA: &[&str] = &["r", "g", "b", "a"];

const fn parts(kind: Kind) -> &'static [Part] {
    match kind {
        Kind::Vector2 | Kind::Vector2i | Kind::PackedVector2Array | Kind::PackedVector2iArray => {
            &[("", XY)]
        }
        Kind::Vector3 | Kind::Vector3i | Kind::PackedVector3Array | Kind::PackedVector3iArray => {
            &[("", XYZ)]
        }
        Kind::Vector4
        | Kind::Vector4i
        | Kind::Quaternion
        | Kind::PackedVector4Array
        | Kind::PackedVector4iArray => &[("", XYZW)],
        Kind::Color | Kind::PackedColorArray => &[("", RGBA)],
        Kind::Rect2 | Kind::Rect2i => &[("position", XY), ("size", XY)],
        Kind::Aabb => &[("position", XYZ), ("size", XYZ)],
        Kind::Plane => &[("normal", XYZ), ("d", &[])],
        Kind::Transform2D => &[("x", XY), ("y", XY), ("origin", XY)],
        Kind::Basis => &[("row0", XYZ), ("row1", XYZ), ("row2", XYZ)],
        Kind::Transform3D => &[("row0", XYZ), ("row1", XYZ), ("row2", XYZ), ("origin", XYZ)],
        Kind::Projection => &[("x", XYZW), ("y", XYZW), ("z", XYZW), ("w", XYZW)],
        _ => &[],
    }
}

fn numbers<W: Write>(
    sheet: &mut Sheet<'_, W>,
    view: &VariantView<'_>,
    lanes: &Lanes<'_>,
) -> io::Result<()> {
    let (parts, offset) = (parts(view.kind()), view.offset());
    let mut numbers = lanes.iter();
    if !lanes.layout.is_pool {
        return structure(sheet, parts, &mut numbers, offset);
    }
    sheet.out.begin_flat("[")?;
    let size = lanes.lane.size().saturating_mul(lanes.layout.count);
    for _ in 0..lanes.bytes().len().checked_div(size).unwrap_or(0) {
        structure(sheet, parts, &mut numbers, offset)?;
    }
    sheet.out.end("]")
}

/// One value, or one element; a plain number if it has no parts.
fn structure<W: Write>(
    sheet: &mut Sheet<'_, W>,
    parts: &[Part],
    numbers: &mut impl Iterator<Item = Number>,
    offset: usize,
) -> io::Result<()> {
    if parts.is_empty() {
        return number(sheet, numbers.next(), offset);
    }
    sheet.out.begin_flat("{")?;
    for &(part, names) in parts {
        if !part.is_empty() {
            sheet.out.key(part)?;
        }
        if names.is_empty() {
            number(sheet, numbers.next(), offset)?;
            continue;
        }
        if !part.is_empty() {
            sheet.out.begin("{")?;
        }
        for name in names {
            sheet.out.key(name)?;
            number(sheet, numbers.next(), offset)?;
        }
        if !part.is_empty() {
            sheet.out.end("}")?;
        }
    }
    sheet.out.end("}")
}

fn number<W: Write>(
    sheet: &mut Sheet<'_, W>,
    number: Option<Number>,
    offset: usize,
) -> io::Result<()> {
    match number {
        Some(number) if number.is_finite() => sheet.out.token(&number_text(number)),
        _ => not_finite(sheet, offset),
    }
}

fn rare<W: Write>(sheet: &mut Sheet<'_, W>, view: &VariantView<'_>) -> io::Result<()> {
    let fields: &[(&str, u64)] = &match view {
        VariantView::Rid(id) => return sheet.out.number(format_args!("{}", id.value()), false),
        VariantView::Object(object) => match object.form() {
            ObjectForm::Id(id) => [("@id", id)].to_vec(),
            _ => return sheet.out.token("null"),
        },
        VariantView::Signal(signal) => [("object_id", signal.object_id())].to_vec(),
        VariantView::Image(image) => vec![
            ("format", image.format().into()),
            ("mipmaps", image.mipmaps().into()),
            ("width", image.width().into()),
            ("height", image.height().into()),
        ],
        VariantView::InputEvent(event) => {
            vec![("event", event.event().into()), ("device", event.device().into())]
        }
        _ => {
            sheet.lost(LossKind::Reference, view.offset());
            return sheet.out.token("null");
        }
    };
    sheet.out.begin_flat("{")?;
    if let VariantView::Signal(signal) = view {
        sheet.out.key("signal")?;
        sheet.lossy("", signal.name())?;
    }
    for (name, value) in fields {
        sheet.out.key(name)?;
        sheet.out.number(format_args!("{value}"), false)?;
    }
    let data = match view {
        VariantView::Image(image) => Some(image.data()),
        VariantView::InputEvent(event) => Some(event.payload()),
        _ => None,
    };
    if let Some(data) = data {
        sheet.out.key("data")?;
        sheet.out.base64(data)?;
    }
    sheet.out.end("}")
}

/// Reads: objects as dictionaries, numbers as integers where they have no point and no exponent.
pub(super) struct PlainIn;

impl Reading for PlainIn {
    fn piece(&self, tape: &Tape<'_>, at: usize) -> Result<Piece, Fault> {
        Ok(Piece::Leaf(match tape.token(at) {
            Token::Null => Variant::Nil,
            Token::Bool(value) => Variant::Bool(value),
            Token::String => Variant::String(tape.string(at).unwrap_or_default().into()),
            Token::Number => bare_number(tape, at)?,
            Token::Array => {
                let array = array_of(ElementType::Any, false);
                return Ok(Piece::Array(Kind::Array, array, Items::flat(tape, at)));
            }
            Token::Object => {
                return Ok(Piece::Dictionary(Dictionary::new(), Items::flat(tape, at)));
            }
        }))
    }
}

fn bare_number(tape: &Tape<'_>, at: usize) -> Result<Variant, Fault> {
    let source = tape.source(at);
    if let Ok(value) = source.parse::<i64>()
        && source != "-0"
    {
        return Ok(Variant::Int(Int::new(value)));
    }
    match source.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Variant::Float(Float::new(value))),
        _ => fault(JsonErrorKind::OutOfRange, at),
    }
}
