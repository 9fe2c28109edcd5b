//! [`Levels`]: a stack whose first levels need no allocation.

/// The number of levels without an allocation, enough for most packets.
const NEAR: usize = 6;

/// A stack with one entry for each container around the innermost one.
pub(crate) struct Levels<T> {
    near: [Option<T>; NEAR],
    /// The number of all levels.
    len: usize,
    far: Vec<T>,
}

impl<T> Levels<T> {
    /// No levels, without an allocation.
    pub(crate) const fn new() -> Self {
        Self { near: [const { None }; NEAR], len: 0, far: Vec::new() }
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> + '_ {
        self.near.iter().flatten().chain(&self.far)
    }

    /// The levels and `last`, outermost first.
    pub(crate) fn into_vec(self, last: T) -> Vec<T> {
        self.near.into_iter().flatten().chain(self.far).chain([last]).collect()
    }

    /// Adds the innermost level. O(1) amortized.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn push(&mut self, level: T) {
        match self.near.get_mut(self.len) {
            Some(place) => *place = Some(level),
            None => self.push_far(level),
        }
        self.len = self.len.saturating_add(1);
    }

    /// Takes the innermost level. O(1).
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        match self.near.get_mut(self.len) {
            Some(place) => place.take(),
            None => self.pop_far(),
        }
    }

    #[cold]
    #[inline(never)]
    fn push_far(&mut self, level: T) {
        self.far.push(level);
    }

    #[cold]
    #[inline(never)]
    fn pop_far(&mut self) -> Option<T> {
        self.far.pop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_come_back() {
        let mut levels = Levels::new();
        assert_eq!(levels.pop(), None);
        for count in [1, NEAR - 1, NEAR, NEAR + 1, 100] {
            (0..count).for_each(|level| levels.push(level.to_string()));
            assert_eq!(levels.len(), count);
            assert!(levels.iter().cloned().eq((0..count).map(|level| level.to_string())));
            assert!((0..count).rev().all(|level| levels.pop() == Some(level.to_string())));
            assert_eq!((levels.pop(), levels.len), (None, 0));
        }
    }
}
