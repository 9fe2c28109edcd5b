//! [`Held`]: an object in full of which it is not known whether its text would read as an object by id.

use variant_view::{Consumer, Leaf, Width};

/// An object in full of the class that stands for objects by id. With nothing but an id in it, and perhaps no script,
/// it has to be told from these, so that it is not printed before it says something else or ends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Held {
    /// How many of these have come: the name and the value of the id, and of the script.
    events: u8,
    id: i64,
}

const NAMES: [&str; 2] = ["object_id", "script"];

impl Held {
    /// Whether it goes on as it would with an id.
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

    /// The same of a property's name.
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

    /// Whether it would read as an object by id if it ended here.
    pub(super) const fn passes_for_id(self) -> bool {
        matches!(self.events, 2 | 4)
    }

    /// Gives what has come to `consumer`.
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
