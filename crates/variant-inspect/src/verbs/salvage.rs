//! `salvage`: what is left of a damaged file.

mod frames;
mod hole;
mod run;
mod value;

use serde_json::json;
use variant_io::{Framing, ValuesWriter};
use variant_view::{Objects, Options, Reals};

use super::scan;
use crate::choice::Choice;
use crate::cli::{CommonArgs, SalvageArgs};
use crate::count::{counted, grouped};
use crate::envelope::Envelope;
use crate::failure::{Failure, Status};
use crate::open::Input;
use crate::output;
use crate::pieces::{Piece, pieces, unit};
use crate::seek::Seeker;
use crate::terminal::Terminal;
use frames::Frames;
use hole::{Hole, Holes};
use value::recover;

/// Reports the holes of a file, and writes what is left.
pub(crate) fn run(
    args: &SalvageArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    if let Some(output) = &args.output {
        output::check(&args.file, output)?;
    }
    let input = Input::open_lenient(&args.file, common)?;
    let choice = choose(&input, common, terminal)?;
    let envelope = Envelope::of(&input, choice.framing).plain_if(args.plain);
    let values = envelope.writer(choice.options.dialect);
    let mut salvage = Salvage { values, count: 0, bytes: 0, holes: Holes::default() };
    salvage.layers(&input);
    salvage.file(&input, choice)?;
    let Salvage { values, count, bytes, holes } = salvage;
    // The report gives way to the bytes.
    if args.output.as_deref().is_none_or(|output| output.as_os_str() != "-") {
        holes.print(&input.name, args.json, terminal)?;
        let lost = holes.bytes;
        if args.json {
            let summary = json!({
                "file": input.name, "values": count, "recovered_bytes": bytes,
                "holes": holes.count, "lost_bytes": lost,
            });
            terminal.json(&summary)?;
        } else {
            let values = counted(count, unit(choice.framing).unwrap_or("value"));
            let (bytes, lost) = (grouped(bytes), counted(lost, "byte"));
            let holes = counted(holes.count, "hole");
            let name = &input.name;
            writeln!(
                terminal.out,
                "{name}: recovered {values}, {bytes} bytes; {holes}, {lost} lost"
            )?;
        }
    }
    if count == 0 && !input.source.is_empty() {
        let message = format!("{}: nothing can be recovered", input.name);
        return Err(Failure::file(Status::Invalid, message));
    }
    if let Some(output) = &args.output {
        envelope.write(values, output, terminal)?;
    }
    Ok(if holes.count == 0 { Status::Fine } else { Status::Invalid })
}

/// The framing and dialect. Where no engine reads the file from the start, those of the values that are found in it.
fn choose(
    input: &Input,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Choice, Failure> {
    let failure = match Choice::make(input, common, terminal) {
        Err(failure @ Failure::File { status: Status::Invalid, .. }) => failure,
        made => return made,
    };
    let reals = common.reals.map_or(Reals::ByFlag, Reals::from);
    let framing = common.framing.given();
    let found = scan::likeliest(&input.source, common.dialect(), framing, reals);
    let (dialect, framing) = found.ok_or(failure)?;
    terminal.note(&format!("{}: read as {dialect}, {framing}, by the values in it", input.name))?;
    Ok(Choice::new(framing, dialect, reals, common))
}

/// What is left of a file.
struct Salvage {
    values: ValuesWriter,
    /// The number of values, and their size.
    count: u64,
    bytes: usize,
    holes: Holes,
}

impl Salvage {
    /// The holes in the layers; the values tell what they cost.
    fn layers(&mut self, input: &Input) {
        for damage in input.source.damage() {
            let start = usize::try_from(damage.start).unwrap_or(usize::MAX);
            let len = usize::try_from(damage.len).unwrap_or(usize::MAX);
            let (end, path) = (start.saturating_add(len), String::new());
            let reason = format!("layer: {}", damage.reason);
            self.holes.add(Hole { start, end, path, reason });
        }
    }

    fn file(&mut self, input: &Input, choice: Choice) -> Result<(), Failure> {
        let options = choice.options.objects(Objects::Accept);
        match choice.framing {
            Framing::Bare => self.bare(input, options),
            Framing::Frames(order) => {
                let mut holes = Holes::default();
                let mut frames = Frames::new(&input.source, order, options);
                while let Some(bytes) = frames.next(&mut holes) {
                    self.add(None, &bytes)?;
                }
                self.holes.add_all(holes, input.source.absolute(0), "");
                Ok(())
            }
            Framing::Settings => self.settings(input, options),
        }
    }

    /// One value; if nothing of it is left, the first container behind it.
    fn bare(&mut self, input: &Input, options: Options) -> Result<(), Failure> {
        let source = &input.source;
        let mut recovered = recover(source, options, false);
        let mut start = 0;
        if recovered.bytes.is_empty()
            && let Some(hit) = Seeker::new(source, options, Some(Framing::Bare)).first_hit(1)
        {
            start = hit.start;
            recovered = recover(source.get(start..).unwrap_or_default(), options, false);
            let (from, end) = (source.absolute(0), source.absolute(start));
            let (path, reason) = (String::new(), "no value starts here".to_owned());
            self.holes.add(Hole { start: from, end, path, reason });
        }
        self.holes.add_all(recovered.holes, source.absolute(start), "");
        self.add(None, &recovered.bytes)
    }

    /// Settings, up to the first whose name or length is broken.
    fn settings(&mut self, input: &Input, options: Options) -> Result<(), Failure> {
        let source = &input.source;
        let mut number = 0_u64;
        for piece in pieces(source, Framing::Settings) {
            number = number.saturating_add(1);
            match piece {
                Ok(piece) => {
                    let recovered = recover(piece.bytes, options, true);
                    let called = piece.called().unwrap_or_default();
                    self.holes.add_all(recovered.holes, piece.start, &format!("{called}: "));
                    self.add(piece.name, &recovered.bytes)?;
                }
                Err(error) => {
                    let cut = Piece::of_cut(source, &error, number, Framing::Settings);
                    let start = cut.map_or(source.absolute(error.offset()), |piece| piece.start);
                    let (end, path) = (source.whole().len(), String::new());
                    self.holes.add(Hole { start, end, path, reason: error.to_string() });
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, name: Option<&[u8]>, bytes: &[u8]) -> Result<(), Failure> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.count = self.count.saturating_add(1);
        self.bytes = self.bytes.saturating_add(bytes.len());
        let added = self.values.bytes(name, bytes);
        added.map_err(|error| Failure::file(Status::Invalid, error.to_string()))
    }
}
