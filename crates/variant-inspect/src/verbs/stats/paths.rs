//! [`Paths`]: sizes by path. All elements of an array have one path.

use std::cmp::Reverse;
use std::collections::HashMap;

use variant_document::query::KeyedStep;
use variant_view::{Dialect, PathStep};

use crate::report::or_root;

/// The maximum number of paths that are counted separately, since a file can have as many paths as values. Values at
/// further paths count for their container.
const MOST: usize = 50_000;

/// The longest name that is counted separately, in bytes.
const LONGEST: usize = 200;

/// A step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Step<'a> {
    /// The value of a text key, or of a property.
    Name(&'a str),
    /// All elements of an array, and all values of keys that are not text.
    Each,
    /// All keys that are containers.
    Key,
}

/// The sizes of a path.
#[derive(Clone, Debug)]
pub(super) struct Size<'a> {
    pub(super) step: Option<Step<'a>>,
    parent: usize,
    /// The number of values with this path.
    pub(super) values: u64,
    /// The bytes of these values, including their keys and all nested values.
    pub(super) bytes: u64,
    children: Vec<usize>,
}

/// Sizes by path. The root is the first.
#[derive(Debug)]
pub(super) struct Paths<'a> {
    sizes: Vec<Size<'a>>,
    numbers: HashMap<(usize, Step<'a>), usize>,
}

impl<'a> Paths<'a> {
    pub(super) const ROOT: usize = 0;

    pub(super) fn new() -> Self {
        Self { sizes: vec![Size::new(None, 0)], numbers: HashMap::new() }
    }

    /// The number of a path. `None` if there are already [`MOST`] other paths. O(bytes of the name) expected.
    pub(super) fn child(&mut self, parent: usize, step: Step<'a>) -> Option<usize> {
        let step = match step {
            Step::Name(name) if name.len() > LONGEST => Step::Each,
            step => step,
        };
        if let Some(&number) = self.numbers.get(&(parent, step)) {
            return Some(number);
        }
        let number = self.sizes.len();
        if number >= MOST {
            return None;
        }
        self.sizes.get_mut(parent)?.children.push(number);
        self.sizes.push(Size::new(Some(step), parent));
        self.numbers.insert((parent, step), number);
        Some(number)
    }

    /// Adds a value of a path.
    pub(super) fn add(&mut self, path: Option<usize>, bytes: usize) {
        let Some(size) = path.and_then(|path| self.sizes.get_mut(path)) else { return };
        size.values = size.values.saturating_add(1);
        size.bytes = size.bytes.saturating_add(u64::try_from(bytes).unwrap_or(u64::MAX));
    }

    /// Whether some paths were not counted separately.
    pub(super) fn is_full(&self) -> bool {
        self.sizes.len() >= MOST
    }

    /// The paths of at most `depth` steps. A container comes before its items, and the largest items come first. At
    /// most `limit` paths of each container are listed. The number of further paths is added.
    pub(super) fn listed(&self, depth: u32, limit: usize) -> Vec<Line<'_, 'a>> {
        let mut lines = Vec::new();
        let mut open = vec![(Self::ROOT, 0_u32)];
        while let Some((number, level)) = open.pop() {
            let Some(size) = self.sizes.get(number) else { continue };
            let mut children: Vec<_> = if level < depth {
                size.children
                    .iter()
                    .filter_map(|child| Some((*child, self.sizes.get(*child)?)))
                    .collect()
            } else {
                Vec::new()
            };
            children.sort_by_key(|(_, child)| Reverse(child.bytes));
            let hidden = children.len().saturating_sub(limit);
            lines.push(Line { number, size, hidden });
            children.truncate(limit);
            let below = children.iter().rev().map(|(child, _)| (*child, level.saturating_add(1)));
            open.extend(below);
        }
        lines
    }

    /// The path as text. Elements are `[*]`, and the root is `(root)`.
    pub(super) fn text(&self, number: usize) -> String {
        let mut steps = Vec::new();
        let mut size = self.sizes.get(number);
        while let Some((of, step)) = size.and_then(|size| Some((size, size.step?))) {
            steps.push(step);
            size = self.sizes.get(of.parent);
        }
        let mut text = String::new();
        for step in steps.iter().rev() {
            match step {
                Step::Name(name) => {
                    KeyedStep::from(PathStep::Name(name)).push_to(&mut text, Dialect::Godot4);
                }
                Step::Each => text.push_str("[*]"),
                Step::Key => text.push_str("{key}"),
            }
        }
        or_root(&text).to_owned()
    }
}

impl<'a> Size<'a> {
    const fn new(step: Option<Step<'a>>, parent: usize) -> Self {
        Self { step, parent, values: 0, bytes: 0, children: Vec::new() }
    }
}

/// A path in a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'p, 'a> {
    pub(super) number: usize,
    pub(super) size: &'p Size<'a>,
    /// The number of paths of this container that are not listed.
    pub(super) hidden: usize,
}
