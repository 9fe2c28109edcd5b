//! [`Fault`]: the reason why an item could not be read. Decides what is kept of the item.

use variant_view::{Dialect, Error, ErrorKind, Kind, Options, Part, Reader, Reals, Width};

use super::{Form, Open, Rescue};

pub(super) struct Fault {
    /// The offset of the item.
    pub(super) start: usize,
    pub(super) error: Error,
    /// The end of the item, if it is known.
    pub(super) end: Option<usize>,
}

impl Rescue<'_> {
    /// Skips an unreadable item. Returns whether more items can be read.
    pub(super) fn pass(&mut self, fault: &Fault) -> bool {
        if self.open.is_empty() {
            return self.pass_root(fault);
        }
        if fault.start >= self.bytes.len() {
            self.end_early();
            return false;
        }
        if self.lose_one(fault) {
            return true;
        }
        let found = self.find(fault.start);
        let is_certain = found.as_ref().is_some_and(|found| found.rank == 0);
        // The elements of a truncated packed array may look like values, so they are kept unless the found place is
        // certain.
        if !is_certain && self.keep_elements(fault) {
            return false;
        }
        let from = self.drop_key().unwrap_or(fault.start);
        let is_property = |top: &Open<'_>| top.form == Form::Properties;
        while self.open.len() > 1 && self.open.last().is_some_and(is_property) {
            self.close();
        }
        let reason = fault.error.kind().to_string();
        let Some(found) = found.or_else(|| self.find(fault.start)) else {
            self.hole(from, self.bytes.len(), reason);
            self.at = self.bytes.len();
            return false;
        };
        self.hole(from, found.start, reason);
        self.at = found.start;
        if found.run.is_exact && self.is_tail_known() {
            self.take_tail(found.run.values);
            return false;
        }
        true
    }

    /// Skips an unreadable root. Only the elements of a truncated packed array can be kept.
    fn pass_root(&mut self, fault: &Fault) -> bool {
        if !self.keep_elements(fault) {
            self.hole(0, self.bytes.len(), fault.error.kind().to_string());
            self.at = self.bytes.len();
        }
        false
    }

    /// Handles the end of the bytes where an item should start. If no bytes are missing, the count of the innermost
    /// container is too large, and its last items belong to the outer containers.
    fn end_early(&mut self) {
        let at = self.bytes.len();
        self.drop_key();
        let (Some(top), lacking) = (self.open.last(), self.lacking()) else { return };
        let is_moved = self.is_whole
            && lacking > 0
            && lacking <= top.kept
            && (top.form == Form::Elements || lacking.is_multiple_of(2) && top.form == Form::Pairs);
        let what =
            if is_moved { "too large, its last items belong to others" } else { "not reached" };
        let (kept, claimed) = (top.kept, top.claimed);
        let kept = if is_moved { kept.saturating_sub(lacking) } else { kept };
        let reason = format!("count {what}: {} of {}", top.counted(kept), top.counted(claimed));
        self.hole(at, at, reason);
        if is_moved {
            self.fill_outer();
            if let Some(top) = self.open.last_mut() {
                top.kept = kept;
            }
        }
    }

    fn fill_outer(&mut self) {
        if let Some((_, outer)) = self.open.split_last_mut() {
            for open in outer.iter_mut() {
                open.kept = open.claimed;
            }
        }
    }

    /// If the end of this item is known, drops only this item. Drops both key and value of a pair. Returns whether the
    /// item was dropped.
    fn lose_one(&mut self, fault: &Fault) -> bool {
        let Some(mut end) = fault.end else { return false };
        let options = self.inner();
        let Some(top) = self.open.last() else { return false };
        let is_key = top.form == Form::Pairs && !top.is_at_value();
        if is_key {
            let mut value = Reader::new(self.bytes.get(end..).unwrap_or_default(), options);
            if value.skip().is_err() {
                return false;
            }
            end = end.saturating_add(value.offset());
        }
        let from = self.drop_key().unwrap_or(fault.start);
        if let Some(top) = self.open.last_mut() {
            let lost = if top.form == Form::Pairs { 2 } else { 1 };
            top.claimed = top.claimed.saturating_sub(lost);
        }
        self.hole(from, end, fault.error.kind().to_string());
        self.at = end;
        true
    }

    /// Keeps the elements of a truncated packed array, and its key. Returns whether elements were kept.
    fn keep_elements(&mut self, fault: &Fault) -> bool {
        let ErrorKind::Truncated { part: Part::Elements(kind), .. } = fault.error.kind() else {
            return false;
        };
        // The key of a pair is useless without its value.
        let is_key = |top: &Open<'_>| top.form == Form::Pairs && !top.is_at_value();
        if self.open.last().is_some_and(is_key) {
            return false;
        }
        let Some(start) = fault.error.offset().checked_sub(8) else { return false };
        let Some(array) = self.bytes.get(start..) else { return false };
        let flag = array.get(2).copied().unwrap_or(0);
        let Some(size) = element_size(kind, self.options, flag) else { return false };
        let (head, elements) = array.split_at(8.min(array.len()));
        let count = elements.len().checked_div(size).unwrap_or(0);
        let kept = elements.get(..count.saturating_mul(size)).unwrap_or_default();
        let Ok(word) = u32::try_from(count) else { return false };
        // The bytes before the array are the name of a property.
        self.out.extend_from_slice(self.bytes.get(fault.start..start).unwrap_or_default());
        self.out.extend_from_slice(head.get(..4).unwrap_or_default());
        self.out.extend_from_slice(&word.to_le_bytes());
        self.out.extend_from_slice(kept);
        self.out.resize(self.out.len().next_multiple_of(4), 0);
        if let Some(top) = self.open.last_mut() {
            top.kept = top.kept.saturating_add(1);
        }
        let (end, len) = (fault.error.offset().saturating_add(kept.len()), self.bytes.len());
        self.hole(end, len, format!("{kind} cut to {count} elements"));
        self.at = len;
        true
    }
}

/// The size of an element of a packed array, if all elements have the same size.
fn element_size(kind: Kind, options: Options, flag: u8) -> Option<usize> {
    let width = match options.reals {
        Reals::Always64 => Width::W64,
        _ if flag & 1 == 1 && options.dialect == Dialect::Godot4 => Width::W64,
        Reals::ByFlag => Width::W32,
    };
    kind.shape()
        .filter(|shape| shape.is_packed)
        .map(|shape| shape.bytes(width))
        .filter(|size| *size > 0)
}
