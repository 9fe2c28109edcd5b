//! The arguments of the commands that sum up files.

use clap::Args;

use super::files::FilesArgs;

/// The arguments of `stats`.
#[derive(Args, Debug)]
pub struct StatsArgs {
    /// The files.
    #[command(flatten)]
    pub files: FilesArgs,

    /// Print paths of at most N steps.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub depth: u32,

    /// Print at most N paths of each container, and N of the longest texts and arrays.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub limit: usize,

    /// Print one JSON object on each line (docs/json.md).
    #[arg(long)]
    pub json: bool,
}

/// The arguments of `schema`.
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
#[derive(Args, Debug)]
pub struct SchemaArgs {
    /// The files.
    #[command(flatten)]
    pub files: FilesArgs,

    /// Print a JSON Schema of the output of `json --form plain`.
    #[arg(long, group = "form")]
    pub json_schema: bool,

    /// In the JSON Schema, allow numbers only from the least to the greatest of these files.
    #[arg(long, requires = "json_schema")]
    pub ranges: bool,

    /// Print Rust types that read and write the values byte for byte, for variant-serde.
    #[arg(long, group = "form")]
    pub rust: bool,

    /// Print GDScript classes that check the values, read them, and give them back.
    #[arg(long, group = "form")]
    pub gdscript: bool,

    /// Print TypeScript types of the values that the npm package decodes to plain objects.
    #[arg(long, group = "form")]
    pub typescript: bool,

    /// Print Python types of the values that the Python package decodes.
    #[arg(long, group = "form")]
    pub python: bool,

    /// Print a lock file: a line for each path and its kinds, for `check --lock`.
    #[arg(long, group = "form")]
    pub lock: bool,

    /// Print the keys and kinds that change from one file to the next and stay changed. Exit status 1 for changes. A
    /// key that appears and disappears is optional.
    #[arg(long, conflicts_with = "form")]
    pub drift: bool,

    /// Print one JSON object on each line (docs/json.md).
    #[arg(long, conflicts_with = "form")]
    pub json: bool,
}
