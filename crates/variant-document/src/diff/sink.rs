//! [`Sink`]: what is told of a comparison.

use std::convert::Infallible;

use super::difference::{Difference, Side};
use crate::plain::Piece;

/// What is told of a comparison, in the order of the old file. A `Vec` keeps all differences.
pub trait Sink<'a> {
    /// Why the comparison is to end.
    type Error;

    /// A difference.
    ///
    /// # Errors
    /// The comparison ends.
    fn difference(&mut self, difference: Difference<'a>) -> Result<(), Self::Error>;

    /// So many bytes of `piece` are behind its value. They have no meaning, and are not compared.
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
