//! [`Host`]: what the tools of a server share.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::debugger::Debugger;
use super::folders::Folders;
use crate::cli::{CommonArgs, McpArgs};
use crate::failure::Failure;

/// What the tools of a server share: the folders that are allowed, the options of the command line, and a running game.
#[derive(Debug)]
pub(super) struct Host {
    pub(super) folders: Folders,
    pub(super) common: CommonArgs,
    pub(super) debugger: Debugger,
    /// Whether tools may change a running game.
    pub(super) may_debug: bool,
    writing: Mutex<()>,
}

impl Host {
    pub(super) fn new(args: &McpArgs, common: &CommonArgs) -> Result<Self, Failure> {
        let folders = Folders::new(&args.allow, &args.allow_write)?;
        // A game may shorten its save while a tool reads it. The access to a mapped file would then end the server.
        let common = CommonArgs { no_mmap: true, quiet: false, ..common.clone() };
        let (debugger, may_debug) = (Debugger::default(), args.allow_debug);
        Ok(Self { folders, common, debugger, may_debug, writing: Mutex::default() })
    }

    /// Waits until no other call writes files. Of two calls with the same new file, the second then finds it.
    pub(super) fn writing(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
