//! Decodes and encodes one value after another, with the same buffers.
//!
//! What is called for each packet takes and gives plain numbers: whatever else crosses between the module and JavaScript costs
//! more than to read a small packet.

use core::cell::RefCell;

use js_sys::Function;
use variant_owned::Writer;
use variant_view::{Document, Error, FeedError, Producer as _};
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

use crate::words::{Texts, WordWriter, Words};
use crate::{failure, options};

/// What a function returns that has failed; [`thrown`] has the error.
pub(crate) const FAILED: usize = usize::MAX;

thread_local! {
    static CODEC: RefCell<Codec> = RefCell::new(Codec::new());
}

/// The buffers.
#[derive(Debug)]
pub(crate) struct Codec {
    /// What is read: bytes of a document, or the texts and numbers of words. In words of 64 bits, so that numbers lie as they
    /// must for typed arrays.
    input: Vec<u64>,
    /// What is written as a value: words that JavaScript gave.
    given: Vec<u32>,
    /// What was read: words for JavaScript.
    words: Vec<u32>,
    texts: Texts,
    output: Vec<u8>,
    /// The number of bytes of the value that was read last.
    taken: usize,
    /// Takes words before their buffer is full: `(address, count) => void`.
    drain: Function,
    thrown: JsValue,
}

impl Codec {
    fn new() -> Self {
        Self {
            input: Vec::new(),
            given: Vec::new(),
            words: Vec::new(),
            texts: Texts::new(),
            output: Vec::new(),
            taken: 0,
            drain: JsValue::UNDEFINED.into(),
            thrown: JsValue::UNDEFINED,
        }
    }

    /// Reads the first `len` bytes of the input by `read`, which writes words and tells how many bytes it took; tells how many
    /// words there are.
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
                    // Texts that were told and not taken are told again.
                    if !codec.words.is_empty() {
                        codec.texts = Texts::new();
                    }
                    codec.throw(thrown)
                }
            }
        })
    }

    /// Tells the value of a document that is not in the input; tells how many words there are.
    #[cfg(feature = "files")]
    pub(crate) fn tell(document: &Document<'_>) -> Result<usize, FeedError<Error, JsValue>> {
        CODEC.with_borrow_mut(|codec| {
            let Self { words, texts, drain, .. } = codec;
            words.clear();
            document.feed(&mut WordWriter::new(document.bytes(), words, texts, drain))?;
            Ok(words.len())
        })
    }

    #[cold]
    fn throw(&mut self, thrown: JsValue) -> usize {
        self.thrown = thrown;
        FAILED
    }

    /// Makes one of its buffers as long as `count` items; tells its address.
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

/// Sets what takes words: `(address, count) => void`.
#[wasm_bindgen]
pub fn listen(drain: Function) {
    CODEC.with_borrow_mut(|codec| codec.drain = drain);
}

/// The error of the function that has failed last.
#[wasm_bindgen]
pub fn thrown() -> JsValue {
    CODEC.with_borrow_mut(|codec| core::mem::take(&mut codec.thrown))
}

/// Makes room for `len` bytes that are to be read; tells its address.
#[wasm_bindgen]
pub fn input(len: usize) -> usize {
    Codec::room(len.div_ceil(8), |codec| &mut codec.input)
}

/// Makes room for `count` words that are to be written as a value; tells its address.
#[wasm_bindgen]
pub fn given(count: usize) -> usize {
    Codec::room(count, |codec| &mut codec.given)
}

/// Reads the value at the front of the input's first `len` bytes; tells how many of its words have not been taken yet. They
/// are at [`words`].
#[wasm_bindgen]
pub fn decode(len: usize, dialect: u32, flags: u32, depth: u32, values: u32) -> usize {
    Codec::read(len, |bytes, writer| {
        let document = Document::new(bytes, options::read(dialect, flags, depth, values)?);
        // A pass of its own, so that an error is thrown before anything is told.
        let summary = document.validate().map_err(|error| failure::read(&document, &error))?;
        match document.feed(writer) {
            Ok(()) => Ok(summary.consumed),
            Err(FeedError::Producer(error)) => Err(failure::read(&document, &error)),
            Err(FeedError::Consumer(thrown)) => Err(thrown),
        }
    })
}

/// The number of bytes of the value that was read last.
#[wasm_bindgen]
#[must_use]
pub fn taken() -> usize {
    CODEC.with_borrow(|codec| codec.taken)
}

/// The address of the words that were read last.
#[wasm_bindgen]
#[must_use]
pub fn words() -> usize {
    CODEC.with_borrow(|codec| codec.words.as_ptr().addr())
}

/// Writes the value of the given words, whose texts and numbers are the input's first `len` bytes; tells how many bytes it
/// takes. They are at [`output`].
#[wasm_bindgen]
pub fn encode(len: usize, dialect: u32, flags: u32, depth: u32) -> usize {
    CODEC.with_borrow_mut(|codec| {
        let Codec { input, given, output, .. } = codec;
        let bytes = bytemuck::cast_slice(input).get(..len).unwrap_or_default();
        let written = options::write(dialect, flags, depth).and_then(|options| {
            output.clear();
            let mut writer = Writer::new(output, options);
            match Words::new(given, bytes).feed(&mut writer) {
                Ok(()) => writer.finish().map_err(|error| failure::write(&error)),
                Err(FeedError::Consumer(error)) => Err(failure::write(&error)),
                Err(FeedError::Producer(malformed)) => {
                    Err(JsError::new(&malformed.to_string()).into())
                }
            }
        });
        written.unwrap_or_else(|thrown| codec.throw(thrown))
    })
}

/// The address of what was written last.
#[wasm_bindgen]
#[must_use]
pub fn output() -> usize {
    CODEC.with_borrow(|codec| codec.output.as_ptr().addr())
}

/// Tells short texts anew: for when words were not taken to their end.
#[wasm_bindgen]
pub fn forget() {
    CODEC.with_borrow_mut(|codec| codec.texts = Texts::new());
}

/// Gives memory back that a large value took.
#[wasm_bindgen]
pub fn shrink() {
    CODEC.with_borrow_mut(|codec| {
        codec.input = Vec::new();
        codec.given = Vec::new();
        codec.output = Vec::new();
    });
}
