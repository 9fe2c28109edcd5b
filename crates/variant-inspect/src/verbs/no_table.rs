//! `table` in a program without the feature `table`.

use crate::cli::TableArgs;
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;

pub(crate) fn run(_: &TableArgs, _: &mut Terminal<'_>) -> Result<Status, Failure> {
    let how = "cargo install --path crates/variant-inspect --features table";
    Err(Failure::usage(format!("this program was built without tables; {how}")))
}
