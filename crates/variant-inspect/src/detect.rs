//! `detect`: tells which engine wrote a file, and how one can tell.

use std::io;

use variant_io::{Detection, Framing, Guess};

use crate::choice::{candidate_line, counting, guess, taken, why_likely};
use crate::cli::{CommonArgs, DetectArgs};
use crate::count::counted;
use crate::failure::{Failure, Status};
use crate::open::Input;
use crate::terminal::Terminal;

/// Lists the ways to read a file.
pub(crate) fn run(
    args: &DetectArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let input = Input::open(&args.file, common)?;
    let detection = Framing::detect(&input.source);
    let guess = guess(&detection, common);
    writeln!(terminal.out, "{}: {}", input.name, counted(input.source.len(), "byte"))?;
    for layer in input.source.layers() {
        writeln!(terminal.out, "{layer}")?;
    }
    print_framings(&detection, guess, terminal)?;
    print_dialects(guess, terminal)?;
    print_verdict(guess, terminal).map_err(Failure::from)
}

fn print_framings(
    detection: &Detection,
    taken: &Guess,
    terminal: &mut Terminal<'_>,
) -> io::Result<()> {
    writeln!(terminal.out, "\nframing")?;
    for guess in detection.ranked() {
        let (score, name, reason) = (guess.score(), guess.framing().name(), guess.reason());
        let mark = if guess.framing() == taken.framing() { '>' } else { ' ' };
        writeln!(terminal.out, "{mark} {score:>3}  {name:<12}  {reason}")?;
    }
    Ok(())
}

fn print_dialects(guess: &Guess, terminal: &mut Terminal<'_>) -> io::Result<()> {
    let values = match guess.framing() {
        Framing::Bare => "the value".to_owned(),
        Framing::Frames(_) | Framing::Settings => counted(guess.dialects().values(), "value"),
    };
    writeln!(terminal.out, "\ndialect, by {values}{}", counting(guess.framing()))?;
    for fit in guess.dialects().iter() {
        writeln!(terminal.out, "{}", candidate_line(fit))?;
        for reason in fit.candidate().reasons().skip(1) {
            writeln!(terminal.out, "{:21}{reason}", "")?;
        }
    }
    Ok(())
}

fn print_verdict(guess: &Guess, terminal: &mut Terminal<'_>) -> io::Result<Status> {
    writeln!(terminal.out)?;
    let dialects = guess.dialects();
    if let Some(fit) = dialects.clear_winner() {
        writeln!(terminal.out, "{}", taken(dialects, fit))?;
        return Ok(Status::Fine);
    }
    if let Some(fit) = dialects.likely() {
        writeln!(terminal.out, "{}; {}", taken(dialects, fit), why_likely(dialects, fit))?;
        return Ok(Status::Fine);
    }
    writeln!(terminal.out, "undecided; name the engine with --dialect")?;
    Ok(Status::Usage)
}
