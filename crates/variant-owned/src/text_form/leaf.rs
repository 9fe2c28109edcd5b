//! Prints values without children, and the types of containers.

use std::fmt::{self, Write};

use super::number::{self, Number};
use super::{TextOptions, TextStyle, base64, names};
use crate::array::ElementType;
use crate::leaf::{Image, InputEvent, NodePath};
use crate::object::Object;
use crate::text::Text;
use crate::variant::Variant;

pub(super) fn write(value: &Variant, options: TextOptions, out: &mut impl Write) -> fmt::Result {
    match value {
        Variant::Nil => out.write_str("null"),
        Variant::Bool(value) => write!(out, "{value}"),
        Variant::Int(value) => write!(out, "{}", value.value()),
        Variant::Float(value) => number::write_float(out, value.value(), options),
        Variant::String(text) => write_quoted(out, text, escape_quotes),
        Variant::StringName(text) => {
            out.write_char(if options.style == TextStyle::Godot4 { '&' } else { '@' })?;
            write_quoted(out, text, escape_quotes)
        }
        Variant::NodePath(path) => write_node_path(path, out),
        Variant::Rid(0) => out.write_str("RID()"),
        // The engine counts it among the signed ones.
        Variant::Rid(id) => write!(out, "RID({})", id.cast_signed()),
        Variant::Object(object) => match **object {
            Object::Id(id) if id != 0 => {
                writeln!(out, "Object(EncodedObjectAsID,\"object_id\":{})", id.cast_signed())
            }
            _ => out.write_str("null"),
        },
        Variant::Callable => out.write_str("Callable()"),
        Variant::Signal(_) => out.write_str("Signal()"),
        Variant::Image(image) => write_image(image, options, out),
        Variant::InputEvent(event) => write_input_event(event, options, out),
        _ => write_constructor(value, options, out),
    }
}

/// What stands inside of the parentheses of a constructor, before and behind.
pub(super) fn parentheses(options: TextOptions) -> (&'static str, &'static str) {
    match options.style {
        TextStyle::Godot4 => ("(", ")"),
        TextStyle::Godot3 | TextStyle::Pandemonium => ("( ", " )"),
    }
}

/// The kinds that print as `Name(a, b)`.
fn write_constructor(value: &Variant, options: TextOptions, out: &mut impl Write) -> fmt::Result {
    let (opener, closer) = match value {
        Variant::Projection(_) => ("(", ")"),
        _ => parentheses(options),
    };
    write!(out, "{}{opener}", names::of(value.kind(), options.style))?;
    match value {
        Variant::PackedStringArray(texts) => {
            for (i, text) in texts.iter().enumerate() {
                out.write_str(if i > 0 { ", " } else { "" })?;
                write_quoted(out, text, escape_c)?;
            }
        }
        Variant::PackedByteArray(bytes)
            if options.style == TextStyle::Pandemonium && !bytes.is_empty() =>
        {
            write!(out, "\"{}\"", base64::encode(bytes))?;
        }
        _ => write_numbers(value, options, out)?,
    }
    out.write_str(closer)
}

fn write_numbers(value: &Variant, options: TextOptions, out: &mut impl Write) -> fmt::Result {
    let mut result = Ok(());
    let mut separator = "";
    number::each(value, &mut |number: Number| {
        if result.is_ok() {
            result = out.write_str(separator).and_then(|()| number::write(out, number, options));
            separator = ", ";
        }
    });
    result
}

fn write_node_path(path: &NodePath, out: &mut impl Write) -> fmt::Result {
    out.write_str("NodePath(\"")?;
    if let Some(plain) = &path.plain {
        write_text(out, plain, escape_c)?;
    }
    if path.is_absolute {
        out.write_char('/')?;
    }
    for (i, name) in path.names.iter().enumerate() {
        out.write_str(if i > 0 { "/" } else { "" })?;
        write_text(out, name, escape_c)?;
    }
    for subname in &path.subnames {
        out.write_char(':')?;
        write_text(out, subname, escape_c)?;
    }
    out.write_str("\")")
}

fn write_image(image: &Image, options: TextOptions, out: &mut impl Write) -> fmt::Result {
    let Image { format, mipmaps, width, height, data } = image;
    write!(out, "Object(Image,\"format\":{format},\"mipmaps\":{mipmaps}")?;
    write!(out, ",\"width\":{width},\"height\":{height},\"data\":")?;
    write_constructor(&Variant::PackedByteArray(data.clone()), options, out)?;
    out.write_str(")\n")
}

fn write_input_event(
    event: &InputEvent,
    options: TextOptions,
    out: &mut impl Write,
) -> fmt::Result {
    let InputEvent { event, device, payload } = event;
    write!(out, "Object(InputEvent,\"event\":{event},\"device\":{device},\"payload\":")?;
    write_constructor(&Variant::PackedByteArray(payload.clone()), options, out)?;
    out.write_str(")\n")
}

/// Writes the declared type of a container's elements.
pub(super) fn write_type(
    element_type: &ElementType,
    options: TextOptions,
    out: &mut impl Write,
) -> fmt::Result {
    match element_type {
        ElementType::Any => out.write_str("Variant"),
        ElementType::Builtin(kind) => out.write_str(names::of(*kind, options.style)),
        ElementType::Class(class) => write_class(class, out),
        ElementType::Script(path) => {
            out.write_str("Resource(")?;
            write_quoted(out, path, escape_quotes)?;
            out.write_char(')')
        }
        ElementType::Unknown(id) => write!(out, "{id}"),
    }
}

/// Writes the class of an object, in quotes if it is no name.
pub(super) fn write_name(name: &Text, out: &mut impl Write) -> fmt::Result {
    match name.as_str() {
        Some(text) if names::is_identifier(text) => out.write_str(text),
        _ => write_quoted(out, name, escape_quotes),
    }
}

/// In quotes also where it would pass for something else.
fn write_class(class: &Text, out: &mut impl Write) -> fmt::Result {
    let is_taken = class
        .as_str()
        .is_some_and(|class| class == "Variant" || names::element_kind(class).is_some());
    if is_taken { write_quoted(out, class, escape_quotes) } else { write_name(class, out) }
}

/// What is printed in place of a character.
pub(super) type Escape = fn(char) -> Option<&'static str>;

pub(super) fn write_quoted(out: &mut impl Write, text: &Text, escape: Escape) -> fmt::Result {
    out.write_char('"')?;
    write_text(out, text, escape)?;
    out.write_char('"')
}

fn write_text(out: &mut impl Write, text: &Text, escape: Escape) -> fmt::Result {
    for c in text.to_str_lossy().chars() {
        match escape(c) {
            Some(escaped) => out.write_str(escaped)?,
            None => out.write_char(c)?,
        }
    }
    Ok(())
}

/// Of a text: line breaks and the like stand as they are.
pub(super) fn escape_quotes(c: char) -> Option<&'static str> {
    match c {
        '\\' => Some("\\\\"),
        '"' => Some("\\\""),
        _ => None,
    }
}

/// Of a text in a packed array, and of a node path: as in C.
fn escape_c(c: char) -> Option<&'static str> {
    match c {
        '\x07' => Some("\\a"),
        '\x08' => Some("\\b"),
        '\x0c' => Some("\\f"),
        '\n' => Some("\\n"),
        '\r' => Some("\\r"),
        '\t' => Some("\\t"),
        '\x0b' => Some("\\v"),
        '\'' => Some("\\'"),
        '?' => Some("\\?"),
        _ => escape_quotes(c),
    }
}
