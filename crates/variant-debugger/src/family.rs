//! [`Family`] and [`Version`]: the forms of the protocol, and the engines' versions that decide between them.

use std::fmt;
use std::str::FromStr;

use variant_view::Dialect;

/// The form of the protocol (docs/spec/debugger.md). A session finds it in the first frames of a game.
///
/// ```
/// use variant_debugger::Family;
///
/// assert!(Family::ArrayThreads.has_threads() && Family::ArrayThreads.is_array());
/// assert_eq!(Family::Frames.to_string(), "frames");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// Godot 3 and Pandemonium 3: name, count, and a frame for each element.
    Frames,
    /// Pandemonium 4 and 5: name, thread, count, and a frame for each element.
    FramesThreads,
    /// Godot 4.0 and 4.1: one frame, `[name, elements]`.
    Array,
    /// Godot 4.2 and later: one frame, `[name, thread, elements]`.
    ArrayThreads,
}

impl Family {
    /// All families.
    pub const ALL: [Self; 4] = [Self::Frames, Self::FramesThreads, Self::Array, Self::ArrayThreads];

    /// Whether messages name a thread.
    pub const fn has_threads(self) -> bool {
        matches!(self, Self::FramesThreads | Self::ArrayThreads)
    }

    /// Whether a message is one frame with an array, as in Godot 4.
    pub const fn is_array(self) -> bool {
        matches!(self, Self::Array | Self::ArrayThreads)
    }

    /// Whether a game of this family can have `dialect`.
    pub const fn has_dialect(self, dialect: Dialect) -> bool {
        match self {
            Self::Frames => matches!(dialect, Dialect::Godot3 | Dialect::Pandemonium3),
            Self::FramesThreads => {
                matches!(dialect, Dialect::Pandemonium4 | Dialect::Pandemonium5)
            }
            Self::Array | Self::ArrayThreads => matches!(dialect, Dialect::Godot4),
        }
    }

    /// The longest frame that a game accepts, in bytes without the length word. A game of Godot 3 that gets a longer
    /// one reads nothing from then on.
    pub const fn longest_command(self) -> usize {
        if self.is_array() { (8 << 20) + 4 } else { 65_531 }
    }

    /// The name in lower case: `"frames"`, `"frames-threads"`, `"array"`, `"array-threads"`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Frames => "frames",
            Self::FramesThreads => "frames-threads",
            Self::Array => "array",
            Self::ArrayThreads => "array-threads",
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A version of Godot 4: major and minor.
///
/// ```
/// use variant_debugger::Version;
///
/// let version: Version = "4.4".parse()?;
/// assert!(version < Version::new(4, 5));
/// # Ok::<(), variant_debugger::NotAVersion>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The first number.
    pub major: u8,
    /// The second number.
    pub minor: u8,
}

impl Version {
    /// The version `major.minor`.
    pub const fn new(major: u8, minor: u8) -> Self {
        Self { major, minor }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// A text that is not a version such as `4.4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAVersion;

impl fmt::Display for NotAVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a version; expected two numbers, such as 4.4")
    }
}

impl std::error::Error for NotAVersion {}

impl FromStr for Version {
    type Err = NotAVersion;

    /// Reads `4.4`, and the start of `4.4.1.stable`.
    ///
    /// # Errors
    /// Any other text.
    fn from_str(text: &str) -> Result<Self, NotAVersion> {
        let mut numbers = text.split('.');
        let mut number = || numbers.next().and_then(|n| n.parse().ok()).ok_or(NotAVersion);
        Ok(Self { major: number()?, minor: number()? })
    }
}

/// The versions that the game may have, by its messages so far.
///
/// ```
/// use variant_debugger::{Version, Versions};
///
/// let versions = Versions::from(Version::new(4, 2)..=Version::new(4, 4));
/// assert_eq!(versions.reach(Version::new(4, 2)), Some(true));
/// assert_eq!(versions.reach(Version::new(4, 4)), None); // not known
/// assert_eq!(versions.reach(Version::new(4, 5)), Some(false));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Versions {
    /// The least version; `None` if not known.
    pub least: Option<Version>,
    /// The greatest version; `None` if not known.
    pub most: Option<Version>,
}

impl Versions {
    /// Whether the game has at least `version`; `None` if its messages do not show that yet.
    pub fn reach(&self, version: Version) -> Option<bool> {
        if self.least.is_some_and(|least| least >= version) {
            return Some(true);
        }
        self.most.is_some_and(|most| most < version).then_some(false)
    }

    /// Takes what `other` says in addition. A claim that contradicts what is known is ignored: a script can send any
    /// message.
    pub(crate) fn narrow(&mut self, other: Self) {
        let least = self.least.max(other.least);
        let most = match (self.most, other.most) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        if least.zip(most).is_none_or(|(least, most)| least <= most) {
            (self.least, self.most) = (least, most);
        }
    }
}

impl From<Version> for Versions {
    fn from(version: Version) -> Self {
        Self { least: Some(version), most: Some(version) }
    }
}

impl From<std::ops::RangeInclusive<Version>> for Versions {
    fn from(range: std::ops::RangeInclusive<Version>) -> Self {
        Self { least: Some(*range.start()), most: Some(*range.end()) }
    }
}

impl From<std::ops::RangeFrom<Version>> for Versions {
    fn from(range: std::ops::RangeFrom<Version>) -> Self {
        Self { least: Some(range.start), most: None }
    }
}
