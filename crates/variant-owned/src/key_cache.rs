//! [`KeyCache`]: recognizes a dictionary with the same keys as the previous one.

/// For each level of nesting, the keys of the last dictionary.
///
/// In an array of records, every dictionary has the same keys in the same order. The stored keys are known to be
/// distinct. So as long as the keys of a dictionary match the stored keys, look-ups for duplicates are skipped.
///
/// Measured (`benches/ablation.py key-cache`): without this cache, decoding saves to trees takes 1.3 to 1.5 times as
/// long.
#[derive(Default)]
pub(crate) struct KeyCache<'a> {
    levels: Vec<Level<'a>>,
}

/// Keys in wire form, all distinct by the dialect's rule.
#[derive(Default)]
struct Level<'a> {
    keys: Vec<&'a [u8]>,
    /// The number of keys of the current dictionary that match, from the first on.
    matched: usize,
}

/// Deeper and longer dictionaries are not cached, which bounds the memory.
const LEVELS: usize = 32;
const KEYS: usize = 64;

impl<'a> KeyCache<'a> {
    /// Call this when a dictionary starts. `depth` is the depth of its keys.
    #[inline]
    pub(crate) fn start(&mut self, depth: u32) {
        let Some(level) = level_of(depth) else { return };
        if self.levels.len() <= level {
            self.levels.resize_with(level.saturating_add(1), Level::default);
        }
        if let Some(level) = self.levels.get_mut(level) {
            level.matched = 0;
        }
    }

    /// Whether key `pair` of the dictionary is known to differ from all keys before it.
    #[inline]
    pub(crate) fn is_new(&mut self, depth: u32, pair: u32, key: &'a [u8]) -> bool {
        let Some((level, pair)) = self.at(depth, pair) else { return false };
        let is_new = level.matched == pair && level.keys.get(pair).is_some_and(|own| *own == key);
        level.matched = level.matched.saturating_add(usize::from(is_new));
        is_new
    }

    /// Call this after key `pair` was looked up. `pairs` is the number of pairs that the dictionary now has.
    #[inline]
    pub(crate) fn learn(&mut self, depth: u32, pair: u32, key: &'a [u8], pairs: Option<usize>) {
        let Some((level, pair)) = self.at(depth, pair) else { return };
        if level.matched == pair && pairs == Some(pair.saturating_add(1)) && pair < KEYS {
            level.keys.truncate(pair);
            level.keys.push(key);
            level.matched = level.keys.len();
        }
    }

    #[inline]
    fn at(&mut self, depth: u32, pair: u32) -> Option<(&mut Level<'a>, usize)> {
        let level = self.levels.get_mut(level_of(depth)?)?;
        Some((level, usize::try_from(pair).ok()?))
    }
}

/// The level of keys at `depth`. The keys of a root dictionary have no level here, because no earlier dictionary has
/// the same depth.
#[inline]
fn level_of(depth: u32) -> Option<usize> {
    usize::try_from(depth).ok()?.checked_sub(2).filter(|&level| level < LEVELS)
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &[u8] = b"\x04\0\0\0\x01\0\0\0a\0\0\0";
    const B: &[u8] = b"\x04\0\0\0\x01\0\0\0b\0\0\0";
    const C: &[u8] = b"\x04\0\0\0\x05\0\0\0ccccc\0\0\0";

    /// The keys of a dictionary that are known to be new; the others are looked up.
    fn read(cache: &mut KeyCache<'static>, keys: &[&'static [u8]]) -> Vec<bool> {
        let mut own: Vec<&[u8]> = Vec::new();
        let mut known = Vec::new();
        cache.start(2);
        for (pair, key) in (0..).zip(keys) {
            let is_new = cache.is_new(2, pair, key);
            assert!(!is_new || !own.contains(key));
            if !own.contains(key) {
                own.push(key);
            }
            if !is_new {
                cache.learn(2, pair, key, Some(own.len()));
            }
            known.push(is_new);
        }
        known
    }

    #[test]
    fn the_same_keys_are_new_again() {
        let mut cache = KeyCache::default();
        assert_eq!(read(&mut cache, &[A, B]), [false, false]);
        assert_eq!(read(&mut cache, &[A, B, C]), [true, true, false]);
        assert_eq!(read(&mut cache, &[A, B, C]), [true, true, true]);
        assert_eq!(read(&mut cache, &[A, C, B]), [true, false, false]);
        assert_eq!(read(&mut cache, &[A, C, B]), [true, true, true]);
    }

    #[test]
    fn the_root_is_like_none_before() {
        let mut cache = KeyCache::default();
        cache.start(1);
        cache.learn(1, 0, A, Some(1));
        assert!(!cache.is_new(1, 0, A));
    }

    #[test]
    fn a_key_that_stands_twice_is_never_new() {
        let mut cache = KeyCache::default();
        assert_eq!(read(&mut cache, &[A, A, B]), [false, false, false]);
        assert_eq!(read(&mut cache, &[A, A, B]), [true, false, false]);
        assert_eq!(read(&mut cache, &[A, B, A]), [true, false, false]);
        assert_eq!(read(&mut cache, &[A, B, B]), [true, true, false]);
    }
}
