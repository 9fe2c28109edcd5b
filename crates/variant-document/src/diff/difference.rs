//! [`Difference`]: a place where two files differ, and the change.

use std::fmt;
use std::ops::Range;

use variant_view::VariantView;

use crate::literal;
use crate::plain::Piece;

/// One of the two compared files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The old file.
    Old,
    /// The new file.
    New,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Old => "old file",
            Self::New => "new file",
        })
    }
}

/// A difference of two files.
#[derive(Clone, Debug)]
pub struct Difference<'a> {
    /// The piece of the file that contains the difference. Usually it is a piece of the old file. If the old file lacks
    /// the piece, or is one value without frames, it is a piece of the new file.
    pub piece: Piece<'a>,
    /// The change.
    pub change: Change<'a>,
}

/// A change.
#[derive(Clone, Debug)]
pub enum Change<'a> {
    /// One of these differs: a value, elements of a packed array, the kind of a key, or the types that a container
    /// declares.
    Changed {
        /// The value in the old file.
        old: Value<'a>,
        /// The value in the new file.
        new: Value<'a>,
    },
    /// Only the old file has the value.
    Removed(Value<'a>),
    /// Only the new file has the value.
    Added(Value<'a>),
    /// Further elements of a packed array that differ, all in one change. The first ranges of such elements are
    /// reported one by one before this change.
    Others {
        /// The path, from the first of these elements to the last.
        path: String,
        /// The number of elements that differ.
        elements: usize,
        /// The number of their ranges.
        ranges: u64,
    },
    /// The items of a container are in another order. Reported only if [`Rule::is_ordered`](super::Rule::is_ordered) is
    /// set.
    Reordered {
        /// The path of the container in the old file.
        path: String,
    },
}

/// A value in one of the files.
#[derive(Clone, Debug)]
pub struct Value<'a> {
    /// The path in the value of the file, shortened if it is long; `(root)` for the whole value.
    pub path: String,
    /// The offset in the file.
    pub offset: usize,
    /// The value itself.
    pub view: VariantView<'a>,
    /// The elements that differ, if the value is a packed array.
    pub elements: Option<Range<usize>>,
}

impl Value<'_> {
    /// The value as a short literal.
    pub fn literal(&self) -> String {
        let mut text = String::new();
        match &self.elements {
            Some(range) => literal::write_elements(&mut text, &self.view, range.clone()),
            None => literal::write(&mut text, &self.view),
        }
        text
    }

    /// The value with only these elements; `None` if the range is empty.
    pub(super) fn part(&self, range: &Range<usize>) -> Option<Self> {
        let elements = (!range.is_empty()).then(|| range.clone())?;
        Some(Self { path: slice(&self.path, range), elements: Some(elements), ..*self })
    }
}

/// The path of elements of a packed array, in the notation of slices.
pub(super) fn slice(array: &str, range: &Range<usize>) -> String {
    let array = if array == "(root)" { "" } else { array };
    match range.len() {
        1 => format!("{array}[{}]", range.start),
        _ => format!("{array}[{}:{}]", range.start, range.end),
    }
}
