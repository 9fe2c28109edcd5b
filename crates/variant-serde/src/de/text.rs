//! [`plain`]: text that the engine reads unchanged, because it contains no NUL and no byte order mark.

/// The number of bytes in a word.
const WORD: usize = 8;

/// Text without a NUL and without a byte order mark; `None` for other text, and for text that starts with the first
/// byte of the mark. The engine stops at a NUL and drops the mark. O(bytes).
#[inline]
pub(super) fn plain(bytes: &[u8]) -> Option<&str> {
    if has_nul(bytes) || bytes.starts_with(b"\xef") {
        return None;
    }
    core::str::from_utf8(bytes).ok()
}

/// Whether two names are the same. Compares up to two overlapping words, since most names are short.
#[inline]
pub(super) fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    match a.len() {
        1 => a.first() == b.first(),
        2..4 => a.first_chunk::<2>() == b.first_chunk() && a.last_chunk::<2>() == b.last_chunk(),
        4..=8 => a.first_chunk::<4>() == b.first_chunk() && a.last_chunk::<4>() == b.last_chunk(),
        9..=16 => {
            a.first_chunk::<WORD>() == b.first_chunk() && a.last_chunk::<WORD>() == b.last_chunk()
        }
        _ => a == b,
    }
}

/// Whether a byte is NUL. Reads words. The last word may overlap the word before it.
#[inline]
fn has_nul(bytes: &[u8]) -> bool {
    let half = |word: &[u8; 4]| u64::from(u32::from_le_bytes(*word));
    if let Some(last) = bytes.last_chunk::<WORD>() {
        let (words, _) = bytes.as_chunks::<WORD>();
        words.iter().chain([last]).any(|word| word_has_nul(u64::from_le_bytes(*word)))
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        word_has_nul(half(first) << 32 | half(last))
    } else {
        bytes.iter().position(|&byte| byte == 0).is_some()
    }
}

#[inline(always)]
const fn word_has_nul(word: u64) -> bool {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    word.wrapping_sub(LOW) & !word & HIGH != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_at_any_place() {
        for len in 0..40 {
            let name = vec![b'a'; len];
            assert!(same(&name, &name.clone()));
            assert!(!same(&name, &vec![b'a'; len + 1]));
            for at in 0..len {
                let mut other = name.clone();
                other[at] = b'b';
                assert!(!same(&name, &other), "{len} {at}");
            }
        }
    }

    #[test]
    fn a_nul_is_found_at_any_place() {
        for len in 0..40 {
            let text = vec![b'a'; len];
            assert_eq!(plain(&text).map(str::len), Some(len));
            for at in 0..len {
                let mut text = text.clone();
                text[at] = 0;
                assert!(plain(&text).is_none());
            }
        }
        assert_eq!(plain("\u{1}\u{80}é".as_bytes()), Some("\u{1}\u{80}é"));
        assert!(plain("\u{feff}a".as_bytes()).is_none());
    }
}
