//! The iterative pass that skipping, validation, walks, the tape and paths share. Unlike the flat pass
//! (`scan/flat.rs`), it can return exact errors.

pub(crate) mod flat;
mod meter;
mod record;
mod sink;
mod skip;

pub(crate) use meter::Meter;
pub(crate) use sink::{Item, ItemRole, Sink, Step};
pub(crate) use skip::{skip, skip_apart, skip_items};

use crate::bytes::{Cursor, Fault, Unfit};
use crate::contents::{Contents, OpenContainer, StoredContainer};
use crate::error::{Error, ErrorKind, Limit, Result};
use crate::header::Header;
use crate::kind::{Kind, by_kind};
use crate::layout::{self, Extent};
use crate::options::{Mode, Options};
use crate::stack::Stack;

/// Reads a value and everything in it, step by step ([`Scanner::step`]) or to the end ([`Scanner::run`]).
///
/// Memory is bounded by the depth limit; nothing recurses.
#[derive(Clone, Debug)]
pub(crate) struct Scanner<'a, const TEXT: bool, E = Error> {
    state: State<'a, E>,
    mode: Mode,
    stack: Stack<StoredContainer>,
}

/// The state that every step changes. It is a separate struct, so that it stays in registers.
#[derive(Clone, Copy, Debug)]
struct State<'a, E> {
    cursor: Cursor<'a, E>,
    /// The container whose items are being read.
    top: OpenContainer,
    /// The number of open containers.
    level: u32,
    /// The greatest depth so far.
    deepest: u32,
    meter: Meter,
}

impl<'a, const TEXT: bool, E: Fault> Scanner<'a, TEXT, E> {
    /// A scanner of one value; the only limit that applies is the depth.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn new(cursor: Cursor<'a, E>, mode: Mode) -> Self {
        Self::metered(cursor, mode, OpenContainer::ROOT, Meter::UNLIMITED)
    }

    /// A scanner of a document; all limits apply.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn of_document(bytes: &'a [u8], options: &Options) -> Self {
        let meter = Meter::new(bytes.len(), &options.limits);
        Self::metered(Cursor::new(bytes, 0), options.mode(), OpenContainer::ROOT, meter)
    }

    /// A scanner of some items of a container; the only limit that applies is the depth.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn of_items(cursor: Cursor<'a, E>, mode: Mode, items: OpenContainer) -> Self {
        Self::metered(cursor, mode, items, Meter::UNLIMITED)
    }

    /// A scanner of one value that continues the counts of `meter`.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn counting(cursor: Cursor<'a, E>, mode: Mode, meter: Meter) -> Self {
        Self::metered(cursor, mode, OpenContainer::ROOT, meter)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn metered(cursor: Cursor<'a, E>, mode: Mode, top: OpenContainer, meter: Meter) -> Self {
        let state = State { cursor, top, level: 0, deepest: 0, meter };
        Self { state, mode, stack: Stack::new(OpenContainer::ROOT.pack()) }
    }

    /// The container whose items are being read.
    pub(crate) const fn top(&self) -> OpenContainer {
        self.state.top
    }

    /// The bytes from the next step on.
    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.state.cursor.rest()
    }

    /// The offset of the next step.
    pub(crate) fn offset(&self) -> usize {
        self.state.cursor.offset()
    }

    pub(crate) const fn mode(&self) -> Mode {
        self.mode
    }

    /// The number of open containers.
    pub(crate) const fn level(&self) -> u32 {
        self.state.level
    }

    /// The next step; `None` at the end of the value.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn step(&mut self) -> Result<Option<Step<'a>>, E> {
        let mut step = None;
        self.tell(&mut step)?;
        Ok(step)
    }

    /// Passes the next step to `sink`, which must pause ([`Sink::PAUSES`]). At the end of the value, passes nothing.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn tell<S: Sink<'a, E>>(&mut self, sink: &mut S) -> Result<(), E> {
        turn::<TEXT, E, S>(&mut self.state, &mut self.stack, self.mode, sink).map(drop)
    }

    /// Closes the innermost container if none of its items are left, and returns the offset of its end. Unlike
    /// [`Scanner::tell`], this method does not contain the code that reads values.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn close(&mut self) -> Option<usize> {
        let is_at_end = self.state.top.left == 0 && close(&mut self.state, &self.stack);
        is_at_end.then(|| self.state.cursor.offset())
    }

    /// Whether a pass without exact errors suffices: nothing has been read, and no limit requires a check per value.
    pub(crate) const fn may_be_inexact(&self) -> bool {
        let State { level, top, meter, .. } = self.state;
        level == 0 && top.left == 1 && meter.tail == 0 && meter.max_values > 0
    }

    /// The same pass from the start, without exact errors.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn inexact(&self) -> Scanner<'a, TEXT, Unfit> {
        let State { cursor, top, level, deepest, meter } = self.state;
        let state = State { cursor: cursor.with_fault(), top, level, deepest, meter };
        Scanner { state, mode: self.mode, stack: Stack::new(OpenContainer::ROOT.pack()) }
    }

    /// Ends the scan at the offset where another pass over the same bytes stopped.
    pub(crate) fn end_at(&mut self, offset: usize) {
        let bytes = offset.saturating_sub(self.state.cursor.offset());
        self.state.cursor.take_up_to(bytes);
        self.state.top = OpenContainer::new(0, Contents::Elements);
        self.state.level = 0;
    }

    /// Takes all remaining steps and passes them to `sink`.
    #[cfg_attr(not(variant_small), inline(always))]
    pub(crate) fn run<S: Sink<'a, E>>(&mut self, sink: &mut S) -> Result<Outcome<'a>, E> {
        // The pass changes a copy, which can stay in registers.
        let mut state = self.state;
        drive::<TEXT, E, S>(&mut state, &mut self.stack, self.mode, sink)?;
        let State { cursor, deepest: depth, meter, .. } = state;
        // Inexact passes count the items of containers. The root is not an item, so `root` adds it.
        let root = u64::from(!E::IS_EXACT);
        let values = meter.values.wrapping_add(root);
        Ok(Outcome { cursor: cursor.with_fault(), values, depth })
    }

    /// Skips the remaining items of the innermost container, but not its end.
    pub(crate) fn skip_rest(&mut self) -> Result<(), E> {
        let level = self.state.level;
        while self.state.level > level || self.state.top.left != 0 {
            let mut step = None::<Step<'a>>;
            turn::<TEXT, E, _>(&mut self.state, &mut self.stack, self.mode, &mut step)?;
        }
        Ok(())
    }
}

/// The result of a whole pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome<'a> {
    /// A cursor at the end of the value.
    pub(crate) cursor: Cursor<'a>,
    pub(crate) values: u64,
    /// The depth of the deepest value.
    pub(crate) depth: u32,
}

#[cfg_attr(not(variant_small), inline(always))]
fn drive<'a, const TEXT: bool, E: Fault, S: Sink<'a, E>>(
    state: &mut State<'a, E>,
    stack: &mut Stack<StoredContainer>,
    mode: Mode,
    sink: &mut S,
) -> Result<(), E> {
    while !turn::<TEXT, E, S>(state, stack, mode, sink)? {}
    Ok(())
}

/// Takes the steps up to the start or end of a container; for a pausing sink, takes one step. Returns whether the root
/// has ended.
#[cfg_attr(not(variant_small), inline(always))]
fn turn<'a, const TEXT: bool, E: Fault, S: Sink<'a, E>>(
    state: &mut State<'a, E>,
    stack: &mut Stack<StoredContainer>,
    mode: Mode,
    sink: &mut S,
) -> Result<bool, E> {
    if state.top.left != 0 {
        if let Some(container) = items::<TEXT, E, S>(state, mode, sink)? {
            enter::<TEXT, E, S>(state, stack, mode, container)?;
            return Ok(false);
        }
        if S::PAUSES {
            return Ok(false);
        }
    }
    if !close(state, stack) {
        return Ok(true);
    }
    sink.exit(state.cursor.offset())?;
    Ok(false)
}

/// Closes the innermost container; returns whether one was open.
#[cfg_attr(not(variant_small), inline(always))]
fn close<E>(state: &mut State<'_, E>, stack: &Stack<StoredContainer>) -> bool {
    let Some(level) = state.level.checked_sub(1) else { return false };
    state.level = level;
    state.top = stack.get(level).unwrap_or(OpenContainer::ROOT.pack()).unpack();
    true
}

/// Reads the remaining items of the innermost container, up to the next item that is a container; for a pausing sink,
/// reads one item.
#[cfg_attr(not(variant_small), inline(always))]
fn items<'a, const TEXT: bool, E: Fault, S: Sink<'a, E>>(
    state: &mut State<'a, E>,
    mode: Mode,
    sink: &mut S,
) -> Result<Option<OpenContainer>, E> {
    let form = state.top.form;
    while state.top.left != 0 {
        let index = state.top.index();
        state.top.left = state.top.left.wrapping_sub(1);
        let mut name = None;
        if form == Contents::Properties {
            let (behind, found) = read_name::<TEXT, E>(state.cursor, mode)?;
            state.cursor = behind;
            name = Some(found);
        }
        if S::PAUSES && state.level > mode.depth {
            return Err(too_deep(state.cursor));
        }
        let start = state.cursor;
        let mut cursor = start;
        let header = Header::read(&mut cursor, mode.dialect.rules())?;
        by_kind!(header.kind, |kind| {
            let header = header.of_kind(kind);
            let mut own = mode;
            if matches!(header.kind, Kind::TypedArray | Kind::PackedTypedArray) {
                own.depth = mode.depth.saturating_sub(state.level);
            }
            let (behind, extent) = layout::payload::<TEXT, E>(header, cursor, own)?;
            state.meter.count(start, behind)?;
            state.cursor = behind;
            let item = |items| Item {
                header,
                items,
                start: start.offset(),
                end: behind.offset(),
                place: ItemRole { form, index, name },
                bytes: start.rest(),
                depth: state.level,
            };
            match extent {
                Extent::Leaf => sink.leaf(&item(0))?,
                Extent::Open { items, form } => {
                    sink.enter(&item(items))?;
                    return Ok(Some(OpenContainer::new(items, form)));
                }
            }
        });
        if S::PAUSES {
            break;
        }
    }
    Ok(None)
}

#[cfg_attr(not(variant_small), inline(always))]
fn enter<'a, const TEXT: bool, E: Fault, S: Sink<'a, E>>(
    state: &mut State<'_, E>,
    stack: &mut Stack<StoredContainer>,
    mode: Mode,
    container: OpenContainer,
) -> Result<(), E> {
    if !stack.set(state.level, state.top.pack()) {
        return Err(too_deep(state.cursor));
    }
    state.top = container;
    let level = state.level;
    state.level = level.wrapping_add(1);
    if container.items == 0 {
        return Ok(());
    }
    state.meter.add(state.cursor, container.items.into())?;
    state.deepest = state.deepest.max(state.level);
    // A pausing sink must receive the container before the depth error. The next step returns the error.
    if level >= mode.depth && !S::PAUSES {
        // The first item is too deep. The error's offset is past the item's name.
        state.top.left = container.left.wrapping_sub(1);
        if container.form == Contents::Properties {
            state.cursor = read_name::<TEXT, E>(state.cursor, mode)?.0;
        }
        return Err(too_deep(state.cursor));
    }
    Ok(())
}

/// The name of a property, the offset of its length word, and the cursor past the name.
#[inline(never)]
#[expect(clippy::type_complexity, reason = "used once")]
fn read_name<const TEXT: bool, E: Fault>(
    mut cursor: Cursor<'_, E>,
    mode: Mode,
) -> Result<(Cursor<'_, E>, (&[u8], usize)), E> {
    let start = cursor.offset();
    let name = layout::string::<TEXT, E>(&mut cursor, mode.dialect.rules())?;
    Ok((cursor, (name, start)))
}

#[cfg_attr(not(variant_small), inline(always))]
fn too_deep<E: Fault>(cursor: Cursor<'_, E>) -> E {
    cursor.error(ErrorKind::LimitExceeded { limit: Limit::Depth })
}
