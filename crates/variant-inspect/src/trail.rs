//! [`Trail`]: the path of the current value while the events of a document are read.

use variant_view::{Dialect, Event, Key, Node, Role, VariantView};

use variant_document::query::{KeyedStep, Place, key_of, path_text};

/// The offset of the first byte of an event. The value of a property starts at the name of the property.
pub(crate) fn start_of(event: &Event<'_>) -> usize {
    match event {
        Event::Exit { end, .. } => *end,
        Event::Enter(node) | Event::Leaf(node) => match node.role() {
            Role::Property(_, name) => name.offset().saturating_sub(4),
            _ => node.view.offset(),
        },
    }
}

/// The path of the value of the last event. O(1) for each event.
#[derive(Debug)]
pub(crate) struct Trail<'a> {
    /// The steps to the open containers except the root, and to the last value.
    steps: Vec<Reached<'a>>,
    dialect: Dialect,
}

#[derive(Clone, Copy, Debug)]
struct Reached<'a> {
    step: KeyedStep<'a>,
    position: u32,
    view: VariantView<'a>,
}

impl<'a> Trail<'a> {
    pub(crate) const fn new(dialect: Dialect) -> Self {
        Self { steps: Vec::new(), dialect }
    }

    /// Follows an event. The path then ends at the value of the event, or at the container that the event ends.
    pub(crate) fn follow(&mut self, event: &Event<'a>) {
        match event {
            Event::Enter(node) | Event::Leaf(node) => self.reach(node),
            Event::Exit { depth, .. } => {
                self.steps.truncate(usize::try_from(*depth).unwrap_or(usize::MAX));
            }
        }
    }

    fn reach(&mut self, node: &Node<'a>) {
        let level = usize::try_from(node.depth.saturating_sub(1)).unwrap_or(usize::MAX);
        // The key of a pair comes immediately before its value.
        let before = self.steps.get(level).map(|step| step.view);
        self.steps.truncate(level);
        let mut other = None;
        let place = match node.role() {
            Role::Root => return,
            Role::Element(index) => Place::Element { index, len: u32::MAX },
            Role::Key(position) => Place::Key { position },
            Role::Value(position) => {
                let key = before.as_ref().and_then(key_of);
                other = before.filter(|_| key.is_none());
                Place::Value { key, position }
            }
            Role::Property(position, name) => {
                Place::Value { key: Some(Key::String(name.engine_bytes())), position }
            }
        };
        let step = KeyedStep { step: place.step(), key: other };
        self.steps.push(Reached { step, position: place.position(), view: node.view });
    }

    /// The path as text, of bounded length; empty for the root.
    pub(crate) fn text(&self) -> String {
        let Some(last) = self.steps.last() else { return String::new() };
        let steps = self.steps.iter().map(|step| (step.step, step.position));
        path_text(steps, last.view.offset(), self.dialect)
    }
}
