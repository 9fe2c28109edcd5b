//! Writes a file so that a failure or a crash does not lose the old bytes.

use std::ffi::c_char;
use std::io::{self, Write as _};
use std::mem::MaybeUninit;
use std::path::Path;

use variant_document::output::{Output, OutputError};

use crate::border::{call, list, text};
use crate::code::{Code, VARIANT_ERROR_FILE};
use crate::error::{Error, Failure};

/// Writes the file at `path`: the bytes are written beside it, and the file is then replaced. After a failure or a crash the
/// old file is as it was. A file that cannot be replaced without another owner or other hard links, or whose folder is not
/// writable, is written in place. A pipe is written in place too, and `-` is standard output.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_save(
    path: *const c_char,
    bytes: *const u8,
    len: usize,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the promises of the caller about texts and bytes.
        let (path, bytes) = unsafe { (text(path)?, list(bytes, len)?) };
        save(Path::new(path), bytes).map_err(|error| {
            let message = format!("{path}: cannot be written: {error}");
            Failure::new(VARIANT_ERROR_FILE, message)
        })
    })
}

fn save(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    // A library has no place for lines for the user.
    let notes: &mut dyn FnMut(&str) -> io::Result<()> = &mut |_| Ok(());
    let mut output = Output::create(path, notes)?;
    output.write_all(bytes)?;
    output.finish(notes)
}
