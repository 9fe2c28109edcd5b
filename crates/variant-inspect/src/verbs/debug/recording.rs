//! [`Recorder`]: a conversation as a file of Variants. Each value is a dictionary: `usec`, the time since the connection
//! in microseconds; `way`, `from_game` or `to_game`; and `bytes`, a frame without its length word. After bytes that are
//! not frames, the rest of a direction is recorded as `raw`. Every command reads such a file, also `table`.

use std::io::{self, Write};
use std::time::Duration;

use variant_io::{ByteOrder, append_frame, append_value, frames};
use variant_owned::dictionary;
use variant_view::{Dialect, Document, VariantView};

/// The longest frame that engines send, and some more. A greater length word is not that of a frame.
const LONGEST: u32 = 16 << 20;

/// The number of recorded bytes that wait for the dialect. More than that is written in the dialect of Godot 4.
const WAITING: usize = 1 << 20;

/// The direction of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    FromGame,
    ToGame,
}

impl Way {
    const ALL: [Self; 2] = [Self::FromGame, Self::ToGame];

    const fn name(self) -> &'static str {
        match self {
            Self::FromGame => "from_game",
            Self::ToGame => "to_game",
        }
    }
}

/// Writes a recording. The values have the dialect of the game, which its first frames show.
pub(super) struct Recorder<'w> {
    out: &'w mut dyn Write,
    dialect: Option<Dialect>,
    waiting: Vec<Entry>,
    waiting_len: usize,
    from_game: Splitter,
    to_game: Splitter,
    /// The number of recorded frames.
    pub(super) count: u64,
}

impl<'w> Recorder<'w> {
    pub(super) fn new(out: &'w mut dyn Write) -> Self {
        let [from_game, to_game] = [Splitter::default(), Splitter::default()];
        Self {
            out,
            dialect: None,
            waiting: Vec::new(),
            waiting_len: 0,
            from_game,
            to_game,
            count: 0,
        }
    }

    /// Sets the dialect of the recording, if it is not set yet.
    pub(super) fn dialect(&mut self, dialect: Option<Dialect>) -> io::Result<()> {
        if self.dialect.is_some() || dialect.is_none() {
            return Ok(());
        }
        self.dialect = dialect;
        self.write_waiting()
    }

    /// Records bytes in the order of their arrival. O(bytes).
    pub(super) fn bytes(&mut self, way: Way, time: Duration, bytes: &[u8]) -> io::Result<()> {
        let mut found = Vec::new();
        let splitter = match way {
            Way::FromGame => &mut self.from_game,
            Way::ToGame => &mut self.to_game,
        };
        splitter.add(bytes, |part| found.push(Entry { way, time, part }));
        found.into_iter().try_for_each(|entry| self.entry(entry))
    }

    /// Records what is left of an incomplete frame, and writes everything that waits.
    pub(super) fn finish(&mut self, time: Duration) -> io::Result<()> {
        for way in Way::ALL {
            let splitter = match way {
                Way::FromGame => &mut self.from_game,
                Way::ToGame => &mut self.to_game,
            };
            let rest = std::mem::take(&mut splitter.rest);
            if !rest.is_empty() {
                self.entry(Entry { way, time, part: Part::Raw(rest) })?;
            }
        }
        self.dialect.get_or_insert(Dialect::Godot4);
        self.write_waiting()
    }

    fn entry(&mut self, entry: Entry) -> io::Result<()> {
        self.count = self.count.saturating_add(1);
        if let Some(dialect) = self.dialect {
            return self.out.write_all(&entry.encoded(dialect)?);
        }
        // Also the entry itself: a frame may be empty.
        let len = entry.part.bytes().len().saturating_add(size_of::<Entry>());
        self.waiting_len = self.waiting_len.saturating_add(len);
        self.waiting.push(entry);
        if self.waiting_len > WAITING {
            self.dialect = Some(Dialect::Godot4);
            self.write_waiting()?;
        }
        Ok(())
    }

    fn write_waiting(&mut self) -> io::Result<()> {
        let Some(dialect) = self.dialect else { return Ok(()) };
        for entry in std::mem::take(&mut self.waiting) {
            self.out.write_all(&entry.encoded(dialect)?)?;
        }
        Ok(())
    }
}

/// A frame, or bytes that are not one, with the time and the direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) way: Way,
    pub(super) time: Duration,
    pub(super) part: Part,
}

/// A part of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A frame without its length word.
    Frame(Vec<u8>),
    /// Bytes as they were.
    Raw(Vec<u8>),
}

impl Part {
    const fn bytes(&self) -> &Vec<u8> {
        match self {
            Self::Frame(bytes) | Self::Raw(bytes) => bytes,
        }
    }
}

impl Entry {
    fn encoded(self, dialect: Dialect) -> io::Result<Vec<u8>> {
        let usec = i64::try_from(self.time.as_micros()).unwrap_or(i64::MAX);
        let (name, bytes) = match self.part {
            Part::Frame(bytes) => ("bytes", bytes),
            Part::Raw(bytes) => ("raw", bytes),
        };
        let value = dictionary! { "usec" => usec, "way" => self.way.name(), name => bytes }.into();
        let mut out = Vec::new();
        append_value(&mut out, &value, dialect, ByteOrder::Little).map_err(io::Error::other)?;
        Ok(out)
    }

    /// The entry of a value of a recording.
    ///
    /// # Errors
    /// What the value lacks.
    pub(super) fn of(value: &Document<'_>) -> Result<Self, String> {
        let lacks = |what: &str| format!("not a recording: a value has no {what}");
        let field = |name: &str| value.get(name).ok().flatten();
        let usec = field("usec").and_then(|usec| usec.as_i64().ok()?.try_into().ok());
        let time = Duration::from_micros(usec.ok_or_else(|| lacks("usec"))?);
        let name = field("way").and_then(|name| name.as_str().ok());
        let way = Way::ALL.into_iter().find(|way| Some(way.name()) == name);
        let way = way.ok_or_else(|| lacks("way"))?;
        let bytes = |name: &str| match field(name)? {
            VariantView::PackedByteArray(bytes) => Some(bytes.as_bytes().to_vec()),
            _ => None,
        };
        let part = bytes("bytes").map(Part::Frame).or_else(|| bytes("raw").map(Part::Raw));
        Ok(Self { way, time, part: part.ok_or_else(|| lacks("bytes"))? })
    }

    /// The bytes as they were on the wire.
    pub(super) fn into_wire(self) -> Result<Vec<u8>, String> {
        match self.part {
            Part::Raw(bytes) => Ok(bytes),
            Part::Frame(bytes) => {
                let mut out = Vec::with_capacity(bytes.len().saturating_add(4));
                append_frame(&mut out, &bytes, ByteOrder::Little)
                    .map_err(|error| error.to_string())?;
                Ok(out)
            }
        }
    }
}

/// Splits a stream into frames.
#[derive(Debug, Default)]
struct Splitter {
    /// The start of a frame that is not complete yet.
    rest: Vec<u8>,
    /// Whether the stream is out of step.
    is_raw: bool,
}

impl Splitter {
    fn add(&mut self, bytes: &[u8], mut each: impl FnMut(Part)) {
        if self.is_raw {
            return each(Part::Raw(bytes.to_vec()));
        }
        self.rest.extend_from_slice(bytes);
        let mut end = 0;
        let mut is_raw = false;
        for frame in frames(&self.rest, ByteOrder::Little).max_len(LONGEST) {
            match frame {
                Ok(frame) => {
                    end = frame.start().saturating_add(frame.bytes().len());
                    each(Part::Frame(frame.bytes().to_vec()));
                }
                Err(error) => is_raw = !error.is_incomplete(),
            }
        }
        drop(self.rest.drain(..end));
        if is_raw {
            self.is_raw = true;
            each(Part::Raw(std::mem::take(&mut self.rest)));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Reads a recording back.
    fn read(file: &[u8], dialect: Dialect) -> Vec<Entry> {
        let all = frames(file, ByteOrder::Little);
        all.map(|frame| Entry::of(&Document::new(frame.unwrap().bytes(), dialect)).unwrap())
            .collect()
    }

    fn wire(entries: Vec<Entry>, way: Way) -> Vec<u8> {
        let of_way = entries.into_iter().filter(|entry| entry.way == way);
        of_way.flat_map(|entry| entry.into_wire().unwrap()).collect()
    }

    proptest! {
        /// Any bytes, in any pieces and in both directions, come back as they were.
        #[test]
        fn a_recording_has_every_byte(
            pieces in prop::collection::vec((any::<bool>(), prop::collection::vec(any::<u8>(), 0..40)), 0..40),
            is_framed in any::<bool>(),
            dialect in prop::sample::select(vec![Dialect::Godot3, Dialect::Godot4, Dialect::Pandemonium5]),
        ) {
            let mut file = Vec::new();
            let mut recorder = Recorder::new(&mut file);
            let mut sent = [Vec::new(), Vec::new()];
            for (number, (is_from, bytes)) in pieces.iter().enumerate() {
                let (way, all) = if *is_from { (Way::FromGame, 0) } else { (Way::ToGame, 1) };
                let mut piece = Vec::new();
                if is_framed {
                    append_frame(&mut piece, bytes, ByteOrder::Little).unwrap();
                } else {
                    piece.extend_from_slice(bytes);
                }
                let time = Duration::from_micros(number.try_into().unwrap());
                // A frame may arrive in two parts.
                let (front, back) = piece.split_at(piece.len() / 2);
                recorder.bytes(way, time, front).unwrap();
                recorder.bytes(way, time, back).unwrap();
                sent[all].extend_from_slice(&piece);
                if number == 3 {
                    recorder.dialect(Some(dialect)).unwrap();
                }
            }
            recorder.dialect(Some(dialect)).unwrap();
            recorder.finish(Duration::from_secs(1)).unwrap();
            let entries = read(&file, dialect);
            if is_framed {
                let is_frame = |entry: &Entry| matches!(entry.part, Part::Frame(_));
                prop_assert!(entries.iter().all(is_frame));
                prop_assert_eq!(entries.len(), pieces.len());
            }
            prop_assert_eq!(wire(entries.clone(), Way::FromGame), sent[0].clone());
            prop_assert_eq!(wire(entries, Way::ToGame), sent[1].clone());
        }
    }
}
