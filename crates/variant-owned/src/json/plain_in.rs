//! Reads the plain form: any JSON.

use super::error::JsonErrorKind;
use super::fields::{Fields, Result, fault};
use super::read::{Given, Grammar, Items, Pattern};
use super::tape::Tape;
use crate::dictionary::Dictionary;
use crate::leaf::{Float, Int};
use crate::variant::Variant;

/// Reads objects as dictionaries, numbers without point and exponent as integers if they fit, and other numbers as
/// floats.
pub(super) struct PlainIn;

impl Grammar for PlainIn {
    fn number(&self, tape: &Tape<'_>, at: usize) -> Result<Variant> {
        let source = tape.source(at);
        if let Ok(value) = source.parse()
            && source != "-0"
        {
            return Ok(Variant::Int(Int::new(value)));
        }
        match source.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Variant::Float(Float::new(value))),
            _ => fault(JsonErrorKind::OutOfRange, at),
        }
    }

    fn object(&self, fields: Fields<'_, '_>) -> Result<Given> {
        Ok((Dictionary::new().into(), Some(Items::of(fields.tape, fields.at, Pattern::Turns))))
    }
}
