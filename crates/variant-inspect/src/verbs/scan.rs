//! [`scan`]: finds values among other data in a file.

use std::io;
use std::path::Path;

use serde_json::json;
use variant_io::Framing;
use variant_view::{Dialect, Limits, Objects, Options};

use crate::cli::{CommonArgs, DetectArgs};
use crate::failure::{Failure, Status};
use crate::open::Input;
use crate::terminal::Terminal;
use variant_document::count::{counted, grouped};
use variant_document::seek::{Hit, Seeker};

/// Scans a file in each dialect. Prints the values of the dialect whose values cover the most bytes.
pub(super) fn scan(
    path: &Path,
    args: &DetectArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let input = Input::open_any(path, terminal.common)?;
    for layer in input.layers() {
        terminal.note(&layer)?;
    }
    let mut given_up = None;
    let scans = scans(&input.source, terminal.common, args.limit);
    let scans =
        scans.inspect(|scan| given_up = [given_up, scan.given_up].into_iter().flatten().min());
    let Some(best) = best(scans).filter(|best| best.count > 0) else {
        let up_to = given_up.map(|at| format!("; {}", where_it_gave_up(&input, at)));
        return Err(Failure::invalid(format!(
            "{}: no values found{}",
            input.name,
            up_to.unwrap_or_default()
        )));
    };
    if args.json {
        best.print_json(&input, terminal)?;
    } else {
        best.print(&input, terminal)?;
    }
    Ok(Status::Fine)
}

/// The dialect and framing whose values cover the most bytes. Used for a file that no dialect reads from the start.
pub(crate) fn likeliest(bytes: &[u8], common: &CommonArgs) -> Option<(Dialect, Framing)> {
    let best = best(scans(bytes, common, 0))?;
    best.first.map(|first| (best.dialect, first.framing))
}

/// Finds values in the bytes, for the dialect of `--dialect` or for each dialect.
fn scans(bytes: &[u8], common: &CommonArgs, limit: usize) -> impl Iterator<Item = Scan> {
    let (framing, reals) = (common.framing.given(), common.reals());
    let dialects = common.dialect().map_or_else(|| Dialect::LIKELIEST.to_vec(), |one| vec![one]);
    dialects.into_iter().map(move |dialect| {
        let options = Options::engine(dialect).reals(reals).limits(Limits::FILE);
        Scan::of(bytes, options.objects(Objects::Accept), framing, limit)
    })
}

/// The scan whose values cover the most bytes. Among equal scans, the scan of the likeliest dialect.
fn best(scans: impl Iterator<Item = Scan>) -> Option<Scan> {
    scans.reduce(|best, next| if next.covered > best.covered { next } else { best })
}

fn where_it_gave_up(input: &Input, at: usize) -> String {
    let at = input.source.absolute(at);
    format!(
        "stopped at byte {}: too many possible values fail to decode; --skip {at} continues there",
        grouped(at)
    )
}

/// The values that are found in a file in one dialect.
#[derive(Debug)]
struct Scan {
    dialect: Dialect,
    first: Option<Hit>,
    /// The first values, up to `--limit`.
    shown: Vec<Hit>,
    count: u64,
    /// The end offset of the last value.
    end: Option<usize>,
    /// The total size of the values in bytes.
    covered: usize,
    /// The offset at which the scan stopped early.
    given_up: Option<usize>,
}

impl Scan {
    /// Finds framed values, and bare containers outside of frames. Decodes at most [`EFFORT`] times the bytes of the
    /// file. Keeps the first `limit` values.
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
        let mut seeker = Seeker::new(bytes, options, framing);
        let mut at = 0;
        while let Some((start, after_value)) = seeker.next_start(at, scan.end) {
            if seeker.is_tired() {
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
            writeln!(terminal.out, "  ... {}", counted(left, "more value"))?;
        }
        if let Some(at) = self.given_up {
            terminal.note(&format!("{}: {}", input.name, where_it_gave_up(input, at)))?;
        }
        self.print_how(input, terminal)
    }

    /// Prints an object for each value, and one for the file.
    fn print_json(&self, input: &Input, terminal: &mut Terminal<'_>) -> io::Result<()> {
        for hit in &self.shown {
            let line = json!({
                "file": input.name,
                "offset": input.source.absolute(hit.start),
                "length": hit.len,
                "framing": hit.framing.name(),
                "kind": hit.kind.name(),
            });
            terminal.json(&line)?;
        }
        let line = json!({
            "file": input.name,
            "dialect": self.dialect.name(),
            "values": self.count,
            "covered": self.covered,
            "bytes": input.source.len(),
            "stopped_at": self.given_up.map(|at| input.source.absolute(at)),
        });
        terminal.json(&line)
    }

    /// Prints the command line that shows the first value.
    fn print_how(&self, input: &Input, terminal: &mut Terminal<'_>) -> io::Result<()> {
        let Some(first) = self.first else { return Ok(()) };
        let (skip, dialect) = (input.source.absolute(first.start), self.dialect);
        let framing = first.framing;
        let how = format!("--skip {skip} --framing {framing} --dialect {dialect} FILE");
        terminal.note(&format!("to print the first value: variant-inspect {how}"))
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
        let options = Options::engine(Dialect::Godot4).limits(Limits::FILE);
        let scan = Scan::of(bytes, options, None, 100);
        assert_eq!(scan.given_up, None);
        scan.shown.iter().map(|hit| (hit.start, hit.len, hit.framing.name())).collect()
    }

    /// `[1, 2]`: 24 bytes.
    fn array() -> Vec<u8> {
        words(&[28, 2, 2, 1, 2, 2])
    }

    #[test]
    fn values_behind_a_header_are_found() {
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
    fn small_values_right_behind_others_are_found() {
        let null = [4, 0, 0, 0, 0, 0, 0, 0];
        let file = [&b"v1"[..], &[24, 0, 0, 0], &array(), &null, &null, b"end"].concat();
        assert_eq!(scan(&file), [(2, 28, "frames"), (30, 8, "frames"), (38, 8, "frames")]);
    }

    #[test]
    fn no_more_is_kept_than_shown() {
        let file = [&[24, 0, 0, 0], &array()[..]].concat().repeat(1_000);
        let options = Options::engine(Dialect::Godot4).limits(Limits::FILE);
        for limit in [0, 3, 1_000, 5_000] {
            let scan = Scan::of(&file, options, None, limit);
            assert_eq!((scan.count, scan.covered), (1_000, 28_000));
            assert_eq!(scan.shown.len(), limit.min(1_000));
            assert_eq!(scan.first.map(|hit| hit.start), Some(0));
        }
    }

    #[test]
    fn other_bytes_are_none() {
        for bytes in [&[0; 1000][..], &[0xff; 1000], b"", &b"text and nothing else".repeat(50)] {
            assert_eq!(scan(bytes), []);
        }
    }
}
