//! [`MapCells`]: dictionaries as Arrow maps whose keys are text.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, StringBuilder};
use arrow_array::{ArrayRef, MapArray, StructArray};
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType};
use variant_view::VariantView;

use super::{Cells, Problem, Value};
use crate::column_type::{ColumnType, entries};
use crate::misfit::{Misfit, MisfitPolicy};

#[derive(Debug)]
pub(crate) struct MapCells {
    of: ColumnType,
    keys: StringBuilder,
    values: Cells,
    /// The offsets of Arrow: 0, and then for each cell the number of pairs in this cell and all cells before it.
    ends: Vec<i32>,
    are_there: BooleanBuilder,
}

impl MapCells {
    pub(super) fn new(of: &ColumnType, policy: MisfitPolicy) -> Self {
        Self {
            of: of.clone(),
            keys: StringBuilder::new(),
            values: Cells::new(of, policy),
            ends: vec![0],
            are_there: BooleanBuilder::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        arrow_array::builder::ArrayBuilder::len(&self.are_there)
    }

    /// Appends a dictionary. Of equal keys, the last one counts. A pair whose key is neither text nor an integer is
    /// skipped and reported.
    pub(super) fn append(&mut self, view: &VariantView<'_>) -> Result<usize, Problem> {
        let VariantView::Dictionary(dictionary) = view else {
            return Err(Misfit::kind(view, "a dictionary").into());
        };
        let (mut pairs, mut places, mut misfit) = (Vec::new(), HashMap::new(), None);
        for pair in dictionary {
            let (key, value) = pair.map_err(|error| Misfit::damage(view, &error))?;
            let key = match &key {
                VariantView::String(text) | VariantView::StringName(text) => text
                    .engine_text()
                    .map(str::to_owned)
                    .map_err(|error| Misfit::damage(&key, &error)),
                VariantView::Int(int) => Ok(int.value().to_string()),
                key => Err(Misfit::kind(key, "a key of text")),
            };
            match key {
                Err(wrong) => {
                    misfit.get_or_insert(wrong);
                }
                Ok(key) => {
                    let place = *places.entry(key.clone()).or_insert(pairs.len());
                    match pairs.get_mut(place) {
                        Some(pair) => *pair = (key, value),
                        None => pairs.push((key, value)),
                    }
                }
            }
        }
        let end = self.values.len().saturating_add(pairs.len());
        let Ok(end) = i32::try_from(end) else { return Err(Misfit::too_long(view).into()) };
        let mut bytes = 0_usize;
        for (key, value) in &pairs {
            self.keys.append_value(key);
            bytes = bytes.saturating_add(key.len());
            match self.values.append(Some(Value::View(value))) {
                Ok(more) => bytes = bytes.saturating_add(more),
                Err(wrong) => {
                    misfit.get_or_insert(wrong);
                }
            }
        }
        self.ends.push(end);
        self.are_there.append_value(true);
        misfit.map_or(Ok(bytes), |misfit| Err(Problem::Inside(misfit)))
    }

    pub(super) fn append_null(&mut self) {
        self.ends.push(self.ends.last().copied().unwrap_or(0));
        self.are_there.append_value(false);
    }

    pub(super) fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let are_there = NullBuffer::new(self.are_there.finish().values().clone());
        let ends =
            OffsetBuffer::new(ScalarBuffer::from(std::mem::replace(&mut self.ends, vec![0])));
        let field = Arc::new(entries(&self.of));
        let DataType::Struct(fields) = field.data_type() else {
            return Err(ArrowError::ComputeError("map entries are not a struct".to_owned()));
        };
        let columns: Vec<ArrayRef> = vec![Arc::new(self.keys.finish()), self.values.finish()?];
        let pairs = StructArray::try_new(fields.clone(), columns, None)?;
        Ok(Arc::new(MapArray::try_new(field, ends, pairs, Some(are_there), false)?))
    }
}
