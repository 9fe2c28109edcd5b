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
    /// An error ends the comparison.
    fn difference(&mut self, difference: Difference<'a>) -> Result<(), Self::Error>;

    /// Receives the number of bytes that follow the value of `piece`. These bytes have no meaning, and are not
    /// compared.
    ///
    /// # Errors
    /// An error ends the comparison.
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
