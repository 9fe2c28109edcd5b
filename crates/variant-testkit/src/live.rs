//! Engines that tests run: their answers to any bytes.
//!
//! A script in `engine/` processes each input of a file and writes the results. Each start of an engine has a separate
//! folder, a time limit, and some thousands of inputs.

mod engines;
mod inputs;
mod protocol;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

pub use engines::{LiveEngine, engines};
pub use inputs::{Inputs, vectors};
pub use protocol::{Answer, Ask, Input};

/// The number of inputs of one start. Starting takes as long as some thousands of inputs.
const BATCH: usize = 5_000;

/// The number of extra starts, which find the inputs that crash the engine.
const SPARE_STARTS: usize = 200;

/// The results of comparisons with an engine.
#[derive(Debug)]
pub struct Tally<D> {
    /// The number of comparisons without a difference.
    pub same: usize,
    /// The number of comparisons that showed each known departure.
    pub departures: BTreeMap<D, usize>,
    /// The number of comparisons with another difference.
    pub failures: usize,
}

impl<D: Ord> Tally<D> {
    /// Counts a comparison. `found` has the departures that explain it. Without an explanation, the comparison is a
    /// failure. The first failures are printed.
    #[expect(clippy::print_stdout, reason = "a test prints its findings")]
    pub fn add(
        &mut self,
        found: Option<BTreeSet<D>>,
        is_known: impl Fn(&D) -> bool,
        show: impl FnOnce() -> String,
    ) {
        let Some(departures) = found.filter(|found| found.iter().all(is_known)) else {
            self.failures = self.failures.saturating_add(1);
            if self.failures <= 16 {
                println!("{}", show());
            }
            return;
        };
        self.same = self.same.saturating_add(departures.is_empty().into());
        for departure in departures {
            let count = self.departures.entry(departure).or_default();
            *count = count.saturating_add(1);
        }
    }
}

impl<D> Default for Tally<D> {
    fn default() -> Self {
        Self { same: 0, departures: BTreeMap::new(), failures: 0 }
    }
}

/// The tasks of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    /// Read values and write them again.
    Oracle,
    /// Read and write files of all kinds.
    Carriers,
    /// Send values to an echo server.
    Peer,
    /// Act as a client or a server of Godot 4's own multiplayer.
    Multiplayer,
    /// Read values by classes that `schema --gdscript` has written.
    Schema,
}

impl Script {
    /// The name of the script's file.
    const fn file(self) -> &'static str {
        match self {
            Self::Oracle => "oracle.gd",
            Self::Carriers => "carriers.gd",
            Self::Peer => "peer.gd",
            Self::Multiplayer => "multiplayer.gd",
            Self::Schema => "schema.gd",
        }
    }
}

impl LiveEngine {
    /// The answers to inputs, in their order.
    ///
    /// # Errors
    /// The engine cannot be started, ends normally without answers, or crashes too often. Or several inputs together
    /// crash the engine, but none of them alone.
    pub fn ask(&self, inputs: &[Input]) -> io::Result<Vec<Answer>> {
        let mut answers = Vec::with_capacity(inputs.len());
        let mut waiting: Vec<&[Input]> = inputs.chunks(BATCH).rev().collect();
        let mut starts = waiting.len().saturating_add(SPARE_STARTS);
        let mut deaths = Vec::new();
        while let Some(batch) = waiting.pop() {
            starts = starts.checked_sub(1).ok_or_else(|| io::Error::other("it dies too often"))?;
            if let Some(found) = self.ask_once(batch)? {
                answers.extend(found);
                continue;
            }
            deaths.push(answers.len()..answers.len().saturating_add(batch.len()));
            if batch.len() == 1 {
                answers.push(Answer::Died);
            } else {
                let (front, back) = batch.split_at(batch.len() / 2);
                waiting.extend([back, front]);
            }
        }
        let is_explained =
            |death| answers.get(death).is_some_and(|of: &[_]| of.contains(&Answer::Died));
        if !deaths.into_iter().all(is_explained) {
            return Err(io::Error::other("it died of many inputs, and of none of them alone"));
        }
        Ok(answers)
    }

    /// The answers of one start. `None` if the engine crashes or takes too long.
    fn ask_once(&self, batch: &[Input]) -> io::Result<Option<Vec<Answer>>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path();
        fs::write(path.join("inputs"), protocol::request(batch)?)?;
        // The limit is generous: 20 seconds, and a millisecond for each input. Engines process some thousand inputs
        // a second.
        let inputs = u64::try_from(batch.len()).unwrap_or(u64::MAX);
        let limit = Duration::from_secs(20).saturating_add(Duration::from_millis(inputs));
        let Some(status) = self.run(Script::Oracle, path, &[], limit)? else { return Ok(None) };
        let answers = path.join("answers");
        if answers.exists() {
            return protocol::read_answers(&fs::read(&answers)?, batch.len()).map(Some);
        }
        if status.success() {
            return Err(io::Error::other("it has ended without answers"));
        }
        Ok(None)
    }

    /// Sends values from a peer to an echo server. Returns the sent and the received bytes of each value.
    ///
    /// # Errors
    /// The engine cannot be started, or has not received all values back.
    pub fn echo(
        &self,
        kind: &str,
        port: u16,
        inputs: &[Input],
    ) -> io::Result<Vec<(Vec<u8>, Vec<u8>)>> {
        let folder = tempfile::tempdir()?;
        fs::write(folder.path().join("inputs"), protocol::request(inputs)?)?;
        let arguments = [format!("--kind={kind}"), format!("--port={port}")];
        self.run(Script::Peer, folder.path(), &arguments, Duration::from_secs(120))?;
        protocol::read_echoes(&fs::read(folder.path().join("answers"))?, inputs.len())
    }

    /// Runs the engine as a peer of Godot 4's own multiplayer, as `engine/godot4/multiplayer.gd` describes. Returns
    /// whether the engine ended normally and in time. Its report is in `folder`.
    pub fn play(&self, folder: &Path, arguments: &[String]) -> io::Result<bool> {
        let status = self.run(Script::Multiplayer, folder, arguments, Duration::from_secs(120))?;
        Ok(status.is_some_and(|status| status.success()))
    }

    /// Runs all tasks in a folder with the engine (`engine/*/carriers.gd`).
    ///
    /// # Errors
    /// The engine cannot be started, or does not reach the last task.
    pub fn carry(&self, tasks: &[String], folder: &Path) -> io::Result<()> {
        fs::write(folder.join("tasks"), tasks.join("\n"))?;
        self.run(Script::Carriers, folder, &[], Duration::from_secs(120))?;
        let is_done = folder.join("done").exists();
        is_done.then_some(()).ok_or_else(|| io::Error::other("it has not gone through all tasks"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(program: &str) -> io::Result<Vec<Answer>> {
        let nil = Input::value(vec![0; 4]);
        LiveEngine::godot3_at(program).ask(&vec![nil; 5])
    }

    #[test]
    fn another_program_has_no_answers() {
        assert!(ask("/no/such/program").is_err());
        assert!(ask("true").is_err());
        assert_eq!(ask("false").unwrap(), vec![Answer::Died; 5]);
    }
}
