//! The engine's sort: it is not stable and, unlike Rust's, has a result for any notion of "less".
//!
//! An introspective sort as in the first C++ standard libraries: it partitions runs of more than sixteen around the
//! median of three, then sorts everything by insertion.

/// Shorter runs are left to the insertion sort.
const THRESHOLD: usize = 16;

pub(super) fn sort<T>(items: &mut [T], less: &impl Fn(&T, &T) -> bool) {
    let depth = items.len().checked_ilog2().unwrap_or(0).saturating_mul(2);
    part(items, depth, less);
    for last in 1..items.len() {
        let Some(run) = items.get_mut(..=last) else { break };
        insert(run, last < THRESHOLD, less);
    }
}

/// If the parts stay unequal for too long the engine switches to heap sort. The insertion sort does that here, which
/// differs only where "less" is not an order.
fn part<T>(mut items: &mut [T], mut depth: u32, less: &impl Fn(&T, &T) -> bool) {
    while items.len() > THRESHOLD && depth > 0 {
        depth = depth.saturating_sub(1);
        let Some(cut) = partition(items, less) else { break };
        let Some((low, high)) = items.split_at_mut_checked(cut) else { break };
        part(high, depth, less);
        items = low;
    }
}

/// Moves items that are less than the pivot to the front. Returns the start of the rest. `None` never happens.
fn partition<T>(items: &mut [T], less: &impl Fn(&T, &T) -> bool) -> Option<usize> {
    let last = items.len().checked_sub(1)?;
    let mut pivot = median(items, 0, items.len() / 2, last, less)?;
    let (mut low, mut high) = (0, items.len());
    loop {
        while low < last && less(items.get(low)?, items.get(pivot)?) {
            low = low.saturating_add(1);
        }
        high = high.saturating_sub(1);
        while high > 0 && less(items.get(pivot)?, items.get(high)?) {
            high = high.saturating_sub(1);
        }
        if low >= high {
            return Some(low);
        }
        items.swap(low, high);
        // The engine compares with a copy of the pivot; this follows the pivot to its new place.
        pivot = match pivot {
            at if at == low => high,
            at if at == high => low,
            at => at,
        };
        low = low.saturating_add(1);
    }
}

fn median<T>(
    items: &[T],
    first: usize,
    middle: usize,
    last: usize,
    less: &impl Fn(&T, &T) -> bool,
) -> Option<usize> {
    let less_at = |a, b| Some(less(items.get(a)?, items.get(b)?));
    Some(match (less_at(first, middle)?, less_at(middle, last)?, less_at(first, last)?) {
        (true, true, _) | (false, false, false) => middle,
        (true, false, true) | (false, true, false) => last,
        (true, false, false) | (false, _, true) => first,
    })
}

/// Moves the last item down to its place among the others, which are sorted.
fn insert<T>(run: &mut [T], guarded: bool, less: &impl Fn(&T, &T) -> bool) {
    let Some((value, sorted)) = run.split_last() else { return };
    let to_front = guarded && sorted.first().is_some_and(|first| less(value, first));
    let place = if to_front {
        0
    } else {
        // The first item is never passed here: an item before it would be a broken order.
        let tail = sorted.get(1..).unwrap_or_default();
        let passed = tail.iter().rev().take_while(|item| less(value, item)).count();
        sorted.len().saturating_sub(passed)
    };
    if let Some(moved) = run.get_mut(place..) {
        moved.rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts() {
        for len in 0..200_u32 {
            let mut items: Vec<_> = (0..len).map(|i| i.wrapping_mul(7_919) % 211).collect();
            let mut sorted = items.clone();
            sorted.sort_unstable();
            sort(&mut items, &|a, b| a < b);
            assert_eq!(items, sorted);
        }
    }

    #[test]
    fn ends_without_an_order() {
        for len in 0..100 {
            let mut items: Vec<u32> = (0..len).collect();
            sort(&mut items, &|_, _| true);
            sort(&mut items, &|_, _| false);
            assert_eq!(items.len(), usize::try_from(len).unwrap());
        }
    }

    #[test]
    fn few_items_without_an_order_stay() {
        let mut items: Vec<u32> = (0..16).collect();
        sort(&mut items, &|_, _| false);
        assert!(items.is_sorted());
    }
}
