//! The module of the npm package `@variant-view/wasm`: what `js/` calls, and nothing that people call themselves.
//!
//! Bytes come in through [`Codec::input`], a buffer of the module that JavaScript fills. Values go out and come in as
//! [`words`].

#![forbid(unsafe_code)]

mod failure;
#[cfg(feature = "files")]
mod file;
#[cfg(feature = "files")]
mod object;
mod options;
mod words;

use js_sys::Function;
use variant_owned::Writer;
use variant_view::{Document, FeedError, Kind, Producer as _};
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

use self::words::{Texts, WordWriter, Words};

/// The names of the kinds, in the order of their numbers in words, separated by spaces.
#[wasm_bindgen]
#[must_use]
pub fn kinds() -> String {
    Kind::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" ")
}

/// The names of the dialects, in the order of their numbers in options, separated by spaces.
#[wasm_bindgen]
#[must_use]
pub fn dialects() -> String {
    options::names()
}

/// Decodes and encodes one value after another, with the same buffers.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Codec {
    /// What is read: bytes of a document, or the texts and numbers of words. In words of 64 bits, so that numbers lie as they
    /// must for typed arrays.
    input: Vec<u64>,
    /// The length of what is read in bytes.
    len: usize,
    words: Vec<u32>,
    texts: Texts,
    output: Vec<u8>,
    /// Takes words before their buffer is full: `(address, count) => void`.
    drain: Function,
}

#[wasm_bindgen]
impl Codec {
    /// `drain` takes words: `(address, count) => void`.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(drain: Function) -> Self {
        let (input, words, output) = (Vec::new(), Vec::new(), Vec::new());
        Self { input, len: 0, words, texts: Texts::new(), output, drain }
    }

    /// Room for `len` bytes that are to be read; its address.
    ///
    /// # Errors
    /// The module's memory has 4 GiB at most.
    pub fn input(&mut self, len: usize) -> Result<usize, JsValue> {
        self.len = 0;
        let address = room(&mut self.input, len.div_ceil(8))?;
        self.len = len;
        Ok(address)
    }

    /// Room for `count` words that are to be read; its address.
    ///
    /// # Errors
    /// As [`Codec::input`].
    pub fn words(&mut self, count: usize) -> Result<usize, JsValue> {
        room(&mut self.words, count)
    }

    /// Reads the value at the front of the input; tells how many bytes it takes. Its last words are
    /// [`Codec::left`] at [`Codec::words_left`].
    ///
    /// # Errors
    /// A `VariantError`: the first error of the bytes.
    pub fn decode(
        &mut self,
        dialect: u32,
        flags: u32,
        depth: u32,
        values: u32,
    ) -> Result<usize, JsValue> {
        self.words.clear();
        let options = options::read(dialect, flags, depth, values)?;
        let bytes = bytemuck::cast_slice(&self.input).get(..self.len).unwrap_or_default();
        let document = Document::new(bytes, options);
        // A pass of its own, so that an error is thrown before anything is told.
        let summary = document.validate().map_err(|error| failure::read(&document, &error))?;
        let mut writer = WordWriter::new(bytes, &mut self.words, &mut self.texts, &self.drain);
        match document.feed(&mut writer) {
            Ok(()) => Ok(summary.consumed),
            Err(FeedError::Producer(error)) => Err(failure::read(&document, &error)),
            Err(FeedError::Consumer(thrown)) => Err(thrown),
        }
    }

    /// How many words of the value read last were not taken yet.
    #[must_use]
    pub fn left(&self) -> usize {
        self.words.len()
    }

    /// The address of the words that were not taken yet.
    #[must_use]
    pub fn words_left(&self) -> *const u32 {
        self.words.as_ptr()
    }

    /// Writes the value of the words; tells how many bytes it takes. They are at [`Codec::output`].
    ///
    /// # Errors
    /// A `VariantError`: the first value that the dialect cannot hold.
    pub fn encode(&mut self, dialect: u32, flags: u32, depth: u32) -> Result<usize, JsValue> {
        let options = options::write(dialect, flags, depth)?;
        let bytes = bytemuck::cast_slice(&self.input).get(..self.len).unwrap_or_default();
        self.output.clear();
        let mut writer = Writer::new(&mut self.output, options);
        match Words::new(&self.words, bytes).feed(&mut writer) {
            Ok(()) => writer.finish().map_err(|error| failure::write(&error)),
            Err(FeedError::Consumer(error)) => Err(failure::write(&error)),
            Err(FeedError::Producer(malformed)) => Err(JsError::new(&malformed.to_string()).into()),
        }
    }

    /// The address of what was written last.
    pub fn output(&self) -> *const u8 {
        self.output.as_ptr()
    }

    /// Tells short texts anew: for when words were told and not taken.
    pub fn forget(&mut self) {
        self.texts = Texts::new();
    }

    /// Gives memory back that a large value took.
    pub fn shrink(&mut self) {
        self.len = 0;
        self.input = Vec::new();
        self.words = Vec::new();
        self.output = Vec::new();
    }
}

#[cfg(feature = "files")]
impl Codec {
    /// Tells a value of a file, which starts at byte `start` of it. Its last words are left, as of [`Codec::decode`].
    pub(crate) fn tell(&mut self, document: &Document<'_>, start: usize) -> Result<(), JsValue> {
        self.words.clear();
        let bytes = document.bytes();
        let mut writer = WordWriter::new(bytes, &mut self.words, &mut self.texts, &self.drain);
        document.feed(&mut writer).map_err(|error| match error {
            FeedError::Producer(error) => failure::damaged(document, &error, start, 0),
            FeedError::Consumer(thrown) => thrown,
        })
    }
}

/// Makes a buffer of `count` items; tells its address.
fn room<T: Default + Clone>(buffer: &mut Vec<T>, count: usize) -> Result<usize, JsValue> {
    let more = count.saturating_sub(buffer.len());
    buffer.try_reserve(more).map_err(|_| JsError::new("too large for the module's memory"))?;
    buffer.resize(count, T::default());
    Ok(buffer.as_ptr().addr())
}
