//! [`TextSource`]: feeds a text as events.

use variant_view::{Consumer, FeedError, Input, Producer};

use super::parse::{Parser, Stop};
use super::token::{self, Fault};
use super::{ParseOptions, TextError};

/// A [`Producer`] of the value in a text, in the style of any engine; see [`from_text`](crate::from_text).
///
/// Memory is bounded by the depth and the longest leaf. A repeated key is fed twice.
///
/// ```
/// use variant_owned::{TextOptions, TextSource, TextStyle, write_text};
///
/// let mut out = String::new();
/// write_text(TextSource::new("[ @\"a\", Quat( 0, 0, 0, 1 ) ]"), &TextOptions::new(TextStyle::Godot4), &mut out)?;
/// assert_eq!(out, "[&\"a\", Quaternion(0, 0, 0, 1)]");
/// # Ok::<(), variant_view::FeedError<variant_owned::TextError, std::fmt::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct TextSource<'t> {
    text: &'t str,
    start: usize,
    options: ParseOptions,
}

impl<'t> TextSource<'t> {
    /// A producer of the value in `text`, with default options.
    pub const fn new(text: &'t str) -> Self {
        Self { text, start: 0, options: ParseOptions::new() }
    }

    /// Sets the options: the limit of depth and the key rule.
    pub const fn options(mut self, options: ParseOptions) -> Self {
        self.options = options;
        self
    }

    /// Starts at byte `start` of the text.
    pub const fn starting_at(mut self, start: usize) -> Self {
        self.start = start;
        self
    }

    /// Feeds one value; returns the offset of the text after the value and whitespace. O(bytes of the value).
    ///
    /// ```
    /// use variant_owned::{Collector, TextSource};
    ///
    /// let text = "1 [2]";
    /// let mut collector = Collector::default();
    /// let end = TextSource::new(text).feed_first(&mut collector)?;
    /// assert_eq!((collector.finish(), &text[end..]), (Some(1.into()), "[2]"));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`from_text_at`](crate::from_text_at), and the consumer's.
    pub fn feed_first<C: Consumer>(
        self,
        consumer: &mut C,
    ) -> Result<usize, FeedError<TextError, C::Error>> {
        let Self { text, start, options } = self;
        let mut parser = Parser::new(text, options);
        let end = parser
            .run(text.get(start..).unwrap_or_default(), consumer)
            .and_then(|rest| Ok(token::spaces(rest)?));
        match end {
            Ok((rest, _)) => Ok(text.len().saturating_sub(rest.len())),
            Err(Stop::Consumer(error)) => Err(FeedError::Consumer(error)),
            Err(Stop::Text(nom::Err::Error(fault) | nom::Err::Failure(fault))) => {
                Err(FeedError::Producer(TextError::new(text, fault)))
            }
            // This error never occurs: only streaming parsers report it.
            Err(Stop::Text(nom::Err::Incomplete(_))) => {
                let fault = Fault { at: "", expected: "a value".into(), found: None };
                Err(FeedError::Producer(TextError::new(text, fault)))
            }
        }
    }
}

impl Producer for TextSource<'_> {
    type Error = TextError;

    fn feed<C: Consumer>(self, consumer: &mut C) -> Result<(), FeedError<TextError, C::Error>> {
        let end = self.feed_first(consumer)?;
        match self.text.get(end..) {
            None | Some("") => Ok(()),
            Some(at) => {
                let expected = "nothing after the value".into();
                let fault = Fault { at, expected, found: None };
                Err(FeedError::Producer(TextError::new(self.text, fault)))
            }
        }
    }

    fn input(&self) -> Input {
        Input { max_values: Some(self.text.len()), ..Input::default() }
    }
}
