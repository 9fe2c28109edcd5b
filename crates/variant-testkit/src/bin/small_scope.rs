//! Compares the decoder with the reference on all documents of a small scope (`variant_testkit::small_scope`).
//!
//! ```text
//! cargo run --release -p variant-testkit --bin small-scope
//! cargo run --release -p variant-testkit --bin small-scope -- --step 101 godot4
//! ```

use std::io::{self, Write as _};
use std::time::Instant;

use clap::Parser;
use variant_testkit::small_scope::{Documents, Part, compare};
use variant_view::Dialect;

/// Compares the decoder with the reference on all documents of a small scope. Stops at the first difference.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// Compares only each document whose index is a multiple of this number.
    #[arg(long, default_value_t = 1)]
    step: usize,

    /// The dialects; all if none is named.
    dialects: Vec<Dialect>,
}

fn main() -> io::Result<()> {
    let Arguments { step, mut dialects } = Arguments::parse();
    let mut out = io::stdout();
    if dialects.is_empty() {
        dialects = Dialect::ALL.to_vec();
    }
    for dialect in dialects {
        for part in Part::ALL {
            let (of, started) = (Documents::new(dialect, part).len(), Instant::now());
            let compared = compare(dialect, part, 0, step.max(1));
            let (documents, cases) = (compared.documents, compared.cases);
            let seconds = started.elapsed().as_secs_f64();
            writeln!(
                out,
                "{dialect} {part:?}: {documents} of {of} documents, {cases} cases, {seconds:.1} s"
            )?;
        }
    }
    Ok(())
}
