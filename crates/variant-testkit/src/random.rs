//! [`Random`]: pseudo-random numbers that are equal in each run.

/// A source of pseudo-random numbers (xorshift) that are equal in each run.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A source with this seed, which must not be 0.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `end`, or 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 32).unwrap_or_default().checked_rem(end).unwrap_or_default()
    }

    /// One of these values.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Any byte.
    pub fn byte(&mut self) -> u8 {
        u8::try_from(self.below(256)).unwrap_or_default()
    }

    /// Any bytes.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.byte()).collect()
    }
}
