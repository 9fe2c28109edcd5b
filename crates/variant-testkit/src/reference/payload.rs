//! Section 2 of the specification: calls the parser for each payload.

use nom::Parser;
use nom::combinator::map;
use variant_view::Kind;

use super::event::{Content, Role};
use super::fault::{Fault, Parsed, fail};
use super::header::Header;
use super::rules::Rules;
use super::text::{open_text, text};
use super::{containers, legacy, node_path, numbers, object, packed};

/// The result of reading after a header.
#[derive(Debug)]
pub(super) enum Payload<'a> {
    /// The whole content of a value.
    Leaf(Content<'a>),
    /// The content of a container before its items, and the items.
    Container(Content<'a>, Items),
}

/// The kind and the number of the items of a container.
#[derive(Clone, Copy, Debug)]
pub(super) enum Items {
    Elements(u32),
    Pairs(u32),
    Properties(u32),
}

impl Items {
    /// The number of values in the items.
    pub(super) fn values(self) -> u64 {
        match self {
            Self::Elements(count) | Self::Properties(count) => count.into(),
            Self::Pairs(count) => u64::from(count).saturating_mul(2),
        }
    }

    /// The role of the next value. Reads the name before a property.
    pub(super) fn role(self, value: u64, input: &[u8], rules: Rules) -> Parsed<'_, Role<'_>> {
        let index = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        match self {
            Self::Elements(_) => Ok((input, Role::Element(index(value)))),
            Self::Pairs(_) if value.is_multiple_of(2) => Ok((input, Role::Key(index(value / 2)))),
            Self::Pairs(_) => Ok((input, Role::Value(index(value / 2)))),
            Self::Properties(_) => {
                let name = |input| text(input, rules);
                map(name, |name| Role::Property(index(value), name)).parse(input)
            }
        }
    }
}

pub(super) fn payload(
    input: &[u8],
    header: Header,
    rules: Rules,
    depth: u32,
) -> Parsed<'_, Payload<'_>> {
    match header.kind {
        Kind::Rid | Kind::Object if rules.lacks_handles() => {
            fail(Fault::Unsupported(header.kind), input)
        }
        Kind::Array => containers::array(input, header, rules),
        Kind::Dictionary => containers::dictionary(input, header, rules),
        Kind::TypedArray | Kind::PackedTypedArray => {
            containers::typed_array(input, header, rules, depth)
        }
        Kind::Object => object::object(input, header, rules),
        _ => map(|input| leaf(input, header, rules), Payload::Leaf).parse(input),
    }
}

fn leaf(input: &[u8], header: Header, rules: Rules) -> Parsed<'_, Content<'_>> {
    match header.kind {
        Kind::Bool => numbers::boolean(input),
        Kind::Int => numbers::int(input, header, rules),
        Kind::Float => numbers::float(input, header),
        Kind::String | Kind::StringName => {
            map(|input| open_text(input, rules), Content::Text).parse(input)
        }
        Kind::NodePath => node_path::node_path(input, rules),
        Kind::Rid => numbers::rid(input, rules),
        Kind::Signal => object::signal(input, rules),
        Kind::PackedByteArray => packed::bytes(input, header),
        Kind::PackedStringArray => packed::strings(input, rules),
        Kind::Image => legacy::image(input),
        Kind::InputEvent => legacy::input_event(input),
        _ => sized(input, header, rules),
    }
}

/// Reads a value of fixed size, or a packed array with elements of fixed size. `Nil` and `Callable` have no payload.
fn sized(input: &[u8], header: Header, rules: Rules) -> Parsed<'_, Content<'_>> {
    match (numbers::count(header.kind), packed::size(header, rules)) {
        (Some(count), _) => numbers::math(input, header, count, rules),
        (_, Some(size)) => packed::packed(input, header, size),
        _ => Ok((input, Content::Nothing)),
    }
}
