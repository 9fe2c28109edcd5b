//! [`Cursor`]: reads the parts of a packet. Each read checks that the packet has enough bytes for the part.

use crate::error::{Error, ErrorKind, Part};

/// Converts a 32-bit length to `usize`; saturates where `usize` is smaller.
pub(crate) fn size(length: u32) -> usize {
    usize::try_from(length).unwrap_or(usize::MAX)
}

/// Converts a size to 32 bits; saturates.
pub(crate) fn word(size: usize) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX)
}

/// The unread bytes of a packet, and the offset at which they end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    rest: &'a [u8],
    end: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor over `bytes`, which start at `offset` of the packet.
    pub(crate) const fn new(bytes: &'a [u8], offset: usize) -> Self {
        Self { rest: bytes, end: offset.wrapping_add(bytes.len()) }
    }

    /// The offset of the next byte.
    #[inline]
    pub(crate) const fn offset(&self) -> usize {
        // The subtraction does not underflow, because `rest` never grows.
        self.end.wrapping_sub(self.rest.len())
    }

    #[inline]
    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) const fn take_rest(&mut self) -> &'a [u8] {
        let rest = self.rest;
        self.rest = &[];
        rest
    }

    #[cold]
    pub(crate) fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.offset())
    }

    #[cold]
    fn truncated(&self, needed: usize, part: Part) -> Error {
        let (needed, available) = (word(needed), word(self.rest.len()));
        self.error(ErrorKind::Truncated { part, needed, available })
    }

    #[inline]
    pub(crate) fn take(&mut self, len: usize, part: Part) -> Result<&'a [u8], Error> {
        let Some((taken, rest)) = self.rest.split_at_checked(len) else {
            return Err(self.truncated(len, part));
        };
        self.rest = rest;
        Ok(taken)
    }

    #[inline]
    pub(crate) fn array<const N: usize>(&mut self, part: Part) -> Result<[u8; N], Error> {
        let Some((taken, rest)) = self.rest.split_first_chunk::<N>() else {
            return Err(self.truncated(N, part));
        };
        self.rest = rest;
        Ok(*taken)
    }

    #[inline]
    pub(crate) fn u8(&mut self, part: Part) -> Result<u8, Error> {
        self.array(part).map(u8::from_le_bytes)
    }

    #[inline]
    pub(crate) fn u16(&mut self, part: Part) -> Result<u16, Error> {
        self.array(part).map(u16::from_le_bytes)
    }

    #[inline]
    pub(crate) fn u32(&mut self, part: Part) -> Result<u32, Error> {
        self.array(part).map(u32::from_le_bytes)
    }

    #[inline]
    pub(crate) fn i32(&mut self, part: Part) -> Result<i32, Error> {
        self.array(part).map(i32::from_le_bytes)
    }

    #[inline]
    pub(crate) fn u64(&mut self, part: Part) -> Result<u64, Error> {
        self.array(part).map(u64::from_le_bytes)
    }

    /// The text of `bytes`, which start at the cursor.
    pub(crate) fn utf8(&self, bytes: &'a [u8], part: Part) -> Result<&'a str, Error> {
        std::str::from_utf8(bytes).map_err(|error| {
            let offset = self.offset().saturating_add(error.valid_up_to());
            Error::new(ErrorKind::InvalidText { part }, offset)
        })
    }

    /// The text up to a NUL or the end. The NUL is not read: it counts as a byte after the message.
    pub(crate) fn path(&mut self) -> Result<&'a str, Error> {
        let start = *self;
        let len = start.rest.iter().position(|&byte| byte == 0).unwrap_or(start.rest.len());
        let text = self.take(len, Part::Path)?;
        start.utf8(text, Part::Path)
    }

    /// The unread bytes, at least one.
    pub(crate) fn payload(&mut self) -> Result<&'a [u8], Error> {
        if self.rest.is_empty() {
            return Err(self.error(ErrorKind::Empty { part: Part::Payload }));
        }
        Ok(self.take_rest())
    }

    /// Checks that no bytes are left. Called for the packets in which engines refuse bytes after the last part.
    pub(crate) fn end(&self) -> Result<(), Error> {
        match self.rest {
            [] => Ok(()),
            more => Err(self.error(ErrorKind::Trailing { count: word(more.len()) })),
        }
    }
}
