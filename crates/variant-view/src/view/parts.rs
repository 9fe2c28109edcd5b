//! [`Parts`]: the data from which views are made.

use core::marker::PhantomData;

use super::raw::{Raw, Source};
use super::{ArrayView, MathView, PackedReals, PackedSlice, ScalarView, StrView, Width, Wire};
use crate::header::Header;
use crate::kind::Kind;
use crate::layout;
use crate::options::Mode;

#[derive(Clone, Copy)]
pub(super) struct Parts<'a> {
    pub(super) kind: Kind,
    pub(super) bytes: &'a [u8],
    pub(super) len: usize,
    pub(super) offset: usize,
    pub(super) mode: Mode,
}

impl<'a> Parts<'a> {
    /// The bytes of the value alone.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn raw(self) -> Raw<'a> {
        Raw { bytes: self.bytes.get(..self.len).unwrap_or(self.bytes), offset: self.offset }
    }

    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn source(self) -> Source<'a> {
        Source { raw: Raw { bytes: self.bytes, offset: self.offset }, mode: self.mode }
    }

    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn leaf<T>(self, value: impl FnOnce(Raw<'a>) -> T) -> ScalarView<'a, T> {
        let raw = self.raw();
        ScalarView { raw, value: value(raw) }
    }

    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn math<T: Wire>(self) -> MathView<'a, T> {
        let narrow = size_of::<T>().saturating_add(4);
        let width = if self.len > narrow { Width::W64 } else { Width::W32 };
        MathView { raw: self.raw(), width, marker: PhantomData }
    }

    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn fixed<T>(self) -> MathView<'a, T> {
        MathView { raw: self.raw(), width: Width::W32, marker: PhantomData }
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn real_width(self) -> Width {
        let header = Header::known(self.raw().word(0), self.kind);
        match layout::real_width(header, self.mode) {
            8 => Width::W64,
            _ => Width::W32,
        }
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn scalar_width(self) -> Width {
        if self.len > 8 { Width::W64 } else { Width::W32 }
    }

    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn int(self) -> ScalarView<'a, i64> {
        let width = self.scalar_width();
        self.leaf(|raw| match width {
            Width::W32 => i64::from(raw.word(4).cast_signed()),
            Width::W64 => raw.double_word(4).cast_signed(),
        })
    }

    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn float(self) -> ScalarView<'a, f64> {
        let width = self.scalar_width();
        self.leaf(|raw| match width {
            Width::W32 => f64::from(f32::from_bits(raw.word(4))),
            Width::W64 => f64::from_bits(raw.double_word(4)),
        })
    }

    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn packed<T: Wire>(self) -> PackedSlice<'a, T> {
        PackedSlice::new(self.raw())
    }

    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn packed_reals<T: Wire>(self) -> PackedReals<'a, T> {
        PackedReals { packed: PackedSlice::new(self.raw()), width: self.real_width() }
    }

    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn text(self) -> StrView<'a> {
        StrView::of_variant(self.raw(), self.mode.dialect)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn array(self) -> ArrayView<'a> {
        ArrayView { source: self.source() }
    }
}
