//! Reads values without recursion: nom reads the tokens, a stack holds the containers.

use std::borrow::Cow;

use variant_view::{
    ArrayHead, Consumer, DictionaryHead, ElementType, Head, Kind, ObjectHead, Origin,
};

use super::construct::{self, Literal};
use super::token::{self, Fault, Parsed, fault};
use super::{ParseOptions, names};
use crate::leaf::{Float, Int, NodePath};
use crate::object::Object;
use crate::variant::Variant;

/// Why a text is not read to its end.
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

/// A container that has not ended.
struct Container {
    kind: Kind,
    state: State,
    /// Whether a parenthesis follows the end, as in `Array[int]([])`.
    is_wrapped: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    /// Nothing was read, or a comma.
    Start,
    /// A key was read.
    Key,
    /// An element or a pair was read.
    Item,
}

/// What stands at a place where a value should be.
enum Item<'a> {
    Literal(Literal<'a>),
    /// Whether a parenthesis follows the end, as in `Array[int]([])`.
    Container(Opening<'a>, bool),
}

/// What opens a container.
enum Opening<'a> {
    Array(Kind, Declared<'a>),
    Dictionary(Declared<'a>, Declared<'a>),
    Object(Cow<'a, str>),
}

type Declared<'a> = ElementType<Cow<'a, str>>;

/// What follows a value in a container.
enum Step<'a> {
    Value,
    /// Of the property whose value follows, and the text from there on.
    Name(Cow<'a, str>, &'a str),
    End,
}

impl<'a> Parser<'a> {
    pub(super) const fn new(text: &'a str, options: ParseOptions) -> Self {
        Self { text, open: Vec::new(), options }
    }

    /// Gives the value with which `input`, a part of the text, begins, and what follows it.
    pub(super) fn run<C: Consumer>(
        &mut self,
        mut input: &'a str,
        consumer: &mut C,
    ) -> Result<&'a str, Stop<'a, C::Error>> {
        loop {
            (input, _) = token::spaces(input)?;
            let (mut rest, item) = item(input)?;
            if matches!(item, Item::Container(..)) && self.open.len() >= self.options.depth {
                let most = self.options.depth;
                fault::<()>(input, format!("no more than {most} containers inside one another"))?;
            }
            self.tell_origin(input, rest, consumer);
            match item {
                Item::Literal(literal) => literal.feed(consumer),
                Item::Container(opening, is_wrapped) => {
                    self.open.push(Container::new(&opening, is_wrapped));
                    self.enter(&opening, consumer)
                }
            }
            .map_err(Stop::Consumer)?;
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

    /// Says where the next event stands: from `start` up to `end`.
    fn tell_origin<C: Consumer>(&self, start: &str, end: &str, consumer: &mut C) {
        if C::WANTS_ORIGINS {
            let bytes = start.get(..start.len().saturating_sub(end.len())).unwrap_or_default();
            let offset = self.text.len().saturating_sub(start.len());
            consumer.origin(Origin { offset, bytes: bytes.as_bytes() });
        }
    }

    fn enter<C: Consumer>(&self, opening: &Opening<'_>, consumer: &mut C) -> Result<(), C::Error> {
        let rule = Some(self.options.key_rule);
        consumer.enter(match opening {
            Opening::Array(kind, element_type) => Head::Array(ArrayHead {
                kind: *kind,
                element_type: bytes(element_type),
                ..ArrayHead::default()
            }),
            Opening::Dictionary(key_type, value_type) => Head::Dictionary(DictionaryHead {
                key_type: bytes(key_type),
                value_type: bytes(value_type),
                rule,
                ..DictionaryHead::default()
            }),
            Opening::Object(class) => {
                Head::Object(ObjectHead { rule, ..ObjectHead::new(class.as_bytes()) })
            }
        })
    }
}

fn bytes<'d>(declared: &'d Declared<'_>) -> ElementType<&'d [u8]> {
    declared.as_ref().map(|name| name.as_bytes())
}

/// What begins there; of a container only what opens it.
fn item(input: &str) -> Parsed<'_, Item<'_>> {
    if let Some(rest) = input.strip_prefix('[') {
        return Ok((rest, Item::Container(Opening::Array(Kind::Array, ElementType::Any), false)));
    }
    if let Some(rest) = input.strip_prefix('{') {
        return Ok((
            rest,
            Item::Container(Opening::Dictionary(ElementType::Any, ElementType::Any), false),
        ));
    }
    if input.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) {
        return literal(number(input));
    }
    match token::identifier(input) {
        Ok((rest, name)) => named(input, rest, name),
        Err(_) => literal(quoted(input)),
    }
}

/// What begins with a name.
fn named<'a>(input: &'a str, rest: &'a str, name: &str) -> Parsed<'a, Item<'a>> {
    let value = match name {
        "null" | "nil" => Variant::Nil,
        "true" => Variant::Bool(true),
        "false" => Variant::Bool(false),
        "inf" | "inf_neg" | "nan" => return literal(number(input)),
        "Resource" => return literal(construct::resource(rest)),
        "Object" => return object(rest),
        "Array" => {
            let (rest, element_type) = in_brackets(rest, construct::element_type)?;
            let (rest, _) = token::symbol(rest, "(")?;
            let (rest, _) = token::symbol(rest, "[")?;
            return Ok((rest, Item::Container(Opening::Array(Kind::Array, element_type), true)));
        }
        "Dictionary" => {
            let (rest, (key_type, value_type)) = in_brackets(rest, two_types)?;
            let (rest, _) = token::symbol(rest, "(")?;
            let (rest, _) = token::symbol(rest, "{")?;
            return Ok((rest, Item::Container(Opening::Dictionary(key_type, value_type), true)));
        }
        "TypedArray" => return elements(rest, Kind::TypedArray),
        "PackedTypedArray" => return elements(rest, Kind::PackedTypedArray),
        _ => match names::kind(name) {
            Some(kind) => {
                return literal(construct::value(rest, name, kind).or_else(at_name(input)));
            }
            None => return fault(input, "a value"),
        },
    };
    Ok((rest, Item::Literal(Literal::Other(value))))
}

/// A name that makes no value is wrong itself, not what follows it.
fn at_name<'a>(input: &'a str) -> impl FnOnce(nom::Err<Fault<'a>>) -> Parsed<'a, Literal<'a>> {
    move |error| match error {
        nom::Err::Error(error) if error.expected == "a value" => fault(input, "a value"),
        error => Err(error),
    }
}

fn literal<'a>(parsed: Parsed<'a, Literal<'a>>) -> Parsed<'a, Item<'a>> {
    parsed.map(|(rest, literal)| (rest, Item::Literal(literal)))
}

fn number(input: &str) -> Parsed<'_, Literal<'_>> {
    let (rest, number) = token::number(input)?;
    let value = match (number.is_int(), number.int()) {
        (true, Some(int)) => Variant::Int(Int::new(int)),
        (true, None) => return fault(input, "an integer of 64 bits"),
        _ => Variant::Float(Float::new(number.f64())),
    };
    Ok((rest, Literal::Other(value)))
}

/// Texts, names and paths.
fn quoted(input: &str) -> Parsed<'_, Literal<'_>> {
    let text = input.strip_prefix(['&', '@', '^']).unwrap_or(input);
    if !text.starts_with('"') {
        return fault(input, "a value");
    }
    let (rest, text) = token::string(text)?;
    let literal = match input.chars().next() {
        Some('^') => Literal::Other(Variant::NodePath(Box::new(NodePath::parse(&text)))),
        Some('&' | '@') => Literal::StringName(text),
        _ => Literal::String(text),
    };
    Ok((rest, literal))
}

/// Pandemonium's typed arrays, from the parenthesis on.
fn elements(input: &str, kind: Kind) -> Parsed<'_, Item<'_>> {
    let (input, _) = token::symbol(input, "(")?;
    let (input, element_type) = match token::try_symbol(input, ",") {
        // No words for objects without a class.
        Some(_) => (input, ElementType::Class("".into())),
        None => construct::element_type(input)?,
    };
    let (rest, _) = token::symbol(input, ",")?;
    Ok((rest, Item::Container(Opening::Array(kind, element_type), false)))
}

/// `Object`, from the parenthesis on.
fn object(input: &str) -> Parsed<'_, Item<'_>> {
    let (input, _) = token::symbol(input, "(")?;
    if let Some((rest, id)) = construct::id(input) {
        return Ok((rest, Item::Literal(Literal::Other(Object::Id(id).into()))));
    }
    let (rest, class) = match token::string(input) {
        Ok((rest, class)) => (rest, class),
        Err(_) => token::identifier(input).map(|(rest, class)| (rest, class.into()))?,
    };
    Ok((rest, Item::Container(Opening::Object(class), false)))
}

fn in_brackets<'a, T>(input: &'a str, item: fn(&'a str) -> Parsed<'a, T>) -> Parsed<'a, T> {
    let (input, _) = token::symbol(input, "[")?;
    let (input, item) = item(input)?;
    let (rest, _) = token::symbol(input, "]")?;
    Ok((rest, item))
}

fn two_types(input: &str) -> Parsed<'_, (Declared<'_>, Declared<'_>)> {
    let (input, key_type) = construct::element_type(input)?;
    let (input, _) = token::symbol(input, ",")?;
    let (rest, value_type) = construct::element_type(input)?;
    Ok((rest, (key_type, value_type)))
}

impl Container {
    const fn new(opening: &Opening<'_>, is_wrapped: bool) -> Self {
        let (kind, state) = match opening {
            Opening::Array(kind, _) => (*kind, State::Start),
            Opening::Dictionary(..) => (Kind::Dictionary, State::Start),
            // A comma stands behind the class, too.
            Opening::Object(_) => (Kind::Object, State::Item),
        };
        Self { kind, state, is_wrapped }
    }

    /// Reads up to the next value, which is then due, or through the end.
    fn advance<'a>(&mut self, input: &'a str) -> Parsed<'a, Step<'a>> {
        let (mut input, _) = token::spaces(input)?;
        if self.state == State::Key {
            let (rest, _) = token::symbol(input, ":")?;
            self.state = State::Item;
            return Ok((rest, Step::Value));
        }
        let closer = match self.kind {
            Kind::Array => "]",
            Kind::Dictionary => "}",
            _ => ")",
        };
        if self.state == State::Item && token::try_symbol(input, closer).is_none() {
            let Some(rest) = token::try_symbol(input, ",") else {
                return fault(input, format!("`,` or `{closer}`"));
            };
            input = rest;
        }
        // Also behind the comma of the last item.
        if let Some(rest) = token::try_symbol(input, closer) {
            let behind = if self.is_wrapped { token::symbol(rest, ")")?.0 } else { rest };
            return Ok((behind, Step::End));
        }
        self.state = if self.kind == Kind::Dictionary { State::Key } else { State::Item };
        if self.kind != Kind::Object {
            return Ok((input, Step::Value));
        }
        let (at, _) = token::spaces(input)?;
        let (rest, name) = token::string(at)?;
        let (rest, _) = token::symbol(rest, ":")?;
        Ok((rest, Step::Name(name, at)))
    }
}
