//! [`Object`]: class and properties, as data.

use variant_view::Key;

use crate::drop::{dismantle, drop_in_levels};
use crate::key::KeyRule;
use crate::text::Text;
use crate::variant::Variant;

/// An object: null, an instance id, or class and properties. Data; nothing is ever instantiated.
#[derive(Clone, PartialEq)]
pub enum Object {
    /// No object.
    Null,
    /// By instance id, which means nothing outside of the process that wrote it.
    Id(u64),
    /// In full.
    Full {
        /// The name of its class.
        class: Text,
        /// Its properties in order.
        properties: Properties,
    },
}

impl Object {
    /// An object in full, without properties.
    pub fn new(class: impl Into<Text>) -> Self {
        Self::with_rule(class, KeyRule::GODOT_4)
    }

    /// The same, with names of properties under another rule than Godot 4's.
    pub fn with_rule(class: impl Into<Text>, rule: KeyRule) -> Self {
        Self::Full { class: class.into(), properties: Properties::with_rule(rule) }
    }

    /// The name of its class, if it is written in full. O(1).
    pub const fn class(&self) -> Option<&Text> {
        match self {
            Self::Full { class, .. } => Some(class),
            Self::Null | Self::Id(_) => None,
        }
    }

    /// Its instance id, if it is written by id. O(1).
    pub const fn id(&self) -> Option<u64> {
        match self {
            Self::Id(id) => Some(*id),
            Self::Null | Self::Full { .. } => None,
        }
    }

    /// The number of properties. O(1).
    pub const fn len(&self) -> usize {
        match self {
            Self::Full { properties, .. } => properties.len(),
            Self::Null | Self::Id(_) => 0,
        }
    }

    /// Whether there are no properties.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The properties, if it is written in full.
    pub const fn properties(&self) -> Option<&Properties> {
        match self {
            Self::Full { properties, .. } => Some(properties),
            Self::Null | Self::Id(_) => None,
        }
    }

    /// The same, to change them.
    pub const fn properties_mut(&mut self) -> Option<&mut Properties> {
        match self {
            Self::Full { properties, .. } => Some(properties),
            Self::Null | Self::Id(_) => None,
        }
    }

    /// The value of a property, the last of that name as the engine reads names ([`Properties::rule`]).
    /// O(bytes of the names).
    pub fn get(&self, name: impl AsRef<[u8]>) -> Option<&Variant> {
        let place = self.place_of(name.as_ref())?;
        self.properties()?.as_slice().get(place).map(|(_, value)| value)
    }

    /// The same, to change it.
    pub fn get_mut(&mut self, name: impl AsRef<[u8]>) -> Option<&mut Variant> {
        let place = self.place_of(name.as_ref())?;
        self.properties_mut()?.as_mut_vec().get_mut(place).map(|(_, value)| value)
    }

    /// The position of the last property of a name.
    pub(crate) fn place_of(&self, name: &[u8]) -> Option<usize> {
        let properties = self.properties()?;
        let name = Key::String(name).part();
        let (rule, name) = (properties.rule(), name.text()?);
        properties.as_slice().iter().rposition(|(own, _)| rule.is_text(own.as_bytes(), name))
    }
}

/// The properties of an object, in order; a name may stand twice, as on the wire.
///
/// Which names are the same is the engine's affair, as for the keys of a [`Dictionary`](crate::Dictionary).
#[derive(Clone, Default)]
pub struct Properties {
    all: Vec<(Text, Variant)>,
    rule: KeyRule,
}

impl Properties {
    /// None.
    pub const fn new() -> Self {
        Self::with_rule(KeyRule::GODOT_4)
    }

    /// None, under another rule for names than Godot 4's.
    pub const fn with_rule(rule: KeyRule) -> Self {
        Self { all: Vec::new(), rule }
    }

    /// The rule by which names are the same.
    pub const fn rule(&self) -> KeyRule {
        self.rule
    }

    /// The number of properties. O(1).
    pub const fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Names and values in order.
    pub fn iter(&self) -> std::slice::Iter<'_, (Text, Variant)> {
        self.all.iter()
    }

    /// Names and values.
    pub fn as_slice(&self) -> &[(Text, Variant)] {
        &self.all
    }

    /// Names and values, to change, add and remove them.
    pub const fn as_mut_vec(&mut self) -> &mut Vec<(Text, Variant)> {
        &mut self.all
    }

    /// Adds a property behind the others.
    pub fn push(&mut self, name: impl Into<Text>, value: impl Into<Variant>) {
        self.all.push((name.into(), value.into()));
    }
}

impl<'v> IntoIterator for &'v Properties {
    type Item = &'v (Text, Variant);
    type IntoIter = std::slice::Iter<'v, (Text, Variant)>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl PartialEq for Properties {
    /// By names and values, in order.
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Drop for Properties {
    fn drop(&mut self) {
        drop_in_levels(&mut self.all, |all| dismantle(all.iter_mut().map(|(_, value)| value)));
    }
}
