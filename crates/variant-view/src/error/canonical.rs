//! [`NotCanonical`]: deviations from what engines write.

use core::fmt;

/// A deviation from the output of the engine's current writer (docs/spec/writing.md#normal-form).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NotCanonical {
    /// Header bits that have no meaning for this kind.
    HeaderBits,
    /// A boolean that is neither 0 nor 1.
    Bool,
    /// A 64-bit integer that fits 32 bits.
    WideInt,
    /// An integer in the compact form of `variant-multiplayer`, with more bytes than it needs.
    WideCompactInt,
    /// A 64-bit float that 32 bits represent exactly, or a 32-bit NaN.
    FloatWidth,
    /// Nonzero padding.
    Padding,
    /// Missing padding.
    NoPadding,
    /// A string of a packed array without its terminating NUL.
    NoTerminator,
    /// Node path flags or counts without a meaning.
    NodePath,
    /// Bit 31 of a container's count is set.
    SharedBit,
    /// A negative count, which engines read as 0.
    NegativeCount,
    /// A type declaration that declares nothing, or that has an unusual form.
    ElementType,
    /// An element of another type than its container declares.
    Element,
    /// A dictionary key that occurs twice.
    DuplicateKey,
    /// Reals of both widths in one document.
    MixedReals,
    /// A null object that is not written as nil.
    NullObject,
    /// An input event of the wrong length.
    InputEvent,
    /// Bytes after the root value.
    TrailingBytes,
}

impl fmt::Display for NotCanonical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::HeaderBits => "header bits without a meaning",
            Self::Bool => "boolean is neither 0 nor 1",
            Self::WideInt => "64-bit integer that 32 bits hold",
            Self::WideCompactInt => "compact integer that fewer bytes hold",
            Self::FloatWidth => "float in the wrong width for its value",
            Self::Padding => "padding is not zero",
            Self::NoPadding => "padding is missing",
            Self::NoTerminator => "string of a packed array without its terminating NUL",
            Self::NodePath => "node path flags or counts without a meaning",
            Self::SharedBit => "bit 31 of a container's count",
            Self::NegativeCount => "negative count",
            Self::ElementType => "unusual type information of a container",
            Self::Element => "element of another type than its container declares",
            Self::DuplicateKey => "the same dictionary key twice",
            Self::MixedReals => "reals of both widths in one document",
            Self::NullObject => "null object that is not written as nil",
            Self::InputEvent => "input event of the wrong length",
            Self::TrailingBytes => "bytes after the root value",
        })
    }
}
