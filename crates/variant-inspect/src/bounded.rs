//! A writer that ends.

use std::io::{self, Write};

/// Text of a bounded length: writing more is an error, so that a value of any size costs no more than that.
pub(crate) struct Bounded {
    text: Vec<u8>,
    most: usize,
}

impl Bounded {
    /// No text, and room for `most` bytes.
    pub(crate) const fn new(most: usize) -> Self {
        Self { text: Vec::new(), most }
    }

    /// The text.
    pub(crate) fn into_text(self) -> String {
        String::from_utf8(self.text)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.text.len().saturating_add(bytes.len()) > self.most {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
