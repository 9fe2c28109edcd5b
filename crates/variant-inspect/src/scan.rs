//! `scan`: finds values among other data in a file.

use std::io;

use memchr::memchr;
use variant_io::{ByteOrder, Framing};
use variant_view::{Dialect, Document, Kind, Limits, Objects, Options, Reals};

use crate::cli::{CommonArgs, ScanArgs};
use crate::count::{counted, grouped};
use crate::failure::{Failure, Status};
use crate::open::Input;
use crate::terminal::Terminal;

/// The most bytes decoded per byte of the file. Each possible start of a value is decoded until the first error, and a hostile
/// file may have many such starts.
const EFFORT: usize = 64;

/// The size of a length prefix in bytes.
const WORD: usize = 4;

/// The least size of a single framed value in bytes. Shorter ones occur by chance.
const LEAST: usize = 8;

pub(crate) fn run(
    args: &ScanArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let input = Input::open_any(&args.file, common)?;
    for layer in input.layers() {
        terminal.note(&layer)?;
    }
    let dialects =
        common.dialect().map_or_else(|| Dialect::LIKELIEST.to_vec(), |dialect| vec![dialect]);
    let reals = common.reals.map_or(Reals::ByFlag, Reals::from);
    let framing = common.framing.given();
    let scans = dialects.into_iter().map(|dialect| {
        let options = Options::new(dialect).reals(reals).limits(Limits::FILE);
        Scan::of(&input.source, options.objects(Objects::Accept), framing, args.limit)
    });
    let mut given_up = None;
    let scans =
        scans.inspect(|scan| given_up = [given_up, scan.given_up].into_iter().flatten().min());
    // The dialect that covers most bytes; among equals, the likeliest.
    let best = scans.reduce(|best, next| if next.covered > best.covered { next } else { best });
    let Some(best) = best.filter(|best| best.count > 0) else {
        let up_to = given_up.map(|at| format!("; {}", where_it_gave_up(&input, at)));
        let message = format!("{}: no values found{}", input.name, up_to.unwrap_or_default());
        return Err(Failure::file(Status::Invalid, message));
    };
    best.print(&input, terminal)?;
    Ok(Status::Fine)
}

fn where_it_gave_up(input: &Input, at: usize) -> String {
    let at = input.source.absolute(at);
    format!(
        "stopped at byte {}: too many possible values fail to decode; --skip {at} continues there",
        grouped(at)
    )
}

/// A value found in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hit {
    /// The offset of the value or its length prefix.
    start: usize,
    /// The size in bytes, with the length prefix.
    len: usize,
    framing: Framing,
    kind: Kind,
}

/// The values that one dialect finds in a file.
#[derive(Debug)]
struct Scan {
    dialect: Dialect,
    first: Option<Hit>,
    /// The first values, up to `--limit`.
    shown: Vec<Hit>,
    /// The number of values.
    count: u64,
    /// The end offset of the last value.
    end: Option<usize>,
    /// The total size of the values in bytes.
    covered: usize,
    /// The offset at which the scan stopped early.
    given_up: Option<usize>,
}

impl Scan {
    /// Finds framed values, and bare containers outside of frames. Decodes at most [`EFFORT`] times the bytes of the file. Keeps
    /// the first `limit` values.
    fn of(bytes: &[u8], options: Options, framing: Option<Framing>, limit: usize) -> Self {
        let mut scan = Self {
            dialect: options.dialect,
            first: None,
            shown: Vec::new(),
            count: 0,
            end: None,
            covered: 0,
            given_up: None,
        };
        let mut seeker =
            Seeker { bytes, options, framing, left: bytes.len().saturating_mul(EFFORT) };
        let mut at = 0;
        while let Some((start, after_value)) = seeker.next_start(at, scan.end) {
            if seeker.left == 0 {
                scan.given_up = Some(start);
                break;
            }
            at = match seeker.hit(start, after_value) {
                Some(hit) => scan.add(hit, limit),
                None => start.saturating_add(1),
            };
        }
        scan
    }

    /// Adds a value. Returns its end offset.
    fn add(&mut self, hit: Hit, limit: usize) -> usize {
        self.first = self.first.or(Some(hit));
        if self.shown.len() < limit {
            self.shown.push(hit);
        }
        self.count = self.count.saturating_add(1);
        self.covered = self.covered.saturating_add(hit.len);
        let end = hit.start.saturating_add(hit.len);
        self.end = Some(end);
        end
    }

    fn print(&self, input: &Input, terminal: &mut Terminal<'_>) -> io::Result<()> {
        let (values, covered) = (counted(self.count, "value"), counted(self.covered, "byte"));
        let all = counted(input.source.len(), "byte");
        writeln!(terminal.out, "{}: {values} of {}, {covered} of {all}", input.name, self.dialect)?;
        for hit in &self.shown {
            let at = input.source.absolute(hit.start);
            let (len, framing) = (counted(hit.len, "byte"), hit.framing);
            writeln!(terminal.out, "  byte {at:>8}  {framing:<9}  {len:>14}  {}", hit.kind)?;
        }
        let shown = u64::try_from(self.shown.len()).unwrap_or(u64::MAX);
        let left = self.count.saturating_sub(shown);
        if left > 0 {
            writeln!(terminal.out, "  ... {} more", counted(left, "value"))?;
        }
        if let Some(at) = self.given_up {
            terminal.note(&format!("{}: {}", input.name, where_it_gave_up(input, at)))?;
        }
        self.tell_how(input, terminal)
    }

    /// Prints the command line that shows the first value.
    fn tell_how(&self, input: &Input, terminal: &mut Terminal<'_>) -> io::Result<()> {
        let Some(first) = self.first else { return Ok(()) };
        let (skip, dialect) = (input.source.absolute(first.start), self.dialect);
        let framing = first.framing;
        let how = format!("--skip {skip} --framing {framing} --dialect {dialect} FILE");
        terminal.note(&format!("to print the first value: variant-inspect {how}"))
    }
}

/// Tries to decode values at possible starts.
struct Seeker<'a> {
    bytes: &'a [u8],
    options: Options,
    framing: Option<Framing>,
    /// The number of bytes that may still be decoded.
    left: usize,
}

impl Seeker<'_> {
    /// The next offset at which a value may start, and whether another value ends there.
    ///
    /// The second byte of every header is zero. Only offsets near a zero byte are checked: those of a header, and those of a
    /// length prefix before a header.
    fn next_start(&self, from: usize, end: Option<usize>) -> Option<(usize, bool)> {
        if end == Some(from) && from < self.bytes.len() {
            return Some((from, true));
        }
        let mut from = from;
        loop {
            let next = from.saturating_add(1);
            let zero = next.saturating_add(memchr(0, self.bytes.get(next..)?)?);
            let first = zero.saturating_sub(WORD + 1).max(from);
            let mut near = first..=zero;
            let is_start =
                |at: &usize| self.is_header(*at) || self.is_header(at.saturating_add(WORD));
            if let Some(start) = near.find(is_start) {
                return Some((start, false));
            }
            from = zero.saturating_add(1);
        }
    }

    /// Whether the word at `at` may be the header of a value.
    fn is_header(&self, at: usize) -> bool {
        let word = self.bytes.get(at..).and_then(|rest| rest.first_chunk());
        let last = self.options.dialect.kinds().len();
        word.is_some_and(|&[kind, zero, flags, last_zero]| {
            usize::from(kind) < last && zero == 0 && flags < 16 && last_zero == 0
        })
    }

    fn hit(&mut self, start: usize, is_behind: bool) -> Option<Hit> {
        let rest = self.bytes.get(start..)?;
        let framings = [ByteOrder::Little, ByteOrder::Big].map(Framing::Frames);
        let framed = framings.into_iter().find_map(|framing| {
            let inner = self.is_wanted(framing).then(|| framing.values(rest).next()?.ok())??.bytes;
            if inner.len() < LEAST && !is_behind {
                return None;
            }
            let (kind, len) = self.read(inner, |_| true)?;
            let whole = len.saturating_add(WORD);
            (len == inner.len()).then_some(Hit { start, len: whole, framing, kind })
        });
        if framed.is_some() || !self.is_wanted(Framing::Bare) {
            return framed;
        }
        let (kind, len) = self.read(rest, |kind| {
            matches!(
                kind,
                Kind::Dictionary | Kind::Array | Kind::TypedArray | Kind::PackedTypedArray
            )
        })?;
        (len > LEAST).then_some(Hit { start, len, framing: Framing::Bare, kind })
    }

    fn is_wanted(&self, framing: Framing) -> bool {
        self.framing.is_none_or(|wanted| wanted == framing)
    }

    /// The kind and length of the value at the start of `bytes`, if its kind is wanted.
    fn read(&mut self, bytes: &[u8], is_wanted: impl Fn(Kind) -> bool) -> Option<(Kind, usize)> {
        let id = *bytes.first()?;
        let kind = self.options.dialect.kind(id).filter(|kind| is_wanted(*kind))?;
        let outcome = Document::new(bytes, self.options).validate();
        let read = outcome.map_or_else(|error| error.offset(), |summary| summary.consumed);
        self.left = self.left.saturating_sub(read.max(1));
        outcome.ok().map(|summary| (kind, summary.consumed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// The offset, size and framing of the values that Godot 4 reads.
    fn scan(bytes: &[u8]) -> Vec<(usize, usize, &'static str)> {
        let options = Options::new(Dialect::Godot4).limits(Limits::FILE);
        let scan = Scan::of(bytes, options, None, 100);
        assert_eq!(scan.given_up, None);
        scan.shown.iter().map(|hit| (hit.start, hit.len, hit.framing.name())).collect()
    }

    /// `[1, 2]`: 24 bytes.
    fn array() -> Vec<u8> {
        words(&[28, 2, 2, 1, 2, 2])
    }

    #[test]
    fn e7_values_behind_a_header_are_found() {
        for header in [&b""[..], b"\x01\0\0\0", b"MYGAME", b"\x03\0", &[0; 13], &[7; 1000]] {
            let at = header.len();
            let framed = [header, &[24, 0, 0, 0], &array()].concat();
            assert_eq!(scan(&framed), [(at, 28, "frames")], "{header:?}");
            let framed = [header, &[0, 0, 0, 24], &array()].concat();
            assert_eq!(scan(&framed), [(at, 28, "frames-be")], "{header:?}");
            let bare = [header, &array()].concat();
            assert_eq!(scan(&bare), [(at, 24, "bare")], "{header:?}");
        }
    }

    #[test]
    fn e7_small_values_right_behind_others_are_found() {
        let null = [4, 0, 0, 0, 0, 0, 0, 0];
        let file = [&b"v1"[..], &[24, 0, 0, 0], &array(), &null, &null, b"end"].concat();
        assert_eq!(scan(&file), [(2, 28, "frames"), (30, 8, "frames"), (38, 8, "frames")]);
    }

    #[test]
    fn e7_no_more_is_kept_than_shown() {
        let file = [&[24, 0, 0, 0], &array()[..]].concat().repeat(1_000);
        let options = Options::new(Dialect::Godot4).limits(Limits::FILE);
        for limit in [0, 3, 1_000, 5_000] {
            let scan = Scan::of(&file, options, None, limit);
            assert_eq!((scan.count, scan.covered), (1_000, 28_000));
            assert_eq!(scan.shown.len(), limit.min(1_000));
            assert_eq!(scan.first.map(|hit| hit.start), Some(0));
        }
    }

    #[test]
    fn e7_other_bytes_are_none() {
        for bytes in [&[0; 1000][..], &[0xff; 1000], b"", &b"text and nothing else".repeat(50)] {
            assert_eq!(scan(bytes), []);
        }
    }

    /// Each array claims to reach the end, and decodes for long.
    #[test]
    fn e7_the_effort_is_bounded() {
        let mut bytes = words(&[28, 0x00ff_ffff]).repeat(1_000);
        bytes.extend(words(&[0]).repeat(50_000));
        let options = Options::new(Dialect::Godot4).limits(Limits::FILE);
        let mut seeker =
            Seeker { bytes: &bytes, options, framing: None, left: bytes.len() * EFFORT };
        assert!(seeker.hit(0, false).is_none());
        let scan = Scan::of(&bytes, options, None, 100);
        assert!(scan.given_up.is_some());
    }
}
