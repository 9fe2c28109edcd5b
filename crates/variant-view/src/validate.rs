//! [`Summary`], and the pass that arrives at it.

use crate::bytes::Unfit;
use crate::canonical::Canonical;
use crate::error::{Error, ErrorKind, NotCanonical, Result};
use crate::options::{Options, Profile};
use crate::scan::{Outcome, Scanner, Sink};

/// What [`Document::validate`](crate::Document::validate) found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// The bytes that the root value takes. Padding that is missing behind a last byte array does not
    /// count, while the engines count it.
    pub consumed: usize,
    /// The values with a header, containers and keys included; elements of packed arrays do not count.
    pub values: u64,
    /// The depth of the deepest value; the root's is 0.
    pub depth: u32,
}

/// Structure, limits and text in one pass, then whatever the profile adds.
pub(crate) fn validate(bytes: &[u8], options: &Options) -> Result<Summary> {
    match options.profile {
        Profile::Engine => {
            // Nearly all documents are fine; of the others a second pass says what is wrong.
            run_fast(bytes, options).or_else(|Unfit| run(bytes, options, &mut ()))
        }
        Profile::Canonical => {
            let summary = run(bytes, options, &mut Canonical::new(bytes, options.mode()))?;
            if summary.consumed < bytes.len() {
                let kind = ErrorKind::NotCanonical(NotCanonical::TrailingBytes);
                return Err(Error::new(kind, summary.consumed));
            }
            Ok(summary)
        }
    }
}

fn run_fast(bytes: &[u8], options: &Options) -> Result<Summary, Unfit> {
    if bytes.len() <= SMALL {
        pass(bytes, options, &mut Plain)
    } else {
        pass(bytes, options, &mut ())
    }
}

/// The pass without exact errors. A function of its own, so that its stack is free again when the other runs.
#[inline(never)]
pub(crate) fn pass<'a, S: Sink<'a, Unfit>>(
    bytes: &'a [u8],
    options: &Options,
    sink: &mut S,
) -> Result<Summary, Unfit> {
    let mut scanner = Scanner::<true, Unfit>::of_document(bytes, options);
    if !scanner.may_be_inexact() {
        return Err(Unfit);
    }
    scanner.run_fast(sink).map(Summary::from)
}

/// Packets are done with before it would pay to remember how their values are laid out.
const SMALL: usize = 512;

/// Has nothing to say, and wants every value to be looked at.
struct Plain;

impl Sink<'_, Unfit> for Plain {}

/// The pass of [`validate`] with `sink` listening.
pub(crate) fn run<'a, S: Sink<'a>>(
    bytes: &'a [u8],
    options: &Options,
    sink: &mut S,
) -> Result<Summary> {
    Scanner::<true>::of_document(bytes, options).run(sink).map(Summary::from)
}

impl From<Outcome<'_>> for Summary {
    fn from(outcome: Outcome<'_>) -> Self {
        let Outcome { cursor, values, depth } = outcome;
        Self { consumed: cursor.offset(), values, depth }
    }
}
