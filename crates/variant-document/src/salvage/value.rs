//! [`recover`]: the sound rest of one damaged value.
//!
//! Copies the bytes of sound values as they are; changes only the counts of their containers. Counts alone decide to
//! which container an item belongs. Where they must be guessed, these rules hold:
//!
//! * Items before the damage stay where they are. A key without its value is dropped. A truncated packed array keeps
//!   its elements.
//! * After a hole, values are read one by one. If they reach the end of the bytes, the last ones fill the outer
//!   containers, whose counts say how many they still lack; those before them belong to the innermost. If the outer
//!   containers lack more, the outermost take theirs first, and an inner container is left short.
//! * Otherwise the values belong to the innermost container, up to its count.
//! * A value cannot end before its frame does: bytes after a full container belong to the outermost.

use variant_view::{Document, Error, ErrorKind, Key, Kind, Options, Part, Reader, VariantView};

use super::hole::{Hole, Holes};
use super::run::{Run, Runs};
use crate::query::{KeyedStep, Place, ROOT, key_of, path_text};
use crate::texts::texts;

/// The sound rest of a value.
#[derive(Debug)]
pub(super) struct Recovered {
    /// A sound value; empty if nothing is left.
    pub(super) bytes: Vec<u8>,
    /// Offsets count from the start of the damaged value.
    pub(super) holes: Holes,
}

/// Recovers a value. `is_whole` says that no bytes are missing at the end. O(bytes), with a large constant where much
/// fails to decode.
///
/// The result is always valid. Recovering it again gives the same bytes.
pub(super) fn recover(bytes: &[u8], options: Options, is_whole: bool) -> Recovered {
    if is_sound(bytes, options) {
        return Recovered { bytes: bytes.to_vec(), holes: Holes::default() };
    }
    let mut found = recover_once(bytes, options, is_whole);
    if found.bytes.is_empty() || is_sound(&found.bytes, options) {
        return found;
    }
    // Two repairs may conflict.
    let again = recover_once(&found.bytes, options, true).bytes;
    let (start, end, path) = (bytes.len(), bytes.len(), String::new());
    let reason = "the repaired value is not valid; it was repaired once more".to_owned();
    found.holes.add(Hole { start, end, path, reason });
    let bytes = if is_sound(&again, options) { again } else { Vec::new() };
    Recovered { bytes, ..found }
}

fn is_sound(bytes: &[u8], options: Options) -> bool {
    Document::new(bytes, options).validate().is_ok_and(|read| read.consumed == bytes.len())
}

fn recover_once(bytes: &[u8], options: Options, is_whole: bool) -> Recovered {
    let zeros_from = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |at| at.saturating_add(1));
    let mut rescue = Rescue {
        bytes,
        options,
        is_whole,
        out: Vec::new(),
        open: Vec::new(),
        at: 0,
        zeros_from: zeros_from.next_multiple_of(4),
        holes: Holes::default(),
        runs: Runs::new(bytes, options),
    };
    rescue.run();
    Recovered { bytes: rescue.out, holes: rescue.holes }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Elements,
    Pairs,
    Properties,
}

/// An open container.
#[derive(Debug)]
struct Open<'a> {
    form: Form,
    /// The step to it, and its position; `None` for the outermost.
    step: Option<(KeyedStep<'a>, u32)>,
    /// The place of its count in the output.
    count_at: usize,
    /// The number of items, both keys and values: as counted, and as kept.
    claimed: u32,
    kept: u32,
    /// The last key: its start in the input and in the output, its kind, and the key if a path can name it; otherwise
    /// as it is.
    key_from: usize,
    key_to: usize,
    key_kind: Option<Kind>,
    key: Option<Key<'a>>,
    other: Option<VariantView<'a>>,
    /// The kinds of values so far.
    kinds: Kinds,
}

impl Open<'_> {
    const fn left(&self) -> u32 {
        self.claimed.saturating_sub(self.kept)
    }

    /// Whether a key was kept and its value is next.
    const fn is_at_value(&self) -> bool {
        matches!(self.form, Form::Pairs) && self.kept % 2 == 1
    }
}

/// A set of kinds.
#[derive(Clone, Copy, Debug, Default)]
struct Kinds(u64);

impl Kinds {
    fn add(&mut self, kind: Kind) {
        self.0 |= Self::bit(kind);
    }

    fn has(self, kind: Kind) -> bool {
        self.0 == 0 || self.0 & Self::bit(kind) != 0
    }

    fn bit(kind: Kind) -> u64 {
        let position = Kind::ALL.iter().position(|other| *other == kind).unwrap_or(0);
        u32::try_from(position).ok().and_then(|bit| 1_u64.checked_shl(bit)).unwrap_or(0)
    }
}

/// Why an item could not be read.
struct Fault {
    /// The offset of the item.
    start: usize,
    error: Error,
    /// Its end, if that is known nevertheless.
    end: Option<usize>,
}

struct Rescue<'a> {
    bytes: &'a [u8],
    options: Options,
    is_whole: bool,
    out: Vec<u8>,
    open: Vec<Open<'a>>,
    /// The next byte to read.
    at: usize,
    /// The first word after which all bytes are zero.
    zeros_from: usize,
    holes: Holes,
    runs: Runs<'a>,
}

impl<'a> Rescue<'a> {
    fn run(&mut self) {
        loop {
            if self.is_at_zeros() {
                self.drop_key();
                self.hole(self.at, self.bytes.len(), "zeros to the end".to_owned());
                self.at = self.bytes.len();
                break;
            }
            if let Err(fault) = self.item()
                && !self.pass(&fault)
            {
                break;
            }
            while self.open.last().is_some_and(|top| top.left() == 0) && self.open.len() > 1 {
                self.close();
            }
            match self.open.last() {
                None => break,
                Some(root) if root.left() == 0 => {
                    self.add_rest();
                    break;
                }
                Some(_) => {}
            }
        }
        while !self.open.is_empty() {
            self.close();
        }
        if self.at < self.bytes.len() {
            self.hole(self.at, self.bytes.len(), "bytes behind the value".to_owned());
        }
    }

    /// Whether the rest are zeros that a crash left, not an engine. Read as values they would be nulls, as many as the
    /// open containers lack.
    fn is_at_zeros(&self) -> bool {
        let left = self.bytes.len().saturating_sub(self.at);
        let lacking = self.open.iter().fold(0_u32, |sum, open| sum.saturating_add(open.left()));
        let are_nulls = usize::try_from(lacking.saturating_mul(4)) == Ok(left);
        let is_zero = self.at >= self.zeros_from && left >= ZEROS && !are_nulls;
        !self.open.is_empty() && (is_zero || self.is_text_of_zeros())
    }

    /// Whether a text is next whose bytes are zeros after its length.
    fn is_text_of_zeros(&self) -> bool {
        let is_text = matches!(self.kind(self.at), Some(Kind::String | Kind::StringName));
        let len = self.rest().get(4..8).unwrap_or_default();
        let text_at = self.at.saturating_add(8);
        let is_zero = text_at >= self.zeros_from && text_at < self.bytes.len();
        is_text && is_zero && len.iter().any(|byte| *byte != 0)
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// The options of the next value, with the depth that remains.
    fn inner(&self) -> Options {
        let level = u32::try_from(self.open.len()).unwrap_or(u32::MAX);
        let limits = self.options.limits;
        self.options.limits(limits.depth(limits.depth.saturating_sub(level)))
    }

    /// Reads the next item; only the head of a container.
    fn item(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let name = match self.open.last() {
            Some(Open { form: Form::Properties, .. }) => self.name(),
            _ => 0,
        };
        let from = start.saturating_add(name);
        let bytes = self.bytes.get(from..).unwrap_or_default();
        let options = self.inner();
        let mut reader = Reader::new(bytes, options);
        let fault = |error: Error, end| Fault { start, error: error.in_buffer(from), end };
        let next = reader.next_value().map_err(|error| fault(error, None))?;
        let end = from.saturating_add(reader.offset());
        let view = next.view;
        if next.items.is_none() {
            let leaf = bytes.get(..reader.offset()).unwrap_or_default();
            let known = if name == 0 { Some(end) } else { None };
            Document::new(leaf, options).validate().map_err(|error| fault(error, known))?;
        } else {
            self.check_head(bytes.get(..reader.offset()).unwrap_or_default())
                .map_err(|error| fault(error, None))?;
        }
        self.check_name(name).map_err(|error| Fault {
            start,
            error: error.in_buffer(start),
            end: None,
        })?;
        let key_to = self.out.len();
        self.out.extend_from_slice(self.bytes.get(start..end).unwrap_or_default());
        self.at = end;
        let step = self.count(start, key_to, name, &view);
        if let Some(claimed) = next.items {
            let form = match view.kind() {
                Kind::Dictionary => Form::Pairs,
                Kind::Object => Form::Properties,
                _ => Form::Elements,
            };
            self.open.push(Open {
                form,
                step,
                count_at: self.out.len().saturating_sub(4),
                claimed,
                kept: 0,
                key_from: end,
                key_to: self.out.len(),
                key_kind: None,
                key: None,
                other: None,
                kinds: Kinds::default(),
            });
        }
        Ok(())
    }

    /// Validates the head of a container: the name of a class, declared types, and the count as its last word.
    fn check_head(&self, head: &[u8]) -> variant_view::Result<()> {
        let mut empty = head.to_vec();
        let count = empty.len().saturating_sub(4);
        empty.get_mut(count..).unwrap_or_default().fill(0);
        Document::new(&empty, self.inner()).validate().map(drop)
    }

    /// Validates the name of the next property, as a String.
    fn check_name(&self, len: usize) -> variant_view::Result<()> {
        if len == 0 {
            return Ok(());
        }
        let name = self.rest().get(..len).unwrap_or_default();
        let text = [&STRING[..], name].concat();
        Document::new(&text, self.options).validate().map(drop)
    }

    /// The size of the name of the next property.
    fn name(&self) -> usize {
        texts(self.rest(), 0).next().map_or(0, |name| name.behind)
    }

    /// Counts an item of the innermost container. Returns the step to it.
    fn count(
        &mut self,
        from: usize,
        to: usize,
        name: usize,
        view: &VariantView<'a>,
    ) -> Option<(KeyedStep<'a>, u32)> {
        let bytes = self.bytes;
        let top = self.open.last_mut()?;
        let position = if top.form == Form::Pairs { top.kept / 2 } else { top.kept };
        let place = match top.form {
            Form::Elements => Place::Element { index: top.kept, len: top.claimed },
            Form::Pairs if top.is_at_value() => Place::Value { key: top.key, position },
            Form::Pairs => {
                (top.key_from, top.key_to) = (from, to);
                (top.key_kind, top.key) = (Some(view.kind()), key_of(view));
                top.other = Some(*view).filter(|_| top.key.is_none());
                Place::Key { position }
            }
            Form::Properties => {
                let name = bytes.get(from..from.saturating_add(name)).unwrap_or_default();
                let text = texts(name, 0).next().and_then(|text| name.get(text.start..text.end));
                Place::Value { key: text.map(Key::String), position }
            }
        };
        if top.form == Form::Elements {
            top.kinds.add(view.kind());
        }
        top.kept = top.kept.saturating_add(1);
        let is_value = top.form == Form::Pairs && !matches!(place, Place::Key { .. });
        Some((KeyedStep { step: place.step(), key: top.other.filter(|_| is_value) }, position))
    }

    /// Gets past an unreadable item. Returns whether there is more to read.
    fn pass(&mut self, fault: &Fault) -> bool {
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
        // The elements of a truncated packed array may look like values.
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

    /// Gets past an unreadable root: only a truncated packed array has elements to keep.
    fn pass_root(&mut self, fault: &Fault) -> bool {
        if !self.keep_elements(fault) {
            self.hole(0, self.bytes.len(), fault.error.kind().to_string());
            self.at = self.bytes.len();
        }
        false
    }

    /// Handles bytes that end at an item. If none are missing, the innermost count is too large and took the last items
    /// of the others.
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
        let halved = |items: u32| if top.form == Form::Pairs { items / 2 } else { items };
        let reason = format!("count {what}: {} of {}", halved(kept), halved(claimed));
        self.hole(at, at, reason);
        if is_moved {
            self.fill_outer();
            if let Some(top) = self.open.last_mut() {
                top.kept = kept;
            }
        }
    }

    /// The number of items that the outer containers still lack.
    fn lacking(&self) -> u32 {
        let outer = self.open.split_last().map_or(&[][..], |(_, outer)| outer);
        outer.iter().fold(0, |sum, open| sum.saturating_add(open.left()))
    }

    fn fill_outer(&mut self) {
        if let Some((_, outer)) = self.open.split_last_mut() {
            for open in outer.iter_mut() {
                open.kept = open.claimed;
            }
        }
    }

    /// Drops only the item if its end is known; of a pair both key and value. Returns whether it did.
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

    /// Drops a key without its value. Returns the start of the key.
    fn drop_key(&mut self) -> Option<usize> {
        let top = self.open.last_mut().filter(|top| top.is_at_value())?;
        self.out.truncate(top.key_to);
        top.kept = top.kept.saturating_sub(1);
        Some(top.key_from)
    }

    /// Keeps the elements of a truncated packed array. Its key stays.
    fn keep_elements(&mut self, fault: &Fault) -> bool {
        let ErrorKind::Truncated { part: Part::Elements(kind), .. } = fault.error.kind() else {
            return false;
        };
        // A key is useless without its value.
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
        // The name of a property.
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

    /// Whether the outer containers hold plain values, so that the last values of the bytes are theirs.
    fn is_tail_known(&self) -> bool {
        let outer = self.open.split_last().map_or(&[][..], |(_, outer)| outer);
        outer.iter().all(|open| open.form != Form::Properties || open.left() == 0)
    }

    /// Finds the best place to resume after `start`: the first that fits, or one shortly after it that looks more like
    /// the values before.
    fn find(&mut self, start: usize) -> Option<Found> {
        let (depth, lacking) = (self.inner().limits.depth, self.lacking());
        let is_tail_known = self.is_tail_known();
        let mut best = None::<Found>;
        let mut last = self.bytes.len();
        let mut at = start.saturating_add(4);
        while at < last && !self.runs.is_tired() {
            let run = self.runs.at(at, depth);
            let top = self.open.last().filter(|top| top.form != Form::Properties)?;
            if let Some(run) = run
                && let Some(rank) = self.rank(top, at, run, is_tail_known.then_some(lacking))
            {
                if best.as_ref().is_none_or(|best| rank < best.rank) {
                    best = Some(Found { start: at, run, rank });
                }
                if rank == 0 {
                    break;
                }
                last = last.min(at.saturating_add(WINDOW));
            }
            at = at.saturating_add(4);
        }
        best
    }

    /// How unlikely it is that this run continues the items of the innermost container; `None` if it cannot. `lacking`
    /// is the number of its values that the outer containers take, if known.
    fn rank(&self, top: &Open<'_>, at: usize, run: Run, lacking: Option<u32>) -> Option<u32> {
        let is_pairs = top.form == Form::Pairs;
        if run.is_exact
            && let Some(lacking) = lacking
        {
            let Some(own) = run.values.checked_sub(lacking) else {
                return self.rank_short(at, run.values);
            };
            if own > top.left() {
                return None;
            }
            let is_fit = own == 0 || self.is_key_fit(top, at);
            let is_odd = is_pairs && own % 2 == 1;
            return (is_fit && !is_odd).then(|| self.misses(top, at, own));
        }
        let least = if is_pairs { 4 } else { 3 };
        let is_fit = run.values >= least && self.is_key_fit(top, at);
        is_fit.then(|| self.misses(top, at, run.values).saturating_add(LOOK))
    }

    /// How unlikely it is that a run of fewer values than the outer containers lack starts here. Ranks like
    /// [`Rescue::rank`], for the container that gets the first of them.
    fn rank_short(&self, at: usize, values: u32) -> Option<u32> {
        let (_, outer) = self.open.split_last()?;
        let mut left = values;
        for open in outer {
            let share = left.min(open.left());
            left = left.saturating_sub(share);
            if left == 0 {
                let is_pairs = open.form == Form::Pairs;
                let is_whole = share > 0 && !(is_pairs && share % 2 == 1);
                let is_fit = is_whole && self.is_key_fit(open, at);
                return is_fit.then(|| self.misses(open, at, share).saturating_add(1));
            }
        }
        None
    }

    /// Whether the next value looks like a key of the dictionary.
    fn is_key_fit(&self, top: &Open<'_>, at: usize) -> bool {
        if top.form != Form::Pairs {
            return true;
        }
        let kind = self.kind(at);
        match top.key_kind {
            Some(known) => kind == Some(known),
            None => matches!(kind, Some(Kind::String | Kind::StringName)),
        }
    }

    fn kind(&self, at: usize) -> Option<Kind> {
        self.options.dialect.kind(*self.bytes.get(at)?)
    }

    /// The number of next values that differ in kind from those before the hole, or are not written as an engine does.
    fn misses(&self, top: &Open<'_>, at: usize, own: u32) -> u32 {
        let (mut misses, mut at) = (0_u32, at);
        for index in 0..own.min(LOOK) {
            let Some(end) = self.runs.end_of(at) else { break };
            let is_key = top.form == Form::Pairs && index.is_multiple_of(2);
            let is_alike = match top.form {
                Form::Pairs => !is_key || self.is_key_fit(top, at),
                _ => self.kind(at).is_some_and(|kind| top.kinds.has(kind)),
            };
            let value = self.bytes.get(at..end).unwrap_or_default();
            let is_written = value.len() > MOST_COMPARED || {
                let canonical = self.options.profile(variant_view::Profile::Canonical);
                Document::new(value, canonical).validate().is_ok()
            };
            misses = misses.saturating_add(u32::from(!is_alike || !is_written));
            at = end;
        }
        misses
    }

    /// Takes the values from here to the end. The last ones fill the outer containers, the outermost first; the rest go
    /// to the innermost.
    fn take_tail(&mut self, values: u32) {
        self.out.extend_from_slice(self.rest());
        self.at = self.bytes.len();
        let mut left = values;
        if let Some((top, outer)) = self.open.split_last_mut() {
            for open in outer {
                let share = left.min(open.left());
                open.kept = open.kept.saturating_add(share);
                left = left.saturating_sub(share);
            }
            top.kept = top.kept.saturating_add(left);
        }
    }

    /// Adds the bytes after a full root, if all of them read as more items.
    fn add_rest(&mut self) {
        let at = self.at;
        let Some(root) = self.open.last() else { return };
        let may_add = root.form == Form::Pairs || root.form == Form::Elements && self.is_whole;
        if at >= self.bytes.len() || !may_add {
            return;
        }
        let depth = self.inner().limits.depth;
        let Some(run) = self.runs.at(at, depth).filter(|run| run.is_exact) else { return };
        let is_pairs = root.form == Form::Pairs;
        if is_pairs && (run.values % 2 == 1 || !self.is_key_fit(root, at)) {
            return;
        }
        let halved = |items: u32| if is_pairs { items / 2 } else { items };
        let (was, is) = (halved(root.claimed), halved(root.claimed.saturating_add(run.values)));
        self.hole(at, at, format!("count too small: {is} items, not {was}"));
        self.take_tail(run.values);
    }

    /// Closes the innermost container, with the count of its kept items.
    fn close(&mut self) {
        self.drop_key();
        let Some(closed) = self.open.pop() else { return };
        let count = if closed.form == Form::Pairs { closed.kept / 2 } else { closed.kept };
        let place = self.out.get_mut(closed.count_at..).and_then(<[u8]>::first_chunk_mut);
        if let Some(place) = place {
            let was = u32::from_le_bytes(*place);
            // A negative property count means zero; bit 31 of other counts is a flag.
            let is_negative = closed.form == Form::Properties && was >> 31 == 1;
            let shared = if closed.form == Form::Properties { 0 } else { was & (1 << 31) };
            if !is_negative || closed.kept != 0 {
                *place = (count | shared).to_le_bytes();
            }
        }
    }

    fn hole(&mut self, start: usize, end: usize, reason: String) {
        let steps = self.open.iter().filter_map(|open| open.step);
        let path = path_text(steps, start, self.options.dialect);
        // The path of the outermost container is empty.
        let path = if path == ROOT { String::new() } else { path };
        self.holes.add(Hole { start, end, path, reason });
    }
}

/// A place to resume.
struct Found {
    start: usize,
    run: Run,
    /// How unlikely it is.
    rank: u32,
}

/// The least number of zero bytes that count as left by a crash.
const ZEROS: usize = 8;
/// The header of a String, in every dialect.
const STRING: [u8; 4] = [4, 0, 0, 0];
/// How many bytes after the first fitting place are searched for a better one.
const WINDOW: usize = 256;
/// The number of values that are compared with those before the hole, and the greatest size of such a value in bytes.
const LOOK: u32 = 8;
const MOST_COMPARED: usize = 4_096;

/// The size of an element of a packed array, if all have one size.
fn element_size(kind: Kind, options: Options, flag: u8) -> Option<usize> {
    let width = match options.reals {
        variant_view::Reals::Always64 => variant_view::Width::W64,
        _ if flag & 1 == 1 && options.dialect == variant_view::Dialect::Godot4 => {
            variant_view::Width::W64
        }
        variant_view::Reals::ByFlag => variant_view::Width::W32,
    };
    kind.shape()
        .filter(|shape| shape.is_packed)
        .map(|shape| shape.bytes(width))
        .filter(|size| *size > 0)
}
