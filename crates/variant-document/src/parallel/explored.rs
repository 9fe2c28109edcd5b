//! Tests of [`Threads`] that explore the orders in which threads run. Run by `.ci/threads`.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use shuttle::sync::atomic::{AtomicUsize, Ordering};

use super::{Threads, WINDOW};

/// Runs a test in random orders, and in orders with few changes of priority (PCT). A deadlock is a failure.
fn explore(test: fn()) {
    let count = std::env::var("VARIANT_SCHEDULES").map_or(1_000, |count| count.parse().unwrap());
    shuttle::check_random(test, count);
    shuttle::check_pct(test, count, 3);
}

/// The results of jobs, until a result is an error.
fn taken<E>(
    threads: &Threads,
    jobs: usize,
    work: impl Fn(usize) -> Result<usize, E> + Sync,
) -> (Vec<usize>, Result<(), E>)
where
    E: Send,
{
    let mut results = Vec::new();
    let take = |result: Result<usize, E>| result.map(|result| results.push(result));
    let outcome = threads.in_order(0..jobs, work, take);
    (results, outcome)
}

fn squares(jobs: usize) -> Vec<usize> {
    (0..jobs).map(|n| n * n).collect()
}

fn square(n: usize) -> Result<usize, Infallible> {
    shuttle::thread::yield_now();
    Ok(n * n)
}

#[test]
fn results_come_in_the_order_of_the_jobs() {
    explore(|| {
        let threads = Threads::new(3);
        assert_eq!(taken(&threads, 6, square), (squares(6), Ok(())));
        assert_eq!(taken(&threads, 2, square), (squares(2), Ok(())), "the pool runs again");
    });
}

#[test]
fn results_come_in_order_through_a_full_window() {
    explore(|| {
        let (threads, begun, mut taken) = (Threads::new(2), AtomicUsize::new(0), Vec::new());
        let work = |n| {
            begun.fetch_add(1, Ordering::SeqCst);
            n
        };
        let outcome = threads.in_order(0..2 * WINDOW + 3, work, |n| {
            let ahead = begun.load(Ordering::SeqCst) - taken.len();
            taken.push(n);
            if ahead <= 2 * WINDOW { Ok(()) } else { Err(ahead) }
        });
        assert_eq!((taken, outcome), ((0..2 * WINDOW + 3).collect(), Ok(())));
    });
}

#[test]
fn jobs_of_jobs_are_no_deadlock() {
    explore(|| {
        let threads = Threads::new(2);
        let inner = |n| taken(&threads, n, square).1.map(|()| n);
        let outer = |n| taken(&threads, n, inner).1.map(|()| n);
        assert_eq!(taken(&threads, 4, outer).0, [0, 1, 2, 3]);
    });
}

#[test]
fn callers_may_share_a_pool() {
    explore(|| {
        let threads = &Threads::new(2);
        shuttle::thread::scope(|scope| {
            for jobs in [2, 3] {
                scope.spawn(move || assert_eq!(taken(threads, jobs, square).0, squares(jobs)));
            }
        });
    });
}

#[test]
fn an_error_ends_the_run() {
    explore(|| {
        let (threads, begun) = (Threads::new(2), AtomicUsize::new(0));
        let work = |n| {
            begun.fetch_add(1, Ordering::SeqCst);
            if n == 2 { Err(n) } else { Ok(n) }
        };
        assert_eq!(taken(&threads, 100, work), (vec![0, 1], Err(2)));
        assert!(begun.into_inner() <= 3 + 2 * WINDOW);
    });
}

#[test]
fn a_panic_of_a_job_reaches_the_caller() {
    explore(|| {
        let threads = Threads::new(2);
        // Without the hook of panics, which would end the test.
        let work = |n| if n == 1 { resume_unwind(Box::new(n)) } else { square(n) };
        let panic = catch_unwind(AssertUnwindSafe(|| taken(&threads, 4, work))).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&1_usize));
        assert_eq!(taken(&threads, 3, square).0, squares(3), "the pool runs again");
    });
}
