//! Any value that a dialect can hold, out of any bytes.

pub use variant_owned::arbitrary::{leaf, variant};
