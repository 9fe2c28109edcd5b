//! Elements of packed arrays, which have no headers.

use std::ops::Range;

use variant_owned::{EncodeOptions, Precision, TextOptions, TextStyle, Variant, encode};
use variant_owned::{from_text, to_text};
use variant_view::{Document, Elements, Kind, VariantView, Width};

use super::{Job, fits, refuse, told_path};
use crate::query::Match;
use crate::trouble::Trouble;

/// A byte array that gets more or fewer elements, so that it needs another padding.
pub(super) struct ByteArray {
    padding: Range<usize>,
    len: usize,
    growth: isize,
}

impl<'a> Job<'_, '_, 'a> {
    pub(super) fn set_element(
        &mut self,
        found: &Match<'_, 'a>,
        array: &VariantView<'a>,
        value: &Variant,
    ) -> Result<(), Trouble> {
        let bytes = self.element(value, array)?;
        let range = found.start..found.end()?;
        if self.document.bytes().get(range.clone()) != Some(&bytes) {
            let after = self.encoded(value, None, None)?;
            let after = Document::new(&after, *self.document.options()).root()?;
            self.told.tell(|| told_path(found), Some(&found.value), Some(&after));
            self.patches.replace(range, bytes);
        }
        Ok(())
    }

    /// The bytes of a value as an element of a packed array.
    pub(super) fn element(
        &self,
        value: &Variant,
        array: &VariantView<'_>,
    ) -> Result<Vec<u8>, Trouble> {
        let misfit = || refuse(&format!("a {} cannot hold this value", array.kind()));
        let elements = array.elements().ok_or_else(misfit)?;
        fits(value, Some(elements.kind()))?;
        let one = alone(value, array.kind())?;
        let is_double = is_double(array, &elements);
        let precision = if is_double { Precision::Double } else { Precision::Single };
        let options = self.document.options();
        let encoding =
            EncodeOptions::new(options.dialect).reals(options.reals).precision(precision);
        let mut bytes = encode(&one, encoding).map_err(|error| Trouble::message(&error))?;
        let start = elements.start(0).filter(|start| *start <= bytes.len()).ok_or_else(misfit)?;
        bytes.drain(..start);
        // The padding of a byte array is that of the array.
        bytes.truncate(elements.size().unwrap_or(usize::MAX));
        Ok(bytes)
    }

    /// Notes that a packed array gets `by` more elements.
    pub(super) fn grow(&mut self, array: &VariantView<'_>, by: isize) {
        let (Kind::PackedByteArray, Some(elements)) = (array.kind(), array.elements()) else {
            return;
        };
        let start = array.offset();
        let end = start.saturating_add(array.head_bytes().len());
        let len = elements.len();
        let behind = start.saturating_add(elements.start(len).unwrap_or_default());
        let new = ByteArray { padding: behind..end, len, growth: 0 };
        let array = self.byte_arrays.entry(start).or_insert(new);
        array.growth = array.growth.saturating_add(by);
    }

    /// Adds the patches for the padding of the byte arrays that have none yet.
    pub(super) fn pad_byte_arrays(&mut self) {
        while let Some((start, _)) = self.byte_arrays.first_key_value() {
            self.pad_byte_array(*start);
        }
    }

    /// Adds the patch for the padding of the byte array at an offset, if its length changes.
    pub(super) fn pad_byte_array(&mut self, start: usize) {
        let Some(array) = self.byte_arrays.remove(&start) else { return };
        let len = array.len.saturating_add_signed(array.growth);
        let zeros = len.next_multiple_of(4).saturating_sub(len);
        self.patches.replace(array.padding, vec![0; zeros]);
    }
}

/// Whether the elements of an array have reals of 64 bits.
fn is_double(array: &VariantView<'_>, elements: &Elements<'_>) -> bool {
    let wide = array.kind().shape().map(|shape| shape.bytes(Width::W64));
    let narrow = array.kind().shape().map(|shape| shape.bytes(Width::W32));
    wide != narrow && elements.size() == wide
}

/// The packed array of one element.
fn alone(value: &Variant, array: Kind) -> Result<Variant, Trouble> {
    if let Variant::String(text) = value {
        return Ok(Variant::PackedStringArray([text.clone()].into_iter().collect()));
    }
    let text = to_text(value, &TextOptions::new(TextStyle::Godot4));
    let numbers = text.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
    from_text(&format!("{array}({})", numbers.unwrap_or(&text)))
        .map_err(|error| refuse(&format!("a {array} cannot hold {text}: {error}")))
}
