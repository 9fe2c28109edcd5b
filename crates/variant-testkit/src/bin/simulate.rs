//! Simulates servers of Godot 4's multiplayer with clients on a bad network. Prints the shortest failing script.
//!
//! ```text
//! cargo run --release -p variant-testkit --bin simulate -- --seeds 1000
//! cargo run --release -p variant-testkit --bin simulate -- --seeds 1 --first 77 --steps 400
//! ```

use std::io::{self, Write as _};
use std::panic;
use std::process::ExitCode;
use std::time::Instant;

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
}

fn main() -> io::Result<ExitCode> {
    let Arguments { seeds, first, steps } = Arguments::parse();
    let mut out = io::stdout();
    let started = Instant::now();
    // A failure is printed once, with its shortest script.
    panic::set_hook(Box::new(|_| {}));
    for seed in first..first.saturating_add(seeds) {
        if let Err(Failure { script, message }) = Script::of_seed(seed, steps).check() {
            writeln!(out, "seed {seed}, {} of {steps} steps: {message}", script.len())?;
            write!(out, "{script:?}")?;
            return Ok(ExitCode::FAILURE);
        }
    }
    let all = u128::from(seeds).saturating_mul(u128::try_from(steps).unwrap_or(u128::MAX));
    writeln!(out, "{all} steps, {seeds} seeds, {:.1} s", started.elapsed().as_secs_f64())?;
    Ok(ExitCode::SUCCESS)
}
