//! `debug`: with games that follow a script, of every family, and with Godot 3 if it is installed.

#![cfg(unix)]

mod common;
mod live;
mod orders;
mod recordings;
mod reports;
mod scripted;
mod signals;
