//! [`Host`]: what the tools of a server share.

use super::folders::Folders;
use crate::cli::{CommonArgs, McpArgs};
use crate::failure::Failure;

/// What the tools of a server share: the folders that are allowed, and the options of the command line.
#[derive(Debug)]
pub(super) struct Host {
    pub(super) folders: Folders,
    pub(super) common: CommonArgs,
}

impl Host {
    pub(super) fn new(args: &McpArgs, common: &CommonArgs) -> Result<Self, Failure> {
        let folders = Folders::new(&args.allow, &args.allow_write)?;
        // A game may shorten its save while a tool reads it. The access to a mapped file would then end the server.
        let common = CommonArgs { no_mmap: true, quiet: false, ..common.clone() };
        Ok(Self { folders, common })
    }
}
