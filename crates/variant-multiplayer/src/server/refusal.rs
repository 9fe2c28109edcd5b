//! [`Refusal`]: why a packet of a peer was dropped.

use std::sync::Arc;

use super::send_error::SendError;
use crate::error::Error;
use crate::path_cache::PathError;

/// The reason why a packet was refused.
///
/// ```
/// use variant_multiplayer::Packet;
/// use variant_multiplayer::server::Refusal;
///
/// let refusal = Refusal::Packet(Packet::parse(&[5, 9, 0]).unwrap_err());
/// match &refusal {
///     Refusal::Packet(error) => assert_eq!(error.offset(), 1),
///     Refusal::Flood | Refusal::TooLarge => println!("too much: {refusal}"),
///     other => println!("{other}"),
/// }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// The packet is damaged, or a value in it is damaged.
    Packet(Error),
    /// The packet, or the state of the peer's adopted nodes, is larger than the limits allow.
    TooLarge,
    /// The peer sends more packets or bytes per second than the limits allow.
    Flood,
    /// The id of a path was not stored.
    Path(PathError),
    /// The server has no such node: the id was not announced, or the path is unknown.
    UnknownNode,
    /// The node has no method with this id.
    UnknownMethod {
        /// The path of the node.
        node: Arc<str>,
        /// The id.
        id: u16,
    },
    /// The peer has no authority over the node, and only the authority may send this packet.
    NotAllowed {
        /// The path of the node.
        node: Arc<str>,
    },
    /// The handler refused the call. This is an offence of the peer, unless the error is a [`SendError`] of the
    /// handler's own packets.
    Call {
        /// The path of the node.
        node: Arc<str>,
        /// The name of the method.
        method: Box<str>,
        /// The handler's error.
        error: Box<dyn core::error::Error + Send + Sync>,
    },
    /// A spawned node has an invalid name or an id in use, or exceeds the limit of nodes. Or the peer removes a node
    /// that it has not spawned.
    NotSpawned,
    /// Only servers send such a packet.
    ServersOnly,
    /// Before its authentication, a peer may send only authentication data.
    NotAuthenticated,
    /// The handler refused the authentication data, or the peer sent such data without a request.
    Authentication,
    /// The number of values in a change differs from the number of properties in its mask.
    Mask,
    /// Other peers have used up a receiver's allowance, the server has sent too much because of this peer, or too many
    /// outputs of the server wait. This is not an offence.
    Overload,
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Packet(error) => error.fmt(f),
            Self::TooLarge => f.write_str("larger packet or state than the limits allow"),
            Self::Flood => f.write_str("more packets or bytes a second than the limits allow"),
            Self::Path(error) => error.fmt(f),
            Self::UnknownNode => f.write_str("the server has no such node"),
            Self::UnknownMethod { node, id } => write!(f, "{node:?} has no method {id}"),
            Self::NotAllowed { node } => write!(f, "the peer has no authority over {node:?}"),
            Self::Call { node, method, error } => write!(f, "{method} of {node:?}: {error}"),
            Self::NotSpawned => f.write_str("the node cannot be spawned or removed"),
            Self::ServersOnly => f.write_str("only a server may send this"),
            Self::NotAuthenticated => f.write_str("the peer has not authenticated itself yet"),
            Self::Authentication => f.write_str("authentication refused, or not asked for"),
            Self::Mask => f.write_str("a change has another number of values than its mask"),
            Self::Overload => f.write_str("more is sent to others than the limits allow"),
        }
    }
}

impl core::error::Error for Refusal {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Packet(error) => Some(error),
            Self::Path(error) => Some(error),
            Self::Call { error, .. } => Some(&**error),
            _ => None,
        }
    }
}

impl Refusal {
    /// Whether the refusal is an offence of the peer.
    pub(super) fn is_offence(&self) -> bool {
        match self {
            Self::Call { error, .. } => !error.is::<SendError>(),
            Self::Overload => false,
            _ => true,
        }
    }
}
