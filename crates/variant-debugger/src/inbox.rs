//! [`Inbox`]: the bytes of a stream, and the messages that are complete in it.

use variant_io::{ByteOrder, FrameError, frames};
use variant_view::{Dialect, Document, Kind, Limits as ValueLimits, Objects, Options, VariantView};

use crate::error::{Error, ErrorKind};
use crate::family::Family;
use crate::limits::Limits;
use crate::messages;
use crate::reader::place;

/// The greatest buffer that an idle session keeps.
const KEPT: usize = 32 << 10;

/// The bytes that have arrived, and the place up to which they were read.
#[derive(Debug)]
pub(crate) struct Inbox {
    buffer: Vec<u8>,
    /// The start of the message that is being read.
    start: usize,
    /// The start of the next frame.
    at: usize,
    /// The offset of the buffer in the stream.
    offset: u64,
    pub(crate) framing: Framing,
    /// The dialect, once known.
    pub(crate) dialect: Option<Dialect>,
    stage: Stage,
    parts: Parts,
    /// Whether frames are skipped up to the name of a message.
    is_lost: bool,
    has_failed: bool,
    limits: Limits,
}

/// How the messages of a stream are framed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// Each message is a frame.
    One,
    /// A message is several frames.
    Many(Family),
    /// The first frames show it.
    Unknown,
}

/// What the next frame of a message of several frames is.
#[derive(Clone, Copy, Debug)]
enum Stage {
    Name,
    Thread,
    Count,
    Element,
    /// The second frame of the first message.
    ThreadOrCount,
    /// The third frame of the first message, after a number.
    CountOrElement(i64),
}

/// The parts of a message of several frames.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parts {
    pub(crate) thread: Option<i64>,
    /// The start of the first element.
    pub(crate) elements: usize,
    pub(crate) count: u32,
    /// The number of elements that have not arrived.
    left: u32,
    /// The first fault of an element.
    pub(crate) fault: Option<Error>,
}

/// A complete message: where it is in the buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whole {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The parts, if it is several frames.
    pub(crate) parts: Option<Parts>,
}

/// What a frame is to its message.
enum Step {
    Part,
    Last,
    /// The message has ended before the frame.
    Before,
    /// The frame is not what must come next.
    Lost(ErrorKind),
}

const COUNT: Step = Step::Lost(ErrorKind::OutOfStep { expected: "a count of frames" });
const THREAD: Step = Step::Lost(ErrorKind::OutOfStep { expected: "the id of a thread" });
const NAME: Step = Step::Lost(ErrorKind::OutOfStep { expected: "the name of a message" });

impl Inbox {
    pub(crate) fn new(framing: Framing, dialect: Option<Dialect>, limits: Limits) -> Self {
        Self {
            buffer: Vec::new(),
            start: 0,
            at: 0,
            offset: 0,
            framing,
            dialect,
            stage: Stage::Name,
            parts: Parts::default(),
            is_lost: false,
            has_failed: false,
            limits,
        }
    }

    /// Appends bytes. O(bytes), amortised.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        if !self.has_failed {
            self.buffer.extend_from_slice(bytes);
        }
    }

    /// Frees what was read, if that is at least half of the buffer, so that bytes do not move again and again.
    pub(crate) fn compact(&mut self) {
        let start = self.start.min(self.buffer.len());
        if start < self.buffer.len().saturating_sub(start) {
            return;
        }
        self.buffer.drain(..start);
        self.buffer.shrink_to(KEPT);
        self.offset = self.offset.saturating_add(place(start));
        self.at = self.at.saturating_sub(start);
        self.parts.elements = self.parts.elements.saturating_sub(start);
        self.start = 0;
    }

    pub(crate) const fn has_failed(&self) -> bool {
        self.has_failed
    }

    pub(crate) fn bytes(&self, start: usize, end: usize) -> &[u8] {
        self.buffer.get(start..end).unwrap_or_default()
    }

    /// The offset in the stream of a place in the buffer.
    pub(crate) fn position(&self, at: usize) -> u64 {
        self.offset.saturating_add(place(at))
    }

    /// The options for values of the other side.
    pub(crate) fn options(&self) -> Options {
        // What is read before the dialect is known has the same bytes in all dialects of the family.
        let dialect = self.dialect.unwrap_or(match self.framing {
            Framing::One => Dialect::Godot4,
            Framing::Many(Family::FramesThreads) => Dialect::Pandemonium5,
            Framing::Many(_) | Framing::Unknown => Dialect::Godot3,
        });
        let limits = ValueLimits::ENGINE.depth(self.limits.depth).values(self.limits.values);
        Options::engine(dialect).objects(Objects::Refuse).limits(limits)
    }

    /// The message that follows, if it is complete.
    pub(crate) fn next(&mut self) -> Option<Result<Whole, Error>> {
        loop {
            let (start, end) = match self.frame()? {
                Ok(frame) => frame,
                Err(kind) => return Some(Err(self.fail(kind))),
            };
            if self.framing == Framing::One {
                self.at = end;
                return Some(Ok(self.complete(None)));
            }
            match self.step(start, end) {
                Step::Part => self.at = end,
                Step::Last => {
                    self.at = end;
                    return Some(Ok(self.complete(Some(self.parts))));
                }
                Step::Before => return Some(Ok(self.complete(Some(self.parts)))),
                Step::Lost(kind) => {
                    if let Some(error) = self.lose(kind, end) {
                        return Some(Err(error));
                    }
                }
            }
        }
    }

    /// The next complete frame: the start and the end of its value.
    fn frame(&mut self) -> Option<Result<(usize, usize), ErrorKind>> {
        if self.has_failed {
            return None;
        }
        let limit = self.limits.message;
        let is_too_long = |end: usize| end.saturating_sub(self.start) > size(limit);
        let mut rest = frames(&self.buffer, ByteOrder::Little);
        rest = rest.max_len(self.limits.frame).starting_at(self.at);
        let (start, end) = match rest.next()? {
            Ok(frame) => (frame.start(), frame.start().saturating_add(frame.bytes().len())),
            Err(error) => {
                let fault = too_long(&error);
                // The bytes of a message that is too long are not waited for.
                let end = error.value_start()?.saturating_add(size(error.needed()));
                return match fault {
                    Some(kind) => Some(Err(kind)),
                    None => is_too_long(end).then_some(Err(ErrorKind::MessageTooLong { limit })),
                };
            }
        };
        if is_too_long(end) {
            return Some(Err(ErrorKind::MessageTooLong { limit }));
        }
        if self.framing == Framing::Unknown && matches!(self.stage, Stage::Name) {
            return Some(self.first(start, end).map(|()| (start, end)));
        }
        Some(Ok((start, end)))
    }

    /// Learns from the first frame whether messages are arrays.
    fn first(&mut self, start: usize, end: usize) -> Result<(), ErrorKind> {
        let word = self.bytes(start, end).first_chunk();
        let header = u32::from_le_bytes(*word.unwrap_or(&[0xff; 4]));
        let dialect = Dialect::Godot4;
        match u8::try_from(header & 0xff).ok().and_then(|id| dialect.kind(id)) {
            Some(Kind::String) => Ok(()),
            Some(Kind::Array) => {
                self.framing = Framing::One;
                Ok(())
            }
            _ => Err(ErrorKind::NotAGame { header }),
        }
    }

    #[cold]
    fn fail(&mut self, kind: ErrorKind) -> Error {
        let error = Error::new(kind, self.position(self.at));
        self.has_failed = true;
        (self.buffer, self.start, self.at) = (Vec::new(), 0, 0);
        error
    }

    /// Skips frames up to the name of a message. `None` if that has been reported.
    #[cold]
    fn lose(&mut self, kind: ErrorKind, end: usize) -> Option<Error> {
        let error = Error::new(kind, self.position(self.at));
        let is_new = !std::mem::replace(&mut self.is_lost, true);
        // A frame in another place may itself be a name.
        if matches!(self.stage, Stage::Name) && !is_new {
            self.at = end;
        }
        (self.start, self.stage, self.parts) = (self.at, Stage::Name, Parts::default());
        is_new.then_some(error)
    }

    fn complete(&mut self, parts: Option<Parts>) -> Whole {
        let whole = Whole { start: self.start, end: self.at, parts };
        (self.start, self.stage, self.parts) = (self.at, Stage::Name, Parts::default());
        whole
    }

    /// Reads the next frame of a message of several frames.
    fn step(&mut self, start: usize, end: usize) -> Step {
        let options = self.options();
        let value = Document::new(self.bytes(start, end), options);
        let number = || value.root().and_then(|root| root.as_i64()).ok();
        match self.stage {
            Stage::Name => self.name(start, end, options),
            Stage::Thread => number().map_or(THREAD, |thread| self.goes_on(thread)),
            Stage::Count => number().map_or(COUNT, |count| self.begin(count, end)),
            Stage::ThreadOrCount => {
                let number = number();
                number.map_or(COUNT, |number| {
                    self.stage = Stage::CountOrElement(number);
                    Step::Part
                })
            }
            Stage::CountOrElement(number_before) => match number() {
                Some(count) => {
                    self.framing = Framing::Many(Family::FramesThreads);
                    self.parts.thread = Some(number_before);
                    self.begin(count, end)
                }
                None => self.found_frames(number_before, start, end),
            },
            Stage::Element => self.element(start, end),
        }
    }

    fn name(&mut self, start: usize, end: usize, options: Options) -> Step {
        let root = Document::new(self.bytes(start, end), options).root();
        let is_name = match root.as_ref().map(VariantView::as_str) {
            Ok(Ok(name)) => !self.is_lost || messages::is_framed_name(name),
            _ => false,
        };
        if !is_name {
            return NAME;
        }
        self.is_lost = false;
        self.stage = match self.framing {
            Framing::Many(Family::FramesThreads) => Stage::Thread,
            Framing::Many(_) => Stage::Count,
            Framing::Unknown | Framing::One => Stage::ThreadOrCount,
        };
        Step::Part
    }

    const fn goes_on(&mut self, thread: i64) -> Step {
        self.parts.thread = Some(thread);
        self.stage = Stage::Count;
        Step::Part
    }

    /// The third frame is not a number: the second is a count, and the third an element or a name.
    fn found_frames(&mut self, count: i64, start: usize, end: usize) -> Step {
        self.framing = Framing::Many(Family::Frames);
        match self.begin(count, start.saturating_sub(4)) {
            Step::Last => Step::Before,
            Step::Part => self.element(start, end),
            other => other,
        }
    }

    /// A count of elements, which start at `elements`.
    fn begin(&mut self, count: i64, elements: usize) -> Step {
        let limit = self.limits.frames;
        let Some(count) = u32::try_from(count).ok().filter(|count| *count <= limit) else {
            return Step::Lost(ErrorKind::FrameCount { count, limit });
        };
        self.parts = Parts { elements, count, left: count, ..self.parts };
        self.stage = Stage::Element;
        if count == 0 { Step::Last } else { Step::Part }
    }

    fn element(&mut self, start: usize, end: usize) -> Step {
        if self.dialect.is_none() {
            self.dialect = self.dialect_of(start, end);
        }
        let options = self.options();
        if self.parts.fault.is_none() {
            let place = start.saturating_sub(self.start);
            self.parts.fault = check(self.bytes(start, end), place, options).err();
        }
        self.parts.left = self.parts.left.saturating_sub(1);
        if self.parts.left == 0 { Step::Last } else { Step::Part }
    }
}

impl Inbox {
    /// The dialect by the type id of an array, the element in these bytes. These messages begin with one.
    #[cold]
    fn dialect_of(&self, start: usize, end: usize) -> Option<Dialect> {
        let name = frames(&self.buffer, ByteOrder::Little).starting_at(self.start).next()?.ok()?;
        let name = Document::new(name.bytes(), self.options()).root().ok()?;
        let is_array = matches!(name.as_str(), Ok("output" | "error" | "performance"));
        let [id, ..] = *self.bytes(start, end).first_chunk::<4>()?;
        let is = |dialect: &Dialect| dialect.kind(id) == Some(Kind::Array);
        let all = [Dialect::Godot3, Dialect::Pandemonium3];
        let is_first = is_array && self.framing == Framing::Many(Family::Frames);
        all.into_iter().find(is).filter(|_| is_first && self.parts.left == self.parts.count)
    }
}

/// Checks that a frame, at `place` in its message, is exactly one value. O(bytes).
pub(crate) fn check(bytes: &[u8], place: usize, options: Options) -> Result<(), Error> {
    let document = Document::new(bytes, options);
    let summary = document.validate().map_err(|error| Error::in_frame(error, place))?;
    let count = bytes.len().saturating_sub(summary.consumed);
    if count > 0 {
        return Err(Error::at(
            ErrorKind::Trailing { count },
            place.saturating_add(summary.consumed),
        ));
    }
    Ok(())
}

fn too_long(error: &FrameError) -> Option<ErrorKind> {
    error.max_len().map(|limit| ErrorKind::FrameTooLong { len: error.needed(), limit })
}

fn size(bytes: u32) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}
