//! [`shortest`]: the shortest failing list.

/// Removes pieces of a list while the rest still fails. Starts with halves, and continues with smaller pieces, down to
/// single items. O(items^2) calls at worst.
pub(super) fn shortest<T: Clone>(mut items: Vec<T>, mut fails: impl FnMut(&[T]) -> bool) -> Vec<T> {
    let mut size = items.len().div_ceil(2);
    while size > 0 {
        let (before, mut at) = (items.len(), 0);
        while at < items.len() {
            let mut shorter = items.clone();
            shorter.drain(at..(at + size).min(items.len()));
            if fails(&shorter) {
                items = shorter;
            } else {
                at += size;
            }
        }
        // The removal of single items is repeated until none can be removed.
        if size > 1 || items.len() == before {
            size /= 2;
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_causes_are_left() {
        let items: Vec<u32> = (0..100).collect();
        let causes = [3, 41, 99];
        let fails = |some: &[u32]| causes.iter().all(|cause| some.contains(cause));
        assert_eq!(shortest(items, fails), causes);
        assert!(shortest(vec![1, 2], |_| true).is_empty());
    }

    /// The removal of one item makes another item removable.
    #[test]
    fn single_items_are_tried_again() {
        let fails = |some: &[u32]| some.contains(&9) && (some.contains(&1) || !some.contains(&2));
        assert_eq!(shortest((0..10).collect(), fails), [9]);
    }
}
