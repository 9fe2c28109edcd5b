//! Godot 4's high-level multiplayer (`SceneMultiplayer`) without Godot.
#![forbid(unsafe_code)]

mod peer;
mod transport;

#[cfg(feature = "enet")]
pub mod enet;
#[cfg(feature = "websocket")]
pub mod websocket;

pub use peer::{PeerId, Target};
pub use transport::{Delivery, Input, Output, Service, TransferMode, TransportLimits};
