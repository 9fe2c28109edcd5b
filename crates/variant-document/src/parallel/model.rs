//! The types of [`super::sync`] for tests that explore the orders in which threads run: those of `shuttle`, and a model
//! of rayon's pool.
//!
//! The model keeps what [`super::spread`] needs of rayon, and nothing more:
//! - Each job runs once, on a thread of the pool. Jobs of a thread outside of the pool start in their order. Otherwise
//!   any job may be next, also where rayon has an order.
//! - A thread of the pool that yields runs one of the jobs that it spawned, and continues after this job.
//! - A scope ends after its jobs, and passes on the panic of a job.
//!
//! A job is a thread of `shuttle` that waits until a thread of the pool is free. The threads of the pool are numbers: a
//! nested job runs with the number of the job that waits for it, as on its stack.

use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use shuttle::rand::{Rng as _, thread_rng};
pub(super) use shuttle::sync::atomic::AtomicBool;
pub(super) use shuttle::sync::mpsc;
use shuttle::sync::{Arc, Condvar, Mutex, MutexGuard};
use shuttle::thread::{self, Scope, ThreadId};

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Yield {
    Executed,
    Idle,
}

#[derive(Debug)]
pub(super) struct ThreadPoolBuilder(usize);

impl ThreadPoolBuilder {
    pub(super) fn new() -> Self {
        Self(0)
    }

    pub(super) fn num_threads(self, count: usize) -> Self {
        Self(count)
    }

    pub(super) fn build(self) -> Result<ThreadPool, Infallible> {
        let state = State { free: (0..self.0).collect(), ..State::default() };
        Ok(ThreadPool(Arc::new((Mutex::new(state), Condvar::new()))))
    }
}

#[derive(Clone, Debug)]
pub(super) struct ThreadPool(Arc<(Mutex<State>, Condvar)>);

#[derive(Debug, Default)]
struct State {
    /// The threads of the pool that run nothing.
    free: Vec<usize>,
    /// The jobs that wait, each with the thread of the pool that spawned it.
    queued: Vec<(usize, Option<usize>)>,
    /// The jobs that a yielding thread has chosen, each with this thread.
    chosen: HashMap<usize, usize>,
    /// The chosen jobs that have ended.
    ended: HashSet<usize>,
    running: HashMap<ThreadId, usize>,
    spawned: usize,
}

impl State {
    /// The thread of the pool that this thread is.
    fn current(&self) -> Option<usize> {
        self.running.get(&thread::current().id()).copied()
    }

    fn may_begin(&self, job: usize) -> bool {
        let in_turn =
            |by| by != None || self.queued.iter().find(|(_, by)| by.is_none()) == Some(&(job, by));
        let is_next = |(queued, by): &(usize, _)| *queued == job && in_turn(*by);
        self.chosen.contains_key(&job) || !self.free.is_empty() && self.queued.iter().any(is_next)
    }
}

impl ThreadPool {
    pub(super) fn in_place_scope_fifo<'env, R>(
        &self,
        spawn: impl for<'scope> FnOnce(&ScopeFifo<'scope, 'env>) -> R,
    ) -> R {
        let panic = Arc::default();
        let result = thread::scope(|scope| {
            let result = spawn(&ScopeFifo { scope, pool: self.clone(), panic: Arc::clone(&panic) });
            while self.yield_local() == Some(Yield::Executed) {}
            result
        });
        match panic.lock().unwrap().take() {
            Some(panic) => resume_unwind(panic),
            None => result,
        }
    }

    pub(super) fn yield_local(&self) -> Option<Yield> {
        let mut state = self.lock();
        let current = state.current()?;
        let own = |(at, (_, by)): (_, &(_, _))| (*by == Some(current)).then_some(at);
        let own: Vec<usize> = state.queued.iter().enumerate().filter_map(own).collect();
        if own.is_empty() {
            return Some(Yield::Idle);
        }
        let (job, _) = state.queued.remove(own[thread_rng().gen_range(0..own.len())]);
        state.chosen.insert(job, current);
        self.changed().notify_all();
        drop(self.changed().wait_while(state, |state| !state.ended.remove(&job)).unwrap());
        Some(Yield::Executed)
    }

    fn queue(&self) -> usize {
        let mut state = self.lock();
        let (job, by) = (state.spawned, state.current());
        state.spawned += 1;
        state.queued.push((job, by));
        job
    }

    /// Runs a job once a thread of the pool is free for it.
    fn run(&self, job: usize, work: impl FnOnce()) {
        let may_not = |state: &mut State| !state.may_begin(job);
        let mut state = self.changed().wait_while(self.lock(), may_not).unwrap();
        state.queued.retain(|(queued, _)| *queued != job);
        let chosen = state.chosen.remove(&job);
        let worker = chosen.or_else(|| state.free.pop()).unwrap();
        state.running.insert(thread::current().id(), worker);
        // The next job of a thread outside of the pool may begin.
        self.changed().notify_all();
        drop(state);
        work();
        let mut state = self.lock();
        state.running.remove(&thread::current().id());
        match chosen {
            Some(_) => drop(state.ended.insert(job)),
            None => state.free.push(worker),
        }
        self.changed().notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.0.lock().unwrap()
    }

    fn changed(&self) -> &Condvar {
        &self.0.1
    }
}

pub(super) struct ScopeFifo<'scope, 'env: 'scope> {
    scope: &'scope Scope<'scope, 'env>,
    pool: ThreadPool,
    /// The panic of a job.
    panic: Arc<Mutex<Option<Box<dyn Any + Send>>>>,
}

impl<'scope> ScopeFifo<'scope, '_> {
    pub(super) fn spawn_fifo(&self, work: impl FnOnce(()) + Send + 'scope) {
        let (pool, panic, job) = (self.pool.clone(), Arc::clone(&self.panic), self.pool.queue());
        let work = move || {
            if let Err(payload) = catch_unwind(AssertUnwindSafe(|| work(()))) {
                *panic.lock().unwrap() = Some(payload);
            }
        };
        self.scope.spawn(move || pool.run(job, work));
    }
}
