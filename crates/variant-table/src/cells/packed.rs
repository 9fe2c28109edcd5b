//! [`PackedCells`]: packed arrays of numbers as lists.

use std::sync::Arc;

use arrow_array::builder::BooleanBuilder;
use arrow_array::{ArrayRef, FixedSizeListArray, ListArray};
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field};
use variant_view::{Kind, VariantView, Width};

use super::number::NumberCells;
use super::{Appended, Outcome};
use crate::column_type::element;
use crate::misfit::Misfit;

/// Packed arrays of one kind. All their numbers are in one buffer.
#[derive(Debug)]
pub(crate) struct PackedCells {
    kind: Kind,
    width: Width,
    /// The number of numbers in an element.
    count: usize,
    numbers: NumberCells,
    /// The offsets of Arrow: 0, and then for each cell the number of elements in this cell and all cells before it.
    ends: Vec<i32>,
    are_there: BooleanBuilder,
}

impl PackedCells {
    pub(super) fn new(kind: Kind, width: Width) -> Self {
        let shape = kind.shape();
        let number = shape.map_or(variant_view::NumberType::Byte, |shape| shape.number);
        Self {
            kind,
            width,
            count: shape.map_or(1, |shape| shape.count.into()),
            numbers: NumberCells::new(number, width),
            ends: vec![0],
            are_there: BooleanBuilder::new(),
        }
    }

    pub(super) const fn kind(&self) -> Kind {
        self.kind
    }

    pub(super) fn len(&self) -> usize {
        arrow_array::builder::ArrayBuilder::len(&self.are_there)
    }

    pub(super) fn append(&mut self, view: &VariantView<'_>) -> Outcome {
        let numbers = view.numbers().filter(|numbers| numbers.kind() == self.kind);
        let Some(numbers) = numbers else {
            return Err(Misfit::kind(view, self.kind.name()).into());
        };
        let before = self.numbers.len();
        let end = before.saturating_add(numbers.len()).checked_div(self.count).unwrap_or(0);
        let Ok(end) = i32::try_from(end) else { return Err(Misfit::too_long(view).into()) };
        let wire = numbers.as_wire_bytes();
        if let Some(wire) = wire.filter(|_| numbers.number_type() == self.numbers.number_type()) {
            self.numbers.extend_from_wire(wire);
        } else if !numbers.iter().all(|number| self.numbers.push(number)) {
            self.numbers.truncate(before);
            let misfit = Some(Misfit::value(view, "reals of 32 bits"));
            return Err(Appended { bytes: numbers.wire_len(), misfit });
        }
        self.ends.push(end);
        self.are_there.append_value(true);
        Ok(Appended::bytes(numbers.wire_len()))
    }

    pub(super) fn append_null(&mut self) {
        self.ends.push(self.ends.last().copied().unwrap_or(0));
        self.are_there.append_value(false);
    }

    pub(super) fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let are_there = NullBuffer::new(self.are_there.finish().values().clone());
        let ends = std::mem::replace(&mut self.ends, vec![0]);
        let numbers = self.numbers.finish();
        let of = self.kind.shape().map_or(DataType::UInt8, |shape| element(shape, self.width));
        let elements: ArrayRef = match &of {
            DataType::FixedSizeList(number, count) => {
                Arc::new(FixedSizeListArray::try_new(number.clone(), *count, numbers, None)?)
            }
            _ => numbers,
        };
        let field = Arc::new(Field::new("item", of, false));
        let ends = OffsetBuffer::new(ScalarBuffer::from(ends));
        Ok(Arc::new(ListArray::try_new(field, ends, elements, Some(are_there))?))
    }
}
