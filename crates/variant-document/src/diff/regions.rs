//! [`Regions`]: the elements of two packed arrays that differ.

use std::ops::Range;

use variant_view::{Numbers, StrView, VariantView};

use super::leaf;
use super::rule::Rule;

/// The maximum number of listed regions of one array.
const MOST: usize = 8;

/// The number of elements whose bytes are compared at a time.
const BLOCK: usize = 4096;

/// Neighbouring elements that differ. If the arrays differ in length, includes the elements that only one of them has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
}

#[derive(Debug, Default)]
pub(super) struct Regions {
    /// The first of the regions.
    pub(super) first: Vec<Region>,
    /// The regions that are not in `first`: their number, the number of their elements, and the range from the first to
    /// the last.
    pub(super) others: u64,
    pub(super) elements: usize,
    pub(super) within: Range<usize>,
}

impl Regions {
    /// The regions of two packed arrays of one kind; `None` for other values. O(bytes).
    pub(super) fn of(old: &VariantView<'_>, new: &VariantView<'_>, rule: &Rule) -> Option<Self> {
        if let (VariantView::PackedStringArray(old), VariantView::PackedStringArray(new)) =
            (old, new)
        {
            let [old, new] = [old, new].map(|texts| texts.iter().collect::<Vec<_>>());
            let are_same = |a: &StrView<'_>, b: &StrView<'_>| leaf::texts(a, b, rule);
            let same = |i: usize, j: usize| matches!((old.get(i), new.get(j)), (Some(a), Some(b)) if are_same(a, b));
            return Some(Self::found(old.len(), new.len(), same, |at| at));
        }
        let (old, new) = (old.numbers()?, new.numbers()?);
        if old.kind() != new.kind() || !old.shape().is_packed {
            return None;
        }
        let count = usize::from(old.shape().count);
        let same = |i: usize, j: usize| {
            let [i, j] = [i, j].map(|at| at.saturating_mul(count));
            (0..count).all(|n| {
                let pair = (old.get(i.saturating_add(n)), new.get(j.saturating_add(n)));
                matches!(pair, (Some(a), Some(b)) if rule.numbers(a, b))
            })
        };
        let skip = |at| skip_equal(&old, &new, at);
        Some(Self::found(old.elements(), new.elements(), same, skip))
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// The regions of arrays of these lengths. `same` compares two elements. `skip` returns the next index at which the
    /// elements may differ.
    fn found(
        old: usize,
        new: usize,
        same: impl Fn(usize, usize) -> bool,
        skip: impl Fn(usize) -> usize,
    ) -> Self {
        let mut all = Self::default();
        let shorter = old.min(new);
        let mut at = 0;
        if old != new {
            // Elements may have been inserted or removed at one place. The region is everything between the equal
            // elements at the start and those at the end.
            at = skip(0);
            while at < shorter && same(at, at) {
                at = at.saturating_add(1);
            }
            let left = shorter.saturating_sub(at);
            let from_end = |n: usize| (old.wrapping_sub(n), new.wrapping_sub(n));
            let behind = (1..=left)
                .take_while(|n| {
                    let (i, j) = from_end(*n);
                    same(i, j)
                })
                .count();
            let (old, new) = from_end(behind);
            all.add(Region { old: at..old, new: at..new });
            return all;
        }
        while at < shorter {
            // At the start of each block, equal blocks are skipped by a comparison of their raw bytes. In a block with
            // a difference, nothing is skipped: its elements are compared one by one.
            if at.is_multiple_of(BLOCK) {
                at = skip(at);
            }
            let start = at;
            while at < shorter && !same(at, at) {
                at = at.saturating_add(1);
            }
            if at > start {
                all.add(Region { old: start..at, new: start..at });
            } else {
                at = at.saturating_add(1);
            }
        }
        all
    }

    fn add(&mut self, region: Region) {
        if self.first.len() < MOST {
            return self.first.push(region);
        }
        if self.others == 0 {
            self.within = region.old.clone();
        }
        self.others = self.others.saturating_add(1);
        self.elements = self.elements.saturating_add(region.old.len());
        self.within.end = region.old.end;
    }
}

/// The first element from `at` on that may differ. Compares whole blocks as bytes.
fn skip_equal(old: &Numbers<'_>, new: &Numbers<'_>, at: usize) -> usize {
    let (Some(old_bytes), Some(new_bytes)) = (old.as_wire_bytes(), new.as_wire_bytes()) else {
        return at;
    };
    let size = old.shape().bytes(old.width());
    if old.number_type() != new.number_type() || size == 0 {
        return at;
    }
    let mut start = at.saturating_mul(size);
    loop {
        let end = start.saturating_add(BLOCK.saturating_mul(size));
        match (old_bytes.get(start..end), new_bytes.get(start..end)) {
            (Some(old), Some(new)) if old == new => start = end,
            _ => return start.checked_div(size).unwrap_or(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn regions(old: &[u8], new: &[u8]) -> Vec<(Range<usize>, Range<usize>)> {
        let same = |i: usize, j: usize| old[i] == new[j];
        let all = Regions::found(old.len(), new.len(), same, |at| at);
        all.first.into_iter().map(|region| (region.old, region.new)).collect()
    }

    #[test]
    fn neighbours_are_one_region() {
        assert_eq!(regions(b"abcdef", b"abcdef"), []);
        assert_eq!(regions(b"abcdef", b"xbcyzf"), [(0..1, 0..1), (3..5, 3..5)]);
        assert_eq!(regions(b"abc", b"xyz"), [(0..3, 0..3)]);
    }

    #[test]
    fn what_is_put_in_is_one_region() {
        assert_eq!(regions(b"abcd", b"abXYcd"), [(2..2, 2..4)]);
        assert_eq!(regions(b"abXYcd", b"abcd"), [(2..4, 2..2)]);
        assert_eq!(regions(b"abcd", b"abZZZd"), [(2..3, 2..5)]);
        assert_eq!(regions(b"", b"ab"), [(0..0, 0..2)]);
        assert_eq!(regions(b"aaa", b"aaaa"), [(3..3, 3..4)]);
    }
}
