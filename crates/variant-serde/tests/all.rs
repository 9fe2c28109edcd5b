//! The tests of this crate, as one program: it is linked once.

mod attributes;
mod generated;
mod kinds;
mod lifetimes;
mod matrix;
mod model;
mod refusals;
mod round_trip;
mod structs;
mod variant;
