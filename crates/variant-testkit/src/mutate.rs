//! Damage such as careless writers and hostile ones do, the same each time.

/// Numbers without a pattern (xorshift).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Those that follow from `seed`, which must not be 0.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Any number.
    pub const fn number(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `end`; 0 if there is none.
    pub fn below(&mut self, end: usize) -> usize {
        let number = usize::try_from(self.number() >> 33).unwrap_or(0);
        number.checked_rem(end).unwrap_or(0)
    }

    /// One of them, by copy.
    ///
    /// # Panics
    /// If there is none.
    #[expect(clippy::expect_used, reason = "for tests")]
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        *from.get(self.below(from.len())).expect("something to pick from")
    }

    /// Any byte.
    pub fn byte(&mut self) -> u8 {
        let [byte, ..] = self.number().to_be_bytes();
        byte
    }

    /// So many bytes.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.byte()).collect()
    }
}
