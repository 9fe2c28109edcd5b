//! [`Order`]: the order of the keys of dictionaries.

/// The maximum number of different fields that come directly before one field. If there are more, the fields count as
/// unordered.
const MOST: usize = 16;

/// For each field, the fields that came directly before it in some dictionary.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Order {
    before: Vec<Vec<usize>>,
    is_lost: bool,
}

impl Order {
    /// Records that field `field` came directly after field `last`. O(1).
    pub(super) fn follow(&mut self, last: usize, field: usize) {
        if self.before.len() <= field {
            self.before.resize_with(field.saturating_add(1), Vec::new);
        }
        let Some(before) = self.before.get_mut(field) else { return };
        if before.contains(&last) {
            return;
        }
        if before.len() >= MOST {
            self.is_lost = true;
        } else {
            before.push(last);
        }
    }

    /// Adds the order of other dictionaries. For each field of these dictionaries, `numbers` has the number of the same
    /// field here.
    pub(super) fn merge(&mut self, other: &Self, numbers: &[Option<usize>]) {
        let number = |field: usize| numbers.get(field).copied().flatten();
        self.is_lost |= other.is_lost;
        for (field, before) in other.before.iter().enumerate() {
            for last in before {
                if let (Some(last), Some(field)) = (number(*last), number(field)) {
                    self.follow(last, field);
                }
            }
        }
    }

    /// The fields in an order that all dictionaries have, as close to the order of appearance as possible. `None` if
    /// there is no such order. O(fields²).
    pub(super) fn sorted(&self, fields: usize) -> Option<Vec<usize>> {
        let mut sorted = Vec::new();
        while !self.is_lost && sorted.len() < fields {
            let is_next = |field: &usize| {
                let before = self.before.get(*field).map_or(&[][..], Vec::as_slice);
                !sorted.contains(field) && before.iter().all(|last| sorted.contains(last))
            };
            sorted.push((0..fields).find(is_next)?);
        }
        (!self.is_lost).then_some(sorted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order of dictionaries that have these fields.
    fn sorted(all: &[&[usize]]) -> Option<Vec<usize>> {
        let mut order = Order::default();
        for fields in all {
            fields.windows(2).for_each(|pair| order.follow(pair[0], pair[1]));
        }
        order.sorted(
            all.iter()
                .flat_map(|fields| fields.iter())
                .max()
                .map_or(0, |last| last.saturating_add(1)),
        )
    }

    #[test]
    fn all_dictionaries_have_the_order_that_is_found() {
        assert_eq!(sorted(&[]), Some(vec![]));
        assert_eq!(sorted(&[&[0, 1, 2], &[0, 3, 2]]), Some(vec![0, 1, 3, 2]));
        assert_eq!(sorted(&[&[0], &[1], &[1, 0]]), Some(vec![1, 0]));
        assert_eq!(sorted(&[&[0, 1], &[1, 0]]), None);
        assert_eq!(sorted(&[&[0, 0]]), None);
        let many: Vec<_> = (0..40).map(|last| [last, 40]).collect();
        let many: Vec<_> = many.iter().map(<[usize; 2]>::as_slice).collect();
        assert_eq!(sorted(&many), None);
    }
}
