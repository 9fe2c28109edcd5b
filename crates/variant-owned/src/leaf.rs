//! Numbers that remember their width, and the small structures among the leaves.

use variant_view::Width;

use crate::text::Text;

/// An integer, and its width on the wire.
#[derive(Clone, Copy, Debug)]
pub struct Int {
    value: i64,
    width: Width,
}

impl Int {
    /// In the width that the engine's writer picks: 32 bits if they hold it.
    pub fn new(value: i64) -> Self {
        let width = if i32::try_from(value).is_ok() { Width::W32 } else { Width::W64 };
        Self { value, width }
    }

    /// In 64 bits if `width` says so or the value needs them.
    pub fn with_width(value: i64, width: Width) -> Self {
        match width {
            Width::W32 => Self::new(value),
            Width::W64 => Self { value, width },
        }
    }

    /// The value.
    pub const fn value(self) -> i64 {
        self.value
    }

    /// The width.
    pub const fn width(self) -> Width {
        self.width
    }
}

impl PartialEq for Int {
    /// By value.
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Eq for Int {}

/// A float, and its width on the wire.
#[derive(Clone, Copy, Debug)]
pub struct Float {
    /// Of a float of 32 bits, its bits in the low half: widening may change a NaN.
    bits: u64,
    width: Width,
}

impl Float {
    /// In the width that the engine's writer picks: 32 bits if they hold it exactly, and for a NaN 64.
    #[expect(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        clippy::float_cmp,
        reason = "the writer's own test"
    )]
    pub fn new(value: f64) -> Self {
        let narrow = value as f32;
        if f64::from(narrow) == value { Self::from(narrow) } else { Self::wide(value) }
    }

    /// In 64 bits.
    pub const fn wide(value: f64) -> Self {
        Self { bits: value.to_bits(), width: Width::W64 }
    }

    /// In the width and of the bits of the wire.
    pub(crate) const fn from_wire(bits: u64, width: Width) -> Self {
        Self { bits, width }
    }

    /// The value.
    pub fn value(self) -> f64 {
        match self.width {
            Width::W32 => f64::from(f32::from_bits(self.low())),
            Width::W64 => f64::from_bits(self.bits),
        }
    }

    /// The width.
    pub const fn width(self) -> Width {
        self.width
    }

    /// The bits, of a float of 32 bits in the low half.
    pub const fn bits(self) -> u64 {
        self.bits
    }

    pub(crate) fn low(self) -> u32 {
        u32::try_from(self.bits & u64::from(u32::MAX)).unwrap_or_default()
    }
}

impl From<f32> for Float {
    /// In 32 bits, NaN included.
    fn from(value: f32) -> Self {
        Self { bits: value.to_bits().into(), width: Width::W32 }
    }
}

impl PartialEq for Float {
    /// By value; a NaN equals every other NaN, so that a value equals itself.
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (self.value(), other.value());
        a == b || (a.is_nan() && b.is_nan())
    }
}

/// A path to a node or a property.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct NodePath {
    /// `root`, `Main` of `/root/Main:position:x`.
    pub names: Vec<Text>,
    /// `position`, `x` of the same.
    pub subnames: Vec<Text>,
    /// Whether it starts at the root of the tree.
    pub is_absolute: bool,
    /// Whether the last subname is a property in the legacy way; only Godot 2 writes that.
    pub has_property: bool,
    /// The whole path as one text, in the old form that only Godot 2 reads; then there is nothing else.
    pub plain: Option<Text>,
}

impl NodePath {
    /// Reads a path as the engine does: `/` between names, `:` before each subname.
    ///
    /// A path with an empty subname, `a::b`, is none: it is empty. Only at the end a `:` may stand alone.
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

/// A signal: a name and the id of its object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Signal {
    /// The signal's name.
    pub name: Text,
    /// The instance id of the object; means nothing outside of the process that wrote it.
    pub object_id: u64,
}

/// An image of Godot 2.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Image {
    /// The number of the engine's pixel format.
    pub format: u32,
    /// The number of smaller copies behind the image.
    pub mipmaps: u32,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// The pixels, mipmaps included.
    pub data: Vec<u8>,
}

/// An input event of Godot 2.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct InputEvent {
    /// What sort of event; see [`InputEventView::event`](variant_view::InputEventView::event).
    pub event: u32,
    /// The number of the device.
    pub device: u32,
    /// What the event itself holds.
    pub payload: Vec<u8>,
}
