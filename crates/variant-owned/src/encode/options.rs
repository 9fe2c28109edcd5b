//! [`EncodeOptions`]: whose bytes to write, and how wide.

use variant_view::{Dialect, Page, Reals};

/// Which width mathematical types are written in, where the dialect has both (Godot 4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Precision {
    /// Each value in its own.
    #[default]
    AsIs,
    /// As single-precision builds write: 4 bytes a real, rounded. Dictionary keys that are two in 8 bytes may be one
    /// in 4, which is an error.
    Single,
    /// As double-precision builds write: 8 bytes a real, marked by the flag.
    Double,
}

/// Which width integers and floats are written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Widths {
    /// In their own: what was read wide is written wide.
    #[default]
    AsIs,
    /// In the one that the engine's writer picks.
    Canonical,
}

/// Whose bytes to write, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct EncodeOptions {
    /// Whose bytes these are to be.
    pub dialect: Dialect,
    /// The width of mathematical types.
    pub precision: Precision,
    /// [`Reals::Always64`] writes the layout that the documentation gives for double-precision builds:
    /// 8 bytes a real in every dialect, without a flag.
    pub reals: Reals,
    /// The width of integers and floats.
    pub widths: Widths,
    /// The deepest place a value may stand at; the engines read 1,024.
    pub depth: u32,
}

impl EncodeOptions {
    /// For `dialect`, with every width as it is.
    pub const fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            precision: Precision::AsIs,
            reals: Reals::ByFlag,
            widths: Widths::AsIs,
            depth: 1_024,
        }
    }

    /// What a page of the documentation says, taken at its word, in place of what an engine writes: for a program
    /// that was written from it. The same as [`EncodeOptions::new`] with [`Page::dialect`].
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

    /// The same with another `precision`.
    #[must_use]
    pub const fn precision(mut self, precision: Precision) -> Self {
        self.precision = precision;
        self
    }

    /// The same with other `reals`.
    #[must_use]
    pub const fn reals(mut self, reals: Reals) -> Self {
        self.reals = reals;
        self
    }

    /// The same with other `widths`.
    #[must_use]
    pub const fn widths(mut self, widths: Widths) -> Self {
        self.widths = widths;
        self
    }

    /// The same with another limit to the `depth`.
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
