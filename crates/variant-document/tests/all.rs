//! The tests of this crate, as one program: it is linked once.

mod addresses;
mod declared;
mod diff;
mod graft;
mod places;
mod rows;
mod shapes;
