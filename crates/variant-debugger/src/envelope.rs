//! [`Envelope`]: the name, the thread and the elements of a message that has arrived.

use std::borrow::Cow;

use variant_io::{ByteOrder, frames};
use variant_view::{Document, Options, VariantView};

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
    pub(crate) elements: Reader<'a>,
    /// The first fault of an element.
    pub(crate) fault: Option<Error>,
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
        let elements = all.starting_at(parts.elements.saturating_sub(start));
        let count = usize::try_from(parts.count).unwrap_or(usize::MAX);
        Self {
            name: name.unwrap_or_default(),
            thread: parts.thread,
            bytes,
            elements: Reader::of_frames(elements, count, options, family),
            fault: parts.fault,
        }
    }

    /// `[name, elements]` or `[name, thread, elements]`. O(bytes): validates the frame.
    fn of_array(bytes: &'a [u8], options: Options, family: Option<Family>) -> Result<Self, Error> {
        let value = Self::value(bytes, options)?;
        let array = value.as_array().map_err(|_| out_of_step(ARRAY_THREADS))?;
        let found = match array.len() {
            2 => Family::Array,
            3 => Family::ArrayThreads,
            _ => return Err(out_of_step(ARRAY_THREADS)),
        };
        if family.is_some_and(|family| family != found) {
            let is_array = family == Some(Family::Array);
            return Err(out_of_step(if is_array { ARRAY } else { ARRAY_THREADS }));
        }
        let mut parts = Reader::of_array(&array, WORD, found);
        let name = parts.text()?;
        let thread = found.has_threads().then(|| parts.int()).transpose()?;
        Ok(Self { name, thread, bytes, elements: parts.array()?, fault: None })
    }

    /// `[name, arguments...]` or `[name, thread, arguments...]`. O(bytes): validates the frame.
    fn of_flat(bytes: &'a [u8], options: Options, family: Family) -> Result<Self, Error> {
        let value = Self::value(bytes, options)?;
        let array = value.as_array().map_err(|_| out_of_step(COMMAND))?;
        let mut parts = Reader::of_array(&array, WORD, family);
        let name = parts.text()?;
        let thread = family.has_threads().then(|| parts.int()).transpose()?;
        Ok(Self { name, thread, bytes, elements: parts, fault: None })
    }

    fn value(bytes: &'a [u8], options: Options) -> Result<VariantView<'a>, Error> {
        let frame = bytes.get(WORD..).unwrap_or_default();
        crate::inbox::check(frame, WORD, options)?;
        Document::new(frame, options).root().map_err(|error| Error::in_frame(error, WORD))
    }
}

#[cold]
fn out_of_step(expected: &'static str) -> Error {
    Error::at(ErrorKind::OutOfStep { expected }, WORD)
}
