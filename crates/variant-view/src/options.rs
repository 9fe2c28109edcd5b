//! [`Options`]: everything about a document that its bytes do not say.

use core::fmt;
use core::str::FromStr;

use crate::dialect::{Dialect, Page};
use crate::limits::Limits;

/// How wide the reals of mathematical types are (docs/format.md, section 2.12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Reals {
    /// By bit 16 of each value's header where the dialect has that flag (Godot 4), 4 bytes elsewhere.
    /// What every released engine reads.
    #[default]
    ByFlag,
    /// 8 bytes, flag or not: the layout that the documentation gives for double-precision builds, and
    /// that early Godot 4 double builds wrote. Vectors, rectangles, planes, quaternions, boxes,
    /// matrices, and packed arrays of real vectors; never `Color`, `float` or packed float arrays.
    /// Of a [`Page`] it is what the page says of double precision.
    Always64,
}

impl Reals {
    /// Both, the released engines' own first.
    pub const ALL: [Self; 2] = [Self::ByFlag, Self::Always64];

    /// The name in lower case, as [`FromStr`] reads it: `"by-flag"`, `"always64"`. O(1).
    ///
    /// ```
    /// use variant_view::Reals;
    ///
    /// assert_eq!("always64".parse(), Ok(Reals::Always64));
    /// assert_eq!(Reals::ByFlag.name(), "by-flag");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::ByFlag => "by-flag",
            Self::Always64 => "always64",
        }
    }
}

impl fmt::Display for Reals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text given to [`Reals::from_str`] names no width of reals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownReals;

impl fmt::Display for UnknownReals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such width of reals; expected one of")?;
        Reals::ALL.iter().try_for_each(|reals| write!(f, " {reals}"))
    }
}

impl core::error::Error for UnknownReals {}

impl FromStr for Reals {
    type Err = UnknownReals;

    /// Reads a name as [`Reals::name`] writes it; letter case does not matter.
    ///
    /// # Errors
    /// [`UnknownReals`] for any other text.
    fn from_str(text: &str) -> Result<Self, UnknownReals> {
        let mut all = Self::ALL.iter().copied();
        all.find(|reals| reals.name().eq_ignore_ascii_case(text)).ok_or(UnknownReals)
    }
}

/// Which bytes are accepted as valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Profile {
    /// What that engine's reader accepts.
    #[default]
    Engine,
    /// Only what that engine's current writer writes: zero padding, the narrowest widths, booleans 0 or 1,
    /// no unknown flags, no two keys that its reader would take for one, no trailing bytes. Older writers left
    /// memory garbage in padding, behind the names of node paths up to Godot 4.6.2, and Godot 3.0 wrote all
    /// integers wide; their files are valid and not canonical. Checked by
    /// [`Document::validate`](crate::Document::validate).
    Canonical,
}

/// What to do with objects that carry class and properties.
///
/// They are inert data here, whatever this says: nothing is ever instantiated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Objects {
    /// Show them. What the engines do with `allow_objects`, less the instantiation.
    #[default]
    Accept,
    /// Refuse them, as the engines do unless told otherwise. For a server whose peers decode what it
    /// forwards. Objects by id pass.
    Refuse,
}

/// Everything about a document that its bytes do not say.
///
/// ```
/// use variant_view::{Dialect, Limits, Options, Profile};
///
/// let options = Options::new(Dialect::Godot4)
///     .profile(Profile::Canonical)
///     .limits(Limits::SERVER);
/// assert_eq!(options.limits.depth, 128);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Options {
    /// Whose bytes these are.
    pub dialect: Dialect,
    /// How wide reals are.
    pub reals: Reals,
    /// Which bytes are valid.
    pub profile: Profile,
    /// Whether full objects are.
    pub objects: Objects,
    /// How much there may be.
    pub limits: Limits,
}

impl Options {
    /// The engine's own rules and limits for `dialect`; full objects are shown.
    pub const fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            reals: Reals::ByFlag,
            profile: Profile::Engine,
            objects: Objects::Accept,
            limits: Limits::ENGINE,
        }
    }

    /// What a page of the documentation says, taken at its word, in place of what an engine does: for bytes of a
    /// program that was written from it. The same as [`Options::new`] with [`Page::dialect`].
    pub const fn documented(page: Page) -> Self {
        Self::new(page.dialect())
    }

    /// For bytes from strangers: [`Limits::SERVER`], and full objects refused.
    pub const fn server(dialect: Dialect) -> Self {
        Self::new(dialect).limits(Limits::SERVER).objects(Objects::Refuse)
    }

    /// The same with other `reals`.
    #[must_use]
    pub const fn reals(mut self, reals: Reals) -> Self {
        self.reals = reals;
        self
    }

    /// The same with another `profile`.
    #[must_use]
    pub const fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// The same with another rule for `objects`.
    #[must_use]
    pub const fn objects(mut self, objects: Objects) -> Self {
        self.objects = objects;
        self
    }

    /// The same with other `limits`.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}

impl From<Page> for Options {
    fn from(page: Page) -> Self {
        Self::documented(page)
    }
}

impl From<&Self> for Options {
    fn from(options: &Self) -> Self {
        *options
    }
}

impl From<Dialect> for Options {
    fn from(dialect: Dialect) -> Self {
        Self::new(dialect)
    }
}

/// What of the options a view carries along: eight bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mode {
    pub(crate) depth: u32,
    pub(crate) dialect: Dialect,
    pub(crate) reals: Reals,
    pub(crate) objects: Objects,
}

impl Mode {
    /// How to read what is in a container: one level less is left to it.
    pub(crate) const fn inner(self) -> Self {
        Self { depth: self.depth.saturating_sub(1), ..self }
    }
}

impl Options {
    pub(crate) const fn mode(&self) -> Mode {
        // Without an allocator there is room for so many levels and no more.
        let room = if cfg!(feature = "alloc") { u32::MAX } else { Limits::MAX_DEPTH_NO_ALLOC };
        let wanted = self.limits.depth;
        Mode {
            depth: if wanted < room { wanted } else { room },
            dialect: self.dialect,
            reals: self.reals,
            objects: self.objects,
        }
    }
}
