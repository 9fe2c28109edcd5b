//! An engine that runs: what it says to any bytes, now and not in a record.
//!
//! A script in `engine/` reads the inputs of a file and writes again what it has read of them. Each start of the
//! engine has a folder of its own, a time limit, and some thousands of inputs.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The inputs of one start. Starting takes as long as some thousands of them.
const BATCH: usize = 5_000;

/// Starts beyond those that the inputs need, to find the ones that the engine dies of.
const SPARE_STARTS: usize = 200;

/// What the engine is asked to read.
#[derive(Clone, Debug)]
pub struct Input {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Whether it may create objects; never of bytes that might say which.
    pub objects: bool,
}

/// What the engine makes of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It does not read it.
    Refused,
    /// It reads it, and writes this of it.
    Accepted(Vec<u8>),
    /// It reads it, and does not write what it has read.
    NotWritten,
    /// It ends or hangs, asked nothing but this.
    Died,
}

/// An engine that can be started.
#[derive(Clone, Debug)]
pub struct LiveEngine {
    program: OsString,
}

impl LiveEngine {
    /// Godot 3: `godot3-server`, or the program that `VARIANT_GODOT3` names.
    ///
    /// The package `godot3-server` of Debian is Godot 3.2.3. A release build will not do, since its scripts do
    /// not tell what is refused.
    pub fn godot3() -> Self {
        let program = std::env::var_os("VARIANT_GODOT3");
        Self { program: program.unwrap_or_else(|| "godot3-server".into()) }
    }

    /// The answers to inputs, in their order.
    ///
    /// # Errors
    /// An engine that cannot be started, that has no answers though it ended in peace, that dies too often, or
    /// that dies of inputs together of which it does not die apart.
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

    /// The answers of one start, unless the engine dies.
    fn ask_once(&self, batch: &[Input]) -> io::Result<Option<Vec<Answer>>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path();
        fs::write(path.join("inputs"), request(batch)?)?;
        // Some thousand a second would be slow.
        let inputs = u64::try_from(batch.len()).unwrap_or(u64::MAX);
        let limit = Duration::from_secs(10).saturating_add(Duration::from_millis(inputs));
        let Some(status) = self.run(Script::Oracle, path, &[], limit)? else { return Ok(None) };
        let answers = path.join("answers");
        if answers.exists() {
            return read_answers(&answers, batch.len()).map(Some);
        }
        if status.success() {
            return Err(io::Error::other(
                "no answers; is this a build that tells what it refuses?",
            ));
        }
        Ok(None)
    }

    /// Runs a script in a folder, which it reads from and writes to; how it ends, unless it is still there at the
    /// end of `limit`.
    ///
    /// # Errors
    /// An engine that cannot be started.
    pub fn run(
        &self,
        script: Script,
        folder: &Path,
        arguments: &[String],
        limit: Duration,
    ) -> io::Result<Option<ExitStatus>> {
        fs::write(folder.join("project.godot"), include_str!("../engine/godot3/project.godot"))?;
        fs::write(folder.join("script.gd"), script.source())?;
        let mut command = Command::new(&self.program);
        command.arg("--path").arg(folder).args(["-s", "res://script.gd"]).args(arguments);
        // Where it writes settings.
        for home in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
            command.env(home, folder);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        wait(command.current_dir(folder).spawn()?, limit)
    }

    /// What comes back of the values that a peer sends to an echo server: what was sent and what came, of each.
    ///
    /// # Errors
    /// An engine that cannot be started, or has not got all of them back.
    pub fn echo(
        &self,
        kind: &str,
        port: u16,
        inputs: &[Input],
    ) -> io::Result<Vec<(Vec<u8>, Vec<u8>)>> {
        let folder = tempfile::tempdir()?;
        fs::write(folder.path().join("inputs"), request(inputs)?)?;
        let arguments = [format!("--kind={kind}"), format!("--port={port}")];
        self.run(Script::Peer, folder.path(), &arguments, Duration::from_secs(120))?;
        let bytes = fs::read(folder.path().join("answers"))?;
        let mut rest = bytes.as_slice();
        take_word(&mut rest);
        let mut answer = || match take_answer(&mut rest) {
            Some(Answer::Accepted(bytes)) => Some(bytes),
            _ => None,
        };
        let answers: Option<Vec<_>> = inputs.iter().map(|_| Some((answer()?, answer()?))).collect();
        answers.ok_or_else(|| io::ErrorKind::InvalidData.into())
    }
}

/// What an engine can be asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    /// Read values and write them again.
    Oracle,
    /// Read and write files of all kinds.
    Carriers,
    /// Send values to an echo server.
    Peer,
}

impl Script {
    const fn source(self) -> &'static str {
        match self {
            Self::Oracle => include_str!("../engine/godot3/oracle.gd"),
            Self::Carriers => include_str!("../engine/godot3/carriers.gd"),
            Self::Peer => include_str!("../engine/godot3/peer.gd"),
        }
    }
}

/// How a process ends, unless it is still there at the end of `limit`; then it is ended.
fn wait(mut child: Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    while start.elapsed() < limit {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

fn request(batch: &[Input]) -> io::Result<Vec<u8>> {
    let mut request = word(batch.len())?.to_vec();
    for input in batch {
        request.extend(u32::from(input.objects).to_le_bytes());
        request.extend(word(input.bytes.len())?);
        request.extend(&input.bytes);
    }
    Ok(request)
}

fn word(count: usize) -> io::Result<[u8; 4]> {
    let count = u32::try_from(count).map_err(|_| io::ErrorKind::InvalidInput)?;
    Ok(count.to_le_bytes())
}

fn read_answers(path: &Path, count: usize) -> io::Result<Vec<Answer>> {
    let bytes = fs::read(path)?;
    let mut rest = bytes.as_slice();
    let answers = (|| {
        let claimed = take_word(&mut rest)?;
        let answers: Option<Vec<_>> = (0..count).map(|_| take_answer(&mut rest)).collect();
        answers.filter(|_| claimed == count && rest.is_empty())
    })();
    answers.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "answers in another form"))
}

fn take_word(rest: &mut &[u8]) -> Option<usize> {
    let bytes = rest.split_off(..4)?;
    usize::try_from(u32::from_le_bytes(bytes.try_into().ok()?)).ok()
}

fn take_answer(rest: &mut &[u8]) -> Option<Answer> {
    let &outcome = rest.split_off_first()?;
    let length = take_word(rest)?;
    let written = rest.split_off(..length)?;
    match outcome {
        0 => Some(Answer::Refused),
        1 => Some(Answer::Accepted(written.to_vec())),
        2 => Some(Answer::NotWritten),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(program: &str) -> io::Result<Vec<Answer>> {
        let nil = Input { bytes: vec![0; 4], objects: false };
        LiveEngine { program: program.into() }.ask(&vec![nil; 5])
    }

    #[test]
    fn what_is_no_engine_has_no_answers() {
        assert!(ask("/no/such/program").is_err());
        assert!(ask("true").is_err());
        assert_eq!(ask("false").unwrap(), vec![Answer::Died; 5]);
    }

    #[test]
    fn what_hangs_is_ended() {
        let child = Command::new("sleep").arg("60").spawn().unwrap();
        let start = Instant::now();
        assert!(wait(child, Duration::from_millis(50)).unwrap().is_none());
        assert!(start.elapsed() < Duration::from_secs(30));
    }
}
