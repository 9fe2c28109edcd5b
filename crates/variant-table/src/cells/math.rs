//! [`MathCells`]: vectors, colours and matrices as structs.

use std::sync::Arc;

use arrow_array::builder::BooleanBuilder;
use arrow_array::{ArrayRef, StructArray};
use arrow_buffer::NullBuffer;
use arrow_schema::{ArrowError, DataType};
use variant_view::{Kind, VariantView, Width};

use super::number::NumberCells;
use crate::column_type::parts;
use crate::misfit::Misfit;

/// Values of one mathematical type. Each number of a value has a separate buffer.
#[derive(Debug)]
pub(crate) struct MathCells {
    kind: Kind,
    width: Width,
    numbers: Vec<NumberCells>,
    are_there: BooleanBuilder,
}

impl MathCells {
    pub(super) fn new(kind: Kind, width: Width) -> Self {
        let numbers = kind
            .shape()
            .into_iter()
            .flat_map(|shape| (0..shape.count).map(move |_| NumberCells::new(shape.number, width)));
        Self { kind, width, numbers: numbers.collect(), are_there: BooleanBuilder::new() }
    }

    pub(super) const fn kind(&self) -> Kind {
        self.kind
    }

    pub(super) fn len(&self) -> usize {
        arrow_array::builder::ArrayBuilder::len(&self.are_there)
    }

    pub(super) fn append(&mut self, view: &VariantView<'_>) -> Result<(), Misfit> {
        let numbers = view.numbers().filter(|numbers| numbers.kind() == self.kind);
        let Some(numbers) = numbers else { return Err(Misfit::kind(view, self.kind.name())) };
        let len = self.len();
        for (cells, number) in self.numbers.iter_mut().zip(numbers.iter()) {
            if !cells.push(number) {
                self.numbers.iter_mut().for_each(|cells| cells.truncate(len));
                return Err(Misfit::value(view, "reals of 32 bits"));
            }
        }
        self.are_there.append_value(true);
        Ok(())
    }

    pub(super) fn append_null(&mut self) {
        self.numbers.iter_mut().for_each(NumberCells::push_zero);
        self.are_there.append_value(false);
    }

    pub(super) fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let are_there = NullBuffer::new(self.are_there.finish().values().clone());
        let mut numbers = self.numbers.iter_mut().map(NumberCells::finish);
        let fields = self.kind.shape().map(|shape| parts(shape, self.width)).unwrap_or_default();
        let arrays: Result<Vec<ArrayRef>, _> = fields
            .iter()
            .map(|field| match field.data_type() {
                DataType::Struct(inner) => {
                    let numbers = numbers.by_ref().take(inner.len()).collect();
                    let part: ArrayRef =
                        Arc::new(StructArray::try_new(inner.clone(), numbers, None)?);
                    Ok(part)
                }
                _ => numbers
                    .next()
                    .ok_or_else(|| ArrowError::ComputeError("a number is missing".to_owned())),
            })
            .collect();
        Ok(Arc::new(StructArray::try_new(fields, arrays?, Some(are_there))?))
    }
}
