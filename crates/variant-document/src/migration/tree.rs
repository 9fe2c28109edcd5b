//! [`Tree`]: a value that the steps of a migration change, and its encoded bytes, in which paths are searched.
//!
//! [`select`] finds the values of a path in the bytes. The tree follows the search: it collects the selected items of a
//! container, and changes them when the search leaves the container. So the positions of later items stay valid, and
//! each container is changed once.

use std::fmt::Write as _;
use std::mem;

use variant_owned::{Dictionary, ElementType, EncodeOptions, Variant, encode};
use variant_view::{Document, KeyRule, Kind, Options};

use super::error::Fault;
use crate::edit::{misfit, to_kind};
use crate::query::{Match, Query, Step, Stop, path_to, select};

/// A value that the steps of a migration change.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) value: Variant,
    /// The encoded value, as it was before the current step.
    bytes: Vec<u8>,
    options: Options,
}

/// Selected values.
pub(super) enum Chosen<'v> {
    /// The whole value.
    Root(&'v mut Variant),
    /// A container, and the positions of the selected items in increasing order.
    Items(&'v mut Variant, &'v [u32]),
}

/// A fault, and the position of the item that has it.
pub(super) type Refused = (Option<u32>, Fault);

/// The options to encode a value as the engine does.
pub(super) const fn encoding(options: Options) -> EncodeOptions {
    EncodeOptions::new(options.dialect).reals(options.reals)
}

impl Tree {
    pub(super) fn new(value: Variant, options: Options) -> Result<Self, Fault> {
        let mut tree = Self { value, bytes: Vec::new(), options };
        tree.settle()?;
        Ok(tree)
    }

    /// Encodes the changed value, so that the paths of the next step are searched in the new bytes.
    pub(super) fn settle(&mut self) -> Result<(), Fault> {
        let encoded = encode(&self.value, encoding(self.options));
        self.bytes = encoded.map_err(|error| Fault {
            step: None,
            path: error.path().to_owned(),
            why: format!("{} ({})", error.kind(), self.options.dialect),
        })?;
        Ok(())
    }

    pub(super) const fn options(&self) -> Options {
        self.options
    }

    pub(super) fn rule(&self) -> KeyRule {
        KeyRule::of(self.options.dialect)
    }

    pub(super) fn document(&self) -> Document<'_> {
        Document::new(&self.bytes, self.options)
    }

    /// The bytes of the value.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Whether a path selects a value.
    pub(super) fn has(&self, query: &Query) -> Result<bool, Fault> {
        match select(&self.document(), query, |_| Err(())) {
            Ok(()) => Ok(false),
            Err(Stop::Caller(())) => Ok(true),
            Err(Stop::Data(error)) => Err(error.to_string().into()),
        }
    }

    /// Calls `change` with the selected values of each container. Values inside selected values are left out. Returns
    /// the number of selected values. O(bytes). After an error, the value is incomplete.
    pub(super) fn change(
        &mut self,
        query: &Query,
        change: &mut dyn FnMut(Chosen<'_>) -> Result<(), Refused>,
    ) -> Result<u64, Fault> {
        let document = Document::new(&self.bytes, self.options);
        let root = Level { value: mem::take(&mut self.value), at: 0, chosen: Vec::new() };
        let levels = vec![root];
        let mut walk = Walk { document, levels, innermost: None, change, count: 0, end: 0 };
        match select(&document, query, |found| walk.take(&found)) {
            Ok(()) => {}
            Err(Stop::Caller(fault)) => return Err(fault),
            Err(Stop::Data(error)) => return Err(error.to_string().into()),
        }
        let count = walk.count;
        self.value = walk.finish()?;
        Ok(count)
    }

    /// Changes each selected value. Returns the number of values.
    pub(super) fn change_each(
        &mut self,
        query: &Query,
        mut change: impl FnMut(&mut Variant) -> Result<(), Fault>,
    ) -> Result<u64, Fault> {
        self.change(query, &mut |chosen| match chosen {
            Chosen::Root(value) => change(value).map_err(|fault| (None, fault)),
            Chosen::Items(container, positions) => positions.iter().try_for_each(|position| {
                item_mut(container, *position)
                    .and_then(&mut change)
                    .map_err(|fault| (Some(*position), fault))
            }),
        })
    }
}

/// An open container.
struct Level {
    value: Variant,
    /// The position in the container around it.
    at: u32,
    /// The positions of the selected items.
    chosen: Vec<u32>,
}

struct Walk<'w> {
    document: Document<'w>,
    /// The open containers, the root first. While a container is open, it is moved out of the container around it.
    levels: Vec<Level>,
    /// The container of the last selected value, identified by the offset of its count. `None` before the first value.
    innermost: Option<usize>,
    change: &'w mut dyn FnMut(Chosen<'_>) -> Result<(), Refused>,
    count: u64,
    /// The end of the last selected value. Later matches inside this value are left out.
    end: usize,
}

impl Walk<'_> {
    fn take(&mut self, found: &Match<'_, '_>) -> Result<(), Fault> {
        if self.count > 0 && found.start < self.end {
            return Ok(());
        }
        self.count = self.count.saturating_add(1);
        self.end = found.end().map_err(|error| error.to_string())?;
        let Some((last, path)) = found.positions.split_last() else {
            let root = self.levels.first_mut().ok_or(LOST)?;
            return (self.change)(Chosen::Root(&mut root.value)).map_err(|(_, fault)| fault);
        };
        let container = found.slot.map(|slot| slot.count_at);
        // Comparing a path takes time proportional to its length, so paths are compared only if the container is
        // another one.
        if self.innermost != container {
            self.go_to(path)?;
            self.innermost = container;
        }
        let level = self.levels.last_mut().ok_or(LOST)?;
        if let Variant::Object(object) = &level.value {
            let class = object.class().map_or_else(String::new, ToString::to_string);
            let why = format!("a property of the Object {class}; steps change no objects");
            return Err(self.placed((Some(*last), why.into())));
        }
        level.chosen.push(*last);
        Ok(())
    }

    /// Closes the containers that are not on the path, and opens the others.
    fn go_to(&mut self, path: &[u32]) -> Result<(), Fault> {
        let open = self.levels.iter().skip(1);
        let shared = open.zip(path).take_while(|(level, at)| level.at == **at).count();
        while self.levels.len() > shared.saturating_add(1) {
            self.close()?;
        }
        for at in path.iter().skip(shared) {
            let level = self.levels.last_mut().ok_or(LOST)?;
            let value = mem::take(item_mut(&mut level.value, *at)?);
            self.levels.push(Level { value, at: *at, chosen: Vec::new() });
        }
        Ok(())
    }

    /// Changes the selected items of the innermost container, and puts the container back into the container around it.
    fn close(&mut self) -> Result<Variant, Fault> {
        let Level { value, chosen, .. } = self.levels.last_mut().ok_or(LOST)?;
        if !chosen.is_empty() {
            let changed = (self.change)(Chosen::Items(value, chosen));
            let checked = changed.and_then(|()| fitting(value).map_err(|fault| (None, fault)));
            checked.map_err(|refused| self.placed(refused))?;
        }
        let Level { value, at, .. } = self.levels.pop().ok_or(LOST)?;
        match self.levels.last_mut() {
            Some(around) => Ok(mem::replace(item_mut(&mut around.value, at)?, value)),
            None => Ok(value),
        }
    }

    fn finish(mut self) -> Result<Variant, Fault> {
        while self.levels.len() > 1 {
            self.close()?;
        }
        self.close()
    }

    /// The fault, with the path of the item at this position in the innermost container.
    fn placed(&self, (position, fault): Refused) -> Fault {
        let open = self.levels.iter().skip(1).map(|level| level.at);
        let mut steps = String::new();
        for at in open.chain(position) {
            // Writing to a string cannot fail.
            let _ = write!(steps, "{{{at}}}");
        }
        let found = self.document.at(&steps).ok();
        let path = found.and_then(|value| path_to(&self.document, value.offset()).ok());
        fault.below(path.as_deref().unwrap_or(&steps))
    }
}

/// The message if the walk has no container for a value. This cannot happen, but an error is better than a panic.
const LOST: &str = "the path leads out of the value";

/// Refuses a container if one of its items does not have the type that the container declares.
pub(super) fn fitting(container: &Variant) -> Result<(), Fault> {
    match misfit(container) {
        None => Ok(()),
        Some((declared, kind)) => {
            Err(format!("the container holds {declared} only, and would get {kind}").into())
        }
    }
}

/// The item of a container at a position.
pub(super) fn item_mut(container: &mut Variant, position: u32) -> Result<&mut Variant, Fault> {
    container.at_mut(&format!("{{{position}}}")).map_err(|_| LOST.into())
}

/// The value at the steps of a path, if it is there. The steps are keys and indices.
pub(super) fn at<'v>(value: &'v Variant, steps: &[Step]) -> Option<&'v Variant> {
    steps.iter().try_fold(value, |value, step| match value {
        Variant::Dictionary(pairs) => pairs.get_variant(&step.to_key()?),
        other => other.index(step.index_in(other.as_array()?.len())?),
    })
}

/// The value at the steps of a path. Creates the dictionaries that are missing, if the dictionaries around them may hold
/// them.
pub(super) fn open<'v>(
    value: &'v mut Variant,
    steps: &[Step],
    rule: KeyRule,
) -> Result<&'v mut Variant, Fault> {
    steps.iter().try_fold(value, |value, step| {
        if at(value, std::slice::from_ref(step)).is_none() {
            open_step(value, step, rule)?;
            fitting(value)?;
        }
        open_step(value, step, rule)
    })
}

/// The value at a step. Creates a dictionary if the step is a key that is missing.
pub(super) fn open_step<'v>(
    value: &'v mut Variant,
    step: &Step,
    rule: KeyRule,
) -> Result<&'v mut Variant, Fault> {
    match value {
        Variant::Dictionary(pairs) => {
            let key = key_of(step, pairs).ok_or("a new dictionary needs a key")?;
            Ok(pairs.entry(key).or_insert_with(|| Dictionary::with_rule(rule).into()))
        }
        other => {
            let kind = other.kind();
            let array = other.as_array_mut().ok_or_else(|| no_container(kind))?;
            let index = step.index_in(array.len());
            let element = index.and_then(|index| array.get_mut(index));
            Ok(element.ok_or("the path has an index that the array lacks")?)
        }
    }
}

/// The key that a step names, as a dictionary declares its keys.
pub(super) fn key_of(step: &Step, pairs: &Dictionary) -> Option<Variant> {
    Some(as_declared(step.to_key()?, pairs.key_type()))
}

/// The value in the kind that a container declares, if it declares one and nothing is lost.
pub(super) fn as_declared(value: Variant, declared: &ElementType) -> Variant {
    match declared {
        ElementType::Builtin(kind) => to_kind(value, *kind),
        _ => value,
    }
}

/// The message for a value that is not a container.
pub(super) fn no_container(kind: Kind) -> String {
    format!("{kind} has no keys to put a value at")
}
