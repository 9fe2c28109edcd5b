//! Reading input that is not mapped, up to a limit.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::Path;

use crate::failure::{Failure, Status};
use crate::open::{explain, name};
use variant_document::count::counted;

/// All bytes of a file; `-` is standard input.
pub(crate) fn bytes(path: &Path, max: u64) -> Result<Vec<u8>, Failure> {
    let name = name(path);
    let read = if path == Path::new("-") {
        up_to(&mut io::stdin().lock(), max)
    } else {
        File::open(path).and_then(|mut file| up_to(&mut file, max))
    };
    let failure = |error| Failure::file(Status::Io, format!("{name}: {}", explain(&error)));
    read.map_err(failure)?.ok_or_else(|| too_long(&name, max))
}

/// The name of a text file in messages, and its text.
pub(crate) fn text(path: &Path, max: u64) -> Result<(String, String), Failure> {
    let name = name(path);
    match String::from_utf8(bytes(path, max)?) {
        Ok(text) => Ok((name, text)),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            Err(Failure::file(Status::Invalid, format!("{name}: not UTF-8 at byte {at}")))
        }
    }
}

/// All bytes up to the end; none if there are more than `max`.
fn up_to(from: &mut dyn Read, max: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    from.take(max.saturating_add(1)).read_to_end(&mut bytes)?;
    let len = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    Ok((len <= max).then_some(bytes))
}

/// The message for input beyond the limit.
pub(crate) fn too_long(name: &str, max: u64) -> Failure {
    let message =
        format!("{name}: longer than {}; --max-input BYTES raises the limit", counted(max, "byte"));
    Failure::file(Status::Invalid, message)
}

/// The first line of a file; none if it is longer than `max` bytes or not UTF-8.
pub(crate) fn first_line(path: &Path, max: u64) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    // A byte order mark of three bytes and a line end of two are not part of the line.
    BufReader::new(File::open(path)?).take(max.saturating_add(6)).read_until(b'\n', &mut line)?;
    let Ok(text) = String::from_utf8(line) else { return Ok(None) };
    // Windows editors write the mark before UTF-8.
    let line = text.lines().next().unwrap_or_default().trim_start_matches('\u{feff}').to_owned();
    Ok(u64::try_from(line.len()).is_ok_and(|len| len <= max).then_some(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_allowed_is_read() {
        assert_eq!(up_to(&mut &b"four"[..], 4).unwrap().as_deref(), Some(&b"four"[..]));
        assert_eq!(up_to(&mut &b"fives"[..], 4).unwrap(), None);
        assert_eq!(up_to(&mut io::repeat(0), 1000).unwrap(), None);
    }

    #[test]
    fn a_line_has_an_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("password");
        for (text, line) in [
            ("", Some("")),
            ("four", Some("four")),
            ("four\r\nmore of it", Some("four")),
            ("\u{feff}four\r\n", Some("four")),
            ("fives", None),
            ("fives\n", None),
        ] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(first_line(&path, 4).unwrap().as_deref(), line, "{text:?}");
        }
        std::fs::write(&path, b"\xff\n").unwrap();
        assert_eq!(first_line(&path, 4).unwrap(), None);
    }
}
