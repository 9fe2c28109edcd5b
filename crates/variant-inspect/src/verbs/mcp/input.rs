//! [`Input`]: the requests of a client, with a limit on the length of each.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};

/// The maximum number of bytes of a request. The reader keeps a request in memory until its end.
pub(super) const BYTES: usize = 4 << 20;

/// The requests of a client, one a line. Ends before a request that is too long.
#[derive(Debug)]
pub(super) struct Input<R> {
    inner: R,
    /// The number of bytes since the last line end.
    line: usize,
    /// Whether a request was too long.
    is_over: Arc<AtomicBool>,
}

impl<R> Input<R> {
    pub(super) const fn new(inner: R, is_over: Arc<AtomicBool>) -> Self {
        Self { inner, line: 0, is_over }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Input<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(context, buffer))?;
        let read = buffer.filled().get(before..).unwrap_or_default();
        let since_line_end = read.iter().rev().position(|byte| *byte == b'\n');
        self.line = since_line_end.unwrap_or_else(|| self.line.saturating_add(read.len()));
        if self.line > BYTES {
            self.is_over.store(true, Ordering::Relaxed);
            buffer.set_filled(before);
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt as _;
    use tokio::runtime::Builder;

    use super::*;

    /// The number of bytes that are read, and whether a line was too long.
    fn read(text: &[u8]) -> (usize, bool) {
        let is_over = Arc::new(AtomicBool::new(false));
        let mut input = Input::new(text, Arc::clone(&is_over));
        let runtime = Builder::new_current_thread().build().unwrap();
        let mut all = Vec::new();
        runtime.block_on(input.read_to_end(&mut all)).unwrap();
        (all.len(), is_over.load(Ordering::Relaxed))
    }

    #[test]
    fn lines_of_any_number_are_read_up_to_a_length() {
        let line = [vec![b'a'; BYTES], vec![b'\n']].concat();
        let three = line.repeat(3);
        assert_eq!(read(&three), (three.len(), false));
        let (len, is_over) = read(&[vec![b'a'; BYTES].repeat(3), line].concat());
        assert!(is_over);
        assert!(len <= BYTES, "{len}");
    }
}
