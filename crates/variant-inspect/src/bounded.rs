//! A writer with a length limit.

use std::io::{self, Write};

/// Text of a bounded length. Writing more is an error, which bounds the cost for a value of any size.
pub(crate) struct Bounded {
    text: Vec<u8>,
    most: usize,
}

impl Bounded {
    /// An empty text with room for `most` bytes.
    pub(crate) const fn new(most: usize) -> Self {
        Self { text: Vec::new(), most }
    }

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
