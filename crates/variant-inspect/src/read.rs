//! Reading input that is not mapped, up to a limit.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

use crate::cli::CommonArgs;
use crate::failure::Failure;
use crate::open::{explain, name};
use crate::printed;
use variant_document::count::counted;
use variant_document::escape::neutral;

/// All bytes of a file; `-` is standard input.
pub(crate) fn bytes(path: &Path, max: u64) -> Result<Vec<u8>, Failure> {
    let name = name(path);
    let read = if path == Path::new("-") {
        up_to(&mut io::stdin().lock(), max)
    } else {
        File::open(path).and_then(|mut file| up_to(&mut file, max))
    };
    let failure = |error| Failure::io(format!("{name}: {}", explain(&error)));
    read.map_err(failure)?.ok_or_else(|| {
        let max = counted(max, "byte");
        Failure::invalid(format!("{name}: longer than {max}; --max-input BYTES raises the limit"))
    })
}

/// Returns the bytes of a file. With `--input`, the file contains text, such as hexadecimal digits, and the bytes are
/// decoded from this text.
pub(crate) fn named_bytes(path: &Path, args: &CommonArgs) -> Result<Vec<u8>, Failure> {
    let bytes = bytes(path, args.max_input)?;
    let Some(form) = args.input else { return Ok(bytes) };
    let failed = |why: String| Failure::invalid(format!("{}: {}", name(path), neutral(&why)));
    printed::bytes(&bytes, form).map_err(failed)
}

/// Returns the name of a text file for messages, and its text.
pub(crate) fn text(path: &Path, max: u64) -> Result<(String, String), Failure> {
    let name = name(path);
    match String::from_utf8(bytes(path, max)?) {
        Ok(text) => Ok((name, text)),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            Err(Failure::invalid(format!("{name}: not UTF-8 at byte {at}")))
        }
    }
}

/// Reads to the end. Returns `None` if there are more than `max` bytes.
fn up_to(from: &mut dyn Read, max: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    from.take(max.saturating_add(1)).read_to_end(&mut bytes)?;
    let len = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    Ok((len <= max).then_some(bytes))
}

/// Reads the first line. Returns `None` if it is longer than `max` bytes or not UTF-8.
pub(crate) fn first_line(from: &mut dyn BufRead, max: u64) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    // Reads a few bytes more, since a byte order mark of three bytes and a line end of two do not count.
    from.take(max.saturating_add(6)).read_until(b'\n', &mut line)?;
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
        for (text, line) in [
            ("", Some("")),
            ("four", Some("four")),
            ("four\r\nmore of it", Some("four")),
            ("\u{feff}four\r\n", Some("four")),
            ("fives", None),
            ("fives\n", None),
        ] {
            let found = first_line(&mut text.as_bytes(), 4).unwrap();
            assert_eq!(found.as_deref(), line, "{text:?}");
        }
        assert_eq!(first_line(&mut &b"\xff\n"[..], 4).unwrap(), None);
    }
}
