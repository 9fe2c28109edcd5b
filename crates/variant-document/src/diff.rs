//! [`files`]: the differences between two files, value by value, for any dialects and layers.
//!
//! ```
//! use variant_document::Plain;
//! use variant_document::diff::{self, Change, Rule};
//! use variant_io::Framing;
//! use variant_view::{Dialect, Options};
//!
//! // {"hp": 7} and {"hp": 10}, as Godot 4 writes them
//! let old = [
//!     27, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, b'h', b'p', 0, 0, 2, 0, 0, 0, 7, 0, 0, 0,
//! ];
//! let mut new = old;
//! new[24] = 10;
//! let [old, new] = [&old, &new]
//!     .map(|bytes| Plain::new(bytes, Framing::Bare, Options::engine(Dialect::Godot4)));
//!
//! let mut found = Vec::new();
//! let summary = diff::files(old, new, &Rule::default(), &mut found).unwrap();
//! assert_eq!(summary.changed, 1);
//! let Change::Changed { old, new } = &found[0].change else { panic!("{found:?}") };
//! assert_eq!((old.path.as_str(), old.literal(), new.literal()), ("hp", "7".into(), "10".into()));
//! ```

mod alike;
mod changes;
mod difference;
mod half;
mod ident;
mod job;
mod label;
mod leaf;
mod level;
mod lists;
mod order;
mod regions;
mod rule;
mod run;
mod sink;
mod spans;
mod stop;
mod summary;
mod tell;
mod trail;
mod walk;

use variant_io::Framing;

pub use self::difference::{Change, Difference, Side, Value};
use self::ident::{ALONE, Ident, partners};
use self::job::Job;
pub use self::rule::Rule;
pub use self::sink::Sink;
pub use self::stop::Stop;
pub use self::summary::Summary;
use crate::plain::{Piece, Plain};

/// Reports the differences between two files to `sink`: matches settings by name, other values by number.
///
/// O(bytes of both) expected, and O(n log n) for n elements of an array with insertions; nothing recurses. Memory: a
/// list of the long values, a list of the ignored values, and a list of items for each container whose items do not
/// match in order.
///
/// # Errors
/// Damage in one of the files, after the differences reported so far; or the error of the sink.
pub fn files<'a, S: Sink<'a>>(
    old: Plain<'a>,
    new: Plain<'a>,
    rule: &Rule,
    sink: &mut S,
) -> Result<Summary, Stop<'a, S::Error>> {
    let mut job = Job::new(old, new, rule, sink);
    if (old.framing, new.framing) == (Framing::Settings, Framing::Settings) {
        by_name(&mut job)?;
    } else {
        by_number(&mut job)?;
    }
    Ok(job.summary)
}

fn by_number<'a, S: Sink<'a>>(job: &mut Job<'_, 'a, S>) -> Result<(), Stop<'a, S::Error>> {
    let (mut old, mut new) = (job.old.pieces(), job.new.pieces());
    loop {
        let (a, b) = (old.next().transpose(), new.next().transpose());
        match (a.map_err(Stop::cut(Side::Old))?, b.map_err(Stop::cut(Side::New))?) {
            (None, None) => return Ok(()),
            (a, b) => job.pieces(a, b)?,
        }
    }
}

/// Compares settings by name, as the engine reads them.
fn by_name<'a, S: Sink<'a>>(job: &mut Job<'_, 'a, S>) -> Result<(), Stop<'a, S::Error>> {
    let old: Vec<_> = job.old.pieces().collect::<Result<_, _>>().map_err(Stop::cut(Side::Old))?;
    let new: Vec<_> = job.new.pieces().collect::<Result<_, _>>().map_err(Stop::cut(Side::New))?;
    let ident =
        |piece: &Piece<'_>| -> Option<Ident> { piece.name.map(|name| job.idents.of_bytes(name)) };
    let [old_ids, new_ids] =
        [&old, &new].map(|pieces| pieces.iter().map(ident).collect::<Vec<_>>());
    let mut is_taken = vec![false; new.len()];
    for (a, partner) in old.iter().zip(partners(&old_ids, &new_ids)) {
        let at = usize::try_from(partner).ok().filter(|_| partner != ALONE);
        let b = at.and_then(|at| new.get(at));
        if let Some(taken) = at.and_then(|at| is_taken.get_mut(at)) {
            *taken = true;
        }
        job.pieces(Some(*a), b.copied())?;
    }
    for (b, _) in new.iter().zip(is_taken).filter(|(_, is_taken)| !is_taken) {
        job.pieces(None, Some(*b))?;
    }
    Ok(())
}
