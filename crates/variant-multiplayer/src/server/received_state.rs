//! [`ReceivedState`]: a state that a peer has sent.

use crate::peer::PeerId;
use crate::spawn::NetId;
use crate::values::CompactValues;

/// The state of a synchronizer, or changes of it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ReceivedState<'a> {
    /// The sender, who has authority over the synchronizer.
    pub from: PeerId,
    /// The synchronizer. The id of an adopted one is the server's ([`Spawned::synchronizers`](super::Spawned::synchronizers)).
    pub synchronizer: NetId,
    /// The path of the synchronizer; of an adopted one, the path of the spawner.
    pub path: &'a str,
    /// The on-change properties whose values follow; `None` if the always-sent properties follow.
    pub mask: Option<u64>,
    /// The values.
    pub values: CompactValues<'a>,
}
