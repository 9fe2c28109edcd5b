//! [`Script`]: what happens in a simulation, and the shortest script that fails.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::action::Step;
use super::setup::Setup;
use super::table::Table;
use crate::random::Random;

/// A simulation: the options of the server, and the steps.
#[derive(Clone, PartialEq, Eq)]
pub struct Script {
    /// The options, a bit each.
    pub setup: u8,
    /// The steps.
    pub steps: Vec<Step>,
}

/// A script that fails, and why.
#[derive(Debug)]
pub struct Failure {
    /// The script, as short as possible.
    pub script: Script,
    /// The message of the check that failed.
    pub message: String,
}

impl Script {
    /// The script of a seed.
    pub fn of_seed(seed: u64, steps: usize) -> Self {
        let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let setup = random.byte();
        Self { setup, steps: (0..steps).map(|_| Step::random(&mut random)).collect() }
    }

    /// A script as bytes: the options, and the bytes of the steps. All bytes are valid.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let (setup, steps) = bytes.split_first().unwrap_or((&0, &[]));
        let (steps, _) = steps.as_chunks();
        Self { setup: *setup, steps: steps.iter().copied().map(Step).collect() }
    }

    /// The script as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let steps = self.steps.iter().flat_map(|step| step.0);
        [self.setup].into_iter().chain(steps).collect()
    }

    /// Runs the script.
    ///
    /// # Panics
    /// A check fails.
    pub fn run(&self) {
        let mut table = Table::new(Setup::of(self.setup));
        for step in &self.steps {
            table.step(*step);
        }
        table.finish();
    }

    /// Runs the script. If it fails, shortens it.
    ///
    /// # Errors
    /// The shortest script that was found to fail.
    pub fn check(&self) -> Result<(), Failure> {
        let message = self.failure().map_or(Ok(()), Err);
        message.map_err(|message| {
            let mut failure = Failure { script: self.clone(), message };
            failure.shorten();
            failure
        })
    }

    /// The message of the check that fails; `None` if no check fails.
    fn failure(&self) -> Option<String> {
        let stopped = catch_unwind(AssertUnwindSafe(|| self.run())).err()?;
        Some(text(&*stopped))
    }
}

/// The message of a panic.
fn text(stopped: &(dyn Any + Send)) -> String {
    let text = stopped.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| stopped.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").to_owned()
}

impl Failure {
    /// Removes pieces while the rest still fails: halves first, then smaller pieces, down to single steps.
    fn shorten(&mut self) {
        let mut size = self.script.steps.len();
        while size > 0 {
            let mut at = 0;
            let before = self.script.steps.len();
            while at < self.script.steps.len() {
                let mut shorter = self.script.clone();
                shorter.steps.drain(at..(at + size).min(shorter.steps.len()));
                if let Some(message) = shorter.failure() {
                    (self.script, self.message) = (shorter, message);
                } else {
                    at += size;
                }
            }
            // The removal of single steps is repeated while it removes some.
            if size > 1 || self.script.steps.len() == before {
                size /= 2;
            }
        }
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:?}", Setup::of(self.setup))?;
        self.steps.iter().try_for_each(|step| writeln!(f, "{step:?}"))
    }
}
