//! [`Run`]: bytes that are equal on both sides, so that whole values can be skipped.

use variant_view::{Document, Reader};

use super::half::Half;

/// The minimum and the maximum number of bytes that are compared at a time.
const LEAST: usize = 256;
const MOST: usize = 1 << 22;

/// Equal bytes after the cursors. Each byte is compared once. A failed comparison costs at most as much as earlier
/// comparisons saved, so nested values do not cost O(depth x bytes).
#[derive(Debug)]
pub(super) struct Run {
    /// Whether equal bytes mean the same on both sides.
    pub(super) is_one_dialect: bool,
    /// The end of the equal bytes on each side.
    old: usize,
    new: usize,
    /// Whether the bytes after the end differ.
    is_closed: bool,
    /// The start of the equal bytes on the old side.
    start: usize,
    /// The number of bytes to compare next.
    trial: usize,
}

impl Run {
    pub(super) fn new(old: &Document<'_>, new: &Document<'_>) -> Self {
        let how = |document: &Document<'_>| (document.options().dialect, document.options().reals);
        let is_one_dialect = how(old) == how(new);
        Self { is_one_dialect, old: 0, new: 0, is_closed: false, start: 0, trial: LEAST }
    }

    /// Skips the next value on both sides, if its bytes are the same. O(skipped bytes), amortised.
    pub(super) fn pass(&mut self, old: &mut Half<'_>, new: &mut Half<'_>) -> bool {
        if !self.is_one_dialect {
            return false;
        }
        let at = (old.cursor.offset(), new.cursor.offset());
        let equal = self.equal(&old.document, &new.document, at);
        let bytes = old.document.bytes().get(at.0..at.0.saturating_add(equal)).unwrap_or_default();
        let Ok(value) = Reader::new(bytes, *old.document.options()).skip() else {
            self.trial = (self.trial / 2).max(LEAST);
            return false;
        };
        old.go_to(at.0.saturating_add(value.len()));
        new.go_to(at.1.saturating_add(value.len()));
        self.trial = self.trial.max(value.len().saturating_mul(4).min(MOST));
        true
    }

    /// The number of equal bytes from these offsets on, at most `trial`.
    fn equal(&mut self, old: &Document<'_>, new: &Document<'_>, at: (usize, usize)) -> usize {
        let is_inside = (self.start..=self.old).contains(&at.0)
            && self.old.wrapping_sub(at.0) == self.new.wrapping_sub(at.1);
        if !is_inside {
            (self.start, self.old, self.new, self.is_closed) = (at.0, at.0, at.1, false);
        }
        let known = self.old.saturating_sub(at.0);
        if known < self.trial && !self.is_closed {
            let more = self.trial.saturating_sub(known);
            let rest = |bytes: &'_ [u8], from: usize| {
                let end = from.saturating_add(more).min(bytes.len());
                from..end
            };
            let (a, b) = (old.bytes(), new.bytes());
            let a = a.get(rest(a, self.old)).unwrap_or_default();
            let b = b.get(rest(b, self.new)).unwrap_or_default();
            let equal = common(a, b);
            self.is_closed = equal < more;
            self.old = self.old.saturating_add(equal);
            self.new = self.new.saturating_add(equal);
        }
        self.old.saturating_sub(at.0).min(self.trial)
    }
}

/// The length of the common prefix.
fn common(a: &[u8], b: &[u8]) -> usize {
    const BLOCK: usize = 64;
    let blocks = a.chunks_exact(BLOCK).zip(b.chunks_exact(BLOCK));
    let start = blocks.take_while(|(a, b)| a == b).count().saturating_mul(BLOCK);
    let (a, b) = (a.get(start..).unwrap_or_default(), b.get(start..).unwrap_or_default());
    start.saturating_add(a.iter().zip(b).take_while(|(a, b)| a == b).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_starts() {
        for len in [0, 1, 63, 64, 65, 200] {
            let bytes = vec![7; len];
            assert_eq!(common(&bytes, &bytes), len);
            for at in 0..len {
                let mut other = bytes.clone();
                other[at] = 8;
                assert_eq!(common(&bytes, &other), at);
                assert_eq!(common(&bytes, &bytes[..at]), at);
            }
        }
    }
}
