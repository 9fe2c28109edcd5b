//! The tests of this crate as one program, which is linked once.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may panic"
)]

#[cfg(unix)]
mod buckets;
#[cfg(target_os = "linux")]
mod cluster;
#[cfg(feature = "fuzz")]
mod fuzz;
#[cfg(unix)]
mod program;
#[cfg(unix)]
#[cfg_attr(
    not(target_os = "linux"),
    allow(dead_code, reason = "only the tests of the cluster end an executor")
)]
mod programs;
#[cfg(unix)]
mod readme;
mod table;
