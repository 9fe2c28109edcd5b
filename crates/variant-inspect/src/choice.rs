//! [`Choice`]: the given or guessed framing and dialect of a file.

use std::io;

use variant_io::{Detection, Dialects, Fit, Framing, Guess, Verdict};
use variant_view::{Dialect, Limits, ObjectForm, ObjectView, Options, Reals, VariantView};

use crate::cli::{CommonArgs, TailArg};
use crate::failure::{Failure, Status};
use crate::open::{Input, reading, too_short};
use crate::terminal::Terminal;
use variant_document::Plain;
use variant_document::count::grouped;
use variant_document::edit::Rivals;
use variant_document::magic;
use variant_document::mangled::mend;

/// The framing of a file, and the options for reading it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) framing: Framing,
    pub(crate) options: Options,
    /// The number of bytes after the last value. Bytes that `--tail` declares do not count.
    pub(crate) tail: usize,
}

impl Choice {
    /// Takes framing and dialect from the arguments, or guesses them and prints the guess.
    pub(crate) fn make(input: &Input, terminal: &mut Terminal<'_>) -> Result<Self, Failure> {
        let choice = Self::decide(input, terminal)?;
        if choice.finds_object_id(input) {
            terminal.note(&format!("{}: {OBJECT_ID}", input.name))?;
        }
        Ok(choice)
    }

    /// Whether the whole file is the id of an object.
    fn finds_object_id(self, input: &Input) -> bool {
        let file = input.source.plain(self);
        let mut pieces = file.pieces();
        let (Some(Ok(piece)), None) = (pieces.next(), pieces.next()) else { return false };
        let root = file.document(piece.bytes).root();
        let is_id = |object: &ObjectView<'_>| matches!(object.form(), ObjectForm::Id(1..));
        matches!(root, Ok(VariantView::Object(object)) if is_id(&object))
    }

    fn decide(input: &Input, terminal: &mut Terminal<'_>) -> Result<Self, Failure> {
        for layer in input.layers() {
            terminal.note(&layer)?;
        }
        let chosen = input.source.reading(terminal.common).weigh(input.source.whole());
        let chosen = chosen.map_err(|error| too_short(&input.name, &error))?;
        if let Some(guess) = chosen.guess() {
            let line = match (chosen.verdict(), guess.framing()) {
                // Without a verdict, the arguments name the dialect. Then only a framing other than bare is reported.
                (None, Framing::Bare) => None,
                (None, _) => Some(guess.reason().to_string()),
                (Some(Verdict::Nothing), _) => {
                    return Err(senseless(input, guess, terminal.common));
                }
                (Some(verdict), _) => match verdict.fit() {
                    Some(fit) => Some(why(guess, fit)),
                    None => return Err(undecided(input, guess, terminal)?),
                },
            };
            if let Some(line) = line {
                terminal.note(&format!("{}: {line}", input.name))?;
            }
        }
        if let Some(note) = chosen.tail_note() {
            let how = match terminal.common.tail {
                TailArg::Drop => "--tail keep keeps them",
                TailArg::Keep | TailArg::Bytes(_) => "--tail drop leaves them out of written files",
            };
            terminal.note(&format!("{}: {note}; {how}", input.name))?;
        }
        let Plain { framing, options, .. } = chosen.plain;
        Ok(Self { framing, options, tail: chosen.found() })
    }

    pub(crate) fn new(framing: Framing, dialect: Dialect, args: &CommonArgs) -> Self {
        let options = Options::engine(dialect).reals(args.reals()).limits(Limits::FILE);
        Self { framing: framing.of_dialect(dialect), options, tail: 0 }
    }

    /// The other engines that may have written the file; empty if the dialect is named.
    pub(crate) fn rivals(self, input: &Input, args: &CommonArgs) -> Rivals {
        if args.dialect().is_some() {
            return Rivals::default();
        }
        Rivals::of(detect(input, args).best(), self.options)
    }
}

/// The note for a file that is the id of an object.
const OBJECT_ID: &str = "the value is the id of an object in the memory of the game that wrote it; the file does not \
                         contain the properties of the object. store_var and var_to_bytes write them only with full \
                         objects";

/// The candidates for the framing and the dialect of a file. If the arguments name a framing or a dialect, the best
/// candidate has this framing or dialect.
pub(crate) fn detect(input: &Input, args: &CommonArgs) -> Detection {
    reading(args).detect(&input.source)
}

/// The chosen dialect, and the evidence for it.
fn why(guess: &Guess, fit: &Fit) -> String {
    let dialects = guess.dialects();
    let why =
        if fit.is_complete() { guess.reason().to_string() } else { why_likely(dialects, fit) };
    format!("{}; {why}", taken(dialects, fit))
}

/// The message that names the chosen dialect, and the dialects that read the same values.
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
        text.push_str(", which reads the same values as ");
        text.push_str(&others);
    }
    text
}

/// The evidence for a dialect that does not fit completely.
pub(crate) fn why_likely(dialects: &Dialects, fit: &Fit) -> String {
    let others = dialects.iter().skip(1).filter(|other| other.bytes_read() < fit.bytes_read());
    let next = others.map(Fit::bytes_read).max().unwrap_or(0);
    let read = grouped(fit.bytes_read());
    let next = grouped(next);
    format!("it decodes {read} bytes, the next dialect {next}; the data may be damaged")
}

/// The message for a file that no dialect reads.
fn senseless(input: &Input, guess: &Guess, args: &CommonArgs) -> Failure {
    let why = guess.dialects().best().and_then(|best| best.reasons().next());
    let why = why.map_or_else(String::new, |why| format!(": {why}"));
    let how = match args.framing.given() {
        None => "neither as a bare value nor as frames",
        Some(Framing::Bare) => "as a bare value",
        Some(Framing::Frames(_)) => "as frames",
        Some(Framing::Settings) => "as compiled settings",
        Some(Framing::Sequence(_)) => "as values one after another",
    };
    let name = &input.name;
    Failure::invalid(mend(&input.source).map_or_else(
        || format!("{name}: no engine can read this, {how}{why}; `variant-inspect detect --scan` finds values among other data"),
        |mended| format!("{name}: no engine can read this: {}; `variant-inspect salvage` repairs it", mended.cause),
    ))
}

/// Prints that the dialect is undecided, with the candidates.
fn undecided(input: &Input, guess: &Guess, terminal: &mut Terminal<'_>) -> io::Result<Failure> {
    let dialects = guess.dialects();
    let word = magic::lone_word(&input.source)
        .map_or_else(String::new, |word| format!("; {word}, or the head of a value that is cut"));
    let message = format!(
        "{}: cannot detect the engine; name it, for example --dialect godot4{}{word}",
        input.name,
        counting(guess.framing())
    );
    terminal.error(&message)?;
    for fit in dialects.iter() {
        writeln!(terminal.err, "{}", candidate_line(fit))?;
    }
    Ok(Failure::Told(Status::Usage))
}

/// The note that the candidates' offsets count from the start of each value. Empty for a bare value.
pub(crate) const fn counting(framing: Framing) -> &'static str {
    match framing {
        Framing::Bare => "",
        Framing::Frames(_) | Framing::Settings | Framing::Sequence(_) => {
            " (offsets count from the start of each value)"
        }
    }
}

pub(crate) fn candidate_line(fit: &Fit) -> String {
    let reals = match fit.reals() {
        Reals::ByFlag => "",
        Reals::Always64 => ", with --reals always64",
    };
    let why = fit.reasons().next().map_or_else(String::new, |why| why.to_string());
    let read = match fit.outcome() {
        Ok(_) => String::new(),
        Err(_) => format!("; {} bytes decoded", grouped(fit.bytes_read())),
    };
    let which = match fit.candidate_index() {
        0 => String::new(),
        index => format!("value {}: ", index.saturating_add(1)),
    };
    format!("  {:>3}  {:<12}  {which}{why}{read}{reals}", fit.score(), fit.dialect())
}
