//! [`Hole`]: bytes that are lost.

/// Bytes that are lost, or none where only a count or a length was repaired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hole {
    /// The first lost byte of the file.
    pub start: usize,
    /// The byte behind the last one.
    pub end: usize,
    /// The container around it; empty for the outermost.
    pub path: String,
    /// Why they are lost.
    pub reason: String,
}

/// The holes of a file. The first ones are kept, all are counted.
#[derive(Debug, Default)]
pub struct Holes {
    /// The first holes.
    pub kept: Vec<Hole>,
    /// The number of all holes.
    pub count: u64,
    /// The number of lost bytes.
    pub bytes: usize,
}

/// The most holes that are kept.
const MOST: usize = 1_000;

impl Holes {
    /// Adds a hole.
    pub fn add(&mut self, hole: Hole) {
        self.count = self.count.saturating_add(1);
        self.bytes = self.bytes.saturating_add(hole.end.saturating_sub(hole.start));
        if self.kept.len() < MOST {
            self.kept.push(hole);
        }
    }

    /// Adds the holes of a part that starts at byte `start` and is called `called`.
    pub fn add_all(&mut self, holes: Self, start: usize, called: &str) {
        self.count = self.count.saturating_add(holes.count);
        self.bytes = self.bytes.saturating_add(holes.bytes);
        for hole in holes.kept.into_iter().take(MOST.saturating_sub(self.kept.len())) {
            let (from, to) = (start.saturating_add(hole.start), start.saturating_add(hole.end));
            let reason = format!("{called}{}", hole.reason);
            self.kept.push(Hole { start: from, end: to, reason, ..hole });
        }
    }
}
