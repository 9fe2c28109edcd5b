//! `detect`: guesses the engine that wrote a file, with reasons; with `--scan`, finds values among other data.

use std::io;
use std::path::Path;

use serde_json::json;
use variant_io::{Detection, Dialects, Fit, Framing, Guess, Verdict};

use crate::choice::{candidate_line, counting, detect, taken, why_likely};
use crate::cli::DetectArgs;
use crate::failure::{Failure, Status};
use crate::files::Files;
use crate::open::Input;
use crate::terminal::Terminal;
use crate::verbs::scan::scan;
use variant_document::count::counted;
use variant_document::magic;

/// Prints the framings and dialects of a file, the likeliest first, and the verdict.
pub(crate) fn run(args: &DetectArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let files = Files::of(&args.files, terminal)?;
    if args.scan {
        let scan = |path: &Path, terminal: &mut Terminal<'_>| scan(path, args, terminal);
        return files.each(terminal, scan, |status, _| Ok(status));
    }
    let mut are_more = false;
    files.each(
        terminal,
        |path, terminal| {
            let input = Input::open(path, terminal.common)?;
            let detection = detect(&input, terminal.common);
            Ok((input, detection))
        },
        |(input, detection), terminal| {
            if args.json {
                return Ok(print_json(&input, &detection, terminal)?);
            }
            if std::mem::replace(&mut are_more, true) {
                writeln!(terminal.out)?;
            }
            Ok(print(&input, &detection, terminal)?)
        },
    )
}

fn print(input: &Input, detection: &Detection, terminal: &mut Terminal<'_>) -> io::Result<Status> {
    let guess = detection.best();
    writeln!(terminal.out, "{}: {}", input.name, counted(input.source.len(), "byte"))?;
    for layer in input.source.opened.layers() {
        writeln!(terminal.out, "{layer}")?;
    }
    print_framings(detection, guess, terminal)?;
    print_dialects(guess, terminal)?;
    print_verdict(guess, &input.source, terminal)
}

/// Prints the verdict and the candidates as an object.
fn print_json(
    input: &Input,
    detection: &Detection,
    terminal: &mut Terminal<'_>,
) -> io::Result<Status> {
    let guess = detection.best();
    let (verdict, status) = match guess.verdict() {
        Verdict::Any(_) => ("any", Status::Fine),
        Verdict::Clear(_) => ("clear", Status::Fine),
        Verdict::Tied(_) => ("tied", Status::Fine),
        Verdict::Likely(_) => ("likely", Status::Fine),
        Verdict::Nothing => ("nothing", Status::Invalid),
        _ => ("undecided", Status::Usage),
    };
    let fit = guess.verdict().fit().filter(|_| status == Status::Fine);
    let framings = detection.ranked().map(|guess| {
        json!({
            "framing": guess.framing().name(),
            "score": guess.score(),
            "reason": guess.reason().to_string(),
        })
    });
    let dialects: Vec<_> = guess
        .dialects()
        .iter()
        .map(|fit| {
            let reasons: Vec<_> = fit.reasons().map(|reason| reason.to_string()).collect();
            json!({
                "dialect": fit.dialect().name(),
                "reals": fit.reals().name(),
                "is_complete": fit.is_complete(),
                "reasons": reasons,
            })
        })
        .collect();
    let layers: Vec<_> = input.source.opened.layers().iter().map(ToString::to_string).collect();
    let line = json!({
        "file": input.name,
        "verdict": verdict,
        "dialect": fit.as_ref().map(|fit| fit.dialect().name()),
        "reals": fit.as_ref().map(|fit| fit.reals().name()),
        "framing": guess.framing().name(),
        "bytes": input.source.len(),
        "layers": layers,
        "framings": framings,
        "dialects": dialects,
    });
    terminal.json(&line)?;
    Ok(status)
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
        Framing::Frames(_) | Framing::Settings | Framing::Sequence(_) => {
            counted(guess.dialects().values(), "value")
        }
    };
    writeln!(terminal.out, "\ndialect, by {values}{}", counting(guess.framing()))?;
    for fit in guess.dialects().iter() {
        writeln!(terminal.out, "{}", candidate_line(fit))?;
        for reason in fit.reasons().skip(1) {
            writeln!(terminal.out, "{:21}{reason}", "")?;
        }
    }
    Ok(())
}

fn print_verdict(guess: &Guess, bytes: &[u8], terminal: &mut Terminal<'_>) -> io::Result<Status> {
    writeln!(terminal.out)?;
    let dialects = guess.dialects();
    let line = match guess.verdict() {
        Verdict::Any(fit) => {
            format!("any engine: all read the same values; {}", taken(dialects, fit))
        }
        Verdict::Clear(fit) => taken(dialects, fit),
        Verdict::Tied(fit) => format!("{}; {}", taken(dialects, fit), rivals(dialects, fit)),
        Verdict::Likely(fit) => {
            format!("{}; {}", taken(dialects, fit), why_likely(dialects, fit))
        }
        Verdict::Nothing => {
            writeln!(
                terminal.out,
                "no engine reads these bytes; they may be damaged; if you know the engine, name it with --dialect"
            )?;
            return Ok(Status::Invalid);
        }
        _ => {
            let word = magic::lone_word(bytes).map_or_else(String::new, |word| format!("; {word}"));
            writeln!(terminal.out, "undecided; name the engine with --dialect{word}")?;
            return Ok(Status::Usage);
        }
    };
    writeln!(terminal.out, "{line}")?;
    Ok(Status::Fine)
}

/// The dialects that fit equally well but read other values from the bytes.
fn rivals(dialects: &Dialects, fit: &Fit) -> String {
    let names =
        |fits: &[&Fit]| fits.iter().map(|fit| fit.dialect().name()).collect::<Vec<_>>().join(", ");
    let reads_all = |fit: &&Fit| dialects.get(fit.dialect()).is_some_and(Fit::is_complete);
    let (of_all, of_first): (Vec<_>, Vec<_>) = dialects.rivals(fit).partition(reads_all);
    let of_all = (!of_all.is_empty())
        .then(|| format!("; these fit as well and read other values: {}", names(&of_all)));
    let of_first = (!of_first.is_empty()).then(|| {
        format!(
            "; these fit the first frame as well: {} (the frames after it may be the rest of an older file)",
            names(&of_first)
        )
    });
    let [of_all, of_first] = [of_all, of_first].map(Option::unwrap_or_default);
    format!("the likeliest of several{of_all}{of_first}")
}
