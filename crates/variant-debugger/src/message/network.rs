//! [`NodeTraffic`], [`RpcTraffic`], [`SyncTraffic`], [`CachedNode`]: the profile of the network.

use super::row::row;
use crate::error::{Error, SendError};
use crate::list::Row;
use crate::pen::Pen;
use crate::reader::Reader;
use std::borrow::Cow;

/// Remote calls of a node (Godot 3, Pandemonium).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeTraffic<'a> {
    /// The id of the node.
    pub id: i64,
    /// Its path.
    pub path: Cow<'a, str>,
    /// `rpc` received.
    pub rpc_in: i64,
    /// `rset` received.
    pub rset_in: i64,
    /// `rpc` sent.
    pub rpc_out: i64,
    /// `rset` sent.
    pub rset_out: i64,
}

/// Remote calls of a node (Godot 4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RpcTraffic<'a> {
    /// The id of the node.
    pub id: i64,
    /// Its path.
    pub path: Cow<'a, str>,
    /// Calls received.
    pub calls_in: i64,
    /// Their bytes.
    pub bytes_in: i64,
    /// Calls sent.
    pub calls_out: i64,
    /// Their bytes.
    pub bytes_out: i64,
}

/// A synchronizer (Godot 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyncTraffic {
    /// The id of the synchronizer.
    pub synchronizer: i64,
    /// The id of its configuration.
    pub config: i64,
    /// The id of its root node.
    pub root: i64,
    /// Synchronizations received.
    pub syncs_in: i64,
    /// Their bytes.
    pub bytes_in: i64,
    /// Synchronizations sent.
    pub syncs_out: i64,
    /// Their bytes.
    pub bytes_out: i64,
}

/// A node by its id (Godot 4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CachedNode<'a> {
    /// The id.
    pub id: i64,
    /// The class.
    pub class: Cow<'a, str>,
    /// The path.
    pub path: Cow<'a, str>,
}

row!(NodeTraffic<'a>, 'a, {
    id: int, path: text, rpc_in: int, rset_in: int, rpc_out: int, rset_out: int,
});

row!(RpcTraffic<'a>, 'a, {
    id: int, path: text, calls_in: int, bytes_in: int, calls_out: int, bytes_out: int,
});

row!(CachedNode<'a>, 'a, { id: int, class: text, path: text });

impl Row<'_> for SyncTraffic {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        Ok(Self {
            synchronizer: reader.int()?,
            config: reader.int()?,
            root: reader.int()?,
            syncs_in: reader.int()?,
            bytes_in: reader.int()?,
            syncs_out: reader.int()?,
            bytes_out: reader.int()?,
        })
    }
}

impl SyncTraffic {
    pub(crate) fn write(&self, pen: &mut Pen) -> Result<(), SendError> {
        let Self { synchronizer, config, root, syncs_in, bytes_in, syncs_out, bytes_out } = *self;
        let parts = [synchronizer, config, root, syncs_in, bytes_in, syncs_out, bytes_out];
        parts.into_iter().try_for_each(|part| pen.int(part))
    }
}
