//! Prints generated documents with the verdicts of the decoder and of the reference
//! (`variant_testkit::verdicts`), for `docs/spec/check_independence.py`.
//!
//! ```text
//! cargo run --release -p variant-testkit --bin verdicts -- 1000000 > target/verdicts
//! ```

use std::io::{self, BufWriter, Write as _};

use clap::Parser;
use variant_testkit::verdicts::Generated;

/// Prints generated documents with the verdicts of the decoder and of the reference.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// The number of documents.
    documents: usize,

    /// The seed of the generators. It must not be 0.
    #[arg(long, default_value_t = 0x5eed)]
    seed: u64,
}

fn main() -> io::Result<()> {
    let Arguments { documents, seed } = Arguments::parse();
    let mut out = BufWriter::new(io::stdout().lock());
    for judged in Generated::new(seed.max(1)).take(documents) {
        writeln!(out, "{judged}")?;
    }
    out.flush()
}
