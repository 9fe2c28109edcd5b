//! [`Stop`]: whether the user or the system asks the command to end.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
#[cfg(unix)]
use signal_hook::iterator::Signals;

use crate::failure::Failure;
use crate::groups::Groups;
use crate::screen::Screen;

/// The status of a command that a second signal ends.
#[cfg(unix)]
const INTERRUPTED: i32 = 130;

/// Becomes true when the process gets SIGINT, SIGTERM or SIGHUP. Then the command ends in order: it lets a game run, and
/// writes its outputs. A second signal ends the process at once, with the groups that it has started.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop {
    is_asked: Arc<AtomicBool>,
    pub(crate) groups: Groups,
}

impl Stop {
    /// Takes the signals of the process.
    pub(crate) fn on_signal() -> io::Result<Self> {
        let stop = Self::default();
        #[cfg(unix)]
        {
            let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
            let stop = stop.clone();
            let thread = std::thread::Builder::new().name("signals".to_owned());
            // A thread, because the handler of a signal cannot take the lock of the groups.
            thread.spawn(move || {
                for _ in &mut signals {
                    if stop.is_asked.swap(true, Ordering::Relaxed) {
                        Screen::leave();
                        stop.groups.exit(INTERRUPTED);
                    }
                }
            })?;
        }
        Ok(stop)
    }

    /// Works as [`Stop::on_signal`], with a failure for the user.
    pub(crate) fn of_process() -> Result<Self, Failure> {
        Self::on_signal().map_err(|error| Failure::io(format!("signals: {error}")))
    }

    pub(crate) fn is_asked(&self) -> bool {
        self.is_asked.load(Ordering::Relaxed)
    }
}
