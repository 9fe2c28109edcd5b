//! [`Trail`]: the path of a walk, step by step.

use variant_view::{Event, Key, Node, PathStep, Role, write_path};

use variant_document::query::{Place, key_of};

/// The path to the value that a walk has reached. O(1) each event.
#[derive(Debug, Default)]
pub(crate) struct Trail<'a> {
    /// The steps to the open containers except the root, and to the last value.
    steps: Vec<PathStep<'a>>,
    /// The key read last; none if it is a container.
    key: Option<Key<'a>>,
}

impl<'a> Trail<'a> {
    /// Follows an event. The path is then that of its value; after the end of a container, that of the container.
    pub(crate) fn follow(&mut self, event: &Event<'a>) {
        match event {
            Event::Enter(node) | Event::Leaf(node) => self.reach(node),
            Event::Exit { depth, .. } => {
                self.steps.truncate(usize::try_from(*depth).unwrap_or(usize::MAX));
                self.key = None;
            }
        }
    }

    fn reach(&mut self, node: &Node<'a>) {
        self.steps.truncate(usize::try_from(node.depth.saturating_sub(1)).unwrap_or(usize::MAX));
        let place = match node.role() {
            Role::Root => return,
            Role::Element(index) => Place::Element { index, len: u32::MAX },
            Role::Key(position) => {
                self.key = key_of(&node.view);
                Place::Key { position }
            }
            Role::Value(position) => Place::Value { key: self.key, position },
            Role::Property(position, name) => {
                Place::Value { key: Some(Key::String(name.engine_bytes())), position }
            }
        };
        let step = match place {
            Place::Value { key: Some(Key::String(name) | Key::StringName(name)), position }
                if name.len() > MOST_BYTES =>
            {
                PathStep::Position(position)
            }
            place => place.step(),
        };
        self.steps.push(step);
    }

    /// The path as text. A long path is shortened to its first and last steps.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let (head, tail) = match self.steps.len().checked_sub(MOST_STEPS) {
            None => (&self.steps[..], &[][..]),
            Some(_) => ends(&self.steps),
        };
        // Writing to a string cannot fail.
        let _ = write_path(&mut text, head.iter().copied());
        if !tail.is_empty() {
            text.push_str(" ... ");
            let _ = write_path(&mut text, tail.iter().copied());
        }
        text
    }
}

/// The most steps that are printed, and the most bytes of a name. The paths of hostile files are long, and printed often.
const MOST_STEPS: usize = 64;
const MOST_BYTES: usize = 256;

fn ends<'s, 'a>(steps: &'s [PathStep<'a>]) -> (&'s [PathStep<'a>], &'s [PathStep<'a>]) {
    let half = MOST_STEPS / 2;
    let tail = steps.len().saturating_sub(half);
    (steps.get(..half).unwrap_or_default(), steps.get(tail..).unwrap_or_default())
}
