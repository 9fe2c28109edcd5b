//! [`Reason`]: the reason why a framing is likely or unlikely, as text.

use std::fmt;

use variant_view::Kind;

use super::Guess;
use crate::detection::chain::{Chain, End};
use crate::framing::Framing;

/// The reason why a [`Guess`] is likely or unlikely. `Display` prints one line.
///
/// ```
/// use variant_io::{ByteOrder, Framing};
///
/// let file = [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]; // store_var(7)
/// let guess = Framing::Frames(ByteOrder::Little).examine(&file);
/// let line = guess.reason().to_string();
/// assert!(!line.is_empty() && !line.contains('\n'));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Reason<'g>(&'g Guess);

impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.chain {
            None => self.write_bare(f),
            Some(chain) if self.0.framing == Framing::Settings => self.write_settings(f, chain),
            Some(chain) if matches!(self.0.framing, Framing::Sequence(_)) => {
                let count = chain.whole;
                let more = if matches!(chain.end, End::More) { "at least " } else { "" };
                write!(f, "{more}{count} values one after another")?;
                self.write_contents(f, chain)
            }
            Some(chain) => self.write_frames(f, chain),
        }
    }
}

impl<'g> Reason<'g> {
    pub(super) const fn of(guess: &'g Guess) -> Self {
        Self(guess)
    }

    fn write_bare(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let len = self.0.len;
        let Some(fit) = self.0.dialects.best() else { return f.write_str("no data") };
        match (fit.outcome(), fit.telling.root) {
            (outcome, Some(root)) if fit.is_complete() || outcome.is_ok() => {
                let engine = fit.dialect().title();
                let root = a(root);
                match outcome.map_or(len, |summary| summary.consumed) {
                    read if read < len => {
                        write!(
                            f,
                            "the first {read} of {len} bytes are one value, {root} in {engine}"
                        )
                    }
                    _ => write!(f, "all {len} bytes are one value, {root} in {engine}"),
                }?;
                if self.0.is_outranked {
                    f.write_str(", but length prefixes that fit exactly are stronger evidence")?;
                }
                Ok(())
            }
            _ => {
                let (engine, read) = (fit.dialect().title(), fit.bytes_read());
                write!(f, "no dialect reads the bytes as one value; ")?;
                write!(f, "{engine} reads the most, {read} of {len} bytes")
            }
        }
    }

    fn write_settings(self, f: &mut fmt::Formatter<'_>, chain: &Chain) -> fmt::Result {
        let engine = self.0.dialects.best().map_or("no engine", |fit| fit.dialect().title());
        match (chain.whole, chain.end) {
            (0, End::Cut(error)) => write!(f, "{error}"),
            (count, End::Cut(error)) => {
                write!(f, "{count} compiled settings of {engine}, then {error}")
            }
            (count, End::More) => {
                write!(f, "more than {count} compiled settings of {engine}")
            }
            (count, End::File | End::Tail(_)) => {
                write!(f, "{count} compiled settings of {engine}")
            }
        }
    }

    fn write_frames(self, f: &mut fmt::Formatter<'_>, chain: &Chain) -> fmt::Result {
        match (chain.whole, chain.end) {
            (0, End::Cut(error)) => write!(f, "{error}")?,
            (0, _) => f.write_str("no data")?,
            (1, End::File) => {
                write!(
                    f,
                    "a length prefix of {} followed by exactly that many bytes",
                    chain.first_len
                )?;
            }
            (1, End::More) => {
                f.write_str("the first length prefix is followed by that many bytes")?;
            }
            (count, End::More) => {
                write!(
                    f,
                    "the first {count} length prefixes are each followed by that many bytes"
                )?;
            }
            (1, End::Cut(_) | End::Tail(_)) => {
                write!(f, "a length prefix of {} followed by that many bytes", chain.first_len)?;
            }
            (count, _) => {
                write!(f, "{count} length prefixes, each followed by exactly that many bytes")?;
            }
        }
        self.write_contents(f, chain)?;
        match (chain.whole, chain.end) {
            (1.., End::Cut(error)) => write!(f, "; then {error}"),
            (1.., End::Tail(1)) => f.write_str("; then 1 byte that is not a frame"),
            (1.., End::Tail(len)) => write!(f, "; then {len} bytes that are not a frame"),
            _ => Ok(()),
        }
    }

    fn write_contents(self, f: &mut fmt::Formatter<'_>, chain: &Chain) -> fmt::Result {
        let Some(fit) = self.0.dialects.best() else { return Ok(()) };
        let engine = fit.dialect().title();
        let number = fit.candidate_index().saturating_add(1);
        match (fit.telling.root, chain.whole) {
            (Some(root), 0) if fit.is_complete() => {
                write!(f, "; {engine} still reads the value, as {}", a(root))
            }
            (Some(root), 0) => write!(f, "; {engine} reads the beginning of {}", a(root)),
            (None, 0) => Ok(()),
            // The earlier values fit more dialects than this value does, so the text names this value.
            (Some(root), _) if fit.is_complete() && number > 1 => {
                write!(f, "; {engine} reads value {number} as {}", a(root))
            }
            (Some(root), 1) if fit.is_complete() => {
                write!(f, " that {engine} reads as {}", a(root))
            }
            (Some(root), _) if fit.is_complete() => {
                write!(f, ", the first of which {engine} reads as {}", a(root))
            }
            _ => f.write_str(", but no dialect reads all of them"),
        }
    }
}

/// A kind with its indefinite article.
fn a(kind: Kind) -> String {
    let article = if kind.name().starts_with(['A', 'I', 'O', 'i']) { "an" } else { "a" };
    format!("{article} {kind}")
}
