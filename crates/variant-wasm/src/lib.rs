//! The module of the npm package `@variant-view/wasm`: the functions that `js/` calls. They are not a public API.
//!
//! JavaScript passes bytes to the module through [`codec::input`], a buffer of the module. Values are passed in both
//! directions as [`words`].

#![forbid(unsafe_code)]
#![cfg_attr(
    not(feature = "packets"),
    allow(dead_code, reason = "files have no options of packets")
)]

pub mod codec;
#[cfg(feature = "files")]
mod dense;
mod failure;
#[cfg(feature = "packets")]
pub mod fields;
#[cfg(feature = "files")]
pub mod file;
#[cfg(feature = "fuzz")]
pub mod fuzz;
#[cfg(feature = "migration")]
pub mod migration;
#[cfg(any(feature = "files", feature = "migration"))]
mod object;
mod options;
#[cfg(feature = "packets")]
pub mod packets;
#[cfg(any(feature = "files", feature = "migration"))]
mod reading;
mod words;

use variant_view::Kind;
use wasm_bindgen::prelude::wasm_bindgen;

/// The names of the kinds, in the order of their numbers in words, separated by spaces.
#[wasm_bindgen]
#[must_use]
pub fn kinds() -> String {
    Kind::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" ")
}

/// The names of the dialects, in the order of their numbers in options, separated by spaces.
#[wasm_bindgen]
#[must_use]
pub fn dialects() -> String {
    options::names()
}
