//! docs/spec/format.md#containers: dictionaries and arrays. docs/spec/format.md#typed-containers: their types.

use nom::Parser;
use nom::combinator::map;
use variant_view::{Dialect, Kind};

use super::event::{Content, Typing};
use super::fault::{Fault, Limit, Parsed, Part, fail, word};
use super::header::{Header, header};
use super::kinds;
use super::payload::{Items, Payload};
use super::rules::Rules;
use super::text::text;

/// docs/spec/format.md#containers.
pub(super) fn array(input: &[u8], header: Header, rules: Rules) -> Parsed<'_, Payload<'_>> {
    let (rest, elements) = typing(input, header.flags & 3, rules)?;
    let (rest, (count, is_shared)) = count(rest, Kind::Array)?;
    let content = Content::Container(count, is_shared, [elements, Typing::Any]);
    Ok((rest, Payload::Container(content, Items::Elements(count))))
}

/// docs/spec/format.md#dictionary.
pub(super) fn dictionary(input: &[u8], header: Header, rules: Rules) -> Parsed<'_, Payload<'_>> {
    let (rest, keys) = typing(input, header.flags & 3, rules)?;
    let (rest, values) = typing(rest, header.flags >> 2 & 3, rules)?;
    let (rest, (count, is_shared)) = count(rest, Kind::Dictionary)?;
    let content = Content::Container(count, is_shared, [keys, values]);
    Ok((rest, Payload::Container(content, Items::Pairs(count))))
}

/// A count of 31 bits, and the bit with the former meaning "shared".
fn count(input: &[u8], kind: Kind) -> Parsed<'_, (u32, bool)> {
    map(word(Part::Count(kind)), |word| (word & !SHARED, word & SHARED != 0)).parse(input)
}

const SHARED: u32 = 1 << 31;

/// docs/spec/format.md#typed-containers, the type information of `Godot4`.
fn typing(input: &[u8], flag: u32, rules: Rules) -> Parsed<'_, Typing<'_>> {
    match flag {
        1 if rules.has_type_flags() => builtin(input),
        2 if rules.has_type_flags() => map(|input| text(input, rules), Typing::Class).parse(input),
        3 if rules.has_type_flags() => map(|input| text(input, rules), Typing::Script).parse(input),
        _ => Ok((input, Typing::Any)),
    }
}

fn builtin(input: &[u8]) -> Parsed<'_, Typing<'_>> {
    let (rest, id) = word(Part::ElementType).parse(input)?;
    match kinds::kind(Dialect::Godot4, id) {
        None => fail(Fault::ElementType(id), input),
        Some(Kind::Nil) => Ok((rest, Typing::Any)),
        Some(_) => Ok((rest, Typing::Id(id))),
    }
}

/// docs/spec/format.md#typed-containers, the two kinds of `Pandemonium5`. The class is a value one level below.
pub(super) fn typed_array(
    input: &[u8],
    header: Header,
    rules: Rules,
    depth: u32,
) -> Parsed<'_, Payload<'_>> {
    let (rest, id) = map(word(Part::ElementType), |id| id & !SHARED).parse(input)?;
    let is_object = kinds::kind(rules.dialect, id) == Some(Kind::Object);
    let (rest, elements) = if is_object && !header.flag() {
        if depth >= rules.depth {
            return fail(Fault::Limit(Limit::Depth), rest);
        }
        class(rest, rules)?
    } else {
        (rest, Typing::Id(id))
    };
    let (rest, (count, is_shared)) = count(rest, header.kind)?;
    let content = Content::Container(count, is_shared, [elements, Typing::Any]);
    Ok((rest, Payload::Container(content, Items::Elements(count))))
}

/// The class of a typed array, which is a complete `StringName`.
fn class(input: &[u8], rules: Rules) -> Parsed<'_, Typing<'_>> {
    match header(input, rules)? {
        (rest, Header { kind: Kind::StringName, .. }) => {
            map(|input| text(input, rules), Typing::Class).parse(rest)
        }
        (_, Header { word, .. }) => fail(Fault::ElementClass(word), input),
    }
}
