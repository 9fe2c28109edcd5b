//! Tests of this crate.

mod documents;
