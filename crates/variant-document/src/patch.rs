//! [`Patches`]: replacements for parts of a byte string. The other bytes stay unchanged.

use std::collections::BTreeMap;
use std::ops::Range;

/// The flag bit of a count (docs/spec/format.md#containers).
pub const SHARED: u32 = 1 << 31;

/// Replacements in any order, which must not overlap.
#[derive(Clone, Debug, Default)]
pub struct Patches {
    parts: Vec<(Range<usize>, Vec<u8>)>,
    /// For each count, by its offset: the amount by which it grows.
    counts: BTreeMap<usize, i64>,
}

impl Patches {
    /// No replacements.
    pub const fn new() -> Self {
        Self { parts: Vec::new(), counts: BTreeMap::new() }
    }

    /// Replaces the bytes of `range`; an empty range inserts.
    pub fn replace(&mut self, range: Range<usize>, bytes: Vec<u8>) {
        self.parts.push((range, bytes));
    }

    /// Adds to the count of a container.
    pub fn count(&mut self, at: usize, more: i64) {
        let sum = self.counts.entry(at).or_default();
        *sum = sum.saturating_add(more);
    }

    /// Moves all patches by `by` bytes.
    #[must_use]
    pub fn shifted(mut self, by: usize) -> Self {
        for (range, _) in &mut self.parts {
            *range = range.start.saturating_add(by)..range.end.saturating_add(by);
        }
        self.counts =
            self.counts.into_iter().map(|(at, more)| (at.saturating_add(by), more)).collect();
        self
    }

    /// Adds patches of other parts of the same bytes.
    pub fn append(&mut self, mut other: Self) {
        self.parts.append(&mut other.parts);
        self.counts.append(&mut other.counts);
    }

    /// The number of bytes that the patches add.
    pub fn growth(&self) -> Option<i64> {
        self.parts.iter().try_fold(0_i64, |sum, (range, part)| {
            let part = i64::try_from(part.len()).ok()?;
            sum.checked_add(part)?.checked_sub(i64::try_from(range.len()).ok()?)
        })
    }

    /// The patched bytes. O(bytes + patches x log patches). `None` if patches overlap or exceed the bytes, or if a
    /// count overflows.
    pub fn apply(self, bytes: &[u8]) -> Option<Vec<u8>> {
        self.write(bytes, |_, _| {})
    }

    /// The patched bytes, and the patches that undo the change. `None` in the cases of [`Patches::apply`].
    pub fn apply_both_ways(self, bytes: &[u8]) -> Option<(Vec<u8>, Self)> {
        let mut back = Self::default();
        let patched = self.write(bytes, |range, old| back.replace(range, old.to_vec()))?;
        Some((patched, back))
    }

    /// For each part, calls `replaced` with the range of the part in the result, and with the old bytes.
    fn write(
        mut self,
        bytes: &[u8],
        mut replaced: impl FnMut(Range<usize>, &[u8]),
    ) -> Option<Vec<u8>> {
        self.write_counts(bytes)?;
        let growth = self.growth().and_then(|more| usize::try_from(more).ok()).unwrap_or(0);
        // The sort is stable, so that insertions at one offset keep their order.
        self.parts.sort_by_key(|(range, _)| (range.start, range.end));
        let mut out = Vec::with_capacity(bytes.len().checked_add(growth)?);
        let mut at = 0;
        for (range, part) in self.parts {
            out.extend_from_slice(bytes.get(at..range.start)?);
            let start = out.len();
            out.extend_from_slice(&part);
            replaced(start..out.len(), bytes.get(range.clone())?);
            at = range.end;
        }
        out.extend_from_slice(bytes.get(at..)?);
        Some(out)
    }

    /// Turns the changes of counts into replacements.
    fn write_counts(&mut self, bytes: &[u8]) -> Option<()> {
        for (at, more) in std::mem::take(&mut self.counts) {
            let word = at..at.checked_add(4)?;
            let old = u32::from_le_bytes(bytes.get(word.clone())?.try_into().ok()?);
            let count = i64::from(old & !SHARED).checked_add(more)?;
            let count = u32::try_from(count).ok().filter(|count| count & SHARED == 0)?;
            self.parts.push((word, (count | old & SHARED).to_le_bytes().to_vec()));
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_patched_stays() {
        let mut patches = Patches::default();
        patches.replace(6..6, b"+".to_vec());
        patches.replace(4..6, b"".to_vec());
        patches.count(0, 1);
        patches.count(0, 1);
        let old = b"\x01\0\0\x80abcd";
        let (new, back) = patches.apply_both_ways(old).unwrap();
        assert_eq!(new, b"\x03\0\0\x80+cd");
        assert_eq!(back.apply(&new).unwrap(), old);
        assert_eq!(Patches::default().apply(b"ab").unwrap(), b"ab");
    }

    #[test]
    fn impossible_patches_are_refused() {
        for (ranges, more) in [(&[(0, 2), (1, 3)][..], 0), (&[(5, 9)], 0), (&[], -2)] {
            let mut patches = Patches::default();
            for (start, end) in ranges {
                patches.replace(*start..*end, Vec::new());
            }
            if more != 0 {
                patches.count(0, more);
            }
            assert_eq!(patches.apply(&[1, 0, 0, 0]), None, "{ranges:?}");
        }
    }
}
