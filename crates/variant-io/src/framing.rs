//! [`Framing`]: the separation of values in a file.

use std::fmt;

use variant_view::Dialect;

use crate::frame::ByteOrder;

/// The separation of values in a file (docs/spec/carriers.md#frames).
///
/// | to | call |
/// |---|---|
/// | read values | [`Framing::values`] |
/// | write values | [`Framing::writer`] |
/// | guess the framing | [`Framing::detect`] |
///
/// ```
/// use variant_io::{ByteOrder, Framing};
///
/// let framing = Framing::Frames(ByteOrder::Little);
/// assert_eq!(framing.name(), "frames");
/// assert_eq!(framing.values(&[4, 0, 0, 0, 0, 0, 0, 0]).count(), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Framing {
    /// One value without a length prefix: `var_to_bytes`, `PacketPeer.put_var`.
    Bare,
    /// A length prefix before each value: `File.store_var`, `StreamPeer.put_var`.
    Frames(ByteOrder),
    /// A name and a length prefix before each value: compiled project settings.
    Settings,
    /// Values one after another without length prefixes: `store_buffer(var_to_bytes(value))` more than once. The end of
    /// each value is found by reading the value in this dialect.
    Sequence(Dialect),
}

impl Framing {
    /// Every framing except [`Framing::Sequence`], in the order of preference among equal guesses.
    pub const ALL: [Self; 4] =
        [Self::Bare, Self::Frames(ByteOrder::Little), Self::Frames(ByteOrder::Big), Self::Settings];

    /// The names of the framings of [`Framing::ALL`] in its order, then `"sequence"`.
    pub const NAMES: [&'static str; 5] = ["bare", "frames", "frames-be", "settings", "sequence"];

    /// The framing with this name ([`Framing::name`]). `dialect` is the dialect of a sequence; other framings ignore
    /// it. O(1).
    ///
    /// ```
    /// use variant_io::Framing;
    /// use variant_view::Dialect;
    ///
    /// let dialect = Dialect::Godot3;
    /// assert_eq!(Framing::named("sequence", dialect), Some(Framing::Sequence(dialect)));
    /// assert_eq!(Framing::named("boxes", dialect), None);
    /// ```
    pub fn named(name: &str, dialect: Dialect) -> Option<Self> {
        let mut all = Self::ALL.into_iter().chain([Self::Sequence(dialect)]);
        all.find(|framing| framing.name() == name)
    }

    /// This framing for values in `dialect`. Only a sequence depends on the dialect. O(1).
    #[must_use]
    pub const fn of_dialect(self, dialect: Dialect) -> Self {
        match self {
            Self::Sequence(_) => Self::Sequence(dialect),
            other => other,
        }
    }

    /// The short name: `"bare"`, `"frames"`, `"frames-be"`, `"settings"`, `"sequence"`. O(1).
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bare => "bare",
            Self::Frames(ByteOrder::Little) => "frames",
            Self::Frames(ByteOrder::Big) => "frames-be",
            Self::Settings => "settings",
            Self::Sequence(_) => "sequence",
        }
    }
}

impl fmt::Display for Framing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
