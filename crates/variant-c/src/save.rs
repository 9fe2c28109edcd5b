//! Writes a file so that a failure or a crash does not lose the old bytes.

use std::ffi::c_char;
use std::io::{self, Write as _};
use std::mem::MaybeUninit;
use std::path::Path;

use variant_document::output::{Output, OutputError};

use crate::border::{call, list, text};
use crate::code::{Code, VARIANT_ERROR_FILE};
use crate::error::{Error, Failure};

/// Writes the file at `path`: the bytes are written to a new file in the same folder, which then replaces the old file.
/// After a failure or a crash the old file is unchanged. The old file is overwritten in place if a new file would
/// change its owner or its hard links, or if its folder is not writable. A pipe is also written in place. The path `-`
/// is standard output.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_save(
    path: *const c_char,
    bytes: *const u8,
    len: usize,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises a path that ends with a NUL, and `len` bytes.
        let (path, bytes) = unsafe { (text(path)?, list(bytes, len)?) };
        save(Path::new(path), bytes).map_err(|error| {
            let message = format!("{path}: cannot be written: {error}");
            Failure::new(VARIANT_ERROR_FILE, message)
        })
    })
}

fn save(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    // The library prints nothing, so notes for the user are dropped.
    let notes: &mut dyn FnMut(&str) -> io::Result<()> = &mut |_| Ok(());
    let mut output = Output::create(path, notes)?;
    output.write_all(bytes)?;
    output.finish(notes)
}
