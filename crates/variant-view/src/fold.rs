//! [`Fold`]: a hash of words.

use core::hash::Hasher;

/// Hashes words (FNV-1a, a word at a time). An attacker can choose bytes that collide. So use the hash only where a
/// collision costs time, but does not change a result.
pub(crate) struct Fold(u64);

impl Default for Fold {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fold {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64((*byte).into());
        }
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0100_0000_01b3);
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.write_u64(u64::try_from(word).unwrap_or(u64::MAX));
    }

    #[inline]
    fn write_isize(&mut self, word: isize) {
        self.write_usize(word.cast_unsigned());
    }
}
