//! [`Object`]: class and properties, as data.

use variant_view::Key;

use crate::drop::{dismantle, drop_in_levels};
use crate::key::KeyRule;
use crate::text::Text;
use crate::variant::Variant;

/// An object: null, an instance id, or class and properties. It is inert data: nothing is instantiated.
///
/// ```
/// use variant_owned::Object;
///
/// let mut node = Object::new("Node");
/// if let Some(properties) = node.properties_mut() {
///     properties.push("hp", 7);
/// }
/// assert_eq!(node.get("hp").and_then(|hp| hp.as_i64()), Some(7));
/// ```
#[derive(Clone, PartialEq)]
pub enum Object {
    /// Null.
    Null,
    /// An instance id, valid only inside the process that wrote it.
    Id(u64),
    /// A full object.
    Full {
        /// The class name.
        class: Text,
        /// The properties in order.
        properties: Properties,
    },
}

impl Object {
    /// A full object without properties. A class name of more than 22 bytes allocates.
    pub fn new(class: impl Into<Text>) -> Self {
        Self::with_rule(class, KeyRule::GODOT_4)
    }

    /// A full object without properties. Its rule for names is `rule` instead of Godot 4's.
    pub fn with_rule(class: impl Into<Text>, rule: KeyRule) -> Self {
        Self::Full { class: class.into(), properties: Properties::with_rule(rule) }
    }

    /// The class name of a full object. O(1).
    pub const fn class(&self) -> Option<&Text> {
        match self {
            Self::Full { class, .. } => Some(class),
            Self::Null | Self::Id(_) => None,
        }
    }

    /// The instance id of an object by id. O(1).
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

    /// The properties of a full object. O(1).
    pub const fn properties(&self) -> Option<&Properties> {
        match self {
            Self::Full { properties, .. } => Some(properties),
            Self::Null | Self::Id(_) => None,
        }
    }

    /// The properties of a full object, mutable. O(1).
    pub const fn properties_mut(&mut self) -> Option<&mut Properties> {
        match self {
            Self::Full { properties, .. } => Some(properties),
            Self::Null | Self::Id(_) => None,
        }
    }

    /// The value of property `name`; the last one if it occurs twice. Names are compared by
    /// [`Properties::rule`]. O(bytes of the names).
    ///
    /// ```
    /// use variant_owned::Object;
    ///
    /// let mut node = Object::new("Node");
    /// let properties = node.properties_mut().unwrap();
    /// properties.push("hp", 7);
    /// properties.push("hp", 8);
    /// assert_eq!(node.get("hp"), Some(&8.into()));
    /// assert_eq!(Object::Id(5).get("hp"), None); // an id has no properties
    /// ```
    pub fn get(&self, name: impl AsRef<[u8]>) -> Option<&Variant> {
        let place = self.place_of(name.as_ref())?;
        self.properties()?.as_slice().get(place).map(|(_, value)| value)
    }

    /// The value of property `name`, mutable; see [`Object::get`]. O(bytes of the names).
    pub fn get_mut(&mut self, name: impl AsRef<[u8]>) -> Option<&mut Variant> {
        let place = self.place_of(name.as_ref())?;
        self.properties_mut()?.as_mut_vec().get_mut(place).map(|(_, value)| value)
    }

    /// The position of the last property named `name`.
    pub(crate) fn place_of(&self, name: &[u8]) -> Option<usize> {
        let properties = self.properties()?;
        let name = Key::String(name).part();
        let (rule, name) = (properties.rule(), name.text()?);
        properties.as_slice().iter().rposition(|(own, _)| rule.is_text(own.as_bytes(), name))
    }
}

/// The properties of an object, in order. A name may occur twice, as on the wire.
///
/// Names are equal by the engine's rule, like the keys of a [`Dictionary`](crate::Dictionary).
///
/// ```
/// use variant_owned::Properties;
///
/// let mut properties = Properties::new();
/// properties.push("hp", 7);
/// properties.push("name", "Åsa");
/// for (name, value) in &properties {
///     println!("{}: {value}", name.to_str_lossy());
/// }
/// assert_eq!(properties.as_slice()[1].0, "name");
/// ```
#[derive(Clone, Default)]
pub struct Properties {
    all: Vec<(Text, Variant)>,
    rule: KeyRule,
}

impl Properties {
    /// No properties.
    pub const fn new() -> Self {
        Self::with_rule(KeyRule::GODOT_4)
    }

    /// No properties. The rule for names is `rule` instead of Godot 4's.
    pub const fn with_rule(rule: KeyRule) -> Self {
        Self { all: Vec::new(), rule }
    }

    /// The rule for equal names.
    pub const fn rule(&self) -> KeyRule {
        self.rule
    }

    /// The number of properties. O(1).
    pub const fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are no properties. O(1).
    pub const fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Names and values in order.
    pub fn iter(&self) -> std::slice::Iter<'_, (Text, Variant)> {
        self.all.iter()
    }

    /// Names and values. O(1).
    pub fn as_slice(&self) -> &[(Text, Variant)] {
        &self.all
    }

    /// Names and values, to change, add and remove them. O(1).
    pub const fn as_mut_vec(&mut self) -> &mut Vec<(Text, Variant)> {
        &mut self.all
    }

    /// Appends a property; an earlier property of that name stays. O(1) amortized.
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
    /// Equal names and values in equal order.
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Drop for Properties {
    fn drop(&mut self) {
        drop_in_levels(&mut self.all, |all| dismantle(all.iter_mut().map(|(_, value)| value)));
    }
}
