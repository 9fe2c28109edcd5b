//! The tests of this crate, as one program: it is linked once.

mod convert;
mod deep;
mod engine_text;
mod events;
mod hostile_text;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "json")]
mod json_events;
#[cfg(feature = "json")]
mod json_exact;
mod laws;
mod legal;
mod paths;
#[cfg(all(feature = "serde", feature = "json"))]
mod serde;
mod text_events;
mod text_form;
mod writer;
