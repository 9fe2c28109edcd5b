//! The containers around the value that is being read, without an allocation.

const NEAR: usize = 32;
/// One more than the limit without an allocator, for an empty container on the last level.
const FAR: usize = 1_025;

/// A stack in three parts: what nearly every document needs, what the engines' depth limit needs, and,
/// with the `alloc` feature, whatever else a caller allows.
///
/// The second part is an `Option` so that making a stack does not cost writing to it.
#[derive(Clone, Debug)]
pub(crate) struct Stack<T> {
    len: u32,
    near: [T; NEAR],
    far: Option<[T; FAR]>,
    #[cfg(feature = "alloc")]
    rest: alloc::vec::Vec<T>,
}

impl<T: Copy> Stack<T> {
    /// `filler` is never read.
    pub(crate) const fn new(filler: T) -> Self {
        Self {
            len: 0,
            near: [filler; NEAR],
            far: None,
            #[cfg(feature = "alloc")]
            rest: alloc::vec::Vec::new(),
        }
    }

    #[inline(always)]
    pub(crate) const fn len(&self) -> u32 {
        self.len
    }

    /// Whether there was room.
    #[inline(always)]
    pub(crate) fn push(&mut self, frame: T) -> bool {
        let at = crate::bytes::size(self.len);
        let room = match self.near.get_mut(at) {
            Some(place) => {
                *place = frame;
                true
            }
            None => self.push_far(at.saturating_sub(NEAR), frame),
        };
        self.len = self.len.saturating_add(u32::from(room));
        room
    }

    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        let at = crate::bytes::size(self.len);
        match self.near.get(at) {
            Some(&frame) => Some(frame),
            None => self.get_far(at.saturating_sub(NEAR)),
        }
    }

    /// From the outermost.
    pub(crate) fn frames(&self) -> impl Iterator<Item = T> + '_ {
        (0..crate::bytes::size(self.len)).filter_map(|at| match self.near.get(at) {
            Some(&frame) => Some(frame),
            None => self.get_far(at.saturating_sub(NEAR)),
        })
    }

    #[cold]
    #[inline(never)]
    fn push_far(&mut self, at: usize, frame: T) -> bool {
        // Assigned rather than inserted: in a debug build that copies it fewer times.
        if self.far.is_none() {
            self.far = Some([frame; FAR]);
        }
        if let Some(place) = self.far.as_mut().and_then(|far| far.get_mut(at)) {
            *place = frame;
            return true;
        }
        self.push_rest(at.saturating_sub(FAR), frame)
    }

    #[cfg(feature = "alloc")]
    fn push_rest(&mut self, at: usize, frame: T) -> bool {
        self.rest.truncate(at);
        self.rest.push(frame);
        true
    }

    #[cfg(not(feature = "alloc"))]
    #[expect(clippy::unused_self, reason = "the twin with `alloc` uses it")]
    fn push_rest(&mut self, _at: usize, _frame: T) -> bool {
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
    #[expect(clippy::unused_self, reason = "the twin with `alloc` uses it")]
    fn get_rest(&self, _at: usize) -> Option<T> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back_in_reverse() {
        let mut stack = Stack::new(0);
        let levels = if cfg!(feature = "alloc") { 5_000 } else { 1_057 };
        for level in 0..levels {
            assert!(stack.push(level));
        }
        assert_eq!(stack.push(levels), cfg!(feature = "alloc"));
        if cfg!(feature = "alloc") {
            assert_eq!(stack.pop(), Some(levels));
        }
        assert!(stack.frames().eq(0..levels));
        for level in (0..levels).rev() {
            assert_eq!(stack.pop(), Some(level));
        }
        assert_eq!(stack.pop(), None);
    }
}
