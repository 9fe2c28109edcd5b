//! [`Page`]: the part of an output that a tool returns.

use std::io::{self, Write};

use tokio_util::sync::CancellationToken;

/// The maximum number of bytes of a page, and of one line.
const BYTES: usize = 1 << 16;

/// The lines of an output from an offset, up to a limit. All other lines are only counted, so the memory does not depend
/// on the output.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// The number of lines before the page.
    pub(super) offset: u64,
    /// The maximum number of lines.
    pub(super) limit: usize,
    /// The lines of the page, without line ends.
    pub(super) lines: Vec<Line>,
    /// The last line of the output.
    pub(super) last: Line,
    /// The number of all lines.
    pub(super) count: u64,
    stop: CancellationToken,
    line: Line,
    bytes: usize,
    is_full: bool,
}

/// A line of the output.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    /// The first bytes of the line, at most [`BYTES`].
    pub(super) bytes: Vec<u8>,
    /// The number of all bytes of the line.
    pub(super) len: u64,
}

impl Line {
    pub(super) fn is_cut(&self) -> bool {
        u64::try_from(self.bytes.len()).is_ok_and(|len| len < self.len)
    }

    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    fn extend(&mut self, bytes: &[u8]) {
        let left = BYTES.saturating_sub(self.bytes.len()).min(bytes.len());
        self.bytes.extend_from_slice(bytes.get(..left).unwrap_or_default());
        self.len = self.len.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
    }
}

impl Page {
    pub(super) fn new(offset: u64, limit: usize) -> Self {
        Self { offset, limit: limit.max(1), ..Self::default() }
    }

    /// The same page, which ends the work if the client cancels the call.
    pub(super) fn stopped_by(self, stop: CancellationToken) -> Self {
        Self { stop, ..self }
    }

    /// The offset after the last line of the page.
    pub(super) fn end(&self) -> u64 {
        self.offset.saturating_add(u64::try_from(self.lines.len()).unwrap_or(u64::MAX))
    }

    /// Ends an output whose last line has no line end.
    pub(super) fn finish(&mut self) {
        if self.line.len > 0 {
            self.end_line();
        }
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let is_after = self.count < self.offset;
        self.count = self.count.saturating_add(1);
        self.last.clone_from(&line);
        if is_after || self.is_full {
            return;
        }
        let bytes = self.bytes.saturating_add(line.bytes.len());
        // A page has at least one line, so that each page makes progress.
        if bytes > BYTES && !self.lines.is_empty() {
            self.is_full = true;
            return;
        }
        self.bytes = bytes;
        self.lines.push(line);
        self.is_full = self.lines.len() >= self.limit;
    }
}

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.stop.is_cancelled() {
            return Err(io::Error::other("the call was cancelled"));
        }
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            match part.strip_suffix(b"\n") {
                Some(part) => {
                    self.line.extend(part);
                    self.end_line();
                }
                None => self.line.extend(part),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(page: &Page) -> Vec<String> {
        page.lines.iter().map(Line::text).collect()
    }

    #[test]
    fn pages_of_any_size_are_the_whole_output() {
        let all: Vec<String> = (0..23).map(|number| "x".repeat(number).repeat(700)).collect();
        for limit in [1, 2, 5, 22, 23, 100] {
            let (mut read, mut offset) = (Vec::new(), 0);
            loop {
                let mut page = Page::new(offset, limit);
                // The output comes in parts of any length.
                let text = all.join("\n");
                text.as_bytes()
                    .chunks(limit.saturating_mul(300))
                    .for_each(|part| page.write_all(part).unwrap());
                page.finish();
                assert!(page.lines.len() <= limit);
                assert_eq!(page.count, 23);
                assert_eq!(page.last.text(), all[22]);
                read.extend(lines(&page));
                offset = page.end();
                if offset == page.count {
                    break;
                }
            }
            assert_eq!(read, all);
        }
    }

    #[test]
    fn a_long_line_is_cut_and_measured() {
        let mut page = Page::new(0, 10);
        for _ in 0..1000 {
            page.write_all(&[b'a'; 1000]).unwrap();
        }
        page.write_all(b"\nb\n").unwrap();
        page.finish();
        assert_eq!((page.count, page.lines.len()), (2, 1));
        let line = &page.lines[0];
        assert!(line.is_cut());
        assert_eq!((line.bytes.len(), line.len), (BYTES, 1_000_000));
    }

    #[test]
    fn a_cancelled_call_writes_nothing_more() {
        let mut page = Page::new(0, 10);
        page.stop.cancel();
        assert!(page.write_all(b"a").is_err());
    }
}
