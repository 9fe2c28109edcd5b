//! [`patches`]: the patches of one change in one value.

use std::collections::BTreeMap;

use variant_io::Framing;
use variant_owned::{Dictionary, EncodeOptions, KeyRule, Precision, Variant, Widths, encode};
use variant_view::{Dialect, Document, ElementType, Kind, Reader, VariantView, short_path};

use super::adapt::{adapt, to_kind};
use super::{Action, Edit, Told, literal_of_key, short};
use crate::escape::escaped;
use crate::lookup::{into_bytes, look_up};
use crate::nested::{MOST_NESTED, Nested};
use crate::patch::Patches;
use crate::plain::has_wide_flag;
use crate::query::{
    Address, Match, Part, Query, ROOT, Slot, Step, Stop, declared, from_start, select,
};
use crate::texts::texts;
use crate::trouble::Trouble;

/// A change and its target.
pub(super) struct Target<'e> {
    /// The values to change; for an insertion, the containers.
    pub(super) address: Address,
    /// The step to the inserted value.
    last: Option<Last<'e>>,
    pub(super) action: &'e Action,
}

impl<'e> Target<'e> {
    /// Reads the path of a change.
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

    /// The text of an insertion's last step, and that step as it is written.
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
        let mut job = Job { document: here, patches: Patches::default(), told: &mut *told, leaf };
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

/// The reason why a path changes nothing.
fn why_not(document: &Document<'_>, part: &Part<'_>, leaf: Option<Kind>) -> String {
    let path = escaped(&short_path(if part.path.is_empty() { ROOT } else { part.path }));
    let nothing = || match leaf {
        Some(kind) => format!("{path} is {kind}, which is not a container"),
        None => format!("nothing is at the path {path}"),
    };
    // A path that selects many values does not fail at one step.
    let why = if part.query.is_plain() { look_up(*document, part.path).err() } else { None };
    why.unwrap_or_else(nothing)
}

/// The patch that replaces the bytes of a byte array that holds a value.
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
    // The padding may be missing at the end.
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
    /// The kind of a value that was to get an item but is not a container.
    leaf: Option<Kind>,
}

/// Calls `work` for each selected value.
fn all<'a>(
    document: Document<'a>,
    query: &Query,
    mut work: impl FnMut(&Match<'_, 'a>) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    match select(&document, query, |found| work(&found)) {
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

/// Calls `work` for each selected value that is not inside another one. Returns their number.
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

impl<'a> Job<'_, '_, 'a> {
    /// Adds the patches of `action`. Returns the number of values that the path selects.
    fn find(&mut self, query: &Query, target: &Target<'_>) -> Result<u64, Trouble> {
        let document = self.document;
        match (target.action, &target.last) {
            (Action::Set(value), _) => each(document, query, |found| self.set(found, value)),
            (Action::RenameKey(name), _) => self.rename(query, name),
            (Action::Insert(value), Some(last)) => self.insert_all(query, last, value),
            (Action::Delete | Action::Insert(_), _) => {
                each(document, query, |found| self.delete(found))
            }
        }
    }

    fn insert_all(
        &mut self,
        query: &Query,
        last: &Last<'_>,
        value: &Variant,
    ) -> Result<u64, Trouble> {
        let mut items = Vec::new();
        all(self.document, query, |found| {
            if is_open(&found.value) {
                items.push(self.insert(found, last, value)?);
            } else {
                self.leaf.get_or_insert(found.value.kind());
            }
            Ok(())
        })?;
        let count = u64::try_from(items.len()).unwrap_or(u64::MAX);
        // Where several containers end at one place, the item of the innermost comes first.
        for (at, bytes) in items.into_iter().rev() {
            self.patches.replace(at..at, bytes);
        }
        Ok(count)
    }

    fn set(&mut self, found: &Match<'_, 'a>, value: &Variant) -> Result<(), Trouble> {
        if found.slot.is_some_and(|slot| slot.is_key) {
            return Err(refuse("this is a key, which rename-key changes"));
        }
        let value = adapt(value.clone(), &found.value);
        let declared = found.slot.and_then(|slot| slot.declared);
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
        Ok(())
    }

    fn rename(&mut self, query: &Query, name: &str) -> Result<u64, Trouble> {
        // For each container, by the offset of its count: the new key, and the offset of the value that gets it.
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
                return Err(refuse(&format!("there is a key {name:?} already")));
            }
            Ok(())
        })?;
        Ok(count)
    }

    /// The bytes of a key or of the name of a property as a short literal.
    fn shown_key(&self, slot: &Slot, bytes: &[u8]) -> String {
        if slot.kind == Kind::Object {
            let name = texts(bytes, 0).next().and_then(|text| bytes.get(text.start..text.end));
            return literal_of_key(name.unwrap_or_default());
        }
        let key = Document::new(bytes, *self.document.options()).root();
        key.map_or_else(|_| String::new(), |key| format!("key {}", short(&key)))
    }

    /// The bytes of a key or of the name of a property, as a key that compares as the engine does.
    fn as_key(&self, slot: &Slot, bytes: &[u8]) -> Result<OneKey, Trouble> {
        let options = *self.document.options();
        let key = if slot.kind == Kind::Object {
            let name = texts(bytes, 0).next().and_then(|text| bytes.get(text.start..text.end));
            Variant::String(name.unwrap_or_default().into())
        } else {
            Variant::from_document(&Document::new(bytes, options))?
        };
        Ok(OneKey::new(key, options.dialect))
    }

    /// The bytes of a new key, of the kind of the old one.
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

    /// Counts a new value of a container. Returns its place and its bytes.
    fn insert(
        &mut self,
        into: &Match<'_, 'a>,
        last: &Last<'_>,
        value: &Variant,
    ) -> Result<(usize, Vec<u8>), Trouble> {
        let container = &into.value;
        let (mut reader, items) = entered(container)?;
        let after_head = reader.offset();
        let value = adapt_to_declared(value, container);
        let value = self.encoded(&value, declared(container), None)?;
        let after = short(&Document::new(&value, *self.document.options()).root()?);
        let to_element = |index: u32| format!("[{index}]");
        let (at, item, step) = match (container.kind(), &last.step) {
            (Kind::Dictionary | Kind::Object, Some(step)) => {
                let item = [self.new_key(container, step)?, value].concat();
                (into.end()?, item, last.text.to_owned())
            }
            (Kind::Dictionary | Kind::Object, None) => {
                return Err(refuse("[+] is for arrays; a dictionary needs a key"));
            }
            (_, None) => (into.end()?, value, to_element(items)),
            (_, Some(Step::Number(index))) => {
                let (index, at) = element_at(&mut reader, items, *index)?;
                (at, value, to_element(index))
            }
            (_, Some(_)) => return Err(refuse("an array needs an index, or [+]")),
        };
        let path = told_path(into);
        let dot = if path.is_empty() || step.starts_with(['[', '{', '.']) { "" } else { "." };
        self.told.add(format!("{path}{dot}{step}"), None, Some(after));
        // Bytes at the very end may lack their padding.
        let mut bytes = vec![0; at.next_multiple_of(4).saturating_sub(at)];
        bytes.extend_from_slice(&item);
        self.patches.count(after_head.saturating_sub(4), 1);
        Ok((at, bytes))
    }

    /// The bytes of a key that is new in its container.
    fn new_key(&self, container: &VariantView<'a>, step: &Step) -> Result<Vec<u8>, Trouble> {
        let value = match step {
            Step::Name(name) => Variant::from(name.as_str()),
            Step::StringName(name) => Variant::StringName(name.as_str().into()),
            Step::Number(number) => Variant::from(*number),
            Step::Key(key) => key.value().clone(),
            _ => return Err(refuse("a new pair needs a key, not a position")),
        };
        let bytes = Document::new(container.raw_bytes()?, *self.document.options());
        let mut is_there = false;
        all(bytes, &Query::of_step(step.clone()), |_| {
            is_there = true;
            Ok(())
        })?;
        if is_there {
            return Err(refuse("there is a value already, which set changes"));
        }
        let VariantView::Dictionary(dictionary) = container else {
            return match step {
                Step::Name(name) => property_name(name),
                _ => Err(refuse("a property needs a name")),
            };
        };
        let declared = match dictionary.key_type() {
            ElementType::Builtin(kind) => Some(kind),
            _ => None,
        };
        let value = declared.map_or_else(|| value.clone(), |kind| to_kind(value.clone(), kind));
        self.encoded(&value, declared, None)
    }

    /// The value as the file's engine writes it, with reals of the width in `old`.
    fn encoded(
        &self,
        value: &Variant,
        declared: Option<Kind>,
        old: Option<&VariantView<'_>>,
    ) -> Result<Vec<u8>, Trouble> {
        if let Some(declared) = declared.filter(|declared| *declared != value.kind()) {
            let kind = value.kind();
            return Err(refuse(&format!(
                "the container holds {declared} only, and this is {kind}"
            )));
        }
        if let Some((declared, kind)) = misfit(value) {
            return Err(refuse(&format!("it is to hold {declared} only, and has {kind}")));
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

/// The first item whose kind its container does not declare: the declared kind, and its own. O(items).
fn misfit(value: &Variant) -> Option<(Kind, Kind)> {
    let find = |declared: &ElementType<_>, items: &mut dyn Iterator<Item = &Variant>| {
        let ElementType::Builtin(declared) = *declared else { return None };
        // The only object in a literal is null.
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

fn adapt_to_declared(value: &Variant, container: &VariantView<'_>) -> Variant {
    match declared(container) {
        Some(kind) => to_kind(value.clone(), kind),
        None => value.clone(),
    }
}

/// Whether a value can get items.
fn is_open(value: &VariantView<'_>) -> bool {
    use VariantView as V;
    match value {
        V::Array(_) | V::TypedArray(_) | V::PackedTypedArray(_) | V::Dictionary(_) => true,
        V::Object(object) => object.class().is_some(),
        _ => false,
    }
}

/// A reader before the first item of a container, and the number of its items.
fn entered<'a>(container: &VariantView<'a>) -> Result<(Reader<'a>, u32), Trouble> {
    use VariantView as V;
    let mut reader = match container {
        V::Array(v) | V::TypedArray(v) | V::PackedTypedArray(v) => v.reader(),
        V::Dictionary(v) => v.reader(),
        V::Object(v) if v.class().is_some() => v.reader(),
        leaf => return Err(refuse(&format!("{} is not a container", leaf.kind()))),
    };
    let items = reader.next_value()?.items.unwrap_or(0);
    Ok((reader, items))
}

/// The index of an element, from the start, and its offset. The index after the last element gives the end.
fn element_at(reader: &mut Reader<'_>, items: u32, index: i64) -> Result<(u32, usize), Trouble> {
    let Some(index) = from_start(index, items).filter(|index| *index <= items) else {
        return Err(refuse(&format!("the array has {items} elements, and [+] adds one")));
    };
    for _ in 0..index {
        reader.skip()?;
    }
    Ok((index, reader.offset()))
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
    /// As it is written.
    text: &'p str,
    /// The key or the index; `None` to append an element.
    step: Option<Step>,
}

/// A path without its last step, and that step.
fn parent_of(path: &str) -> Result<(&str, Last<'_>), String> {
    if let Some(parent) = path.strip_suffix("[+]") {
        return Ok((parent, Last { text: "[+]", step: None }));
    }
    let (parent, text) = Query::split_last(path)?;
    match Query::parse(text)?.into_step() {
        Some(step @ (Step::Name(_) | Step::StringName(_) | Step::Number(_) | Step::Key(_))) => {
            Ok((parent, Last { text, step: Some(step) }))
        }
        Some(Step::Position(_) | Step::PositionKey(_)) => {
            Err("a new pair needs a key, not a position".to_owned())
        }
        None if text.is_empty() => Err("a path to insert at is empty".to_owned()),
        _ => Err(format!("invalid path {path}: {text} names no key and no index to insert at")),
    }
}

fn refuse(message: &str) -> Trouble {
    Trouble::Message(message.to_owned())
}
