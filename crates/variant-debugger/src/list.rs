//! [`List`]: the items of a message.

/// The items of a message: borrowed from the bytes that arrived and read on iteration, or given by the program.
/// An iterator of `Result<T, Error>`; ends after the first error. `Clone` to read again.
#[derive(Clone, Debug)]
pub struct List<'a, T> {
    given: &'a [T],
}

impl<T> Default for List<'_, T> {
    fn default() -> Self {
        Self { given: &[] }
    }
}

impl<'a, T> From<&'a [T]> for List<'a, T> {
    fn from(given: &'a [T]) -> Self {
        Self { given }
    }
}

impl<'a, T, const N: usize> From<&'a [T; N]> for List<'a, T> {
    fn from(given: &'a [T; N]) -> Self {
        Self { given }
    }
}

impl<'a, T> From<&'a Vec<T>> for List<'a, T> {
    fn from(given: &'a Vec<T>) -> Self {
        Self { given }
    }
}
