//! [`Threads`]: runs jobs on several threads and returns their results in order.
//!
//! A result is returned after all earlier results, so the output equals that of one thread. A window limits the number
//! of started jobs whose results were not returned yet. This limit bounds the memory of jobs and results, and the work
//! that is lost when a result ends the run.

use std::collections::VecDeque;
use std::num::NonZero;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use std::thread::available_parallelism;

use self::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use self::sync::{AtomicBool, ThreadPool, ThreadPoolBuilder, Yield};

#[cfg(test)]
#[cfg(variant_shuttle)]
mod explored;
#[cfg(all(test, variant_shuttle))]
#[path = "parallel/model.rs"]
mod sync;

/// What the threads share.
#[cfg(not(all(test, variant_shuttle)))]
mod sync {
    pub(super) use std::sync::atomic::AtomicBool;
    pub(super) use std::sync::mpsc;

    pub(super) use rayon::{ThreadPool, ThreadPoolBuilder, Yield};
}

/// The size of the window in jobs per thread: enough to keep every thread busy.
const WINDOW: usize = 16;

/// The maximum number of inputs in one job.
const SHARE: usize = 32;

/// A pool of threads. The threads start when there is a second job.
#[derive(Debug)]
pub struct Threads {
    count: usize,
    pool: OnceLock<Option<ThreadPool>>,
}

/// The maximum number of threads per core. More than one thread per core helps only if threads wait for files.
const PER_CORE: usize = 4;

/// The maximum number of threads on any machine.
const MOST: usize = 256;

fn cores() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}

impl Threads {
    /// A pool of `count` threads, at most 256; 0 for one per core.
    pub fn new(count: usize) -> Self {
        let count = if count == 0 { cores() } else { count };
        Self { count: count.min(MOST), pool: OnceLock::new() }
    }

    /// The number of threads.
    pub const fn count(&self) -> usize {
        self.count
    }

    /// The useful maximum number of threads on this machine: four per core. More threads do not help once the files are
    /// in memory.
    pub fn most() -> usize {
        cores().saturating_mul(PER_CORE).min(MOST)
    }

    /// The number of inputs per job, for `things` inputs in all. If inputs are many, several inputs are one job: if
    /// threads woke for each input, the system would keep the threads on one core. If inputs are few, each input is one
    /// job, so that large inputs run on several threads.
    pub fn share(&self, things: usize) -> usize {
        match self.count {
            1 => 1,
            _ => things.checked_div(self.window()).unwrap_or(1).clamp(1, SHARE),
        }
    }

    const fn window(&self) -> usize {
        self.count.saturating_mul(WINDOW)
    }

    /// Calls `work` for each of `jobs` and `take` for each result in order, until `take` fails.
    ///
    /// `jobs` and `take` run on the calling thread. A job may call this function for further jobs.
    ///
    /// # Errors
    /// That of `take`.
    ///
    /// # Panics
    /// If a job panics.
    pub fn in_order<J: Send, R: Send, E>(
        &self,
        jobs: impl IntoIterator<Item = J>,
        work: impl Fn(J) -> R + Sync,
        mut take: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut jobs = jobs.into_iter().fuse();
        if self.count == 1 {
            return jobs.try_for_each(|job| take(work(job)));
        }
        let (first, second) = (jobs.next(), jobs.next());
        let pool = second.as_ref().and_then(|_| self.pool());
        let mut jobs = first.into_iter().chain(second).chain(jobs);
        match pool {
            Some(pool) => spread(pool, self.window(), jobs, work, take),
            None => jobs.try_for_each(|job| take(work(job))),
        }
    }

    /// `None` if no threads can be started. The calling thread then does all work.
    fn pool(&self) -> Option<&ThreadPool> {
        let start = || ThreadPoolBuilder::new().num_threads(self.count).build().ok();
        self.pool.get_or_init(start).as_ref()
    }
}

fn spread<J: Send, R: Send, E>(
    pool: &ThreadPool,
    window: usize,
    mut jobs: impl Iterator<Item = J>,
    work: impl Fn(J) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let (work, is_over) = (&work, &AtomicBool::new(false));
    pool.in_place_scope_fifo(|scope| {
        let mut begun = VecDeque::new();
        let mut outcome = Ok(());
        loop {
            if outcome.is_ok()
                && begun.len() < window
                && let Some(job) = jobs.next()
            {
                let (sender, receiver) = sync_channel(1);
                begun.push_back(receiver);
                scope.spawn_fifo(move |_| {
                    if !is_over.load(Ordering::Relaxed) {
                        // A closed channel means that the result is no longer needed.
                        let _ = sender.send(work(job));
                    }
                });
                continue;
            }
            // Also waits for results that are not needed. Otherwise the end of the scope would run other jobs on this
            // stack.
            let Some(next) = begun.pop_front() else { return outcome };
            if let (Some(result), Ok(())) = (wait(pool, &next), &outcome) {
                outcome = take(result);
                is_over.store(outcome.is_err(), Ordering::Relaxed);
            }
        }
    })
}

/// The result of a job. `None` if the job was skipped, or if it panicked: the scope of the job propagates the panic.
///
/// A thread of the pool runs its own jobs while it waits. After its last job, the awaited job is done or runs on
/// another thread, so blocking is safe.
fn wait<R>(pool: &ThreadPool, result: &Receiver<R>) -> Option<R> {
    loop {
        match result.try_recv() {
            Ok(result) => return Some(result),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) if pool.yield_local() == Some(Yield::Executed) => {}
            Err(TryRecvError::Empty) => return result.recv().ok(),
        }
    }
}

#[cfg(all(test, not(variant_shuttle)))]
mod tests {
    use super::*;

    use std::convert::Infallible;
    use std::sync::atomic::AtomicUsize;

    const COUNTS: [usize; 4] = [0, 1, 2, 7];

    fn all<R: Send>(threads: &Threads, jobs: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
        let mut results = Vec::new();
        let taken = threads.in_order(0..jobs, work, |result| {
            results.push(result);
            Ok::<_, Infallible>(())
        });
        assert!(taken.is_ok());
        results
    }

    /// Takes longer for some numbers than for others.
    fn square(n: usize) -> usize {
        let turns = n.wrapping_mul(7919).checked_rem(13).unwrap_or(0).saturating_mul(1000);
        (0..turns).for_each(|turn| {
            std::hint::black_box(turn);
        });
        n.saturating_mul(n)
    }

    #[test]
    fn results_come_in_the_order_of_the_jobs() {
        for count in COUNTS {
            for jobs in [0, 1, 2, 3, 1000] {
                let expected: Vec<_> = (0..jobs).map(|n| n * n).collect();
                assert_eq!(all(&Threads::new(count), jobs, square), expected, "{count} threads");
            }
        }
    }

    #[test]
    fn jobs_may_have_jobs() {
        for count in COUNTS {
            let threads = Threads::new(count);
            let sums = all(&threads, 40, |n| all(&threads, n, square).into_iter().sum::<usize>());
            let expected: Vec<usize> = (0..40).map(|n| (0..n).map(|i| i * i).sum()).collect();
            assert_eq!(sums, expected, "{count} threads");
        }
    }

    #[test]
    fn nothing_is_taken_after_a_failure() {
        for count in COUNTS {
            let (threads, begun, mut taken) = (Threads::new(count), AtomicUsize::new(0), 0);
            let work = |n| {
                begun.fetch_add(1, Ordering::Relaxed);
                n
            };
            let outcome = threads.in_order(0..1_000_000, work, |n| {
                taken += 1;
                if n == 30 { Err(n) } else { Ok(()) }
            });
            assert_eq!((outcome, taken), (Err(30), 31), "{count} threads");
            let ahead = begun.into_inner() - taken;
            assert!(ahead <= threads.count * WINDOW, "{count} threads, {ahead} ahead");
        }
    }

    #[test]
    fn jobs_are_not_fetched_far_ahead() {
        let threads = Threads::new(2);
        let (fetched, mut taken) = (AtomicUsize::new(0), 0);
        let jobs = (0..1000).inspect(|_| {
            fetched.fetch_add(1, Ordering::Relaxed);
        });
        let outcome = threads.in_order(jobs, square, |_| {
            taken += 1;
            let ahead = fetched.load(Ordering::Relaxed) - taken;
            if ahead < 2 * WINDOW { Ok(()) } else { Err(ahead) }
        });
        assert_eq!(outcome, Ok(()));
    }

    #[test]
    fn threads_are_no_more_than_make_sense() {
        assert_eq!(Threads::new(0).count, cores().min(MOST));
        assert_eq!(Threads::new(usize::MAX).count, MOST);
        assert!(Threads::most() <= MOST);
        assert_eq!(Threads::new(2).count, 2);
    }

    #[test]
    fn shares_are_small_where_there_is_little() {
        let shares = |count| [0, 1, 31, 64, 100_000].map(|n| Threads::new(count).share(n));
        assert_eq!(shares(1), [1, 1, 1, 1, 1]);
        assert_eq!(shares(2), [1, 1, 1, 2, 32]);
    }

    #[test]
    fn one_job_or_one_thread_starts_nothing() {
        for (count, jobs) in [(4, 1), (1, 100), (4, 0)] {
            let threads = Threads::new(count);
            all(&threads, jobs, square);
            assert!(threads.pool.get().is_none(), "{count} threads, {jobs} jobs");
        }
    }

    #[test]
    #[should_panic(expected = "job 5")]
    fn a_panic_is_passed_on() {
        all(&Threads::new(2), 10, |n| assert!(n != 5, "job {n}"));
    }
}
