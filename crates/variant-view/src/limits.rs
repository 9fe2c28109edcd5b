//! [`Limits`]: bounds on the size of a document.

/// Bounds on the size of a document. Checked while reading; never used to reserve memory.
///
/// Views check `depth` alone. [`Document::validate`](crate::Document::validate) and
/// [`Walker`](crate::Walker) check all limits.
///
/// ```
/// use variant_view::{Dialect, Document, ErrorClass, Limits, Options};
///
/// let options = Options::server(Dialect::Godot4).limits(Limits::SERVER.bytes(1_200).depth(8).values(2));
/// let bytes = [28, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]; // [null, null]: three values
/// let error = Document::new(&bytes, options).validate().unwrap_err();
/// assert_eq!(error.class(), ErrorClass::Limit);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Limits {
    /// The greatest depth of a value. The root has depth 0, its elements 1.
    ///
    /// Without the `alloc` feature the greatest depth is at most [`Limits::MAX_DEPTH_NO_ALLOC`].
    pub depth: u32,
    /// The greatest size of the root value, in bytes.
    pub bytes: u64,
    /// The greatest number of values with a header, containers and keys included. Elements of packed arrays
    /// do not count.
    pub values: u64,
}

impl Limits {
    /// The greatest depth without the `alloc` feature.
    pub const MAX_DEPTH_NO_ALLOC: u32 = 1_056;

    /// The limits of the engines.
    ///
    /// * `depth` 1,024: the constant of Godot (3.3.5 and later) and Pandemonium (docs/spec/format.md#limits);
    /// * `bytes` 2^31 - 1: engines keep lengths in 32-bit signed integers;
    /// * `values`: no bound.
    pub const ENGINE: Self = Self { depth: 1_024, bytes: 0x7fff_ffff, values: u64::MAX };

    /// For untrusted bytes.
    ///
    /// * `depth` 128: the default of JSON parsers, and far more than game messages use;
    /// * `bytes` 64 MiB: eight times the engines' default packet buffer of 8 MiB;
    /// * `values` 1,000,000: bounds memory and time of code that builds values from the view. Elements of
    ///   packed arrays do not count; `bytes` bounds them.
    pub const SERVER: Self = Self { depth: 128, bytes: 64 << 20, values: 1_000_000 };

    /// For trusted files of any size.
    ///
    /// * `depth` 1,024: the limit of the engines, so no engine writes deeper files;
    /// * `bytes` and `values`: no bound.
    pub const FILE: Self = Self { depth: 1_024, bytes: u64::MAX, values: u64::MAX };
}

impl Limits {
    /// Returns the limits with this `depth`.
    #[must_use]
    pub const fn depth(mut self, depth: u32) -> Self {
        self.depth = depth;
        self
    }

    /// Returns the limits with this `bytes`.
    #[must_use]
    pub const fn bytes(mut self, bytes: u64) -> Self {
        self.bytes = bytes;
        self
    }

    /// Returns the limits with this `values`.
    #[must_use]
    pub const fn values(mut self, values: u64) -> Self {
        self.values = values;
        self
    }
}

impl Default for Limits {
    /// [`Limits::ENGINE`].
    fn default() -> Self {
        Self::ENGINE
    }
}
