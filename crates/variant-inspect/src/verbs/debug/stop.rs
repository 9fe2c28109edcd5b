//! [`Stop`]: whether the user or the system asks the command to end.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::failure::Failure;

/// Becomes true when the process gets SIGINT, SIGTERM or SIGHUP. Then the command lets the game run, writes its
/// outputs, and ends. A second signal ends the process at once.
#[derive(Clone, Debug, Default)]
pub(super) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Takes the signals of the process.
    pub(super) fn on_signal() -> io::Result<Self> {
        let stop = Self::default();
        #[cfg(unix)]
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // The order counts: the first signal sets the flag, and the second one finds it set.
            signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&stop.0))?;
            signal_hook::flag::register(signal, Arc::clone(&stop.0))?;
        }
        Ok(stop)
    }

    /// Works as [`Stop::on_signal`], with a failure for the user.
    pub(super) fn of_process() -> Result<Self, Failure> {
        Self::on_signal().map_err(|error| Failure::io(format!("signals: {error}")))
    }

    pub(super) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
