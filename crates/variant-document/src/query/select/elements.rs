//! Selects elements of packed arrays.

use std::ops::{ControlFlow, Range};

use variant_view::{Elements, Error, VariantView};

use super::{Found, One, Paths, Slot, States, Walk, fork};
use crate::query::{Place, Step, clamped, from_start};

/// The end offset of the element of an array that starts at `start`.
pub(super) fn end(array: &VariantView<'_>, start: usize) -> usize {
    let inside = start.saturating_sub(array.offset());
    let element = array.elements().and_then(|elements| elements.at(inside));
    element.map_or(start, |(_, end)| array.offset().saturating_add(end))
}

impl<'a> Walk<'_, 'a> {
    /// Selects elements of a packed array. O(elements before the last selected one) for texts; otherwise O(elements to
    /// which the steps may lead).
    pub(super) fn elements(
        &mut self,
        array: &VariantView<'a>,
        elements: &Elements<'a>,
        states: States,
        found: &mut Found<'_, 'a>,
    ) -> Result<ControlFlow<()>, Error> {
        let len = u32::try_from(elements.len()).unwrap_or(u32::MAX);
        let (mut next, mut at) = (0, elements.start(0));
        for Range { start, end } in self.ranges(array, elements, states, len) {
            for index in start.max(next)..end {
                at = skipped(elements, at, next, index);
                let Some((value, behind)) = at.and_then(|at| elements.at(at)) else { break };
                let start = array.offset().saturating_add(at.unwrap_or_default());
                (next, at) = (index.saturating_add(1), Some(behind));
                let place = Place::Element { index, len };
                let states = self.states_of_element(states, &place, &value, start)?;
                let Some(number) = self.accepted(states) else { continue };
                self.push(&place, start);
                self.know_hidden();
                let slot = Slot {
                    kind: array.kind(),
                    count_at: array.offset().saturating_add(4),
                    item_at: start,
                    is_key: false,
                    declared: Some(elements.kind()),
                };
                let array = Some(*array);
                let flow = self.report(
                    One { value, start, slot: Some(slot), key: None, array, number },
                    found,
                );
                if flow.is_break() {
                    return Ok(flow);
                }
                self.pop();
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The indices to which the steps may lead, in order. Ranges may overlap.
    fn ranges(
        &self,
        array: &VariantView<'_>,
        elements: &Elements<'_>,
        states: States,
        len: u32,
    ) -> Vec<Range<u32>> {
        let one = |index: u32| index..index.saturating_add(1).min(len);
        let number = |number: i64| from_start(number, len).map(one);
        let mut ranges: Vec<_> = match self.paths {
            Paths::Fan(fan) => fan.indices(fork(states), len).into_iter().map(one).collect(),
            Paths::One(steps) => {
                let next = steps.iter().enumerate().filter(|(at, _)| states >> at & 1 == 1);
                let range = |step: &Step| match step {
                    Step::Number(index) => number(*index),
                    Step::Position(index) => Some(one(*index)),
                    Step::Slice(start, end) => {
                        let bound = |bound: i64| clamped(bound, len);
                        Some(start.map_or(0, bound)..end.map_or(len, bound))
                    }
                    Step::Byte(byte) => {
                        let inside = usize::try_from(*byte).ok()?.checked_sub(array.offset())?;
                        let inside = inside.checked_sub(elements.start(0)?)?;
                        let Some(size) = elements.size() else { return Some(0..len) };
                        u32::try_from(inside.checked_div(size)?).ok().map(one)
                    }
                    Step::Any | Step::Filter(_) => Some(0..len),
                    _ => None,
                };
                next.filter_map(|(_, step)| range(step)).collect()
            }
        };
        ranges.sort_by_key(|range| range.start);
        ranges
    }

    /// The states of the query at an element, which starts at `start`.
    fn states_of_element(
        &self,
        states: States,
        place: &Place<'a>,
        value: &VariantView<'a>,
        start: usize,
    ) -> Result<States, Error> {
        let Paths::One(steps) = self.paths else {
            return self.states_of(states, place, None);
        };
        let mut next = 0;
        for (at, step) in steps.iter().enumerate().filter(|(at, _)| states >> at & 1 == 1) {
            let is_taken = match step {
                Step::Filter(filter) => filter.holds(value)?,
                Step::Byte(byte) => usize::try_from(*byte) == Ok(start),
                step => step.leads_to(place, None, self.rule),
            };
            next |= u64::from(is_taken) << 1 << at;
        }
        Ok(next)
    }
}

/// The offset of element `to`, from that of an element before it.
fn skipped(elements: &Elements<'_>, at: Option<usize>, from: u32, to: u32) -> Option<usize> {
    if elements.size().is_some() {
        return elements.start(usize::try_from(to).ok()?);
    }
    (from..to).try_fold(at?, |at, _| elements.at(at).map(|(_, behind)| behind))
}
