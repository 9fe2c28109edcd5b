//! [`Summary`], and the validation pass.

use crate::canonical::{Canonical, Every};
use crate::error::{Error, ErrorKind, NotCanonical, Result};
use crate::options::{Options, Profile};
use crate::scan::flat::{self, Listener};
use crate::scan::{Outcome, Scanner, Sink};

/// The result of [`Document::validate`](crate::Document::validate).
///
/// ```
/// use variant_view::{Dialect, Document};
///
/// let bytes = [28, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0xff]; // [null], and one more byte
/// let summary = Document::new(&bytes, Dialect::Godot4).validate()?;
/// assert_eq!((summary.consumed, summary.values, summary.depth), (12, 2, 1));
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// The size of the root value in bytes. If the bytes end in a byte array without its padding, the missing padding
    /// is not counted; the engines count it (docs/spec/format.md#packedbytearray).
    pub consumed: usize,
    /// The number of values with a header, containers and keys included. Elements of packed arrays do not count.
    pub values: u64,
    /// The depth of the deepest value; the root's is 0.
    pub depth: u32,
}

/// Checks structure, limits and text in one pass, then the rules of the profile.
#[inline(never)]
pub(crate) fn validate(bytes: &[u8], options: &Options) -> Result<Summary> {
    // Nearly all documents are valid. For invalid documents, a second pass finds the exact error.
    match valid(bytes, options, &mut ()) {
        Some(summary) => Ok(summary),
        None => validate_slowly(bytes, options),
    }
}

/// The result of the flat pass. `None` if something is wrong, or if the exact pass must decide.
#[cfg_attr(not(variant_small), inline(always))]
pub(crate) fn valid<'a>(
    bytes: &'a [u8],
    options: &Options,
    listener: &mut impl Listener<'a>,
) -> Option<Summary> {
    if !is_flat(bytes, options) {
        return None;
    }
    let flat::Passed { len, values, depth } = flat::validate(bytes, options.mode(), listener)?;
    (values <= options.limits.values).then_some(Summary { consumed: len, values, depth })
}

/// Whether the exact pass can be skipped: neither the profile nor the limit on bytes needs it.
#[inline]
fn is_flat(bytes: &[u8], options: &Options) -> bool {
    options.profile == Profile::Engine && len_of(bytes) <= options.limits.bytes
}

/// Whether a flat pass that does not count values is enough. A document has at most as many values as words.
#[inline]
pub(crate) fn is_bounded(bytes: &[u8], options: &Options) -> bool {
    is_flat(bytes, options) && len_of(bytes) / 4 <= options.limits.values
}

fn len_of(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

#[inline(never)]
fn validate_slowly(bytes: &[u8], options: &Options) -> Result<Summary> {
    match options.profile {
        Profile::Engine => run(bytes, options, &mut ()),
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

/// Checks structure and limits in one pass, with the rules of [`Profile::Canonical`]. Reports each broken rule.
pub(crate) fn deviations(
    bytes: &[u8],
    options: &Options,
    found: impl FnMut(Error),
) -> Result<Summary> {
    let mut every = Every::new(bytes, options.mode(), found);
    let outcome = Scanner::<false>::of_document(bytes, options).run(&mut every)?;
    let summary = Summary::from(outcome);
    if summary.consumed < bytes.len() {
        let kind = ErrorKind::NotCanonical(NotCanonical::TrailingBytes);
        every.tell(Err(Error::new(kind, summary.consumed)));
    }
    Ok(summary)
}

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
