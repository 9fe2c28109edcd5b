//! The values of a file as a tree: [`Children`] of a file or of a value, read as far as they are asked for.

mod children;
mod spot;

pub use children::{Children, Entry};
pub use spot::{Child, Label, Spot, text_of};
