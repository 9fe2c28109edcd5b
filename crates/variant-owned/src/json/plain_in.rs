//! The plain form, read: any JSON.

use variant_view::{Consumer, DictionaryHead, Head, Leaf};

use super::error::JsonErrorKind;
use super::fields::{Result, fault};
use super::read::{Given, Grammar, Items, enter, enter_array, leaf};
use super::tape::{Tape, Token};
use crate::leaf::{Float, Int};

/// Reads objects as dictionaries, numbers as integers where they have no point and no exponent.
pub(super) struct PlainIn;

impl Grammar for PlainIn {
    fn value<C: Consumer>(&self, tape: &Tape<'_>, at: usize, consumer: &mut C) -> Given<C> {
        let value = match tape.token(at) {
            Token::Null => Leaf::Nil,
            Token::Bool(value) => Leaf::Bool(value),
            Token::String => return leaf(consumer, Leaf::String(tape.characters(at).as_bytes())),
            Token::Number => number(tape, at)?,
            Token::Array => return enter_array(consumer, tape, at),
            Token::Object => {
                let items = Items::flat(tape, at);
                let head =
                    DictionaryHead { len: Some(items.count / 2), ..DictionaryHead::default() };
                return enter(consumer, Head::Dictionary(head), items);
            }
        };
        leaf(consumer, value)
    }
}

fn number(tape: &Tape<'_>, at: usize) -> Result<Leaf<'static>> {
    let source = tape.source(at);
    if let Ok(value) = source.parse::<i64>()
        && source != "-0"
    {
        return Ok(int(value));
    }
    match source.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(float(value)),
        _ => fault(JsonErrorKind::OutOfRange, at),
    }
}

/// An integer in the width that the engine's writer picks.
pub(super) fn int(value: i64) -> Leaf<'static> {
    Leaf::Int { value, width: Int::new(value).width() }
}

/// A float in the width that the engine's writer picks.
pub(super) fn float(value: f64) -> Leaf<'static> {
    let float = Float::new(value);
    Leaf::Float { bits: float.bits(), width: float.width() }
}
