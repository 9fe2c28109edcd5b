//! Conversions to text, and between text and colours.

use variant_owned::{TextOptions, TextStyle, Variant, to_text as literal_of};
use variant_view::{Color, Dialect, Kind};

use super::{Rule, refusal};

/// A text, a number or a boolean as text, without quotes.
pub(super) fn plain(value: &Variant) -> Option<String> {
    match value {
        Variant::Bool(_) | Variant::Int(_) | Variant::Float(_) => {
            Some(literal_of(value, &TextOptions::new(TextStyle::Godot4)))
        }
        other => other.as_str().map(str::to_owned),
    }
}

pub(super) fn to_text(value: &Variant, rule: Rule, dialect: Dialect) -> Result<String, String> {
    match value {
        Variant::Color(color) => html(*color, rule, dialect),
        Variant::String(_) | Variant::StringName(_) => {
            plain(value).ok_or_else(|| "the text is not UTF-8".to_owned())
        }
        other => {
            let text = plain(other).ok_or_else(|| refusal(other.kind(), Kind::String))?;
            if rule == Rule::Text {
                return Ok(text);
            }
            Err(format!("{}; rule = \"text\" writes it", refusal(other.kind(), Kind::String)))
        }
    }
}

/// The colour of a text such as `#ff8000`.
pub(super) fn to_color(value: &Variant, dialect: Dialect) -> Result<Variant, String> {
    let text = value.as_str().ok_or_else(|| refusal(value.kind(), Kind::Color))?;
    let digits = text.strip_prefix('#').unwrap_or(text);
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let word = u32::from_str_radix(digits, 16).ok().filter(|_| is_hex);
    let mut bytes = match (word, digits.len()) {
        (Some(word), 6) => return Ok(color(((word << 8) | 0xff).to_be_bytes())),
        (Some(word), 8) => word.to_be_bytes(),
        _ => return Err(format!("{value} is not a colour; expected a text such as \"#ff8000\"")),
    };
    if is_alpha_first(dialect)? {
        bytes.rotate_left(1);
    }
    Ok(color(bytes))
}

fn color(bytes: [u8; 4]) -> Variant {
    let [r, g, b, a] = bytes.map(|byte| f32::from(byte) / 255.0);
    Color { r, g, b, a }.into()
}

/// A colour as hexadecimal digits: 8 digits if the colour is transparent, otherwise 6.
fn html(color: Color, rule: Rule, dialect: Dialect) -> Result<String, String> {
    let channels = [color.r, color.g, color.b, color.a].map(channel);
    if rule != Rule::Text && channels.iter().any(|(_, is_exact)| !is_exact) {
        let how = "rule = \"text\" rounds them";
        return Err(format!("the colour has channels that are not n / 255; {how}"));
    }
    let mut bytes = channels.map(|(byte, _)| byte);
    let word = u32::from_be_bytes(bytes);
    if word & 0xff == 0xff {
        return Ok(format!("#{:06x}", word >> 8));
    }
    if is_alpha_first(dialect)? {
        bytes.rotate_right(1);
    }
    Ok(format!("#{:08x}", u32::from_be_bytes(bytes)))
}

/// Whether the alpha is the first of the four bytes. `to_html` of Godot 3 writes the alpha first, and `to_html` of
/// Godot 4 writes it last.
fn is_alpha_first(dialect: Dialect) -> Result<bool, String> {
    match dialect {
        Dialect::Godot4 => Ok(false),
        Dialect::Godot3 => Ok(true),
        _ => Err(format!("the order of the 8 digits of a colour is not known for {dialect}")),
    }
}

/// The nearest byte of a channel, and whether the channel is exactly this byte.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    reason = "the number is clamped to a byte, and exactness is asked for"
)]
fn channel(value: f32) -> (u8, bool) {
    let byte = (value * 255.0).round().clamp(0.0, 255.0) as u8;
    (byte, f32::from(byte) / 255.0 == value)
}
