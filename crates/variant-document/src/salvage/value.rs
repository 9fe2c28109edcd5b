//! [`recover`]: recovers the valid parts of one damaged value.
//!
//! Copies the bytes of valid values as they are, and changes only the counts of their containers. Only the count
//! determines the end of a container. If a count must be guessed, these rules hold:
//!
//! * Items before the damage stay where they are. A key without its value is dropped. A truncated packed array keeps
//!   its elements.
//! * After a hole, values are read one by one. If they reach the end of the bytes, the last values fill the outer
//!   containers, up to their counts. The values before these belong to the innermost container. If there are fewer
//!   values than the outer containers lack, the outermost container is filled first.
//! * Otherwise the values belong to the innermost container, up to its count.
//! * A value ends at the end of its frame, so bytes after a full outermost container belong to this container.

mod fault;
mod found;

use variant_view::{Document, Error, Key, Kind, Options, Reader, VariantView};

use self::fault::Fault;
use super::hole::{Hole, Holes};
use super::run::Runs;
use crate::query::{KeyedStep, Place, ROOT, key_of, path_text};
use crate::texts::{first_text, texts};

#[derive(Debug)]
pub(super) struct Recovered {
    /// A valid value; empty if nothing is left.
    pub(super) bytes: Vec<u8>,
    /// Offsets count from the start of the damaged value.
    pub(super) holes: Holes,
}

/// Recovers a value. `is_whole` is whether no bytes are missing at the end. O(bytes), with a large constant if much
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
    // Two repairs may contradict each other, so that the result is not valid. Then the result is repaired again.
    let again = recover_once(&found.bytes, options, true).bytes;
    let reason = "the repaired value is not valid; it was repaired once more".to_owned();
    found.holes.add(Hole::new(bytes.len(), bytes.len(), reason));
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

#[derive(Debug)]
struct Open<'a> {
    form: Form,
    /// The step to the container, and its position; `None` for the outermost.
    step: Option<(KeyedStep<'a>, u32)>,
    /// The offset of the container's count in the output.
    count_at: usize,
    /// The number of items that the container claims, and the number that is kept. Keys and values are separate items.
    claimed: u32,
    kept: u32,
    /// The last key: its start in the input and in the output, and its kind. The key is in `key` if a path can name it,
    /// otherwise in `other`.
    key_from: usize,
    key_to: usize,
    key_kind: Option<Kind>,
    key: Option<Key<'a>>,
    other: Option<VariantView<'a>>,
    /// The kinds of the values read so far.
    kinds: Kinds,
}

impl Open<'_> {
    const fn left(&self) -> u32 {
        self.claimed.saturating_sub(self.kept)
    }

    /// The number of elements, pairs or properties for this number of items.
    const fn counted(&self, items: u32) -> u32 {
        if matches!(self.form, Form::Pairs) { items / 2 } else { items }
    }

    /// Whether a key was kept and its value is next.
    const fn is_at_value(&self) -> bool {
        matches!(self.form, Form::Pairs) && self.kept % 2 == 1
    }
}

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
        u32::try_from(kind.index()).ok().and_then(|bit| 1_u64.checked_shl(bit)).unwrap_or(0)
    }
}

struct Rescue<'a> {
    bytes: &'a [u8],
    options: Options,
    is_whole: bool,
    out: Vec<u8>,
    open: Vec<Open<'a>>,
    /// The offset of the next byte to read.
    at: usize,
    /// The offset from which on all words are zero.
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
            self.hole(self.at, self.bytes.len(), "bytes after the value".to_owned());
        }
    }

    /// Whether the remaining bytes are zeros from a crash. If the zeros have exactly the size of the missing items of
    /// the open containers, they are nulls instead.
    fn is_at_zeros(&self) -> bool {
        let left = self.bytes.len().saturating_sub(self.at);
        let lacking = self.open.iter().fold(0_u32, |sum, open| sum.saturating_add(open.left()));
        let are_nulls = usize::try_from(lacking.saturating_mul(4)) == Ok(left);
        let is_zero = self.at >= self.zeros_from && left >= ZEROS && !are_nulls;
        !self.open.is_empty() && (is_zero || self.is_text_of_zeros())
    }

    /// Whether the next value is a text that has only zeros after its length.
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

    /// The options for the next value, with the depth that remains.
    fn inner(&self) -> Options {
        let level = u32::try_from(self.open.len()).unwrap_or(u32::MAX);
        let limits = self.options.limits;
        self.options.limits(limits.depth(limits.depth.saturating_sub(level)))
    }

    /// Reads the next item. Of a container, reads only the head.
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
        let (view, items) = reader.next_value().map_err(|error| fault(error, None))?;
        let end = from.saturating_add(reader.offset());
        if items.is_none() {
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
        if let Some(claimed) = items {
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

    /// Validates the head of a container. The count, its last word, is set to zero for this.
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

    /// Counts an item of the innermost container. Returns the step to the item.
    fn count(
        &mut self,
        from: usize,
        to: usize,
        name: usize,
        view: &VariantView<'a>,
    ) -> Option<(KeyedStep<'a>, u32)> {
        let bytes = self.bytes;
        let top = self.open.last_mut()?;
        let position = top.counted(top.kept);
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
                Place::Value { key: first_text(name).map(Key::String), position }
            }
        };
        if top.form == Form::Elements {
            top.kinds.add(view.kind());
        }
        top.kept = top.kept.saturating_add(1);
        let is_value = top.form == Form::Pairs && !matches!(place, Place::Key { .. });
        Some((KeyedStep { step: place.step(), key: top.other.filter(|_| is_value) }, position))
    }

    /// The number of items that all containers except the innermost still lack.
    fn lacking(&self) -> u32 {
        let outer = self.open.split_last().map_or(&[][..], |(_, outer)| outer);
        outer.iter().fold(0, |sum, open| sum.saturating_add(open.left()))
    }

    /// Drops the last key, if its value is missing. Returns the start of the key.
    fn drop_key(&mut self) -> Option<usize> {
        let top = self.open.last_mut().filter(|top| top.is_at_value())?;
        self.out.truncate(top.key_to);
        top.kept = top.kept.saturating_sub(1);
        Some(top.key_from)
    }

    /// Closes the innermost container, and writes the count of its kept items.
    fn close(&mut self) {
        self.drop_key();
        let Some(closed) = self.open.pop() else { return };
        let count = closed.counted(closed.kept);
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
        // A hole has an empty path for the outermost container, not `(root)`.
        let path = if path == ROOT { String::new() } else { path };
        self.holes.add(Hole { start, end, path, reason });
    }
}

/// The minimum number of zero bytes that count as the result of a crash.
const ZEROS: usize = 8;
/// The header of a String, in every dialect.
const STRING: [u8; 4] = [4, 0, 0, 0];
