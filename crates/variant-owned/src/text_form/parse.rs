//! Parses values without recursion: nom parses tokens, and a stack has the open containers.

use std::borrow::Cow;

use variant_view::{Consumer, Kind};

use super::token::{self, Fault, Parsed, fault};
use super::{ParseOptions, construct, names};
use crate::array::{Array, ElementType, array_of};
use crate::dictionary::Dictionary;
use crate::event;
use crate::leaf::{Float, Int, NodePath};
use crate::object::Object;
use crate::path::{Form, Items, Role};
use crate::variant::Variant;

/// The reason why parsing stopped: an error of the text or of the consumer.
pub(super) enum Stop<'a, E> {
    Text(nom::Err<Fault<'a>>),
    Consumer(E),
}

impl<'a, E> From<nom::Err<Fault<'a>>> for Stop<'a, E> {
    fn from(error: nom::Err<Fault<'a>>) -> Self {
        Self::Text(error)
    }
}

pub(super) struct Parser<'a> {
    text: &'a str,
    open: Vec<Container>,
    options: ParseOptions,
}

struct Container {
    items: Items,
    closer: &'static str,
    /// Whether a closing parenthesis follows, as in `Array[int]([])`.
    is_wrapped: bool,
}

/// A value without its children; for a container, also its form and end.
type Item = (Variant, Option<Container>);

/// The next step in a container.
enum Step<'a> {
    Value,
    /// The name of a property, and the text from the name on. The value of the property follows.
    Name(Cow<'a, str>, &'a str),
    End,
}

impl<'a> Parser<'a> {
    pub(super) const fn new(text: &'a str, options: ParseOptions) -> Self {
        Self { text, open: Vec::new(), options }
    }

    /// Feeds the value at the start of `input`, a part of the text; returns the text after it.
    pub(super) fn run<C: Consumer>(
        &mut self,
        mut input: &'a str,
        consumer: &mut C,
    ) -> Result<&'a str, Stop<'a, C::Error>> {
        loop {
            (input, _) = token::spaces(input)?;
            let (mut rest, item) = item(input)?;
            let (shell, container) = item;
            if container.is_some() && self.open.len() >= self.options.depth {
                let most = self.options.depth;
                fault::<()>(input, format!("no more than {most} containers inside one another"))?;
            }
            self.tell_origin(input, rest, consumer);
            if container.is_some() {
                event::begin(&shell, None, Some(self.options.key_rule), consumer)
            } else {
                event::feed(&shell, consumer, &event::leaf)
            }
            .map_err(Stop::Consumer)?;
            self.open.extend(container);
            loop {
                let Some(container) = self.open.last_mut() else { return Ok(rest) };
                let (behind, step) = container.advance(rest)?;
                rest = behind;
                match step {
                    Step::Value => break,
                    Step::Name(name, at) => {
                        self.tell_origin(at, rest, consumer);
                        consumer.name(name.as_bytes()).map_err(Stop::Consumer)?;
                        break;
                    }
                    Step::End => {
                        self.open.pop();
                        self.tell_origin(rest, rest, consumer);
                        consumer.exit().map_err(Stop::Consumer)?;
                    }
                }
            }
            input = rest;
        }
    }

    /// Reports the position of the next event to the consumer: from `start` up to `end`.
    fn tell_origin<C: Consumer>(&self, start: &str, end: &str, consumer: &mut C) {
        if C::WANTS_ORIGINS {
            let bytes = start.get(..start.len().saturating_sub(end.len())).unwrap_or_default();
            let offset = self.text.len().saturating_sub(start.len());
            consumer.origin(offset, bytes.as_bytes());
        }
    }
}

/// A container without its children.
fn container(shell: impl Into<Variant>, is_wrapped: bool) -> Item {
    let shell = shell.into();
    let (form, closer) = match shell.kind() {
        Kind::Array => (Form::Elements, "]"),
        Kind::Dictionary => (Form::Pairs, "}"),
        Kind::Object => (Form::Properties, ")"),
        _ => (Form::Elements, ")"),
    };
    (shell, Some(Container { items: Items::of(form), closer, is_wrapped }))
}

/// Parses a value, or only the opening of a container.
fn item(input: &str) -> Parsed<'_, Item> {
    if let Some(rest) = input.strip_prefix('[') {
        return Ok((rest, container(Array::new(), false)));
    }
    if let Some(rest) = input.strip_prefix('{') {
        return Ok((rest, container(Dictionary::new(), false)));
    }
    if input.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) {
        return literal(number(input));
    }
    match token::identifier(input) {
        Ok((rest, name)) => named(input, rest, name),
        Err(_) => literal(quoted(input)),
    }
}

fn named<'a>(input: &'a str, rest: &'a str, name: &str) -> Parsed<'a, Item> {
    literal(match name {
        "null" | "nil" => Ok((rest, Variant::Nil)),
        "true" => Ok((rest, Variant::Bool(true))),
        "false" => Ok((rest, Variant::Bool(false))),
        "inf" | "inf_neg" | "nan" => number(input),
        "Resource" => construct::resource(rest),
        "Object" => return object(rest),
        "Array" => {
            let (rest, element_type) = in_brackets(rest, construct::element_type)?;
            let (rest, _) = token::symbol(rest, "(")?;
            let (rest, _) = token::symbol(rest, "[")?;
            return Ok((rest, container(Array::with_type(element_type), true)));
        }
        "Dictionary" => {
            let (rest, (key_type, value_type)) = in_brackets(rest, two_types)?;
            let (rest, _) = token::symbol(rest, "(")?;
            let (rest, _) = token::symbol(rest, "{")?;
            let mut dictionary = Dictionary::new();
            dictionary.set_types(key_type, value_type);
            return Ok((rest, container(dictionary, true)));
        }
        "TypedArray" => return elements(rest, Kind::TypedArray),
        "PackedTypedArray" => return elements(rest, Kind::PackedTypedArray),
        _ => match names::kind(name) {
            Some(kind) => construct::value(rest, name, kind).or_else(at_name(input)),
            None => fault(input, "a value"),
        },
    })
}

/// Moves an error to the start of the name, if the error is that the name is not a value.
fn at_name<'a>(input: &'a str) -> impl FnOnce(nom::Err<Fault<'a>>) -> Parsed<'a, Variant> {
    move |error| match error {
        nom::Err::Error(error) if error.expected == "a value" => fault(input, "a value"),
        error => Err(error),
    }
}

fn literal(parsed: Parsed<'_, Variant>) -> Parsed<'_, Item> {
    parsed.map(|(rest, value)| (rest, (value, None)))
}

fn number(input: &str) -> Parsed<'_, Variant> {
    let (rest, number) = token::number(input)?;
    let value = match (number.is_int(), number.int()) {
        (true, Some(int)) => Variant::Int(Int::new(int)),
        (true, None) => return fault(input, "an integer of 64 bits"),
        _ => Variant::Float(Float::new(number.f64())),
    };
    Ok((rest, value))
}

/// Parses a quoted text, name or path.
fn quoted(input: &str) -> Parsed<'_, Variant> {
    let text = input.strip_prefix(['&', '@', '^']).unwrap_or(input);
    if !text.starts_with('"') {
        return fault(input, "a value");
    }
    let (rest, text) = token::string(text)?;
    let value = match input.chars().next() {
        Some('^') => NodePath::parse(&text).into(),
        Some('&' | '@') => Variant::StringName((*text).into()),
        _ => Variant::String((*text).into()),
    };
    Ok((rest, value))
}

/// Parses a typed array of Pandemonium, from the parenthesis on.
fn elements(input: &str, kind: Kind) -> Parsed<'_, Item> {
    let (input, _) = token::symbol(input, "(")?;
    let (input, element_type) = match token::try_symbol(input, ",") {
        // Pandemonium prints no type for objects without a class.
        Some(_) => (input, ElementType::Class("".into())),
        None => construct::element_type(input)?,
    };
    let (rest, _) = token::symbol(input, ",")?;
    Ok((rest, container(array_of(kind)(Array::with_type(element_type)), false)))
}

/// Parses `Object`, from the parenthesis on.
fn object(input: &str) -> Parsed<'_, Item> {
    let (input, _) = token::symbol(input, "(")?;
    if let Some((rest, id)) = construct::id(input) {
        return Ok((rest, (Object::Id(id).into(), None)));
    }
    let (rest, class) = match token::string(input) {
        Ok((rest, class)) => (rest, class),
        Err(_) => token::identifier(input).map(|(rest, class)| (rest, class.into()))?,
    };
    Ok((rest, container(Object::new(&*class), false)))
}

fn in_brackets<'a, T>(input: &'a str, item: fn(&'a str) -> Parsed<'a, T>) -> Parsed<'a, T> {
    let (input, _) = token::symbol(input, "[")?;
    let (input, item) = item(input)?;
    let (rest, _) = token::symbol(input, "]")?;
    Ok((rest, item))
}

fn two_types(input: &str) -> Parsed<'_, (ElementType, ElementType)> {
    let (input, key_type) = construct::element_type(input)?;
    let (input, _) = token::symbol(input, ",")?;
    let (rest, value_type) = construct::element_type(input)?;
    Ok((rest, (key_type, value_type)))
}

impl Container {
    /// Reads up to the next value, or past the end of the container.
    fn advance<'a>(&mut self, input: &'a str) -> Parsed<'a, Step<'a>> {
        let (mut input, _) = token::spaces(input)?;
        if self.items.role() == Role::Key {
            let (rest, _) = token::symbol(input, ":")?;
            self.items.begin();
            return Ok((rest, Step::Value));
        }
        let closer = self.closer;
        // A comma also follows the class of an object.
        let is_behind_item = self.items.begun() > 0 || self.items.role() == Role::Property;
        if is_behind_item && token::try_symbol(input, closer).is_none() {
            let Some(rest) = token::try_symbol(input, ",") else {
                return fault(input, format!("`,` or `{closer}`"));
            };
            input = rest;
        }
        // The end may also follow a trailing comma.
        if let Some(rest) = token::try_symbol(input, closer) {
            let behind = if self.is_wrapped { token::symbol(rest, ")")?.0 } else { rest };
            return Ok((behind, Step::End));
        }
        if self.items.begin() != Role::Property {
            return Ok((input, Step::Value));
        }
        let (at, _) = token::spaces(input)?;
        let (rest, name) = token::string(at)?;
        let (rest, _) = token::symbol(rest, ":")?;
        Ok((rest, Step::Name(name, at)))
    }
}
