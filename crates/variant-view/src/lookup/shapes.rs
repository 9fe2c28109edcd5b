//! [`Shapes`]: the shapes that a lookup remembers.

use alloc::vec::Vec;

use super::layout::Starts;
use super::learnt::Learnt;
use super::lessons::Lessons;
use super::shape::Shape;
use crate::document::Document;
use crate::options::{Options, Profile};
use crate::view::VariantView;

/// The maximum number of shapes that a lookup remembers.
const SHAPES: usize = 4;

pub(super) struct Shapes {
    options: Options,
    /// The shape of the previous document is first.
    all: Vec<Shape>,
    lessons: Lessons,
    /// The starts of the runs in the document that was compared last.
    starts: Starts,
}

impl Shapes {
    pub(super) fn new(options: Options) -> Self {
        let (lessons, starts) = (Lessons::new(), Starts::default());
        Self { options, all: Vec::new(), lessons, starts }
    }

    pub(super) const fn len(&self) -> usize {
        self.all.len()
    }

    /// The allocated memory in bytes.
    pub(super) fn memory(&self) -> usize {
        self.all.iter().map(Shape::memory).sum()
    }

    /// Whether a document has a known shape and is valid. Sets the values that the document has.
    ///
    /// Never inlined, so that the values are set in place: moved values cause store-forwarding stalls.
    #[inline(never)]
    pub(super) fn find<'a>(
        &mut self,
        bytes: &'a [u8],
        values: &mut [Option<VariantView<'a>>],
    ) -> bool {
        if !self.recognise(bytes) {
            return false;
        }
        self.lessons.hit();
        if let Some(shape) = self.all.first() {
            shape.read(bytes, &self.starts, values);
        }
        true
    }

    /// Whether a document has a known shape and is valid. Moves this shape to the first place.
    #[inline(always)]
    fn recognise(&mut self, bytes: &[u8]) -> bool {
        let Some(first) = self.all.first() else { return false };
        self.lessons.compares()
            && (first.recognise(bytes, &self.options, &mut self.starts).is_some()
                || self.recognise_other(bytes))
    }

    #[inline(never)]
    fn recognise_other(&mut self, bytes: &[u8]) -> bool {
        let has = |shape: &Shape| shape.recognise(bytes, &self.options, &mut self.starts).is_some();
        let Some(before) = self.all.iter().skip(1).position(has) else { return false };
        self.all.swap(0, before.saturating_add(1));
        true
    }

    /// Counts a valid document of an unknown shape, and may learn its shape. `values` were found in the document.
    pub(super) fn missed(&mut self, document: &Document<'_>, values: &[Option<VariantView<'_>>]) {
        if self.lessons.missed() && self.options.profile == Profile::Engine {
            self.learn(document, values);
        }
    }

    /// Remembers the shape of a valid document.
    #[cold]
    #[inline(never)]
    fn learn(&mut self, document: &Document<'_>, values: &[Option<VariantView<'_>>]) {
        let Some(learnt) = Learnt::of(document) else { return };
        let bytes = document.bytes();
        let Some(mut shape) = Shape::of(&learnt, bytes, values, &[]) else { return };
        // If a known shape and the new shape differ only in lengths, a shape with variable lengths replaces both. Both are
        // kept if such a shape would have too many of them.
        let mut known = self.all.iter().enumerate();
        if let Some((number, known)) = known.find(|(_, known)| known.is_like(&shape)) {
            let varying = known.varying(&shape);
            if let Some(wider) = Shape::of(&learnt, bytes, values, &varying) {
                self.all.swap_remove(number);
                shape = wider;
            }
        }
        self.all.truncate(SHAPES.saturating_sub(1));
        self.all.insert(0, shape);
    }
}
