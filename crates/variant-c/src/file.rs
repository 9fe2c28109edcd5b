//! [`File`]: the values of a save, a `project.binary` or another file.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::path::Path;
use std::ptr;
use std::sync::OnceLock;

use variant_document::edit::Rivals;
use variant_document::query::Address;
use variant_document::{Piece, Plain, Reading};
use variant_io::{
    GCPF_MAGICS, GDEC_MAGIC, Layer, OpenError, OpenOptions, Position, ValueError, Wrapping, open,
    open_bytes,
};

use crate::border::{Result, call, list, put, text};
use crate::bytes::{self, Bytes};
use crate::code::{
    Code, VARIANT_ERROR_FILE, VARIANT_ERROR_FORMAT, VARIANT_ERROR_LAYER, VARIANT_ERROR_LOCKED,
    VARIANT_ERROR_NOT_FOUND, VARIANT_ERROR_PATH, VARIANT_ERROR_TRUNCATED,
};
use crate::error::{Error, Failure, VARIANT_NO_OFFSET};
use crate::names;
use crate::options::Options;
use crate::place::Place;
use crate::source::Source;
use crate::value::{self, Summary, Value};

/// A file: its bytes without compression and encryption, and how they are read. Made by variant_file_open and
/// variant_file_of_bytes, freed by variant_file_free. Any number of threads may read it at once.
#[derive(Debug)]
pub struct File {
    pub(crate) source: Source,
    /// The settings for reading, without the bytes.
    plain: Plain<'static>,
    is_certain: bool,
    /// The other engines that may have written the file. Empty if the options name the dialect.
    rivals: Rivals,
    /// The number of bytes after the last value, as the options state it.
    tail: usize,
    /// The position of each whole value, and the error if the file ends within a value.
    frames: OnceLock<(Vec<Position>, Option<ValueError>)>,
}

const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<File>();
};

/// Reads the file at `path` and removes its compression and encryption. Its dialect and framing are detected, unless
/// the options name them. O(bytes). Values are not validated; variant_file_validate validates them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_open(
    path: *const c_char,
    options: *const Options,
    file: Option<&mut MaybeUninit<*mut File>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises a path that ends with a NUL, and options of the stated size.
        let (path, options) = unsafe { (text(path)?, Options::copied(options)?) };
        give(file, &options, |layers| open(Path::new(path), &layers.map(false)).map(Source::Opened))
    })
}

/// Opens a file whose bytes are in memory, as variant_file_open does. Bytes without compression and encryption are not
/// copied: they must exist, unchanged, until the file is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_of_bytes(
    bytes: *const u8,
    len: usize,
    options: *const Options,
    file: Option<&mut MaybeUninit<*mut File>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises `len` bytes that outlive the file, so their lifetime may be any, and options of
        // the stated size.
        let (bytes, options) = unsafe { (list::<u8>(bytes, len)?, Options::copied(options)?) };
        let magic = bytes.first_chunk();
        let has_layers =
            magic.is_some_and(|magic| *magic == GDEC_MAGIC || GCPF_MAGICS.contains(magic));
        give(file, &options, |layers| {
            if has_layers {
                open_bytes(bytes.to_vec(), &layers).map(Source::Opened)
            } else {
                Ok(Source::Lent(bytes))
            }
        })
    })
}

/// Opens a file, and writes its handle to the caller's pointer. After a failure the pointer is null.
fn give<'a>(
    file: Option<&mut MaybeUninit<*mut File>>,
    options: &Options,
    source: impl FnOnce(OpenOptions) -> std::result::Result<Source, OpenError>,
) -> Result<'a> {
    let null = Failure::argument("the pointer to the place for the file is null");
    let handle = file.ok_or(null)?.write(ptr::null_mut());
    // SAFETY: `options` is a copy of the caller's options. The caller promises that their password and key are valid.
    let reading = unsafe { options.reading() }?;
    let source = source(reading.layers.clone()).map_err(|error| refused(&error))?;
    *handle = Box::into_raw(Box::new(File::new(source, &reading, options)?));
    Ok(())
}

fn refused<'a>(error: &OpenError) -> Failure<'a> {
    let (code, offset) = match error {
        OpenError::Io(_) => (VARIANT_ERROR_FILE, None),
        OpenError::NoKey(_) => (VARIANT_ERROR_LOCKED, None),
        OpenError::Encrypted(error) => (VARIANT_ERROR_LAYER, u64::try_from(error.offset()).ok()),
        OpenError::Compressed(error) => (VARIANT_ERROR_LAYER, Some(error.offset())),
        _ => (VARIANT_ERROR_LAYER, None),
    };
    let offset = offset.unwrap_or(VARIANT_NO_OFFSET);
    Failure::At { code, offset, frame: 0, message: error.to_string().into() }
}

impl File {
    fn new<'a>(source: Source, reading: &Reading, options: &Options) -> Result<'a, Self> {
        let bytes = source.bytes();
        let too_short = |error: variant_document::TooShort| {
            Failure::new(VARIANT_ERROR_FORMAT, error.to_string())
        };
        let (skipped, tail) = reading.ends(bytes.len()).map_err(too_short)?;
        let body = bytes.get(skipped..).unwrap_or_default();
        let layers: &[Layer] = source.wrapping().map_or(&[], Wrapping::layers);
        if let Some(what) = reading.other_format(layers, body) {
            return Err(Failure::new(VARIANT_ERROR_FORMAT, format!("this is {what}")));
        }
        let chosen = reading.choose(bytes).map_err(too_short)?;
        let (mut plain, is_certain) = (chosen.plain.with_bytes(&[]), chosen.is_certain());
        let rivals = chosen.rivals();
        plain.options = options.accepted(plain.options)?;
        Ok(Self { source, plain, is_certain, rivals, tail, frames: OnceLock::new() })
    }

    pub(crate) const fn rivals(&self) -> &Rivals {
        &self.rivals
    }

    pub(crate) const fn tail(&self) -> usize {
        self.tail
    }

    /// The plain bytes of the file, with the settings for reading them.
    pub(crate) fn plain(&self) -> Plain<'_> {
        self.plain.with_bytes(self.source.bytes())
    }

    /// The position of each whole value, and the error if the file ends within a value. O(values) for the first call,
    /// then O(1).
    fn frames(&self) -> &(Vec<Position>, Option<ValueError>) {
        self.frames.get_or_init(|| {
            let mut values = self.plain.framing.values(self.plain().body());
            let mut positions = Vec::new();
            loop {
                let position = values.position();
                match values.next() {
                    None => return (positions, None),
                    Some(Err(error)) => return (positions, Some(error)),
                    Some(Ok(_)) => positions.push(position),
                }
            }
        })
    }

    /// Fails if the file ends within a value.
    pub(crate) fn broken<'a>(&self) -> Result<'a> {
        let (positions, error) = self.frames();
        let Some(error) = error else { return Ok(()) };
        let plain = self.plain();
        let offset = u64::try_from(plain.absolute(error.offset())).unwrap_or(u64::MAX);
        let frame = u64::try_from(positions.len()).unwrap_or(u64::MAX).saturating_add(1);
        let message = plain.cut(error).into();
        Err(Failure::At { code: VARIANT_ERROR_TRUNCATED, offset, frame, message })
    }

    fn piece<'a>(&self, number: u64) -> Result<'a, Piece<'_>> {
        let (positions, _) = self.frames();
        let index = number.checked_sub(1).and_then(|index| usize::try_from(index).ok());
        let plain = self.plain();
        let value = index
            .and_then(|index| positions.get(index))
            .and_then(|position| plain.framing.values_from(plain.body(), *position).next()?.ok());
        let Some(value) = value else {
            self.broken()?;
            let message = format!("the file has {} values, counted from 1", positions.len());
            return Err(Failure::new(VARIANT_ERROR_NOT_FOUND, message).in_frame(number));
        };
        Ok(plain.piece(&value))
    }

    pub(crate) fn place<'f>(&'f self, piece: &Piece<'f>) -> Place<'f> {
        let start = u64::try_from(piece.start).unwrap_or(u64::MAX);
        Place { document: self.plain().document(piece.bytes), start }
    }

    /// The place of the value at an address, which is a path, or the number of a frame and a path.
    fn at<'f>(&'f self, path: &str) -> Result<'f, Place<'f>> {
        let wrong = |what: String| Failure::new(VARIANT_ERROR_PATH, what);
        let address = Address::parse(path).map_err(wrong)?;
        let (positions, _) = self.frames();
        let first = address.frame().unwrap_or(1);
        let last = u64::try_from(positions.len()).unwrap_or(u64::MAX);
        // In a file of settings, each value is compared with the name in the path. In other files, a path without the
        // number of a frame is in the first value.
        for number in first..=address.frame().unwrap_or(last).max(first) {
            let piece = self.piece(number)?;
            if let Some(part) = address.part(&piece) {
                let found = value::at(&self.place(&piece), part.path);
                return found.map_err(|failure| failure.in_frame(number));
            }
        }
        Err(Failure::new(VARIANT_ERROR_NOT_FOUND, format!("no setting at {path}")))
    }
}

/// Frees a file. Values, texts and bytes that came from it are then no longer valid. NULL is accepted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_free(file: *mut File) {
    if !file.is_null() {
        // SAFETY: the caller promises that the handle came from this library and was not freed.
        drop(unsafe { Box::from_raw(file) });
    }
}

/// The dialect of the file's values, VARIANT_DIALECT_*; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_dialect(file: Option<&File>) -> u8 {
    file.map_or(0, |file| names::of_dialect(file.plain.options.dialect))
}

/// The framing of the file's values, VARIANT_FRAMING_*; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_framing(file: Option<&File>) -> u8 {
    file.map_or(0, |file| names::of_framing(file.plain.framing))
}

/// Whether the bytes and the options determine the dialect. If not, the file is read in the likeliest of several
/// dialects that fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_is_certain(file: Option<&File>) -> bool {
    file.is_some_and(|file| file.is_certain)
}

/// The plain bytes of the file: decrypted and decompressed. Offsets of values and of errors count from their start.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_bytes(
    file: Option<&File>,
    bytes: Option<&mut MaybeUninit<*const u8>>,
    len: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        let plain = given(file)?.source.bytes();
        put(bytes, plain.as_ptr())?;
        put(len, plain.len())
    })
}

/// The number of values: frames, settings, or 1 for a bare value. O(values) for the first call, then O(1). If the file
/// ends within a value, the call fails with VARIANT_ERROR_TRUNCATED, and variant_file_value reads the whole values
/// before this value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_count(
    file: Option<&File>,
    count: Option<&mut MaybeUninit<u64>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        let file = given(file)?;
        file.broken()?;
        put(count, u64::try_from(file.frames().0.len()).unwrap_or(u64::MAX))
    })
}

/// Value `number` of the file, from 1. The first call for a file is O(values), later calls are O(1).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_value(
    file: Option<&File>,
    number: u64,
    found: Option<&mut MaybeUninit<Value>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        let file = given(file)?;
        let piece = file.piece(number)?;
        let value = file.place(&piece).value();
        put(found, value.map_err(|failure| failure.in_frame(number))?)
    })
}

/// The name of setting `number` of a file of settings, from 1: a pointer into the file, and a length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_name(
    file: Option<&File>,
    number: u64,
    name: Option<&mut MaybeUninit<*const c_char>>,
    len: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        let none = Failure::new(VARIANT_ERROR_NOT_FOUND, "only settings have names");
        let found = given(file)?.piece(number)?.name.ok_or(none)?;
        put(name, found.as_ptr().cast())?;
        put(len, found.len())
    })
}

/// The value at a path, which has the syntax of variant_at and begins at the root of the first value of the file. The
/// path `frame 3: player.hp` begins at the root of value 3. In a file of settings the first step is the name of the
/// setting, such as `application/config/name`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_at(
    file: Option<&File>,
    path: *const c_char,
    found: Option<&mut MaybeUninit<Value>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises that a text ends with a NUL and does not change.
        let path = unsafe { text(path) }?;
        put(found, given(file)?.at(path)?.value()?)
    })
}

/// Validates every byte of every value against the limits and the profile in the options of the file. O(bytes).
/// `summary` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_validate(
    file: Option<&File>,
    summary: Option<&mut MaybeUninit<Summary>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        let file = given(file)?;
        let mut all = Summary::default();
        for piece in file.plain().pieces().map_while(std::result::Result::ok) {
            let place = file.place(&piece);
            let outcome = place.document.validate();
            let failure = |error| place.failure(error).in_frame(piece.number);
            all = all.and(outcome.map_err(failure)?);
        }
        file.broken()?;
        if let Some(summary) = summary {
            summary.write(all);
        }
        Ok(())
    })
}

/// Compresses and encrypts other bytes as this file is compressed and encrypted. `plain` must be the contents of a
/// whole file. The bytes are freed by variant_bytes_free. O(bytes).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_wrap(
    file: Option<&File>,
    plain: *const u8,
    len: usize,
    wrapped: Option<&mut MaybeUninit<Bytes>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises `len` bytes that do not change.
        let plain = unsafe { list(plain, len) }?;
        bytes::give(wrapped, given(file)?.source.wrap(plain)?)
    })
}

pub(crate) fn given<'a>(file: Option<&File>) -> Result<'a, &File> {
    file.ok_or(Failure::argument("the file is a null pointer"))
}
