//! [`SendError`]: the reason why a server cannot send.

use crate::rpc_writer::WriteError;

/// The reason why a server cannot send. The example of [`Network`](super::Network) has a `matches!` on this error.
#[derive(Debug)]
#[non_exhaustive]
pub enum SendError {
    /// The server has no node with this path: [`Network::add_node`](super::Network::add_node).
    UnknownNode(Box<str>),
    /// The node has no remote method with this name.
    UnknownMethod {
        /// The path of the node.
        node: Box<str>,
        /// The name of the method.
        method: Box<str>,
    },
    /// The server has spawned no node with this net id. Or the peer has not spawned the node that the server should
    /// adopt, or the server has adopted that node before.
    NotSpawned,
    /// The adopted nodes of a peer take more than [`ServerLimits::adopted`](super::ServerLimits::adopted).
    TooLarge,
    /// The audience is [`Audience::Viewers`](super::Audience::Viewers) of a node that was not spawned earlier.
    NotEarlier,
    /// The index of the scene is above 254.
    Scene,
    /// The name is in use by a spawned node, or engines refuse the name.
    Name(Box<str>),
    /// A spawned node's values are not in the compact form, or its argument is not one value in that form.
    Values,
    /// The arguments, or the properties of a state, cannot be written.
    Arguments(WriteError),
    /// All ids are used: 2^31 paths or spawned nodes.
    NoIds,
}

impl core::fmt::Display for SendError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::UnknownNode(path) => write!(f, "the server has no node {path:?}"),
            Self::UnknownMethod { node, method } => {
                write!(f, "the server's node {node:?} has no remote method {method:?}")
            }
            Self::Scene => f.write_str("the index of a scene is 0 to 254"),
            Self::Name(name) => write!(f, "a node cannot be spawned by the name {name:?}"),
            Self::Values => f.write_str("a node cannot be spawned with these values"),
            Self::NotEarlier => f.write_str("a node can have the viewers of an earlier node only"),
            Self::TooLarge => f.write_str("more nodes of the peer than the limits allow"),
            Self::NotSpawned => f.write_str("the server has spawned no node of this net id"),
            Self::Arguments(error) => error.fmt(f),
            Self::NoIds => f.write_str("no ids are left"),
        }
    }
}

impl core::error::Error for SendError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Arguments(error) => Some(error),
            _ => None,
        }
    }
}

impl From<WriteError> for SendError {
    fn from(error: WriteError) -> Self {
        Self::Arguments(error)
    }
}
