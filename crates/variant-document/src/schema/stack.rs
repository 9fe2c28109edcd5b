//! [`run`]: gives a recursive function the stack that it needs.

use std::thread;

/// The stack that every thread is assumed to have, in bytes.
const STACK: usize = 512 << 10;

/// Runs a function that may need `bytes` of stack: on another thread if more than [`STACK`]. `None` if such a thread
/// cannot be started.
pub(super) fn run<T: Send>(bytes: usize, f: impl FnOnce() -> T + Send) -> Option<T> {
    if bytes <= STACK {
        return Some(f());
    }
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(bytes.saturating_add(STACK));
        let done = thread.spawn_scoped(scope, f).ok()?.join();
        Some(done.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}
