//! [`ElementType`]: the declared type of a container's items.

use crate::kind::Kind;

/// The declared type of a container's elements, keys or values (docs/spec/format.md#typed-containers).
///
/// `S` is the type of the text: [`StrView`](crate::StrView) in views, `&[u8]` in events, owned text in owned values.
///
/// ```
/// use variant_view::{ElementType, Kind};
///
/// let declared = ElementType::Class("Node2D");
/// assert_eq!(declared.map(str::len), ElementType::Class(6));
/// assert!(ElementType::<&str>::default().is_any());
/// assert_ne!(ElementType::Builtin::<&str>(Kind::Int), ElementType::Any);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ElementType<S> {
    /// No type is declared.
    #[default]
    Any,
    /// A built-in type of the engine.
    Builtin(Kind),
    /// Objects of a class; `EncodedObjectAsID` if the writer wrote objects by id.
    Class(S),
    /// Objects with the script at this path.
    Script(S),
    /// A 31-bit type id that the dialect does not have; Pandemonium 5's reader does not check it.
    Unknown(u32),
}

impl<S> ElementType<S> {
    /// Applies `f` to the class name or script path. O(1) plus the cost of `f`.
    ///
    /// ```
    /// use variant_view::ElementType;
    ///
    /// assert_eq!(ElementType::Class("Node").map(str::len), ElementType::Class(4));
    /// ```
    #[cfg_attr(not(variant_small), inline(always))]
    pub fn map<T>(self, f: impl FnOnce(S) -> T) -> ElementType<T> {
        match self {
            Self::Any => ElementType::Any,
            Self::Builtin(kind) => ElementType::Builtin(kind),
            Self::Class(class) => ElementType::Class(f(class)),
            Self::Script(path) => ElementType::Script(f(path)),
            Self::Unknown(id) => ElementType::Unknown(id),
        }
    }

    /// Borrows the class name or script path. O(1).
    #[inline]
    pub const fn as_ref(&self) -> ElementType<&S> {
        match self {
            Self::Any => ElementType::Any,
            Self::Builtin(kind) => ElementType::Builtin(*kind),
            Self::Class(class) => ElementType::Class(class),
            Self::Script(path) => ElementType::Script(path),
            Self::Unknown(id) => ElementType::Unknown(*id),
        }
    }

    /// Whether no type is declared. O(1).
    #[inline]
    pub const fn is_any(&self) -> bool {
        matches!(self, Self::Any)
    }
}
