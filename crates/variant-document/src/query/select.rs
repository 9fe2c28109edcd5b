//! [`select`]: finds the values that a path selects, in one pass.

use std::borrow::Cow;
use std::ops::ControlFlow;

use variant_view::{
    Dialect, Document, ElementType, Error, Key, KeyRule, Kind, Options, PathStep, Reader,
    VariantView,
};

use super::hidden::hidden;
use super::{Fan, Place, Query, Step};
use crate::packed;
use crate::path_text::{KeyedStep, path_text};

mod elements;

/// A selected value.
#[derive(Debug)]
pub struct Match<'m, 'a> {
    /// The steps from the root of the document.
    pub path: &'m [PathStep<'a>],
    /// The same steps as positions in their containers.
    pub positions: &'m [u32],
    /// For each step that is a position: the key of the pair, if it is neither text nor an integer, and if no later key
    /// is equal.
    pub keys: &'m [Option<VariantView<'a>>],
    /// The value.
    pub value: VariantView<'a>,
    /// The offset of the value in the document.
    pub start: usize,
    /// The place of the value in its container; `None` for the root.
    pub slot: Option<Slot>,
    /// The key of the value, or the name of the property, if it is text or an integer.
    pub key: Option<Key<'a>>,
    /// The packed array, if the value is an element of it ([`select_elements`]).
    pub array: Option<VariantView<'a>>,
    /// The number of the path in a [`Fan`]; otherwise 0.
    pub(crate) number: usize,
    dialect: Dialect,
}

impl<'a> Match<'_, 'a> {
    /// The bytes of the document from the value on.
    pub fn rest<'d>(&self, document: &Document<'d>) -> &'d [u8] {
        document.bytes().get(self.start..).unwrap_or_default()
    }

    /// The value as a document. For an element of a packed array, the bytes are new. O(bytes of the value).
    ///
    /// # Errors
    /// The value is damaged.
    pub fn document_bytes(&self, options: Options) -> Result<Cow<'a, [u8]>, Error> {
        match self.array {
            Some(_) => Ok(packed::document_bytes(&self.value, options).into()),
            None => Ok(self.value.raw_bytes()?.into()),
        }
    }

    /// The path as text. It selects only this value. To limit the length, a byte of the document such as `@16` replaces
    /// a long path. The path of the root is `(root)`.
    pub fn text(&self) -> String {
        let steps = self.path.iter().zip(self.positions).zip(self.keys);
        let steps =
            steps.map(|((step, position), key)| (KeyedStep { step: *step, key: *key }, *position));
        path_text(steps, self.start, self.dialect)
    }

    /// The last step as text; empty for the root.
    pub fn last_text(&self) -> String {
        let mut text = String::new();
        if let Some((step, key)) = self.path.last().zip(self.keys.last()) {
            KeyedStep { step: *step, key: *key }.push_to(&mut text, self.dialect);
        }
        text
    }

    /// The end offset of the value. O(bytes of the value).
    ///
    /// # Errors
    /// The value is damaged.
    pub fn end(&self) -> Result<usize, Error> {
        if let Some(array) = self.array {
            return Ok(elements::end(&array, self.start));
        }
        Ok(self.start.saturating_add(self.value.raw_bytes()?.len()))
    }
}

/// The place of a value in its container.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// The kind of the container.
    pub kind: Kind,
    /// The offset of the container's count.
    pub count_at: usize,
    /// The offset of the item. The item of a pair begins with its key, and the item of a property with its name.
    pub item_at: usize,
    /// Whether the value is a key.
    pub is_key: bool,
    /// The kind that the container declares for the value.
    pub declared: Option<Kind>,
}

/// The reason why the selection ended early.
#[derive(Debug)]
pub enum Stop<E> {
    /// The data is damaged.
    Data(Error),
    /// The caller's error.
    Caller(E),
}

impl<E> From<Error> for Stop<E> {
    fn from(error: Error) -> Self {
        Self::Data(error)
    }
}

/// For one path, its steps that may come next, as bits. After `..`, several steps may come next. The bit after the last
/// step marks a selected value. For many paths, 1 + the number of the fork. 0 if no path leads on.
type States = u64;

/// The paths of a selection.
#[derive(Clone, Copy)]
enum Paths<'q> {
    One(&'q [Step]),
    Fan(&'q Fan),
}

/// The number of a fork. `states` is not 0.
fn fork(states: States) -> usize {
    usize::try_from(states.saturating_sub(1)).unwrap_or(usize::MAX)
}

struct Level<'a> {
    states: States,
    kind: Kind,
    /// The number of all items, and the number of items that were begun. Keys and values are separate items.
    items: u32,
    begun: u32,
    count_at: usize,
    item_at: usize,
    declared: Option<Kind>,
    /// The last key of the dictionary: in `key` if a path can name it, otherwise in `other`.
    key: Option<Key<'a>>,
    other: Option<VariantView<'a>>,
}

/// Calls `found` with each value that `query` selects, in the order of the document. Skips values that cannot hold a
/// match. O(bytes read). If `..` leads to a filter at several levels, the filter reads its values again at each level.
///
/// The values of equal keys are all selected. If a later key hides a value, the path of the value has a position
/// instead of the key.
///
/// # Errors
/// The first damage on the way, or the error of `found`.
pub fn select<'a, E>(
    document: &Document<'a>,
    query: &Query,
    found: impl FnMut(Match<'_, 'a>) -> Result<(), E>,
) -> Result<(), Stop<E>> {
    select_by(document, Paths::One(&query.steps), false, found)
}

/// [`select`], also for elements of packed arrays: an index, a slice, `*` and a filter lead to them, and `..` does not. A
/// byte array with a value inside has no elements here. The view of an element has no header ([`variant_view::Elements`]).
///
/// # Errors
/// As [`select`].
pub fn select_elements<'a, E>(
    document: &Document<'a>,
    query: &Query,
    found: impl FnMut(Match<'_, 'a>) -> Result<(), E>,
) -> Result<(), Stop<E>> {
    select_by(document, Paths::One(&query.steps), !query.is_deep(), found)
}

/// [`select_elements`] for many paths, in one pass.
pub(crate) fn select_each<'a, E>(
    document: &Document<'a>,
    fan: &Fan,
    found: impl FnMut(Match<'_, 'a>) -> Result<(), E>,
) -> Result<(), Stop<E>> {
    select_by(document, Paths::Fan(fan), true, found)
}

fn select_by<'a, E>(
    document: &Document<'a>,
    paths: Paths<'_>,
    has_elements: bool,
    mut found: impl FnMut(Match<'_, 'a>) -> Result<(), E>,
) -> Result<(), Stop<E>> {
    let mut said = None;
    visit(document, paths, has_elements, &mut |one| match found(one) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            said = Some(error);
            ControlFlow::Break(())
        }
    })?;
    said.map_or(Ok(()), |error| Err(Stop::Caller(error)))
}

type Found<'f, 'a> = dyn FnMut(Match<'_, 'a>) -> ControlFlow<()> + 'f;

/// [`select`] without its type parameter, so that a program contains the code only once.
fn visit<'a>(
    document: &Document<'a>,
    paths: Paths<'_>,
    has_elements: bool,
    found: &mut Found<'_, 'a>,
) -> Result<(), Error> {
    let mut walk = Walk {
        document: *document,
        hidden: None,
        other: None,
        reader: Reader::new(document.bytes(), *document.options()),
        rule: KeyRule::of(document.options().dialect),
        paths,
        has_elements,
        levels: Vec::new(),
        path: Vec::new(),
        positions: Vec::new(),
        keys: Vec::new(),
        starts: Vec::new(),
    };
    let root = walk.closed(walk.root());
    let mut flow = walk.value(root, None, None, found)?;
    while let (ControlFlow::Continue(()), Some(level)) = (flow, walk.levels.last_mut()) {
        if level.begun == level.items {
            walk.reader.exit();
            walk.levels.pop();
            walk.pop();
            continue;
        }
        let (slot, states) = (level.begun, level.states);
        level.begun = slot.wrapping_add(1);
        let is_value = level.kind == Kind::Dictionary && !slot.is_multiple_of(2);
        if !is_value {
            level.item_at = walk.reader.offset();
        }
        let place = match level.kind {
            Kind::Dictionary if slot.is_multiple_of(2) => Place::Key { position: slot / 2 },
            Kind::Dictionary => Place::Value { key: level.key, position: slot / 2 },
            Kind::Object => {
                let name = walk.reader.name()?;
                Place::Value { key: Some(Key::String(name.engine_bytes())), position: slot }
            }
            _ => Place::Element { index: slot, len: level.items },
        };
        if let Place::Key { .. } = place {
            let (key, _) = walk.reader.clone().next_value()?;
            level.key = key_of(&key);
            level.other = Some(key).filter(|_| level.key.is_none());
        }
        let Level { kind, count_at, item_at, declared, .. } = *level;
        let is_key = matches!(place, Place::Key { .. });
        let slot = Slot { kind, count_at, item_at, is_key, declared };
        let other = level.other.filter(|_| is_value);
        let next = walk.states_of(states, &place, other.as_ref())?;
        walk.other = other;
        flow = walk.value(next, Some(place), Some(slot), found)?;
    }
    Ok(())
}

/// A selected value, without its path.
#[derive(Clone, Copy)]
struct One<'a> {
    value: VariantView<'a>,
    start: usize,
    slot: Option<Slot>,
    key: Option<Key<'a>>,
    array: Option<VariantView<'a>>,
    number: usize,
}

struct Walk<'q, 'a> {
    document: Document<'a>,
    /// The offsets of values that later keys hide. The walk determines these offsets at the first found value.
    hidden: Option<Vec<usize>>,
    /// The key of the next value, if a path cannot name it.
    other: Option<VariantView<'a>>,
    reader: Reader<'a>,
    rule: KeyRule,
    paths: Paths<'q>,
    /// Whether elements of packed arrays are selected.
    has_elements: bool,
    levels: Vec<Level<'a>>,
    path: Vec<PathStep<'a>>,
    positions: Vec<u32>,
    keys: Vec<Option<VariantView<'a>>>,
    /// The offset of each value on the path.
    starts: Vec<usize>,
}

impl<'a> Walk<'_, 'a> {
    /// The number of the path that selects the value.
    fn accepted(&self, states: States) -> Option<usize> {
        match self.paths {
            Paths::One(steps) => (states & end(steps) != 0).then_some(0),
            Paths::Fan(fan) => fan.path(fork(states)),
        }
    }

    /// The states for the items of the value.
    fn inside(&self, states: States) -> States {
        match self.paths {
            Paths::One(steps) => states & !end(steps),
            Paths::Fan(fan) if fan.is_end(fork(states)) => 0,
            Paths::Fan(_) => states,
        }
    }

    /// The states at the root. Bit 0 is set: the first step of the query comes next. But if the first step is byte 0,
    /// it has led to the root already, and bit 1 is set instead: the second step comes next.
    fn root(&self) -> States {
        match self.paths {
            Paths::One([Step::Byte(0), ..]) => 2,
            Paths::One(_) | Paths::Fan(_) => 1,
        }
    }

    /// For each `..` that may be next, also adds the step after it, because `..` may match zero steps.
    fn closed(&self, mut states: States) -> States {
        let Paths::One(steps) = self.paths else { return states };
        for (at, step) in steps.iter().enumerate() {
            if matches!(step, Step::Deep) && states >> at & 1 == 1 {
                states |= 2 << at;
            }
        }
        states
    }

    /// The states of the query at the next value, which is at `place` in a container with the states `states`.
    fn states_of(
        &self,
        states: States,
        place: &Place<'a>,
        other: Option<&VariantView<'a>>,
    ) -> Result<States, Error> {
        let steps = match self.paths {
            Paths::One(steps) => steps,
            Paths::Fan(fan) => {
                let next = fan.next(fork(states), place, self.rule);
                let state = next.and_then(|next| u64::try_from(next).ok()?.checked_add(1));
                return Ok(state.unwrap_or(0));
            }
        };
        let is_key = matches!(place, Place::Key { .. });
        let mut next = 0;
        for (at, step) in steps.iter().enumerate().filter(|(at, _)| states >> at & 1 == 1) {
            next |= match step {
                Step::Deep if !is_key => 1 << at,
                Step::Filter(_) if is_key => 0,
                // If the value starts at this byte, the next step comes next. Otherwise the value may contain the byte.
                Step::Byte(byte) if usize::try_from(*byte) == Ok(self.reader.offset()) => 2 << at,
                Step::Byte(_) => 1 << at,
                step => u64::from(step.takes(place, other, &self.reader, self.rule)?) << 1 << at,
            };
        }
        Ok(self.closed(next))
    }

    /// Reads the next value. The states determine whether the value is selected, and whether its items are read.
    fn value(
        &mut self,
        states: States,
        place: Option<Place<'a>>,
        slot: Option<Slot>,
        found: &mut Found<'_, 'a>,
    ) -> Result<ControlFlow<()>, Error> {
        if states == 0 {
            self.reader.skip()?;
            return Ok(ControlFlow::Continue(()));
        }
        let before = self.reader.clone();
        let (value, items) = self.reader.next_value()?;
        let is_part = place.is_some();
        if let Some(place) = place {
            self.push(&place, before.offset());
        }
        if let Some(number) = self.accepted(states) {
            self.know_hidden();
            let start = before.offset();
            let key = place.and_then(|place| place.key());
            let one = One { value, start, slot, key, array: None, number };
            if self.report(one, found).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        let inside = self.inside(states);
        if self.has_elements
            && inside != 0
            && let Some(elements) = packed::elements(&value, *self.document.options())
            && self.elements(&value, &elements, inside, found)?.is_break()
        {
            return Ok(ControlFlow::Break(()));
        }
        if let (Some(items), true) = (items, inside != 0) {
            let after_head = self.reader.offset();
            let level = Level {
                states: inside,
                kind: value.kind(),
                items,
                begun: 0,
                // The count is the last word before the items.
                count_at: after_head.saturating_sub(4),
                item_at: after_head,
                declared: declared(&value),
                key: None,
                other: None,
            };
            self.levels.push(level);
            return Ok(ControlFlow::Continue(()));
        }
        if items.is_some() {
            self.reader = before;
            self.reader.skip()?;
        }
        if is_part {
            self.pop();
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Calls `found` with a selected value, whose steps are on the path.
    fn report(&self, one: One<'a>, found: &mut Found<'_, 'a>) -> ControlFlow<()> {
        let One { value, start, slot, key, array, number } = one;
        let (path, positions, keys) = (&self.path, &self.positions, &self.keys);
        let dialect = self.document.options().dialect;
        found(Match { path, positions, keys, value, start, slot, key, array, number, dialect })
    }

    fn push(&mut self, place: &Place<'a>, start: usize) {
        let (step, key) = if self.is_hidden(start) {
            (PathStep::Position(place.position()), None)
        } else {
            (place.step(), self.other.take())
        };
        self.path.push(step);
        self.positions.push(place.position());
        self.keys.push(key);
        self.starts.push(start);
    }

    fn pop(&mut self) {
        self.path.pop();
        self.positions.pop();
        self.keys.pop();
        self.starts.pop();
    }

    fn is_hidden(&self, start: usize) -> bool {
        self.hidden.as_ref().is_some_and(|hidden| hidden.binary_search(&start).is_ok())
    }

    /// Finds the hidden values, and corrects the steps of the path that lead to them.
    fn know_hidden(&mut self) {
        if self.hidden.is_some() {
            return;
        }
        self.hidden = Some(hidden(&self.document));
        for at in 0..self.starts.len() {
            let is_hidden = self.starts.get(at).is_some_and(|start| self.is_hidden(*start));
            if let (true, Some(step), Some(key), Some(position)) =
                (is_hidden, self.path.get_mut(at), self.keys.get_mut(at), self.positions.get(at))
            {
                (*step, *key) = (PathStep::Position(*position), None);
            }
        }
    }
}

/// The bit after the bit of the last step.
fn end(steps: &[Step]) -> States {
    1_u64.checked_shl(steps.len().try_into().unwrap_or(u32::MAX)).unwrap_or(0)
}

/// The kind that a typed container declares for its elements or values.
pub fn declared(container: &VariantView<'_>) -> Option<Kind> {
    let of = match container {
        VariantView::Array(v) | VariantView::TypedArray(v) | VariantView::PackedTypedArray(v) => {
            v.element_type()
        }
        VariantView::Dictionary(v) => v.value_type(),
        _ => return None,
    };
    match of {
        ElementType::Builtin(kind) => Some(kind),
        _ => None,
    }
}

/// The key, if a path can name it.
pub fn key_of<'a>(key: &VariantView<'a>) -> Option<Key<'a>> {
    match key {
        VariantView::Int(key) => Some(Key::Int(key.value())),
        VariantView::String(key) => Some(Key::String(key.engine_bytes())),
        VariantView::StringName(key) if KeyRule::of(key.dialect()).has_one_text_key() => {
            Some(Key::String(key.engine_bytes()))
        }
        VariantView::StringName(key) => Some(Key::StringName(key.engine_bytes())),
        _ => None,
    }
}
