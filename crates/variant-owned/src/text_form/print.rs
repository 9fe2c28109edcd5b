//! Prints values without recursion. Not with `tree::Walk`, which knows only the order of insertion.

use std::fmt::{self, Write};
use std::{slice, vec};

use super::{TextOptions, TextStyle, leaf, order};
use crate::array::{Array, ElementType};
use crate::dictionary::Dictionary;
use crate::object::Object;
use crate::text::Text;
use crate::variant::Variant;

pub(super) fn write(value: &Variant, options: TextOptions, out: &mut impl Write) -> fmt::Result {
    let mut open = Vec::new();
    let mut next = Some(value);
    loop {
        if let Some(value) = next.take() {
            match enter(value, options, out)? {
                Some(container) => open.push(container),
                None => leaf::write(value, options, out)?,
            }
        }
        let Some(container) = open.last_mut() else { return Ok(()) };
        next = container.advance(out)?;
        if next.is_none() {
            out.write_str(container.closer)?;
            open.pop();
        }
    }
}

/// What is left of a container.
struct Container<'v> {
    rest: Rest<'v>,
    is_first: bool,
    closer: &'static str,
}

enum Rest<'v> {
    Elements(slice::Iter<'v, Variant>),
    /// Pairs, and the value of the key that was given last.
    Pairs(Pairs<'v>, Option<&'v Variant>),
    Properties(slice::Iter<'v, (Text, Variant)>),
}

enum Pairs<'v> {
    Stored(slice::Iter<'v, (Variant, Variant)>),
    Sorted(vec::IntoIter<&'v (Variant, Variant)>),
}

impl<'v> Container<'v> {
    /// Writes what stands between two values, and gives the second.
    fn advance(&mut self, out: &mut impl Write) -> Result<Option<&'v Variant>, fmt::Error> {
        let is_first = std::mem::replace(&mut self.is_first, false);
        match &mut self.rest {
            Rest::Elements(rest) => {
                let Some(element) = rest.next() else { return Ok(None) };
                out.write_str(if is_first { "" } else { ", " })?;
                Ok(Some(element))
            }
            Rest::Pairs(_, pending @ Some(_)) => {
                out.write_str(": ")?;
                Ok(pending.take())
            }
            Rest::Pairs(rest, pending) => {
                let pair = match rest {
                    Pairs::Stored(rest) => rest.next(),
                    Pairs::Sorted(rest) => rest.next(),
                };
                let Some((key, value)) = pair else { return Ok(None) };
                out.write_str(if is_first { "" } else { ",\n" })?;
                *pending = Some(value);
                Ok(Some(key))
            }
            Rest::Properties(rest) => {
                let Some((name, value)) = rest.next() else { return Ok(None) };
                out.write_char(',')?;
                leaf::write_quoted(out, name, leaf::escape_quotes)?;
                out.write_char(':')?;
                Ok(Some(value))
            }
        }
    }
}

/// Writes what opens a container; none for a leaf.
fn enter<'v>(
    value: &'v Variant,
    options: TextOptions,
    out: &mut impl Write,
) -> Result<Option<Container<'v>>, fmt::Error> {
    let (rest, closer) = match value {
        Variant::Array(array) => (elements(array), open_array(array, options, out)?),
        Variant::TypedArray(array) | Variant::PackedTypedArray(array) => {
            let (opener, closer) = leaf::parentheses(options);
            write!(out, "{}{opener}", value.kind())?;
            // Pandemonium has no words for objects without a class.
            if *array.element_type() != ElementType::Class(Text::new()) {
                leaf::write_type(array.element_type(), options, out)?;
            }
            out.write_str(" , ")?;
            (elements(array), closer)
        }
        Variant::Dictionary(dictionary) => {
            let closer = open_dictionary(dictionary, options, out)?;
            (Rest::Pairs(pairs(dictionary, options), None), closer)
        }
        Variant::Object(object) => match &**object {
            Object::Full { class, properties } => {
                out.write_str("Object(")?;
                leaf::write_name(class, out)?;
                // The line break is the engines'.
                (Rest::Properties(properties.as_slice().iter()), ")\n")
            }
            Object::Null | Object::Id(_) => return Ok(None),
        },
        _ => return Ok(None),
    };
    Ok(Some(Container { rest, is_first: true, closer }))
}

fn elements(array: &Array) -> Rest<'_> {
    Rest::Elements(array.as_slice().iter())
}

fn pairs(dictionary: &Dictionary, options: TextOptions) -> Pairs<'_> {
    let stored = dictionary.as_slice().iter();
    if !options.sorted_keys {
        return Pairs::Stored(stored);
    }
    let mut sorted: Vec<_> = stored.collect();
    sorted.sort_by(|(a, _), (b, _)| order::compare(a, b, options.style));
    Pairs::Sorted(sorted.into_iter())
}

fn open_array(
    array: &Array,
    options: TextOptions,
    out: &mut impl Write,
) -> Result<&'static str, fmt::Error> {
    let is_typed = *array.element_type() != ElementType::Any;
    if is_typed {
        out.write_str("Array[")?;
        leaf::write_type(array.element_type(), options, out)?;
        out.write_str("](")?;
    }
    let (opener, closer, typed_closer) = match options.style {
        TextStyle::Godot4 => ("[", "]", "])"),
        _ => ("[ ", " ]", " ])"),
    };
    out.write_str(opener)?;
    Ok(if is_typed { typed_closer } else { closer })
}

fn open_dictionary(
    dictionary: &Dictionary,
    options: TextOptions,
    out: &mut impl Write,
) -> Result<&'static str, fmt::Error> {
    let (key_type, value_type) = dictionary.types();
    let is_typed = (key_type, value_type) != (&ElementType::Any, &ElementType::Any);
    if is_typed {
        out.write_str("Dictionary[")?;
        leaf::write_type(key_type, options, out)?;
        out.write_str(", ")?;
        leaf::write_type(value_type, options, out)?;
        out.write_str("](")?;
    }
    // How an engine prints an empty one is its own affair.
    let is_empty = dictionary.is_empty();
    let line = if is_empty && options.style == TextStyle::Godot4 { "" } else { "\n" };
    write!(out, "{{{line}")?;
    let ends_line = match options.style {
        TextStyle::Godot3 => true,
        TextStyle::Godot4 | TextStyle::Pandemonium => !is_empty,
    };
    Ok(match (ends_line, is_typed) {
        (true, false) => "\n}",
        (true, true) => "\n})",
        (false, false) => "}",
        (false, true) => "})",
    })
}
