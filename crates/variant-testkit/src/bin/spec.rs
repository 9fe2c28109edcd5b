//! Updates the generated files of docs/spec and the dictionary of the fuzz targets.
//!
//! ```text
//! cargo run -p variant-testkit --bin spec
//! ```

use std::fs;
use std::io;
use std::thread;

use variant_testkit::spec;

fn main() -> io::Result<()> {
    // A large stack is needed: records are nested thousands of levels deep.
    let work = thread::Builder::new().stack_size(1 << 30).spawn(run)?;
    work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn run() -> io::Result<()> {
    for file in spec::files()?.iter().filter(|file| !file.is_current()) {
        fs::write(file.path(), &file.content)?;
        println!("docs/spec/{}: {} bytes", file.name, file.content.len());
    }
    Ok(())
}
