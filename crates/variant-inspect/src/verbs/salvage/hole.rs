//! [`Hole`]: bytes that are lost.

use std::io;

use serde_json::json;

use crate::count::{counted, grouped};
use crate::escape::{neutral, shortened};
use crate::terminal::Terminal;

/// Bytes that are lost, or none where only a count or a length was repaired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hole {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The container around it; empty for the outermost.
    pub(super) path: String,
    pub(super) reason: String,
}

/// The holes of a file. The first ones are kept, all are counted.
#[derive(Debug, Default)]
pub(super) struct Holes {
    pub(super) kept: Vec<Hole>,
    pub(super) count: u64,
    /// The number of lost bytes.
    pub(super) bytes: usize,
}

/// The most holes that are kept.
const MOST: usize = 1_000;

impl Holes {
    pub(super) fn add(&mut self, hole: Hole) {
        self.count = self.count.saturating_add(1);
        self.bytes = self.bytes.saturating_add(hole.end.saturating_sub(hole.start));
        if self.kept.len() < MOST {
            self.kept.push(hole);
        }
    }

    /// Adds the holes of a part that starts at byte `start` and is called `called`.
    pub(super) fn add_all(&mut self, holes: Self, start: usize, called: &str) {
        self.count = self.count.saturating_add(holes.count);
        self.bytes = self.bytes.saturating_add(holes.bytes);
        for hole in holes.kept.into_iter().take(MOST.saturating_sub(self.kept.len())) {
            let (from, to) = (start.saturating_add(hole.start), start.saturating_add(hole.end));
            let reason = format!("{called}{}", hole.reason);
            self.kept.push(Hole { start: from, end: to, reason, ..hole });
        }
    }

    /// Prints a line for each hole.
    pub(super) fn print(
        &self,
        name: &str,
        is_json: bool,
        terminal: &mut Terminal<'_>,
    ) -> io::Result<()> {
        for Hole { start, end, path, reason } in &self.kept {
            let len = end.saturating_sub(*start);
            let (path, reason) = (neutral(&shortened(path)), neutral(reason));
            if is_json {
                let hole = json!({
                    "file": name, "start": start, "end": end, "length": len, "path": path,
                    "reason": reason,
                });
                writeln!(terminal.out, "{hole}")?;
                continue;
            }
            let path = if path.is_empty() { "(root)" } else { &path };
            let (start, end, len) = (grouped(start), grouped(end), counted(len, "byte"));
            writeln!(
                terminal.out,
                "{name}: hole: bytes {start} to {end}, {len}: {path}: {reason}"
            )?;
        }
        let kept = u64::try_from(self.kept.len()).unwrap_or(u64::MAX);
        if self.count > kept && !is_json {
            let more = counted(self.count.saturating_sub(kept), "hole");
            writeln!(terminal.out, "{name}: and {more} more")?;
        }
        Ok(())
    }
}
