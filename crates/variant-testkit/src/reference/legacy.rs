//! docs/spec/format.md#image: Godot 2's images and input events.

use nom::Parser;
use nom::combinator::map;
use variant_view::Kind;

use super::event::Content;
use super::fault::{Fault, Parsed, Part, fail, take, word};
use super::text::skip_padding;

pub(super) fn image(input: &[u8]) -> Parsed<'_, Content<'_>> {
    let (rest, head) = take(Part::Payload(Kind::Image), 16).parse(input)?;
    let (_, head) = (field, field, field, field).parse(head)?;
    let (behind, length) = word(Part::Count(Kind::Image)).parse(rest)?;
    if i32::try_from(length).is_err() {
        return fail(Fault::Negative(Part::Count(Kind::Image), length), rest);
    }
    let (padding, data) = take(Part::Elements(Kind::Image), length.into()).parse(behind)?;
    Ok((skip_padding(padding, data), Content::Image(head.into(), data)))
}

fn field(input: &[u8]) -> Parsed<'_, u32> {
    word(Part::Payload(Kind::Image)).parse(input)
}

pub(super) fn input_event(input: &[u8]) -> Parsed<'_, Content<'_>> {
    let (rest, (event, device, total)) = (word(EVENT), word(EVENT), word(EVENT)).parse(input)?;
    let payload = take(EVENT, event_size(event, total));
    map(payload, |payload| Content::InputEvent([event, device], payload)).parse(rest)
}

const EVENT: Part = Part::Payload(Kind::InputEvent);

/// The number of bytes that an event of this type has after the three words.
fn event_size(event: u32, total: u32) -> u64 {
    match event {
        // Only the length distinguishes the motion of Godot 2.0 from that of 2.1.
        JOYSTICK_MOTION if total == 16 => 4,
        KEY | JOYSTICK_MOTION => 8,
        MOUSE_BUTTON | JOYSTICK_BUTTON | TOUCH => 4,
        _ => 0,
    }
}

const KEY: u32 = 1;
const MOUSE_BUTTON: u32 = 3;
const JOYSTICK_MOTION: u32 = 4;
const JOYSTICK_BUTTON: u32 = 5;
const TOUCH: u32 = 6;
