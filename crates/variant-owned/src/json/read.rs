//! JSON to bytes, by whichever form.

use variant_view::{Document, Kind, Limits, Objects, Options};

use super::error::{JsonError, JsonErrorKind};
use super::tape::{Tape, Token};
use crate::array::{Array, ElementType};
use crate::dictionary::Dictionary;
use crate::encode::{Emit, EncodeErrorKind, EncodeOptions};
use crate::text::Text;
use crate::variant::Variant;

/// What is wrong, and with which node.
pub(super) struct Fault {
    pub(super) kind: JsonErrorKind,
    pub(super) at: usize,
}

pub(super) fn fault<T>(kind: JsonErrorKind, at: usize) -> Result<T, Fault> {
    Err(Fault { kind, at })
}

pub(super) fn expected<T>(what: &'static str, at: usize) -> Result<T, Fault> {
    fault(JsonErrorKind::Expected(what), at)
}

/// What a node stands for.
pub(super) enum Piece {
    Leaf(Variant),
    /// An array of the given kind.
    Array(Kind, Array, Items),
    Dictionary(Dictionary, Items),
    Object(Text, Items),
}

/// The nodes in which the children of a container stand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Items {
    first: usize,
    count: usize,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Values one after the other.
    Flat,
    /// Arrays of a key and a value.
    Pairs,
    /// Arrays of a name and a value.
    NamedPairs,
    /// Names and values in turn; each two count as one.
    Named,
}

impl Items {
    /// The values in an array, or keys and values of an object.
    pub(super) fn flat(tape: &Tape<'_>, at: usize) -> Self {
        let node = tape.node(at);
        let count = if node.token == Token::Object { node.len.saturating_mul(2) } else { node.len };
        Self { first: at.saturating_add(1), count, form: Form::Flat }
    }

    /// Pairs of key and value, an array each.
    pub(super) fn pairs(tape: &Tape<'_>, at: usize) -> Self {
        Self { form: Form::Pairs, ..Self::flat(tape, at) }
    }

    /// Pairs of name and value, an array each.
    pub(super) fn named_pairs(tape: &Tape<'_>, at: usize) -> Self {
        Self { form: Form::NamedPairs, ..Self::flat(tape, at) }
    }

    /// Names and values in turn, in an array or an object.
    pub(super) fn named(tape: &Tape<'_>, at: usize) -> Self {
        let flat = Self::flat(tape, at);
        Self { form: Form::Named, count: flat.count / 2, ..flat }
    }
}

/// How the values of a form look.
pub(super) trait Grammar {
    /// What a node stands for. O(the node), without what is in its children.
    fn piece(&self, tape: &Tape<'_>, at: usize) -> Result<Piece, Fault>;

    /// A name of a property.
    fn name(&self, tape: &Tape<'_>, at: usize) -> Result<Text, Fault> {
        match tape.string(at) {
            Some(text) => Ok(text.into()),
            None => expected("a name", at),
        }
    }
}

/// Writes the bytes that a text of JSON stands for. They are checked in the end: a text may declare what
/// no reader accepts.
pub(super) fn read(
    text: &str,
    grammar: &impl Grammar,
    options: EncodeOptions,
) -> Result<Vec<u8>, JsonError> {
    let tape = Tape::parse(text)?;
    let mut bytes = Vec::new();
    let mut driver =
        Driver { tape: &tape, grammar, emit: Emit::new(&mut bytes, options), open: Vec::new() };
    let limit = usize::try_from(options.depth).unwrap_or(usize::MAX);
    driver.run(limit).map_err(|Fault { kind, at }| tape.error(kind, at))?;
    let reading = Options::new(options.dialect)
        .reals(options.reals)
        .objects(Objects::Accept)
        .limits(Limits::FILE.depth(options.depth));
    let fail = |error| tape.error(JsonErrorKind::Encode(EncodeErrorKind::NotAValue(error)), 0);
    let summary = Document::new(&bytes, reading).validate().map_err(fail)?;
    if summary.consumed != bytes.len() {
        return Err(tape.error(JsonErrorKind::Encode(EncodeErrorKind::Unexpected), 0));
    }
    Ok(bytes)
}

struct Driver<'d, 't, G> {
    tape: &'d Tape<'t>,
    grammar: &'d G,
    emit: Emit<'d>,
    open: Vec<Frame>,
}

/// What is left of a container or of a pair.
struct Frame {
    items: Items,
    /// Containers around these values.
    depth: usize,
}

impl<G: Grammar> Driver<'_, '_, G> {
    fn run(&mut self, limit: usize) -> Result<(), Fault> {
        self.value(0, 0, limit)?;
        while let Some(Frame { items, depth }) = self.open.last_mut() {
            let Some(left) = items.count.checked_sub(1) else {
                self.open.pop();
                continue;
            };
            items.count = left;
            let (at, form, depth) = (items.first, items.form, *depth);
            items.first = self.tape.node(at).next;
            match form {
                Form::Flat => self.value(at, depth, limit)?,
                Form::Named => {
                    let value = items.first;
                    items.first = self.tape.node(value).next;
                    self.name(at)?;
                    self.value(value, depth, limit)?;
                }
                Form::Pairs | Form::NamedPairs => self.pair(at, form, depth, limit)?,
            }
        }
        Ok(())
    }

    fn pair(&mut self, at: usize, form: Form, depth: usize, limit: usize) -> Result<(), Fault> {
        let node = self.tape.node(at);
        if node.token != Token::Array || node.len != 2 {
            return expected("an array of two", at);
        }
        let items = Items::flat(self.tape, at);
        if form == Form::Pairs {
            self.open.push(Frame { items, depth });
            return Ok(());
        }
        self.name(items.first)?;
        self.value(self.tape.node(items.first).next, depth, limit)
    }

    fn name(&mut self, at: usize) -> Result<(), Fault> {
        let name = self.grammar.name(self.tape, at)?;
        self.emit.text(name.as_bytes()).or_else(|kind| fault(JsonErrorKind::Encode(kind), at))
    }

    fn value(&mut self, at: usize, depth: usize, limit: usize) -> Result<(), Fault> {
        if depth > limit {
            return fault(JsonErrorKind::Encode(EncodeErrorKind::TooDeep), at);
        }
        let piece = self.grammar.piece(self.tape, at)?;
        let emit = &mut self.emit;
        let (outcome, items) = match piece {
            Piece::Leaf(value) => (emit.leaf(&value), None),
            Piece::Array(Kind::Array, array, items) => {
                (emit.array(&array, items.count), Some(items))
            }
            Piece::Array(kind, array, items) => {
                (emit.typed_array(kind, &array, items.count), Some(items))
            }
            Piece::Dictionary(dictionary, items) => {
                let pairs = if items.form == Form::Flat { items.count / 2 } else { items.count };
                (emit.dictionary(&dictionary, pairs), Some(items))
            }
            Piece::Object(class, items) => {
                (emit.object(class.as_bytes(), items.count), Some(items))
            }
        };
        if let Err(kind) = outcome {
            return fault(JsonErrorKind::Encode(kind), at);
        }
        if let Some(items) = items {
            self.open.push(Frame { items, depth: depth.saturating_add(1) });
        }
        Ok(())
    }
}

/// The fields of a tagged object.
pub(super) struct Fields<'d, 't> {
    pub(super) tape: &'d Tape<'t>,
    pub(super) at: usize,
}

impl Fields<'_, '_> {
    /// The value of a field.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let mut children = self.tape.children(self.at);
        while let (Some(key), Some(value)) = (children.next(), children.next()) {
            if self.tape.is(key, name) {
                return Some(value);
            }
        }
        None
    }

    pub(super) fn get(&self, name: &'static str) -> Result<usize, Fault> {
        match self.find(name) {
            Some(at) => Ok(at),
            None => fault(JsonErrorKind::Missing(name), self.at),
        }
    }

    /// Refuses all fields but these, and any that stands twice.
    pub(super) fn only(&self, names: &[&str]) -> Result<(), Fault> {
        let mut left = names.to_vec();
        for key in self.tape.children(self.at).step_by(2) {
            let Some(place) = left.iter().position(|name| self.tape.is(key, name)) else {
                let name = self.tape.string(key).unwrap_or_default();
                return fault(JsonErrorKind::Field(name), key);
            };
            left.swap_remove(place);
        }
        Ok(())
    }

    /// A field that is an array.
    pub(super) fn array(&self, name: &'static str) -> Result<usize, Fault> {
        let at = self.get(name)?;
        if self.tape.token(at) == Token::Array { Ok(at) } else { expected("an array", at) }
    }

    /// A field that is true or false, or not there.
    pub(super) fn flag(&self, name: &str) -> Result<bool, Fault> {
        match self.find(name).map(|at| (at, self.tape.token(at))) {
            None => Ok(false),
            Some((_, Token::Bool(value))) => Ok(value),
            Some((at, _)) => expected("true or false", at),
        }
    }
}

/// The kind of a name.
pub(super) fn kind(name: &str, at: usize) -> Result<Kind, Fault> {
    match Kind::ALL.iter().find(|kind| kind.name() == name) {
        Some(&kind) => Ok(kind),
        None => fault(JsonErrorKind::UnknownKind(name.to_owned()), at),
    }
}

/// A class whose name the engine reads as no name would make another value of what follows.
pub(super) fn class(class: Text, at: usize) -> Result<Text, Fault> {
    let name = class.as_bytes();
    let name = name.strip_prefix(b"\xef\xbb\xbf").unwrap_or(name);
    if matches!(name, [] | [0, ..]) { expected("a class", at) } else { Ok(class) }
}

pub(super) fn array_of(declared: ElementType, is_shared: bool) -> Array {
    let mut array = Array::with_type(declared);
    array.set_shared(is_shared);
    array
}

/// Bytes from hexadecimal digits.
pub(super) fn hex(tape: &Tape<'_>, at: usize) -> Result<Vec<u8>, Fault> {
    let digits = match tape.token(at) {
        Token::String => tape.source(at).as_bytes(),
        _ => return expected("hexadecimal digits", at),
    };
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (pairs, rest) = digits.as_chunks::<2>();
    let bytes: Option<Vec<u8>> =
        pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect();
    match bytes {
        Some(bytes) if rest.is_empty() => Ok(bytes),
        _ => expected("hexadecimal digits", at),
    }
}
