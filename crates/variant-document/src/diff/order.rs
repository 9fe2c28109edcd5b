//! Partners for array elements that are matched by their order, not by a key.

use super::ident::{ALONE, Ident, partners};

/// The partners of old elements, in increasing order. Elements with equal digests are paired first. The elements
/// between these pairs are paired by position. O(n log n). Equal elements at the start and at the end cost O(n), and
/// no memory except the result.
pub(super) fn in_order(old: &[Option<Ident>], new: &[Option<Ident>]) -> Vec<u32> {
    let front = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old_left, new_left) =
        (old.get(front..).unwrap_or_default(), new.get(front..).unwrap_or_default());
    let back = old_left.iter().rev().zip(new_left.iter().rev());
    let back = back.take_while(|(old, new)| old == new).count();
    let middle = |left: &'_ [Option<Ident>]| left.len().saturating_sub(back);
    let (old_end, new_end) = (middle(old_left), middle(new_left));
    let inner = increasing(&partners(
        old_left.get(..old_end).unwrap_or_default(),
        new_left.get(..new_end).unwrap_or_default(),
    ));
    let shifted = |at: u32| if at == ALONE { at } else { at.saturating_add(number(front)) };
    let mut all = Vec::with_capacity(old.len());
    all.extend(0..number(front));
    all.extend(inner.into_iter().map(shifted));
    all.extend(number(new.len().saturating_sub(back))..number(new.len()));
    between(&mut all, number(new.len()));
    all
}

fn number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(ALONE)
}

/// Pairs elements by position, in each gap between two elements that already have partners.
fn between(all: &mut [u32], end: u32) {
    let (mut gap, mut next) = (0, 0_u32);
    for at in 0..=all.len() {
        let anchor = all.get(at).copied().unwrap_or(end);
        if anchor == ALONE {
            continue;
        }
        let between = all.get_mut(gap..at).unwrap_or_default();
        for (place, partner) in between.iter_mut().zip(next..anchor) {
            *place = partner;
        }
        gap = at.saturating_add(1);
        next = anchor.saturating_add(1);
    }
}

/// Keeps the longest increasing subsequence of these numbers; the other numbers become [`ALONE`].
fn increasing(all: &[u32]) -> Vec<u32> {
    // `ends` has, for each length, the index of the smallest number that ends an increasing subsequence of that length.
    // `before` has, for each number, the index of the previous number of its subsequence.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![None; all.len()];
    let value = |at: usize| all.get(at).copied().unwrap_or(ALONE);
    for (at, number) in all.iter().enumerate().filter(|(_, number)| **number != ALONE) {
        let len = ends.partition_point(|end| value(*end) < *number);
        let last = len.checked_sub(1).and_then(|last| ends.get(last).copied());
        if let Some(place) = before.get_mut(at) {
            *place = last;
        }
        match ends.get_mut(len) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut kept = vec![ALONE; all.len()];
    let mut at = ends.last().copied();
    while let Some(here) = at {
        if let Some(place) = kept.get_mut(here) {
            *place = value(here);
        }
        at = before.get(here).copied().flatten();
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(old: &[u8], new: &[u8]) -> Vec<u32> {
        let ids = |all: &[u8]| all.iter().map(|id| Ident::new(u128::from(*id))).collect::<Vec<_>>();
        in_order(&ids(old), &ids(new))
    }

    #[test]
    fn anchors_and_what_is_between() {
        assert_eq!(of(b"abc", b"abc"), [0, 1, 2]);
        assert_eq!(of(b"abc", b"axbc"), [0, 2, 3]);
        assert_eq!(of(b"aXcdY", b"aZcNdQ"), [0, 1, 2, 4, 5]);
        assert_eq!(of(b"abc", b"c"), [ALONE, ALONE, 0]);
        assert_eq!(of(b"ab", b"xy"), [0, 1]);
        assert_eq!(of(b"abcd", b"dabc"), [1, 2, 3, ALONE]);
        assert_eq!(of(b"aab", b"aaab"), [0, 1, 3]);
        assert_eq!(of(b"abXcd", b"abcd"), [0, 1, ALONE, 2, 3]);
        assert_eq!(of(b"ababZcd", b"abYabWcd"), [0, 1, 3, 4, 5, 6, 7]);
        assert_eq!(of(b"aa", b"a"), [0, ALONE]);
        assert!(of(b"", b"ab").is_empty());
    }
}
