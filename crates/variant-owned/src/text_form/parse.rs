//! Reads values without recursion: nom reads the tokens, a stack holds the containers.

use super::token::{self, Parsed, fault};
use super::{ParseOptions, TextError, construct, names};
use crate::array::{Array, ElementType};
use crate::build::{Builder, Open};
use crate::dictionary::Dictionary;
use crate::leaf::{Float, Int, NodePath};
use crate::text::Text;
use crate::variant::Variant;

pub(super) fn parse(text: &str, options: &ParseOptions) -> Result<Variant, TextError> {
    let mut parser = Parser { builder: Builder::default(), open: Vec::new(), options };
    let end = parser.run(text).and_then(|(rest, ())| match token::spaces(rest)? {
        ("", _) => Ok(()),
        (rest, _) => fault(rest, "nothing behind the value").map(|(_, ())| ()),
    });
    let fail = |at: &str, expected| {
        Err(TextError::new(text, text.len().saturating_sub(at.len()), expected))
    };
    match end {
        Ok(()) => match parser.builder.finish() {
            Some(value) => Ok(value),
            None => fail("", "a value".into()),
        },
        Err(nom::Err::Error(error) | nom::Err::Failure(error)) => fail(error.at, error.expected),
        // Only streams are incomplete.
        Err(nom::Err::Incomplete(_)) => fail("", "more".into()),
    }
}

struct Parser<'o> {
    builder: Builder,
    open: Vec<Container>,
    options: &'o ParseOptions,
}

/// A container that has not ended.
struct Container {
    shape: Shape,
    state: State,
    /// Whether a parenthesis follows the end, as in `Array[int]([])`.
    is_wrapped: bool,
}

#[derive(Clone, Copy)]
enum Shape {
    /// `[1, 2]`.
    Array,
    /// `1, 2)` of `TypedArray(int, 1, 2)`.
    Elements,
    /// `{"a": 1}`.
    Dictionary,
    /// `, "a": 1)` of `Object(Node, "a": 1)`.
    Object,
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
enum Item {
    Leaf(Variant),
    Container(Open, Container),
}

impl Parser<'_> {
    fn run<'a>(&mut self, mut input: &'a str) -> Parsed<'a, ()> {
        loop {
            (input, _) = token::spaces(input)?;
            let (mut rest, item) = self.item(input)?;
            match item {
                Item::Leaf(value) => self.builder.value(value),
                Item::Container(open, container) => {
                    if self.open.len() >= self.options.depth {
                        let most = self.options.depth;
                        let what = format!("no more than {most} containers inside one another");
                        return fault(input, what);
                    }
                    self.builder.enter(open);
                    self.open.push(container);
                }
            }
            while let Some(container) = self.open.last_mut() {
                let (behind, goes_on) = container.advance(rest, &mut self.builder)?;
                rest = behind;
                if goes_on {
                    break;
                }
                self.builder.exit();
                self.open.pop();
            }
            if self.open.is_empty() {
                return Ok((rest, ()));
            }
            input = rest;
        }
    }

    /// What begins there; of a container only what opens it.
    fn item<'a>(&self, input: &'a str) -> Parsed<'a, Item> {
        if let Some(rest) = input.strip_prefix('[') {
            return Ok((rest, array(ElementType::Any, false)));
        }
        if let Some(rest) = input.strip_prefix('{') {
            return Ok((rest, self.dictionary(ElementType::Any, ElementType::Any, false)));
        }
        if input.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) {
            return leaf(number(input));
        }
        match token::identifier(input) {
            Ok((rest, name)) => self.named(input, rest, name),
            Err(_) => leaf(quoted(input)),
        }
    }

    /// What begins with a name.
    fn named<'a>(&self, input: &'a str, rest: &'a str, name: &str) -> Parsed<'a, Item> {
        let value = match name {
            "null" | "nil" => Variant::Nil,
            "true" => Variant::Bool(true),
            "false" => Variant::Bool(false),
            "inf" | "inf_neg" | "nan" => return leaf(number(input)),
            "Resource" => return leaf(construct::resource(rest)),
            "Object" => return object(rest),
            "Array" => {
                let (rest, element_type) = in_brackets(rest, construct::element_type)?;
                let (rest, _) = token::symbol(rest, "(")?;
                let (rest, _) = token::symbol(rest, "[")?;
                return Ok((rest, array(element_type, true)));
            }
            "Dictionary" => {
                let (rest, (key_type, value_type)) = in_brackets(rest, two_types)?;
                let (rest, _) = token::symbol(rest, "(")?;
                let (rest, _) = token::symbol(rest, "{")?;
                return Ok((rest, self.dictionary(key_type, value_type, true)));
            }
            "TypedArray" => return elements(rest, Variant::TypedArray),
            "PackedTypedArray" => return elements(rest, Variant::PackedTypedArray),
            _ => match names::kind(name) {
                Some(kind) => return leaf(construct::value(rest, kind).or_else(at_name(input))),
                None => return fault(input, "a value"),
            },
        };
        Ok((rest, Item::Leaf(value)))
    }

    fn dictionary(&self, key_type: ElementType, value_type: ElementType, is_wrapped: bool) -> Item {
        let mut dictionary = Dictionary::with_rule(self.options.key_rule);
        dictionary.set_types(key_type, value_type);
        let container = Container { shape: Shape::Dictionary, state: State::Start, is_wrapped };
        Item::Container(Open::Dictionary(dictionary, None), container)
    }
}

/// A name that makes no value is wrong itself, not what follows it.
fn at_name<'a>(input: &'a str) -> impl FnOnce(nom::Err<token::Fault<'a>>) -> Parsed<'a, Variant> {
    move |error| match error {
        nom::Err::Error(error) if error.expected == "a value" => fault(input, "a value"),
        error => Err(error),
    }
}

fn leaf(parsed: Parsed<'_, Variant>) -> Parsed<'_, Item> {
    parsed.map(|(rest, value)| (rest, Item::Leaf(value)))
}

fn number(input: &str) -> Parsed<'_, Variant> {
    let (rest, number) = token::number(input)?;
    match (number.is_int(), number.int()) {
        (true, Some(int)) => Ok((rest, Variant::Int(Int::new(int)))),
        (true, None) => fault(input, "an integer of 64 bits"),
        _ => Ok((rest, Variant::Float(Float::new(number.f64())))),
    }
}

/// Texts, names and paths.
fn quoted(input: &str) -> Parsed<'_, Variant> {
    let marked = input.strip_prefix(['&', '@', '^']);
    let text = marked.unwrap_or(input);
    if !text.starts_with('"') {
        return fault(input, "a value");
    }
    let (rest, text) = token::string(text)?;
    let value = match input.chars().next() {
        Some('^') => Variant::NodePath(Box::new(NodePath::parse(&text))),
        Some('&' | '@') => Variant::StringName(text.into()),
        _ => Variant::String(text.into()),
    };
    Ok((rest, value))
}

fn array(element_type: ElementType, is_wrapped: bool) -> Item {
    let container = Container { shape: Shape::Array, state: State::Start, is_wrapped };
    Item::Container(Open::Array(Array::with_type(element_type), Variant::Array), container)
}

/// `Object`, from the parenthesis on.
fn object(input: &str) -> Parsed<'_, Item> {
    let (input, _) = token::symbol(input, "(")?;
    let (rest, class) = match token::string(input) {
        Ok((rest, class)) => (rest, class),
        Err(_) => token::identifier(input).map(|(rest, class)| (rest, class.to_owned()))?,
    };
    let open = Open::object(class.into());
    let container = Container { shape: Shape::Object, state: State::Item, is_wrapped: false };
    Ok((rest, Item::Container(open, container)))
}

/// Pandemonium's typed arrays, from the parenthesis on.
fn elements(input: &str, make: fn(Array) -> Variant) -> Parsed<'_, Item> {
    let (input, _) = token::symbol(input, "(")?;
    let (input, element_type) = match token::try_symbol(input, ",") {
        // No words for objects without a class.
        Some(_) => (input, ElementType::Class(Text::new())),
        None => construct::element_type(input)?,
    };
    let (rest, _) = token::symbol(input, ",")?;
    let open = Open::Array(Array::with_type(element_type), make);
    let container = Container { shape: Shape::Elements, state: State::Start, is_wrapped: false };
    Ok((rest, Item::Container(open, container)))
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
    /// Reads up to the next value, which is then due, or through the end.
    fn advance<'a>(&mut self, input: &'a str, builder: &mut Builder) -> Parsed<'a, bool> {
        let (mut input, _) = token::spaces(input)?;
        if let (Shape::Dictionary, State::Key) = (self.shape, self.state) {
            let (rest, _) = token::symbol(input, ":")?;
            self.state = State::Item;
            return Ok((rest, true));
        }
        if let Some(rest) = token::try_symbol(input, self.closer()) {
            let behind = if self.is_wrapped { token::symbol(rest, ")")?.0 } else { rest };
            return Ok((behind, false));
        }
        if self.state == State::Item {
            let Some(rest) = token::try_symbol(input, ",") else {
                return fault(input, format!("`,` or `{}`", self.closer()));
            };
            // Once more: a comma may stand behind the last item.
            self.state = State::Start;
            return self.advance_behind_comma(rest, builder);
        }
        (input, ()) = self.start_item(input, builder)?;
        Ok((input, true))
    }

    fn advance_behind_comma<'a>(
        &mut self,
        input: &'a str,
        builder: &mut Builder,
    ) -> Parsed<'a, bool> {
        if token::try_symbol(input, self.closer()).is_some() {
            return self.advance(input, builder);
        }
        let (rest, ()) = self.start_item(input, builder)?;
        Ok((rest, true))
    }

    fn start_item<'a>(&mut self, input: &'a str, builder: &mut Builder) -> Parsed<'a, ()> {
        let mut rest = input;
        if let Shape::Object = self.shape {
            let (input, name) = token::string(input)?;
            (rest, _) = token::symbol(input, ":")?;
            builder.name(name.into());
        }
        self.state = match self.shape {
            Shape::Dictionary => State::Key,
            Shape::Array | Shape::Elements | Shape::Object => State::Item,
        };
        Ok((rest, ()))
    }

    const fn closer(&self) -> &'static str {
        match self.shape {
            Shape::Array => "]",
            Shape::Elements | Shape::Object => ")",
            Shape::Dictionary => "}",
        }
    }
}
