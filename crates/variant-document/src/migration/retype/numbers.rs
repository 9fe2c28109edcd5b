//! Conversions to numbers and booleans.

use std::str::FromStr;

use variant_owned::Variant;
use variant_view::Kind;

use super::{Rule, refusal};
use crate::edit::to_kind;

/// The integer that equals a float; `None` if there is no such integer.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "the float is in range"
)]
pub(crate) fn whole(float: f64) -> Option<i64> {
    const END: f64 = 9_223_372_036_854_775_808.0;
    (float.fract() == 0.0 && (-END..END).contains(&float)).then_some(float as i64)
}

/// The float that is nearest to an integer.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "the nearest is wanted")]
pub(crate) fn float(int: i64) -> Variant {
    (int as f64).into()
}

pub(super) fn to_int(value: &Variant, rule: Rule) -> Result<Variant, String> {
    match value {
        Variant::Bool(value) => Ok(i64::from(*value).into()),
        Variant::Float(float) => {
            let float = float.value();
            let rounded = match rule {
                Rule::Round => float.round(),
                Rule::Floor => float.floor(),
                Rule::Ceil => float.ceil(),
                Rule::Truncate => float.trunc(),
                _ => float,
            };
            whole(rounded).map(Variant::from).ok_or_else(|| {
                let how = "rule = \"round\", \"floor\", \"ceil\" or \"truncate\"";
                format!("{value} is not an int; {how} makes one of a finite float")
            })
        }
        text => parsed::<i64>(text, rule, Kind::Int),
    }
}

pub(super) fn to_float(value: &Variant, rule: Rule) -> Result<Variant, String> {
    match value {
        Variant::Int(int) if rule == Rule::Round => Ok(float(int.value())),
        Variant::Int(_) => match to_kind(value.clone(), Kind::Float) {
            float @ Variant::Float(_) => Ok(float),
            _ => Err(format!("{value} has more digits than a float; rule = \"round\" rounds it")),
        },
        text => parsed::<f64>(text, rule, Kind::Float),
    }
}

pub(super) fn to_bool(value: &Variant, rule: Rule) -> Result<Variant, String> {
    match value.as_i64() {
        Some(0) => Ok(false.into()),
        Some(1) => Ok(true.into()),
        Some(_) => Err(format!("{value} is neither 0 nor 1")),
        None => parsed::<bool>(value, rule, Kind::Bool),
    }
}

/// The number or the boolean that is written in a text.
fn parsed<T: FromStr + Into<Variant>>(
    value: &Variant,
    rule: Rule,
    wanted: Kind,
) -> Result<Variant, String> {
    let text = value.as_str().ok_or_else(|| refusal(value.kind(), wanted))?;
    if rule != Rule::Parse {
        return Err(format!("{}; rule = \"parse\" reads it", refusal(value.kind(), wanted)));
    }
    let parsed = text.trim().parse::<T>().map(Into::into);
    let article = if wanted == Kind::Int { "an" } else { "a" };
    parsed.map_err(|_| format!("{value} is not {article} {wanted} as text"))
}
