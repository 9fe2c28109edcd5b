//! [`Envelope`]: the name, the thread and the elements of a message that has arrived.

use std::borrow::Cow;

use variant_io::{ByteOrder, frames};
use variant_view::{ArrayView, Document, Options, VariantView};

use crate::error::{Error, ErrorKind};
use crate::family::Family;
use crate::inbox::{Inbox, Parts, Whole};
use crate::reader::{Reader, text_of};

/// The size of a length word.
const WORD: usize = 4;

/// A message that has arrived. Borrows from the inbox.
#[derive(Clone, Debug)]
pub(crate) struct Envelope<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) thread: Option<i64>,
    pub(crate) bytes: &'a [u8],
    pub(crate) family: Family,
    elements: Elements<'a>,
    /// The first fault of an element.
    pub(crate) fault: Option<Error>,
}

/// Where the elements are. A [`Reader`] of them is made on request, since it is several times as large.
#[derive(Clone, Copy, Debug)]
enum Elements<'a> {
    /// Those of an array, after the first `skip`.
    Array { array: ArrayView<'a>, skip: usize },
    /// One in each frame, from `at` on.
    Frames { at: usize, count: u32, options: Options },
}

impl<'a> Envelope<'a> {
    /// The elements.
    pub(crate) fn elements(&self) -> Reader<'a> {
        match self.elements {
            Elements::Array { array, skip } => {
                let mut reader = Reader::of_array(&array, WORD, self.family);
                for _ in 0..skip {
                    // The frame is valid, so that its elements can be read.
                    let _ = reader.value();
                }
                reader
            }
            Elements::Frames { at, count, options } => {
                let frames = frames(self.bytes, ByteOrder::Little).starting_at(at);
                let count = usize::try_from(count).unwrap_or(usize::MAX);
                Reader::of_frames(frames, count, options, self.family)
            }
        }
    }
}

const ARRAY: &str = "an array of name and elements";
const ARRAY_THREADS: &str = "an array of name, thread and elements";
const COMMAND: &str = "an array that begins with a name";

impl<'a> Envelope<'a> {
    /// A message of a game, whose parts the inbox has read.
    pub(crate) fn of_game(
        inbox: &'a Inbox,
        whole: &Whole,
        family: Option<Family>,
    ) -> Result<Self, Error> {
        let bytes = inbox.bytes(whole.start, whole.end);
        let (options, start) = (inbox.options(), inbox.position(whole.start));
        match whole.parts {
            Some(parts) => Ok(Self::of_frames(bytes, whole.start, &parts, options)),
            None => Self::of_array(bytes, options, family).map_err(|error| error.after(start)),
        }
    }

    /// A command, which is one frame in every family.
    pub(crate) fn of_debugger(
        inbox: &'a Inbox,
        whole: &Whole,
        family: Family,
    ) -> Result<Self, Error> {
        let bytes = inbox.bytes(whole.start, whole.end);
        let (options, start) = (inbox.options(), inbox.position(whole.start));
        let read = if family.is_array() {
            Self::of_array(bytes, options, Some(family))
        } else {
            Self::of_flat(bytes, options, family)
        };
        read.map_err(|error| error.after(start))
    }

    /// Frames of name, thread, count and elements. The name was read before.
    fn of_frames(bytes: &'a [u8], start: usize, parts: &Parts, options: Options) -> Self {
        let mut all = frames(bytes, ByteOrder::Little);
        let name = all.next().and_then(Result::ok).and_then(|frame| {
            let root = Document::new(frame.bytes(), options).root().ok()?;
            text_of(&root)
        });
        let family = match parts.thread {
            Some(_) => Family::FramesThreads,
            None => Family::Frames,
        };
        let at = parts.elements.saturating_sub(start);
        Self {
            name: name.unwrap_or_default(),
            thread: parts.thread,
            bytes,
            family,
            elements: Elements::Frames { at, count: parts.count, options },
            fault: parts.fault,
        }
    }

    /// `[name, elements]` or `[name, thread, elements]`. O(bytes): validates the frame.
    fn of_array(bytes: &'a [u8], options: Options, family: Option<Family>) -> Result<Self, Error> {
        let frame = checked(bytes, options)?;
        // One reader of the parts is faster than a view of the array and an iterator.
        let mut values = variant_view::Reader::new(frame, options);
        let mut next = || values.next_value().map_err(|error| Error::in_frame(error, WORD));
        let found = match next()? {
            (VariantView::Array(_), Some(2)) => Family::Array,
            (VariantView::Array(_), Some(3)) => Family::ArrayThreads,
            _ => return Err(out_of_step(ARRAY_THREADS)),
        };
        if family.is_some_and(|family| family != found) {
            let is_array = family == Some(Family::Array);
            return Err(out_of_step(if is_array { ARRAY } else { ARRAY_THREADS }));
        }
        let name = name(&next()?.0)?;
        let thread = if found.has_threads() { Some(thread(&next()?.0)?) } else { None };
        let elements = next()?.0.as_array().map_err(|_| out_of_step(ARRAY_THREADS))?;
        let elements = Elements::Array { array: elements, skip: 0 };
        Ok(Self { name, thread, bytes, family: found, elements, fault: None })
    }

    /// `[name, arguments...]` or `[name, thread, arguments...]`. O(bytes): validates the frame.
    fn of_flat(bytes: &'a [u8], options: Options, family: Family) -> Result<Self, Error> {
        let frame = checked(bytes, options)?;
        let root = Document::new(frame, options).root();
        let array = root.map_err(|error| Error::in_frame(error, WORD))?.as_array();
        let array = array.map_err(|_| out_of_step(COMMAND))?;
        let mut items = array.iter();
        let name = name(&next(items.next())?)?;
        let has_thread = family.has_threads();
        let thread = if has_thread { Some(thread(&next(items.next())?)?) } else { None };
        let elements = Elements::Array { array, skip: usize::from(has_thread).saturating_add(1) };
        Ok(Self { name, thread, bytes, family, elements, fault: None })
    }
}

/// The value of a frame, validated.
fn checked(bytes: &[u8], options: Options) -> Result<&[u8], Error> {
    let frame = bytes.get(WORD..).unwrap_or_default();
    crate::inbox::check(frame, WORD, options).map(|()| frame)
}

type Item<'a> = Option<variant_view::Result<VariantView<'a>>>;

fn next(item: Item<'_>) -> Result<VariantView<'_>, Error> {
    match item {
        Some(Ok(item)) => Ok(item),
        Some(Err(error)) => Err(Error::in_frame(error, WORD)),
        None => Err(out_of_step(COMMAND)),
    }
}

fn name<'a>(value: &VariantView<'a>) -> Result<Cow<'a, str>, Error> {
    text_of(value).ok_or_else(|| out_of_step(COMMAND))
}

fn thread(value: &VariantView<'_>) -> Result<i64, Error> {
    value.as_i64().map_err(|_| out_of_step(ARRAY_THREADS))
}

#[cold]
fn out_of_step(expected: &'static str) -> Error {
    Error::at(ErrorKind::OutOfStep { expected }, WORD)
}
