//! [`Summary`], and the pass that arrives at it.

use crate::canonical::Canonical;
use crate::document::Document;
use crate::error::{Error, ErrorKind, NotCanonical, Result};
use crate::options::Profile;
use crate::scan::{Item, Scanner, Step};
use crate::walk::Meter;

/// What [`Document::validate`] found out.
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

/// Takes part in the pass without having a say in where it goes.
pub(crate) trait Sink<'a> {
    fn leaf(&mut self, item: &Item<'a>) -> Result<()>;
    fn enter(&mut self, item: &Item<'a>) -> Result<()>;
    fn exit(&mut self, end: usize) -> Result<()>;
}

/// Has nothing to say.
impl Sink<'_> for () {
    #[inline(always)]
    fn leaf(&mut self, _: &Item<'_>) -> Result<()> {
        Ok(())
    }

    #[inline(always)]
    fn enter(&mut self, _: &Item<'_>) -> Result<()> {
        Ok(())
    }

    #[inline(always)]
    fn exit(&mut self, _: usize) -> Result<()> {
        Ok(())
    }
}

/// Structure, limits and text in one pass, then whatever the profile adds.
pub(crate) fn validate(document: &Document<'_>) -> Result<Summary> {
    match document.options().profile {
        Profile::Engine => run(document, &mut ()),
        Profile::Canonical => {
            let summary = run(document, &mut Canonical::new(document))?;
            if summary.consumed < document.bytes().len() {
                let kind = ErrorKind::NotCanonical(NotCanonical::TrailingBytes);
                return Err(Error::new(kind, summary.consumed));
            }
            Ok(summary)
        }
    }
}

/// The pass of [`validate`] with `sink` listening.
pub(crate) fn run<'a, S: Sink<'a>>(document: &Document<'a>, sink: &mut S) -> Result<Summary> {
    let options = document.options();
    let mut scanner = Scanner::<true>::new(document.cursor(), options.mode());
    let mut meter = Meter::new(options);
    while let Some(step) = scanner.step()? {
        match step {
            Step::Leaf(item) => {
                meter.count(&item)?;
                sink.leaf(&item)?;
            }
            Step::Enter(item) => {
                meter.count(&item)?;
                sink.enter(&item)?;
            }
            Step::Exit(end) => sink.exit(end)?,
        }
    }
    Ok(Summary { consumed: scanner.offset(), values: meter.values, depth: meter.depth })
}
