//! The one iterative pass. Skipping, validating, walking, looking for a path: all of them take its steps.

use crate::bytes::Cursor;
use crate::error::{Error, ErrorKind, Limit, Result};
use crate::header::Header;
use crate::layout::{self, Extent, Form};
use crate::options::Mode;
use crate::stack::Stack;

/// One step of the pass.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step<'a> {
    /// A value without children.
    Leaf(Item<'a>),
    /// A value with children, of which there may be none; [`Step::Exit`] follows in either case.
    Enter(Item<'a>),
    /// The end of the value that was entered last, at this offset.
    Exit(usize),
}

/// A value that the pass came upon.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<'a> {
    pub(crate) header: Header,
    pub(crate) start: usize,
    /// Where it ends; of a container, where its first child starts.
    pub(crate) end: usize,
    pub(crate) place: Place<'a>,
    /// The bytes from the header to the end of the document.
    pub(crate) bytes: &'a [u8],
    pub(crate) depth: u32,
}

/// Where a value stands in the container around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    pub(crate) form: Form,
    /// Counts the items of the container; of pairs, keys and values both.
    pub(crate) index: u32,
    /// The name of a property and the offset of its length word.
    pub(crate) name: Option<(&'a [u8], usize)>,
}

/// A container whose items are being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Frame {
    /// The item to be read next.
    next: u32,
    items: u32,
    form: Form,
}

impl Frame {
    /// What stands around the root: room for one value.
    const ROOT: Self = Self { next: 0, items: 1, form: Form::Elements };
}

/// A [`Frame`] in eight bytes, since there is room for a thousand of them.
///
/// Counts have 31 bits; of pairs there are twice as many items, whose lowest bit tells key from value.
#[derive(Clone, Copy, Debug)]
struct Packed {
    next: u32,
    items: u32,
}

const TOP: u32 = 1 << 31;

impl Frame {
    #[inline(always)]
    const fn pack(self) -> Packed {
        let Self { next, items, form } = self;
        match form {
            Form::Elements => Packed { next, items },
            Form::Properties => Packed { next: next | TOP, items },
            // Items of pairs are even in number.
            Form::Pairs => Packed { next, items: items >> 1 | TOP },
        }
    }
}

impl Packed {
    #[inline(always)]
    const fn unpack(self) -> Frame {
        let Self { next, items } = self;
        if items & TOP != 0 {
            Frame { next, items: items << 1, form: Form::Pairs }
        } else if next & TOP != 0 {
            Frame { next: next & !TOP, items, form: Form::Properties }
        } else {
            Frame { next, items, form: Form::Elements }
        }
    }
}

/// Reads a value and everything in it, one step at a time.
///
/// Memory is bounded by the depth limit; nothing recurses.
#[derive(Clone, Debug)]
pub(crate) struct Scanner<'a, const TEXT: bool> {
    cursor: Cursor<'a>,
    mode: Mode,
    /// The container whose items are being read.
    top: Frame,
    stack: Stack<Packed>,
}

impl<'a, const TEXT: bool> Scanner<'a, TEXT> {
    #[inline(always)]
    pub(crate) fn new(cursor: Cursor<'a>, mode: Mode) -> Self {
        Self { cursor, mode, top: Frame::ROOT, stack: Stack::new(Frame::ROOT.pack()) }
    }

    /// Where the next step starts.
    pub(crate) fn offset(&self) -> usize {
        self.cursor.offset()
    }

    pub(crate) fn cursor(&self) -> Cursor<'a> {
        self.cursor
    }

    /// For each container around the next value, from the outermost: the index of the item that is
    /// being read in it.
    pub(crate) fn indices(&self) -> impl Iterator<Item = u32> + '_ {
        self.stack
            .frames()
            .map(Packed::unpack)
            .chain(core::iter::once(self.top))
            .skip(1)
            .map(|frame| frame.next.saturating_sub(1))
    }

    /// The next step; none when the value has ended.
    #[inline(always)]
    pub(crate) fn step(&mut self) -> Result<Option<Step<'a>>> {
        if self.top.next == self.top.items {
            let end = self.cursor.offset();
            return Ok(self.stack.pop().map(|parent| {
                self.top = parent.unpack();
                Step::Exit(end)
            }));
        }
        let index = self.top.next;
        let form = self.top.form;
        self.top.next = index.wrapping_add(1);
        let name = match form {
            Form::Properties => Some(self.name()?),
            Form::Elements | Form::Pairs => None,
        };
        let depth = self.stack.len();
        if depth > self.mode.depth {
            return Err(self.too_deep());
        }
        let bytes = self.cursor.rest();
        let start = self.cursor.offset();
        let (header, extent) = layout::measure::<TEXT>(&mut self.cursor, self.mode)?;
        let end = self.cursor.offset();
        let item = Item { header, start, end, place: Place { form, index, name }, bytes, depth };
        Ok(Some(match extent {
            Extent::Leaf => Step::Leaf(item),
            Extent::Open { items, form } => {
                self.enter(items, form)?;
                Step::Enter(item)
            }
        }))
    }

    /// Steps over the items that are left of the innermost container, but not over its end.
    pub(crate) fn skip_rest(
        &mut self,
        mut count: impl FnMut(&Item<'a>) -> Result<()>,
    ) -> Result<()> {
        let level = self.stack.len();
        while self.stack.len() > level || self.top.next != self.top.items {
            if let Some(Step::Leaf(item) | Step::Enter(item)) = self.step()? {
                count(&item)?;
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn enter(&mut self, items: u32, form: Form) -> Result<()> {
        if !self.stack.push(self.top.pack()) {
            return Err(self.too_deep());
        }
        self.top = Frame { next: 0, items, form };
        Ok(())
    }

    #[inline(never)]
    fn name(&mut self) -> Result<(&'a [u8], usize)> {
        let start = self.cursor.offset();
        let facts = self.mode.dialect.facts();
        let name = layout::string::<TEXT>(&mut self.cursor, facts)?;
        Ok((name, start))
    }

    #[cold]
    fn too_deep(&self) -> Error {
        self.cursor.error(ErrorKind::LimitExceeded { limit: Limit::Depth })
    }
}

/// Moves `cursor` behind the value that it stands at.
///
/// O(bytes of the value) for containers, O(1) for the others but string arrays and node paths.
#[inline(always)]
pub(crate) fn skip(cursor: &mut Cursor<'_>, mode: Mode) -> Result<()> {
    let start = *cursor;
    match layout::measure::<false>(cursor, mode)?.1 {
        Extent::Leaf | Extent::Open { items: 0, .. } => Ok(()),
        Extent::Open { .. } => {
            *cursor = skip_container(start, mode)?;
            Ok(())
        }
    }
}

#[inline(never)]
fn skip_container(start: Cursor<'_>, mode: Mode) -> Result<Cursor<'_>> {
    let mut scanner = Scanner::<false>::new(start, mode);
    while scanner.step()?.is_some() {}
    Ok(scanner.cursor())
}
