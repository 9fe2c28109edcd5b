//! [`Groups`]: changes grouped by place and type of change, in bounded memory and one pass.

use std::collections::HashMap;

use variant_view::PathStep;

use super::report::{Group, What};
use crate::path::{PathTracker, Turn};

/// After this number of groups, changes are grouped only by their type.
const GROUPS: usize = 100;
/// Places beyond this number, or deeper than `LEVELS`, are merged into the place above them.
const SPOTS: usize = 2_000;
const LEVELS: u32 = 16;
/// The longest name that is kept. In the text of a place, `{*}` replaces a longer name.
const NAME: usize = 48;
/// The maximum length in bytes of the path of a group's first change. A longer path is not kept.
const FIRST: usize = 1_024;

/// The place of changes: a path in which the step `[*]` replaces every index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Spot {
    /// The node of the place; 0 is the root.
    node: u32,
    /// Whether the place is everything below the node.
    is_below: bool,
}

const ANYWHERE: Spot = Spot { node: 0, is_below: true };

/// One step of a place, as it is printed.
type Step = Box<str>;

fn step_of(turn: Turn<'_>) -> Step {
    let text = match turn {
        Turn::Element | Turn::OfInt => return "[*]".into(),
        Turn::Key => return "{*:key}".into(),
        Turn::OfText(text) if text.len() <= NAME => text,
        Turn::OfText(_) | Turn::OfOther => return "{*}".into(),
    };
    match PathStep::of_key(text.into()) {
        Some(step @ PathStep::Name(_)) => step.to_string().into(),
        _ => "{*}".into(),
    }
}

struct Node {
    parent: u32,
    step: Step,
    level: u32,
}

#[derive(Default)]
pub(super) struct Groups {
    /// All nodes except the root.
    nodes: Vec<Node>,
    ways: HashMap<(u32, Step), u32>,
    /// The places of the current value and of its containers; `None` for a place that was not looked up yet.
    spots: Vec<Option<Spot>>,
    found: Vec<(Spot, Group)>,
    places: HashMap<(Spot, What), usize>,
}

impl Groups {
    pub(super) fn enter(&mut self) {
        self.spots.push(None);
    }

    pub(super) fn leave(&mut self) {
        self.spots.pop();
    }

    /// Counts a change of the current value at `path`. `path_within(n)` is the path as text, if it has at most n bytes.
    pub(super) fn add(
        &mut self,
        what: What,
        path: &PathTracker,
        path_within: impl Fn(usize) -> Option<String>,
    ) {
        let mut spot = self.spot(path);
        if self.found.len() >= GROUPS && !self.places.contains_key(&(spot, what)) {
            spot = ANYWHERE;
        }
        let groups = &mut self.found;
        let place = *self.places.entry((spot, what)).or_insert_with(|| {
            groups.push((spot, Group::new(what, path_within(FIRST))));
            groups.len().saturating_sub(1)
        });
        if let Some((_, group)) = groups.get_mut(place) {
            group.count = group.count.saturating_add(1);
        }
    }

    /// Looks up the place of each value once, for all its changes.
    fn spot(&mut self, path: &PathTracker) -> Spot {
        let known = self.spots.iter().rposition(Option::is_some);
        let mut spot = known.and_then(|at| *self.spots.get(at)?).unwrap_or_default();
        for at in known.map_or(0, |at| at.saturating_add(1))..self.spots.len() {
            if let Some(turn) = at.checked_sub(1).and_then(|step| path.turn(step)) {
                spot = self.below(spot, turn);
            }
            if let Some(note) = self.spots.get_mut(at) {
                *note = Some(spot);
            }
        }
        spot
    }

    fn below(&mut self, spot: Spot, turn: Turn<'_>) -> Spot {
        let level = self.node(spot.node).map_or(0, |node| node.level);
        if spot.is_below || level >= LEVELS {
            return Spot { is_below: true, ..spot };
        }
        let key = (spot.node, step_of(turn));
        if let Some(&node) = self.ways.get(&key) {
            return Spot { node, is_below: false };
        }
        if self.nodes.len() >= SPOTS {
            return Spot { is_below: true, ..spot };
        }
        let (parent, step) = key.clone();
        self.nodes.push(Node { parent, step, level: level.saturating_add(1) });
        let node = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.ways.insert(key, node);
        Spot { node, is_below: false }
    }

    fn node(&self, node: u32) -> Option<&Node> {
        self.nodes.get(usize::try_from(node).ok()?.checked_sub(1)?)
    }

    pub(super) fn finish(mut self) -> Vec<Group> {
        let groups = std::mem::take(&mut self.found);
        let place = |(spot, group)| Group { path: self.pattern(spot), ..group };
        groups.into_iter().map(place).collect()
    }

    fn pattern(&self, spot: Spot) -> String {
        let mut steps = Vec::new();
        let mut at = spot.node;
        while let Some(node) = self.node(at) {
            steps.push(&*node.step);
            at = node.parent;
        }
        let text: String = steps.into_iter().rev().collect();
        let mut text = text.strip_prefix('.').unwrap_or(&text).to_owned();
        if spot.is_below {
            text.push('\u{2026}');
        }
        text
    }
}
