//! [`Home`]: the folders in which a game runs, instead of those of the user.

use std::path::PathBuf;
use std::process::Command;

/// The folders of a game.
#[derive(Clone, Debug)]
pub(crate) struct Home {
    /// The working folder.
    pub(crate) working: PathBuf,
    /// The folder instead of the user's own.
    pub(crate) folder: PathBuf,
}

/// The variables from which programs and engines know the user's folders, and the folders below [`Home::folder`].
const VARIABLES: [(&str, &str); 7] = [
    ("HOME", ""),
    ("XDG_DATA_HOME", DATA),
    ("XDG_CONFIG_HOME", ".config"),
    ("XDG_CACHE_HOME", ".cache"),
    ("USERPROFILE", ""),
    ("APPDATA", DATA),
    ("LOCALAPPDATA", "AppData/Local"),
];

/// The folder of user data below the user's folder.
const DATA: &str = if cfg!(windows) {
    "AppData/Roaming"
} else if cfg!(target_os = "macos") {
    "Library/Application Support"
} else {
    ".local/share"
};

impl Home {
    /// The folder of user data. `user://` of an engine is below it.
    pub(crate) fn data(&self) -> PathBuf {
        self.folder.join(DATA)
    }

    pub(super) fn put(&self, command: &mut Command) {
        command.current_dir(&self.working);
        for (name, below) in VARIABLES {
            command.env(name, self.folder.join(below));
        }
    }
}
