//! [`Limited`]: a consumer that enforces limits on any producer.

use std::fmt;

use variant_view::internal::ShortText;
use variant_view::{Consumer, ElementType, Head, Kind, Leaf, Limits, Options};

/// Forwards events to another consumer until a value exceeds the [`Limits`].
///
/// A [`Document`](variant_view::Document) checks its own limits. This adapter is for producers without limits: JSON,
/// owned values, a program's calls. The adapter checks `depth` and `values` as documents do. It ignores `bytes`, which
/// applies only to documents. O(1) per event, no allocation.
///
/// ```
/// use variant_owned::{Collector, LimitError, Limited};
/// use variant_view::{ArrayHead, Consumer, Head, Limits};
///
/// let mut limited = Limited::new(Collector::default(), Limits::SERVER.depth(1));
/// let array = || Head::Array(ArrayHead::default());
/// limited.enter(array())?;
/// limited.enter(array())?;
/// assert_eq!(limited.enter(array()), Err(LimitError::Depth(1)));
/// # Ok::<(), LimitError<core::convert::Infallible>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Limited<C> {
    inner: C,
    limits: Limits,
    /// The number of open containers: the depth of the next value.
    depth: u32,
    values: u64,
}

/// The reason why a [`Limited`] consumer refuses a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitError<E> {
    /// A value is deeper than this limit. The root has depth 0.
    Depth(u32),
    /// There are more values than this limit, containers and keys included.
    Values(u64),
    /// The inner consumer refuses the value.
    Consumer(E),
}

impl<C> Limited<C> {
    /// An adapter around `inner`.
    pub const fn new(inner: C, limits: Limits) -> Self {
        Self { inner, limits, depth: 0, values: 0 }
    }

    /// The inner consumer.
    pub fn into_inner(self) -> C {
        self.inner
    }

    /// Counts a value that begins.
    fn begin<E>(&mut self) -> Result<(), LimitError<E>> {
        if self.depth > self.limits.depth {
            return Err(LimitError::Depth(self.limits.depth));
        }
        if self.values >= self.limits.values {
            return Err(LimitError::Values(self.limits.values));
        }
        self.values = self.values.saturating_add(1);
        Ok(())
    }
}

impl<C: Consumer> Consumer for Limited<C> {
    type Error = LimitError<C::Error>;

    const WANTS_ORIGINS: bool = C::WANTS_ORIGINS;

    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), Self::Error> {
        self.begin()?;
        self.inner.leaf(leaf).map_err(LimitError::Consumer)
    }

    fn short_text(&mut self, is_name: bool, text: ShortText<'_>) -> Result<(), Self::Error> {
        self.begin()?;
        self.inner.short_text(is_name, text).map_err(LimitError::Consumer)
    }

    fn enter(&mut self, head: Head<'_>) -> Result<(), Self::Error> {
        self.begin()?;
        if has_nested_class(&head) && self.depth == self.limits.depth {
            return Err(LimitError::Depth(self.limits.depth));
        }
        self.depth = self.depth.saturating_add(1);
        self.inner.enter(head).map_err(LimitError::Consumer)
    }

    fn name(&mut self, name: &[u8]) -> Result<(), Self::Error> {
        self.inner.name(name).map_err(LimitError::Consumer)
    }

    fn exit(&mut self) -> Result<(), Self::Error> {
        self.depth = self.depth.saturating_sub(1);
        self.inner.exit().map_err(LimitError::Consumer)
    }

    fn origin(&mut self, offset: usize, bytes: &[u8]) {
        self.inner.origin(offset, bytes);
    }

    fn source(&mut self, bytes: &[u8], options: &Options) -> Result<(), Self::Error> {
        self.inner.source(bytes, options).map_err(LimitError::Consumer)
    }
}

/// Whether readers count the class after this head as a value one level below it, as in typed arrays of Pandemonium 5
/// (docs/spec/format.md#limits).
const fn has_nested_class(head: &Head<'_>) -> bool {
    matches!(head, Head::Array(array) if !matches!(array.kind, Kind::Array)
        && matches!(array.element_type, ElementType::Class(_)))
}

impl<E: fmt::Display> fmt::Display for LimitError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth(limit) => write!(f, "a value is nested deeper than the limit of {limit}"),
            Self::Values(limit) => write!(f, "there are more values than the limit of {limit}"),
            Self::Consumer(error) => error.fmt(f),
        }
    }
}

impl<E: std::error::Error> std::error::Error for LimitError<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Consumer(error) => error.source(),
            Self::Depth(_) | Self::Values(_) => None,
        }
    }
}
