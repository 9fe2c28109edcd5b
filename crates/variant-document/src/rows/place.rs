//! The places of a row's values.

use std::fmt::Write as _;

use variant_view::PathStep;

use super::Rows;
use crate::query::{KeyedStep, Place, Step, written_step};

impl<'a> Rows<'_, 'a> {
    /// The path of a column's value in this row, as `Query::parse` reads it. A long key of an item is a
    /// position. O(steps).
    pub fn path(&self, column: usize) -> String {
        let mut items = self.open.iter();
        let column = self.plan.columns.get(column);
        let mut path = String::new();
        for step in column.map_or_else(Default::default, |column| column.steps.as_slice()) {
            let step = match step {
                Step::Name(name) => PathStep::Name(name),
                Step::StringName(name) => PathStep::StringName(name),
                Step::Number(number) => PathStep::Number(*number),
                Step::Position(position) => PathStep::Position(*position),
                Step::PositionKey(position) => PathStep::PositionKey(*position),
                Step::Key(key) => {
                    // Writing to a string cannot fail.
                    let _ = write!(path, "{key}");
                    continue;
                }
                Step::Byte(_) => break,
                Step::Slice(..) | Step::Any | Step::Deep | Step::Filter(_) => {
                    let Some(items) = items.next() else { break };
                    let step = KeyedStep { step: items.place.step(), key: items.other };
                    step.short(items.place.position()).push_to(&mut path, self.dialect);
                    continue;
                }
            };
            KeyedStep::from(step).push_to(&mut path, self.dialect);
        }
        path
    }

    /// The place of a column's item in its container. `None` if the column is read from the
    /// document itself, or if the item is missing. O(1).
    pub fn place(&self, column: usize) -> Option<Place<'a>> {
        let level = self.plan.columns.get(column)?.level;
        self.open.get(level.checked_sub(1)?).map(|items| items.place)
    }

    /// The key of a column's item, as a literal. `None` if the key is text, an integer, or long. O(bytes of the key).
    pub fn key_text(&self, column: usize) -> Option<String> {
        let level = self.plan.columns.get(column)?.level;
        let items = self.open.get(level.checked_sub(1)?)?;
        let step = written_step(items.other.as_ref()?, self.dialect)?;
        step.strip_prefix('[')?.strip_suffix(']').map(str::to_owned)
    }
}
