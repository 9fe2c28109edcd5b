//! [`texts`]: finds consecutive texts in the bytes of a value.

/// The place of a text, from the start of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextAt {
    /// The offset of the length word.
    pub length: usize,
    /// The offset of the first byte.
    pub start: usize,
    /// The end of the text, exclusive.
    pub end: usize,
    /// The end of the padding, exclusive.
    pub behind: usize,
}

/// The consecutive texts from `at` on, until a length does not fit into `bytes`.
pub fn texts(bytes: &[u8], at: usize) -> impl Iterator<Item = TextAt> {
    let mut at = at;
    std::iter::from_fn(move || {
        let text = text(bytes, at)?;
        at = text.behind;
        Some(text)
    })
}

/// The bytes of the text at the start of `bytes`.
pub fn first_text(bytes: &[u8]) -> Option<&[u8]> {
    bytes.get(text(bytes, 0).map(|text| text.start..text.end)?)
}

fn text(bytes: &[u8], length: usize) -> Option<TextAt> {
    let word = bytes.get(length..)?.first_chunk()?;
    let len = usize::try_from(u32::from_le_bytes(*word)).ok()?;
    let start = length.checked_add(4)?;
    let end = start.checked_add(len).filter(|end| *end <= bytes.len())?;
    let behind = start.checked_add(len.checked_next_multiple_of(4)?)?.min(bytes.len());
    Some(TextAt { length, start, end, behind })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_end_where_a_length_does_not_fit() {
        let bytes = b"\x01\0\0\0axyz\0\0\0\0\xff\xff\xff\xff";
        let found: Vec<_> = texts(bytes, 0).collect();
        assert_eq!(
            found,
            [
                TextAt { length: 0, start: 4, end: 5, behind: 8 },
                TextAt { length: 8, start: 12, end: 12, behind: 12 },
            ]
        );
    }
}
