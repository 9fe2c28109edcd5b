//! [`Replicated`]: a state whose properties are sent according to a synchronizer's configuration.

use serde::{Serialize, Serializer};
use variant_serde::{Error, to_vec_into};
use variant_view::{Dialect, PathStep};

use crate::compact;

/// A state whose properties a synchronizer replicates. The feature `derive` implements it for a struct.
///
/// ```
/// use variant_multiplayer::{Replicated, Replication};
///
/// #[derive(Replicated)]
/// struct Player {
///     #[replicated(spawn, always)]
///     #[serde(with = "variant_serde::as_vector2")]
///     position: [f32; 2],
///     #[replicated(spawn, on_change)]
///     hp: i32,
///     /// Only the server knows it.
///     luck: f64,
/// }
///
/// let [position, hp] = Player::PROPERTIES else { panic!() };
/// assert_eq!((position.name, position.spawn, position.mode), ("position", true, Replication::Always));
/// assert_eq!((hp.name, hp.spawn, hp.mode), ("hp", true, Replication::OnChange));
/// ```
///
/// The derive reads these attributes of a field:
///
/// | attribute | in the `SceneReplicationConfig` |
/// |---|---|
/// | `#[replicated(spawn, always)]` | *spawn*, and mode *always* |
/// | `#[replicated(spawn, on_change)]` | *spawn*, and mode *on change* |
/// | `#[replicated(spawn)]` | *spawn*, and mode *never* |
/// | `#[replicated(always)]`, `#[replicated(on_change)]` | the mode alone |
/// | none | the property is not in the configuration |
/// | `#[serde(with = "variant_serde::as_vector2")]`, `#[serde(serialize_with = "...")]` | the kind of the value |
///
/// The fields are in the order of the configuration. Masks have 64 bits, so at most 64 properties are sent on change.
pub trait Replicated {
    /// The properties, in the order of the synchronizer's configuration.
    const PROPERTIES: &'static [Property];

    /// Serializes the value of a property, by its index in [`Replicated::PROPERTIES`]. O(bytes).
    ///
    /// # Errors
    /// An error of the serializer, or a wrong index.
    fn serialize_property<S: Serializer>(
        &self,
        index: usize,
        serializer: S,
    ) -> Result<S::Ok, S::Error>;
}

/// A property of a synchronizer's configuration. [`Replicated`] has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Property {
    /// The name, for errors. Packets do not contain the name.
    pub name: &'static str,
    /// Whether spawning sets the property.
    pub spawn: bool,
    /// When the property is sent after spawning.
    pub mode: Replication,
}

impl Property {
    /// A property.
    pub const fn new(name: &'static str, spawn: bool, mode: Replication) -> Self {
        Self { name, spawn, mode }
    }
}

/// When a property is sent: the engine's `SceneReplicationConfig.ReplicationMode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Replication {
    /// Only on spawning.
    Never,
    /// With each state, unreliably.
    Always,
    /// When it has changed, reliably.
    OnChange,
}

/// The property of a state with this index. It serializes as the value of the property.
struct Value<'s, T>(&'s T, usize);

impl<T: Replicated> Serialize for Value<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize_property(self.1, serializer)
    }
}

/// The properties of a state in the compact form.
#[derive(Debug, Default)]
pub(crate) struct Encoded {
    properties: &'static [Property],
    bytes: Vec<u8>,
    /// The end of each property in the bytes.
    ends: Vec<usize>,
}

impl Encoded {
    /// Replaces the encoded state. After an error, only the properties before the failed property are
    /// encoded.
    pub(crate) fn encode<T: Replicated>(&mut self, state: &T) -> Result<(), Error> {
        const { assert!(watched(T::PROPERTIES) <= 64, "a mask has 64 bits") }
        self.properties = T::PROPERTIES;
        self.bytes.clear();
        self.ends.clear();
        for (index, property) in self.properties.iter().enumerate() {
            let (start, dialect) = (self.bytes.len(), Dialect::Godot4);
            to_vec_into(&Value(state, index), dialect, &mut self.bytes)
                .map_err(|error| error.below(PathStep::Name(property.name)))?;
            compact::in_place(&mut self.bytes, start, dialect);
            self.ends.push(self.bytes.len());
        }
        Ok(())
    }

    fn iter(&self) -> impl Iterator<Item = (&'static Property, &[u8])> {
        let starts = core::iter::once(0).chain(self.ends.iter().copied());
        let values = starts.zip(&self.ends).map(|(start, end)| self.bytes.get(start..*end));
        self.properties.iter().zip(values.map(Option::unwrap_or_default))
    }

    /// Appends the spawn properties.
    pub(crate) fn write_spawn(&self, row: &mut Vec<u8>) {
        let spawned = self.iter().filter(|(property, _)| property.spawn);
        spawned.for_each(|(_, value)| row.extend_from_slice(value));
    }

    /// The properties that have this mode, with their values, in order.
    pub(crate) fn sent(
        &self,
        mode: Replication,
    ) -> impl Iterator<Item = (&'static Property, &[u8])> {
        self.iter().filter(move |(property, _)| property.mode == mode)
    }
}

/// The number of properties that are sent on change.
const fn watched(mut properties: &[Property]) -> usize {
    let mut count: usize = 0;
    while let [property, rest @ ..] = properties {
        if matches!(property.mode, Replication::OnChange) {
            count = count.saturating_add(1);
        }
        properties = rest;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mask has a bit for each property that is sent on change, and for no other.
    #[test]
    fn a_mask_counts_the_properties_that_are_sent_on_change() {
        let modes = [Replication::Never, Replication::OnChange, Replication::Always];
        let all = modes.map(|mode| Property::new("a", true, mode));
        for (properties, count) in [(0, 0), (1, 0), (2, 1), (3, 1)] {
            assert_eq!(watched(&all[..properties]), count, "{properties}");
        }
        assert_eq!(watched(&[all[1]; 65]), 65);
    }
}
