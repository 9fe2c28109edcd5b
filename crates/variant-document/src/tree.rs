//! The values of a file as a tree: [`Children`] of a file or of a value, read on demand.

mod children;
mod matches;
mod spot;
mod store;
mod walk;

pub use children::{Children, Entry, Known};
pub use matches::{Matches, matches};
pub use spot::{Child, Label, Spot, text_of};
pub use store::Store;
pub use walk::Walk;
