//! [`Limits`]: how much a document may ask of its reader.

/// Bounds on what a document may hold. Each is checked while reading; none is ever a size to reserve.
///
/// Lazy access checks `depth` alone; [`Document::validate`](crate::Document::validate) and
/// [`Walker`](crate::Walker) check all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Limits {
    /// The deepest place a value may stand at; the root stands at 0, its elements at 1.
    ///
    /// Without the `alloc` feature nesting ends at [`Limits::MAX_DEPTH_NO_ALLOC`] whatever this says.
    pub depth: u32,
    /// The bytes that the root value may take.
    pub bytes: u64,
    /// The values with a header, containers and keys included; elements of packed arrays do not count.
    pub values: u64,
}

impl Limits {
    /// The deepest place that is reached without the `alloc` feature.
    pub const MAX_DEPTH_NO_ALLOC: u32 = 1_056;

    /// What the engines themselves bear.
    ///
    /// * `depth` 1,024: the constant of Godot (3.3.5 and later) and Pandemonium
    ///   (docs/format.md, section 2.13);
    /// * `bytes` 2^31 - 1: they keep lengths in 32-bit signed integers;
    /// * `values`: as many as the bytes can hold.
    pub const ENGINE: Self = Self { depth: 1_024, bytes: 0x7fff_ffff, values: u64::MAX };

    /// For bytes from strangers.
    ///
    /// * `depth` 128: what JSON parsers allow by default, and far more than game messages use;
    /// * `bytes` 64 MiB: eight times the engines' default packet buffer of 8 MiB;
    /// * `values` 1,000,000: bounds the memory and time of whoever builds values from the view; elements
    ///   of packed arrays, which do not count, take 4 bytes of `bytes` each, if they are not bytes.
    pub const SERVER: Self = Self { depth: 128, bytes: 64 << 20, values: 1_000_000 };

    /// For your own files, of any size.
    ///
    /// * `depth` 1,024 as the engines; deeper files were written by no engine;
    /// * `bytes` and `values`: no bound.
    pub const FILE: Self = Self { depth: 1_024, bytes: u64::MAX, values: u64::MAX };
}

impl Limits {
    /// The same with another `depth`.
    #[must_use]
    pub const fn depth(mut self, depth: u32) -> Self {
        self.depth = depth;
        self
    }

    /// The same with other `bytes`.
    #[must_use]
    pub const fn bytes(mut self, bytes: u64) -> Self {
        self.bytes = bytes;
        self
    }

    /// The same with other `values`.
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
