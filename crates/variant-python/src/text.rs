//! Texts as `str`. Bytes that are not UTF-8 become lone surrogates, as in Python's `surrogateescape` (PEP 383). No byte
//! is lost.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

const ESCAPE: &str = "surrogateescape";

/// A text as a `str`. O(bytes).
pub(crate) fn read<'py>(py: Python<'py>, text: &[u8]) -> PyResult<Bound<'py, PyString>> {
    if let Ok(text) = str::from_utf8(text) {
        return Ok(PyString::new(py, text));
    }
    let escaped = PyBytes::new(py, text).call_method1("decode", ("utf-8", ESCAPE))?;
    Ok(escaped.cast_into()?)
}

/// The bytes of a `str`. O(bytes).
pub(crate) fn written<'t>(text: &'t Bound<'_, PyString>) -> PyResult<Cow<'t, [u8]>> {
    if let Ok(text) = text.to_str() {
        return Ok(Cow::Borrowed(text.as_bytes()));
    }
    let bytes = text.call_method1("encode", ("utf-8", ESCAPE))?;
    Ok(Cow::Owned(bytes.cast::<PyBytes>()?.as_bytes().to_vec()))
}

/// A cache of texts and their `str`. Keys repeat, and looking up a `str` costs less than making it.
#[derive(Debug)]
pub(crate) struct Known {
    slots: Vec<Slot>,
}

/// A text, and the `str` that was made for it.
type Slot = Option<(Box<[u8]>, Py<PyString>)>;

/// Texts of at most this many bytes are remembered.
const LONGEST: usize = 24;
/// The number of slots, each for one text. If two texts have the same slot, the later text replaces the earlier one, so
/// hostile texts cannot make the cache slow.
const SLOTS: usize = 512;

impl Known {
    pub(crate) const fn new() -> Self {
        Self { slots: Vec::new() }
    }

    /// A text as a `str`. O(bytes).
    pub(crate) fn read<'py>(
        &mut self,
        py: Python<'py>,
        text: &[u8],
    ) -> PyResult<Bound<'py, PyString>> {
        if text.len() > LONGEST {
            return read(py, text);
        }
        if self.slots.is_empty() {
            self.slots.resize_with(SLOTS, || None);
        }
        let Some(slot) = slot_of(text).and_then(|index| self.slots.get_mut(index)) else {
            return read(py, text);
        };
        match slot {
            Some((known, string)) if **known == *text => Ok(string.bind(py).clone()),
            _ => {
                let string = read(py, text)?;
                *slot = Some((text.into(), string.clone().unbind()));
                Ok(string)
            }
        }
    }
}

fn slot_of(text: &[u8]) -> Option<usize> {
    let hash = text.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    });
    usize::try_from(hash >> 32).ok()?.checked_rem(SLOTS)
}
