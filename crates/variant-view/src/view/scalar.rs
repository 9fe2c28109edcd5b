//! Scalars, and the two extra types of Godot 2.

use core::fmt;

use super::{Raw, Width, raw_methods};
use crate::bytes::size;
use crate::layout;

/// A decoded value: `Nil`, `bool`, `int`, `float`, `RID` or `Callable`.
///
/// ```
/// use variant_view::{Dialect, Document, VariantView, Width};
///
/// let half = Document::new(b"\x03\0\0\0\0\0\0\x3f", Dialect::Godot4).root()?;
/// let VariantView::Float(float) = half else { panic!("not a float") };
/// assert_eq!((float.value(), float.width()), (0.5, Width::W32));
/// assert_eq!(float.bits(), 0x3f00_0000);
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct ScalarView<'a, T> {
    pub(super) raw: Raw<'a>,
    pub(super) value: T,
}

raw_methods!([T] ScalarView<'a, T>);

impl<T: Copy> ScalarView<'_, T> {
    /// The value. A `RID` is 0 in dialects that do not write its id. O(1).
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

    /// The bits on the wire. A 32-bit float has its bits in the low half. The bits keep the payload of a NaN.
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

/// An image of Godot 2 (docs/spec/format.md#image).
///
/// ```
/// use variant_view::{Dialect, Document};
///
/// // One pixel of one byte, as Godot 2 writes it
/// let bytes = b"\x0f\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\0\0\xff\0\0\0";
/// let image = Document::new(bytes, Dialect::Godot2).root()?.as_image()?;
/// assert_eq!((image.width(), image.height(), image.data()), (1, 1, &[0xff][..]));
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct ImageView<'a> {
    pub(super) raw: Raw<'a>,
}

raw_methods!([] ImageView<'a>);

impl<'a> ImageView<'a> {
    /// The engine's number of the pixel format.
    pub fn format(&self) -> u32 {
        self.raw.word(4)
    }

    /// The number of mipmaps.
    pub fn mipmaps(&self) -> u32 {
        self.raw.word(8)
    }

    /// The width in pixels.
    pub fn width(&self) -> u32 {
        self.raw.word(12)
    }

    /// The height in pixels.
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

/// An input event of Godot 2 (docs/spec/format.md#inputevent).
///
/// ```
/// use variant_view::{Dialect, Document};
///
/// // A touch with index 3, as Godot 2 writes it
/// let bytes = b"\x13\0\0\0\x06\0\0\0\0\0\0\0\x10\0\0\0\x03\0\0\0";
/// let touch = Document::new(bytes, Dialect::Godot2).root()?.as_input_event()?;
/// assert_eq!((touch.event(), touch.device(), touch.payload()), (6, 0, &[3, 0, 0, 0][..]));
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct InputEventView<'a> {
    pub(super) raw: Raw<'a>,
}

raw_methods!([] InputEventView<'a>);

impl<'a> InputEventView<'a> {
    /// The type of the event: 1 key, 3 mouse button, 4 joystick motion, 5 joystick button, 6 touch.
    pub fn event(&self) -> u32 {
        self.raw.word(4)
    }

    /// The device number.
    pub fn device(&self) -> u32 {
        self.raw.word(8)
    }

    /// The data of the event. Key: modifiers and scancode. Button or touch: an index. Joystick motion: the axis, and
    /// from Godot 2.1 on its value as `f32`. O(1).
    pub fn payload(&self) -> &'a [u8] {
        let len = layout::input_event_payload(self.event(), self.raw.word(12));
        self.raw.bytes.get(16..).and_then(|data| data.get(..len)).unwrap_or_default()
    }

    /// Whether a reader takes `len` payload bytes for an event of this type (docs/spec/format.md#inputevent). O(1).
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
