//! [`Values`]: one value of a file after the other, whatever sets them apart.

use std::fmt;

use variant_view::{Document, Options};

use crate::ecfg::{EcfgError, Settings, settings};
use crate::frame::{FrameError, Frames, frames};
use crate::framing::Framing;

/// The bytes of one value, and where in the file they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value<'a> {
    /// Which one it is, from 1.
    pub number: u64,
    /// The byte of the file at which it starts.
    pub start: usize,
    /// Its bytes, and whatever else is counted with them.
    pub bytes: &'a [u8],
    /// What a setting is called.
    pub name: Option<&'a [u8]>,
}

impl<'a> Value<'a> {
    /// The value. O(1).
    pub fn document(&self, options: impl Into<Options>) -> Document<'a> {
        Document::new(self.bytes, options)
    }

    /// Where in the file byte `offset` of the value is.
    pub const fn absolute(&self, offset: usize) -> usize {
        self.start.saturating_add(offset)
    }
}

/// Iterator of [`Framing::values`]: ends after the first error. O(1) each.
#[derive(Clone, Debug)]
pub struct Values<'a> {
    from: From<'a>,
    number: u64,
}

#[derive(Clone, Debug)]
enum From<'a> {
    Bare(Option<&'a [u8]>),
    Frames(Frames<'a>),
    Settings(Settings<'a>),
    Nothing(Option<EcfgError>),
}

impl<'a> Values<'a> {
    pub(crate) fn new(bytes: &'a [u8], framing: Framing) -> Self {
        let from = match framing {
            Framing::Bare => From::Bare(Some(bytes)),
            Framing::Frames(order) => From::Frames(frames(bytes, order)),
            Framing::Settings => match settings(bytes) {
                Ok(settings) => From::Settings(settings),
                Err(error) => From::Nothing(Some(error)),
            },
        };
        Self { from, number: 0 }
    }

    /// The byte of the file at which the next one starts, or the one that is broken.
    pub const fn offset(&self) -> usize {
        match &self.from {
            From::Bare(_) | From::Nothing(_) => 0,
            From::Frames(frames) => frames.offset(),
            From::Settings(settings) => settings.offset(),
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
            From::Nothing(error) => Err(ValueError::Setting(error.take()?)),
        })
    }
}

impl<'a> Iterator for Values<'a> {
    type Item = Result<Value<'a>, ValueError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.number = self.number.saturating_add(1);
        self.next_value()
    }
}

impl std::iter::FusedIterator for Values<'_> {}

/// What of a file is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValueError {
    /// A frame.
    Frame(FrameError),
    /// A setting.
    Setting(EcfgError),
}

impl ValueError {
    /// The byte of the file at which it should start.
    pub const fn offset(&self) -> usize {
        match self {
            Self::Frame(error) => error.offset(),
            Self::Setting(error) => error.offset(),
        }
    }

    /// The byte at which the bytes of a value start that is cut; none if it has not begun.
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

impl std::error::Error for ValueError {
    // Display has said what the error inside says.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Frame(error) => error.source(),
            Self::Setting(error) => error.source(),
        }
    }
}
