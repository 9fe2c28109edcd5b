//! [`MapCells`]: dictionaries as Arrow maps whose keys are text.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, StringBuilder};
use arrow_array::{ArrayRef, MapArray, StructArray};
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType};
use variant_view::{KeyRule, Kind, VariantView};

use super::{Appended, Cells, Outcome, Value, has_room};
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

    /// Appends a dictionary. Of equal keys, the last one counts. A pair is skipped and reported if its key is neither
    /// text nor an integer, or if another key has the same text.
    pub(super) fn append(&mut self, view: &VariantView<'_>) -> Outcome {
        let VariantView::Dictionary(dictionary) = view else {
            return Err(Misfit::kind(view, "a dictionary").into());
        };
        let (mut pairs, mut places) = (Vec::new(), HashMap::new());
        let mut appended = Appended::default();
        for pair in dictionary {
            let (key, value) = match pair {
                Ok(pair) => pair,
                Err(error) => {
                    appended.note(Misfit::damage(view, &error));
                    return Err(appended);
                }
            };
            let text = match &key {
                VariantView::String(text) | VariantView::StringName(text) => {
                    appended.count(text.as_bytes().len());
                    let valid = text.engine_text().map(str::to_owned);
                    valid.map_err(|error| Misfit::damage(&key, &error))
                }
                VariantView::Int(int) => Ok(int.value().to_string()),
                key => Err(Misfit::kind(key, "a key of text")),
            };
            appended.count(0);
            let text = match text {
                Ok(text) => text,
                Err(misfit) => {
                    appended.note(misfit);
                    continue;
                }
            };
            let kind = kind_of_key(&key);
            let (place, first) = *places.entry(text.clone()).or_insert((pairs.len(), kind));
            match pairs.get_mut(place) {
                Some(pair) if kind == first => *pair = (text, value),
                Some(_) => appended.note(Misfit::value(&key, "keys of different texts")),
                None => pairs.push((text, value)),
            }
        }
        let bytes = pairs.iter().fold(0_usize, |sum, (key, _)| sum.saturating_add(key.len()));
        let end = i32::try_from(self.values.len().saturating_add(pairs.len())).ok();
        let has_room = has_room(self.keys.values_slice().len(), bytes);
        let Some(end) = end.filter(|_| has_room) else {
            appended.note(Misfit::too_long(view));
            return Err(appended);
        };
        for (key, value) in &pairs {
            self.keys.append_value(key);
            appended.add(self.values.append(Some(Value::View(value))));
        }
        self.ends.push(end);
        self.are_there.append_value(true);
        Ok(appended)
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

/// The kind of a key; String for a name that the dialect does not distinguish from text.
fn kind_of_key(key: &VariantView<'_>) -> Kind {
    match key {
        VariantView::StringName(name) if KeyRule::of(name.dialect()).has_one_text_key() => {
            Kind::String
        }
        key => key.kind(),
    }
}
