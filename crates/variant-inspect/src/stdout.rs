//! A standard output that was closed before the program started. Writes to it must fail.

use std::io::{self, Write};

/// Whether standard output was closed when the program started. A constructor checks this before the standard library
/// starts: the library replaces a closed output by a sink that accepts all writes.
pub(crate) fn was_closed() -> bool {
    #[cfg(unix)]
    return early::WAS_CLOSED.load(std::sync::atomic::Ordering::Relaxed);
    #[cfg(not(unix))]
    return false;
}

#[cfg(unix)]
mod early {
    use std::sync::atomic::{AtomicBool, Ordering};

    pub(super) static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

    ctor::declarative::ctor! {
        #[ctor(unsafe)]
        fn look() {
            let stdout = rustix::stdio::stdout();
            WAS_CLOSED.store(rustix::io::fcntl_getfd(stdout).is_err(), Ordering::Relaxed);
        }
    }
}

#[derive(Debug)]
pub(crate) struct Closed;

impl Write for Closed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() { Ok(0) } else { Err(io::Error::other("standard output is closed")) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
