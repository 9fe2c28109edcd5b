//! The engines' introsort: not stable, and it terminates for any comparison.
//!
//! Runs of more than sixteen items are partitioned around a median of three. Runs that are still longer at the depth
//! limit of the partitions are sorted by heap sort, and short runs by insertion sort. This algorithm determines the
//! places of keys without an order, so another sort would print dictionaries differently from the engines.

/// Runs of up to this length are left to the insertion sort.
const THRESHOLD: usize = 16;

/// Sorts as the engines do. If `less` returns `None`, stops with `None`: all items are kept, in any order.
pub(super) fn sort<T: Copy>(
    items: &mut [T],
    mut less: impl FnMut(T, T) -> Option<bool>,
) -> Option<()> {
    let levels = items.len().checked_ilog2().unwrap_or(0).saturating_mul(2);
    part(items, levels, &mut less)?;
    for last in 1..items.len() {
        insert(items.get_mut(..=last)?, last < THRESHOLD, &mut less)?;
    }
    Some(())
}

fn part<T: Copy>(
    items: &mut [T],
    levels: u32,
    less: &mut impl FnMut(T, T) -> Option<bool>,
) -> Option<()> {
    let mut waiting = vec![(items, levels)];
    while let Some((run, levels)) = waiting.pop() {
        if run.len() <= THRESHOLD {
            continue;
        }
        let Some(levels) = levels.checked_sub(1) else {
            heap(run, less)?;
            continue;
        };
        let cut = partition(run, less)?;
        let (low, high) = run.split_at_mut_checked(cut)?;
        waiting.extend([(low, levels), (high, levels)]);
    }
    Some(())
}

/// Moves items less than the pivot to the front; returns the start of the rest.
fn partition<T: Copy>(
    items: &mut [T],
    less: &mut impl FnMut(T, T) -> Option<bool>,
) -> Option<usize> {
    let last = items.len().checked_sub(1)?;
    let pivot = median(*items.first()?, *items.get(items.len() / 2)?, *items.last()?, less)?;
    let (mut low, mut high) = (0, items.len());
    loop {
        // Both loops stop at the ends of the items even if an item is less than itself.
        while low < last && less(*items.get(low)?, pivot)? {
            low = low.saturating_add(1);
        }
        high = high.saturating_sub(1);
        while high > 0 && less(pivot, *items.get(high)?)? {
            high = high.saturating_sub(1);
        }
        if low >= high {
            return Some(low);
        }
        items.swap(low, high);
        low = low.saturating_add(1);
    }
}

fn median<T: Copy>(a: T, b: T, c: T, less: &mut impl FnMut(T, T) -> Option<bool>) -> Option<T> {
    Some(if less(a, b)? {
        match less(b, c)? {
            true => b,
            false if less(a, c)? => c,
            false => a,
        }
    } else if less(a, c)? {
        a
    } else if less(b, c)? {
        c
    } else {
        b
    })
}

fn heap<T: Copy>(items: &mut [T], less: &mut impl FnMut(T, T) -> Option<bool>) -> Option<()> {
    for top in (0..items.len() / 2).rev() {
        sift(items, top, *items.get(top)?, less)?;
    }
    for last in (1..items.len()).rev() {
        items.swap(0, last);
        let heap = items.get_mut(..last)?;
        sift(heap, 0, *heap.first()?, less)?;
    }
    Some(())
}

/// Moves the item at `top`, whose value is `value`, down the heap to its place.
fn sift<T: Copy>(
    heap: &mut [T],
    top: usize,
    value: T,
    less: &mut impl FnMut(T, T) -> Option<bool>,
) -> Option<()> {
    let mut hole = top;
    let outcome = move_hole(heap, &mut hole, value, less);
    // The value is also put back if `less` has stopped, so that no item is lost.
    *heap.get_mut(hole)? = value;
    outcome
}

/// Sinks a hole to the bottom, then raises it to the place of `value`.
fn move_hole<T: Copy>(
    heap: &mut [T],
    place: &mut usize,
    value: T,
    less: &mut impl FnMut(T, T) -> Option<bool>,
) -> Option<()> {
    let top = *place;
    loop {
        let hole = *place;
        let left = hole.saturating_mul(2).saturating_add(1);
        let right = left.saturating_add(1);
        let child = match (heap.get(left), heap.get(right)) {
            (Some(&left_one), Some(&right_one)) if less(right_one, left_one)? => left,
            (_, Some(_)) => right,
            (Some(_), None) => left,
            (None, None) => break,
        };
        *heap.get_mut(hole)? = *heap.get(child)?;
        *place = child;
    }
    while *place > top {
        let parent = place.saturating_sub(1) / 2;
        let above = *heap.get(parent)?;
        if !less(above, value)? {
            break;
        }
        *heap.get_mut(*place)? = above;
        *place = parent;
    }
    Some(())
}

/// Inserts the last item of a run among the others, which are sorted.
fn insert<T: Copy>(
    run: &mut [T],
    is_guarded: bool,
    less: &mut impl FnMut(T, T) -> Option<bool>,
) -> Option<()> {
    let (&value, sorted) = run.split_last()?;
    let mut place = sorted.len();
    if is_guarded && less(value, *sorted.first()?)? {
        place = 0;
    }
    // If `less` is an order, the first item is not greater than `value`: it was compared above, or the partitions put
    // the smaller items first. So the loop does not compare it.
    while place > 1 && less(value, *sorted.get(place.saturating_sub(1))?)? {
        place = place.saturating_sub(1);
    }
    run.get_mut(place..)?.rotate_right(1);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers without a pattern.
    fn shuffled(len: u32) -> Vec<u32> {
        (0..len).map(|i| i.wrapping_mul(7_919).wrapping_add(5) % 211).collect()
    }

    #[test]
    fn sorts() {
        for len in 0..400 {
            let mut items = shuffled(len);
            let mut sorted = items.clone();
            sorted.sort_unstable();
            sort(&mut items, |a, b| Some(a < b)).unwrap();
            assert_eq!(items, sorted);
            let mut items = shuffled(len);
            heap(&mut items, &mut |a, b| Some(a < b)).unwrap();
            assert_eq!(items, sorted);
        }
    }

    /// The pivot decides the places of keys without an order.
    #[test]
    fn the_median_is_between_the_others() {
        for [a, b, c] in (0..27).map(|n| [n / 9, n / 3 % 3, n % 3]) {
            let mut sorted = [a, b, c];
            sorted.sort_unstable();
            let found = median(a, b, c, &mut |a, b| Some(a < b));
            assert_eq!(found, Some(sorted[1]), "{a}, {b}, {c}");
        }
    }

    #[test]
    fn ends_without_an_order_and_loses_nothing() {
        for len in 0..300 {
            for answer in [true, false] {
                let mut items: Vec<u32> = (0..len).collect();
                sort(&mut items, |_, _| Some(answer)).unwrap();
                assert!(answer || len > 16 || items.is_sorted());
                items.sort_unstable();
                assert!(items.into_iter().eq(0..len));
            }
        }
    }

    /// Wherever the sort stops, also in partitions and in the heap, all items are kept.
    #[test]
    fn gives_up_and_loses_nothing() {
        // The last comparison is not an order, so partitions do not shrink and the heap takes over.
        let comparisons: [fn(u32, u32) -> bool; 3] = [|a, b| a < b, |a, b| a > b, |_, _| true];
        let mut stopped = 0;
        for (is_less, budget) in
            comparisons.into_iter().flat_map(|less| (0..6_000_u32).map(move |n| (less, n)))
        {
            let mut left = budget;
            let mut items: Vec<u32> = (0..100).map(|i| i * 37 % 100).collect();
            let outcome = sort(&mut items, |a, b| {
                left = left.checked_sub(1)?;
                Some(is_less(a, b))
            });
            stopped += usize::from(outcome.is_none());
            items.sort_unstable();
            assert!(items.into_iter().eq(0..100), "{budget}");
        }
        assert!(stopped > 1_000);
    }
}
