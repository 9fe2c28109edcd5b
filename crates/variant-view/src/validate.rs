//! [`Summary`], and the validation pass.

use crate::bytes::Unfit;
use crate::canonical::Canonical;
use crate::error::{Error, ErrorKind, NotCanonical, Result};
use crate::options::{Options, Profile};
use crate::scan::{Outcome, Scanner, Sink};

/// The result of [`Document::validate`](crate::Document::validate).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// The size of the root value in bytes. Missing padding after a last byte array is not counted; the
    /// engines count it (docs/format.md, section 2.11).
    pub consumed: usize,
    /// The number of values with a header, containers and keys included. Elements of packed arrays do not
    /// count.
    pub values: u64,
    /// The depth of the deepest value; the root's is 0.
    pub depth: u32,
}

/// Structure, limits and text in one pass, then the rules of the profile.
pub(crate) fn validate(bytes: &[u8], options: &Options) -> Result<Summary> {
    match options.profile {
        Profile::Engine => {
            // Nearly all documents are valid; for the rest a second pass finds the exact error.
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

/// The fast pass, without error details. Not inlined, so its stack frame is gone when the exact pass runs.
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

/// Below this size templates cost more than they save.
const SMALL: usize = 512;

/// Ignores every event, and turns off templates.
struct Plain;

impl Sink<'_, Unfit> for Plain {}

/// The validation pass, with `sink` receiving its events.
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
