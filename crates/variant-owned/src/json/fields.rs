//! [`Fields`]: access to the fields of a tagged object.

use std::borrow::Cow;

use variant_view::Kind;

use super::error::JsonErrorKind;
use super::tape::{Tape, Token};

#[derive(Debug)]
pub(super) struct Fault {
    pub(super) kind: JsonErrorKind,
    pub(super) at: usize,
}

pub(super) type Result<T, E = Fault> = std::result::Result<T, E>;

pub(super) fn fault<T>(kind: JsonErrorKind, at: usize) -> Result<T> {
    Err(Fault { kind, at })
}

pub(super) fn expected<T>(what: impl Into<Cow<'static, str>>, at: usize) -> Result<T> {
    fault(JsonErrorKind::Expected(what.into()), at)
}

/// Returns the found value, or the error that names `what` as expected.
pub(super) fn due<T>(found: Option<T>, what: &'static str, at: usize) -> Result<T> {
    found.map_or_else(|| expected(what, at), Ok)
}

#[derive(Clone, Copy)]
pub(super) struct Fields<'d, 't> {
    pub(super) tape: &'d Tape<'t>,
    pub(super) at: usize,
}

impl Fields<'_, '_> {
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let mut children = self.tape.children(self.at);
        while let (Some(key), Some(value)) = (children.next(), children.next()) {
            if self.tape.is(key, name) {
                return Some(value);
            }
        }
        None
    }

    /// Whether this is a tagged value. Otherwise it is an envelope: the object with the metadata around a value.
    pub(super) fn is_tagged(&self) -> bool {
        self.find("value").is_none() || self.find("t").is_some()
    }

    pub(super) fn get(&self, name: &'static str) -> Result<usize> {
        match self.find(name) {
            Some(at) => Ok(at),
            None => fault(JsonErrorKind::Missing(name), self.at),
        }
    }

    /// Refuses fields that are neither in `always` nor in `names`, and repeated fields.
    pub(super) fn only(&self, always: &[&str], names: &[&str]) -> Result<()> {
        let mut left = [always, names].concat();
        for key in self.tape.children(self.at).step_by(2) {
            let Some(place) = left.iter().position(|name| self.tape.is(key, name)) else {
                let name = self.tape.string(key).unwrap_or_default();
                let known = [always, names].concat();
                return fault(unfit_field(name, &known), key);
            };
            left.swap_remove(place);
        }
        Ok(())
    }

    pub(super) fn array(&self, name: &'static str) -> Result<usize> {
        let at = self.get(name)?;
        if self.tape.token(at) == Token::Array { Ok(at) } else { expected("an array", at) }
    }

    /// The value of a flag; false if the field is missing.
    pub(super) fn flag(&self, name: &str) -> Result<bool> {
        match self.find(name).map(|at| (at, self.tape.token(at))) {
            None => Ok(false),
            Some((_, Token::Bool(value))) => Ok(value),
            Some((at, _)) => expected("true or false", at),
        }
    }
}

fn unfit_field(name: String, known: &[&str]) -> JsonErrorKind {
    if known.contains(&&*name) {
        return JsonErrorKind::Twice(name);
    }
    JsonErrorKind::Field { name, known: known.join(", ") }
}

pub(super) fn kind(name: &str, at: usize) -> Result<Kind> {
    match Kind::ALL.iter().find(|kind| kind.name() == name) {
        Some(&kind) => Ok(kind),
        None => fault(JsonErrorKind::UnknownKind(name.to_owned()), at),
    }
}

pub(super) fn hex(tape: &Tape<'_>, at: usize) -> Result<Vec<u8>> {
    let digits = tape.characters(at);
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let bytes: Option<Vec<u8>> =
        pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect();
    match bytes {
        Some(bytes) if rest.is_empty() && tape.token(at) == Token::String => Ok(bytes),
        _ => expected("a string of hexadecimal digits, two for each byte", at),
    }
}
