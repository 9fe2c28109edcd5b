//! Many files: those of folders and patterns, in parallel, with their output in order.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::cli::FilesArgs;
use crate::failure::{Failure, Status};
use crate::open::name;
use crate::parallel::Threads;
use crate::terminal::Terminal;
use crate::transcript::Recorder;
use variant_document::backup::is_kept;
use variant_document::count::counted;

/// The files that arguments name. Expands patterns that the shell did not expand and, if asked, folders (sorted). Includes
/// folders that cannot be read, so that their errors are reported. Leaves out old files that are kept in folders beside
/// others, and adds their number to `kept`.
fn expand(named: &[PathBuf], is_recursive: bool, kept: &mut u64) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in named {
        let pattern = path.to_str().filter(|text| text.contains(['*', '?', '[']) && !path.exists());
        let matching: Vec<_> = pattern
            .and_then(|pattern| glob::glob(pattern).ok())
            .map(|found| {
                found.map(|path| path.unwrap_or_else(|error| error.path().to_owned())).collect()
            })
            // A pattern without matches is reported as a missing file.
            .filter(|found: &Vec<_>| !found.is_empty())
            .unwrap_or_else(|| vec![path.clone()]);
        for path in matching {
            if is_recursive && path.is_dir() {
                add_folder(&path, &mut files, kept);
            } else {
                files.push(path);
            }
        }
    }
    files
}

/// Adds the files of a folder. Links to files count as files; links to folders are not followed.
fn add_folder(folder: &Path, files: &mut Vec<PathBuf>, kept: &mut u64) {
    for entry in WalkDir::new(folder).sort_by_file_name() {
        match entry {
            Ok(entry) if is_kept(entry.path(), Path::is_file) => *kept = kept.saturating_add(1),
            Ok(entry) if entry.file_type().is_file() || entry.path().is_file() => {
                files.push(entry.into_path());
            }
            Ok(_) => {}
            Err(error) => files.push(error.path().unwrap_or(folder).to_owned()),
        }
    }
}

/// Notes old files that are left out.
pub(crate) fn note_kept(kept: u64, terminal: &mut Terminal<'_>) -> Result<(), Failure> {
    if kept > 0 {
        let files = counted(kept, "old file");
        terminal.note(&format!(
            "{files} beside those that replaced them, left out; name one to read it"
        ))?;
    }
    Ok(())
}

/// Notes a number of threads that is too large.
fn note_most(jobs: u16, terminal: &mut Terminal<'_>) -> Result<(), Failure> {
    if usize::from(jobs) > Threads::most() {
        let count = counted(Threads::most(), "thread");
        terminal.note(&format!("--jobs {jobs}: limited to {count}, 4 per core"))?;
    }
    Ok(())
}

/// The number of threads of `--jobs`, 0 for one per core. Notes one that is too large.
#[cfg(feature = "table")]
pub(crate) fn threads(jobs: u16, terminal: &mut Terminal<'_>) -> Result<usize, Failure> {
    note_most(jobs, terminal)?;
    Ok(usize::from(jobs).min(Threads::most()))
}

/// The files of a command, and the threads to read them on.
#[derive(Debug)]
pub(crate) struct Files {
    paths: Vec<PathBuf>,
    pub(crate) threads: Threads,
    /// Whether output names its file.
    pub(crate) are_named: bool,
}

impl Files {
    /// The files that the arguments name. Notes a number of threads that is too large.
    ///
    /// One thread if standard input is named several times, because its readers must take turns.
    pub(crate) fn of(args: &FilesArgs, terminal: &mut Terminal<'_>) -> Result<Self, Failure> {
        let mut kept = 0;
        let paths = expand(&args.files, args.recursive, &mut kept);
        note_kept(kept, terminal)?;
        if paths.is_empty() {
            let names: Vec<_> = args.files.iter().map(|path| name(path)).collect();
            let message = format!("there are no files in {}", names.join(", "));
            return Err(Failure::file(Status::Io, message));
        }
        note_most(args.jobs, terminal)?;
        let of_input = paths.iter().filter(|path| path.as_path() == Path::new("-")).count();
        let threads = Threads::new(if of_input > 1 { 1 } else { args.jobs });
        Ok(Self { are_named: paths.len() > 1 || args.recursive, paths, threads })
    }

    /// Calls `work` for each file, and prints its output in the order of the files. A file that fails does not stop the
    /// next. Returns the greatest status.
    pub(crate) fn each<R: Send>(
        &self,
        terminal: &mut Terminal<'_>,
        work: impl Fn(&Path, &mut Terminal<'_>) -> Result<R, Failure> + Sync,
        mut take: impl FnMut(R, &mut Terminal<'_>) -> Result<Status, Failure>,
    ) -> Result<Status, Failure> {
        let recorder = Recorder::of(terminal);
        if let Some(progress) = terminal.progress {
            progress.files(self.paths.len());
        }
        let one = |path: &PathBuf| {
            recorder.record(|terminal| match work(path, terminal) {
                Ok(result) => Ok(Ok(result)),
                Err(Failure::Told(status)) => Ok(Err(status)),
                Err(Failure::File { status, message }) => {
                    terminal.error(&message)?;
                    Ok(Err(status))
                }
                Err(failure) => Err(failure),
            })
        };
        let mut worst = Status::Fine;
        self.threads.in_order(
            self.paths.chunks(self.threads.share(self.paths.len())),
            |paths| paths.iter().map(one).collect::<Vec<_>>(),
            |done| {
                done.into_iter().try_for_each(|(result, transcript)| {
                    transcript.play(terminal)?;
                    let status = match result? {
                        Ok(result) => take(result, terminal)?,
                        Err(status) => status,
                    };
                    worst = worst.max(status);
                    if let Some(progress) = terminal.progress {
                        progress.file_done();
                    }
                    Ok::<_, Failure>(())
                })
            },
        )?;
        Ok(worst)
    }
}
