//! [`Refusal`]: why something that a peer sent was dropped.

use crate::error::Error;
use crate::path_cache::PathError;

/// Why something was refused.
#[derive(Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// The packet is damaged, or a value in it is.
    Packet(Error),
    /// The packet is larger than the limits allow.
    TooLarge,
    /// More packets or bytes in a time than the limits allow.
    Flood,
    /// The path got no id.
    Path(PathError),
    /// No node of the server is meant: an id that was not told, or a path that the server does not have.
    UnknownNode,
    /// The node has no method of this id.
    UnknownMethod {
        /// The id.
        id: u16,
    },
    /// The peer has no authority over the node, and the method is for its authority alone.
    NotAllowed,
    /// The handler did not like the call.
    Call(Box<dyn core::error::Error + Send + Sync>),
    /// A node with a bad name or with an id that is in use, one too many, or one that the peer has not spawned.
    NotSpawned,
    /// Only servers send this.
    ServersOnly,
    /// Before its authentication a peer may send nothing else.
    NotAuthenticated,
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Packet(error) => error.fmt(f),
            Self::TooLarge => f.write_str("larger packet than the limits allow"),
            Self::Flood => f.write_str("more packets or bytes a second than the limits allow"),
            Self::Path(error) => error.fmt(f),
            Self::UnknownNode => f.write_str("the server has no such node"),
            Self::UnknownMethod { id } => write!(f, "the node has no method {id}"),
            Self::NotAllowed => f.write_str("the peer has no authority over the node"),
            Self::Call(error) => error.fmt(f),
            Self::NotSpawned => f.write_str("the node cannot be spawned or removed"),
            Self::ServersOnly => f.write_str("only a server may send this"),
            Self::NotAuthenticated => f.write_str("the peer is not authenticated"),
        }
    }
}

impl core::error::Error for Refusal {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Packet(error) => Some(error),
            Self::Path(error) => Some(error),
            Self::Call(error) => Some(&**error),
            _ => None,
        }
    }
}
