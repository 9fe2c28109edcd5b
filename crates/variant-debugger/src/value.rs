//! [`Value`]: a value in a message.

use variant_owned::Variant;
use variant_view::{Consumer, Error, FeedError, Input, Kind, Producer, VariantView};

/// A value in a message: borrowed from the bytes that arrived, or given by the program. A [`Producer`].
///
/// ```
/// use variant_debugger::Value;
/// use variant_owned::Variant;
///
/// let hp = Variant::from(7);
/// assert_eq!(Value::from(&hp).to_variant()?, hp);
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Value<'a> {
    /// A value that arrived.
    View(VariantView<'a>),
    /// A value of the program.
    Variant(&'a Variant),
}

impl<'a> Value<'a> {
    /// The kind of the value.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::View(view) => view.kind(),
            Self::Variant(value) => value.kind(),
        }
    }

    /// The view, for a value that arrived.
    pub const fn view(&self) -> Option<VariantView<'a>> {
        match self {
            Self::View(view) => Some(*view),
            Self::Variant(_) => None,
        }
    }

    /// The value as an owned one. O(its bytes).
    ///
    /// # Errors
    /// The first error in the bytes of a view.
    pub fn to_variant(&self) -> Result<Variant, Error> {
        match self {
            Self::View(view) => Variant::from_view(view),
            Self::Variant(value) => Ok((*value).clone()),
        }
    }
}

impl<'a> From<VariantView<'a>> for Value<'a> {
    fn from(view: VariantView<'a>) -> Self {
        Self::View(view)
    }
}

impl<'a> From<&'a Variant> for Value<'a> {
    fn from(value: &'a Variant) -> Self {
        Self::Variant(value)
    }
}

impl Producer for Value<'_> {
    type Error = Error;

    fn feed<C: Consumer>(self, consumer: &mut C) -> Result<(), FeedError<Error, C::Error>> {
        match self {
            Self::View(view) => view.feed(consumer),
            Self::Variant(value) => value.feed(consumer).map_err(|error| match error {
                FeedError::Producer(never) => match never {},
                FeedError::Consumer(error) => FeedError::Consumer(error),
            }),
        }
    }

    fn input(&self) -> Input {
        match self {
            Self::View(view) => view.input(),
            Self::Variant(value) => (*value).input(),
        }
    }
}
