//! The one iterative pass. Skipping, validating, walking, looking for a path: all of them take its steps.

mod frame;
mod meter;

pub(crate) use frame::Frame;
use frame::Packed;
use meter::Meter;

use crate::bytes::{Cursor, Fault, Unfit};
use crate::dialect::by_dialect;
use crate::document::Document;
use crate::error::{Error, ErrorKind, Limit, Result};
use crate::header::Header;
use crate::kind::by_kind;
use crate::layout::{self, Extent, Form};
use crate::options::Mode;
use crate::stack::Stack;
use crate::template::{Marks, Shape, Site, Stretches, Templates};

/// One step of the pass.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step<'a> {
    /// A value without children.
    Leaf(Item<'a>),
    /// A value with children, of which there may be none; [`Step::Exit`] follows in either case.
    Enter(Item<'a>),
    /// The end of the value that was entered last.
    Exit,
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

/// Takes part in the pass without having a say in where it goes.
pub(crate) trait Sink<'a, E = Error> {
    /// Whether it wants to be asked before the next step.
    const PAUSES: bool = false;
    /// Whether it need not be told of every value.
    const MAY_JUMP: bool = false;
    /// Whether it need not be told of any.
    const MAY_HURRY: bool = false;

    #[inline(always)]
    fn leaf(&mut self, item: &Item<'a>) -> Result<(), E> {
        let _ = item;
        Ok(())
    }

    #[inline(always)]
    fn enter(&mut self, item: &Item<'a>) -> Result<(), E> {
        let _ = item;
        Ok(())
    }

    #[inline(always)]
    fn exit(&mut self, end: usize) -> Result<(), E> {
        let _ = end;
        Ok(())
    }

    /// The record that has just ended may be of the same shape as some that follow.
    fn learn(&mut self, shape: Shape) {
        let _ = shape;
    }

    /// So many records of a shape, from `offset` on, are in order; it is not told of what is in them.
    fn jump(&mut self, shape: Shape, offset: usize, records: u32) {
        let _ = (shape, offset, records);
    }
}

/// Has nothing to say.
impl<E: Fault> Sink<'_, E> for () {
    // Exact errors have to be looked for value by value.
    const MAY_JUMP: bool = !E::IS_EXACT;
    const MAY_HURRY: bool = !E::IS_EXACT;
}

/// Keeps what it was told last.
impl<'a, E> Sink<'a, E> for Option<Step<'a>> {
    const PAUSES: bool = true;

    #[inline(always)]
    fn leaf(&mut self, item: &Item<'a>) -> Result<(), E> {
        *self = Some(Step::Leaf(*item));
        Ok(())
    }

    #[inline(always)]
    fn enter(&mut self, item: &Item<'a>) -> Result<(), E> {
        *self = Some(Step::Enter(*item));
        Ok(())
    }

    #[inline(always)]
    fn exit(&mut self, _end: usize) -> Result<(), E> {
        *self = Some(Step::Exit);
        Ok(())
    }
}

/// Reads a value and everything in it, one step at a time ([`Scanner::step`]) or to the end
/// ([`Scanner::run`]).
///
/// Memory is bounded by the depth limit; nothing recurses.
#[derive(Clone, Debug)]
pub(crate) struct Scanner<'a, const TEXT: bool, E = Error> {
    state: State<'a, E>,
    mode: Mode,
    stack: Stack<Packed>,
}

/// What every step changes. Apart from the rest, so that it stays in registers.
#[derive(Clone, Copy, Debug)]
struct State<'a, E> {
    cursor: Cursor<'a, E>,
    /// The container whose items are being read.
    top: Frame,
    /// How many containers are open.
    level: u32,
    /// The depth of the deepest value so far.
    deepest: u32,
    meter: Meter,
}

impl<'a, const TEXT: bool, E: Fault> Scanner<'a, TEXT, E> {
    /// Of the limits, only the depth applies.
    #[inline(always)]
    pub(crate) fn new(cursor: Cursor<'a, E>, mode: Mode) -> Self {
        Self::metered(cursor, mode, Frame::ROOT, Meter::UNLIMITED)
    }

    /// All limits apply.
    #[inline(always)]
    pub(crate) fn of_document(document: &Document<'a>) -> Self {
        let options = document.options();
        Self::metered(
            document.cursor().with_fault(),
            options.mode(),
            Frame::ROOT,
            Meter::new(document),
        )
    }

    /// Not one value, but some items of a container; of the limits, only the depth applies.
    #[inline(always)]
    pub(crate) fn of_items(cursor: Cursor<'a, E>, mode: Mode, items: Frame) -> Self {
        Self::metered(cursor, mode, items, Meter::UNLIMITED)
    }

    #[inline(always)]
    fn metered(cursor: Cursor<'a, E>, mode: Mode, top: Frame, meter: Meter) -> Self {
        let state = State { cursor, top, level: 0, deepest: 0, meter };
        Self { state, mode, stack: Stack::new(Frame::ROOT.pack()) }
    }

    /// Where the next step starts.
    pub(crate) fn offset(&self) -> usize {
        self.state.cursor.offset()
    }

    pub(crate) const fn mode(&self) -> Mode {
        self.mode
    }

    /// How many containers are open.
    pub(crate) const fn level(&self) -> u32 {
        self.state.level
    }

    /// For each container around the next value, from the outermost: the index of the item that is
    /// being read in it.
    pub(crate) fn indices(&self) -> impl Iterator<Item = u32> + '_ {
        self.stack
            .below(self.state.level)
            .map(Packed::unpack)
            .chain(core::iter::once(self.state.top))
            .skip(1)
            .map(|frame| frame.index().saturating_sub(1))
    }

    /// The next step; none when the value has ended.
    #[inline(always)]
    pub(crate) fn step(&mut self) -> Result<Option<Step<'a>>, E> {
        let mut step = None;
        self.tell(&mut step)?;
        Ok(step)
    }

    /// The next step, of which a sink that pauses is told; nothing when the value has ended.
    #[inline(always)]
    pub(crate) fn tell<S: Sink<'a, E>>(&mut self, sink: &mut S) -> Result<(), E> {
        turn::<TEXT, E, S>(&mut self.state, &mut self.stack, self.mode, sink).map(drop)
    }

    /// Whether a pass without exact errors would do: nothing has been read, and no limit needs every value
    /// to be looked at.
    pub(crate) const fn may_be_inexact(&self) -> bool {
        let State { level, top, meter, .. } = self.state;
        level == 0 && top.left == 1 && meter.tail == 0 && meter.max_values > 0
    }

    /// The same pass without exact errors, from its start.
    #[inline(always)]
    pub(crate) fn inexact(&self) -> Scanner<'a, TEXT, Unfit> {
        let State { cursor, top, level, deepest, meter } = self.state;
        let state = State { cursor: cursor.with_fault(), top, level, deepest, meter };
        Scanner { state, mode: self.mode, stack: Stack::new(Frame::ROOT.pack()) }
    }

    /// Goes to the offset that another pass through the same bytes has got to. There is no way on from there.
    pub(crate) fn end_at(&mut self, offset: usize) {
        let bytes = offset.saturating_sub(self.state.cursor.offset());
        self.state.cursor.take_up_to(bytes);
        self.state.top = Frame::new(0, Form::Elements);
        self.state.level = 0;
    }

    /// Takes all the steps that are left, with `sink` listening.
    #[inline(always)]
    pub(crate) fn run<S: Sink<'a, E>>(&mut self, sink: &mut S) -> Result<Outcome<'a>, E> {
        self.run_in(self.mode, sink)
    }

    /// The same, compiled once for every dialect, with its table and its rules as constants.
    #[inline(always)]
    pub(crate) fn run_fast<S: Sink<'a, E>>(&mut self, sink: &mut S) -> Result<Outcome<'a>, E> {
        by_dialect!(self.mode.dialect, |dialect| {
            self.run_in(Mode { dialect, ..self.mode }, sink)
        })
    }

    #[inline(always)]
    fn run_in<S: Sink<'a, E>>(&mut self, mode: Mode, sink: &mut S) -> Result<Outcome<'a>, E> {
        // A copy, which can stay in registers.
        let mut state = self.state;
        drive::<TEXT, E, S>(&mut state, &mut self.stack, mode, sink)?;
        let State { cursor, deepest: depth, meter, .. } = state;
        // Where a container counts its items, nobody has counted the root.
        let root = u64::from(!E::IS_EXACT);
        let values = meter.values.wrapping_add(root);
        Ok(Outcome { cursor: cursor.with_fault(), values, depth })
    }

    /// Steps over the items that are left of the innermost container, but not over its end.
    pub(crate) fn skip_rest(&mut self) -> Result<(), E> {
        let level = self.state.level;
        while self.state.level > level || self.state.top.left != 0 {
            let mut step = None::<Step<'a>>;
            turn::<TEXT, E, _>(&mut self.state, &mut self.stack, self.mode, &mut step)?;
        }
        Ok(())
    }
}

/// What a pass to the end has found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome<'a> {
    /// Behind the value.
    pub(crate) cursor: Cursor<'a>,
    pub(crate) values: u64,
    /// The depth of the deepest value.
    pub(crate) depth: u32,
}

/// Takes all the steps there are.
#[inline(always)]
fn drive<'a, const TEXT: bool, E: Fault, S: Sink<'a, E>>(
    state: &mut State<'a, E>,
    stack: &mut Stack<Packed>,
    mode: Mode,
    sink: &mut S,
) -> Result<(), E> {
    let mut marks = Marks::new(state.cursor.rest());
    let mut templates = None;
    let mut stretches = Stretches::new();
    loop {
        match turn::<TEXT, E, S>(state, stack, mode, sink)? {
            Turn::Opened(form) => {
                if S::MAY_JUMP {
                    marks.set(state.level, state.cursor.rest());
                }
                if S::MAY_HURRY && form == Form::Pairs {
                    hurry(state, &mut stretches, mode);
                }
            }
            Turn::Closed if S::MAY_JUMP => jump(state, &mut marks, &mut templates, mode, sink)?,
            Turn::Closed | Turn::Paused => {}
            Turn::Ended => return Ok(()),
        }
    }
}

/// What the last steps have led to.
enum Turn {
    /// A container with such items.
    Opened(Form),
    /// The end of one.
    Closed,
    /// Another value, of which a sink that pauses has been told.
    Paused,
    /// The end of the root.
    Ended,
}

/// Takes the steps up to where a container starts or ends, or one for a sink that pauses.
#[inline(always)]
fn turn<'a, const TEXT: bool, E: Fault, S: Sink<'a, E>>(
    state: &mut State<'a, E>,
    stack: &mut Stack<Packed>,
    mode: Mode,
    sink: &mut S,
) -> Result<Turn, E> {
    if state.top.left != 0 {
        if let Some(container) = items::<TEXT, E, S>(state, mode, sink)? {
            enter::<TEXT, E, S>(state, stack, mode, container)?;
            return Ok(Turn::Opened(container.form));
        }
        if S::PAUSES {
            return Ok(Turn::Paused);
        }
    }
    let Some(level) = state.level.checked_sub(1) else { return Ok(Turn::Ended) };
    state.level = level;
    state.top = stack.get(level).unwrap_or(Frame::ROOT.pack()).unpack();
    sink.exit(state.cursor.offset())?;
    Ok(Turn::Closed)
}

/// Reads the items that are left of the innermost container, as far as the next one that has items itself. A sink
/// that pauses gets one item.
#[inline(always)]
fn items<'a, const TEXT: bool, E: Fault, S: Sink<'a, E>>(
    state: &mut State<'a, E>,
    mode: Mode,
    sink: &mut S,
) -> Result<Option<Frame>, E> {
    let form = state.top.form;
    while state.top.left != 0 {
        let index = state.top.index();
        state.top.left = state.top.left.wrapping_sub(1);
        let mut name = None;
        if form == Form::Properties {
            let (behind, found) = read_name::<TEXT, E>(state.cursor, mode)?;
            state.cursor = behind;
            name = Some(found);
        }
        if S::PAUSES && state.level > mode.depth {
            return Err(too_deep(state.cursor));
        }
        let start = state.cursor;
        let mut cursor = start;
        let header = Header::read(&mut cursor, mode.dialect.facts())?;
        by_kind!(header.kind, |kind| {
            let header = header.of_kind(kind);
            let (behind, extent) = layout::payload::<TEXT, E>(header, cursor, mode)?;
            state.meter.count(start, behind)?;
            state.cursor = behind;
            let item = || Item {
                header,
                start: start.offset(),
                end: behind.offset(),
                place: Place { form, index, name },
                bytes: start.rest(),
                depth: state.level,
            };
            match extent {
                Extent::Leaf => sink.leaf(&item())?,
                Extent::Open { items, form } => {
                    sink.enter(&item())?;
                    return Ok(Some(Frame::new(items, form)));
                }
            }
        });
        if S::PAUSES {
            break;
        }
    }
    Ok(None)
}

/// A container has ended: steps over what follows in the one around it and is laid out alike.
#[inline(always)]
fn jump<'a, E: Fault, S: Sink<'a, E>>(
    state: &mut State<'a, E>,
    marks: &mut Marks<'a>,
    templates: &mut Option<Templates>,
    mode: Mode,
    sink: &mut S,
) -> Result<(), E> {
    let State { cursor, top: parent, level, .. } = *state;
    let site = Site { cursor, parent, level, mode };
    if let Some(run) = site.run(marks, templates, sink)
        && run.items > 0
    {
        state.cursor = run.behind.with_fault();
        state.top.left = parent.left.wrapping_sub(run.items);
        state.deepest = state.deepest.max(level.wrapping_add(run.depth));
        state.meter.add(state.cursor, run.values)?;
    }
    Ok(())
}

/// A dictionary has been opened: steps over the items that are as those of the one before.
#[inline(always)]
fn hurry<E: Fault>(state: &mut State<'_, E>, stretches: &mut Stretches, mode: Mode) {
    let mut cursor = state.cursor.with_fault();
    let items = stretches.skip(&mut cursor, state.level, state.top.left, mode);
    state.cursor = cursor.with_fault();
    state.top.left = state.top.left.wrapping_sub(items);
}

#[inline(always)]
fn enter<'a, const TEXT: bool, E: Fault, S: Sink<'a, E>>(
    state: &mut State<'_, E>,
    stack: &mut Stack<Packed>,
    mode: Mode,
    container: Frame,
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
    // Whoever pauses wants to know of the container first, and is told with the next step.
    if level >= mode.depth && !S::PAUSES {
        // It is the first item that stands too deep, behind its name.
        state.top.left = container.left.wrapping_sub(1);
        if container.form == Form::Properties {
            state.cursor = read_name::<TEXT, E>(state.cursor, mode)?.0;
        }
        return Err(too_deep(state.cursor));
    }
    Ok(())
}

/// The name of a property, the offset of its length word, and what follows.
#[inline(never)]
#[expect(clippy::type_complexity, reason = "used once")]
fn read_name<const TEXT: bool, E: Fault>(
    mut cursor: Cursor<'_, E>,
    mode: Mode,
) -> Result<(Cursor<'_, E>, (&[u8], usize)), E> {
    let start = cursor.offset();
    let name = layout::string::<TEXT, E>(&mut cursor, mode.dialect.facts())?;
    Ok((cursor, (name, start)))
}

#[inline(always)]
fn too_deep<E: Fault>(cursor: Cursor<'_, E>) -> E {
    cursor.error(ErrorKind::LimitExceeded { limit: Limit::Depth })
}

/// Moves `cursor` behind the value that it stands at.
///
/// O(bytes of the value) for containers, O(1) for the others but string arrays and node paths.
#[inline(always)]
pub(crate) fn skip<E: Fault>(cursor: &mut Cursor<'_, E>, mode: Mode) -> Result<(), E> {
    *cursor = match layout::measure(*cursor, mode)? {
        (behind, Extent::Leaf | Extent::Open { items: 0, .. }) => behind,
        (_, Extent::Open { .. }) => skip_container(*cursor, mode)?,
    };
    Ok(())
}

/// The same where it is rare.
#[inline(never)]
pub(crate) fn skip_apart<E: Fault>(
    mut cursor: Cursor<'_, E>,
    mode: Mode,
) -> Result<Cursor<'_, E>, E> {
    skip(&mut cursor, mode)?;
    Ok(cursor)
}

fn skip_container<E: Fault>(start: Cursor<'_, E>, mode: Mode) -> Result<Cursor<'_, E>, E> {
    let bytes = start.rest();
    match skip_flat(bytes, mode).or_else(|| skip_fast(bytes, Frame::ROOT, mode)) {
        Some(len) => Ok(start.behind(len)),
        None => skip_container_slowly(start, mode),
    }
}

/// So few items are stepped over before a scanner is ready.
const FLAT: u32 = 8;

/// The length of a container with few items, none of which has items itself.
///
/// Bytes and a number and no cursors, here and below: they stay in registers on their way.
#[inline(never)]
fn skip_flat(bytes: &[u8], mode: Mode) -> Option<usize> {
    let (mut cursor, extent) = layout::measure(Cursor::<Unfit>::new(bytes, 0), mode).ok()?;
    let Extent::Open { items: items @ ..=FLAT, form: Form::Elements | Form::Pairs } = extent else {
        return None;
    };
    if mode.depth == 0 {
        return None;
    }
    for _ in 0..items {
        match layout::measure(cursor, mode).ok()? {
            (behind, Extent::Leaf | Extent::Open { items: 0, .. }) => cursor = behind,
            (_, Extent::Open { .. }) => return None,
        }
    }
    Some(cursor.offset())
}

/// Steps over some items of a container; none if something is wrong with them, or if it is better to look at each.
pub(crate) fn skip_items(start: Cursor<'_>, items: Frame, mode: Mode) -> Option<Cursor<'_>> {
    let is_worth = items.left > FLAT && items.form != Form::Properties;
    let len = is_worth.then(|| skip_fast(start.rest(), items, mode))??;
    Some(start.behind(len))
}

/// The length of some items of a container.
#[inline(never)]
fn skip_fast(bytes: &[u8], items: Frame, mode: Mode) -> Option<usize> {
    let mut scanner = Scanner::<false, Unfit>::of_items(Cursor::new(bytes, 0), mode, items);
    scanner.run_fast(&mut ()).ok().map(|outcome| outcome.cursor.offset())
}

#[cold]
#[inline(never)]
fn skip_container_slowly<E: Fault>(start: Cursor<'_, E>, mode: Mode) -> Result<Cursor<'_, E>, E> {
    Scanner::<false, E>::new(start, mode).run(&mut ()).map(|outcome| outcome.cursor.with_fault())
}
