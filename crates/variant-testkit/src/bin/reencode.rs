//! Decodes the values of files, encodes them again, and compares the bytes.
//!
//! ```text
//! cargo run --release -p variant-testkit --bin reencode -- [--dialect godot4] [--canonical] FILE...
//! ```
//!
//! A difference in bytes that `variant-inspect check --all` does not name is a fault of the encoder.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use variant_io::{Fit, Framing, OpenOptions, open};
use variant_owned::{EncodeOptions, Variant, Widths, encode};
use variant_view::{Dialect, Document, Limits, Options};

/// Decodes the values of files, encodes them again, and compares the bytes. The exit status is 1 if any differ.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// The engine that wrote the files [default: guessed].
    #[arg(long)]
    dialect: Option<Dialect>,

    /// Encode numbers in the widths that the engine's writer chooses.
    #[arg(long)]
    canonical: bool,

    /// Files of values.
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments = Arguments::parse();
    let mut code = ExitCode::SUCCESS;
    for file in &arguments.files {
        let (outcome, is_same) = compare(file, &arguments)?;
        println!("{}: {outcome}", file.display());
        if !is_same {
            code = ExitCode::FAILURE;
        }
    }
    Ok(code)
}

/// Compares the bytes of a file. Returns a line for the user, and whether all bytes are the same.
fn compare(file: &Path, arguments: &Arguments) -> Result<(String, bool), Box<dyn Error>> {
    let opened = open(file, &OpenOptions::new())?;
    let detection = Framing::detect(&opened);
    let guess = detection.best();
    let fit = guess.verdict().fit();
    let dialect = arguments.dialect.or(fit.map(Fit::dialect)).ok_or("name the --dialect")?;
    let options = Options::engine(dialect).limits(Limits::FILE);
    let options = fit.map_or(options, |fit| options.reals(fit.reals()));
    let widths = if arguments.canonical { Widths::Canonical } else { Widths::AsIs };
    let encoding = EncodeOptions::new(dialect).reals(options.reals).widths(widths);
    let framing = guess.framing().of_dialect(dialect);
    let mut count = 0_u64;
    for (number, value) in (1..).zip(framing.values(&opened)) {
        let value = value?;
        count = number;
        let read = Variant::from_document(&Document::new(value.bytes, options))?;
        let written = encode(&read, encoding)?;
        // The bytes after a bare value are not compared.
        let found = match framing {
            Framing::Bare => value.bytes.get(..written.len()).unwrap_or(value.bytes),
            _ => value.bytes,
        };
        if found != written {
            let is_same = |(one, other): &(&u8, &u8)| one == other;
            let at = found.iter().zip(&written).take_while(is_same).count();
            let [old, new] = [found.get(at), written.get(at)].map(shown);
            let what = format!("value {count} differs from its byte {at}: {old}, written {new}");
            return Ok((what, false));
        }
    }
    Ok((format!("identical: {count} values, {dialect}"), true))
}

fn shown(byte: Option<&u8>) -> String {
    byte.map_or_else(|| "nothing".to_owned(), |byte| format!("{byte:02x}"))
}
