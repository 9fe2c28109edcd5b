//! [`Outline`]: the rows of a tree. A container is folded or unfolded.

use std::collections::BTreeMap;

use variant_document::tree::Child;
use variant_document::tree::{Children, Entry};

/// The position of a row: the index of the child at each level.
pub(super) type Way = Vec<usize>;

/// The maximum number of containers that are unfolded at once.
const MOST_UNFOLDED: usize = 1_000;

/// The maximum number of rows that are searched for containers to unfold.
const MOST_LOOKED_AT: usize = 10_000;

#[derive(Debug)]
pub(super) struct Outline<'a> {
    root: Branch<'a>,
}

/// An unfolded container.
#[derive(Debug)]
struct Branch<'a> {
    children: Children<'a>,
    open: BTreeMap<usize, Self>,
}

impl<'a> Branch<'a> {
    const fn new(children: Children<'a>) -> Self {
        Self { children, open: BTreeMap::new() }
    }

    /// The number of rows. O(unfolded containers).
    fn rows(&self) -> usize {
        let below = self.open.values().map(Self::rows);
        below.fold(self.children.rows(), usize::saturating_add)
    }
}

impl<'a> Outline<'a> {
    pub(super) const fn new(children: Children<'a>) -> Self {
        Self { root: Branch::new(children) }
    }

    /// A new list of the root's children, none of which has been read.
    pub(super) fn top(&self) -> Children<'a> {
        self.root.children.afresh()
    }

    pub(super) fn entry(&mut self, way: &[usize]) -> Option<Entry<'a>> {
        let (last, before) = way.split_last()?;
        self.branch(before)?.children.get(*last)
    }

    pub(super) fn child(&mut self, way: &[usize]) -> Option<Child<'a>> {
        match self.entry(way)? {
            Entry::Child(child) => Some(child),
            Entry::Damage(_) => None,
        }
    }

    /// The values on the way to a row, including the value of the row.
    pub(super) fn chain(&mut self, way: &[usize]) -> Vec<Child<'a>> {
        let ends = 1..=way.len();
        ends.filter_map(|end| self.child(way.get(..end)?)).collect()
    }

    fn branch(&mut self, way: &[usize]) -> Option<&mut Branch<'a>> {
        way.iter().try_fold(&mut self.root, |branch, index| branch.open.get_mut(index))
    }

    pub(super) fn is_open(&mut self, way: &[usize]) -> bool {
        self.branch(way).is_some()
    }

    /// Shows the children of a row. Returns whether the row has children.
    pub(super) fn unfold(&mut self, way: &[usize]) -> bool {
        if self.is_open(way) {
            return true;
        }
        let children = self.child(way).and_then(|child| Children::of(&child));
        let Some((children, (last, before))) = children.zip(way.split_last()) else { return false };
        let Some(branch) = self.branch(before) else { return false };
        branch.open.insert(*last, Branch::new(children));
        true
    }

    pub(super) fn fold(&mut self, way: &[usize]) {
        if let Some((last, before)) = way.split_last()
            && let Some(branch) = self.branch(before)
        {
            branch.open.remove(last);
        }
    }

    /// Unfolds the containers around a row. Returns whether the row exists.
    pub(super) fn reveal(&mut self, way: &[usize]) -> bool {
        let mut around = (1..way.len()).filter_map(|end| way.get(..end));
        around.all(|way| self.unfold(way)) && self.entry(way).is_some()
    }

    /// Unfolds a row and everything in it, up to a limit. Returns whether everything was unfolded.
    pub(super) fn unfold_all(&mut self, way: &[usize]) -> bool {
        let mut here = way.to_vec();
        let mut unfolded = 0_usize;
        for _ in 0..MOST_LOOKED_AT {
            unfolded = unfolded.saturating_add(usize::from(self.unfold(&here)));
            if unfolded == MOST_UNFOLDED {
                return false;
            }
            match self.next(&here) {
                Some(next) if next.starts_with(way) => here = next,
                _ => return true,
            }
        }
        false
    }

    /// Returns the row below.
    pub(super) fn next(&mut self, way: &[usize]) -> Option<Way> {
        let mut next = way.to_vec();
        next.push(0);
        if self.entry(&next).is_some() {
            return Some(next);
        }
        next.pop();
        while let Some(index) = next.pop() {
            next.push(index.saturating_add(1));
            if self.entry(&next).is_some() {
                return Some(next);
            }
            next.pop();
        }
        None
    }

    /// Returns at most `count` rows, starting at row number `first`.
    pub(super) fn window(&mut self, first: usize, count: usize) -> Vec<Way> {
        let mut ways: Vec<Way> = self.way_at(first).into_iter().collect();
        while ways.len() < count
            && let Some(last) = ways.last()
            && let Some(next) = self.next(last)
        {
            ways.push(next);
        }
        ways
    }

    /// Returns the row with this number, or the last row. O(unfolded containers), and O(1) for each unread child before
    /// the row.
    pub(super) fn nearest(&mut self, row: usize) -> Option<Way> {
        // `way_at` fails if a container has fewer children than it claims. From then on, the container's number of rows
        // is correct. So each unfolded container makes at most one attempt fail.
        (0..=MOST_UNFOLDED).find_map(|_| self.way_at(row.min(self.root.rows().saturating_sub(1))))
    }

    fn way_at(&mut self, row: usize) -> Option<Way> {
        let mut way = Way::new();
        let mut left = row;
        let mut branch = &mut self.root;
        'deeper: loop {
            let Branch { children, open } = branch;
            for (index, below) in open {
                let Some(past) = left.checked_sub(*index).filter(|past| *past > 0) else { break };
                let rows = below.rows();
                if past <= rows {
                    way.push(*index);
                    left = past.saturating_sub(1);
                    branch = below;
                    continue 'deeper;
                }
                left = left.saturating_sub(rows);
            }
            way.push(left);
            return children.get(left).map(|_| way);
        }
    }

    /// Returns the number of a row. O(unfolded containers).
    pub(super) fn row_of(&mut self, way: &[usize]) -> usize {
        let mut row = way.len().saturating_sub(1);
        let mut branch = Some(&self.root);
        for index in way {
            let Some(here) = branch else { break };
            let before = here.open.range(..index).map(|(_, below)| below.rows());
            row = before.fold(row.saturating_add(*index), usize::saturating_add);
            branch = here.open.get(index);
        }
        row
    }
}
