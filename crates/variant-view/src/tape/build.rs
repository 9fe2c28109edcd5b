//! The validation pass that fills a tape.

use alloc::vec::Vec;

use super::fill::Filling;
use super::node::Node;
use crate::bytes::Fault;
use crate::document::Document;
use crate::error::Result;
use crate::kind::Kind;
use crate::limits::Limits;
use crate::options::{Options, Profile};
use crate::scan::flat::Listener;
use crate::scan::{Item, Sink};
use crate::template::RecordPattern;
use crate::validate::{self, Summary};

/// The limit on bytes, because offsets have 32 bits.
const MAX_BYTES: u64 = 0xffff_ffff;

/// Validates the document and fills `nodes` from the start; the summary has the number of the document's values.
pub(super) fn build(document: &Document<'_>, nodes: &mut Vec<Node>) -> Result<Summary> {
    let Options { limits, profile, .. } = *document.options();
    let limits = Limits { bytes: limits.bytes.min(MAX_BYTES), ..limits };
    let (bytes, options) = (document.bytes(), Options { limits, ..*document.options() });
    if profile == Profile::Canonical {
        validate::validate(bytes, &options)?;
    }
    // Nearly all documents are valid. For invalid documents, a second pass finds the exact error.
    let engine = Options { profile: Profile::Engine, ..options };
    match validate::valid(bytes, &engine, &mut Filling::new(nodes)) {
        Some(summary) => Ok(summary),
        None => exactly(bytes, &options, nodes),
    }
}

/// The exact pass, in a separate function because of its large stack frame.
#[inline(never)]
fn exactly(bytes: &[u8], options: &Options, nodes: &mut Vec<Node>) -> Result<Summary> {
    validate::run(bytes, options, &mut Filling::new(nodes))
}

impl Listener<'_> for Filling<'_> {
    #[cfg_attr(not(variant_small), inline(always))]
    fn value(&mut self, start: usize, end: usize, kind: Kind) {
        self.leaf(start, end, kind);
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn open(&mut self, start: usize, kind: Kind, items: u32) {
        self.enter(start, kind, items);
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn close(&mut self) {
        self.exit();
    }
}

impl<'a, E: Fault> Sink<'a, E> for Filling<'_> {
    #[cfg_attr(not(variant_small), inline(always))]
    fn leaf(&mut self, item: &Item<'a>) -> Result<(), E> {
        self.leaf(item.start, item.end, item.header.kind);
        Ok(())
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn enter(&mut self, item: &Item<'a>) -> Result<(), E> {
        self.enter(item.start, item.header.kind, item.items);
        Ok(())
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn exit(&mut self, _end: usize) -> Result<(), E> {
        self.exit();
        Ok(())
    }

    fn learn(&mut self, pattern: RecordPattern) {
        self.learn(pattern);
    }

    fn jump(&mut self, pattern: RecordPattern, offset: usize, records: u32) {
        self.repeat(pattern, offset, records);
    }
}
