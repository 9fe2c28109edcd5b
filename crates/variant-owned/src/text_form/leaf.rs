//! Prints values without children, and the types of containers.

use std::fmt::{self, Write};

use variant_view::{ElementType, Kind, Leaf, NodePathLeaf, Numbers, Texts, Width};

use super::escape::{self, Place};
use super::{BY_ID, TextPrinter, names, number};
use crate::base64;
use crate::leaf::{Float, path_bytes};

impl<W: Write> TextPrinter<W> {
    pub(super) fn write_leaf(&mut self, leaf: Leaf<'_>) -> fmt::Result {
        let (out, options, style) = (&mut self.out, self.options, self.options.style.of());
        match leaf {
            Leaf::Nil | Leaf::NullObject | Leaf::ObjectId(0) => out.write_str("null"),
            Leaf::Bool(value) => write!(out, "{value}"),
            Leaf::Int { value, .. } => write!(out, "{value}"),
            Leaf::Float { bits, width } => {
                number::write_float(out, Float::from_wire(bits, width).value(), options)
            }
            Leaf::String(text) => self.write_quoted(text, Place::Lines),
            Leaf::StringName(text) => {
                out.write_char(style.name_mark)?;
                self.write_quoted(text, Place::Symbol)
            }
            Leaf::NodePath(path) => self.write_node_path(path),
            Leaf::Numbers(numbers) => self.write_numbers(numbers),
            Leaf::Strings(texts) => self.write_strings(texts),
            // The engine does not print RIDs. It prints an array of two RIDs as `[ ,  ]`.
            Leaf::Rid(_) if options.is_engine() && !style.has_rid => Ok(()),
            Leaf::Rid(0) => out.write_str("RID()"),
            // The engine prints ids as signed integers.
            Leaf::Rid(id) => write!(out, "RID({})", id.cast_signed()),
            Leaf::Callable => out.write_str("Callable()"),
            Leaf::Signal { .. } => out.write_str("Signal()"),
            Leaf::ObjectId(id) => {
                // The engine also prints the script, and the id as a signed integer.
                let script = if options.is_engine() { ",\"script\":null" } else { "" };
                writeln!(out, "Object({BY_ID},\"object_id\":{}{script})", id.cast_signed())
            }
            Leaf::Image { format, mipmaps, width, height, data } => {
                write!(out, "Image(\"format\":{format},\"mipmaps\":{mipmaps}")?;
                write!(out, ",\"width\":{width},\"height\":{height}")?;
                self.write_payload("data", data)
            }
            Leaf::InputEvent { event, device, payload } => {
                write!(out, "InputEvent(\"event\":{event},\"device\":{device}")?;
                self.write_payload("payload", payload)
            }
        }
    }

    /// Writes `Name(`; returns the closing parenthesis.
    fn open_constructor(&mut self, kind: Kind) -> Result<&'static str, fmt::Error> {
        let (opener, closer) = match kind {
            Kind::Projection => ("(", ")"),
            _ => self.options.style.of().parentheses,
        };
        let (prefix, name) = names::of(kind, self.options.style);
        write!(self.out, "{prefix}{name}{opener}")?;
        Ok(closer)
    }

    fn write_numbers(&mut self, numbers: Numbers<'_>) -> fmt::Result {
        let closer = self.open_constructor(numbers.kind())?;
        match numbers.as_wire_bytes() {
            Some(bytes @ [_, ..])
                if self.options.base64 && numbers.kind() == Kind::PackedByteArray =>
            {
                write!(self.out, "\"{}\"", base64::encode(bytes))?;
            }
            _ => {
                let shape = numbers.shape();
                for (i, number) in numbers.iter().enumerate() {
                    self.out.write_str(if i > 0 { ", " } else { "" })?;
                    number::write(&mut self.out, number, &shape, self.options)?;
                }
            }
        }
        self.out.write_str(closer)
    }

    /// Writes the bytes of an image or an input event of Godot 2, which engines do not print.
    fn write_payload(&mut self, name: &str, bytes: &[u8]) -> fmt::Result {
        write!(self.out, ",\"{name}\":")?;
        let numbers = Numbers::from_wire(Kind::PackedByteArray, Width::W32, bytes);
        numbers.map_or(Ok(()), |numbers| self.write_numbers(numbers))?;
        self.out.write_char(')')
    }

    fn write_strings(&mut self, texts: Texts<'_>) -> fmt::Result {
        let closer = self.open_constructor(Kind::PackedStringArray)?;
        for (i, text) in texts.iter().enumerate() {
            self.out.write_str(if i > 0 { ", " } else { "" })?;
            self.write_quoted(text, Place::Symbol)?;
        }
        self.out.write_str(closer)
    }

    fn write_node_path(&mut self, path: &NodePathLeaf<'_>) -> fmt::Result {
        let printed = path_bytes(path);
        let has_names = match path {
            NodePathLeaf::Names { names, subnames, .. } => {
                !names.is_empty() || !subnames.is_empty()
            }
            NodePathLeaf::Plain(_) => true,
        };
        // Older engines print an absolute path without names as the empty path.
        let is_lost =
            !has_names && self.options.is_engine() && !self.options.style.of().has_root_path;
        self.out.write_str("NodePath(\"")?;
        self.write_text(if is_lost { b"" } else { &printed }, Place::Symbol)?;
        self.out.write_str("\")")
    }

    pub(super) fn write_type(&mut self, declared: ElementType<&[u8]>) -> fmt::Result {
        match declared {
            ElementType::Any => self.out.write_str("Variant"),
            ElementType::Builtin(kind) => {
                let (prefix, name) = names::of(kind, self.options.style);
                write!(self.out, "{prefix}{name}")
            }
            ElementType::Class(class) => {
                // Quotes a name that would read as another type.
                let name = str::from_utf8(class).ok();
                let is_taken = class == b"Variant" || name.and_then(names::element_kind).is_some();
                self.write_class(class, is_taken)
            }
            ElementType::Script(path) => {
                self.out.write_str("Resource(")?;
                self.write_quoted(path, Place::Lines)?;
                self.out.write_char(')')
            }
            ElementType::Unknown(id) => write!(self.out, "{id}"),
        }
    }

    /// Writes the name of a class; quoted if `in_quotes`, or if it is not an identifier.
    pub(super) fn write_class(&mut self, class: &[u8], in_quotes: bool) -> fmt::Result {
        match str::from_utf8(class) {
            Ok(name) if names::is_identifier(name) && !in_quotes => self.out.write_str(name),
            _ => self.write_quoted(class, Place::Lines),
        }
    }

    pub(super) fn write_quoted(&mut self, text: &[u8], place: Place) -> fmt::Result {
        self.out.write_char('"')?;
        self.write_text(text, place)?;
        self.out.write_char('"')
    }

    fn write_text(&mut self, text: &[u8], place: Place) -> fmt::Result {
        escape::write(&mut self.out, &String::from_utf8_lossy(text), place, self.options)
    }
}
