//! [`run`]: gives a recursive function the stack that it needs.

use std::thread;

/// The stack that every thread is assumed to have, in bytes.
const STACK: usize = 512 << 10;

/// Runs a function that may need `bytes` of stack: on another thread if more than [`STACK`]. `None` if such a thread
/// cannot be started, or if the function panics there.
pub(super) fn run<T: Send>(bytes: usize, f: impl FnOnce() -> T + Send) -> Option<T> {
    if bytes <= STACK {
        return Some(f());
    }
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(bytes.saturating_add(STACK));
        thread.spawn_scoped(scope, f).ok()?.join().ok()
    })
}
