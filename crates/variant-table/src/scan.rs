//! [`Scan`]: files as record batches, read on several threads.

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use variant_document::parallel::Threads;

use crate::batches::OpenFile;
use crate::read;
use crate::source::Source;
use crate::summary::{Counters, Summary};
use crate::table::Plan;

/// Record batches of files, in the order of the files. Memory is bounded by a few batches for each thread.
pub struct Scan {
    schema: SchemaRef,
    /// The files are divided into shares of consecutive files. This channel sends a receiver for each share, in order.
    /// The receiver gets the batches of the share.
    shares: Receiver<Receiver<Message>>,
    current: Option<Receiver<Message>>,
    counters: Arc<Counters>,
    /// The number of shares that have not ended.
    left: usize,
    /// An error that `nth` has returned. The next call returns it again.
    failed: Option<String>,
}

/// A batch of a share; `None` at the end of the share.
type Message = Result<Option<RecordBatch>, ArrowError>;

/// The maximum number of files in a share. The transfer of a batch costs little compared with the work of such a share.
const SHARE: usize = 256;

/// The maximum number of unread shares for each thread, and of unread batches for each share.
const AHEAD: usize = 2;
const BATCHES: usize = 2;

impl Scan {
    pub(crate) fn start(plan: &Arc<Plan>, files: Vec<Source>, threads: usize) -> Self {
        let threads = Threads::new(threads).count();
        let ahead = threads.saturating_mul(AHEAD);
        // If there are few files, shares are small, so that every thread gets a share.
        let share = files.len().checked_div(ahead.saturating_mul(AHEAD));
        let share = share.unwrap_or(1).clamp(1, SHARE);
        let left = files.len().div_ceil(share);
        let threads = Threads::new(threads.min(left.max(1)));
        let counters = Arc::new(Counters::default());
        let (sender, shares) = sync_channel(ahead);
        let reader = Reader { plan: Arc::clone(plan), counters: Arc::clone(&counters) };
        // If the thread does not start, the scan reports the failure.
        let _ = thread::Builder::new().spawn(move || {
            let jobs = files.chunks(share).map_while(|files| {
                let (batches, receiver) = sync_channel(BATCHES);
                sender.send(receiver).ok().map(|()| (files, batches))
            });
            let read = |(files, batches): (&[Source], _)| reader.read(files, &batches);
            threads.in_order(jobs, read, Ok::<(), Infallible>)
        });
        let schema = Arc::clone(&plan.schema);
        Self { schema, shares, current: None, counters, left, failed: None }
    }

    /// The counts so far. After the last batch, they are complete.
    pub fn summary(&self) -> Summary {
        self.counters.summary()
    }

    /// The counts of [`Scan::summary`], for a thread that shows them while another thread takes the batches.
    pub fn progress(&self) -> Progress {
        Progress(Arc::clone(&self.counters))
    }
}

/// The counts of a scan so far.
#[derive(Clone, Debug)]
pub struct Progress(Arc<Counters>);

impl Progress {
    /// The counts so far.
    pub fn summary(&self) -> Summary {
        self.0.summary()
    }
}

/// Reads shares of the files.
struct Reader {
    plan: Arc<Plan>,
    counters: Arc<Counters>,
}

impl Reader {
    /// Reads the files of a share and sends their batches. Ends early if the receiver is gone.
    fn read(&self, files: &[Source], batches: &SyncSender<Message>) {
        let mut reader = read::Reader::new(&self.plan);
        let mut spare = Vec::new();
        // Sends the rows in the batch. Returns whether the receiver takes more.
        let send = |reader: &mut read::Reader<'_>| {
            let Some(batch) = reader.finish() else { return true };
            let is_sound = batch.is_ok();
            batches.send(batch.map(Some)).is_ok() && is_sound
        };
        for file in files {
            let file = OpenFile::open(file, &self.plan.options.reading.layers, &mut spare);
            let mut rows = file.start(&mut reader);
            loop {
                let has_more = rows.as_mut().is_some_and(|rows| rows.fill(&mut reader));
                self.counters.take(&mut reader.summary);
                if reader.is_full() && !send(&mut reader) {
                    return;
                }
                if !has_more {
                    break;
                }
            }
            drop(rows);
            spare = file.into_spare().unwrap_or(spare);
        }
        if send(&mut reader) {
            // Sending fails if the receiver is gone, which is not an error.
            let _ = batches.send(Ok(None));
        }
    }
}

impl Iterator for Scan {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(why) = self.failed.take() {
            return Some(Err(ArrowError::ExternalError(why.into())));
        }
        while self.left > 0 {
            let message = match &self.current {
                Some(batches) => batches.recv(),
                None => match self.shares.recv() {
                    Ok(batches) => {
                        self.current = Some(batches);
                        continue;
                    }
                    Err(error) => Err(error),
                },
            };
            match message {
                Ok(Ok(Some(batch))) => return Some(Ok(batch)),
                Ok(Ok(None)) => {
                    self.current = None;
                    self.left = self.left.saturating_sub(1);
                }
                Ok(Err(error)) => {
                    self.left = 0;
                    return Some(Err(error));
                }
                // Every share reports its end, so a missing report means that a thread has stopped.
                Err(_) => {
                    self.left = 0;
                    let why = "a thread that reads files has stopped, or could not be started";
                    return Some(Err(ArrowError::ComputeError(why.to_owned())));
                }
            }
        }
        None
    }

    /// Skips `n` batches. If a skipped batch is an error, `nth` returns this error, and the next call returns it again,
    /// so that `skip` and `step_by` do not hide errors.
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        if self.failed.is_some() {
            return self.next();
        }
        let skipped = self.by_ref().take(n).find(Result::is_err);
        let item = skipped.or_else(|| self.next())?;
        self.failed = item.as_ref().err().map(ArrowError::to_string);
        Some(item)
    }
}

impl RecordBatchReader for Scan {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

impl fmt::Debug for Scan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scan").field("summary", &self.summary()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use arrow_schema::Schema;

    use super::*;

    /// A scan of two batches, and then an error.
    fn failing() -> Scan {
        let schema = Arc::new(Schema::empty());
        let (share, shares) = sync_channel(1);
        let (sender, batches) = sync_channel(3);
        for _ in 0..2 {
            sender.send(Ok(Some(RecordBatch::new_empty(Arc::clone(&schema))))).unwrap();
        }
        sender.send(Err(ArrowError::CsvError("damage".to_owned()))).unwrap();
        share.send(batches).unwrap();
        let counters = Arc::new(Counters::default());
        Scan { schema, shares, current: None, counters, left: 1, failed: None }
    }

    #[test]
    fn skipped_batches_hide_no_error() {
        for n in 0..6 {
            let next = failing().nth(n).unwrap();
            assert_eq!(next.is_err(), n >= 2, "{n}");
            assert!(failing().skip(n).any(|batch| batch.is_err()), "{n}");
            assert!(failing().step_by(n + 1).any(|batch| batch.is_err()), "{n}");
            let mut errors = Vec::new();
            failing().skip(n).for_each(|batch| errors.extend(batch.err()));
            assert!(errors.iter().any(|error| error.to_string().contains("damage")), "{n}");
        }
        assert_eq!(failing().count(), 3);
    }
}
