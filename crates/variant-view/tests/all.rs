//! The tests of this crate, as one program: it is linked once.

mod canonical;
mod compact;
mod depth;
mod events;
mod floors;
mod iterators;
mod packed_arrays;
mod paths;
mod prefixes;
mod records;
#[cfg(all(feature = "serde", feature = "alloc"))]
mod serialize;
mod templates;
mod visit;
