//! [`Lost`]: the losses of a file that is written as JSON.

use std::io;

use variant_owned::json::{LossKind, Losses};

use crate::report::or_root;
use crate::terminal::Terminal;
use crate::values::Value;
use variant_document::count::grouped;
use variant_document::escape::neutral;

/// The losses of all values of a file. Losses with equal kinds and an equal `JsonLoss::place` are counted together.
#[derive(Default)]
pub(super) struct Lost {
    places: Vec<Place>,
    /// The number of losses of each kind.
    others: Vec<(LossKind, u64)>,
}

struct Place {
    kind: LossKind,
    /// The `JsonLoss::place` of these losses.
    shown: String,
    count: u64,
    /// The value and path of the first loss.
    first: String,
}

/// The maximum number of listed places. Losses at further places are only counted.
const PLACES: usize = 10;

impl Lost {
    pub(super) fn add(&mut self, value: &Value<'_>, losses: &Losses) {
        for kind in LossKind::ALL {
            self.count(kind, losses.count_of(kind));
        }
        for loss in losses.list() {
            let is_known =
                |place: &&mut Place| (place.kind, &place.shown) == (loss.kind, &loss.place);
            if let Some(place) = self.places.iter_mut().find(is_known) {
                place.count = place.count.saturating_add(loss.count);
            } else if self.places.len() < PLACES {
                let first = value.address(or_root(&loss.path));
                let (kind, shown, count) = (loss.kind, loss.place.clone(), loss.count);
                self.places.push(Place { kind, shown, count, first });
            }
        }
    }

    fn count(&mut self, kind: LossKind, count: u64) {
        match self.others.iter_mut().find(|(one, _)| *one == kind) {
            Some((_, total)) => *total = total.saturating_add(count),
            None => self.others.push((kind, count)),
        }
    }

    pub(super) fn tell(&self, terminal: &mut Terminal<'_>) -> io::Result<()> {
        for Place { kind, shown, count, first } in &self.places {
            let text = match count {
                1 => format!("{first}: {kind}"),
                _ => format!("{}: {kind} (x{}, first at {first})", or_root(shown), grouped(count)),
            };
            terminal.note(&format!("not in this form: {}", neutral(&text)))?;
        }
        for (kind, total) in &self.others {
            let told = self.places.iter().filter(|place| place.kind == *kind);
            let told = told.fold(0_u64, |sum, place| sum.saturating_add(place.count));
            let left = total.saturating_sub(told);
            if left > 0 {
                let text = format!("elsewhere: {kind} (x{})", grouped(left));
                terminal.note(&format!("not in this form: {text}"))?;
            }
        }
        Ok(())
    }
}
