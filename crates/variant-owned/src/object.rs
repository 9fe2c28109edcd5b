//! [`Object`]: class and properties, as data.

use crate::drop::{dismantle, drop_in_levels};
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
        Self::Full { class: class.into(), properties: Properties::new() }
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

    /// The value of a property, the last of that name. O(properties).
    pub fn get(&self, name: impl AsRef<[u8]>) -> Option<&Variant> {
        let mut all = self.properties()?.as_slice().iter().rev();
        all.find(|(own, _)| own.as_bytes() == name.as_ref()).map(|(_, value)| value)
    }

    /// The same, to change it.
    pub fn get_mut(&mut self, name: impl AsRef<[u8]>) -> Option<&mut Variant> {
        let mut all = self.properties_mut()?.as_mut_vec().iter_mut().rev();
        all.find(|(own, _)| own.as_bytes() == name.as_ref()).map(|(_, value)| value)
    }
}

/// The properties of an object, in order; a name may stand twice, as on the wire.
#[derive(Clone, Default, PartialEq)]
pub struct Properties(Vec<(Text, Variant)>);

impl Properties {
    /// None.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Names and values.
    pub fn as_slice(&self) -> &[(Text, Variant)] {
        &self.0
    }

    /// Names and values, to change, add and remove them.
    pub const fn as_mut_vec(&mut self) -> &mut Vec<(Text, Variant)> {
        &mut self.0
    }

    /// Adds a property behind the others.
    pub fn push(&mut self, name: impl Into<Text>, value: impl Into<Variant>) {
        self.0.push((name.into(), value.into()));
    }
}

impl Drop for Properties {
    fn drop(&mut self) {
        drop_in_levels(&mut self.0, |all| dismantle(all.iter_mut().map(|(_, value)| value)));
    }
}
