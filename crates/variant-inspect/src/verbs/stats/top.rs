//! [`Top`]: the items with the greatest sizes.

use std::cmp::Reverse;

/// The `limit` items with the greatest sizes, in descending order. Of items with equal sizes, the first are kept.
#[derive(Debug)]
pub(super) struct Top<T> {
    limit: usize,
    things: Vec<(u64, T)>,
}

impl<T> Top<T> {
    pub(super) const fn new(limit: usize) -> Self {
        Self { limit, things: Vec::new() }
    }

    /// Adds an item if it is among the greatest, in O(`limit`). Otherwise ignores it, in O(1).
    pub(super) fn offer(&mut self, size: u64, thing: impl FnOnce() -> T) {
        let least = self.things.last().filter(|_| self.things.len() >= self.limit);
        if self.limit == 0 || size == 0 || least.is_some_and(|(least, _)| size <= *least) {
            return;
        }
        let place = self.things.partition_point(|(other, _)| Reverse(*other) <= Reverse(size));
        self.things.insert(place, (size, thing()));
        self.things.truncate(self.limit);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, &T)> {
        self.things.iter().map(|(size, thing)| (*size, thing))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_stay_in_order() {
        let mut top = Top::new(3);
        for (at, size) in [5, 0, 9, 1, 9, 2, 7].into_iter().enumerate() {
            top.offer(size, || at);
        }
        let kept: Vec<_> = top.iter().map(|(size, at)| (size, *at)).collect();
        assert_eq!(kept, [(9, 2), (9, 4), (7, 6)]);
        let mut none = Top::new(0);
        none.offer(1, || ());
        assert_eq!(none.iter().count(), 0);
    }
}
