//! The bodies of the fuzz targets `functions` and `table`. They are here, since the other targets do without Arrow.

#![allow(
    clippy::expect_used,
    clippy::missing_panics_doc,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a fuzz target reports a finding by a panic"
)]

mod functions;
mod table;

pub use functions::check_functions;
pub use table::check_table;
