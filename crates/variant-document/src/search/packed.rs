//! [`Packed`]: a packed array of numbers, whose elements are searched one by one.

use variant_view::{Elements, VariantView};

use super::number::Wanted;
use crate::tree::Walk;

/// A packed array of numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packed<'a> {
    /// The offset of the array in the file.
    start: usize,
    elements: Elements<'a>,
    /// The size of each element in bytes.
    size: usize,
}

impl<'a> Packed<'a> {
    /// The array that is the current value of a walk, or that the current value is an element of.
    pub(super) fn at(walk: &mut Walk<'a>) -> Option<Self> {
        let child = walk.child()?;
        // Texts are values of any size, and are searched like all other texts.
        if matches!(child.spot.element, Some(VariantView::String(_))) {
            return None;
        }
        let array = if child.spot.element.is_some() { walk.around()? } else { child };
        let elements = array.spot.elements()?;
        let size = elements.size().filter(|_| !elements.is_empty())?;
        Some(Self { start: array.spot.start, elements, size })
    }

    /// The offset of the first element at `from` or after it that has the number, and true. Otherwise the offset at which
    /// the elements end, or that of the first element at `end` or after it, and false.
    pub(super) fn next(&self, from: usize, end: usize, number: Option<&Wanted>) -> (usize, bool) {
        let place = |index: usize| {
            let inside = self.elements.start(index).unwrap_or(usize::MAX);
            self.start.saturating_add(inside)
        };
        let len = self.elements.len();
        let Some(number) = number else { return (place(len), false) };
        let before = from.saturating_sub(place(0));
        let first = before.div_ceil(self.size);
        for index in first..len {
            let at = place(index);
            if at >= end {
                return (at, false);
            }
            let element = self.elements.at(at.saturating_sub(self.start));
            if element.is_some_and(|(view, _)| number.is_in(&view)) {
                return (at, true);
            }
        }
        (place(len), false)
    }
}
