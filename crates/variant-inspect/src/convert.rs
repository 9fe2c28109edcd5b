//! `convert`: a file of one dialect as another dialect writes it, and what is lost on the way.

use std::io;
use std::path::Path;

use variant_io::{ByteOrder, Framing};
use variant_owned::{ConvertOptions, EncodeOptions, Variant, Widths, convert, encode_into};
use variant_view::{Document, Objects};

use crate::choice::Choice;
use crate::cli::{CommonArgs, ConvertArgs};
use crate::count::counted;
use crate::escape::escaped;
use crate::failure::{Failure, Status};
use crate::open::Input;
use crate::output;
use crate::pieces::{Piece, pieces};
use crate::report::Report;
use crate::terminal::Terminal;

pub(crate) fn run(
    args: &ConvertArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    output::check(&args.file, &args.output)?;
    let input = Input::open(&args.file, common)?;
    let choice = Choice::make(&input, common, terminal)?;
    let framing = args.to_framing.given().unwrap_or(choice.framing);
    let mut bytes = Vec::new();
    let mut changes = 0_usize;
    for piece in pieces(&input.source, choice.framing) {
        let piece = piece.map_err(|error| invalid(&input, &error.to_string()))?;
        let document = Document::new(piece.bytes, choice.options.objects(Objects::Accept));
        let value = match Variant::from_document(&document) {
            Ok(value) => value,
            Err(error) => {
                let palette = terminal.palette();
                Report { input: &input, piece: &piece, document, error }
                    .write(terminal.out, &palette)?;
                return Ok(Status::Invalid);
            }
        };
        let told = write_converted(&value, args, framing, &mut bytes)
            .map_err(|message| invalid(&input, &message))?;
        for line in &told {
            writeln!(terminal.err, "{}{}", frame(&piece), escaped(line))?;
        }
        changes = changes.saturating_add(told.len());
    }
    output::write(Path::new(&args.output), &bytes, terminal.out)?;
    let told = counted(changes, "change");
    terminal.note(&format!("{}: converted to {}, {told}", input.name, args.to))?;
    Ok(Status::Fine)
}

fn invalid(input: &Input, message: &str) -> Failure {
    Failure::file(Status::Invalid, format!("{}: {message}", input.name))
}

/// Which frame, where there are any.
fn frame(piece: &Piece<'_>) -> String {
    if piece.is_framed { format!("frame {}: ", piece.number) } else { String::new() }
}

/// Appends the converted value, and says what changed.
fn write_converted(
    value: &Variant,
    args: &ConvertArgs,
    framing: Framing,
    bytes: &mut Vec<u8>,
) -> Result<Vec<String>, String> {
    let options = ConvertOptions::new(args.to).strict(args.strict);
    let (converted, report) = convert(value, &options).map_err(|error| error.to_string())?;
    let start = bytes.len();
    if framing != Framing::Bare {
        bytes.extend_from_slice(&[0; 4]);
    }
    let encoding = EncodeOptions::new(args.to).widths(Widths::Canonical);
    let len = encode_into(&converted, &encoding, bytes).map_err(|error| error.to_string())?;
    set_length(bytes, start, len, framing)?;
    Ok(report.changes().iter().map(ToString::to_string).collect())
}

/// Fills in the length word that stands at `start`.
fn set_length(bytes: &mut [u8], start: usize, len: usize, framing: Framing) -> Result<(), String> {
    let Framing::Frames(order) = framing else { return Ok(()) };
    let len =
        u32::try_from(len).map_err(|_| "a value of more than 4 GiB cannot be framed".to_owned())?;
    let word = match order {
        ByteOrder::Little => len.to_le_bytes(),
        ByteOrder::Big => len.to_be_bytes(),
    };
    if let Some(place) = bytes.get_mut(start..).and_then(|rest| rest.first_chunk_mut()) {
        *place = word;
    }
    Ok(())
}

/// The output cannot be written.
pub(crate) fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    let path = escaped(&path.to_string_lossy());
    Failure::file(Status::Io, format!("{path}: cannot be written: {error}"))
}
