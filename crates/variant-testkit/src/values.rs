//! Any value that a dialect can hold, made from any bytes.

pub use variant_owned::arbitrary::{leaf, variant};
