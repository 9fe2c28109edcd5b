//! [`Groups`]: the groups of processes that the command has started.

use std::io;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The groups of processes that end with the command. A clone has the same groups.
///
/// The program of a group may be a wrapper, which starts the game. In one group, they end together. Ctrl-C does not reach
/// such a group: the command gets the signal, and ends the group.
#[derive(Clone, Debug, Default)]
pub(crate) struct Groups(Arc<Mutex<Vec<u32>>>);

impl Groups {
    fn lock(&self) -> MutexGuard<'_, Vec<u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a program in a new group.
    pub(crate) fn start(&self, command: &mut Command) -> io::Result<Child> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        // Locked until the group is known: a signal meanwhile would leave the program running.
        let mut ids = self.lock();
        let process = command.spawn()?;
        ids.push(process.id());
        Ok(process)
    }

    /// Leaves the group of a process running.
    pub(crate) fn leave(&self, process: &Child) {
        self.lock().retain(|id| *id != process.id());
    }

    /// Ends the group of a process. Nobody has waited for the process, so that its id is not that of another group.
    pub(crate) fn end(&self, process: &Child) {
        let mut ids = self.lock();
        end(process.id());
        // Later, the id may be that of another group.
        ids.retain(|id| *id != process.id());
    }

    /// Ends all groups, and this process, without a further step of it: no group is started meanwhile.
    #[cfg(unix)]
    pub(crate) fn exit(&self, status: i32) -> ! {
        let ids = self.lock();
        ids.iter().copied().for_each(end);
        signal_hook::low_level::exit(status)
    }
}

/// Ends the processes of a group.
fn end(id: u32) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        let group = i32::try_from(id).ok().and_then(Pid::from_raw);
        // The group may have ended meanwhile.
        let _ = group.map(|group| kill_process_group(group, Signal::KILL));
    }
    #[cfg(not(unix))]
    let _ = id;
}
