//! [`List`]: the items of a message.

use std::borrow::Cow;
use std::fmt;

use crate::error::Error;
use crate::reader::Reader;
use crate::value::Value;

/// The items of a message: borrowed from the bytes that arrived and read on iteration, or given by the program.
/// An iterator of `Result<T, Error>` that ends after the first error. `Clone` reads the items again. O(1) each.
///
/// ```
/// use variant_debugger::{Line, LineKind, List};
///
/// let given = [Line { text: "hello".into(), kind: LineKind::Log, thread: None }];
/// let lines: Result<Vec<_>, _> = List::from(&given).collect();
/// assert_eq!(lines?, given);
/// # Ok::<(), variant_debugger::Error>(())
/// ```
#[derive(Clone)]
pub struct List<'a, T> {
    source: Source<'a, T>,
}

#[derive(Clone)]
enum Source<'a, T> {
    Given(&'a [T]),
    Read(Reader<'a>),
}

/// An item that is read from elements.
pub trait Row<'a>: Sized + Clone {
    /// The next item. At least one element is left.
    #[doc(hidden)]
    fn read(reader: &mut Reader<'a>) -> Result<Self, Error>;

    /// The next item, or `None` at the end.
    #[doc(hidden)]
    fn next(reader: &mut Reader<'a>) -> Option<Result<Self, Error>> {
        (reader.left() > 0).then(|| Self::read(reader))
    }
}

impl<'a, T> List<'a, T> {
    pub(crate) const fn read(reader: Reader<'a>) -> Self {
        Self { source: Source::Read(reader) }
    }
}

impl<T> Default for List<'_, T> {
    fn default() -> Self {
        Self { source: Source::Given(&[]) }
    }
}

impl<'a, T> From<&'a [T]> for List<'a, T> {
    fn from(given: &'a [T]) -> Self {
        Self { source: Source::Given(given) }
    }
}

impl<'a, T, const N: usize> From<&'a [T; N]> for List<'a, T> {
    fn from(given: &'a [T; N]) -> Self {
        Self::from(given.as_slice())
    }
}

impl<'a, T> From<&'a Vec<T>> for List<'a, T> {
    fn from(given: &'a Vec<T>) -> Self {
        Self::from(given.as_slice())
    }
}

impl<'a, T: Row<'a>> Iterator for List<'a, T> {
    type Item = Result<T, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let item = match &mut self.source {
            Source::Given(given) => {
                let (first, rest) = given.split_first()?;
                *given = rest;
                Ok(first.clone())
            }
            Source::Read(reader) => T::next(reader)?,
        };
        if item.is_err() {
            self.source = Source::Given(&[]);
        }
        Some(item)
    }
}

impl<'a, T: Row<'a> + fmt::Debug> fmt::Debug for List<'a, T> {
    /// Shows the items. O(bytes).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl<'a> Row<'a> for Cow<'a, str> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Error> {
        reader.text()
    }
}

impl<'a> Row<'a> for Value<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Error> {
        reader.value().map(Self::View)
    }
}

impl<'a> Row<'a> for i64 {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Error> {
        reader.int()
    }
}
