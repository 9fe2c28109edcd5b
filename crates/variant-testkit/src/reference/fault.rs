//! [`Fault`]: possible errors, and the basic parsers.

use nom::error::ParseError;
use nom::{IResult, Parser, bytes, number};
use variant_view::Kind;

/// An error and its offset. The offset is that of an unreadable piece, of a text whose bytes the dialect does not
/// accept, or of a value that exceeds a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    /// The error.
    pub fault: Fault,
    /// The offset of the error.
    pub offset: usize,
}

/// An error (docs/spec/format.md#errors).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// `part` takes `needed` bytes, but only `available` bytes are left.
    Truncated {
        /// The piece that could not be read.
        part: Part,
        /// The number of bytes of the piece.
        needed: u64,
        /// The number of remaining bytes.
        available: usize,
    },
    /// The dialect has no kind with the id of this header (docs/spec/format.md#type-ids).
    UnknownType(u32),
    /// A length or count is negative.
    Negative(Part, u32),
    /// The bytes of a text break the dialect's rule, such as strict UTF-8 (docs/spec/format.md#text).
    Text,
    /// The old form of a path (docs/spec/format.md#nodepath).
    OldNodePath,
    /// A page of the documentation has no layout for this kind (docs/spec/errata.md).
    Unsupported(Kind),
    /// The dialect lacks this element type (docs/spec/format.md#typed-containers).
    ElementType(u32),
    /// This header is at the position of a class (docs/spec/format.md#typed-containers).
    ElementClass(u32),
    /// An object in full is not allowed (docs/spec/format.md#object).
    ObjectRefused,
    /// A limit is exceeded.
    Limit(Limit),
    /// A parser of nom failed without a fault of this enum. The parsers of this module never do.
    Parser(nom::error::ErrorKind),
}

/// The piece that could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A header.
    Header,
    /// A payload of fixed size, or the words of a payload.
    Payload(Kind),
    /// The length of a text.
    TextLength,
    /// A text.
    Text,
    /// The padding of a text.
    Padding,
    /// A count.
    Count(Kind),
    /// The elements of a packed array.
    Elements(Kind),
    /// The type of elements.
    ElementType,
    /// The number of properties.
    Properties,
}

/// The limit that is exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The limit of levels.
    Depth,
    /// The limit of bytes.
    Bytes,
    /// The limit of values.
    Values,
}

/// A fault, and the bytes from its offset.
#[derive(Debug)]
pub(super) struct Problem<'a> {
    pub(super) fault: Fault,
    pub(super) rest: &'a [u8],
}

pub(super) type Parsed<'a, T> = IResult<&'a [u8], T, Problem<'a>>;

impl<'a> ParseError<&'a [u8]> for Problem<'a> {
    fn from_error_kind(rest: &'a [u8], kind: nom::error::ErrorKind) -> Self {
        Self { fault: Fault::Parser(kind), rest }
    }

    fn append(_: &'a [u8], _: nom::error::ErrorKind, other: Self) -> Self {
        other
    }
}

impl<'a> Problem<'a> {
    /// The problem of a parser that needs more input. [`nom`]'s `complete` parsers never have it.
    pub(super) fn streaming(rest: &'a [u8]) -> Self {
        Self::from_error_kind(rest, nom::error::ErrorKind::Complete)
    }
}

/// Fails, and stops all alternatives. After this error, no other parser is tried.
pub(super) fn fail<T>(fault: Fault, rest: &[u8]) -> Parsed<'_, T> {
    Err(nom::Err::Failure(Problem { fault, rest }))
}

/// Takes `needed` bytes.
pub(super) fn take<'a>(
    part: Part,
    needed: u64,
) -> impl Parser<&'a [u8], Output = &'a [u8], Error = Problem<'a>> {
    let count = usize::try_from(needed).unwrap_or(usize::MAX);
    or_truncated(part, needed, bytes::complete::take(count))
}

pub(super) fn word<'a>(part: Part) -> impl Parser<&'a [u8], Output = u32, Error = Problem<'a>> {
    or_truncated(part, 4, number::complete::le_u32)
}

pub(super) fn double_word<'a>(
    part: Part,
) -> impl Parser<&'a [u8], Output = u64, Error = Problem<'a>> {
    or_truncated(part, 8, number::complete::le_u64)
}

/// Runs a parser that fails only if bytes are missing.
fn or_truncated<'a, T>(
    part: Part,
    needed: u64,
    mut parser: impl Parser<&'a [u8], Output = T, Error = ()>,
) -> impl Parser<&'a [u8], Output = T, Error = Problem<'a>> {
    move |input: &'a [u8]| match parser.parse(input) {
        Ok(parsed) => Ok(parsed),
        Err(_) => fail(Fault::Truncated { part, needed, available: input.len() }, input),
    }
}
