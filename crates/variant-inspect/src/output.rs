//! Writing files: beside the place, then renamed into it, so that nothing is ever half written.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::convert::cannot_write;
use crate::failure::{Failure, Status};

/// Refuses an output that is the input.
pub(crate) fn check(input: &Path, output: &Path) -> Result<(), Failure> {
    let is_same = match (fs::canonicalize(input), fs::canonicalize(output)) {
        (Ok(input), Ok(output)) => input == output,
        _ => false,
    };
    if is_same {
        let message =
            "the output is the input, which is never touched; name another file".to_owned();
        return Err(Failure::file(Status::Usage, message));
    }
    Ok(())
}

/// Writes `bytes` to the file at `path`, or to `out` if it is `-`.
pub(crate) fn write(path: &Path, bytes: &[u8], out: &mut dyn Write) -> Result<(), Failure> {
    if path == Path::new("-") {
        return out.write_all(bytes).map_err(Failure::from);
    }
    write_file(path, bytes).map_err(|error| cannot_write(path, &error))
}

fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
