//! [`NewNode`]: a node to spawn, and [`Spawned`]: its ids.

use super::actor::ActorSource;
use super::audience::Audience;
use super::synchronizer::Synchronizer;
use crate::spawn::NetId;

/// The ids of a spawned node.
///
/// ```
/// use variant_multiplayer::{Target, to_row};
/// use variant_multiplayer::server::{Call, CallResult, Handler, Network, NewNode, Node};
/// use variant_multiplayer::server::{Server, ServerOptions};
///
/// struct Quiet;
///
/// impl Handler for Quiet {
///     type Event = ();
///
///     fn call(&mut self, _: Call<'_>, _: &mut Network) -> CallResult {
///         Ok(())
///     }
/// }
///
/// let mut server = Server::new(Quiet, ServerOptions::default(), [Node::new("Spawner")]);
/// let network = server.network();
/// let player = network.spawn("Spawner", NewNode::scene(0, "Player").synchronizers(1).state(to_row(&(10.0, 20.0))?))?;
/// network.sync(Target::All, &[(player.synchronizers[0], &to_row(&(11.0, 20.0))?)]);
/// network.despawn(player.node)?;
/// assert!(network.despawn(player.node).is_err()); // it is gone
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Spawned {
    /// The node.
    pub node: NetId,
    /// Its synchronizers, in the order of the scene.
    pub synchronizers: Vec<NetId>,
}

/// A node to spawn, for [`Network::spawn`](super::Network::spawn).
///
/// ```
/// use variant_multiplayer::server::{NewNode, RoomId};
/// use variant_multiplayer::to_row;
///
/// let orc = NewNode::scene(0, "Orc").synchronizers(1).state(to_row(&(10.0, 20.0))?).audience(RoomId::LOBBY);
/// # let _ = orc;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct NewNode {
    pub(super) source: ActorSource,
    pub(super) name: Box<str>,
    pub(super) synchronizers: Vec<Synchronizer>,
    /// The spawn properties: a row for each synchronizer, or one row for all.
    pub(super) rows: Vec<Vec<u8>>,
    pub(super) audience: Audience,
}

impl NewNode {
    /// A node of a scene, by its index in the spawner's list: 0 to 254. Everyone sees the node. Spawned nodes of one
    /// spawner must have different names, even if their audiences differ.
    pub fn scene(scene: u8, name: &str) -> Self {
        Self::new(ActorSource::Scene(scene), name)
    }

    /// A node that the spawner's custom function makes, as `MultiplayerSpawner.spawn(argument)` does. `argument` is one
    /// value in the compact form ([`to_row`](crate::to_row)). Everyone sees the node.
    pub fn custom(argument: Vec<u8>, name: &str) -> Self {
        Self::new(ActorSource::Function(argument), name)
    }

    pub(super) fn new(source: ActorSource, name: &str) -> Self {
        let (name, audience) = (name.into(), Audience::EVERYONE);
        Self { source, name, synchronizers: Vec::new(), rows: Vec::new(), audience }
    }

    /// Adds this number of synchronizers: those of the scene over which the server has authority. Do not count a
    /// synchronizer over which a client has authority: it is a separate node
    /// ([`Network::add_node`](super::Network::add_node), [`Node::authority`](super::Node::authority)).
    pub fn synchronizers(mut self, synchronizers: usize) -> Self {
        let all = self.synchronizers.len().saturating_add(synchronizers);
        self.synchronizers.resize_with(all, Synchronizer::default);
        self
    }

    /// Sets the spawn properties of all of the server's synchronizers, in the compact form ([`to_row`](crate::to_row)).
    /// They replace the properties of [`NewNode::replicated`].
    pub fn state(mut self, state: Vec<u8>) -> Self {
        self.rows = vec![state];
        self
    }

    /// Sets the peers that see the node.
    pub fn audience(mut self, audience: impl Into<Audience>) -> Self {
        self.audience = audience.into();
        self
    }
}
