//! [`graft`]: gives a value the content of another value. Unchanged parts keep their bytes.

use std::collections::HashMap;
use std::vec::IntoIter;

use variant_view::{
    Dialect, Document, Error, KeyRule, Kind, ObjectForm, PathStep, StrView, Tape, TapeValue,
    VariantView, short_path,
};

use super::Graft;
use super::changes::Told;
use crate::nested;
use crate::patch::SHARED;
use crate::query::{KeyedStep, key_of};
use crate::trouble::Trouble;

/// The bytes of the new value. If a part is equal in `base` and in `new`, its bytes are copied from `old`. O(bytes of
/// all three), expected; 16 bytes of memory for each value.
pub(super) fn graft(
    old: Document<'_>,
    graft: &Graft,
    told: &mut Told<'_>,
) -> Result<Vec<u8>, Trouble> {
    let again = |bytes| Document::new(bytes, *old.options());
    let (base, new) = (again(&graft.base), again(&graft.new));
    let (mut old_tape, mut base_tape, mut new_tape) = (Tape::new(), Tape::new(), Tape::new());
    let root = Both {
        old: old_tape.read(old)?,
        base: base_tape.read(base).map_err(|error| unread(&error))?,
        new: new_tape.read(new).map_err(|error| unread(&error))?,
    };
    let dialect = old.options().dialect;
    let mut job = Job { bytes: Vec::new(), open: Vec::new(), told, dialect };
    job.both(root, None, Mode { is_merge: graft.is_merge, aligned: 0 })?;
    while let Some(open) = job.open.last_mut() {
        let mode = open.mode;
        match open.parts.next() {
            Some(part) => job.part(part, mode)?,
            None => drop(job.open.pop()),
        }
    }
    Ok(job.bytes)
}

fn unread(error: &Error) -> Trouble {
    Trouble::Message(format!("the new value cannot be read again: {error}"))
}

/// The values at one place of the three trees: the old value, its edited form before the edit (`base`), and the new
/// value.
#[derive(Clone, Copy)]
struct Both<'t, 'a> {
    old: TapeValue<'t, 'a>,
    base: TapeValue<'t, 'a>,
    new: TapeValue<'t, 'a>,
}

/// A part of a container: an item that is in the old value, in the new value, or in both.
#[derive(Clone, Copy)]
enum Part<'t, 'a> {
    /// The part is in the old and the new value.
    Both(Item<'t, 'a>, Both<'t, 'a>),
    /// The part is only in the new value.
    Added(Item<'t, 'a>),
    /// The part is only in the old value, and is kept.
    Kept(Item<'t, 'a>),
    /// The part is only in the old value, and is removed.
    Removed(Item<'t, 'a>),
}

/// An element, a pair or a property.
#[derive(Clone, Copy)]
struct Item<'t, 'a> {
    step: KeyedStep<'a>,
    /// The bytes of the key or the name; empty for an element.
    key: &'a [u8],
    /// The key in the form for comparison.
    name: Name<'a>,
    value: TapeValue<'t, 'a>,
}

/// A key in the form in which keys are compared: the text of a `String` or `StringName`, or the bytes of a key of
/// another kind. The flag is set for text in dialects in which a `String` and a `StringName` of equal text are one key.
type Name<'a> = (bool, &'a [u8]);

/// The mode in which the items of a container are merged.
#[derive(Clone, Copy)]
struct Mode {
    is_merge: bool,
    /// The number of arrays around the container that were aligned by a comparison of their elements.
    aligned: u8,
}

/// The maximum number of nested arrays whose elements are compared to align them. Each level compares the bytes of its
/// array again.
const MOST_ALIGNED: u8 = 16;

/// A container that is being written.
struct Open<'t, 'a> {
    /// The step to the container.
    step: Option<KeyedStep<'a>>,
    parts: IntoIter<Part<'t, 'a>>,
    mode: Mode,
}

struct Job<'j, 'c, 't, 'a> {
    bytes: Vec<u8>,
    open: Vec<Open<'t, 'a>>,
    told: &'j mut Told<'c>,
    dialect: Dialect,
}

impl<'t, 'a> Job<'_, '_, 't, 'a> {
    fn part(&mut self, part: Part<'t, 'a>, mode: Mode) -> Result<(), Trouble> {
        match part {
            Part::Both(item, both) => {
                self.emit(item.key);
                self.both(both, Some(item.step), mode)?;
            }
            Part::Added(item) => {
                self.item(&item);
                self.tell(Some(item.step), None, Some(item.value));
            }
            Part::Kept(item) => self.item(&item),
            Part::Removed(item) => self.tell(Some(item.step), Some(item.value), None),
        }
        Ok(())
    }

    /// Writes a part that is in the old and the new value. For a container, writes only the head, since its parts
    /// follow.
    fn both(
        &mut self,
        both: Both<'t, 'a>,
        step: Option<KeyedStep<'a>>,
        mode: Mode,
    ) -> Result<(), Trouble> {
        let Both { old, base, new } = both;
        let are_dictionaries =
            [old, base, new].iter().all(|value| value.kind() == Kind::Dictionary);
        let is_whole = !is_parallel(&old, &base) || !is_open(&new) || old.kind() != new.kind();
        let is_same = is_whole && base.raw_bytes() == new.raw_bytes();
        if mode.is_merge && are_dictionaries && is_whole && !is_same {
            let why = "the dictionary has a key twice; delete one of them first";
            return Err(self.refusal(step, why));
        }
        if is_whole {
            self.emit(if is_same { old.raw_bytes() } else { new.raw_bytes() });
            if !is_same {
                self.tell(step, Some(old), Some(new));
            }
            return Ok(());
        }
        let heads = [old, base, new].map(|value| Head::of(&value));
        let [old_head, base_head, new_head] = heads;
        let is_same = base_head.front == new_head.front;
        let is_merge = mode.is_merge && old.kind() == Kind::Dictionary;
        if !is_same {
            if is_merge {
                let why =
                    "the two dictionaries declare other types; set or delete one of them first";
                return Err(self.refusal(step, why));
            }
            self.tell(step, Some(old), Some(new));
        }
        let (parts, mode) = parts(&both, Mode { is_merge, ..mode });
        let written = parts.iter().filter(|part| !matches!(part, Part::Removed(_))).count();
        let count = u32::try_from(written).ok().filter(|count| count & SHARED == 0);
        let count = count.ok_or_else(|| Trouble::Message(super::TOO_LONG.to_owned()))?;
        let head = if is_same { old_head } else { new_head };
        self.emit(head.front);
        self.emit(&(count | head.count & SHARED).to_le_bytes());
        self.open.push(Open { step, parts: parts.into_iter(), mode });
        Ok(())
    }

    fn item(&mut self, item: &Item<'t, 'a>) {
        self.emit(item.key);
        self.emit(item.value.raw_bytes());
    }

    /// Appends these bytes. First pads the bytes that are already written, because the last value of a document may
    /// lack its padding.
    fn emit(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
            self.bytes.extend_from_slice(bytes);
        }
    }

    fn refusal(&self, step: Option<KeyedStep<'a>>, why: &str) -> Trouble {
        let path = path_of(&self.open, step, self.dialect);
        Trouble::Message(format!("{}: {why}", short_path(&path)))
    }

    fn tell(
        &mut self,
        step: Option<KeyedStep<'a>>,
        old: Option<TapeValue<'t, 'a>>,
        new: Option<TapeValue<'t, 'a>>,
    ) {
        let Self { open, told, dialect, .. } = self;
        let [old, new] = [old, new].map(|value| value.map(|value| value.view()));
        told.tell(
            || short_path(&path_of(open, step, *dialect)).into_owned(),
            old.as_ref(),
            new.as_ref(),
        );
    }
}

fn path_of(open: &[Open<'_, '_>], last: Option<KeyedStep<'_>>, dialect: Dialect) -> String {
    let mut path = String::new();
    for step in open.iter().filter_map(|open| open.step) {
        step.push_to(&mut path, dialect);
    }
    if let Some(step) = last {
        step.push_to(&mut path, dialect);
    }
    path
}

/// Whether a value is a container, or an object with properties.
fn is_open(value: &TapeValue<'_, '_>) -> bool {
    match value.view() {
        VariantView::Object(object) => matches!(object.form(), ObjectForm::Full(_)),
        _ => nested::is_open(value.kind()),
    }
}

/// Whether both are containers whose items correspond. Items do not correspond if `old` has duplicate keys, which an
/// edited form cannot keep.
fn is_parallel(old: &TapeValue<'_, '_>, base: &TapeValue<'_, '_>) -> bool {
    is_open(old) && old.kind() == base.kind() && is_open(base) && old.len() == base.len()
}

/// The bytes of a container up to its first item.
#[derive(Clone, Copy)]
struct Head<'a> {
    /// The bytes before the count.
    front: &'a [u8],
    count: u32,
}

impl<'a> Head<'a> {
    fn of(value: &TapeValue<'_, 'a>) -> Self {
        let bytes = value.raw_bytes();
        let name = value.properties().next().map_or(0, |(name, _)| name_len(&name));
        let first = value.items().next().map_or(bytes.len(), |item| {
            item.offset().saturating_sub(value.offset()).saturating_sub(name)
        });
        let (front, count) = bytes
            .get(..first)
            .and_then(<[u8]>::split_last_chunk)
            .map_or((bytes, 0), |(front, count)| (front, u32::from_le_bytes(*count)));
        Self { front, count }
    }
}

/// The size of a property's name: length, text and padding.
fn name_len(name: &StrView<'_>) -> usize {
    name.as_bytes().len().next_multiple_of(4).saturating_add(4)
}

fn items<'t, 'a>(of: &TapeValue<'t, 'a>) -> Vec<Item<'t, 'a>> {
    match of.kind() {
        Kind::Dictionary => (0..).zip(of.pairs()).map(pair).collect(),
        Kind::Object => (0..).zip(of.properties()).map(|item| property(of, item)).collect(),
        _ => (0..).zip(of.items()).map(element).collect(),
    }
}

fn element<'t, 'a>((index, value): (u32, TapeValue<'t, 'a>)) -> Item<'t, 'a> {
    Item { step: PathStep::Number(index.into()).into(), key: &[], name: (false, &[]), value }
}

type Pair<'t, 'a> = (TapeValue<'t, 'a>, TapeValue<'t, 'a>);

fn pair<'t, 'a>((position, (key, value)): (u32, Pair<'t, 'a>)) -> Item<'t, 'a> {
    let view = key.view();
    let named = key_of(&view);
    let step = KeyedStep {
        step: named.and_then(PathStep::of_key).unwrap_or(PathStep::Position(position)),
        key: Some(view).filter(|_| named.is_none()),
    };
    let step = step.short(position);
    let bytes = key.raw_bytes();
    let name = match &view {
        VariantView::String(text) | VariantView::StringName(text)
            if KeyRule::of(text.dialect()).has_one_text_key() =>
        {
            (true, text.engine_bytes())
        }
        _ => (false, bytes),
    };
    Item { step, key: bytes, name, value }
}

fn property<'t, 'a>(
    object: &TapeValue<'t, 'a>,
    (position, (name, value)): (u32, (StrView<'a>, TapeValue<'t, 'a>)),
) -> Item<'t, 'a> {
    let end = value.offset().saturating_sub(object.offset());
    let start = end.saturating_sub(name_len(&name));
    let key = object.raw_bytes().get(start..end).unwrap_or_default();
    let step = name.engine_text().map_or(PathStep::Position(position), PathStep::Name);
    let step = KeyedStep::from(step).short(position);
    Item { step, key, name: (false, key), value }
}

/// The parts of a container, in the order of the result, and the mode for their items.
fn parts<'t, 'a>(both: &Both<'t, 'a>, mode: Mode) -> (Vec<Part<'t, 'a>>, Mode) {
    let old: Vec<_> = items(&both.old).into_iter().zip(items(&both.base)).collect();
    let new = items(&both.new);
    let is_array = !matches!(both.old.kind(), Kind::Dictionary | Kind::Object);
    let have_same_keys =
        old.len() == new.len() && old.iter().zip(&new).all(|((_, base), new)| base.key == new.key);
    if have_same_keys {
        return (old.into_iter().zip(new).map(|(old, new)| in_both(old, new)).collect(), mode);
    }
    if is_array {
        return if mode.aligned < MOST_ALIGNED {
            let inside = Mode { aligned: mode.aligned.saturating_add(1), ..mode };
            (aligned(old, new), inside)
        } else {
            (lined_up(old, new), mode)
        };
    }
    (if mode.is_merge { merged(old, new) } else { matched(old, new) }, mode)
}

/// An old item, and its form in `base`.
type Old<'t, 'a> = (Item<'t, 'a>, Item<'t, 'a>);

fn in_both<'t, 'a>((old, base): Old<'t, 'a>, new: Item<'t, 'a>) -> Part<'t, 'a> {
    let both = Both { old: old.value, base: base.value, new: new.value };
    Part::Both(Item { step: new.step, ..old }, both)
}

/// Pairs elements by position. The rest of the longer array is added or removed.
fn lined_up<'t, 'a>(old: Vec<Old<'t, 'a>>, new: Vec<Item<'t, 'a>>) -> Vec<Part<'t, 'a>> {
    let (mut old, mut new) = (old.into_iter(), new.into_iter());
    let mut parts = Vec::new();
    loop {
        match (old.next(), new.next()) {
            (Some(old), Some(new)) => parts.push(in_both(old, new)),
            (Some((old, _)), None) => parts.push(Part::Removed(old)),
            (None, Some(new)) => parts.push(Part::Added(new)),
            (None, None) => return parts,
        }
    }
}

/// Pairs the equal elements at both ends, and then the other elements by position.
fn aligned<'t, 'a>(mut old: Vec<Old<'t, 'a>>, mut new: Vec<Item<'t, 'a>>) -> Vec<Part<'t, 'a>> {
    let is_same = |((_, base), new): &(&Old<'t, 'a>, &Item<'t, 'a>)| {
        base.value.raw_bytes() == new.value.raw_bytes()
    };
    let front = old.iter().zip(&new).take_while(is_same).count();
    let shorter = old.len().min(new.len()).saturating_sub(front);
    let back = old.iter().rev().zip(new.iter().rev()).take(shorter).take_while(is_same).count();
    let old_back = old.split_off(old.len().saturating_sub(back));
    let new_back = new.split_off(new.len().saturating_sub(back));
    let mut parts = lined_up(old, new);
    parts.extend(lined_up(old_back, new_back));
    parts
}

/// The index of the item with each key. If several items have equal keys, the index of the first item.
fn by_key<'a>(items: impl Iterator<Item = Name<'a>>) -> HashMap<Name<'a>, usize> {
    let mut numbers = HashMap::new();
    for (number, key) in items.enumerate() {
        numbers.entry(key).or_insert(number);
    }
    numbers
}

/// The parts of the result without a merge: the items of the new value, in its order.
fn matched<'t, 'a>(old: Vec<Old<'t, 'a>>, new: Vec<Item<'t, 'a>>) -> Vec<Part<'t, 'a>> {
    let numbers = by_key(old.iter().map(|(_, base)| base.name));
    let mut old: Vec<_> = old.into_iter().map(Some).collect();
    let mut taken = |name: Name<'_>| numbers.get(&name).and_then(|at| old.get_mut(*at)?.take());
    let parts: Vec<_> = new
        .into_iter()
        .map(|new| match taken(new.name) {
            Some(old) => in_both(old, new),
            None => Part::Added(new),
        })
        .collect();
    let removed = old.into_iter().flatten().map(|(old, _)| Part::Removed(old));
    removed.chain(parts).collect()
}

/// The parts of the result of a merge: the items of the old value, in its order, then the items that only the new value
/// has.
fn merged<'t, 'a>(old: Vec<Old<'t, 'a>>, new: Vec<Item<'t, 'a>>) -> Vec<Part<'t, 'a>> {
    let numbers = by_key(new.iter().map(|new| new.name));
    let mut new: Vec<_> = new.into_iter().map(Some).collect();
    let mut taken = |name: Name<'_>| numbers.get(&name).and_then(|at| new.get_mut(*at)?.take());
    let parts: Vec<_> = old
        .into_iter()
        .map(|old| match taken(old.1.name) {
            Some(new) => in_both(old, new),
            None => Part::Kept(old.0),
        })
        .collect();
    parts.into_iter().chain(new.into_iter().flatten().map(Part::Added)).collect()
}
