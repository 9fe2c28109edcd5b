//! Godot 4's high-level multiplayer (`SceneMultiplayer`) without Godot: packets, and a server that engine clients join.
//!
//! Read a call, and answer it:
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
//! An untrusted packet is refused at its first wrong byte:
//!
//! ```
//! use variant_multiplayer::{ErrorKind, Packet};
//!
//! // The call above, but its path starts after the end of the packet.
//! let error = Packet::parse(b"\x20\xff\0\0\x80\0\x00").unwrap_err();
//! println!("{error}; {}", error.hint());
//! assert!(error.offset() <= 7);
//!
//! // The call is complete, but its second argument is not a value. Arguments are decoded on request.
//! let packet = Packet::parse(b"\x20\x0b\0\0\x80\0\x02\x02\x05\x3f\x06World\0")?;
//! let error = packet.validate().unwrap_err();
//! assert_eq!(error.offset(), 9);
//! assert!(matches!(error.kind(), ErrorKind::Value(_)));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! Unmodified clients of the engine can join this server, here without a socket:
//!
//! ```
//! use std::time::Instant;
//! use variant_multiplayer::server::{Call, CallResult, Handler, Method, Network, Node, Server, ServerOptions};
//! use variant_multiplayer::{Delivery, Input, PeerId, Service, Target};
//!
//! struct Chat;
//!
//! impl Handler for Chat {
//!     type Event = ();
//!
//!     // The script has `@rpc("any_peer") func say(text)` and `@rpc func said(who, text)`.
//!     fn call(&mut self, call: Call<'_>, network: &mut Network) -> CallResult {
//!         let (text,): (&str,) = call.arguments.decode()?;
//!         Ok(network.rpc(Target::All, "World", "said", &(call.from.get(), text))?)
//!     }
//! }
//!
//! let world = Node::new("World").method("say", Method::ANY_PEER).method("said", Method::AUTHORITY);
//! let mut server = Server::new(Chat, ServerOptions::default(), [world]);
//!
//! // A program runs `Driver::new(server).websocket(listener).enet(socket).run(shutdown)` instead.
//! let (client, now) = (PeerId::client(77).expect("an id"), Instant::now());
//! server.handle(Input::Connected { peer: client, address: None }, now);
//! let call = b"\x20\x13\0\0\x80\x01\x01\x04\0\0\0\x02\0\0\0hi\0\0World\0";
//! server.handle(Input::Received { from: client, bytes: call, delivery: Delivery::RELIABLE }, now);
//! assert_eq!(std::iter::from_fn(|| server.output()).count(), 2, "the path's id, and the call");
//! ```
//!
//! # Which type to use
//!
//! | for | type |
//! |---|---|
//! | a server: nodes with remote methods, peers, relays, spawned and synchronized nodes, limits | module [`server`] |
//! | the engine's transports over tokio | `Driver` |
//! | clients for bots and tests | modules `websocket`, `enet` |
//! | packets: parsing them into borrowed parts, and writing them | [`Packet`], [`Message`] |
//! | arguments of remote calls, as values or as Rust types | [`Arguments`], [`RpcWriter`] |
//! | the state of a spawned node as a struct | [`Replicated`], [`Network::replicate`](server::Network::replicate) |
//! | rows of values in the compact form | [`CompactValues`], module [`compact`] |
//! | ids of methods, and the checksum of their names | [`RpcTable`] |
//! | ids of paths, in both directions | [`PathCache`] |
//! | the interface between a transport and a program, without sockets and clocks | [`Service`], [`Input`], [`Output`] |
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `serde` | arguments and properties as Rust types (serde) |
//! | `derive` (default) | `serde`, and `#[derive(Replicated)]`: the state of a node from a struct |
//! | `websocket` | `Driver::websocket` and `websocket::Client`, over tokio |
//! | `enet` | `Driver::enet` and `enet::Client`, over tokio |
//! | `tracing` | events and spans of the server, with the target `variant_multiplayer` |
//!
//! # Costs and guarantees
//!
//! * A method is O(1) and allocates nothing, unless its documentation says otherwise. Methods that write append to a
//!   `Vec` of the caller: O(bytes written), and the `Vec` may grow. Methods that send have this cost for each receiver.
//! * Bytes may be hostile: no panic, no recursion, no allocation for a claimed count, no `unsafe`.
//! * [`Error`] has the byte offset.
//!
//! # Guides
//!
//! In the repository: `docs/multiplayer-server.md` is the guide, `docs/spec/multiplayer.md` the format,
//! `docs/guides/limits.md` the threat model, `examples/multiplayer_server.rs` a server with a client for the engine, and
//! `examples/lobby` a process for each match.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod arguments;
mod bytes;
mod command;
pub mod compact;
#[cfg(any(feature = "enet", feature = "websocket"))]
mod driver;
mod error;
mod packet;
mod path;
mod path_cache;
mod peer;
#[cfg(feature = "serde")]
mod replicated;
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
mod values;

#[cfg(feature = "enet")]
pub mod enet;
#[cfg(feature = "websocket")]
pub mod websocket;

pub use arguments::Arguments;
pub use command::Command;
#[cfg(any(feature = "enet", feature = "websocket"))]
pub use driver::Driver;
pub use error::{Error, ErrorKind, Part};
pub use packet::{Message, Packet};
pub use path::{Checksum, ConfirmPath, SimplifyPath, is_node_name};
pub use path_cache::{PathCache, PathError, PathLimits, Told};
pub use peer::{PeerId, Target};
#[cfg(feature = "serde")]
pub use replicated::{Property, Replicated, Replication};
pub use rpc::{IdWidth, MethodId, NodeRef, Rpc};
pub use rpc_table::RpcTable;
pub use rpc_writer::{RpcWriter, WriteError};
pub use spawn::{NetId, NetIds, Spawn, SpawnSource};
pub use sync::{
    Change, Changes, ChangesIter, Delta, State, States, StatesIter, Sync, push_change, push_state,
};
pub use system::{Relay, System};
pub use transport::{Delivery, Departure, Input, Output, Service, TransferMode, TransportLimits};
#[cfg(feature = "serde")]
pub use typed::{from_row, to_row};
pub use values::{CompactIter, CompactValues};
#[cfg(feature = "derive")]
pub use variant_multiplayer_derive::Replicated;

/// Items for the code that `#[derive(Replicated)]` writes.
#[cfg(feature = "derive")]
#[doc(hidden)]
pub mod derived {
    pub use serde::ser::{Error, Serialize, Serializer};
}

/// Compiles the programs of the README.
#[cfg(all(doctest, feature = "serde"))]
#[doc = include_str!("../README.md")]
struct Readme;
