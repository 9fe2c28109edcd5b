//! A server of Godot 4's multiplayer and its clients in one thread. Their network loses, delays and repeats packets.
//!
//! A script determines everything: the options of the server, and each step with the random events of the network.
//! After each input of the server, its outputs are compared with a model of what each peer sees. At the end the network
//! is repaired. Then every client must know the state of the server.

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
