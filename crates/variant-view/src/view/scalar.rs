//! Values that are decoded at once, and Godot 2's two odd ones.

use core::fmt;

use super::{Raw, Width, raw_methods};
use crate::bytes::size;
use crate::layout;

/// A value that was decoded when it was reached: `Nil`, `bool`, `int`, `float`, `RID`, `Callable`.
#[derive(Clone, Copy)]
pub struct ScalarView<'a, T> {
    pub(super) raw: Raw<'a>,
    pub(super) value: T,
}

raw_methods!([T] ScalarView<'a, T>);

impl<T: Copy> ScalarView<'_, T> {
    /// The value. A `RID` of a dialect that does not write its id is 0. O(1).
    pub const fn value(&self) -> T {
        self.value
    }
}

impl<T: Copy> ScalarView<'_, T> {
    fn payload_width(&self) -> Width {
        if self.raw.bytes.len() > 8 { Width::W64 } else { Width::W32 }
    }
}

impl ScalarView<'_, i64> {
    /// The width on the wire.
    pub fn width(&self) -> Width {
        self.payload_width()
    }
}

impl ScalarView<'_, f64> {
    /// The width on the wire.
    pub fn width(&self) -> Width {
        self.payload_width()
    }

    /// The bits on the wire; of a 32-bit float in the low half. The way to see the payload of a NaN.
    pub fn bits(&self) -> u64 {
        match self.payload_width() {
            Width::W32 => u64::from(self.raw.word(4)),
            Width::W64 => self.raw.double_word(4),
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for ScalarView<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// An image of Godot 2: pixels and their description (docs/format.md, section 2.15).
#[derive(Clone, Copy)]
pub struct ImageView<'a> {
    pub(super) raw: Raw<'a>,
}

raw_methods!([] ImageView<'a>);

impl<'a> ImageView<'a> {
    /// The number of the engine's pixel format.
    pub fn format(&self) -> u32 {
        self.raw.word(4)
    }

    /// The number of smaller copies behind the image.
    pub fn mipmaps(&self) -> u32 {
        self.raw.word(8)
    }

    /// In pixels.
    pub fn width(&self) -> u32 {
        self.raw.word(12)
    }

    /// In pixels.
    pub fn height(&self) -> u32 {
        self.raw.word(16)
    }

    /// The pixels, mipmaps included. O(1).
    pub fn data(&self) -> &'a [u8] {
        let len = size(self.raw.word(20));
        self.raw.bytes.get(24..).and_then(|data| data.get(..len)).unwrap_or_default()
    }
}

impl fmt::Debug for ImageView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ImageView")
            .field("format", &self.format())
            .field("mipmaps", &self.mipmaps())
            .field("width", &self.width())
            .field("height", &self.height())
            .field("bytes", &self.data().len())
            .finish()
    }
}

/// An input event of Godot 2 (docs/format.md, section 2.15).
#[derive(Clone, Copy)]
pub struct InputEventView<'a> {
    pub(super) raw: Raw<'a>,
}

raw_methods!([] InputEventView<'a>);

impl<'a> InputEventView<'a> {
    /// What sort of event: 1 key, 3 mouse button, 4 joystick motion, 5 joystick button, 6 touch.
    pub fn event(&self) -> u32 {
        self.raw.word(4)
    }

    /// The number of the device.
    pub fn device(&self) -> u32 {
        self.raw.word(8)
    }

    /// What the event itself holds: of a key its modifiers and its scancode, of a button its index,
    /// of a joystick motion the axis and, from 2.1 on, its value as an `f32`. O(1).
    pub fn payload(&self) -> &'a [u8] {
        let len = layout::input_event_payload(self.event(), self.raw.word(12));
        self.raw.bytes.get(16..).and_then(|data| data.get(..len)).unwrap_or_default()
    }

    /// Whether a reader takes `len` bytes of payload for those of such an event, if the total says so (docs/format.md,
    /// section 2.15). O(1).
    pub fn takes_payload(event: u32, len: usize) -> bool {
        let total = crate::bytes::count(len).saturating_add(12);
        layout::input_event_payload(event, total) == len
    }
}

impl fmt::Debug for InputEventView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InputEventView")
            .field("event", &self.event())
            .field("device", &self.device())
            .field("payload", &self.payload())
            .finish()
    }
}
