//! The old engines' rule for text lets a character stand in more bytes than it takes (docs/format.md, section 2.3).

use std::borrow::Cow;

/// The same characters in as few bytes as they take. Texts that do not keep to the rule stay other texts.
pub(super) fn shortest(text: &[u8]) -> Cow<'_, [u8]> {
    if text.is_ascii() || !text.windows(2).any(|pair| follows(pair).is_some()) {
        return Cow::Borrowed(text);
    }
    let mut short = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        match follows(rest).and_then(|count| after.split_at_checked(count)) {
            Some((sequence, behind)) if sequence.iter().all(|byte| byte & 0xc0 == 0x80) => {
                push(&mut short, point(sequence));
                rest = behind;
            }
            _ => {
                short.push(byte);
                rest = after;
            }
        }
    }
    Cow::Owned(short)
}

/// How many bytes follow the first one, if they are more than it takes.
const fn follows(sequence: &[u8]) -> Option<usize> {
    Some(match sequence {
        [0xe0, 0x80..0xa0, ..] => 2,
        [0xf0, 0x80..0x90, ..] => 3,
        [0xf8, 0x80..0x88, ..] => 4,
        [0xfc, 0x80..0x84, ..] => 5,
        _ => return None,
    })
}

/// The lead has no bits.
fn point(follow: &[u8]) -> u32 {
    follow.iter().fold(0, |point, &byte| point << 6 | u32::from(byte & 0x3f))
}

/// At most 26 bits, since the sequence was too long.
fn push(text: &mut Vec<u8>, point: u32) {
    let (lead, follow): (u32, u32) = match point {
        0..0x80 => (0, 0),
        0x80..0x800 => (0xc0, 1),
        0x800..0x1_0000 => (0xe0, 2),
        0x1_0000..0x20_0000 => (0xf0, 3),
        _ => (0xf8, 4),
    };
    let bits = |at: u32| point >> at.saturating_mul(6);
    text.extend(u8::try_from(lead | bits(follow)));
    text.extend((0..follow).rev().filter_map(|at| u8::try_from(0x80 | bits(at) & 0x3f).ok()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_spellings_are_shortened() {
        for (long, short) in [
            (&b"\xe0\x81\xa1"[..], &b"a"[..]),
            (b"x\xe0\x9f\xbfy", b"x\xdf\xbfy"),
            (b"\xf0\x8f\xbf\xbf", b"\xef\xbf\xbf"),
            (b"\xf8\x87\xbf\xbf\xbf", b"\xf7\xbf\xbf\xbf"),
            (b"\xfc\x83\xbf\xbf\xbf\xbf", b"\xfb\xbf\xbf\xbf\xbf"),
        ] {
            assert_eq!(shortest(long), short, "{long:x?}");
        }
        for other in
            ["é€😀".as_bytes(), b"\xe0\x81", b"\xe0\x81a", b"\xed\xa0\x80", b"\xf0\x90\x80\x80"]
        {
            assert_eq!(shortest(other), other);
        }
    }
}
