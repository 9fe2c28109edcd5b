//! The order `tree`, and [`Nodes`]: the nodes of a game.

use std::io;

use serde_json::{Value as Json, json};
use variant_debugger::{Command, Error, Message, Node as Sent};

use super::super::desk::Desk;
use super::super::shown;
use crate::cli::TreeOfNodesArgs;
use crate::failure::Failure;
use crate::style::Palette;
use crate::terminal::Terminal;
use variant_document::count::{counted, grouped};
use variant_document::escape::{escaped, neutral};

/// The longest path of a node, in bytes. A node with a longer path has its id only.
const LONGEST_PATH: usize = 1_024;

/// The deepest indentation, in levels.
const INDENTED: u32 = 32;

/// The number of nodes that an error names.
const NAMED: usize = 5;

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::verbs::debug) struct Node {
    pub(in crate::verbs::debug) name: String,
    pub(in crate::verbs::debug) class: String,
    pub(in crate::verbs::debug) id: i64,
    pub(in crate::verbs::debug) depth: u32,
    parent: Option<usize>,
}

/// The nodes of a game, depth first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::verbs::debug) struct Nodes {
    pub(in crate::verbs::debug) all: Vec<Node>,
}

impl Nodes {
    /// Asks the game.
    pub(in crate::verbs::debug) fn of(
        desk: &mut Desk<'_>,
        terminal: &mut Terminal<'_>,
    ) -> Result<Self, Failure> {
        desk.ask(&Command::SceneTree, "its tree", terminal, |message| match message {
            Message::SceneTree(nodes) => Some(Self::read(nodes.clone())),
            _ => None,
        })
    }

    /// The nodes of a message. Child counts may be wrong: they only decide the parents.
    pub(in crate::verbs::debug) fn read<'n>(
        sent: impl Iterator<Item = Result<Sent<'n>, Error>>,
    ) -> Self {
        let mut all: Vec<Node> = Vec::new();
        // The nodes whose children are not complete, and the numbers of missing children.
        let mut open: Vec<(usize, i64)> = Vec::new();
        for node in shown::sound(sent) {
            while open.pop_if(|(_, missing)| *missing <= 0).is_some() {}
            let parent = open.last_mut().map(|(parent, missing)| {
                *missing = missing.saturating_sub(1);
                *parent
            });
            let depth = parent.and_then(|parent| all.get(parent));
            let depth = depth.map_or(0, |parent| parent.depth.saturating_add(1));
            open.push((all.len(), node.children));
            let [name, class] = [node.name, node.class].map(std::borrow::Cow::into_owned);
            all.push(Node { name, class, id: node.id, depth, parent });
        }
        Self { all }
    }

    /// The path of a node, such as `/root/Main`; of a node whose path is too long, its id.
    pub(in crate::verbs::debug) fn path(&self, node: &Node) -> String {
        let parent = |node: &&Node| self.all.get(node.parent?);
        let (mut names, mut len) = (Vec::new(), 0_usize);
        for above in std::iter::successors(Some(node), parent) {
            len = len.saturating_add(above.name.len()).saturating_add(1);
            if len > LONGEST_PATH {
                return format!("#{}", node.id);
            }
            names.push(above.name.as_str());
        }
        names.into_iter().rev().flat_map(|name| ["/", name]).collect()
    }

    /// Whether the last steps of the path of a node are these.
    fn ends_with(&self, node: &Node, steps: &[&str]) -> bool {
        let mut here = Some(node);
        steps.iter().rev().all(|step| {
            let is_equal = here.is_some_and(|node| node.name == *step);
            here = here.and_then(|node| self.all.get(node.parent?));
            is_equal
        })
    }

    /// The node that a user names: by its path, by the end of its path, or by its id.
    ///
    /// # Errors
    /// There is none, or several.
    pub(in crate::verbs::debug) fn find(&self, wanted: &str) -> Result<&Node, Failure> {
        if let Some(id) = id_of(wanted) {
            let node = self.all.iter().find(|node| node.id == id);
            return node.ok_or_else(|| Failure::invalid(format!("no node has the id {id}")));
        }
        let (steps, is_whole) = match wanted.strip_prefix('/') {
            Some(rest) => (rest, true),
            None => (wanted, false),
        };
        let steps: Vec<_> = steps.split('/').collect();
        let count = u32::try_from(steps.len()).unwrap_or(u32::MAX);
        let is_one = |node: &&Node| {
            (!is_whole || node.depth.saturating_add(1) == count) && self.ends_with(node, &steps)
        };
        let mut found = self.all.iter().filter(is_one);
        match (found.next(), found.next()) {
            (Some(node), None) => Ok(node),
            (None, _) => Err(Failure::invalid(self.missing(wanted))),
            (Some(_), Some(_)) => {
                let found: Vec<_> = self.all.iter().filter(is_one).collect();
                let paths: Vec<_> = found.iter().take(NAMED).map(|node| self.path(node)).collect();
                let count = counted(found.len(), "node");
                let of = format!("{count} end with {}: {}", escaped(wanted), paths.join(", "));
                Err(Failure::invalid(of))
            }
        }
    }

    fn missing(&self, wanted: &str) -> String {
        let name = wanted.rsplit('/').next().unwrap_or(wanted);
        let none = format!("no node {}", escaped(wanted));
        let near = |node: &&Node| strsim::damerau_levenshtein(&node.name, name);
        let names = self.all.iter().filter(|node| node.name.len() <= 64);
        match names.min_by_key(near).filter(|node| near(node) <= 2) {
            Some(close) => format!("{none}; {} is near", escaped(&self.path(close))),
            None => format!("{none}; debug tree lists the {} nodes", grouped(self.all.len())),
        }
    }

    pub(in crate::verbs::debug) fn to_json(&self, node: &Node) -> Json {
        json!({
            "type": "node",
            "path": self.path(node),
            "name": node.name,
            "class": node.class,
            "id": node.id,
            "depth": node.depth,
        })
    }
}

/// The id that a user writes: `#1182` or `1182`.
pub(in crate::verbs::debug) fn id_of(text: &str) -> Option<i64> {
    text.strip_prefix('#').unwrap_or(text).parse().ok()
}

pub(super) fn tree(
    args: &TreeOfNodesArgs,
    desk: &mut Desk<'_>,
    terminal: &mut Terminal<'_>,
) -> Result<(), Failure> {
    let nodes = Nodes::of(desk, terminal)?;
    let top = match &args.node {
        Some(wanted) => Some(nodes.find(wanted)?),
        None => None,
    };
    let depth = top.map_or(0, |top| top.depth);
    // The nodes below a node follow it.
    let skipped = nodes.all.iter().skip_while(|node| top.is_some_and(|top| top != *node));
    let below =
        |(number, node): &(usize, &Node)| top.is_none() || *number == 0 || node.depth > depth;
    let below = skipped.enumerate().take_while(below).map(|(_, node)| node);
    let level = |node: &Node| node.depth.saturating_sub(depth);
    let most = args.depth.unwrap_or(u32::MAX);
    let is_wanted = |node: &&Node| match &args.find {
        _ if level(node) > most => false,
        Some(text) => node.name.contains(text.as_str()) || node.class.contains(text.as_str()),
        None => true,
    };
    let mut count = 0_usize;
    for node in below.filter(is_wanted) {
        count = count.saturating_add(1);
        if desk.log.is_json {
            terminal.json(&nodes.to_json(node))?;
        } else if args.find.is_some() {
            line(&nodes.path(node), node, terminal)?;
        } else {
            let indent = usize::try_from(level(node).min(INDENTED)).unwrap_or(0).saturating_mul(2);
            write!(terminal.out, "{:indent$}", "")?;
            line(&node.name, node, terminal)?;
        }
    }
    match &args.find {
        Some(text) if count == 0 => Err(Failure::invalid(format!("no node has {}", escaped(text)))),
        _ => Ok(()),
    }
}

/// `Main Node2D #1182`
fn line(name: &str, node: &Node, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let Palette { key, note, .. } = terminal.palette();
    let [name, class] = [name, &node.class].map(neutral);
    writeln!(terminal.out, "{key}{name}{key:#} {class} {note}#{}{note:#}", node.id)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sent(children: i64, name: &str, id: i64) -> Sent<'_> {
        Sent { children, name: name.into(), class: "Node".into(), id, scene: None, flags: None }
    }

    fn nodes(all: Vec<Sent<'_>>) -> Nodes {
        Nodes::read(all.into_iter().map(Ok))
    }

    fn paths(nodes: &Nodes) -> Vec<String> {
        nodes.all.iter().map(|node| nodes.path(node)).collect()
    }

    #[test]
    fn a_long_path_is_an_id() {
        let name = "x".repeat(200);
        let all = (1..=7).map(|id| sent(1, &name, id)).collect();
        let paths = paths(&nodes(all));
        let lengths: Vec<_> = paths.iter().map(String::len).collect();
        assert_eq!(lengths, [201, 402, 603, 804, 1_005, 2, 2]);
        assert_eq!(paths.get(5).map(String::as_str), Some("#6"));
    }

    #[test]
    fn paths_follow_from_the_numbers_of_children() {
        let nodes = nodes(vec![
            sent(2, "root", 1),
            sent(1, "Main", 2),
            sent(0, "Åsa", 3),
            sent(0, "Other", 4),
        ]);
        let expected = ["/root", "/root/Main", "/root/Main/Åsa", "/root/Other"];
        assert_eq!(paths(&nodes), expected);
        for (wanted, id) in
            [("Åsa", 3), ("Main/Åsa", 3), ("/root/Main/Åsa", 3), ("#4", 4), ("4", 4), ("/root", 1)]
        {
            assert_eq!(nodes.find(wanted).unwrap().id, id, "{wanted}");
        }
        for wanted in ["Asa", "/Main", "/root/Åsa", "#9", "x/Åsa", ""] {
            assert!(nodes.find(wanted).is_err(), "{wanted}");
        }
    }

    #[test]
    fn a_name_of_two_nodes_names_none() {
        let nodes = nodes(vec![sent(2, "root", 1), sent(0, "A", 2), sent(0, "A", 3)]);
        let Err(Failure::File { message, .. }) = nodes.find("A") else { panic!("found") };
        assert_eq!(message, "2 nodes end with A: /root/A, /root/A");
    }

    proptest! {
        /// A game may send any numbers of children.
        #[test]
        fn any_numbers_make_a_tree(counts in prop::collection::vec(-3_i64..4, 0..60)) {
            let all = counts.iter().map(|count| sent(*count, "n", 1)).collect::<Vec<_>>();
            let nodes = nodes(all);
            prop_assert_eq!(nodes.all.len(), counts.len());
            for (number, node) in nodes.all.iter().enumerate() {
                prop_assert!(node.parent.is_none_or(|parent| parent < number));
                let depth = usize::try_from(node.depth).unwrap();
                prop_assert_eq!(nodes.path(node).matches('/').count(), depth.saturating_add(1));
            }
        }
    }
}
