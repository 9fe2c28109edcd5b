//! The buffers for values between the module and JavaScript. They are reused for all values.
//!
//! Functions that are called for each packet take and return plain numbers. Other types between the module and
//! JavaScript would cost more than reading a small packet.

use core::cell::RefCell;

use js_sys::Function;
#[cfg(feature = "files")]
use variant_owned::Variant;
#[cfg(feature = "files")]
use variant_view::{Dialect, Document, Error, FeedError, Producer as _};
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

#[cfg(feature = "files")]
use crate::dense::Dense;
#[cfg(feature = "files")]
use crate::words::Words;
use crate::words::{Texts, WordWriter};

/// The return value of a function that has failed; [`thrown`] returns the error.
pub(crate) const FAILED: usize = usize::MAX;

thread_local! {
    static CODEC: RefCell<Codec> = RefCell::new(Codec::new());
}

#[derive(Debug)]
pub(crate) struct Codec {
    /// The bytes to read: a document, or the texts and numbers to which the words in `given` refer. The buffer consists
    /// of 64-bit words, so that numbers in it are aligned for typed arrays.
    input: Vec<u64>,
    /// The bytes of a value of a file, if they are not aligned in the file.
    #[cfg(feature = "files")]
    copy: Vec<u64>,
    /// The words from JavaScript, which are written as a value.
    given: Vec<u32>,
    /// The words of the value that was read, for JavaScript.
    words: Vec<u32>,
    texts: Texts,
    pub(crate) output: Vec<u8>,
    /// The number of bytes of the last value that was read.
    pub(crate) taken: usize,
    /// The function of JavaScript that takes the words whenever their buffer is full: `(address, count) => void`.
    drain: Function,
    thrown: JsValue,
}

impl Codec {
    fn new() -> Self {
        Self {
            input: Vec::new(),
            #[cfg(feature = "files")]
            copy: Vec::new(),
            given: Vec::new(),
            words: Vec::new(),
            texts: Texts::new(),
            output: Vec::new(),
            taken: 0,
            drain: JsValue::UNDEFINED.into(),
            thrown: JsValue::UNDEFINED,
        }
    }

    /// Reads the first `len` bytes of the input by `read`, which writes words and returns the number of bytes read.
    /// Returns the number of words.
    #[cfg(feature = "packets")]
    pub(crate) fn read(
        len: usize,
        read: impl FnOnce(&[u8], &mut WordWriter<'_>) -> Result<usize, JsValue>,
    ) -> usize {
        CODEC.with_borrow_mut(|codec| {
            codec.words.clear();
            let bytes = bytemuck::cast_slice(&codec.input).get(..len).unwrap_or_default();
            let mut writer =
                WordWriter::new(bytes, &mut codec.words, &mut codec.texts, &codec.drain);
            match read(bytes, &mut writer) {
                Ok(taken) => {
                    codec.taken = taken;
                    codec.words.len()
                }
                Err(thrown) => {
                    // JavaScript did not take all words. The texts in these words must be written in full again.
                    if !codec.words.is_empty() {
                        codec.texts = Texts::new();
                    }
                    codec.throw(thrown)
                }
            }
        })
    }

    /// Writes the value of a document as words. Returns the number of words. The document's bytes are copied if they are not
    /// aligned.
    #[cfg(feature = "files")]
    pub(crate) fn tell(document: &Document<'_>) -> Result<usize, FeedError<Error, JsValue>> {
        CODEC.with_borrow_mut(|codec| {
            let Self { copy, words, texts, drain, .. } = codec;
            words.clear();
            let bytes = aligned(document.bytes(), copy).map_err(FeedError::Consumer)?;
            let mut writer = WordWriter::new(bytes, words, texts, drain);
            Dense(Document::new(bytes, *document.options())).feed(&mut writer)?;
            Ok(words.len())
        })
    }

    /// Calls `write` with the given words and the first `len` bytes of the input, which contain the texts and numbers
    /// of the words. Returns the number of bytes in the output.
    #[cfg(feature = "packets")]
    pub(crate) fn write(
        len: usize,
        write: impl FnOnce(&[u32], &[u8], &mut Vec<u8>) -> Result<usize, JsValue>,
    ) -> usize {
        CODEC.with_borrow_mut(|codec| {
            let Self { input, given, output, .. } = codec;
            let bytes = bytemuck::cast_slice(input).get(..len).unwrap_or_default();
            output.clear();
            write(given, bytes, output).unwrap_or_else(|thrown| codec.throw(thrown))
        })
    }

    /// The value of the given words. The texts and numbers of the words are in the first `len` bytes of the input.
    #[cfg(feature = "files")]
    pub(crate) fn given(len: usize, dialect: Dialect) -> Result<Variant, JsValue> {
        CODEC.with_borrow(|codec| {
            let bytes = bytemuck::cast_slice(&codec.input).get(..len).unwrap_or_default();
            let value = Variant::from_producer(Words::new(&codec.given, bytes, dialect));
            value.map_err(|malformed| JsError::from(malformed).into())
        })
    }

    /// Calls `look` with the buffers.
    #[cfg(feature = "packets")]
    pub(crate) fn look<T>(look: impl FnOnce(&Self) -> T) -> T {
        CODEC.with_borrow(look)
    }

    #[cold]
    fn throw(&mut self, thrown: JsValue) -> usize {
        self.thrown = thrown;
        FAILED
    }

    /// Extends a buffer to at least `count` items. Returns the address of the buffer.
    fn room<T: Default + Clone>(count: usize, buffer: impl Fn(&mut Self) -> &mut Vec<T>) -> usize {
        CODEC.with_borrow_mut(|codec| {
            let room = buffer(codec);
            let more = count.saturating_sub(room.len());
            if room.try_reserve(more).is_err() {
                return codec.throw(JsError::new("too large for the module's memory").into());
            }
            room.resize(count, T::default());
            room.as_ptr().addr()
        })
    }
}

/// Returns the bytes, aligned for typed arrays. They are copied to `copy`, unless they are aligned already.
#[cfg(feature = "files")]
fn aligned<'b>(bytes: &'b [u8], copy: &'b mut Vec<u64>) -> Result<&'b [u8], JsValue> {
    // Frees the memory of the last value.
    *copy = Vec::new();
    if bytes.as_ptr().addr().is_multiple_of(4) {
        return Ok(bytes);
    }
    let len = bytes.len().div_ceil(8);
    if copy.try_reserve_exact(len).is_err() {
        return Err(crate::failure::plain(
            "limit",
            "the value is too large for the module's memory",
        ));
    }
    copy.resize(len, 0);
    let room = bytemuck::cast_slice_mut(copy).get_mut(..bytes.len()).unwrap_or_default();
    room.copy_from_slice(bytes);
    Ok(room)
}

/// Sets the function that takes words: `(address, count) => void`.
#[wasm_bindgen]
pub fn listen(drain: Function) {
    CODEC.with_borrow_mut(|codec| codec.drain = drain);
}

/// The error of the last function that failed.
#[wasm_bindgen]
pub fn thrown() -> JsValue {
    CODEC.with_borrow_mut(|codec| core::mem::take(&mut codec.thrown))
}

/// Makes room for `len` bytes to read. Returns the address of the room.
#[wasm_bindgen]
pub fn input(len: usize) -> usize {
    Codec::room(len.div_ceil(8), |codec| &mut codec.input)
}

/// Makes room for `count` words of a value to write. Returns the address of the room.
#[wasm_bindgen]
pub fn given(count: usize) -> usize {
    Codec::room(count, |codec| &mut codec.given)
}

/// The address of the words that were read last.
#[wasm_bindgen]
#[must_use]
pub fn words() -> usize {
    CODEC.with_borrow(|codec| codec.words.as_ptr().addr())
}

/// Forgets which short texts JavaScript knows. Called if JavaScript did not take all words.
#[wasm_bindgen]
pub fn forget() {
    CODEC.with_borrow_mut(|codec| codec.texts = Texts::new());
}

/// Frees the buffers, which are large after a large value.
#[wasm_bindgen]
pub fn shrink() {
    CODEC.with_borrow_mut(|codec| {
        codec.input = Vec::new();
        codec.given = Vec::new();
        codec.output = Vec::new();
    });
}
