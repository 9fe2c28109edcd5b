//! Writes many saves that resemble those of games.
//!
//! ```text
//! cargo run --release -p variant-testkit --bin saves -- 20000 FOLDER
//! cargo run --release -p variant-testkit --bin saves -- 1000 FOLDER --bytes 200000 --damaged 100
//! ```

use std::io;
use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::Parser;
use variant_testkit::saves::{BYTES, Saves};
use variant_view::Dialect;

/// Writes saves such as games write, at most 256 in a folder. Each run writes the same saves.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// The number of saves.
    count: u64,

    /// The folder for the saves.
    folder: PathBuf,

    /// The size of each save in bytes.
    #[arg(long, default_value_t = BYTES)]
    bytes: usize,

    /// The dialect of the saves.
    #[arg(long, default_value = "godot4")]
    dialect: Dialect,

    /// Cut one save in EVERY short.
    #[arg(long, value_name = "EVERY")]
    damaged: Option<NonZeroU64>,
}

fn main() -> io::Result<()> {
    let Arguments { count, folder, bytes, dialect, damaged } = Arguments::parse();
    let written = Saves { count, bytes, dialect, damaged }.write_into(&folder)?;
    println!("{count} saves, {written} bytes");
    Ok(())
}
