//! SQL.
#![forbid(unsafe_code)]
mod functions;
mod named;
pub use functions::functions;
pub use named::NamedArguments;
