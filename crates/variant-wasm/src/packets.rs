//! Reads and writes whole values of packets.

use variant_owned::Writer;
use variant_view::{Document, FeedError, Producer as _};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::codec::Codec;
use crate::words::Words;
use crate::{failure, options};

/// Reads the value at the start of the input's first `len` bytes. Returns the number of words that JavaScript has not
/// taken yet. The words are at [`words`](crate::codec::words).
#[wasm_bindgen]
pub fn decode(len: usize, dialect: u32, flags: u32, depth: u32, values: u32) -> usize {
    Codec::read(len, |bytes, writer| {
        let document = Document::new(bytes, options::read(dialect, flags, depth, values)?);
        // The packet is validated in a separate pass, so that an error is thrown before words are written.
        let summary = document.validate().map_err(|error| failure::read(&document, &error))?;
        match document.feed(writer) {
            Ok(()) => Ok(summary.consumed),
            Err(FeedError::Producer(error)) => Err(failure::read(&document, &error)),
            Err(FeedError::Consumer(thrown)) => Err(thrown),
        }
    })
}

/// The number of bytes of the last value that was read.
#[wasm_bindgen]
#[must_use]
pub fn taken() -> usize {
    Codec::look(|codec| codec.taken)
}

/// Encodes the value of the given words. The texts and numbers of the words are in the input's first `len` bytes.
/// Returns the number of bytes at [`output`].
#[wasm_bindgen]
pub fn encode(len: usize, dialect: u32, flags: u32, depth: u32) -> usize {
    Codec::write(len, |words, bytes, output| {
        let options = options::write(dialect, flags, depth)?;
        let words = Words::new(words, bytes, options.dialect);
        let mut writer = Writer::new(output, options);
        match words.feed(&mut writer) {
            Ok(()) => writer.finish().map_err(|error| failure::write(&error)),
            Err(FeedError::Consumer(error)) => Err(failure::write(&error)),
            Err(FeedError::Producer(malformed)) => Err(JsError::from(malformed).into()),
        }
    })
}

/// The address of the bytes that were written last.
#[wasm_bindgen]
#[must_use]
pub fn output() -> usize {
    Codec::look(|codec| codec.output.as_ptr().addr())
}
