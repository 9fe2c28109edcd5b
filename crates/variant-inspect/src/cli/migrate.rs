//! The arguments of `migrate`.

use std::path::PathBuf;

use clap::Args;

use super::change::ChangeArgs;
use super::files::FilesArgs;

/// The arguments of `migrate`.
#[derive(Args, Debug)]
pub struct MigrateArgs {
    /// File of steps, in TOML (docs/migrate.md).
    pub steps: PathBuf,

    /// Files to migrate, or patterns such as 'saves/*.dat'; the old files are kept as FILE~.
    #[arg(required_unless_present = "test", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Also migrate the files of folders.
    #[arg(short, long)]
    pub recursive: bool,

    /// Number of threads, at most 4 per core; 0 for one per core. The output does not depend on it.
    #[arg(short, long, value_name = "N", default_value_t)]
    pub jobs: u16,

    /// Migrate the files of this folder in memory, check each result, print the changes, and write nothing.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["files", "output", "in_place", "dry_run"])]
    pub test: Option<PathBuf>,

    /// Print one JSON object for each file (docs/json.md).
    #[arg(long)]
    pub json: bool,

    /// The output.
    #[command(flatten)]
    pub change: ChangeArgs,
}

impl MigrateArgs {
    /// The files to migrate: those of the folder of `--test`, or the named files.
    pub(crate) fn files(&self) -> FilesArgs {
        let (files, recursive) = match &self.test {
            Some(folder) => (vec![folder.clone()], true),
            None => (self.files.clone(), self.recursive),
        };
        FilesArgs { files, recursive, jobs: self.jobs }
    }
}
