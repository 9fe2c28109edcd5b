//! Writes output files with `variant_document::output`. Adds the notes and failures of the command.

use std::fs;
#[cfg(unix)]
use std::fs::Metadata;
use std::io::Write;
use std::path::{Path, PathBuf};

use variant_document::output::{self, Output, OutputError, is_stdout};

use crate::failure::Failure;
use crate::open::name;
use crate::terminal::Terminal;
pub(crate) use variant_document::output::Replacement;

/// Refuses an output that is the input file, even under another name.
pub(crate) fn check(input: &Path, output: &Path) -> Result<(), Failure> {
    let stream = |path: &Path, name: &str| {
        if path == Path::new("-") { PathBuf::from(name) } else { path.to_owned() }
    };
    if is_one_file(&stream(input, "/dev/stdin"), &stream(output, "/dev/stdout")) {
        return Err(Failure::usage(
            "the output is the input file, which is never changed; name another file",
        ));
    }
    Ok(())
}

#[cfg(unix)]
fn is_one_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let file = |path| {
        let metadata: Option<Metadata> = fs::metadata(path).ok();
        metadata.filter(Metadata::is_file).map(|file| (file.dev(), file.ino()))
    };
    file(one).is_some_and(|one| file(other) == Some(one))
}

#[cfg(not(unix))]
fn is_one_file(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Writes `bytes` to the file at `path`, or to standard output for `-`.
pub(crate) fn write(path: &Path, bytes: &[u8], terminal: &mut Terminal<'_>) -> Result<(), Failure> {
    write_with(path, terminal, |out| Ok(out.write_all(bytes)?))
}

/// Writes the file at `path`, or standard output for `-`, piece by piece. If `make` fails, an old file is unchanged.
pub(crate) fn write_with<R>(
    path: &Path,
    terminal: &mut Terminal<'_>,
    make: impl FnOnce(&mut dyn Write) -> Result<R, Failure>,
) -> Result<R, Failure> {
    if is_stdout(path) {
        return make(terminal.out);
    }
    let mut notes = |what: &str| terminal.note(what);
    let failed = |error| failed(path, error);
    let mut file = Output::create(path, &mut notes).map_err(|error| failed(error.into()))?;
    let filled = make(&mut file).map_err(|failure| match failure {
        Failure::Output(error) => failed(error.into()),
        failure => failure,
    })?;
    file.finish(&mut notes).map_err(failed)?;
    Ok(filled)
}

/// Replaces the file at `path`. Returns the new name of the old file, if it is kept.
pub(crate) fn replace(
    path: &Path,
    bytes: &[u8],
    how: &Replacement,
    terminal: &mut Terminal<'_>,
) -> Result<Option<PathBuf>, Failure> {
    let replaced = output::replace(path, bytes, how, &mut |what: &str| terminal.note(what));
    replaced.map(|replaced| replaced.kept).map_err(|error| failed(path, error))
}

/// Refuses a folder for output that is neither new nor empty, before long work.
pub(crate) fn check_folder(path: &Path) -> Result<(), Failure> {
    output::OutputFolder::create(path).map(drop).map_err(|error| failed(path, error))
}

/// Writes the folder at `path`, which must be new or empty. `make` fills a temporary folder. If `make` fails, no folder is left.
pub(crate) fn write_folder<R>(
    path: &Path,
    make: impl FnOnce(&Path) -> Result<R, Failure>,
) -> Result<R, Failure> {
    let folder = output::OutputFolder::create(path).map_err(|error| failed(path, error))?;
    let filled = make(folder.path())?;
    folder.finish().map_err(|error| failed(path, error.into()))?;
    Ok(filled)
}

fn failed(path: &Path, error: OutputError) -> Failure {
    let path = name(path);
    match error {
        OutputError::Io(error) => Failure::io(format!("{path}: cannot be written: {error}")),
        OutputError::NotKept(error) => {
            let how = "--no-backup writes without a copy of the old file";
            Failure::io(format!("{path}: cannot be copied: {error}; {how}"))
        }
        OutputError::NotEmpty => {
            let how = "is not empty; name a new folder, or an empty one";
            Failure::usage(format!("{path}: {how}"))
        }
        OutputError::Message(message) => Failure::io(message),
    }
}
