//! [`RowPlan`]: the paths of columns, prepared once for all documents.

use std::fmt;
use std::ops::Range;

use crate::query::{Query, Step};

/// Paths of columns, prepared for [`Rows`](super::Rows).
///
/// A path may select many values, such as `items[*].id`. Each of these values makes a row. Such paths must agree, so
/// that a document has one sequence of rows. For example, `items[*].id` and `items[*].mods[*].name` agree, but
/// `items[*].id` and `party[*].hp` do not.
#[derive(Debug)]
pub struct RowPlan {
    pub(super) levels: Vec<Level>,
    pub(super) columns: Vec<Column>,
}

/// The values to read at one level: in the document (the first level), or in each item that makes rows.
#[derive(Debug, Default)]
pub(super) struct Level {
    /// The first node is the document or the item itself.
    pub(super) nodes: Vec<Node>,
    /// The slots of this level's values: a range of indices in the list of a row's values.
    pub(super) slots: Range<usize>,
    /// The step to the items that make rows, and the node of their container.
    pub(super) spread: Option<Spread>,
}

/// A value on the path of a column.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) children: Vec<(Step, usize)>,
    /// The slot of the value: its index in the list of a row's values. `None` if no column needs the value.
    pub(super) slot: Option<usize>,
    /// The slots of this node and of the nodes below it.
    pub(super) slots: Range<usize>,
    /// Whether items of this value, or of a value below it, make rows.
    pub(super) leads_to_items: bool,
}

#[derive(Debug)]
pub(super) struct Spread {
    pub(super) step: Step,
    /// The node of the container.
    pub(super) node: usize,
}

#[derive(Debug)]
pub(super) struct Column {
    /// All steps, for the paths in messages.
    pub(super) steps: Vec<Step>,
    pub(super) level: usize,
    pub(super) slot: usize,
}

/// The reason why there is no plan for paths, and the number of the invalid path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RowPlanError {
    /// The path has `..`, which matches any depth.
    Deep {
        /// The number of the path, from 0.
        path: usize,
    },
    /// The path has the byte offset of a value.
    Step {
        /// The number of the path, from 0.
        path: usize,
    },
    /// The path makes rows of other items than an earlier path does.
    OtherItems {
        /// The number of the path, from 0.
        path: usize,
        /// The number of the earlier path, from 0.
        than: usize,
    },
}

impl RowPlanError {
    /// The number of the path, from 0.
    pub const fn path(&self) -> usize {
        match *self {
            Self::Deep { path } | Self::Step { path } | Self::OtherItems { path, .. } => path,
        }
    }
}

impl fmt::Display for RowPlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deep { .. } => {
                f.write_str("`..` selects values at any depth, so it cannot make rows")
            }
            Self::Step { .. } => {
                f.write_str("the byte of a value differs between files; a column needs a path of keys")
            }
            Self::OtherItems { .. } => {
                f.write_str("the rows of a value are the items of one list; this path selects the items of another list")
            }
        }
    }
}

impl std::error::Error for RowPlanError {}

impl RowPlan {
    /// Prepares the paths of columns. Each step costs O(children of its node).
    ///
    /// # Errors
    /// A path with `..` or a byte offset; paths that make rows of different items.
    pub fn new(paths: &[Query]) -> Result<Self, RowPlanError> {
        let mut levels = vec![Level::new()];
        // For each level, the number of the path that made its rows.
        let mut makers = Vec::new();
        let mut ends = Vec::new();
        for (path, query) in paths.iter().enumerate() {
            let (mut level, mut node) = (0, 0);
            for step in &query.steps {
                match step {
                    Step::Deep => return Err(RowPlanError::Deep { path }),
                    Step::Byte(_) => return Err(RowPlanError::Step { path }),
                    _ => {}
                }
                if step.is_plain() {
                    node = levels.get_mut(level).map_or(0, |level| level.child(node, step));
                    continue;
                }
                let than = makers.get(level).copied().unwrap_or(path);
                let is_same =
                    levels.get_mut(level).is_some_and(|level| level.spread_at(node, step));
                if !is_same {
                    return Err(RowPlanError::OtherItems { path, than });
                }
                (level, node) = (level.saturating_add(1), 0);
                if level == levels.len() {
                    makers.push(path);
                    levels.push(Level::new());
                }
            }
            ends.push((level, node));
        }
        let mut slots = 0;
        for (at, level) in levels.iter_mut().enumerate() {
            let is_wanted = |node: usize| ends.contains(&(at, node));
            level.number(&mut slots, is_wanted);
        }
        let columns = paths.iter().zip(ends).map(|(query, (level, node))| Column {
            steps: query.steps.clone(),
            level,
            slot: levels
                .get(level)
                .and_then(|level| level.nodes.get(node)?.slot)
                .unwrap_or_default(),
        });
        Ok(Self { columns: columns.collect(), levels })
    }

    /// The level of a column's values: 0 for the document, 1 for items that make rows, 2 for items inside these that
    /// also make rows.
    pub fn level(&self, column: usize) -> usize {
        self.columns.get(column).map_or(0, |column| column.level)
    }

    pub(super) fn slots(&self) -> usize {
        self.levels.last().map_or(0, |level| level.slots.end)
    }
}

impl Level {
    fn new() -> Self {
        Self { nodes: vec![Node::default()], ..Self::default() }
    }

    /// The node that a step leads to.
    fn child(&mut self, node: usize, step: &Step) -> usize {
        let new = self.nodes.len();
        let Some(parent) = self.nodes.get_mut(node) else { return 0 };
        if let Some((_, child)) = parent.children.iter().find(|(other, _)| other == step) {
            return *child;
        }
        parent.children.push((step.clone(), new));
        self.nodes.push(Node::default());
        new
    }

    /// Sets the items that make rows. Returns false if other items were set before.
    fn spread_at(&mut self, node: usize, step: &Step) -> bool {
        let spread = self.spread.get_or_insert_with(|| Spread { step: step.clone(), node });
        spread.node == node && spread.step == *step
    }

    /// Gives slots, which are indices in the list of a row's values, to the wanted nodes. The slots of a node and of
    /// the nodes below it are consecutive.
    fn number(&mut self, slots: &mut usize, is_wanted: impl Fn(usize) -> bool) {
        let first = *slots;
        let container = self.spread.as_ref().map(|spread| spread.node);
        // Each node is visited twice: before and after the nodes below it.
        let mut open = vec![(0, false)];
        while let Some((at, is_behind)) = open.pop() {
            let below: Vec<_> = self
                .nodes
                .get(at)
                .into_iter()
                .flat_map(|node| node.children.iter().map(|(_, child)| *child))
                .collect();
            let leads = Some(at) == container
                || below
                    .iter()
                    .any(|child| self.nodes.get(*child).is_some_and(|child| child.leads_to_items));
            let Some(node) = self.nodes.get_mut(at) else { continue };
            if is_behind {
                node.slots.end = *slots;
                node.leads_to_items = leads;
                continue;
            }
            node.slots.start = *slots;
            if is_wanted(at) {
                node.slot = Some(*slots);
                *slots = slots.saturating_add(1);
            }
            open.push((at, true));
            open.extend(below.into_iter().rev().map(|child| (child, false)));
        }
        self.slots = first..*slots;
    }
}
