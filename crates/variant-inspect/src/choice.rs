//! [`Choice`]: how a file is to be read, as told or as guessed.

use std::io;

use variant_io::{Detection, Dialects, Fit, Framing, Guess};
use variant_view::{Dialect, Limits, Options, Reals};

use crate::cli::CommonArgs;
use crate::count::grouped;
use crate::failure::{Failure, Status};
use crate::open::Input;
use crate::terminal::Terminal;

/// How a file is to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) framing: Framing,
    pub(crate) options: Options,
}

impl Choice {
    /// Takes what the arguments say and guesses the rest, which is told.
    pub(crate) fn make(
        input: &Input,
        args: &CommonArgs,
        terminal: &mut Terminal<'_>,
    ) -> Result<Self, Failure> {
        for layer in input.layers() {
            terminal.note(&layer)?;
        }
        if let (Some(dialect), Some(framing)) = (args.dialect, args.framing.given()) {
            return Ok(Self::new(framing, dialect, Reals::ByFlag, args));
        }
        let detection = Framing::detect(&input.source);
        let guess = guess(&detection, args);
        if let Some(dialect) = args.dialect {
            if guess.framing() != Framing::Bare {
                terminal.note(&format!("{}: {}", input.name, guess.reason()))?;
            }
            return Ok(Self::new(guess.framing(), dialect, Reals::ByFlag, args));
        }
        let dialects = guess.dialects();
        if dialects.best().is_none_or(|best| best.bytes_read() == 0) {
            return Err(senseless(input, guess, args));
        }
        let Some(fit) = dialects.clear_winner().or(dialects.likely()) else {
            return Err(undecided(input, guess, terminal)?);
        };
        let taken = taken(dialects, fit);
        let why =
            if fit.is_complete() { guess.reason().to_string() } else { why_likely(dialects, fit) };
        terminal.note(&format!("{}: {taken}; {why}", input.name))?;
        Ok(Self::new(guess.framing(), fit.dialect(), fit.reals(), args))
    }

    fn new(framing: Framing, dialect: Dialect, reals: Reals, args: &CommonArgs) -> Self {
        let reals = args.reals.map_or(reals, Reals::from);
        Self { framing, options: Options::new(dialect).reals(reals).limits(Limits::FILE) }
    }
}

/// The guess that agrees with what the arguments say.
pub(crate) fn guess<'d>(detection: &'d Detection, args: &CommonArgs) -> &'d Guess {
    let likeliest = match args.dialect {
        Some(dialect) => detection.best_for(dialect),
        None => detection.best(),
    };
    let given = |framing| detection.ranked().into_iter().find(|g| g.framing() == framing);
    args.framing.given().and_then(given).unwrap_or(likeliest)
}

/// That `fit` was taken, and what else could have been.
pub(crate) fn taken(dialects: &Dialects, fit: &Fit) -> String {
    let dialect = fit.dialect();
    let reals = match fit.reals() {
        Reals::ByFlag => "",
        Reals::Always64 => ", every real in 64 bits",
    };
    let mut text = format!("read as {dialect} ({}{reals})", dialect.versions());
    let alike: Vec<_> = dialects.alike(fit).map(|other| other.dialect().name()).collect();
    if let Some((last, others)) = alike.split_last() {
        let others = if others.is_empty() {
            (*last).to_owned()
        } else {
            format!("{} and {last}", others.join(", "))
        };
        text.push_str(", just as ");
        text.push_str(&others);
        text.push_str(" would be");
    }
    text
}

/// What speaks for a dialect that the bytes do not quite fit.
pub(crate) fn why_likely(dialects: &Dialects, fit: &Fit) -> String {
    let others = dialects.iter().skip(1).filter(|other| other.bytes_read() < fit.bytes_read());
    let next = others.map(Fit::bytes_read).max().unwrap_or(0);
    let read = grouped(fit.bytes_read());
    let next = grouped(next);
    format!(
        "{read} bytes make sense that way, and at most {next} in any other, so it may be damaged"
    )
}

/// Not a single header can be read.
fn senseless(input: &Input, guess: &Guess, args: &CommonArgs) -> Failure {
    let why = guess.dialects().best().and_then(|best| best.candidate().reasons().next());
    let why = why.map_or_else(String::new, |why| format!(": {why}"));
    let how = match args.framing.given() {
        None => "neither bare nor in frames",
        Some(Framing::Bare) => "as a bare value",
        Some(Framing::Frames(_)) => "in frames",
        Some(Framing::Settings) => "as compiled settings",
    };
    let message = format!(
        "{}: no engine can read this, {how}{why}; if values stand among other data, cut them out",
        input.name
    );
    Failure::file(Status::Invalid, message)
}

/// Lists the candidates.
fn undecided(input: &Input, guess: &Guess, terminal: &mut Terminal<'_>) -> io::Result<Failure> {
    let dialects = guess.dialects();
    let best = dialects.best().map_or("godot4", |fit| fit.dialect().name());
    let message = format!(
        "{}: cannot tell which engine wrote this; name it, for example --dialect {best}{}",
        input.name,
        counting(guess.framing())
    );
    terminal.error(&message)?;
    for fit in dialects.iter() {
        writeln!(terminal.err, "{}", candidate_line(fit))?;
    }
    Ok(Failure::Told(Status::Usage))
}

/// How the bytes of candidates are counted, where that is not obvious.
pub(crate) const fn counting(framing: Framing) -> &'static str {
    match framing {
        Framing::Bare => "",
        Framing::Frames(_) | Framing::Settings => {
            " (bytes are counted from the start of each value)"
        }
    }
}

/// One line about a candidate.
pub(crate) fn candidate_line(fit: &Fit) -> String {
    let reals = match fit.reals() {
        Reals::ByFlag => "",
        Reals::Always64 => ", with --reals always64",
    };
    let why = fit.candidate().reasons().next().map_or_else(String::new, |why| why.to_string());
    let read = match fit.candidate().outcome() {
        Ok(_) => String::new(),
        Err(_) => format!("; {} bytes make sense", grouped(fit.bytes_read())),
    };
    let which = match fit.candidate_index() {
        0 => String::new(),
        index => format!("value {}: ", index.saturating_add(1)),
    };
    format!("  {:>3}  {:<12}  {which}{why}{read}{reals}", fit.score(), fit.dialect())
}
