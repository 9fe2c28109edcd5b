//! [`patches`]: the patches of one change in one value.

mod element;
mod insert;

use std::collections::BTreeMap;

use variant_io::Framing;
use variant_owned::{Dictionary, EncodeOptions, KeyRule, Precision, Variant, Widths, encode};
use variant_view::{Dialect, Document, ElementType, Kind, VariantView, short_path};

use self::element::ByteArray;
use super::adapt::{adapt, to_kind};
use super::changes::{Told, literal_of_key};
use super::{Action, Edit};
use crate::escape::escaped;
use crate::literal::text as short;
use crate::lookup::{into_bytes, offset_of};
use crate::nested::{MOST_NESTED, Nested};
use crate::patch::Patches;
use crate::plain::has_wide_flag;
use crate::query::{
    Address, Fan, Match, Part, Query, ROOT, Slot, Step, Stop, select_each, select_elements,
};
use crate::texts::first_text;
use crate::trouble::Trouble;

pub(super) struct Target<'e> {
    /// The path of the values to change. For an insertion, the path of the containers of the new values.
    pub(super) address: Address,
    /// The step to the inserted value.
    last: Option<Last<'e>>,
    pub(super) action: &'e Action,
}

impl<'e> Target<'e> {
    pub(super) fn of(edit: &'e Edit) -> Result<Self, String> {
        let action = &edit.action;
        let (address, last) = match action {
            Action::Insert(_) => {
                let (frame, path) = Address::split(&edit.path);
                let (parent, last) = parent_of(path)?;
                (Address::parse(parent)?.in_frame(frame)?, Some(last))
            }
            _ => (Address::parse(&edit.path)?, None),
        };
        Ok(Self { address: address.in_frame(edit.frame)?, last, action })
    }

    /// The name in the last step of an insertion, and the text of that step in the path.
    pub(super) fn new_name(&self) -> Option<(&str, &'e str)> {
        let Last { text, step } = self.last.as_ref()?;
        match step.as_ref()? {
            Step::Name(name) | Step::StringName(name) => Some((name, text)),
            _ => None,
        }
    }
}

/// The patches of a change in a document, at a path from its root; or the reason why there is nothing to change.
pub(super) fn patches(
    document: Document<'_>,
    part: &Part<'_>,
    target: &Target<'_>,
    told: &mut Told<'_>,
) -> Result<Result<Patches, String>, Trouble> {
    let (mut here, mut rest) = (document, part.path);
    let mut around: Vec<(Document<'_>, Nested<'_>)> = Vec::new();
    let mut leaf = None;
    let patches = loop {
        let mut job = Job::new(here, &mut *told, leaf);
        let inner;
        let query = if around.is_empty() {
            part.query.as_ref()
        } else {
            inner = Query::parse(rest).map_err(Trouble::Message)?;
            &inner
        };
        if job.find(query, target)? > 0 {
            break job.patches;
        }
        leaf = job.leaf;
        // A path may lead into a byte array that holds a value.
        let inner = here.at(rest).err().and_then(|error| into_bytes(&here, rest, &error));
        match inner.filter(|_| around.len() < MOST_NESTED) {
            Some((nested, inner)) => {
                around.push((here, nested));
                (here, rest) = (nested.document, inner);
            }
            None => return Ok(Err(why_not(&document, part, leaf))),
        }
    };
    let outer = around.into_iter().rev().try_fold(patches, |inner, (outer, nested)| {
        let bytes = inner.apply(nested.document.bytes())?;
        around_bytes(&outer, &nested, &bytes)
    });
    outer.map(Ok).ok_or_else(|| Trouble::Message(super::OVERLAP.to_owned()))
}

/// The patches that replace the value of each path by the value of the same number. `None` unless each path leads to
/// exactly one value, which no other path leads to.
pub(super) fn set_each(
    document: Document<'_>,
    fan: &Fan,
    values: &[&Variant],
    told: &mut Told<'_>,
) -> Result<Option<Patches>, Trouble> {
    let mut job = Job::new(document, told, None);
    let mut found_of = vec![false; values.len()];
    let mut is_twice = false;
    let selected = select_each(&document, fan, |found| {
        let (Some(was_found), Some(value)) =
            (found_of.get_mut(found.number), values.get(found.number))
        else {
            return Ok(());
        };
        is_twice |= std::mem::replace(was_found, true);
        job.set(&found, value)
    });
    match selected {
        Ok(()) => {}
        Err(Stop::Data(error)) => return Err(error.into()),
        Err(Stop::Caller(trouble)) => return Err(trouble),
    }
    let is_each = !is_twice && !fan.is_ambiguous() && found_of.iter().all(|found| *found);
    Ok(is_each.then_some(job.patches))
}

/// The reason why there is nothing to change at a path.
fn why_not(document: &Document<'_>, part: &Part<'_>, leaf: Option<Kind>) -> String {
    let path = escaped(&short_path(if part.path.is_empty() { ROOT } else { part.path }));
    let nothing = || match leaf {
        Some(kind) => format!("{path} is {kind}, which is not a container"),
        None => format!("nothing is at the path {path}"),
    };
    // If a path selects many values, no single step is the reason.
    let why = if part.query.is_plain() { offset_of(*document, part.path).err() } else { None };
    why.unwrap_or_else(nothing)
}

/// The patch that puts `bytes`, a new value, into the byte array around `nested`.
fn around_bytes(outer: &Document<'_>, nested: &Nested<'_>, bytes: &[u8]) -> Option<Patches> {
    let mut payload = Vec::new();
    let count_at = if nested.framing == Framing::Bare {
        nested.start.checked_sub(4)?
    } else {
        payload.extend_from_slice(&u32::try_from(bytes.len()).ok()?.to_le_bytes());
        nested.start.checked_sub(8)?
    };
    payload.extend_from_slice(bytes);
    let len = u32::try_from(payload.len()).ok()?;
    payload.resize(payload.len().checked_next_multiple_of(4)?, 0);
    let old_len = nested.document.bytes().len().checked_next_multiple_of(4)?;
    // The last value of a document may lack its padding, so its end is limited to the end of the bytes.
    let end = nested.start.checked_add(old_len)?.min(outer.bytes().len());
    let mut patches = Patches::default();
    patches.replace(count_at..end, [&len.to_le_bytes()[..], &payload].concat());
    Some(patches)
}

/// One change in one document.
struct Job<'j, 't, 'a> {
    document: Document<'a>,
    patches: Patches,
    told: &'j mut Told<'t>,
    /// The kind of a selected value that is not a container, and cannot take an item.
    leaf: Option<Kind>,
    /// The byte arrays that get more or fewer elements, by their offsets.
    byte_arrays: BTreeMap<usize, ByteArray>,
}

fn all<'a>(
    document: Document<'a>,
    query: &Query,
    mut work: impl FnMut(&Match<'_, 'a>) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    match select_elements(&document, query, |found| work(&found)) {
        Ok(()) => Ok(()),
        Err(Stop::Data(error)) => Err(error.into()),
        Err(Stop::Caller(trouble)) => Err(trouble),
    }
}

/// A key that compares as the engine compares keys.
struct OneKey {
    key: Variant,
    alone: Dictionary,
}

impl OneKey {
    fn new(key: Variant, dialect: Dialect) -> Self {
        let mut alone = Dictionary::with_rule(KeyRule::of(dialect));
        alone.insert(key.clone(), Variant::Nil);
        Self { key, alone }
    }

    fn contains(&self, other: &Self) -> bool {
        self.alone.get_variant(&other.key).is_some()
    }
}

/// Calls `work` for each selected value that is not inside another selected value. Returns the number of calls.
fn each<'a>(
    document: Document<'a>,
    query: &Query,
    mut work: impl FnMut(&Match<'_, 'a>) -> Result<(), Trouble>,
) -> Result<u64, Trouble> {
    let (mut count, mut end) = (0_u64, 0);
    all(document, query, |found| {
        if count > 0 && found.start < end {
            return Ok(());
        }
        count = count.saturating_add(1);
        end = found.end()?;
        work(found)
    })?;
    Ok(count)
}

impl<'j, 't, 'a> Job<'j, 't, 'a> {
    const fn new(document: Document<'a>, told: &'j mut Told<'t>, leaf: Option<Kind>) -> Self {
        Self { document, patches: Patches::new(), told, leaf, byte_arrays: BTreeMap::new() }
    }

    /// Adds the patches of `action`. Returns the number of values that the path selects.
    fn find(&mut self, query: &Query, target: &Target<'_>) -> Result<u64, Trouble> {
        let document = self.document;
        let count = match (target.action, &target.last) {
            (Action::Set(value), _) => each(document, query, |found| self.set(found, value)),
            (Action::RenameKey(name), _) => self.rename(query, name),
            (Action::Insert(value), Some(last)) => self.insert_all(query, last, value),
            (Action::Delete | Action::Insert(_), _) => {
                each(document, query, |found| self.delete(found))
            }
        }?;
        self.pad_byte_arrays();
        Ok(count)
    }

    fn set(&mut self, found: &Match<'_, 'a>, value: &Variant) -> Result<(), Trouble> {
        if found.slot.is_some_and(|slot| slot.is_key) {
            return Err(refuse("this is a key; rename-key changes it"));
        }
        let value = adapt(value.clone(), &found.value);
        let declared = found.slot.and_then(|slot| slot.declared);
        if let Some(array) = &found.array {
            return self.set_element(found, array, &value);
        }
        let bytes = self.encoded(&value, declared, Some(&found.value))?;
        let range = found.start..found.end()?;
        if self.document.bytes().get(range.clone()) != Some(&bytes) {
            let after = Document::new(&bytes, *self.document.options()).root()?;
            self.told.tell(|| told_path(found), Some(&found.value), Some(&after));
            self.patches.replace(range, bytes);
        }
        Ok(())
    }

    fn delete(&mut self, found: &Match<'_, 'a>) -> Result<(), Trouble> {
        let Some(slot) = found.slot.filter(|slot| !slot.is_key) else {
            return Err(refuse("only an element, a pair or a property can be deleted"));
        };
        self.told.tell(|| told_path(found), Some(&found.value), None);
        self.patches.replace(slot.item_at..found.end()?, Vec::new());
        self.patches.count(slot.count_at, -1);
        if let Some(array) = &found.array {
            self.grow(array, -1);
        }
        Ok(())
    }

    fn rename(&mut self, query: &Query, name: &str) -> Result<u64, Trouble> {
        // For each container, by the offset of its count: the new key, and the offset of the value that gets the key.
        let mut keys = BTreeMap::new();
        let mut count = 0_u64;
        all(self.document, query, |found| {
            count = count.saturating_add(1);
            let is_keyed =
                |slot: &Slot| !slot.is_key && matches!(slot.kind, Kind::Dictionary | Kind::Object);
            let slot = found.slot.filter(is_keyed);
            let slot = slot.ok_or_else(|| refuse("only a pair or a property has a key"))?;
            let bytes = self.key(&slot, found.start, name)?;
            let key = self.as_key(&slot, &bytes)?;
            if keys.insert(slot.count_at, (key, found.start)).is_some() {
                return Err(refuse("two values of one container would have the same key"));
            }
            let old = self.document.bytes().get(slot.item_at..found.start).unwrap_or_default();
            let [old, new] = [old, &bytes].map(|key| self.shown_key(&slot, key));
            self.told.add(found.text(), Some(old), Some(new));
            self.patches.replace(slot.item_at..found.start, bytes);
            Ok(())
        })?;
        all(self.document, &Query::everything(), |found| {
            let slot = found.slot.filter(|slot| !slot.is_key);
            let Some((slot, (new, renamed))) =
                slot.and_then(|slot| Some((slot, keys.get(&slot.count_at)?)))
            else {
                return Ok(());
            };
            let bytes = self.document.bytes().get(slot.item_at..found.start).unwrap_or_default();
            if found.start != *renamed && new.contains(&self.as_key(&slot, bytes)?) {
                return Err(refuse(&format!("the key {name:?} exists already")));
            }
            Ok(())
        })?;
        Ok(count)
    }

    /// A key, or the name of a property, as a short literal. `bytes` are its encoded form.
    fn shown_key(&self, slot: &Slot, bytes: &[u8]) -> String {
        if slot.kind == Kind::Object {
            return literal_of_key(first_text(bytes).unwrap_or_default());
        }
        let key = Document::new(bytes, *self.document.options()).root();
        key.map_or_else(|_| String::new(), |key| format!("key {}", short(&key)))
    }

    /// A key, or the name of a property, in the form that compares as in the engine. `bytes` are its encoded form.
    fn as_key(&self, slot: &Slot, bytes: &[u8]) -> Result<OneKey, Trouble> {
        let options = *self.document.options();
        let key = if slot.kind == Kind::Object {
            Variant::String(first_text(bytes).unwrap_or_default().into())
        } else {
            Variant::from_document(&Document::new(bytes, options))?
        };
        Ok(OneKey::new(key, options.dialect))
    }

    /// The bytes of a new key, of the kind of the old key.
    fn key(&self, slot: &Slot, end: usize, name: &str) -> Result<Vec<u8>, Trouble> {
        if slot.kind == Kind::Object {
            return property_name(name);
        }
        let bytes = self.document.bytes().get(slot.item_at..end).unwrap_or_default();
        let old = Document::new(bytes, *self.document.options()).root()?;
        let key = match old.kind() {
            Kind::String | Kind::StringName => to_kind(Variant::from(name), old.kind()),
            _ => adapt(self.literal(name)?, &old),
        };
        self.encoded(&key, None, Some(&old))
    }

    fn literal(&self, text: &str) -> Result<Variant, Trouble> {
        super::literal(text, self.document.options().dialect).map_err(Trouble::Message)
    }

    /// The value as the engine of the file writes it. The result has reals of 64 bits if `old` has them.
    fn encoded(
        &self,
        value: &Variant,
        declared: Option<Kind>,
        old: Option<&VariantView<'_>>,
    ) -> Result<Vec<u8>, Trouble> {
        fits(value, declared)?;
        if let Some((declared, kind)) = misfit(value) {
            return Err(refuse(&format!("the value may hold {declared} only, and has {kind}")));
        }
        let options = self.document.options();
        let is_double = old.is_some_and(|old| old.raw_bytes().is_ok_and(has_wide_flag));
        let precision = if is_double { Precision::Double } else { Precision::AsIs };
        let encoding = EncodeOptions::new(options.dialect)
            .reals(options.reals)
            .widths(Widths::Canonical)
            .precision(precision);
        encode(value, encoding).map_err(|error| Trouble::message(&error))
    }
}

/// The first item that its container does not allow: the declared kind, and the kind of the item. O(items).
pub(crate) fn misfit(value: &Variant) -> Option<(Kind, Kind)> {
    let find = |declared: &ElementType<_>, items: &mut dyn Iterator<Item = &Variant>| {
        let ElementType::Builtin(declared) = *declared else { return None };
        // Items that are declared as objects are not checked, because the only object in a literal is null.
        if declared == Kind::Object {
            return None;
        }
        let kinds = &mut items.map(Variant::kind);
        kinds.find(|kind| *kind != declared).map(|kind| (declared, kind))
    };
    match value {
        Variant::Array(array) => find(array.element_type(), &mut array.iter()),
        Variant::Dictionary(pairs) => {
            let keys = find(pairs.key_type(), &mut pairs.iter().map(|(key, _)| key));
            keys.or_else(|| find(pairs.value_type(), &mut pairs.iter().map(|(_, value)| value)))
        }
        _ => None,
    }
}

/// Refuses a value of another kind than the declared one.
fn fits(value: &Variant, declared: Option<Kind>) -> Result<(), Trouble> {
    match declared.filter(|declared| *declared != value.kind()) {
        Some(declared) => {
            let kind = value.kind();
            Err(refuse(&format!("the container holds {declared} only, and this is {kind}")))
        }
        None => Ok(()),
    }
}

/// The bytes of the name of a property: its length, the text, padding.
fn property_name(name: &str) -> Result<Vec<u8>, Trouble> {
    let len = u32::try_from(name.len()).map_err(|_| refuse(super::TOO_LONG))?;
    let mut bytes = [&len.to_le_bytes()[..], name.as_bytes()].concat();
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    Ok(bytes)
}

/// The path of a value in a list of changes; empty for the root.
fn told_path(found: &Match<'_, '_>) -> String {
    if found.path.is_empty() { String::new() } else { found.text() }
}

/// The place of a new value in its container.
struct Last<'p> {
    /// The text of the step in the path.
    text: &'p str,
    /// The key or the index; `None` to append an element.
    step: Option<Step>,
}

/// A path without its last step, and the last step.
fn parent_of(path: &str) -> Result<(&str, Last<'_>), String> {
    if let Some(parent) = path.strip_suffix("[+]") {
        return Ok((parent, Last { text: "[+]", step: None }));
    }
    let (parent, text) = Query::split_last(path)?;
    match Query::parse(text)?.into_step() {
        Some(
            step @ (Step::Name(_)
            | Step::StringName(_)
            | Step::Number(_)
            | Step::Position(_)
            | Step::Key(_)),
        ) => Ok((parent, Last { text, step: Some(step) })),
        Some(Step::PositionKey(_)) => Err("a new pair needs a key, not a position".to_owned()),
        None if text.is_empty() => Err("the path of the insertion is empty".to_owned()),
        _ => Err(format!("invalid path {path}: {text} is neither a key nor an index")),
    }
}

fn refuse(message: &str) -> Trouble {
    Trouble::Message(message.to_owned())
}
