//! A server of Godot 4's multiplayer and its clients in one thread, over a network that loses, delays and repeats packets.
//!
//! A script determines everything: the options of the server, and each step with its luck. After each input of the server,
//! its outputs are compared with a model of who sees whom and what. At the end the network is mended, and every client
//! knows what the server knows.

mod action;
mod bot;
mod client;
mod guest;
mod model;
mod network;
mod obey;
mod script;
mod setup;
mod shrink;
mod table;
mod world;

pub use script::{Failure, Script};
