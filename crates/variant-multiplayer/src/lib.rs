//! Godot 4's high-level multiplayer (`SceneMultiplayer`) without Godot: packets, and a server that engine clients join.
//!
//! | part | for |
//! |---|---|
//! | [`server`] | a server: nodes with remote methods, peers, relays, spawned and synchronized nodes, limits |
//! | `websocket`, `enet` (features of these names) | the engine's transports over tokio, and clients for bots and tests |
//! | [`Packet`], [`Message`] | a packet as borrowed parts; the same bytes again |
//! | [`Arguments`], [`RpcWriter`] | arguments of remote calls, as values or as the program's own types (feature `serde`, on by default) |
//! | [`RpcTable`] | ids of methods, and the checksum of their names |
//! | [`PathCache`] | ids of paths, in both directions |
//! | [`Service`], [`Input`], [`Output`] | between a transport and a program, without sockets and clocks |
//!
//! The guide is `docs/multiplayer-server.md`, the format `docs/multiplayer.md`. The server is `examples/multiplayer_server.rs`, with an
//! engine's client beside it.
//!
//! A call is read, and answered:
//!
//! ```
//! use variant_multiplayer::{Message, NodeRef, Packet, RpcTable, RpcWriter};
//!
//! // `World` has `@rpc("any_peer") func add(a, b)` and `@rpc func sum(value)`.
//! let table = RpcTable::new(["sum", "add"]);
//! let call = b"\x20\x0b\0\0\x80\0\x02\x02\x05\x02\x06World\0";
//! let Message::Rpc(rpc) = Packet::parse(call)?.message else { panic!("no call") };
//! assert_eq!((rpc.node, table.name(rpc.method.id())), (NodeRef::Path("World"), Some("add")));
//! let (a, b): (i64, i64) = rpc.arguments.decode()?;
//!
//! let mut answer = Vec::new();
//! let sum = table.id("sum").ok_or("no such method")?;
//! RpcWriter::new(rpc.node, sum, &mut answer).int(a + b).finish()?;
//! assert_eq!(answer, b"\x20\x09\0\0\x80\x01\x01\x02\x0bWorld\0");
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! Bytes may be anyone's: no panic, no recursion, no allocation by a claimed count, no `unsafe`. Errors ([`Error`]) have the byte.
//! Reading a packet costs O(1), and O(bytes) for the values that are asked for.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

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

/// Compiles the programs of the README.
#[cfg(all(doctest, feature = "serde"))]
#[doc = include_str!("../README.md")]
struct Readme;
