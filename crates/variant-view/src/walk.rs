//! [`Walker`]: a document as a sequence of events.

use crate::bytes::{Cursor, Unfit};
use crate::contents::Contents;
use crate::dialect::Dialect;
use crate::error::{Error, Result, item_or_error};
use crate::options::{Mode, Options};
use crate::scan::{Item, ItemRole, Scanner, Sink};
use crate::view::{ArrayView, DictionaryView, ObjectView, Source, StrView, VariantView};

/// One step of a [`Walker`].
///
/// ```
/// use variant_view::{Dialect, Document, Event};
///
/// let bytes = b"\x1c\0\0\0\x01\0\0\0\x02\0\0\0\x07\0\0\0"; // [7]
/// let events = Document::new(bytes, Dialect::Godot4).walk().collect::<Result<Vec<_>, _>>()?;
/// assert!(matches!(events[..], [Event::Enter(_), Event::Leaf(_), Event::Exit { end: 16, depth: 0 }]));
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A container or a full object begins; its contents follow, then its [`Event::Exit`].
    Enter(Node<'a>),
    /// Any other value.
    Leaf(Node<'a>),
    /// The container entered last ends.
    Exit {
        /// The byte offset just past the container.
        end: usize,
        /// The depth of the container; the root has depth 0.
        depth: u32,
    },
}

/// A value, its depth and its role.
///
/// ```
/// use variant_view::{Dialect, Document, Event, Role};
///
/// let bytes = [28, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]; // [true]
/// for event in Document::new(&bytes, Dialect::Godot4).walk() {
///     if let Event::Leaf(node) = event? {
///         assert_eq!(node.depth, 1);
///         assert!(node.view.as_bool()?);
///         assert!(!matches!(node.role(), Role::Root));
///     }
/// }
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Node<'a> {
    /// The value.
    pub view: VariantView<'a>,
    /// The number of containers around the value.
    pub depth: u32,
    place: ItemRole<'a>,
    dialect: Dialect,
}

const _: () = assert!(size_of::<Node<'_>>() <= 80, "nodes are passed by value");

impl<'a> Node<'a> {
    /// The role of the value in its container. O(1).
    #[cfg_attr(not(variant_small), inline(always))]
    pub fn role(&self) -> Role<'a> {
        let index = self.place.index;
        match self.place.form {
            _ if self.depth == 0 => Role::Root,
            Contents::Elements => Role::Element(index),
            Contents::Pairs if index.is_multiple_of(2) => Role::Key(index / 2),
            Contents::Pairs => Role::Value(index / 2),
            Contents::Properties => {
                let (name, at) = self.place.name.unwrap_or((&[], self.view.offset()));
                Role::Property(index, StrView::of_name(name, at.wrapping_add(4), self.dialect))
            }
        }
    }
}

/// The role of a value in its container.
///
/// ```
/// # use variant_view::{Dialect, Document, Event, Role};
/// # let bytes = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x07\0\0\0";
/// let mut events = Document::new(bytes, Dialect::Godot4).walk().skip(1); // {"hp": 7}
/// let Some(Ok(Event::Leaf(key))) = events.next() else { panic!() };
/// assert!(matches!(key.role(), Role::Key(0)));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Role<'a> {
    /// The root: no container around it.
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

/// Iterates over a document from front to back, keys included, without recursion.
///
/// Nested iterators skip the same bytes once per level; a walk takes linear time. All limits of the options are
/// checked; text is not validated. The iterator ends after the first error.
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
    ended: bool,
    /// An error that `nth` has returned. The next call returns it again.
    failed: Option<Error>,
}

impl<'a> Walker<'a> {
    pub(crate) fn new(bytes: &'a [u8], options: &Options) -> Self {
        Self { scanner: Scanner::of_document(bytes, options), ended: false, failed: None }
    }

    /// A walk through one value; the only limit is the depth.
    pub(crate) fn of_value(cursor: Cursor<'a>, mode: Mode) -> Self {
        Self { scanner: Scanner::new(cursor, mode), ended: false, failed: None }
    }

    fn of_container(container: Source<'a>) -> Self {
        Self::of_value(container.raw.cursor(), container.mode)
    }

    /// The byte offset of the walk.
    pub fn offset(&self) -> usize {
        self.scanner.offset()
    }

    /// Skips the remaining items of the innermost open container; its [`Event::Exit`] comes next. O(bytes skipped).
    ///
    /// ```
    /// # use variant_view::{Dialect, Document, Event};
    /// # let bytes = b"\x1c\0\0\0\x02\0\0\0\x1c\0\0\0\x01\0\0\0\x02\0\0\0\x05\0\0\0\x02\0\0\0\x07\0\0\0";
    /// let mut walker = Document::new(bytes, Dialect::Godot4).walk(); // [[5], 7]
    /// assert!(walker.by_ref().take(2).all(|event| matches!(event, Ok(Event::Enter(_)))));
    /// walker.skip_rest()?; // the rest of [5]
    /// assert!(matches!(walker.next(), Some(Ok(Event::Exit { end: 24, depth: 1 }))));
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// # Errors
    /// The first error in the skipped bytes; it ends the walk.
    pub fn skip_rest(&mut self) -> Result<()> {
        if self.ended {
            return Ok(());
        }
        let result = self.scanner.skip_rest();
        self.ended |= result.is_err();
        result
    }

    /// Passes all remaining events to `visitor`. Faster than the iterator: the visitor's code is compiled
    /// into the scan loop once per kind of value. O(bytes that are left).
    ///
    /// Ends the walk, even if there is no error. If the document exceeds [`Limits::values`](crate::Limits::values), the
    /// visitor may receive fewer values than the iterator would return.
    ///
    /// # Errors
    /// The first error in the bytes, or the first that the visitor returns.
    #[inline]
    pub fn visit<V: Visitor<'a>>(&mut self, visitor: &mut V) -> Result<()> {
        let result = if !self.ended && self.scanner.may_be_inexact() {
            self.visit_fast(visitor)
        } else {
            self.visit_slowly(visitor)
        };
        self.ended = true;
        result
    }

    #[inline]
    fn visit_fast<V: Visitor<'a>>(&mut self, visitor: &mut V) -> Result<()> {
        let mut visiting = Visiting { visitor, mode: self.scanner.mode(), stopped: None };
        let (end, result) = match (self.scanner.inexact().run(&mut visiting), visiting.stopped) {
            (Ok(outcome), _) => (outcome.cursor.offset(), Ok(())),
            (Err(Unfit), Some((end, error))) => (end, Err(error)),
            // A second pass finds the exact error.
            (Err(Unfit), None) => return self.try_for_each(|event| event.map(drop)),
        };
        self.scanner.end_at(end);
        result
    }

    fn visit_slowly<V: Visitor<'a>>(&mut self, visitor: &mut V) -> Result<()> {
        for event in self {
            match event? {
                Event::Leaf(node) => visitor.leaf(node)?,
                Event::Enter(node) => visitor.enter(node)?,
                Event::Exit { end, .. } => visitor.exit(end)?,
            }
        }
        Ok(())
    }

    /// Stores the next value, or the error, in `next`.
    ///
    /// Not inlined, and writes to the caller's memory. A returned event would be copied immediately after it is built.
    /// Such a copy causes store-forwarding stalls and takes several times as long.
    #[inline(never)]
    fn advance(&mut self, next: &mut Option<Result<Event<'a>>>) {
        let mode = self.scanner.mode();
        match self.scanner.tell(&mut Telling { next, mode }) {
            Ok(()) => {}
            Err(error) => *next = Some(Err(error)),
        }
        self.ended = !matches!(next, Some(Ok(_)));
    }
}

macro_rules! walk {
    ($($view:ident)*) => {$(
        impl<'a> $view<'a> {
            /// Iterates over the value and everything in it. The only limit that applies is the depth, counted from
            /// this value. O(bytes) in all, no allocation.
            pub fn walk(&self) -> Walker<'a> {
                Walker::of_container(self.source())
            }
        }
    )*};
}

walk! { ArrayView DictionaryView ObjectView }

/// The sink of [`Walker::advance`]: writes each event straight to its final place.
struct Telling<'e, 'a> {
    next: &'e mut Option<Result<Event<'a>>>,
    mode: Mode,
}

impl<'a> Sink<'a> for Telling<'_, 'a> {
    const PAUSES: bool = true;

    #[cfg_attr(not(variant_small), inline(always))]
    fn leaf(&mut self, item: &Item<'a>) -> Result<()> {
        *self.next = Some(Ok(Event::Leaf(item.node(self.mode))));
        Ok(())
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn enter(&mut self, item: &Item<'a>) -> Result<()> {
        *self.next = Some(Ok(Event::Enter(item.node(self.mode))));
        Ok(())
    }
}

/// Receives the values of a document from front to back; see [`Walker::visit`].
///
/// ```
/// use variant_view::{Dialect, Document, Node, Result, VariantView, Visitor};
///
/// /// Adds up all integers.
/// struct Sum(i64);
///
/// impl Visitor<'_> for Sum {
///     fn leaf(&mut self, node: Node<'_>) -> Result<()> {
///         if let VariantView::Int(int) = node.view {
///             self.0 += int.value();
///         }
///         Ok(())
///     }
/// }
///
/// let bytes = [19, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]; // [5, 7]
/// let mut sum = Sum(0);
/// Document::new(&bytes, Dialect::Godot3).walk().visit(&mut sum)?;
/// assert_eq!(sum.0, 12);
/// # Ok::<(), variant_view::Error>(())
/// ```
pub trait Visitor<'a> {
    /// A value without children.
    ///
    /// # Errors
    /// Every error ends the walk.
    fn leaf(&mut self, node: Node<'a>) -> Result<()>;

    /// A container or a full object begins; its contents follow, then [`Visitor::exit`].
    ///
    /// # Errors
    /// Every error ends the walk.
    fn enter(&mut self, node: Node<'a>) -> Result<()> {
        let _ = node;
        Ok(())
    }

    /// The container that was entered last ends; `end` is the byte offset just past it.
    ///
    /// # Errors
    /// Every error ends the walk.
    fn exit(&mut self, end: usize) -> Result<()> {
        let _ = end;
        Ok(())
    }
}

struct Visiting<'v, V> {
    visitor: &'v mut V,
    mode: Mode,
    /// The error of the visitor, and the offset of the pass at that time.
    stopped: Option<(usize, Error)>,
}

impl<V> Visiting<'_, V> {
    #[cfg_attr(not(variant_small), inline(always))]
    fn keep(&mut self, result: Result<()>, end: usize) -> Result<(), Unfit> {
        result.map_err(|error| {
            self.stopped = Some((end, error));
            Unfit
        })
    }
}

impl<'a, V: Visitor<'a>> Sink<'a, Unfit> for Visiting<'_, V> {
    #[cfg_attr(not(variant_small), inline(always))]
    fn leaf(&mut self, item: &Item<'a>) -> Result<(), Unfit> {
        let result = self.visitor.leaf(item.node(self.mode));
        self.keep(result, item.end)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn enter(&mut self, item: &Item<'a>) -> Result<(), Unfit> {
        let result = self.visitor.enter(item.node(self.mode));
        self.keep(result, item.end)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn exit(&mut self, end: usize) -> Result<(), Unfit> {
        let result = self.visitor.exit(end);
        self.keep(result, end)
    }
}

impl<'a> Iterator for Walker<'a> {
    type Item = Result<Event<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return self.failed.take().map(Err);
        }
        if let Some(end) = self.scanner.close() {
            return Some(Ok(Event::Exit { end, depth: self.scanner.level() }));
        }
        let mut next = None;
        self.advance(&mut next);
        next
    }

    /// Skips `n` events. If a skipped event is an error, `nth` and the next call return this error.
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        if self.failed.is_some() {
            return self.next();
        }
        let item = item_or_error(self, n)?;
        self.failed = item.as_ref().err().copied();
        Some(item)
    }
}

impl core::iter::FusedIterator for Walker<'_> {}

impl<'a> Item<'a> {
    #[cfg_attr(not(variant_small), inline(always))]
    fn node(&self, mode: Mode) -> Node<'a> {
        let Self { place, depth, .. } = *self;
        Node { view: self.view(mode), depth, place, dialect: mode.dialect }
    }

    /// The value as a view.
    // Inlined only in optimised builds: other builds reserve stack in the caller for a view of every kind.
    #[cfg_attr(
        all(not(variant_small), any(not(debug_assertions), variant_released)),
        inline(always)
    )]
    pub(crate) fn view(&self, mode: Mode) -> VariantView<'a> {
        let mode = Mode { depth: mode.depth.saturating_sub(self.depth), ..mode };
        let len = self.end.wrapping_sub(self.start);
        VariantView::new(self.header.kind, self.bytes, len, self.start, mode)
    }
}
