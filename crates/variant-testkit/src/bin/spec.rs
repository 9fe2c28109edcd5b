//! Writes the generated files of docs/spec, or compares them.
//!
//! ```text
//! cargo run -p variant-testkit --bin spec
//! cargo run -p variant-testkit --bin spec -- --check
//! ```

use std::fs;
use std::io;
use std::process::ExitCode;
use std::thread;

use clap::Parser;
use variant_testkit::spec;

/// Writes the generated files of docs/spec.
///
/// They are dialects.json, variant.ksy, variant.hexpat, variant.lua, and the records below conformance.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// Write nothing; name the files that are not current, and exit with status 1 if there are any.
    #[arg(long)]
    check: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // Records nest thousands of levels deep.
    let work = thread::Builder::new().stack_size(1 << 30).spawn(move || run(&arguments));
    match work.map(thread::JoinHandle::join) {
        Ok(Ok(Ok(true))) => ExitCode::SUCCESS,
        Ok(Ok(Ok(false))) => ExitCode::FAILURE,
        Ok(Ok(Err(error))) | Err(error) => {
            eprintln!("spec: {error}");
            ExitCode::from(3)
        }
        Ok(Err(_)) => ExitCode::from(101),
    }
}

/// Returns whether every file is current in the end.
fn run(arguments: &Arguments) -> io::Result<bool> {
    let mut are_current = true;
    for file in spec::files()? {
        if file.is_current() {
            continue;
        }
        if arguments.check {
            eprintln!(
                "docs/spec/{} is not current: cargo run -p variant-testkit --bin spec",
                file.name
            );
            are_current = false;
        } else {
            let path = file.path();
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(path, &file.content)?;
            println!("docs/spec/{}: {} bytes", file.name, file.content.len());
        }
    }
    Ok(are_current)
}
