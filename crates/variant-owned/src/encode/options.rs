//! [`EncodeOptions`]: the dialect and the number widths to write.

use variant_view::{Dialect, Limits, Objects, Options, Page, Reals};

/// The width of the reals in mathematical types. It matters only if the dialect has two widths, as Godot 4 does
/// (docs/spec/format.md#double-precision).
///
/// ```
/// use variant_owned::{EncodeOptions, Precision, encoded_len};
/// use variant_view::Dialect;
///
/// let at = (1.0, 2.5).into(); // a Vector2: 4 bytes of header, then 4 or 8 per real
/// let double = EncodeOptions::new(Dialect::Godot4).precision(Precision::Double);
/// assert_eq!((encoded_len(&at, Dialect::Godot4)?, encoded_len(&at, double)?), (12, 20));
/// # Ok::<(), variant_owned::EncodeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Precision {
    /// Each value keeps its width.
    #[default]
    AsIs,
    /// 4 bytes for each real, rounded, as single-precision builds write. Rounding that makes two dictionary keys equal
    /// is an error.
    Single,
    /// 8 bytes for each real, with the flag in the header, as double-precision builds write.
    Double,
}

/// The width of integers and floats.
///
/// ```
/// use variant_owned::{EncodeOptions, Int, Widths, encoded_len};
/// use variant_view::{Dialect, Width};
///
/// let wide = Int::with_width(7, Width::W64).into(); // 32 bits would hold it
/// let canonical = EncodeOptions::new(Dialect::Godot4).widths(Widths::Canonical);
/// assert_eq!((encoded_len(&wide, Dialect::Godot4)?, encoded_len(&wide, canonical)?), (12, 8));
/// # Ok::<(), variant_owned::EncodeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Widths {
    /// Each value keeps its width.
    #[default]
    AsIs,
    /// The width that the engine's writer picks: 32 bits where they hold the value exactly.
    Canonical,
}

/// The dialect and the number widths to write.
///
/// ```
/// use variant_owned::{EncodeErrorKind, EncodeOptions, array, encode};
/// use variant_view::Dialect;
///
/// let nested = array![array![1]].into();
/// let options = EncodeOptions::new(Dialect::Godot4).depth(1);
/// assert_eq!(encode(&nested, options).unwrap_err().kind(), &EncodeErrorKind::TooDeep);
/// assert!(encode(&nested, Dialect::Godot4).is_ok()); // passing only a dialect sets the defaults
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct EncodeOptions {
    /// The dialect of the bytes.
    pub dialect: Dialect,
    /// The width of reals in mathematical types.
    pub precision: Precision,
    /// [`Reals::Always64`] writes the layout that the documentation gives for double-precision builds: 8 bytes for each
    /// real in every dialect, without a flag.
    pub reals: Reals,
    /// The width of integers and floats.
    pub widths: Widths,
    /// The greatest depth of a value; engines read 1,024 levels.
    pub depth: u32,
}

impl EncodeOptions {
    /// Options for `dialect` that keep all widths.
    pub const fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            precision: Precision::AsIs,
            reals: Reals::ByFlag,
            widths: Widths::AsIs,
            depth: 1_024,
        }
    }

    /// The literal layout of a documentation page (docs/spec/errata.md#the-pages-as-layouts), for programs that were
    /// written from that page. Engines use another layout. Equal to [`EncodeOptions::new`] with [`Page::dialect`].
    ///
    /// ```
    /// use variant_owned::{EncodeOptions, Variant, encode};
    /// use variant_view::Page;
    ///
    /// // Integers take 8 bytes there, without a flag.
    /// let bytes = encode(&Variant::from(7), EncodeOptions::documented(Page::Godot30))?;
    /// assert_eq!(bytes, [2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]);
    /// # Ok::<(), variant_owned::EncodeError>(())
    /// ```
    pub const fn documented(page: Page) -> Self {
        Self::new(page.dialect())
    }

    /// The options with which the written bytes can be read.
    pub(crate) fn reading(self) -> Options {
        let limits = Limits::FILE.depth(self.depth);
        Options::engine(self.dialect).reals(self.reals).objects(Objects::Accept).limits(limits)
    }

    /// Returns the options with this precision.
    #[must_use]
    pub const fn precision(mut self, precision: Precision) -> Self {
        self.precision = precision;
        self
    }

    /// Returns the options with this width of reals.
    ///
    /// ```
    /// use variant_owned::{EncodeOptions, encoded_len};
    /// use variant_view::{Dialect, Reals};
    ///
    /// let wide = EncodeOptions::new(Dialect::Godot3).reals(Reals::Always64);
    /// assert_eq!(encoded_len(&(1.0, 2.0).into(), wide)?, 4 + 2 * 8);
    /// # Ok::<(), variant_owned::EncodeError>(())
    /// ```
    #[must_use]
    pub const fn reals(mut self, reals: Reals) -> Self {
        self.reals = reals;
        self
    }

    /// Returns the options with these widths of integers and floats.
    #[must_use]
    pub const fn widths(mut self, widths: Widths) -> Self {
        self.widths = widths;
        self
    }

    /// Returns the options with this limit of depth.
    #[must_use]
    pub const fn depth(mut self, depth: u32) -> Self {
        self.depth = depth;
        self
    }
}

impl From<Dialect> for EncodeOptions {
    fn from(dialect: Dialect) -> Self {
        Self::new(dialect)
    }
}

impl From<Page> for EncodeOptions {
    fn from(page: Page) -> Self {
        Self::documented(page)
    }
}

impl From<&Self> for EncodeOptions {
    fn from(options: &Self) -> Self {
        *options
    }
}
