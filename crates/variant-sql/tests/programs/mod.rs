//! The programs of a cluster, which end with the test.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

/// A program that ends with the test.
pub(crate) struct Program(pub(crate) Child);

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a program, and returns the address that it prints once it is ready.
fn start(command: &mut Command, arguments: &[&str]) -> (Program, String) {
    let mut child = command.args(arguments).stdout(Stdio::piped()).spawn().unwrap();
    let out = child.stdout.take().unwrap();
    let program = Program(child);
    let mut line = String::new();
    BufReader::new(out).read_line(&mut line).unwrap();
    let address =
        line.strip_suffix(": Ctrl-C ends it\n").unwrap_or_else(|| panic!("{arguments:?}: {line}"));
    (program, address.to_owned())
}

/// A scheduler, and executors with one task each.
pub(crate) struct Cluster {
    pub(crate) url: String,
    pub(crate) executors: Vec<Program>,
    _scheduler: Program,
}

impl Cluster {
    /// Starts a cluster, with variables for the environments of the scheduler and of the executors.
    pub(crate) fn start(
        executors: usize,
        of_scheduler: &[(&str, String)],
        of_executors: &[(&str, String)],
    ) -> Self {
        let mut scheduler = Command::new(env!("CARGO_BIN_EXE_variant-scheduler"));
        scheduler.envs(of_scheduler.iter().cloned());
        let (scheduler, url) =
            start(&mut scheduler, &["--listen=127.0.0.1:0", "--executor-timeout=6"]);
        let arguments = [url.as_str(), "--jobs=1", "--executor-timeout=6"];
        let executor = |_| {
            let mut executor = Command::new(env!("CARGO_BIN_EXE_variant-executor"));
            start(executor.envs(of_executors.iter().cloned()), &arguments).0
        };
        let executors = (0..executors).map(executor).collect();
        Self { url, executors, _scheduler: scheduler }
    }
}
