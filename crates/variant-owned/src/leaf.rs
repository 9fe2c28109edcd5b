//! Numbers with their wire width, and the small structs among the leaves.

use variant_view::{NodePathLeaf, Width, Wire as _};

use crate::text::Text;

/// An integer, and its width on the wire.
///
/// ```
/// use variant_owned::Int;
/// use variant_view::Width;
///
/// assert_eq!(Int::new(7).width(), Width::W32);
/// assert_eq!(Int::new(1 << 40).width(), Width::W64);
/// assert_eq!(Int::with_width(7, Width::W64), Int::new(7)); // equal by value
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Int {
    value: i64,
    width: Width,
}

impl Int {
    /// An integer in the width that the engine's writer picks: 32 bits if they hold it.
    pub fn new(value: i64) -> Self {
        let width = if i32::try_from(value).is_ok() { Width::W32 } else { Width::W64 };
        Self { value, width }
    }

    /// An integer in `width`, or in 64 bits if the value needs them.
    pub fn with_width(value: i64, width: Width) -> Self {
        match width {
            Width::W32 => Self::new(value),
            Width::W64 => Self { value, width },
        }
    }

    /// The value. O(1).
    pub const fn value(self) -> i64 {
        self.value
    }

    /// The width on the wire. O(1).
    pub const fn width(self) -> Width {
        self.width
    }
}

impl PartialEq for Int {
    /// Compares by value; the width does not matter.
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Eq for Int {}

/// A float, and its width on the wire.
///
/// ```
/// use variant_owned::Float;
/// use variant_view::Width;
///
/// assert_eq!(Float::new(0.5).width(), Width::W32); // exact in 32 bits
/// assert_eq!(Float::new(0.1).width(), Width::W64);
/// assert_eq!(Float::wide(0.5), Float::new(0.5)); // equal by value
/// assert_eq!(Float::new(f64::NAN), Float::new(f64::NAN));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Float {
    /// The bits. A 32-bit float has its bits in the low half, since widening may change a NaN.
    bits: u64,
    width: Width,
}

impl Float {
    /// A float in the width that the engine's writer picks: 32 bits if they hold it exactly, 64 bits for a NaN.
    #[expect(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        clippy::float_cmp,
        reason = "the engine's writer compares in this way"
    )]
    pub fn new(value: f64) -> Self {
        let narrow = value as f32;
        if f64::from(narrow) == value { Self::from(narrow) } else { Self::wide(value) }
    }

    /// A 64-bit float.
    pub const fn wide(value: f64) -> Self {
        Self { bits: value.to_bits(), width: Width::W64 }
    }

    /// A float with the width and bits of the wire.
    pub(crate) const fn from_wire(bits: u64, width: Width) -> Self {
        Self { bits, width }
    }

    /// The value. O(1).
    pub fn value(self) -> f64 {
        match self.width {
            Width::W32 => f64::from(f32::from_bits(self.low())),
            Width::W64 => f64::from_bits(self.bits),
        }
    }

    /// The width on the wire. O(1).
    pub const fn width(self) -> Width {
        self.width
    }

    /// The bits. A 32-bit float has its bits in the low half. O(1).
    pub const fn bits(self) -> u64 {
        self.bits
    }

    pub(crate) fn low(self) -> u32 {
        u32::try_from(self.bits & u64::from(u32::MAX)).unwrap_or_default()
    }
}

impl From<f32> for Float {
    /// A float of 32 bits, also for a NaN.
    fn from(value: f32) -> Self {
        Self { bits: value.to_bits().into(), width: Width::W32 }
    }
}

impl PartialEq for Float {
    /// Compares by value. All NaNs are equal, so that every value equals itself.
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (self.value(), other.value());
        a == b || (a.is_nan() && b.is_nan())
    }
}

/// The lowest bits of a 64-bit float's fraction, which a 32-bit float lacks.
const LOST: u32 = 29;

/// Widens the bits of a 32-bit float to 64, without a loss. A NaN keeps its bits, which an arithmetic conversion may
/// change.
pub fn widened(bits: u32) -> u64 {
    let float = f32::from_bits(bits);
    if !float.is_nan() {
        return f64::from(float).to_bits();
    }
    let (sign, fraction) = (u64::from(bits >> 31), u64::from(bits & 0x007f_ffff));
    sign << 63 | 0x7ff << 52 | fraction << LOST
}

/// The nearest 32-bit float, and whether it has the same value. A NaN keeps the bits that fit.
pub fn narrowed(value: f64) -> (f32, bool) {
    let bits = value.to_bits();
    if !value.is_nan() {
        let narrow = f32::narrow(value);
        return (narrow, widened(narrow.to_bits()) == bits);
    }
    let high = u32::try_from(bits >> LOST & 0x007f_ffff).unwrap_or_default();
    // A NaN whose fraction becomes 0 would be infinite.
    let fraction = if high == 0 { 1 << 22 } else { high };
    let sign = if bits >> 63 == 0 { 0 } else { 1 << 31 };
    let narrow = f32::from_bits(sign | 0x7f80_0000 | fraction);
    (narrow, widened(narrow.to_bits()) == bits)
}

/// A path to a node or a property.
///
/// ```
/// use variant_owned::{NodePath, Variant};
///
/// let path: Variant = r#"NodePath("/root/Main:position:x")"#.parse()?;
/// let Variant::NodePath(path) = path else { panic!("a node path") };
/// assert!(path.is_absolute);
/// assert_eq!((path.names.len(), path.subnames.len()), (2, 2));
/// # Ok::<(), variant_owned::TextError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct NodePath {
    /// The names: `root`, `Main` in `/root/Main:position:x`.
    pub names: Vec<Text>,
    /// The subnames: `position`, `x` in the same path.
    pub subnames: Vec<Text>,
    /// Whether the path starts at the root of the scene tree.
    pub is_absolute: bool,
    /// Whether the last subname is a legacy property, which only Godot 2 writes.
    pub has_property: bool,
    /// The whole path as one text. Godot 2 is the only engine that reads this old form. If it is set, all other fields
    /// are empty.
    pub plain: Option<Text>,
}

impl NodePath {
    /// Whether the path has one plain text and also names. No dialect can hold both.
    pub(crate) const fn is_mixed(&self) -> bool {
        self.plain.is_some() && (!self.names.is_empty() || !self.subnames.is_empty())
    }

    /// Parses a path like the engine: `/` separates names, `:` precedes each subname. O(bytes).
    ///
    /// A path with an empty subname, such as `a::b`, is invalid and becomes the empty path; a single trailing `:` is
    /// allowed.
    pub fn parse(path: &str) -> Self {
        let (names, subnames) = path.split_once(':').unwrap_or((path, ""));
        let subnames = subnames.strip_suffix(':').unwrap_or(subnames);
        let subnames: Vec<_> = match subnames {
            "" if !path.ends_with("::") => Vec::new(),
            subnames => subnames.split(':').collect(),
        };
        if subnames.contains(&"") {
            return Self::default();
        }
        Self {
            names: names.split('/').filter(|name| !name.is_empty()).map(Text::from).collect(),
            subnames: subnames.into_iter().map(Text::from).collect(),
            is_absolute: path.starts_with('/'),
            ..Self::default()
        }
    }
}

/// A path as the engine prints it: `/root/Main:position:x`.
pub(crate) fn path_bytes(path: &NodePathLeaf<'_>) -> Vec<u8> {
    let (names, subnames, is_absolute) = match path {
        NodePathLeaf::Plain(plain) => return plain.to_vec(),
        NodePathLeaf::Names { names, subnames, is_absolute, .. } => (names, subnames, is_absolute),
    };
    let mut printed = if *is_absolute { b"/".to_vec() } else { Vec::new() };
    for (i, name) in names.iter().enumerate() {
        printed.extend_from_slice(if i > 0 { b"/" } else { b"" });
        printed.extend_from_slice(name);
    }
    for subname in subnames.iter() {
        printed.push(b':');
        printed.extend_from_slice(subname);
    }
    printed
}

/// A signal: its name and the instance id of its object.
///
/// ```
/// use variant_owned::{Signal, Variant};
///
/// let value = Variant::from(Signal { name: "pressed".into(), object_id: 5 });
/// let signal = value.as_signal().unwrap();
/// assert_eq!((signal.name.to_str(), signal.object_id), (Some("pressed"), 5));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Signal {
    /// The signal's name.
    pub name: Text,
    /// The instance id of the object, valid only inside the process that wrote it.
    pub object_id: u64,
}

/// An image of Godot 2 (docs/spec/format.md#image).
///
/// ```
/// use variant_owned::{Image, Variant, encode};
/// use variant_view::Dialect;
///
/// let image = Image { width: 2, height: 1, data: vec![0, 255], ..Image::default() };
/// let value = Variant::Image(Box::new(image));
/// assert_eq!(value.as_image().map(|image| image.data.len()), Some(2));
/// assert!(encode(&value, Dialect::Godot3).is_err()); // only Godot 2 has the kind
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Image {
    /// The engine's number of the pixel format.
    pub format: u32,
    /// The number of mipmaps.
    pub mipmaps: u32,
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// The pixels, mipmaps included.
    pub data: Vec<u8>,
}

/// An input event of Godot 2 (docs/spec/format.md#inputevent).
///
/// ```
/// use variant_owned::{InputEvent, Variant};
///
/// let value = Variant::InputEvent(Box::new(InputEvent { device: 1, ..InputEvent::default() }));
/// assert_eq!(value.as_input_event().map(|event| event.device), Some(1));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct InputEvent {
    /// The type of the event; see [`InputEventView::event`](variant_view::InputEventView::event).
    pub event: u32,
    /// The device number.
    pub device: u32,
    /// The data of the event.
    pub payload: Vec<u8>,
}
