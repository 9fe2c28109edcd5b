//! Base64 with `=` at the end, in which newer engines print bytes.

use std::fmt::{self, Write};

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub(super) fn encode(out: &mut impl Write, bytes: &[u8]) -> fmt::Result {
    for chunk in bytes.chunks(3) {
        let bits = (0..3).fold(0_u32, |bits, i| bits << 8 | u32::from(byte(chunk, i)));
        for (i, shift) in [18_u32, 12, 6, 0].into_iter().enumerate() {
            // Three bytes take four digits, fewer one more than there are bytes.
            out.write_char(if i > chunk.len() { '=' } else { digit(bits >> shift & 63) })?;
        }
    }
    Ok(())
}

fn byte(chunk: &[u8], i: usize) -> u8 {
    chunk.get(i).copied().unwrap_or(0)
}

fn digit(value: u32) -> char {
    let digit = usize::try_from(value).ok().and_then(|value| DIGITS.get(value));
    char::from(digit.copied().unwrap_or(b'='))
}

/// None if it is no base64.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let (groups, []) = text.as_bytes().as_chunks::<4>() else { return None };
    let mut bytes = Vec::with_capacity(groups.len().saturating_mul(3));
    for (i, group) in groups.iter().enumerate() {
        let padding = group.iter().rev().take_while(|&&digit| digit == b'=').count();
        let is_last = i.saturating_add(1) == groups.len();
        if padding > 2 || (padding > 0 && !is_last) {
            return None;
        }
        let digits = group.iter().take(4_usize.saturating_sub(padding));
        let bits = digits.map(|&digit| value(digit)).try_fold(0, |all, v| Some(all << 6 | v?))?;
        let shift = u32::try_from(padding).ok()?.saturating_mul(6);
        let [_, triple @ ..] = (bits << shift).to_be_bytes();
        bytes.extend(triple.iter().take(3_usize.saturating_sub(padding)));
    }
    Some(bytes)
}

fn value(digit: u8) -> Option<u32> {
    DIGITS.iter().position(|&other| other == digit).and_then(|place| u32::try_from(place).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v")] {
            let mut out = String::new();
            encode(&mut out, bytes.as_bytes()).unwrap();
            assert_eq!(out, text);
            assert_eq!(decode(text).unwrap(), bytes.as_bytes());
        }
        for bad in ["Z", "Zg=", "Zg==Zg==", "Z===", "Z*==", "===="] {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }
}
