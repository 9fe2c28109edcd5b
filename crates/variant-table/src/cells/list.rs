//! [`ListCells`]: arrays as lists of one type.

use std::sync::Arc;

use arrow_array::builder::BooleanBuilder;
use arrow_array::{ArrayRef, ListArray};
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, Field};
use variant_view::{Number, VariantView};

use super::{Appended, Cells, Outcome, Value, is_array};
use crate::column_type::ColumnType;
use crate::misfit::{Misfit, MisfitPolicy};

#[derive(Debug)]
pub(crate) struct ListCells {
    of: ColumnType,
    items: Cells,
    policy: MisfitPolicy,
    /// The offsets of Arrow: 0, and then for each cell the number of items in this cell and all cells before it.
    ends: Vec<i32>,
    are_there: BooleanBuilder,
}

impl ListCells {
    pub(super) fn new(of: &ColumnType, policy: MisfitPolicy) -> Self {
        let items = Cells::new(of, policy);
        Self { of: of.clone(), items, policy, ends: vec![0], are_there: BooleanBuilder::new() }
    }

    pub(super) fn len(&self) -> usize {
        arrow_array::builder::ArrayBuilder::len(&self.are_there)
    }

    pub(super) fn append(&mut self, view: &VariantView<'_>) -> Outcome {
        let mut list = self.open();
        let outcome = match view {
            VariantView::PackedStringArray(strings) => strings.iter().try_for_each(|text| {
                let valid = text.engine_text().map_err(|error| {
                    list.appended.count(text.as_bytes().len());
                    Misfit::damage(view, &error)
                })?;
                list.push(Some(Value::Text(valid)));
                Ok(())
            }),
            view if is_array(view.kind()) => view
                .as_array()
                .and_then(|array| {
                    array.iter().try_for_each(|item| {
                        list.push(Some(Value::View(&item?)));
                        Ok(())
                    })
                })
                .map_err(|error| Misfit::damage(view, &error)),
            view => match view.numbers().filter(|numbers| numbers.shape().is_packed) {
                Some(numbers)
                    if list.cells.policy == MisfitPolicy::Widen && numbers.shape().count == 1 =>
                {
                    numbers.iter().for_each(|number| {
                        list.push(Some(match number {
                            Number::Int(int) => Value::Int(int),
                            number => Value::Float(number.to_f64()),
                        }));
                    });
                    Ok(())
                }
                _ => return Err(Misfit::kind(view, "an array").into()),
            },
        };
        // If an array is damaged, the items before the damage are kept. The damage itself is reported when the document
        // is read.
        if let Err(misfit) = outcome {
            list.note(misfit);
        }
        Ok(list.close())
    }

    /// Starts a cell. Its items follow.
    pub(crate) fn open(&mut self) -> OpenList<'_> {
        OpenList { cells: self, appended: Appended::default() }
    }

    pub(super) fn append_null(&mut self) {
        self.ends.push(self.ends.last().copied().unwrap_or(0));
        self.are_there.append_value(false);
    }

    pub(super) fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let are_there = NullBuffer::new(self.are_there.finish().values().clone());
        let ends = std::mem::replace(&mut self.ends, vec![0]);
        let field = Arc::new(Field::new("item", self.of.data_type(), true));
        let ends = OffsetBuffer::new(ScalarBuffer::from(ends));
        Ok(Arc::new(ListArray::try_new(field, ends, self.items.finish()?, Some(are_there))?))
    }
}

/// A cell that is receiving items.
#[derive(Debug)]
pub(crate) struct OpenList<'c> {
    cells: &'c mut ListCells,
    appended: Appended,
}

impl OpenList<'_> {
    /// Appends an item, or null if the item does not fit.
    pub(crate) fn push(&mut self, value: Option<Value<'_, '_>>) {
        self.appended.add(self.cells.items.append(value));
    }

    /// The number of bytes that were read for the items.
    pub(crate) const fn bytes(&self) -> usize {
        self.appended.bytes
    }

    /// Records a fault. Only the first fault is kept.
    pub(crate) fn note(&mut self, misfit: Misfit) {
        self.appended.note(misfit);
    }

    /// Ends the cell.
    pub(crate) fn close(self) -> Appended {
        let Ok(end) = i32::try_from(self.cells.items.len()) else {
            self.cells.append_null();
            return Misfit::number(&"more than 2^31 items", "fewer").into();
        };
        self.cells.ends.push(end);
        self.cells.are_there.append_value(true);
        self.appended
    }
}
