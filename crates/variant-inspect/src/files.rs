//! Work on many files, named by paths, folders and patterns: in parallel, with the output in the order of the files.

use std::path::{Path, PathBuf};

use crate::cli::FilesArgs;
use crate::failure::{Failure, Status};
use crate::open::name;
use crate::terminal::Terminal;
use crate::transcript::Recorder;
use variant_document::count::counted;
use variant_document::files::{Folders, select};
use variant_document::parallel::Threads;

/// The files that arguments name. A pattern without matches is reported as a missing file.
fn expand(named: &[PathBuf], is_recursive: bool, kept: &mut u64) -> Vec<PathBuf> {
    let folders = if is_recursive { Folders::Matched } else { Folders::Unopened };
    let expand = |path: &PathBuf| select(path, folders, kept).unwrap_or_else(|| vec![path.clone()]);
    named.iter().flat_map(expand).collect()
}

/// Prints a note if old files (`FILE~`) in folders are not read.
pub(crate) fn note_kept(kept: u64, terminal: &mut Terminal<'_>) -> Result<(), Failure> {
    if kept > 0 {
        let files = counted(kept, "old file");
        terminal
            .note(&format!("{files} beside their replacements, not read; name one to read it"))?;
    }
    Ok(())
}

/// The number of threads for `--jobs`; 0 means one per core. Prints a note if the number exceeds [`Threads::most`].
pub(crate) fn threads(jobs: u16, terminal: &mut Terminal<'_>) -> Result<usize, Failure> {
    let most = Threads::most();
    if usize::from(jobs) > most {
        let count = counted(most, "thread");
        terminal.note(&format!("--jobs {jobs}: limited to {count}, 4 per core"))?;
    }
    Ok(usize::from(jobs).min(most))
}

/// The files of a command, and the threads to read them on.
#[derive(Debug)]
pub(crate) struct Files {
    paths: Vec<PathBuf>,
    pub(crate) threads: Threads,
    /// Whether each line of output names its file.
    pub(crate) are_named: bool,
}

impl Files {
    /// The files that the arguments name. Prints a note if `--jobs` exceeds [`Threads::most`].
    ///
    /// If standard input is named several times, one thread reads all files, because readers of standard input must take turns.
    pub(crate) fn of(args: &FilesArgs, terminal: &mut Terminal<'_>) -> Result<Self, Failure> {
        let mut kept = 0;
        let paths = expand(&args.files, args.recursive, &mut kept);
        note_kept(kept, terminal)?;
        if paths.is_empty() {
            let names: Vec<_> = args.files.iter().map(|path| name(path)).collect();
            return Err(Failure::io(format!("there are no files in {}", names.join(", "))));
        }
        let threads = threads(args.jobs, terminal)?;
        let of_input = paths.iter().filter(|path| path.as_path() == Path::new("-")).count();
        let threads = Threads::new(if of_input > 1 { 1 } else { threads });
        Ok(Self { are_named: paths.len() > 1 || args.recursive, paths, threads })
    }

    /// Calls `work` for each file, and prints its output in the order of the files. After a file that fails, continues
    /// with the next. Returns the greatest status.
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
