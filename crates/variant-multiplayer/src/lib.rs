//! Godot 4's high-level multiplayer (`SceneMultiplayer`) without Godot.
#![forbid(unsafe_code)]

mod arguments;
mod bytes;
mod error;
mod packet;
mod path;
mod path_cache;
mod peer;
mod rpc;
mod rpc_table;
mod rpc_writer;
pub mod server;
mod spawn;
mod sync;
mod system;
mod transport;
#[cfg(feature = "serde")]
mod typed;

#[cfg(feature = "enet")]
pub mod enet;
#[cfg(feature = "websocket")]
pub mod websocket;

pub use arguments::Arguments;
pub use error::{Error, ErrorKind, Part};
pub use packet::{Command, Message, Packet};
pub use path::{Checksum, ConfirmPath, SimplifyPath, is_node_name};
pub use path_cache::{PathCache, PathError, PathLimits, Told};
pub use peer::{PeerId, Target};
pub use rpc::{IdWidth, MethodId, NodeRef, Rpc};
pub use rpc_table::RpcTable;
pub use rpc_writer::{RpcWriter, WriteError};
pub use spawn::{NetId, NetIds, Spawn, SpawnSource};
pub use sync::{
    Change, Changes, ChangesIter, Delta, State, States, StatesIter, Sync, push_change, push_state,
};
pub use system::{Relay, System};
pub use transport::{Delivery, Input, Output, Service, TransferMode, TransportLimits};
#[cfg(feature = "serde")]
pub use typed::{from_row, to_row};
