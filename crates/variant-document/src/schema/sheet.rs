//! [`Sheet`]: a document as the schema sees it: its values, and the names of the members of its containers.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use variant_owned::json::{Form, PlainKeys, write};
use variant_view::{Kind, ObjectForm, StrView, TapeValue, VariantView};

/// A dictionary with more keys than this gets an index, so that a look-up does not compare every key.
const SCANNED: usize = 16;

/// The memory that the errors of one document may take, including the paths of their values, in bytes.
const MEMORY: usize = 16 << 20;

/// The memory of an error without its path.
const ERROR: usize = 512;

/// A document, and the parts of its plain form that are not in its bytes.
#[derive(Debug)]
pub(super) struct Sheet<'d> {
    pub(super) root: TapeValue<'d, 'd>,
    /// The members of objects with properties, and of dictionaries that have many keys, or keys that are not distinct
    /// texts.
    keys: HashMap<u32, Keys<'d>>,
    /// The plain form of leaves that a node cannot show from their bytes, such as paths.
    made: HashMap<u32, Value>,
    /// The number of errors for which memory is left.
    left: AtomicUsize,
}

/// The names of the members of a container, in order.
#[derive(Debug, Default)]
pub(super) struct Keys<'d> {
    pub(super) names: Vec<Cow<'d, str>>,
    values: HashMap<Cow<'d, str>, Option<TapeValue<'d, 'd>>>,
}

impl<'d> Sheet<'d> {
    /// O(bytes) expected.
    pub(super) fn new(root: TapeValue<'d, 'd>) -> Self {
        let (mut keys, mut made) = (HashMap::new(), HashMap::new());
        let mut longest = 0_usize;
        for value in root.values() {
            longest = longest.max(longest_key(&value));
            if let Some(found) = Keys::of(&value) {
                keys.insert(value.number(), found);
            } else if let Some(json) = made_of(&value) {
                made.insert(value.number(), json);
            }
        }
        let path = longest.saturating_mul(depth(&root));
        let left = MEMORY.checked_div(ERROR.saturating_add(path)).unwrap_or(0).max(1);
        Self { root, keys, made, left: AtomicUsize::new(left) }
    }

    pub(super) fn keys(&self, value: &TapeValue<'d, 'd>) -> Option<&Keys<'d>> {
        self.keys.get(&value.number())
    }

    pub(super) fn made(&self, value: &TapeValue<'d, 'd>) -> Option<&Value> {
        self.made.get(&value.number())
    }

    /// Counts an error. After the last error for which there is memory, containers seem empty, so that the check ends
    /// early.
    pub(super) fn count(&self) {
        // A load and a store are enough, since only one thread checks a document.
        let left = self.left.load(Ordering::Relaxed);
        self.left.store(left.saturating_sub(1), Ordering::Relaxed);
    }

    /// Whether no memory is left for further errors.
    pub(super) fn is_full(&self) -> bool {
        self.left.load(Ordering::Relaxed) == 0
    }
}

/// The number of levels of the document, at least one.
fn depth(root: &TapeValue<'_, '_>) -> usize {
    usize::try_from(root.summary().depth).unwrap_or(usize::MAX).max(1)
}

/// The length in bytes of the longest key or name in a container, or an upper bound of it.
fn longest_key(value: &TapeValue<'_, '_>) -> usize {
    match value.kind() {
        Kind::Dictionary => value.pairs().map(|(key, _)| key.raw_bytes().len()).max().unwrap_or(0),
        Kind::Object => value.properties().map(|(name, _)| name.len()).max().unwrap_or(0),
        _ => 0,
    }
}

/// The plain form of a leaf whose parts a node cannot read from its bytes: paths, signals, byte arrays (as base64) and
/// the like.
fn made_of(value: &TapeValue<'_, '_>) -> Option<Value> {
    let is_made = match value.kind() {
        Kind::NodePath | Kind::Signal | Kind::Image | Kind::InputEvent | Kind::PackedByteArray => {
            true
        }
        // An object with a class is a container. Other objects are an id or null.
        Kind::Object => !is_full(value),
        _ => false,
    };
    if !is_made {
        return None;
    }
    let mut text = Vec::new();
    write(value.view(), Form::Plain, &mut text, false).ok()?;
    serde_json::from_slice(&text).ok()
}

/// Whether the value is an object with its class and properties.
pub(super) fn is_full(value: &TapeValue<'_, '_>) -> bool {
    class_of(value).is_some()
}

/// The class of an object with properties.
pub(super) fn class_of<'d>(value: &TapeValue<'_, 'd>) -> Option<StrView<'d>> {
    match value.view() {
        VariantView::Object(object) => match object.form() {
            ObjectForm::Full(class) => Some(class),
            _ => None,
        },
        _ => None,
    }
}

/// The key, if it is a text in UTF-8.
pub(super) fn text_of<'d>(key: &TapeValue<'_, 'd>) -> Option<&'d str> {
    match key.view() {
        VariantView::String(text) | VariantView::StringName(text) => text.to_str().ok(),
        _ => None,
    }
}

/// The name of the member that is the class of an object.
pub(super) const CLASS: &str = "@class";

impl<'d> Keys<'d> {
    /// The members of a dictionary, or of an object with properties. `None` for a dictionary with few keys that are
    /// distinct texts, and for any other value.
    fn of(value: &TapeValue<'d, 'd>) -> Option<Self> {
        match value.kind() {
            Kind::Dictionary if value.len() > SCANNED || !is_regular(value) => {
                let named = |(key, value): (TapeValue<'d, 'd>, _)| {
                    (PlainKeys::text(&key.view()), Some(value))
                };
                Some(Self::named(value.pairs().map(named)))
            }
            Kind::Object if is_full(value) => {
                let members = value.properties();
                let members = members.map(|(name, value)| (name.to_str_lossy(), Some(value)));
                Some(Self::named(std::iter::once((CLASS.into(), None)).chain(members)))
            }
            _ => None,
        }
    }

    fn named(members: impl Iterator<Item = (Cow<'d, str>, Option<TapeValue<'d, 'd>>)>) -> Self {
        let (mut plain, mut keys) = (PlainKeys::default(), Self::default());
        for (text, value) in members {
            let added = match plain.add(&text) {
                Cow::Owned(other) => Some(other),
                Cow::Borrowed(_) => None,
            };
            let name = added.map_or(text, Cow::Owned);
            keys.values.insert(name.clone(), value);
            keys.names.push(name);
        }
        keys
    }

    /// The value of a member; the inner option is `None` for the class of an object.
    #[expect(clippy::option_option, reason = "outer: a member; inner: its value")]
    pub(super) fn get(&self, name: &str) -> Option<Option<TapeValue<'d, 'd>>> {
        self.values.get(name).copied()
    }
}

/// Whether all keys are distinct texts. O(keys²), so only for few keys.
fn is_regular(dictionary: &TapeValue<'_, '_>) -> bool {
    let mut texts: [&str; SCANNED] = [""; SCANNED];
    for (at, (key, _)) in dictionary.pairs().enumerate() {
        let Some(text) = text_of(&key) else { return false };
        let before = texts.get(..at).unwrap_or_default();
        if before.contains(&text) {
            return false;
        }
        if let Some(slot) = texts.get_mut(at) {
            *slot = text;
        }
    }
    true
}
