//! [`Held`]: a full object whose text might read as an object by id.

use variant_view::{Consumer, Leaf, Width};

/// A full object of the class `EncodedObjectAsID`. If it has only an id, and perhaps a null script, its text would read
/// as an object by id. Its events are held until the object ends or has another property.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Held {
    /// The number of held events, at most four: name and value of the id, name and value of the script.
    events: u8,
    id: i64,
}

const NAMES: [&str; 2] = ["object_id", "script"];

impl Held {
    /// Holds a leaf, and returns true, if an object by id could have it here: the id after its name, or null after the
    /// name `script`. Returns false if the caller must print the held events and this leaf.
    pub(super) fn takes(&mut self, leaf: &Leaf<'_>) -> bool {
        let is_due = match (self.events, leaf) {
            (1, Leaf::Int { value, .. }) => {
                self.id = *value;
                true
            }
            (3, leaf) => matches!(leaf, Leaf::Nil | Leaf::NullObject | Leaf::ObjectId(0)),
            _ => false,
        };
        self.count_if(is_due)
    }

    /// Holds the name of a property, and returns true, if an object by id could have it here: `object_id` first, then
    /// `script`. Returns false if the caller must print the held events and this name.
    pub(super) fn takes_name(&mut self, name: &[u8]) -> bool {
        let due = match self.events {
            0 => NAMES.first(),
            2 => NAMES.last(),
            _ => None,
        };
        self.count_if(due.is_some_and(|due| due.as_bytes() == name))
    }

    fn count_if(&mut self, is_due: bool) -> bool {
        self.events = self.events.saturating_add(is_due.into());
        is_due
    }

    /// Whether the text would read as an object by id if the object ended here.
    pub(super) const fn passes_for_id(self) -> bool {
        matches!(self.events, 2 | 4)
    }

    /// Feeds the held events to `consumer`.
    pub(super) fn print<C: Consumer>(self, consumer: &mut C) -> Result<(), C::Error> {
        let id = Leaf::Int { value: self.id, width: Width::W64 };
        for ((name, leaf), before) in NAMES.iter().zip([id, Leaf::Nil]).zip([0, 2]) {
            let events = self.events.saturating_sub(before);
            if events > 0 {
                consumer.name(name.as_bytes())?;
            }
            if events > 1 {
                consumer.leaf(leaf)?;
            }
        }
        Ok(())
    }
}
