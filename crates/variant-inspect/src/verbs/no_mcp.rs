//! `mcp` in a program without the feature `mcp`.

use crate::cli::McpArgs;
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;

pub(crate) fn run(_: &McpArgs, _: &mut Terminal<'_>) -> Result<Status, Failure> {
    let how = "cargo install --path crates/variant-inspect --features mcp";
    Err(Failure::usage(format!("this program was built without the server for agents; {how}")))
}
