//! [`Walker`]: a whole document as a sequence of events.

use crate::bytes::Cursor;
use crate::document::Document;
use crate::error::{Error, ErrorKind, Limit, Result};
use crate::layout::Form;
use crate::limits::Limits;
use crate::options::{Mode, Options};
use crate::scan::{Item, Scanner, Step};
use crate::view::{StrView, VariantView};

/// One step of a [`Walker`].
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A container or an object in full; its contents follow, then its [`Event::Exit`].
    Enter(Node<'a>),
    /// Any other value.
    Leaf(Node<'a>),
    /// The end of what was entered last.
    Exit {
        /// The byte behind it.
        end: usize,
        /// The depth at which it stands.
        depth: u32,
    },
}

/// A value and where it stands.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Node<'a> {
    /// The value.
    pub view: VariantView<'a>,
    /// What it is to the container around it.
    pub role: Role<'a>,
    /// The number of containers around it.
    pub depth: u32,
}

/// What a value is to the container around it.
#[derive(Clone, Copy, Debug)]
pub enum Role<'a> {
    /// There is none.
    Root,
    /// Element of an array, by index.
    Element(u32),
    /// Key of a dictionary's pair, by the index of the pair; its [`Role::Value`] follows.
    Key(u32),
    /// Value of a dictionary's pair, by the index of the pair.
    Value(u32),
    /// Property of an object: index and name.
    Property(u32, StrView<'a>),
}

/// Goes through a document from front to back, keys included, without recursion.
///
/// The only way to visit everything in time linear in the bytes: nested iterators step over the same
/// bytes once for every level above them. All limits of the options are checked, text is not; ends
/// after the first error.
///
/// ```
/// use variant_view::{Dialect, Document, Event};
///
/// let bytes = [19, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]; // [null]
/// let mut leaves = 0;
/// for event in Document::new(&bytes, Dialect::Godot3).walk() {
///     if let Event::Leaf(_) = event? {
///         leaves += 1;
///     }
/// }
/// assert_eq!(leaves, 1);
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Walker<'a> {
    scanner: Scanner<'a, false>,
    options: Options,
    meter: Meter,
    /// How many containers are open.
    depth: u32,
    ended: bool,
}

impl<'a> Walker<'a> {
    pub(crate) fn new(document: &Document<'a>) -> Self {
        let options = *document.options();
        let walker = Self::of_value(document.cursor(), options.mode());
        Self { options, meter: Meter::new(&options), ..walker }
    }

    /// A walk through one value, of which only the depth is limited.
    pub(crate) fn of_value(cursor: Cursor<'a>, mode: Mode) -> Self {
        let limits = Limits { depth: mode.depth, ..Limits::FILE };
        let options =
            Options::new(mode.dialect).reals(mode.reals).objects(mode.objects).limits(limits);
        Self {
            scanner: Scanner::new(cursor, mode),
            options,
            meter: Meter::new(&options),
            depth: 0,
            ended: false,
        }
    }

    /// The byte that the walk has come to.
    pub fn offset(&self) -> usize {
        self.scanner.offset()
    }

    /// Steps over the rest of the container that was entered last; its [`Event::Exit`] is next.
    /// O(bytes stepped over).
    ///
    /// # Errors
    /// Whatever is wrong in there; the walk has then ended.
    pub fn skip_rest(&mut self) -> Result<()> {
        let result = self.scanner.skip_rest(|item| self.meter.count(item));
        self.ended |= result.is_err();
        result
    }

    #[inline(always)]
    fn event(&mut self) -> Result<Option<Event<'a>>> {
        Ok(match self.scanner.step()? {
            None => None,
            Some(Step::Leaf(item)) => Some(Event::Leaf(self.node(&item)?)),
            Some(Step::Enter(item)) => {
                let node = self.node(&item)?;
                self.depth = self.depth.saturating_add(1);
                Some(Event::Enter(node))
            }
            Some(Step::Exit(end)) => {
                self.depth = self.depth.saturating_sub(1);
                Some(Event::Exit { end, depth: self.depth })
            }
        })
    }

    #[inline(always)]
    fn node(&mut self, item: &Item<'a>) -> Result<Node<'a>> {
        self.meter.count(item)?;
        Ok(Node { view: item.view(self.options.mode()), role: self.role(item), depth: item.depth })
    }

    #[inline(always)]
    fn role(&self, item: &Item<'a>) -> Role<'a> {
        let index = item.place.index;
        match item.place.form {
            _ if item.depth == 0 => Role::Root,
            Form::Elements => Role::Element(index),
            Form::Pairs if index.is_multiple_of(2) => Role::Key(index / 2),
            Form::Pairs => Role::Value(index / 2),
            Form::Properties => {
                let (name, at) = item.place.name.unwrap_or((&[], item.start));
                let offset = at.saturating_add(4);
                Role::Property(index, StrView::of_name(name, offset, self.options.dialect))
            }
        }
    }
}

impl<'a> Iterator for Walker<'a> {
    type Item = Result<Event<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let event = self.event();
        self.ended = !matches!(event, Ok(Some(_)));
        event.transpose()
    }
}

impl core::iter::FusedIterator for Walker<'_> {}

impl<'a> Item<'a> {
    /// The value as a view.
    #[inline(always)]
    pub(crate) fn view(&self, mode: Mode) -> VariantView<'a> {
        let mode = Mode { depth: mode.depth.saturating_sub(self.depth), ..mode };
        let len = self.end.saturating_sub(self.start);
        VariantView::new(self.header, self.bytes, len, self.start, mode)
    }
}

/// Counts values, and holds them against the limits.
#[derive(Clone, Debug)]
pub(crate) struct Meter {
    pub(crate) values: u64,
    pub(crate) depth: u32,
    max_values: u64,
    /// The offset behind which nothing may end.
    end: usize,
}

impl Meter {
    pub(crate) fn new(options: &Options) -> Self {
        let end = usize::try_from(options.limits.bytes).unwrap_or(usize::MAX);
        Self { values: 0, depth: 0, max_values: options.limits.values, end }
    }

    #[inline(always)]
    pub(crate) fn count(&mut self, item: &Item<'_>) -> Result<()> {
        if self.values == self.max_values {
            return Err(exceeded(item, Limit::Values));
        }
        if item.end > self.end {
            return Err(exceeded(item, Limit::Bytes));
        }
        self.values = self.values.wrapping_add(1);
        self.depth = self.depth.max(item.depth);
        Ok(())
    }
}

#[cold]
fn exceeded(item: &Item<'_>, limit: Limit) -> Error {
    Error::new(ErrorKind::LimitExceeded { limit }, item.start)
}
