//! The remote debugger of Godot 3, Godot 4 and Pandemonium, without sockets: messages, commands, and sessions of both
//! roles. A debugger listens; the game connects (`--remote-debug`).
//!
//! A debugger handles the bytes of a game, and asks it something:
//!
//! ```
//! use std::time::Instant;
//! use variant_debugger::{Command, Family, Message, Session};
//!
//! let mut session = Session::default();
//! // The first bytes of a game of Godot 4.2 or later: `["set_pid", 1, [7]]`.
//! let received = b"\x30\0\0\0\x1c\0\0\0\x03\0\0\0\x04\0\0\0\x07\0\0\0set_pid\0\x02\0\0\0\x01\0\0\0\
//!     \x1c\0\0\0\x01\0\0\0\x02\0\0\0\x07\0\0\0";
//! session.handle(received, Instant::now());
//! while let Some(event) = session.next_event() {
//!     match event?.message() {
//!         Message::SetPid { pid } => assert_eq!(pid, 7),
//!         other => println!("{other:?}"),
//!     }
//! }
//! assert_eq!(session.family(), Some(Family::ArrayThreads));
//!
//! let to_the_game = session.send(&Command::Break)?;
//! assert_eq!(&to_the_game[4..8], b"\x1c\0\0\0");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What would block or end the game is refused:
//!
//! ```
//! use variant_debugger::{Command, Family, List, Session, SessionOptions};
//! use variant_view::Dialect;
//!
//! let options = SessionOptions::default().family(Family::Frames).dialect(Dialect::Godot3);
//! let mut session = Session::new(options);
//! let command = Command::Custom { name: "inspect_object".into(), arguments: List::default() };
//! println!("{}", session.send(&command).unwrap_err()); // a game of Godot 3.2 aborts on it
//! ```
//!
//! A game's side, for tests, and for programs that the engine's own editor inspects:
//!
//! ```
//! use std::time::Instant;
//! use variant_debugger::{Command, Game, GameOptions, LineKind, Line, List, Message};
//!
//! let mut game = Game::new(GameOptions::GODOT_4);
//! let lines = [Line { text: "hello".into(), kind: LineKind::Log, thread: None }];
//! let to_the_debugger = game.send(&Message::Output(List::from(&lines)))?;
//!
//! game.handle(&[], Instant::now()); // bytes of the debugger
//! while let Some(request) = game.next_request() {
//!     if let Ok(Command::SceneTree) = request?.command() {
//!         println!("the editor wants the tree");
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which type to use
//!
//! | for | type |
//! |---|---|
//! | a debugger | [`Session`], [`Event`], [`Message`], [`Command`] |
//! | a game | [`Game`], [`Request`] |
//! | sockets | [`Listener`], [`Connection`]; over tokio module `tokio` |
//! | what every message has | [`messages`] |
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `tokio` | module `tokio`: a listener and connections over tokio |
//!
//! # Costs and guarantees
//!
//! * Bytes may be hostile: no panic, no recursion, no allocation for a claimed count, no `unsafe`. [`Limits`] bounds
//!   sizes, counts, depth and rates.
//! * A session has at most one message in memory, and the bytes of one call of `handle`. Messages borrow from it.
//! * Time is linear in the bytes that arrive, whatever their parts.
//!
//! # Safety of a debugger
//!
//! A script can send any message: a false stop, a false process id, paths. A debugger can call any method of a game and
//! so run programs. See docs/spec/debugger.md in the repository.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod command;
mod envelope;
mod error;
mod event;
mod family;
mod game;
mod inbox;
mod limits;
mod list;
mod listener;
mod message;
mod messages;
mod outbox;
mod pen;
mod rate;
mod reader;
mod request;
mod session;
mod state;
#[cfg(feature = "tokio")]
pub mod tokio;
mod value;

pub use command::{Camera, Command, LiveEdit, Profiler, Target};
pub use error::{Error, ErrorKind, SendError};
pub use event::Event;
pub use family::{Family, NotAVersion, Version, Versions};
pub use game::{Game, GameOptions};
pub use limits::Limits;
pub use list::List;
pub use listener::{Connection, Listener};
pub use message::{
    CachedNode, Category, ErrorReport, FunctionProfile, Line, LineKind, Message, Node, NodeTraffic,
    Object, Profile, Property, RpcTraffic, Scope, Span, StackFrame, Stop, SyncTraffic, Time,
    Variable, VideoResource, VisualArea,
};
pub use messages::{Argument, Build, Direction, MessageRow, Source, When, messages};
pub use request::Request;
pub use session::{Session, SessionOptions};
pub use state::Stopped;
pub use value::Value;

/// Compiles the programs of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
