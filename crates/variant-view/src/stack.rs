//! A stack of the open containers, without allocation.

const NEAR: usize = 16;
/// The number of levels in the second part. [`NEAR`] and this number add up to one more than
/// `Limits::MAX_DEPTH_NO_ALLOC`, since an empty container may be at that depth.
const FAR: usize = 1_041;

/// A stack in three parts: one for nearly every document, one for the engines' depth limit, and with the
/// `alloc` feature a `Vec` for higher limits.
///
/// The second part is an `Option`, so that a new stack does not write to it.
#[derive(Clone, Debug)]
pub(crate) struct Stack<T> {
    near: [T; NEAR],
    far: Option<[T; FAR]>,
    #[cfg(feature = "alloc")]
    rest: alloc::vec::Vec<T>,
}

impl<T: Copy> Stack<T> {
    /// An empty stack; `filler` fills unused places.
    pub(crate) const fn new(filler: T) -> Self {
        Self {
            near: [filler; NEAR],
            far: None,
            #[cfg(feature = "alloc")]
            rest: alloc::vec::Vec::new(),
        }
    }

    /// Sets the frame of a level; all lower levels must be set. Returns whether there was room.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn set(&mut self, level: u32, frame: T) -> bool {
        let at = crate::bytes::size(level);
        match self.near.get_mut(at) {
            Some(place) => {
                *place = frame;
                true
            }
            None => self.set_far(at.saturating_sub(NEAR), frame),
        }
    }

    /// The frame of a level, if it was set.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn get(&self, level: u32) -> Option<T> {
        let at = crate::bytes::size(level);
        match self.near.get(at) {
            Some(&frame) => Some(frame),
            None => self.get_far(at.saturating_sub(NEAR)),
        }
    }

    /// The frames below `level`, outermost first.
    pub(crate) fn below(&self, level: u32) -> impl Iterator<Item = T> + '_ {
        (0..level).filter_map(|level| self.get(level))
    }

    #[cold]
    #[inline(never)]
    fn set_far(&mut self, at: usize, frame: T) -> bool {
        // The array is assigned, not inserted: debug builds copy it fewer times.
        if self.far.is_none() {
            self.far = Some([frame; FAR]);
        }
        if let Some(place) = self.far.as_mut().and_then(|far| far.get_mut(at)) {
            *place = frame;
            return true;
        }
        self.set_rest(at.saturating_sub(FAR), frame)
    }

    #[cfg(feature = "alloc")]
    fn set_rest(&mut self, at: usize, frame: T) -> bool {
        self.rest.truncate(at);
        self.rest.push(frame);
        true
    }

    #[cfg(not(feature = "alloc"))]
    #[expect(clippy::unused_self, reason = "the function for `alloc` uses it")]
    fn set_rest(&mut self, _at: usize, _frame: T) -> bool {
        false
    }

    #[cold]
    #[inline(never)]
    fn get_far(&self, at: usize) -> Option<T> {
        match self.far.as_ref()?.get(at) {
            Some(&frame) => Some(frame),
            None => self.get_rest(at.saturating_sub(FAR)),
        }
    }

    #[cfg(feature = "alloc")]
    fn get_rest(&self, at: usize) -> Option<T> {
        self.rest.get(at).copied()
    }

    #[cfg(not(feature = "alloc"))]
    #[expect(clippy::unused_self, reason = "the function for `alloc` uses it")]
    fn get_rest(&self, _at: usize) -> Option<T> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back() {
        let mut stack = Stack::new(0);
        let levels = if cfg!(feature = "alloc") { 5_000 } else { 1_057 };
        for level in 0..levels {
            assert!(stack.set(level, level));
        }
        assert_eq!(stack.set(levels, levels), cfg!(feature = "alloc"));
        assert!(stack.below(levels).eq(0..levels));
        for level in (0..levels).rev() {
            assert!(stack.set(level, level + 1));
            assert_eq!(stack.get(level), Some(level + 1));
        }
    }
}
