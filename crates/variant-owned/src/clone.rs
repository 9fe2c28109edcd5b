//! Cloning without recursion.

use crate::event::{Collector, Open};
use crate::tree::{Place, Visit, Walk};
use crate::variant::Variant;

impl Clone for Variant {
    fn clone(&self) -> Self {
        let mut collector = Collector::default();
        for visit in Walk::new(self) {
            if let Visit::Leaf(_, Place::Property(name)) | Visit::Enter(_, Place::Property(name)) =
                visit
            {
                collector.take_name(name.clone());
            }
            match visit {
                Visit::Leaf(value, _) => collector.value(value.shell()),
                Visit::Enter(value, _) => collector.open(Open::from(value.shell())),
                Visit::Exit => collector.close(),
            }
        }
        collector.finish().unwrap_or_default()
    }
}
