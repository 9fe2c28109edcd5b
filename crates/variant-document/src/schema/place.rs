//! [`Spot`]: a value of a document, found by its number on the tape (the list of all values), and its path.

use variant_view::{Key, Kind, PathStep, TapeValue};

use crate::query::{KeyedStep, Place, key_of, path_text};

/// A value, and the steps to it.
#[derive(Debug)]
pub(super) struct Spot<'d> {
    pub(super) value: TapeValue<'d, 'd>,
    steps: Vec<(KeyedStep<'d>, u32)>,
}

impl<'d> Spot<'d> {
    /// The value with this number. O(items of the containers around it).
    pub(super) fn of(root: TapeValue<'d, 'd>, number: u32) -> Self {
        let mut spot = Self { value: root, steps: Vec::new() };
        while spot.value.number() != number {
            let Some((step, value)) = next(&spot.value, number) else { break };
            spot.steps.push(step);
            spot.value = value;
        }
        spot
    }

    pub(super) fn depth(&self) -> usize {
        self.steps.len()
    }

    /// The path of the value.
    pub(super) fn path(&self) -> String {
        self.text(self.steps.iter().copied())
    }

    /// The path of a key in the value. The key need not exist.
    pub(super) fn path_of(&self, key: &str) -> String {
        let step = KeyedStep::from(PathStep::Name(key));
        self.text(self.steps.iter().copied().chain([(step, 0)]))
    }

    fn text<'s>(&self, steps: impl Iterator<Item = (KeyedStep<'s>, u32)>) -> String {
        path_text(steps, self.value.offset(), self.value.document().options().dialect)
    }
}

/// The child that is, or contains, the value with this number, and the step to this child.
fn next<'d>(
    container: &TapeValue<'d, 'd>,
    number: u32,
) -> Option<((KeyedStep<'d>, u32), TapeValue<'d, 'd>)> {
    let holds = |value: &TapeValue<'d, 'd>| {
        (value.number()..value.number().saturating_add(value.value_count())).contains(&number)
    };
    match container.kind() {
        Kind::Dictionary => {
            let mut pairs = (0..).zip(container.pairs());
            let (position, (key, value)) = pairs.find(|(_, (_, value))| holds(value))?;
            Some(((of_pair(container, &key, &value, position), position), value))
        }
        Kind::Object => {
            let mut properties = (0..).zip(container.properties());
            let (position, (name, value)) = properties.find(|(_, (_, value))| holds(value))?;
            let key = Some(Key::String(name.engine_bytes()));
            let step = Place::Value { key, position }.step();
            Some(((KeyedStep { step, key: None }, position), value))
        }
        _ => {
            let (index, value) =
                (0_u32..).zip(container.items()).find(|(_, value)| holds(value))?;
            let step = Place::Element { index, len: u32::MAX }.step();
            Some(((KeyedStep { step, key: None }, index), value))
        }
    }
}

/// The step to the value of a pair: a position if a later key is equal.
fn of_pair<'d>(
    container: &TapeValue<'d, 'd>,
    key: &TapeValue<'d, 'd>,
    value: &TapeValue<'d, 'd>,
    position: u32,
) -> KeyedStep<'d> {
    let view = key.view();
    let named = key_of(&view);
    let is_last = |key: Key<'d>| {
        container.get(key).ok().flatten().is_some_and(|last| last.number() == value.number())
    };
    let shown = named.filter(|key| is_last(*key));
    let other = Some(view).filter(|_| named.is_none());
    KeyedStep { step: Place::Value { key: shown, position }.step(), key: other }
}
