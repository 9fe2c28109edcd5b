//! [`ReceivedState`]: a state that a peer has sent.

use crate::peer::PeerId;
use crate::spawn::NetId;
use crate::values::CompactValues;

/// The state of a synchronizer, or its changes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ReceivedState<'a> {
    /// The sender. It has authority over the synchronizer.
    pub from: PeerId,
    /// The synchronizer. An adopted synchronizer has the server's id
    /// ([`Spawned::synchronizers`](super::Spawned::synchronizers)).
    pub synchronizer: NetId,
    /// The path of the synchronizer. For an adopted synchronizer, the path of the spawner.
    pub path: &'a str,
    /// The on-change properties in `values`. `None` if `values` are the always-sent properties.
    pub mask: Option<u64>,
    /// The values.
    pub values: CompactValues<'a>,
}
