//! Writing files: beside the place, then renamed into it, so that nothing is ever half written.

use std::fs;
use std::io::{self, Read as _, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use variant_io::{Framing, append_frame};
use variant_view::Dialect;

use crate::cli::CommonArgs;
use crate::escape::escaped;
use crate::failure::{Failure, Status};
use crate::open::{explain, name};

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

/// The output cannot be written.
fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    let path = escaped(&path.to_string_lossy());
    Failure::file(Status::Io, format!("{path}: cannot be written: {error}"))
}

/// Appends a value, behind a length word if there is to be one.
pub(crate) fn add_value(
    bytes: &mut Vec<u8>,
    value: &[u8],
    framing: Framing,
) -> Result<(), Failure> {
    match framing {
        Framing::Bare => bytes.extend_from_slice(value),
        Framing::Frames(order) => append_frame(bytes, value, order)
            .map_err(|error| Failure::file(Status::Invalid, error.to_string()))?,
        Framing::Settings => {
            let message = "compiled settings are only read; name another --to-framing".to_owned();
            return Err(Failure::file(Status::Usage, message));
        }
    }
    Ok(())
}

/// The dialect to write in, which nothing in a text tells.
pub(crate) fn dialect(common: &CommonArgs) -> Result<Dialect, Failure> {
    common.dialect.ok_or_else(|| {
        let message = "which dialect to write? name it, for example --dialect godot4".to_owned();
        Failure::file(Status::Usage, message)
    })
}

/// A file as it is.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    bytes.map_err(|error| Failure::file(Status::Io, format!("{}: {}", name(path), explain(&error))))
}

/// A text file, and what to call it.
pub(crate) fn read_text(path: &Path) -> Result<(String, String), Failure> {
    let name = name(path);
    match String::from_utf8(read(path)?) {
        Ok(text) => Ok((name, text)),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            Err(Failure::file(Status::Invalid, format!("{name}: not UTF-8 at byte {at}")))
        }
    }
}
