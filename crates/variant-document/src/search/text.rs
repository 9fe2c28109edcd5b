//! [`Sought`]: a text that is searched in bytes.

use std::ops::RangeInclusive;

use memchr::memchr2_iter;
use memchr::memmem::Finder;

/// The searched text.
#[derive(Clone, Debug)]
pub(super) enum Sought {
    /// Exactly these bytes.
    Exact(Box<Finder<'static>>),
    /// ASCII letters in both cases.
    Ascii(Vec<u8>),
    /// Letters of any script in both cases.
    Folded(Folded),
}

#[derive(Clone, Debug)]
pub(super) struct Folded {
    /// The first character in its different cases.
    first: Vec<Finder<'static>>,
    /// All characters, folded.
    text: Vec<char>,
}

/// Characters of several scripts that have a capital letter in common with another small letter.
const TWINS: &[RangeInclusive<char>] = &[
    '\u{b5}'..='\u{b5}',
    '\u{131}'..='\u{131}',
    '\u{17f}'..='\u{17f}',
    '\u{1c5}'..='\u{1c5}',
    '\u{1c8}'..='\u{1c8}',
    '\u{1cb}'..='\u{1cb}',
    '\u{1f2}'..='\u{1f2}',
    '\u{345}'..='\u{345}',
    '\u{3c2}'..='\u{3c2}',
    '\u{3d0}'..='\u{3d1}',
    '\u{3d5}'..='\u{3d6}',
    '\u{3f0}'..='\u{3f1}',
    '\u{3f4}'..='\u{3f5}',
    '\u{1c80}'..='\u{1c88}',
    '\u{1e9b}'..='\u{1e9b}',
    '\u{1e9e}'..='\u{1e9e}',
    '\u{1f88}'..='\u{1f8f}',
    '\u{1f98}'..='\u{1f9f}',
    '\u{1fa8}'..='\u{1faf}',
    '\u{1fbc}'..='\u{1fbc}',
    '\u{1fbe}'..='\u{1fbe}',
    '\u{1fcc}'..='\u{1fcc}',
    '\u{1ffc}'..='\u{1ffc}',
    '\u{2126}'..='\u{2126}',
    '\u{212a}'..='\u{212b}',
];

impl Sought {
    pub(super) fn new(text: &str, is_any_case: bool) -> Self {
        let is_cased = |c: char| fold(c) != c || c.to_uppercase().next() != Some(c);
        if !is_any_case || !text.chars().any(is_cased) {
            return Self::Exact(Box::new(Finder::new(text).into_owned()));
        }
        if text.is_ascii() {
            return Self::Ascii(text.as_bytes().to_vec());
        }
        Self::Folded(Folded::new(text))
    }

    /// The number of bytes of the longest match.
    pub(super) fn most_bytes(&self) -> usize {
        match self {
            Self::Exact(finder) => finder.needle().len(),
            Self::Ascii(text) => text.len(),
            Self::Folded(folded) => folded.text.len().saturating_mul(4),
        }
    }

    /// The offset of the text in `bytes`, from `from` on. O(bytes) for a short text.
    pub(super) fn find(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let rest = bytes.get(from..).filter(|_| self.most_bytes() > 0)?;
        let at = match self {
            Self::Exact(finder) => finder.find(rest),
            Self::Ascii(text) => find_ascii(text, rest),
            Self::Folded(folded) => folded.find(rest),
        };
        at.map(|at| from.saturating_add(at))
    }
}

/// Searches for the rarest byte of the text, and then compares the bytes around it.
fn find_ascii(text: &[u8], bytes: &[u8]) -> Option<usize> {
    let (position, rare) = rarest(text)?;
    let [small, capital] = [rare.to_ascii_lowercase(), rare.to_ascii_uppercase()];
    let mut starts = memchr2_iter(small, capital, bytes).filter_map(|at| at.checked_sub(position));
    starts.find(|start| {
        let found = bytes.get(*start..).and_then(|rest| rest.get(..text.len()));
        found.is_some_and(|found| found.eq_ignore_ascii_case(text))
    })
}

/// The byte of a text that is probably the rarest, and its position. A common letter is used only if the text has no
/// other bytes.
fn rarest(text: &[u8]) -> Option<(usize, u8)> {
    const COMMON: &[u8] = b"etaoinsrhldcum_0 ";
    let rank = |byte: &u8| {
        COMMON.iter().position(|common| common.eq_ignore_ascii_case(byte)).unwrap_or(usize::MAX)
    };
    text.iter().copied().enumerate().max_by_key(|(_, byte)| rank(byte))
}

impl Folded {
    fn new(text: &str) -> Self {
        let own = text.chars().next();
        let text: Vec<char> = text.chars().map(fold).collect();
        let first = text.first().copied().unwrap_or_default();
        let cases = [own, Some(first), only(first.to_uppercase()), only(first.to_lowercase())];
        let twins = TWINS.iter().cloned().flatten().filter(|twin| fold(*twin) == first);
        let mut cases: Vec<char> = cases.into_iter().flatten().chain(twins).collect();
        cases.sort_unstable();
        cases.dedup();
        let finder = |case: char| Finder::new(case.encode_utf8(&mut [0; 4])).into_owned();
        Self { first: cases.into_iter().map(finder).collect(), text }
    }

    fn find(&self, bytes: &[u8]) -> Option<usize> {
        let next = |finder: &Finder<'_>, from: usize| {
            Some(finder.find(bytes.get(from..)?)?.saturating_add(from))
        };
        // The next place of each case, so that no bytes are searched twice.
        let mut places: Vec<_> = self.first.iter().map(|finder| next(finder, 0)).collect();
        loop {
            let start = places.iter().copied().flatten().min()?;
            if self.is_at(bytes.get(start..).unwrap_or_default()) {
                return Some(start);
            }
            for (place, finder) in places.iter_mut().zip(&self.first) {
                if *place == Some(start) {
                    *place = next(finder, start.saturating_add(1));
                }
            }
        }
    }

    /// Whether the bytes start with the text.
    fn is_at(&self, mut bytes: &[u8]) -> bool {
        self.text.iter().all(|wanted| {
            let Some((c, rest)) = decoded(bytes) else { return false };
            bytes = rest;
            fold(c) == *wanted
        })
    }
}

/// The first character of the bytes, and the bytes after it.
fn decoded(bytes: &[u8]) -> Option<(char, &[u8])> {
    let len = match bytes.first()? {
        0x00..=0x7f => 1,
        0x80..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xff => 4,
    };
    let (first, rest) = bytes.split_at_checked(len)?;
    Some((std::str::from_utf8(first).ok()?.chars().next()?, rest))
}

/// One character for all cases of a character: the small letter of its capital letter.
fn fold(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    let capital = only(c.to_uppercase()).unwrap_or(c);
    only(capital.to_lowercase()).unwrap_or(c)
}

/// The only character.
fn only(mut chars: impl Iterator<Item = char>) -> Option<char> {
    let first = chars.next();
    first.filter(|_| chars.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_in_any_case_of_any_script() {
        for (text, all) in [
            ("hero", "the HERO, the Hero"),
            ("åsa", "Åsa ÅSA åsa \u{212b}sa"),
            ("ÅSA", "Åsa åsa"),
            ("ПРИВЕТ", "привет Привет"),
            ("Οδυσσεύς", "ΟΔΥΣΣΕΎΣ οδυσσεύς ΟΔΥΣΣΕύσ"),
            ("ς", "σ Σ ς"),
            ("größe", "GRößE Größe"),
            ("名前", "名前"),
        ] {
            let sought = Sought::new(text, true);
            let (mut from, mut found) = (0, 0);
            while let Some(at) = sought.find(all.as_bytes(), from) {
                (from, found) = (at + 1, found + 1);
            }
            assert_eq!(found, all.split(' ').filter(|word| *word != "the").count(), "{text}");
            let other = Sought::new(text, false).find(all.as_bytes(), 0);
            assert_eq!(other.is_some(), all.contains(text), "{text}");
        }
        assert_eq!(Sought::new("ж", true).find(b"\xd0", 0), None);
        assert_eq!(Sought::new("", true).find(b"a", 0), None);
    }

    #[test]
    fn every_text_contains_itself_in_any_case() {
        for c in '\u{80}'..='\u{1ffff}' {
            let text = format!("{c}\u{e9}");
            assert_eq!(Sought::new(&text, true).find(text.as_bytes(), 0), Some(0), "{c:?}");
        }
    }
}
