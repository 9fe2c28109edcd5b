//! [`Script`]: a simulation, and the shortest script that fails.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::action::Step;
use super::setup::Setup;
use super::shrink::shortest;
use super::table::Table;
use crate::random::Random;

/// A simulation: the options of the server, and the steps.
#[derive(Clone, PartialEq, Eq)]
pub struct Script {
    /// The options, one bit for each.
    setup: u8,
    steps: Vec<Step>,
}

/// A failing script, and the reason.
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

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there are no steps.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
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

    /// Runs the script. Shortens a script that fails.
    ///
    /// # Errors
    /// The shortest failing script that was found.
    pub fn check(&self) -> Result<(), Failure> {
        let Some(mut message) = self.failure() else { return Ok(()) };
        let steps = shortest(self.steps.clone(), |steps| {
            let failure = Self { steps: steps.to_vec(), ..*self }.failure();
            failure.map(|of_these| message = of_these).is_some()
        });
        Err(Failure { script: Self { steps, ..*self }, message })
    }

    /// The message of the check that fails. `None` if all checks pass.
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

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:?}", Setup::of(self.setup))?;
        self.steps.iter().try_for_each(|step| writeln!(f, "{step:?}"))
    }
}
