//! [`Writer`]: writes values.

use std::mem::{self, MaybeUninit};
use std::ptr;

use variant_io::Framing;
use variant_owned::EncodeOptions;

use crate::border::{Result, attempt, call, report};
use crate::bytes::{self, Bytes};
use crate::code::{Code, VARIANT_ERROR_WRITE, VARIANT_OK};
use crate::error::{Error, Failure};
use crate::options::Options;

/// Writes values one after another, in the dialect and the framing of its options. Made by variant_writer_new, freed by
/// variant_writer_free, and used by one thread at a time.
///
/// Each call appends one piece: a value, or the begin or end of a container. After a failure the other calls do nothing
/// and return the same code, until variant_writer_finish reports the failure. So a program needs to check only the
/// result of variant_writer_finish.
#[derive(Debug)]
pub struct Writer {
    pub(crate) options: EncodeOptions,
    framing: Framing,
    /// The bytes of the value. The pointer came from `Box::into_raw`. The writer in `open` borrows the vector.
    buffer: *mut Vec<u8>,
    open: Option<variant_owned::Writer<'static>>,
    failure: Option<Box<Error>>,
}

impl Writer {
    fn new(options: EncodeOptions, framing: Framing) -> Self {
        let buffer = Box::into_raw(Box::default());
        Self { options, framing, buffer, open: None, failure: None }
    }

    /// The writer of the value that is being written.
    fn open(&mut self) -> &mut variant_owned::Writer<'static> {
        let open = self.take_open();
        self.open.insert(open)
    }

    fn take_open(&mut self) -> variant_owned::Writer<'static> {
        self.open.take().unwrap_or_else(|| {
            // SAFETY: the vector lives until `self` is dropped, and nothing else uses it while the returned writer
            // exists.
            let buffer = unsafe { &mut *self.buffer };
            variant_owned::Writer::new(buffer, self.options)
        })
    }

    /// Appends a piece, unless an earlier piece has failed.
    pub(crate) fn append<'a>(
        &mut self,
        piece: impl FnOnce(&mut variant_owned::Writer<'static>) -> Result<'a>,
    ) -> Code {
        if let Some(failure) = &self.failure {
            return failure.code;
        }
        let Err(failure) = attempt(|| piece(self.open())) else { return VARIANT_OK };
        self.failure = Some(Box::new(report(&failure)));
        failure.code()
    }

    /// Ends the value and returns its bytes. The writer is then ready for the next value.
    fn finish<'a>(&mut self) -> Result<'a, Vec<u8>> {
        let finished = self.take_open().finish();
        // SAFETY: the writer that borrowed the vector was consumed by `finish`.
        let bytes = mem::take(unsafe { &mut *self.buffer });
        if let Some(failure) = self.failure.take() {
            return Err(Failure::Reported(failure));
        }
        finished.map_err(Failure::Write)?;
        self.framed(bytes)
    }

    fn framed<'a>(&self, bytes: Vec<u8>) -> Result<'a, Vec<u8>> {
        if matches!(self.framing, Framing::Bare | Framing::Sequence(_)) {
            return Ok(bytes);
        }
        let mut writer = self.framing.writer();
        let refused =
            |error: variant_io::AppendError| Failure::new(VARIANT_ERROR_WRITE, error.to_string());
        writer.bytes(None, &bytes).map_err(refused)?;
        Ok(writer.finish())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // The open writer uses the vector when it is dropped, so it is dropped before the vector.
        self.open = None;
        // SAFETY: the pointer came from `Box::into_raw`, and nothing else uses it.
        drop(unsafe { Box::from_raw(self.buffer) });
    }
}

/// Makes a writer. The options must name a dialect; `framing`, `reals` and `max_depth` also apply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_writer_new(
    options: *const Options,
    writer: Option<&mut MaybeUninit<*mut Writer>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        let null = Failure::argument("the pointer to the place for the writer is null");
        let handle = writer.ok_or(null)?.write(ptr::null_mut());
        // SAFETY: the caller promises options of the stated size.
        let (options, framing) = unsafe { Options::copied(options) }?.writing()?;
        *handle = Box::into_raw(Box::new(Writer::new(options, framing)));
        Ok(())
    })
}

/// Frees a writer, and discards a value that is not finished. NULL is accepted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_writer_free(writer: *mut Writer) {
    if !writer.is_null() {
        // SAFETY: the caller promises that the handle came from this library and was not freed.
        drop(unsafe { Box::from_raw(writer) });
    }
}

/// Ends the value, and gives its bytes to the caller, who frees them by variant_bytes_free. Reports the first failure
/// of the calls since the writer was made or last finished. After this call, also if it fails, the writer is ready for
/// the next value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_writer_finish(
    writer: Option<&mut Writer>,
    written: Option<&mut MaybeUninit<Bytes>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        let writer = writer.ok_or(Failure::argument("the writer is a null pointer"))?;
        bytes::give(written, writer.finish()?)
    })
}
