//! Iterators over the children of a [`TapeValue`].

use super::{Node, TapeValue};
use crate::bytes::{Cursor, size};
use crate::kind::Kind;
use crate::layout;
use crate::view::StrView;

/// Iterator of [`TapeValue::items`].
#[derive(Clone, Debug)]
pub(super) struct Items<'t, 'a> {
    next: TapeValue<'t, 'a>,
    left: u32,
    /// Whether no item has children, so that the numbers of the items are consecutive.
    is_flat: bool,
}

impl<'t, 'a> Items<'t, 'a> {
    /// The items of `container`, whose node is `node`.
    #[inline]
    pub(super) fn new(container: TapeValue<'t, 'a>, node: Node) -> Self {
        let first = container.number().wrapping_add(1);
        let left = node.items();
        let is_flat = node.next().wrapping_sub(first) == left;
        Self { next: container.other(first), left, is_flat }
    }

    /// The items of a container of this kind; no items for other kinds.
    #[inline]
    fn of_kind(container: TapeValue<'t, 'a>, node: Node, kind: Kind) -> Self {
        let items = Self::new(container, node);
        if node.kind() == kind { items } else { Self { left: 0, ..items } }
    }
}

impl<'t, 'a> Iterator for Items<'t, 'a> {
    type Item = TapeValue<'t, 'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let item = self.next;
        self.next = item.other(item.node().next());
        Some(item)
    }

    /// O(1) if no item has children, otherwise O(`n`).
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        let Some(skipped) = u32::try_from(n).ok().filter(|&n| n < self.left) else {
            self.left = 0;
            return None;
        };
        self.left = self.left.wrapping_sub(skipped);
        let mut number = self.next.number();
        if self.is_flat {
            number = number.wrapping_add(skipped);
        } else {
            number = hop(self.next.nodes(), number, skipped)?;
        }
        self.next = self.next.other(number);
        self.next()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (size(self.left), Some(size(self.left)))
    }
}

impl ExactSizeIterator for Items<'_, '_> {}
impl core::iter::FusedIterator for Items<'_, '_> {}

/// The number of siblings that are looked up together.
const AT_ONCE: u32 = 8;

/// The number of the value that is `siblings` places after the value `number` in the same container.
#[inline(never)]
fn hop(nodes: &[Node], mut number: u32, siblings: u32) -> Option<u32> {
    let next = |number: u32| nodes.get(size(number)).map(|node| node.next());
    let mut left = siblings;
    while left != 0 {
        let behind = next(number)?;
        left = left.wrapping_sub(1);
        // A sibling often has as many values as the previous sibling. This assumption makes several look-ups
        // independent; otherwise each has to wait for the previous look-up.
        let values = behind.wrapping_sub(number);
        number = behind;
        while left >= AT_ONCE {
            let is_alike = |sibling: u32| {
                let start = number.wrapping_add(values.wrapping_mul(sibling));
                next(start) == Some(start.wrapping_add(values))
            };
            // Looks up all siblings, without a branch on the first result.
            if !(0..AT_ONCE).fold(true, |all, sibling| all & is_alike(sibling)) {
                break;
            }
            number = number.wrapping_add(values.wrapping_mul(AT_ONCE));
            left = left.wrapping_sub(AT_ONCE);
        }
    }
    Some(number)
}

/// Iterator of [`TapeValue::pairs`].
#[derive(Clone, Debug)]
pub(super) struct Pairs<'t, 'a> {
    items: Items<'t, 'a>,
}

impl<'t, 'a> Pairs<'t, 'a> {
    #[inline]
    pub(super) fn new(container: TapeValue<'t, 'a>, node: Node) -> Self {
        Self { items: Items::of_kind(container, node, Kind::Dictionary) }
    }
}

impl<'t, 'a> Iterator for Pairs<'t, 'a> {
    type Item = (TapeValue<'t, 'a>, TapeValue<'t, 'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let key = self.items.next()?;
        Some((key, self.items.next()?))
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        let key = self.items.nth(n.saturating_mul(2))?;
        Some((key, self.items.next()?))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let pairs = size(self.items.left / 2);
        (pairs, Some(pairs))
    }
}

impl ExactSizeIterator for Pairs<'_, '_> {}
impl core::iter::FusedIterator for Pairs<'_, '_> {}

/// Iterator of [`TapeValue::properties`].
#[derive(Clone, Debug)]
pub(super) struct Properties<'t, 'a> {
    items: Items<'t, 'a>,
    /// The position before the next name, just after the previous value.
    name: Cursor<'a>,
}

impl<'t, 'a> Properties<'t, 'a> {
    pub(super) fn new(container: TapeValue<'t, 'a>, node: Node) -> Self {
        let items = Items::of_kind(container, node, Kind::Object);
        Self { items, name: container.head() }
    }
}

impl<'t, 'a> Iterator for Properties<'t, 'a> {
    type Item = (StrView<'a>, TapeValue<'t, 'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let value = self.items.next()?;
        let dialect = value.mode().dialect;
        let text = self.name.offset().saturating_add(4);
        // Reading cannot fail, because the tape has read the same bytes before.
        let name = layout::string::<false, _>(&mut self.name, dialect.rules()).unwrap_or_default();
        let end = value.end();
        self.name = Cursor::new(value.bytes().get(end..).unwrap_or_default(), end);
        Some((StrView::of_name(name, text, dialect), value))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}

impl ExactSizeIterator for Properties<'_, '_> {}
impl core::iter::FusedIterator for Properties<'_, '_> {}
