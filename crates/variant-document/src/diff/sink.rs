//! [`Sink`]: receives the results of a comparison.

use std::convert::Infallible;

use super::difference::{Difference, Side};
use crate::plain::Piece;

/// Receives the results of a comparison, in the order of the old file. A `Vec` keeps all differences.
pub trait Sink<'a> {
    /// The reason to end the comparison.
    type Error;

    /// Receives a difference.
    ///
    /// # Errors
    /// The comparison ends.
    fn difference(&mut self, difference: Difference<'a>) -> Result<(), Self::Error>;

    /// `piece` has this many bytes after its value. They have no meaning, and are not compared.
    ///
    /// # Errors
    /// The comparison ends.
    fn rest(&mut self, side: Side, piece: Piece<'a>, bytes: usize) -> Result<(), Self::Error> {
        let _ = (side, piece, bytes);
        Ok(())
    }
}

impl<'a> Sink<'a> for Vec<Difference<'a>> {
    type Error = Infallible;

    fn difference(&mut self, difference: Difference<'a>) -> Result<(), Infallible> {
        self.push(difference);
        Ok(())
    }
}
