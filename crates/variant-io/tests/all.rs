//! The tests of this crate, as one program: it is linked once.

mod batch;
mod errors;
mod framing;
mod gcpf;
mod gdec;
mod iterators;
mod rewrap;
mod settings;
