//! A copy of the workspace, in which source is changed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().and_then(Path::parent);
    crates.map(Path::to_owned).unwrap_or_default()
}

/// Copies the tracked files into a folder. `change` gets the path of each file in the workspace, and its bytes. Files
/// with the right bytes already are left alone, so that cargo builds only what has changed.
///
/// # Errors
/// git does not list the files, or a file cannot be read or written.
pub fn copy(to: &Path, change: impl Fn(&str, Vec<u8>) -> Vec<u8>) -> io::Result<()> {
    let list = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output()?;
    for name in list.stdout.split(|&byte| byte == 0).filter(|name| !name.is_empty()) {
        let name = str::from_utf8(name).map_err(io::Error::other)?;
        let (bytes, path) = (change(name, fs::read(root().join(name))?), to.join(name));
        if fs::read(&path).is_ok_and(|old| old == bytes) {
            continue;
        }
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(&path, bytes)?;
    }
    Ok(())
}
