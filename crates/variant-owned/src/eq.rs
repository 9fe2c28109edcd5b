//! Comparison without recursion.

use crate::tree::{Place, Visit, Walk};
use crate::variant::Variant;

impl PartialEq for Variant {
    fn eq(&self, other: &Self) -> bool {
        let mut others = Walk::new(other);
        Walk::new(self).all(|step| match (step, others.next()) {
            (Visit::Leaf(a, at), Some(Visit::Leaf(b, bt)))
            | (Visit::Enter(a, at), Some(Visit::Enter(b, bt))) => {
                is_same_name(at, bt) && a.is_same_shell(b)
            }
            (Visit::Exit, Some(Visit::Exit)) => true,
            _ => false,
        })
    }
}

fn is_same_name(a: Place<'_>, b: Place<'_>) -> bool {
    match (a, b) {
        (Place::Property(a), Place::Property(b)) => a == b,
        _ => true,
    }
}
