//! [`SignalView`]: a signal's name and object (docs/spec/format.md#signal).

use core::fmt;

use super::wire_texts::next_text;
use super::{Raw, StrView, raw_methods};
use crate::dialect::Dialect;
use crate::error::Part;

/// A signal: its name and the instance id of its object.
///
/// ```
/// use variant_view::{Dialect, Document};
///
/// let bytes = b"\x1a\0\0\0\x03\0\0\0hit\0\x2a\0\0\0\0\0\0\0";
/// let signal = Document::new(bytes, Dialect::Godot4).root()?.as_signal()?;
/// assert_eq!((signal.name().to_str()?, signal.object_id()), ("hit", 42));
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct SignalView<'a> {
    pub(super) raw: Raw<'a>,
    pub(super) dialect: Dialect,
}

raw_methods!([] SignalView<'a>);

impl<'a> SignalView<'a> {
    /// The signal's name. O(1).
    pub fn name(&self) -> StrView<'a> {
        let mut cursor = self.raw.cursor();
        let (text, offset) = cursor
            .u32(Part::Header)
            .ok()
            .and_then(|_| next_text(&mut cursor))
            .unwrap_or((&[], self.raw.offset));
        StrView::of_name(text, offset, self.dialect)
    }

    /// The instance id of the object, valid only inside the process that wrote it. O(1).
    pub fn object_id(&self) -> u64 {
        self.raw.bytes.last_chunk().map_or(0, |id| u64::from_le_bytes(*id))
    }
}

impl fmt::Debug for SignalView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignalView")
            .field("name", &self.name())
            .field("object_id", &self.object_id())
            .finish()
    }
}
