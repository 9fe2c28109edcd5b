//! [`Words`]: a document in words of 4 bytes, and the value at a position.

use super::levels::Level;
use super::text::{name, text, word};
use crate::bytes::{Cursor, Unfit};
use crate::contents::Contents;
use crate::header::Header;
use crate::layout::{self, Extent, Payload};
use crate::options::Mode;

/// A document in words of 4 bytes. `TEXT`: whether text is validated.
///
/// Positions do not wrap, even on 32-bit machines: a slice has less than 2^29 words there, and a step over unread words
/// adds at most 2^29. So the offset in bytes, which is four times the position, does not wrap either.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a, const TEXT: bool> {
    pub(super) bytes: &'a [u8],
    all: &'a [[u8; 4]],
    pub(super) mode: Mode,
}

impl<'a, const TEXT: bool> Words<'a, TEXT> {
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn new(bytes: &'a [u8], mode: Mode) -> Self {
        let (all, _) = bytes.as_chunks::<4>();
        Self { bytes, all, mode }
    }

    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn word(&self, at: usize) -> Option<u32> {
        word(self.all, at)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn header(&self, at: usize) -> Option<Header> {
        Header::parse(self.word(at)?, self.mode.dialect.rules())
    }

    pub(crate) const fn mode(&self) -> Mode {
        self.mode
    }

    /// The bytes from `at` on, including those after the last whole word.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn bytes_from(&self, at: usize) -> Option<&'a [u8]> {
        self.bytes.get(at.wrapping_mul(4)..)
    }

    /// The offset in bytes of the position `at`, at which the last value ended. A position past the last whole word is
    /// valid only if `is_open`: then the last value lacks its padding, and ends with the document. Otherwise returns
    /// `None`.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn end(&self, at: usize, is_open: bool) -> Option<usize> {
        if at <= self.all.len() {
            Some(at.wrapping_mul(4))
        } else {
            is_open.then_some(self.bytes.len())
        }
    }

    /// The position after the text whose length is at `at`.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn text(&self, at: usize) -> Option<usize> {
        text::<TEXT>(self.all, at, self.mode.dialect.rules().text)
    }

    /// Like [`Words::text`], for the name of a property.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn name(&self, at: usize) -> Option<usize> {
        name::<TEXT>(self.all, at, self.mode.dialect.rules().text)
    }

    /// The position after the value at `at`, and the items of the value. For a container, the position is that of the
    /// first item.
    ///
    /// A jump distinguishes rare kinds, so that the processor can start on the next value before it has read this
    /// value. Positions are returned, since a variable that another function writes is not kept in a register.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn step(
        &self,
        at: usize,
        header: Header,
        level: u32,
        is_open: &mut bool,
    ) -> Option<(usize, Level)> {
        let rules = self.mode.dialect.rules();
        let behind = match header.kind.payload() {
            Payload::Empty => at.wrapping_add(1),
            Payload::Fixed(bytes) => at.wrapping_add(usize::from(bytes) / 4).wrapping_add(1),
            Payload::Scalar => match layout::scalar_width(header, rules) {
                4 => at.wrapping_add(2),
                _ => at.wrapping_add(3),
            },
            Payload::Reals(lanes) => match layout::real_width(header, self.mode) {
                4 => at.wrapping_add(usize::from(lanes)).wrapping_add(1),
                _ => at.wrapping_add(usize::from(lanes).wrapping_mul(2)).wrapping_add(1),
            },
            Payload::Text => match self.text(at.wrapping_add(1)) {
                Some(behind) => behind,
                None if rules.open_string_end => return self.rare(at, header, level, is_open),
                None => return None,
            },
            Payload::Array if !layout::has_types(header, rules) => {
                let left = word(self.all, at.wrapping_add(1))? & layout::COUNT;
                return Some((at.wrapping_add(2), Level::new(left, Contents::Elements)));
            }
            Payload::Dictionary if !layout::has_types(header, rules) => {
                let pairs = word(self.all, at.wrapping_add(1))? & layout::COUNT;
                let left = pairs.wrapping_mul(2);
                return Some((at.wrapping_add(2), Level::new(left, Contents::Pairs)));
            }
            _ => return self.rare(at, header, level, is_open),
        };
        Some((behind, Level::LEAF))
    }

    /// [`Words::step`] for rare kinds. Sets `is_open` if the value is the last one and lacks its padding.
    #[cfg_attr(not(variant_small), inline(always))]
    fn rare(
        &self,
        at: usize,
        header: Header,
        level: u32,
        is_open: &mut bool,
    ) -> Option<(usize, Level)> {
        let mode = Mode { depth: self.mode.depth.saturating_sub(level), ..self.mode };
        let (behind, items) = rare::<TEXT>(self.bytes, at.wrapping_mul(4), header, mode)?;
        if !behind.is_multiple_of(4) {
            // Before the end of a document, only a plain node path of Godot 2 lacks padding. The exact pass reads such
            // a document.
            if behind != self.bytes.len() {
                return None;
            }
            *is_open = true;
        }
        Some((behind.div_ceil(4), items))
    }

    /// The position after the whole value at `at`, nested values included. `header` is the value's header. Sets
    /// `is_open` as [`Words::step`] does.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn value(&self, at: usize, header: Header, is_open: &mut bool) -> Option<usize> {
        self.few_values(at, header, is_open).or_else(|| self.any_value(at, is_open))
    }

    /// [`Words::value`] for a value with few values in it. `None` if there are more, or if something is wrong.
    #[cfg_attr(not(variant_small), inline(always))]
    fn few_values(&self, start: usize, first: Header, is_open: &mut bool) -> Option<usize> {
        let (mut at, mut header, mut left) = (start, first, 0_u32);
        // The depth needs no check: the number of containers is at most the maximum depth, so no container is too deep.
        let mut containers = 0_u32;
        loop {
            let opened;
            (at, opened) = self.step(at, header, containers, is_open)?;
            if !opened.is_empty() {
                containers = containers.wrapping_add(1);
                if containers > CONTAINERS.min(self.mode.depth)
                    || opened.left() > ITEMS
                    || opened.has_names()
                {
                    return None;
                }
                left = left.wrapping_add(opened.left());
            }
            left = match left.checked_sub(1) {
                Some(left) => left,
                None => return Some(at),
            };
            header = self.header(at)?;
        }
    }

    /// [`Words::value`] for a value of any size, not inlined.
    #[inline(never)]
    pub(crate) fn any_value(&self, at: usize, is_open: &mut bool) -> Option<usize> {
        let len = super::skip::<TEXT>(self.bytes_from(at)?, self.mode)?;
        *is_open |= !len.is_multiple_of(4);
        Some(at.wrapping_add(len.div_ceil(4)))
    }
}

/// The items of a value are skipped one by one if the value has at most this number of containers, with at most
/// [`ITEMS`] items in each.
const CONTAINERS: u32 = 8;
const ITEMS: u32 = 64;

/// The position after the value at `start`, and the items of the value. For a container, the position is that of the
/// first item.
#[inline(never)]
fn rare<const TEXT: bool>(
    bytes: &[u8],
    start: usize,
    header: Header,
    mode: Mode,
) -> Option<(usize, Level)> {
    let mut cursor = Cursor::<Unfit>::new(bytes.get(start..)?, start);
    cursor.take_up_to(4);
    let (behind, extent) = layout::payload::<TEXT, Unfit>(header, cursor, mode).ok()?;
    let items = match extent {
        Extent::Leaf => Level::LEAF,
        Extent::Open { items, form } => Level::new(items, form),
    };
    Some((behind.offset(), items))
}
