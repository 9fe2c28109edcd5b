//! `reencode`: reads a file into values, writes them, and compares.

use variant_owned::{EncodeOptions, Variant, Widths, encode};
use variant_view::{Document, Objects};

use crate::choice::Choice;
use crate::cli::{CommonArgs, ReencodeArgs};
use crate::count::{counted, grouped};
use crate::failure::{Failure, Status};
use crate::hexdump::excerpt;
use crate::open::Input;
use crate::pieces::{Piece, pieces};
use crate::report::Report;
use crate::terminal::Terminal;

pub(crate) fn run(
    args: &ReencodeArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let input = Input::open(&args.file, common)?;
    let choice = Choice::make(&input, common, terminal)?;
    let widths = if args.canonical { Widths::Canonical } else { Widths::AsIs };
    let options =
        EncodeOptions::new(choice.options.dialect).reals(choice.options.reals).widths(widths);
    let mut values = 0_usize;
    let mut bytes = 0_usize;
    for piece in pieces(&input.source, choice.framing) {
        let piece = piece
            .map_err(|error| Failure::file(Status::Invalid, format!("{}: {error}", input.name)))?;
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
        let written = encode(&value, &options)
            .map_err(|error| Failure::file(Status::Invalid, format!("{}: {error}", input.name)))?;
        if let Some(at) = first_difference(piece.bytes, &written) {
            return tell_difference(&input, &piece, &document, &written, at, terminal);
        }
        values = values.saturating_add(1);
        bytes = bytes.saturating_add(written.len());
    }
    let values = counted(values, "value");
    writeln!(terminal.out, "{}: identical: {values}, {} bytes", input.name, grouped(bytes))?;
    Ok(Status::Fine)
}

/// The first byte that is not the same; what follows a bare value is not compared.
fn first_difference(found: &[u8], written: &[u8]) -> Option<usize> {
    let both = found.iter().zip(written);
    let differing = both.clone().position(|(found, written)| found != written);
    differing.or((found.len() < written.len()).then_some(found.len()))
}

fn tell_difference(
    input: &Input,
    piece: &Piece<'_>,
    document: &Document<'_>,
    written: &[u8],
    at: usize,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let path = document.path_to(at).map(|path| path.to_string()).unwrap_or_default();
    let path = if path.is_empty() { "(root)" } else { &path };
    let byte = |bytes: &[u8]| match bytes.get(at) {
        Some(byte) => format!("{byte:02x}"),
        None => "nothing".to_owned(),
    };
    let offset = piece.absolute(at);
    let palette = terminal.palette();
    let out = &mut *terminal.out;
    writeln!(out, "{}: differs at byte {}", input.name, grouped(offset))?;
    writeln!(out, "  path      {path}")?;
    writeln!(out, "  found     {}", byte(piece.bytes))?;
    writeln!(out, "  written   {}", byte(written))?;
    writeln!(out)?;
    excerpt(out, &input.source, offset, &palette)?;
    Ok(Status::Invalid)
}
