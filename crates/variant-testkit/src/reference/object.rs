//! docs/spec/format.md#object: objects. docs/spec/format.md#signal: signals.

use nom::Parser;
use nom::combinator::map;
use variant_view::Kind;

use super::event::Content;
use super::fault::{Fault, Parsed, Part, double_word, fail, word};
use super::header::Header;
use super::payload::{Items, Payload};
use super::rules::Rules;
use super::text::{as_read, text};

/// docs/spec/format.md#object.
pub(super) fn object(input: &[u8], header: Header, rules: Rules) -> Parsed<'_, Payload<'_>> {
    if !rules.has_object_payload() {
        Ok((input, Payload::Leaf(Content::Null)))
    } else if header.flag() {
        let id = map(double_word(Part::Payload(Kind::Object)), Content::Id);
        map(id, Payload::Leaf).parse(input)
    } else if rules.refuse_objects {
        fail(Fault::ObjectRefused, input)
    } else {
        in_full(input, rules)
    }
}

/// Steps 2 and 4 of docs/spec/format.md#object. Every class is accepted here.
fn in_full(input: &[u8], rules: Rules) -> Parsed<'_, Payload<'_>> {
    let (rest, class) = text(input, rules)?;
    if as_read(class).is_empty() {
        return Ok((rest, Payload::Leaf(Content::Null)));
    }
    let (rest, count) = word(Part::Properties).parse(rest)?;
    let count = if i32::try_from(count).is_ok() { count } else { 0 };
    Ok((rest, Payload::Container(Content::Class(class, count), Items::Properties(count))))
}

/// docs/spec/format.md#signal.
pub(super) fn signal(input: &[u8], rules: Rules) -> Parsed<'_, Content<'_>> {
    let name = |input| text(input, rules);
    let id = double_word(Part::Payload(Kind::Signal));
    map((name, id), |(name, id)| Content::Signal(name, id)).parse(input)
}
