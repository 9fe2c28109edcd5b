//! The program `variant-sql`: SQL over saves.

mod arguments;
mod failure;
mod output;
mod query;

use std::io::{Write as _, stderr};
use std::process::ExitCode;

use clap::Parser as _;
use tokio::runtime::Builder;
use variant_document::escape::neutral_lines;

use arguments::Arguments;
use failure::{Failure, Status};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut runtime = Builder::new_multi_thread();
    if let Some(jobs) = arguments.jobs {
        runtime.worker_threads(jobs.get());
    }
    let runtime =
        runtime.enable_all().build().map_err(|error| Failure::new(Status::Io, error.to_string()));
    match runtime.and_then(|runtime| runtime.block_on(query::run(&arguments))) {
        Ok(told) => {
            // An error of printing is ignored, since the result is written. The text is escaped, since it may contain
            // names of files.
            let _ = writeln!(stderr(), "{}", neutral_lines(&told));
            ExitCode::SUCCESS
        }
        Err(failure) => {
            if let Some(message) = failure.message() {
                let _ = writeln!(stderr(), "variant-sql: {}", neutral_lines(message));
            }
            ExitCode::from(failure.status().code())
        }
    }
}
