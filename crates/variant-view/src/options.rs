//! [`Options`]: the facts about a document that its bytes do not contain.

use core::fmt;
use core::str::FromStr;

use crate::dialect::{Dialect, Page};
use crate::error::UnknownName;
use crate::limits::Limits;

/// The width of the reals in mathematical types (docs/spec/format.md#double-precision).
///
/// ```
/// use variant_view::{Dialect, Document, Options, Reals};
///
/// let mut bytes = vec![5, 0, 0, 0]; // a Vector2 of an early double build, without the flag
/// bytes.extend([1.0_f64, 2.0].map(f64::to_le_bytes).concat());
/// let options = Options::engine(Dialect::Godot4).reals(Reals::Always64);
/// assert_eq!(Document::new(&bytes, options).root()?.as_vector2()?.y, 2.0);
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Reals {
    /// 8 bytes if the dialect has the flag of wide reals (Godot 4) and bit 16 of the value's header is set; else 4
    /// bytes. Every released engine has this rule.
    #[default]
    ByFlag,
    /// Always 8 bytes. The documentation gives this layout for double-precision builds. Early double builds of Godot 4
    /// wrote it, without the flag. Applies to vectors, rectangles, planes, quaternions, boxes, matrices and packed
    /// arrays of real vectors; never to `Color`, `float` or packed float arrays. For a [`Page`], this rule means
    /// the page's layout for double precision.
    Always64,
}

impl Reals {
    /// All rules; the rule of the released engines is first.
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

const NAMES: &[&str] = &[Reals::ByFlag.name(), Reals::Always64.name()];

impl FromStr for Reals {
    type Err = UnknownName;

    /// Parses a name of [`Reals::name`], ignoring case.
    ///
    /// # Errors
    /// Any other text.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let mut all = Self::ALL.iter().copied();
        all.find(|reals| reals.name().eq_ignore_ascii_case(text))
            .ok_or(UnknownName::new("width of reals", NAMES))
    }
}

/// The bytes that count as valid.
///
/// ```
/// use variant_view::{Dialect, Document, Options, Profile};
///
/// let bytes = [1, 0, 0, 0, 2, 0, 0, 0]; // true, written as 2
/// assert!(Document::new(&bytes, Dialect::Godot4).validate().is_ok());
/// let canonical = Options::engine(Dialect::Godot4).profile(Profile::Canonical);
/// assert!(Document::new(&bytes, canonical).validate().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Profile {
    /// Bytes that the engine's reader accepts.
    #[default]
    Engine,
    /// Bytes that the engine's current writer produces (docs/spec/writing.md#normal-form): zero padding,
    /// narrowest widths, booleans 0 or 1, no unknown flags, no duplicate keys, no trailing bytes. Checked
    /// by [`Document::validate`](crate::Document::validate).
    ///
    /// Files of older writers are valid but not canonical: Godot up to 4.6.2 pads node paths with uninitialised memory,
    /// and Godot 3.0 wrote all integers with 8 bytes.
    Canonical,
}

/// Whether full objects, with class and properties, are accepted.
///
/// Objects are inert data in either case: nothing is instantiated.
///
/// ```
/// use variant_view::{Dialect, Document, Objects, Options};
///
/// let bytes = b"\x11\0\0\0\x04\0\0\0Node\0\0\0\0"; // a Node without properties
/// let options = Options::engine(Dialect::Godot3);
/// assert!(Document::new(bytes, options).validate().is_ok());
/// assert!(Document::new(bytes, options.objects(Objects::Refuse)).validate().is_err());
/// assert!(Document::new(bytes, Dialect::Godot3).validate().is_err()); // `Options::server`
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Objects {
    /// Accept them, as the engines do with `allow_objects`, but as inert data.
    #[default]
    Accept,
    /// Refuse them, as the engines do by default. Otherwise a server could forward the bytes to peers that create the
    /// objects. Objects by instance id are accepted.
    Refuse,
}

/// How to read a document: the facts that its bytes do not contain.
///
/// ```
/// use variant_view::{Dialect, Limits, Options, Profile};
///
/// let options = Options::engine(Dialect::Godot4)
///     .profile(Profile::Canonical)
///     .limits(Limits::SERVER);
/// assert_eq!(options.limits.depth, 128);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Options {
    /// The dialect of the bytes.
    pub dialect: Dialect,
    /// The width of reals.
    pub reals: Reals,
    /// The bytes that count as valid.
    pub profile: Profile,
    /// Whether full objects are accepted.
    pub objects: Objects,
    /// Bounds on the size of a document.
    pub limits: Limits,
}

impl Options {
    /// The engine's rules and limits for `dialect`; full objects are accepted, as inert data. Use these options for
    /// files, and for a verdict that equals the engine's.
    pub const fn engine(dialect: Dialect) -> Self {
        Self {
            dialect,
            reals: Reals::ByFlag,
            profile: Profile::Engine,
            objects: Objects::Accept,
            limits: Limits::ENGINE,
        }
    }

    /// The literal layout of a documentation page (docs/spec/errata.md#the-pages-as-layouts), for bytes from programs
    /// whose authors followed that page. Engines use another layout. Equal to [`Options::engine`] with
    /// [`Page::dialect`].
    pub const fn documented(page: Page) -> Self {
        Self::engine(page.dialect())
    }

    /// The options for untrusted bytes: [`Limits::SERVER`], and full objects are refused. A [`Dialect`] converts to
    /// these options.
    ///
    /// ```
    /// use variant_view::{Dialect, Limits, Objects, Options};
    ///
    /// let options = Options::server(Dialect::Godot4);
    /// assert_eq!((options.limits, options.objects), (Limits::SERVER, Objects::Refuse));
    /// ```
    pub const fn server(dialect: Dialect) -> Self {
        Self::engine(dialect).limits(Limits::SERVER).objects(Objects::Refuse)
    }

    /// Returns the options with this width of reals.
    #[must_use]
    pub const fn reals(mut self, reals: Reals) -> Self {
        self.reals = reals;
        self
    }

    /// Returns the options with this profile.
    #[must_use]
    pub const fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// Returns the options with this rule for full objects.
    #[must_use]
    pub const fn objects(mut self, objects: Objects) -> Self {
        self.objects = objects;
        self
    }

    /// Returns the options with these limits.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}

/// The layout of the page: [`Options::documented`].
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

/// The options for untrusted bytes: [`Options::server`].
impl From<Dialect> for Options {
    fn from(dialect: Dialect) -> Self {
        Self::server(dialect)
    }
}

/// The part of the options that views contain: 8 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mode {
    pub(crate) depth: u32,
    pub(crate) dialect: Dialect,
    pub(crate) reals: Reals,
    pub(crate) objects: Objects,
}

impl Mode {
    /// The mode for items of a container: the depth limit is lower by one.
    pub(crate) const fn inner(self) -> Self {
        self.below(1)
    }

    /// The mode for a value inside of `levels` containers.
    pub(crate) const fn below(self, levels: u32) -> Self {
        Self { depth: self.depth.saturating_sub(levels), ..self }
    }
}

impl Options {
    pub(crate) const fn mode(&self) -> Mode {
        // Without an allocator the stack of open containers has a fixed size.
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
