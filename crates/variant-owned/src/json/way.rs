//! [`Way`]: how the value that is being written is come to, told when something of it is lost.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;

use variant_view::{Head, PathStep, write_path};

use crate::text::Text;

/// What a value is to the container around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Root,
    Element,
    Key,
    Value,
    Property,
}

/// An open container, and the place of the current item in it.
#[derive(Debug)]
struct Step {
    role: Role,
    /// Of the element, the pair or the property.
    index: u32,
    /// The text that leads to the value, if one does: of the key in front of it, or of the property.
    name: Option<Text>,
    /// Of the places of the steps up to this one, once it was asked for.
    digest: Option<u64>,
}

impl Step {
    /// The name, if it leads to the value.
    fn name(&self) -> Option<&Text> {
        self.name.as_ref().filter(|_| self.role != Role::Key)
    }

    /// What stands in a place for all values that are come to alike.
    const fn alike(&self) -> &'static str {
        match self.role {
            Role::Root => "",
            Role::Element => "[*]",
            Role::Key => "{*:key}",
            Role::Value | Role::Property => "{*}",
        }
    }

    const fn position(&self) -> PathStep<'static> {
        match self.role {
            Role::Key => PathStep::PositionKey(self.index),
            Role::Value | Role::Property => PathStep::Position(self.index),
            #[expect(clippy::as_conversions, reason = "a constant function")]
            Role::Root | Role::Element => PathStep::Number(self.index as i64),
        }
    }
}

/// The steps to a value, from the root.
///
/// Values that differ only in the numbers of elements, or in keys that are no text, are in one *place*. Whether
/// they are is told by a digest, which nobody can foresee, so that neither takes time with the length of the way.
#[derive(Debug, Default)]
pub(super) struct Way {
    steps: Vec<Step>,
    state: RandomState,
}

/// A place of more than twice as many steps is shown by its first and its last.
const SHOWN: usize = 6;
/// The characters of a name that are shown.
const NAME: usize = 40;

impl Way {
    /// What the current value is. O(1).
    pub(super) fn role(&self) -> Role {
        self.steps.last().map_or(Role::Root, |step| step.role)
    }

    /// The name of the property that the current value is.
    pub(super) fn property(&self) -> Text {
        self.steps.last().and_then(|step| step.name.clone()).unwrap_or_default()
    }

    pub(super) fn enter(&mut self, head: &Head<'_>) {
        let role = match head {
            Head::Array(_) => Role::Element,
            Head::Dictionary(_) => Role::Key,
            Head::Object(_) => Role::Property,
        };
        self.steps.push(Step { role, index: 0, name: None, digest: None });
    }

    pub(super) fn exit(&mut self) {
        self.steps.pop();
    }

    /// The current value is a text: it leads to the value behind it, if it is a key.
    pub(super) fn key(&mut self, text: &[u8]) {
        if self.role() == Role::Key {
            self.name(text);
        }
    }

    /// The name of the property that is next.
    pub(super) fn name(&mut self, name: &[u8]) {
        if let Some(step) = self.steps.last_mut() {
            step.name = Some(Text::from_bytes(name));
            step.digest = None;
        }
    }

    /// The current value is written, and the next one comes.
    pub(super) fn done(&mut self) {
        let Some(step) = self.steps.last_mut() else { return };
        if step.role == Role::Key {
            (step.role, step.digest) = (Role::Value, None);
            return;
        }
        step.index = step.index.saturating_add(1);
        if step.role == Role::Value {
            *step = Step { role: Role::Key, name: None, digest: None, ..*step };
        }
    }

    /// What tells the place from others. O(steps not yet asked about), and their names.
    pub(super) fn digest(&mut self) -> u64 {
        let known = self.steps.iter().rposition(|step| step.digest.is_some());
        let mut digest = known.and_then(|at| self.steps.get(at)?.digest).unwrap_or(0);
        for step in self.steps.iter_mut().skip(known.map_or(0, |at| at.saturating_add(1))) {
            let name = step.name().map(Text::as_bytes);
            digest = self.state.hash_one((digest, name, step.alike()));
            step.digest = Some(digest);
        }
        digest
    }

    /// The way by positions alone, as `Document::at` takes it. O(steps).
    pub(super) fn positions(&self) -> String {
        let mut path = String::new();
        // Writing to a string does not fail.
        let _ = write_path(&mut path, self.steps.iter().map(Step::position));
        path
    }

    /// The place, for people: `enemies[*].hp`. O(1), but for names, of which no more than the beginning is shown.
    pub(super) fn place(&self) -> String {
        let mut place = String::new();
        if self.steps.len() <= 2 * SHOWN {
            push_steps(&mut place, &self.steps);
            return place;
        }
        push_steps(&mut place, self.steps.get(..SHOWN).unwrap_or_default());
        place.push('\u{2026}');
        let tail = self.steps.len().saturating_sub(SHOWN);
        push_steps(&mut place, self.steps.get(tail..).unwrap_or_default());
        place
    }
}

fn push_steps(place: &mut String, steps: &[Step]) {
    for step in steps {
        match step.name() {
            Some(name) => push_name(place, name.as_bytes()),
            None => place.push_str(step.alike()),
        }
    }
}

fn push_name(place: &mut String, name: &[u8]) {
    let text = String::from_utf8_lossy(name.get(..4 * NAME).unwrap_or(name));
    let mut chars = text.chars();
    let mut shown: String = chars.by_ref().take(NAME).flat_map(char::escape_debug).collect();
    if chars.next().is_some() {
        shown.push('\u{2026}');
    }
    let step = PathStep::Name(&shown).to_string();
    place.push_str(if place.is_empty() { step.trim_start_matches('.') } else { &step });
}
