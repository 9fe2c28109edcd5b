//! [`NotCanonical`]: what no writer would have written.

use core::fmt;

/// What the engine's writer never does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NotCanonical {
    /// Header bits without a meaning here.
    HeaderBits,
    /// A boolean other than 0 and 1.
    Bool,
    /// A 64-bit integer that 32 bits hold.
    WideInt,
    /// A 64-bit float that 32 bits hold exactly, or a 32-bit NaN.
    FloatWidth,
    /// Padding bytes that are not zero.
    Padding,
    /// Padding that is missing.
    NoPadding,
    /// A string of a packed array without its terminating NUL.
    NoTerminator,
    /// Node path flags or counts without a meaning.
    NodePath,
    /// Bit 31 of a container's count.
    SharedBit,
    /// A negative count that reads as none.
    NegativeCount,
    /// Type information that says nothing, or says it in an unusual way.
    ElementType,
    /// An element of another type than the container declares.
    Element,
    /// The same dictionary key twice.
    DuplicateKey,
    /// Reals of both widths in one document.
    MixedReals,
    /// A null object that is not written as nil.
    NullObject,
    /// Event data of the wrong length.
    InputEvent,
    /// Bytes behind the root value.
    TrailingBytes,
}

impl fmt::Display for NotCanonical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::HeaderBits => "header bits without a meaning",
            Self::Bool => "boolean is neither 0 nor 1",
            Self::WideInt => "64-bit integer that 32 bits hold",
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
            Self::TrailingBytes => "bytes behind the root value",
        })
    }
}
