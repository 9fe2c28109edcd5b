//! Simulates servers of Godot 4's multiplayer with clients on a bad network. Prints the shortest failing script.
//!
//! ```text
//! cargo run --release -p variant-testkit --bin simulate -- --seeds 1000
//! cargo run --release -p variant-testkit --bin simulate -- --seeds 1 --first 77 --steps 400
//! cargo run --release -p variant-testkit --bin simulate -- --input fuzz/artifacts/server/crash-...
//! ```

use std::fmt::Display;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use std::{fs, panic};

use clap::Parser;
use variant_testkit::simulation::{Failure, Script};

/// Simulates servers and their clients. Each seed determines one simulation.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// The number of simulations.
    #[arg(long, default_value_t = 1_000)]
    seeds: u64,

    /// The first seed.
    #[arg(long, default_value_t = 1)]
    first: u64,

    /// The steps of each simulation.
    #[arg(long, default_value_t = 100)]
    steps: usize,

    /// An input of the fuzz target `server`, instead of the seeds.
    #[arg(long)]
    input: Option<PathBuf>,
}

fn main() -> io::Result<ExitCode> {
    let Arguments { seeds, first, steps, input } = Arguments::parse();
    let mut out = io::stdout();
    let started = Instant::now();
    // A failure is printed once, with its shortest script.
    panic::set_hook(Box::new(|_| {}));
    if let Some(path) = input {
        let script = Script::of_bytes(&fs::read(&path)?);
        return report(&script, &path.display());
    }
    for seed in first..first.saturating_add(seeds) {
        let ended = report(&Script::of_seed(seed, steps), &format_args!("seed {seed}"))?;
        if ended != ExitCode::SUCCESS {
            return Ok(ended);
        }
    }
    let all = u128::from(seeds).saturating_mul(u128::try_from(steps).unwrap_or(u128::MAX));
    writeln!(out, "{all} steps, {seeds} seeds, {:.1} s", started.elapsed().as_secs_f64())?;
    Ok(ExitCode::SUCCESS)
}

/// Runs a script. If a check fails, prints the shortest script that fails.
fn report(script: &Script, name: &dyn Display) -> io::Result<ExitCode> {
    let Err(Failure { script: shortest, message }) = script.check() else {
        return Ok(ExitCode::SUCCESS);
    };
    let mut out = io::stdout();
    writeln!(out, "{name}, {} of {} steps: {message}", shortest.len(), script.len())?;
    write!(out, "{shortest:?}")?;
    Ok(ExitCode::FAILURE)
}
