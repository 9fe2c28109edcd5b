//! [`Scan`]: files as record batches, read on several threads.

use std::fmt;
use std::num::NonZero;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};

use crate::read::{FileReader, Stop};
use crate::source::Source;
use crate::summary::{Counters, Summary};
use crate::table::Plan;

/// Record batches of files, in the order of the files. Memory is bounded by a few batches for each thread.
pub struct Scan {
    schema: SchemaRef,
    /// The batches of each share of the files, in order.
    shares: Receiver<Receiver<Message>>,
    current: Option<Receiver<Message>>,
    counters: Arc<Counters>,
    /// The shares that have not ended.
    left: usize,
    /// An error that `nth` has returned, for the next call.
    failed: Option<String>,
}

/// A batch; `None` at the end of a share.
type Message = Result<Option<RecordBatch>, ArrowError>;

/// The number of files in a share: enough that handing over a batch costs little in comparison.
const SHARE: usize = 256;

/// The number of shares each thread may be ahead, and of batches each share.
const AHEAD: usize = 2;
const BATCHES: usize = 2;

/// The files that are not taken by a thread yet.
struct Queue {
    files: std::vec::IntoIter<Source>,
    share: usize,
    shares: SyncSender<Receiver<Message>>,
}

impl Scan {
    pub(crate) fn start(plan: &Arc<Plan>, files: Vec<Source>, threads: usize) -> Self {
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        let threads = if threads == 0 { cores() } else { threads };
        let shares = threads.saturating_mul(AHEAD);
        // With few files, shares are small, so that all threads have some.
        let share =
            files.len().checked_div(shares.saturating_mul(AHEAD)).unwrap_or(1).clamp(1, SHARE);
        let left = files.len().div_ceil(share);
        let threads = threads.min(left);
        let schema = Arc::clone(&plan.schema);
        let counters = Arc::new(Counters::default());
        let (sender, receiver) = sync_channel(shares);
        let queue = Queue { files: files.into_iter(), share, shares: sender };
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..threads {
            let (plan, queue, counters) =
                (Arc::clone(plan), Arc::clone(&queue), Arc::clone(&counters));
            // If a thread fails to start, the others read all files; if all fail, the scan reports it.
            let _ = thread::Builder::new().spawn(move || work(&plan, &queue, &counters));
        }
        Self { schema, shares: receiver, current: None, counters, left, failed: None }
    }

    /// The counts so far. After the last batch, the counts of everything.
    pub fn summary(&self) -> Summary {
        self.counters.summary()
    }

    /// The counts of [`Scan::summary`], to show while another thread takes the batches.
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

/// Reads shares of files until none are left, or the receiver is gone.
fn work(plan: &Plan, queue: &Mutex<Queue>, counters: &Counters) {
    loop {
        let (batches, files) = {
            let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
            let share = queue.share;
            let files: Vec<_> = queue.files.by_ref().take(share).collect();
            let (sender, receiver) = sync_channel(BATCHES);
            if files.is_empty() || queue.shares.send(receiver).is_err() {
                return;
            }
            (sender, files)
        };
        let emit = |batch| batches.send(Ok(Some(batch))).map_err(|_| Stop::Closed);
        let mut reader = FileReader::new(plan, emit);
        let outcome = files.iter().try_for_each(|file| {
            let outcome = reader.read(file);
            counters.take(&mut reader.summary);
            outcome
        });
        let outcome = outcome.and_then(|()| reader.finish());
        counters.take(&mut reader.summary);
        let end = match outcome {
            Ok(()) => Ok(None),
            Err(Stop::Closed) => return,
            Err(Stop::Arrow(error)) => Err(error),
        };
        if batches.send(end).is_err() {
            return;
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
                // Every share reports its end.
                Err(_) => {
                    self.left = 0;
                    let why = "a thread that reads files has stopped, or could not be started";
                    return Some(Err(ArrowError::ComputeError(why.to_owned())));
                }
            }
        }
        None
    }

    /// Skips `n` batches. An error in them is returned as that of the requested one, and once more by the next call, so
    /// that `skip` and `step_by` hide none.
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
