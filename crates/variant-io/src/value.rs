//! [`Values`]: the values of a file, in any framing.

mod write;

use std::fmt;

use variant_view::{Dialect, Document, Limits, Objects, Options};
pub use write::ValuesWriter;

use crate::ecfg::{EcfgError, Settings, settings};
use crate::frame::{FrameError, Frames, frames};
use crate::framing::Framing;

/// The bytes of one value, and their place in the file; from [`Values`].
///
/// ```
/// use variant_io::{ByteOrder, Framing};
/// use variant_view::Dialect;
///
/// // null, and an int that is cut short
/// let file = [4, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0];
/// let value = Framing::Frames(ByteOrder::Little).values(&file).nth(1).expect("two values")?;
/// assert_eq!((value.number, value.start), (2, 12));
/// let error = value.document(Dialect::Godot4).validate().unwrap_err();
/// assert_eq!(value.absolute(error.offset()), 16); // in the file
/// # Ok::<(), variant_io::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value<'a> {
    /// The position among the values of the file, from 1.
    pub number: u64,
    /// The offset in the file of the first byte of the value.
    pub start: usize,
    /// The bytes of the value. If a length prefix counts further bytes after the value, these are included.
    pub bytes: &'a [u8],
    /// The name of a setting; `None` in other framings.
    pub name: Option<&'a [u8]>,
}

impl<'a> Value<'a> {
    /// The value as a document, to be read with `options`. O(1); nothing is decoded.
    pub fn document(&self, options: impl Into<Options>) -> Document<'a> {
        Document::new(self.bytes, options)
    }

    /// The offset in the file of byte `offset` of the value.
    pub const fn absolute(&self, offset: usize) -> usize {
        self.start.saturating_add(offset)
    }
}

impl Framing {
    /// The values of `bytes`, separated by this framing. O(1); the iterator costs O(1) per value and copies nothing.
    ///
    /// ```
    /// use variant_io::{ByteOrder, Framing};
    /// use variant_view::Dialect;
    ///
    /// let file = [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
    /// for value in Framing::Frames(ByteOrder::Little).values(&file) {
    ///     assert_eq!(value?.document(Dialect::Godot4).root()?.as_i64()?, 7);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn values(self, bytes: &[u8]) -> Values<'_> {
        Values::new(bytes, self)
    }

    /// The values of `bytes` from a [`Values::position`] on. The position must come from the same bytes and the same
    /// framing. O(1).
    ///
    /// ```
    /// use variant_io::{ByteOrder, Framing};
    ///
    /// let file = [4, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0]; // two frames
    /// let framing = Framing::Frames(ByteOrder::Little);
    /// let mut values = framing.values(&file);
    /// values.next();
    /// let second = framing.values_from(&file, values.position()).next().expect("two")?;
    /// assert_eq!((second.number, second.start), (2, 12));
    /// # Ok::<(), variant_io::ValueError>(())
    /// ```
    pub fn values_from(self, bytes: &[u8], position: Position) -> Values<'_> {
        let mut values = Values::new(bytes, self);
        values.go_to(position);
        values
    }
}

/// The position of an iterator of values, as plain data, to continue later; from [`Values::position`].
///
/// ```
/// use variant_io::Framing;
///
/// let values = Framing::Bare.values(&[0; 4]);
/// assert_eq!(values.position().offset(), 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    offset: usize,
    number: u64,
    /// The number of remaining settings. 0 in a sequence, whose offset is enough. In other framings, 0 at the end and 1
    /// before the end.
    left: u32,
}

impl Position {
    /// The offset of the next value.
    pub const fn offset(&self) -> usize {
        self.offset
    }
}

/// Iterator of [`Framing::values`]. Ends after the first error. O(1) per value.
#[derive(Clone, Debug)]
pub struct Values<'a> {
    framing: Framing,
    from: From<'a>,
    number: u64,
    /// An error that `nth` has returned. The next call returns it again.
    failed: Option<ValueError>,
}

#[derive(Clone, Debug)]
enum From<'a> {
    Bare(Option<&'a [u8]>),
    Frames(Frames<'a>),
    Settings(Settings<'a>),
    Sequence(Sequence<'a>),
    Nothing(Option<EcfgError>),
}

/// Values without length prefixes.
#[derive(Clone, Debug)]
struct Sequence<'a> {
    bytes: &'a [u8],
    dialect: Dialect,
    offset: usize,
}

impl<'a> Sequence<'a> {
    /// The next value and its offset. A damaged value has all remaining bytes.
    fn next(&mut self) -> Option<(usize, &'a [u8])> {
        let start = self.offset;
        let rest = self.bytes.get(start..).filter(|rest| !rest.is_empty())?;
        let options = Options::engine(self.dialect).objects(Objects::Accept).limits(Limits::FILE);
        let read = Document::new(rest, options).validate();
        let len = read.map_or(rest.len(), |summary| summary.consumed);
        let bytes = rest.get(..len).unwrap_or(rest);
        self.offset = start.saturating_add(bytes.len());
        Some((start, bytes))
    }
}

impl<'a> Values<'a> {
    fn new(bytes: &'a [u8], framing: Framing) -> Self {
        let from = match framing {
            Framing::Bare => From::Bare(Some(bytes)),
            Framing::Frames(order) => From::Frames(frames(bytes, order)),
            Framing::Sequence(dialect) => From::Sequence(Sequence { bytes, dialect, offset: 0 }),
            Framing::Settings => match settings(bytes) {
                Ok(settings) => From::Settings(settings),
                Err(error) => From::Nothing(Some(error)),
            },
        };
        Self { framing, from, number: 0, failed: None }
    }

    /// A writer for values of `dialect` in the same framing. O(1).
    ///
    /// Settings keep their magic bytes if the engine of `dialect` reads them: only Pandemonium 5 reads `ECFP`.
    ///
    /// ```
    /// use variant_io::Framing;
    /// use variant_view::Dialect;
    ///
    /// let file = b"ECFP\x01\0\0\0\x01\0\0\0a\x04\0\0\0\0\0\0\0"; // of Pandemonium 5
    /// let values = Framing::Settings.values(file);
    /// let mut writer = values.writer(Dialect::Pandemonium5);
    /// for value in values {
    ///     let value = value?;
    ///     writer.bytes(value.name, value.bytes)?;
    /// }
    /// assert_eq!(writer.finish(), file);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn writer(&self, dialect: Dialect) -> ValuesWriter {
        match &self.from {
            From::Settings(settings) if dialect == Dialect::Pandemonium5 => {
                ValuesWriter::settings(settings.magic())
            }
            _ => self.framing.writer(),
        }
    }

    /// The offset of the next value; after an error, the offset of the broken value.
    pub const fn offset(&self) -> usize {
        match &self.from {
            From::Bare(_) | From::Nothing(_) => 0,
            From::Frames(frames) => frames.offset(),
            From::Settings(settings) => settings.offset(),
            From::Sequence(sequence) => sequence.offset,
        }
    }

    /// The position of the next value. O(1).
    pub fn position(&self) -> Position {
        let left = match &self.from {
            From::Bare(bytes) => u32::from(bytes.is_some()),
            From::Frames(frames) => u32::from(!frames.has_ended()),
            From::Settings(settings) => settings.remaining(),
            From::Sequence(_) => 0,
            From::Nothing(error) => u32::from(error.is_some()),
        };
        Position { offset: self.offset(), number: self.number, left }
    }

    fn go_to(&mut self, position: Position) {
        let Position { offset, number, left } = position;
        (self.number, self.failed) = (number, None);
        match &mut self.from {
            From::Bare(bytes) => *bytes = bytes.take().filter(|_| left > 0),
            From::Frames(frames) => frames.go_to(offset, left == 0),
            From::Settings(settings) => settings.go_to(offset, left),
            From::Sequence(all) => all.offset = offset,
            From::Nothing(error) => *error = error.take().filter(|_| left > 0),
        }
    }

    fn next_value(&mut self) -> Option<Result<Value<'a>, ValueError>> {
        let number = self.number;
        let value = |start, bytes, name| Value { number, start, bytes, name };
        Some(match &mut self.from {
            From::Bare(bytes) => Ok(value(0, bytes.take()?, None)),
            From::Frames(frames) => frames
                .next()?
                .map(|frame| value(frame.start(), frame.bytes(), None))
                .map_err(ValueError::Frame),
            From::Settings(settings) => settings
                .next()?
                .map(|setting| value(setting.start(), setting.bytes(), Some(setting.name_bytes())))
                .map_err(ValueError::Setting),
            From::Sequence(sequence) => {
                let (start, bytes) = sequence.next()?;
                Ok(value(start, bytes, None))
            }
            From::Nothing(error) => Err(ValueError::Setting(error.take()?)),
        })
    }
}

impl<'a> Iterator for Values<'a> {
    type Item = Result<Value<'a>, ValueError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.number = self.number.saturating_add(1);
        self.next_value().or_else(|| self.failed.take().map(Err))
    }

    /// Skips `n` values. If one of them has an error, `nth` returns this error, and the next call returns it again, so
    /// that `skip` and `step_by` do not hide damage.
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        if self.failed.is_some() {
            return self.next();
        }
        let skipped = self.by_ref().take(n).find(Result::is_err);
        let item = skipped.or_else(|| self.next())?;
        self.failed = item.as_ref().err().copied();
        Some(item)
    }
}

impl std::iter::FusedIterator for Values<'_> {}

/// An incomplete value of a file; from [`Values`].
///
/// ```
/// use variant_io::{ByteOrder, Framing, ValueError};
///
/// let cut = [8, 0, 0, 0, 2, 0, 0, 0];
/// match Framing::Frames(ByteOrder::Little).values(&cut).next() {
///     Some(Err(ValueError::Frame(error))) => assert_eq!(error.missing(), 4),
///     other => panic!("{other:?}"),
/// }
/// let error = Framing::Settings.values(&cut).next().expect("an error").unwrap_err();
/// assert!(matches!(error, ValueError::Setting(_)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValueError {
    /// An incomplete or oversized frame.
    Frame(FrameError),
    /// An incomplete setting, or a file without settings.
    Setting(EcfgError),
}

impl ValueError {
    /// The offset of the incomplete part.
    pub const fn offset(&self) -> usize {
        match self {
            Self::Frame(error) => error.offset(),
            Self::Setting(error) => error.offset(),
        }
    }

    /// The offset of the first byte of the incomplete value; `None` if the file ends before it.
    pub fn value_start(&self) -> Option<usize> {
        match self {
            Self::Frame(error) => error.value_start(),
            Self::Setting(error) => error.value_start(),
        }
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Frame(error) => error.fmt(f),
            Self::Setting(error) => error.fmt(f),
        }
    }
}

// `Display` includes the message of the inner error, which has no cause.
impl std::error::Error for ValueError {}
