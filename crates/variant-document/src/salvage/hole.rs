//! [`Hole`]: bytes that are lost.

use std::collections::BTreeMap;

/// Lost bytes. The range is empty if only a count or a length was repaired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hole {
    /// The first lost byte of the file.
    pub start: usize,
    /// The end, exclusive.
    pub end: usize,
    /// The path of the container around the hole; empty for the outermost container.
    pub path: String,
    /// The reason for the loss. For merged holes, the reason for the first hole.
    pub reason: String,
}

/// The holes of a file. Only the first holes are kept, but all are counted. Neighbouring holes in one container are
/// merged. Holes of different parts of a file, such as frames, are not merged, because the same path leads to another
/// value in each part.
#[derive(Debug, Default)]
pub struct Holes {
    /// The first holes.
    pub kept: Vec<Hole>,
    /// The number of all holes.
    pub count: u64,
    /// The number of lost bytes. A byte in several holes counts once.
    pub bytes: usize,
    /// The lost bytes: start and end of each contiguous range.
    lost: BTreeMap<usize, usize>,
    /// Whether [`Holes::add`] added the last hole, not [`Holes::add_all`], which adds the holes of another part.
    is_own: bool,
}

/// The maximum number of holes that are kept.
const MOST: usize = 1_000;

impl Hole {
    /// A hole in the outermost container.
    pub(super) const fn new(start: usize, end: usize, reason: String) -> Self {
        Self { start, end, path: String::new(), reason }
    }

    /// Whether both holes are in one container, without a byte between them.
    fn is_next_to(&self, other: &Self) -> bool {
        let has_bytes = |hole: &Self| hole.start < hole.end;
        let touches = self.start <= other.end && other.start <= self.end;
        has_bytes(self) && has_bytes(other) && touches && self.path == other.path
    }
}

impl Holes {
    /// Adds a hole. O(log holes), amortised.
    pub fn add(&mut self, hole: Hole) {
        self.lose(hole.start, hole.end);
        let is_last_kept = u64::try_from(self.kept.len()) == Ok(self.count);
        let last = self.kept.last_mut().filter(|_| is_last_kept && self.is_own);
        if let Some(last) = last.filter(|last| last.is_next_to(&hole)) {
            last.start = last.start.min(hole.start);
            last.end = last.end.max(hole.end);
            return;
        }
        self.keep(hole);
        self.is_own = true;
    }

    /// Adds the holes of a part that starts at byte `start`. Each reason gets the prefix `called`.
    pub fn add_all(&mut self, holes: Self, start: usize, called: &str) {
        let kept = u64::try_from(holes.kept.len()).unwrap_or(u64::MAX);
        for (from, to) in holes.lost {
            self.lose(start.saturating_add(from), start.saturating_add(to));
        }
        for hole in holes.kept {
            let (from, to) = (start.saturating_add(hole.start), start.saturating_add(hole.end));
            let reason = format!("{called}{}", hole.reason);
            self.keep(Hole { start: from, end: to, reason, ..hole });
        }
        self.count = self.count.saturating_add(holes.count.saturating_sub(kept));
        self.is_own = false;
    }

    fn keep(&mut self, hole: Hole) {
        if self.kept.len() < MOST {
            self.kept.push(hole);
        }
        self.count = self.count.saturating_add(1);
    }

    /// Counts the bytes of a range that were not lost before.
    fn lose(&mut self, mut start: usize, mut end: usize) {
        if start >= end {
            return;
        }
        let before = self.lost.range(..=start).next_back().map(|(from, to)| (*from, *to));
        if let Some((from, _)) = before.filter(|(_, to)| *to >= start) {
            start = from;
        }
        while let Some((from, to)) = self.lost.range(start..=end).next().map(|(a, b)| (*a, *b)) {
            self.lost.remove(&from);
            self.bytes = self.bytes.saturating_sub(to.saturating_sub(from));
            end = end.max(to);
        }
        self.lost.insert(start, end);
        self.bytes = self.bytes.saturating_add(end.saturating_sub(start));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hole(start: usize, end: usize, path: &str) -> Hole {
        Hole { start, end, path: path.to_owned(), reason: format!("at {start}") }
    }

    fn ranges(holes: &Holes) -> Vec<(usize, usize)> {
        holes.kept.iter().map(|hole| (hole.start, hole.end)).collect()
    }

    #[test]
    fn neighbours_are_one_hole() {
        let mut holes = Holes::default();
        for (start, end, path) in
            [(4, 8, ""), (8, 12, ""), (12, 12, ""), (12, 16, ""), (16, 20, "a"), (24, 28, "a")]
        {
            holes.add(hole(start, end, path));
        }
        assert_eq!(ranges(&holes), [(4, 12), (12, 12), (12, 16), (16, 20), (24, 28)]);
        assert_eq!((holes.count, holes.bytes), (5, 20));
        assert_eq!(holes.kept[0].reason, "at 4");
    }

    /// Holes at the root of a frame, of the next frame and of a layer are not merged.
    #[test]
    fn holes_of_several_parts_stay_apart() {
        let mut all = Holes::default();
        for start in [0, 8, 16] {
            let mut part = Holes::default();
            part.add(hole(0, 4, ""));
            part.add(hole(4, 8, ""));
            all.add_all(part, start, "frame: ");
        }
        all.add(hole(24, 32, ""));
        assert_eq!(ranges(&all), [(0, 8), (8, 16), (16, 24), (24, 32)]);
    }

    #[test]
    fn bytes_of_several_holes_count_once() {
        let mut state = 7_u64;
        let mut next = |most: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            usize::try_from((state >> 33) % most).unwrap_or_default()
        };
        for _ in 0..200 {
            let (mut holes, mut lost) = (Holes::default(), [false; 100]);
            for _ in 0..next(20) {
                let (start, len) = (next(80), next(20));
                lost[start..start + len].fill(true);
                let mut part = Holes::default();
                part.add(hole(start / 2, start / 2 + len, "a"));
                holes.add_all(part, start - start / 2, "part: ");
            }
            assert_eq!(holes.bytes, lost.iter().filter(|lost| **lost).count());
            assert!(holes.kept.iter().all(|hole| lost[hole.start..hole.end].iter().all(|it| *it)));
        }
    }

    #[test]
    fn what_is_not_kept_is_counted() {
        let (mut all, mut part) = (Holes::default(), Holes::default());
        for at in 0..MOST + 7 {
            part.add(hole(at * 8, at * 8 + 4, ""));
        }
        all.add(hole(0, 4, "x"));
        all.add_all(part, 8, "");
        assert_eq!((all.kept.len(), all.count), (MOST, 1_008));
        assert_eq!(all.bytes, 1_008 * 4);
    }
}
