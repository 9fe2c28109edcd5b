//! `merge`: adds the values of OTHER to FILE, and replaces values that FILE has at the same paths.

use std::collections::BTreeMap;
use std::path::Path;

use variant_owned::{ConvertOptions, EncodeOptions, Variant, convert, encode};
use variant_view::Options;

use crate::cli::{CommonArgs, FramingArg, MergeArgs, TailArg};
use crate::draft::Place;
use crate::failure::{Failure, Status};
use crate::output;
use crate::rewrite::rewrite;
use crate::terminal::Terminal;
use crate::values::{Trouble, Values};
use variant_document::edit::Graft;
use variant_document::escape::{escape, neutral};

pub(crate) fn run(args: &MergeArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let stream = Path::new("-");
    if args.file == stream && args.other == stream {
        return Err(Failure::usage("standard input can be one of the files only"));
    }
    if let Some(output) = &args.change.output {
        output::check(&args.other, output)?;
    }
    // The arguments for FILE do not apply to OTHER.
    let of_other = CommonArgs {
        dialect: args.other_dialect,
        as_documented: None,
        reals: None,
        framing: FramingArg::Auto,
        skip: 0,
        tail: TailArg::Keep,
        ..terminal.common.clone()
    };
    rewrite(&args.file, &args.change, terminal, |draft, terminal| {
        let options = draft.file.choice.options;
        let encoding = encoding(options);
        let other = Values::open(&args.other, &mut terminal.with(&of_other))?;
        let mut values = read(&other, options, terminal)?;
        draft.graft(|value, document| {
            let place = Place::of(value.number, value.name);
            let Some(new) = values.remove(&place) else { return Ok(None) };
            // The graft compares the new value with this one: the value of FILE, encoded again as the engine would
            // encode it.
            let base = encode(&Variant::from_document(&document)?, encoding);
            let base = base.map_err(|error| variant_document::Trouble::message(&error))?;
            Ok(Some(Graft { base, new, is_merge: true }))
        })?;
        let what = match values.into_keys().next() {
            None => return Ok(()),
            Some(Place::Number(number)) => format!("value {number}"),
            Some(Place::Name(name)) => {
                let mut shown = "setting ".to_owned();
                escape(&mut shown, &name, 100);
                shown
            }
        };
        let name = &other.input.name;
        Err(Failure::invalid(format!("{name}: the other file has a {what}, and this one does not")))
    })
}

/// The values of OTHER, converted to the dialect of FILE. Prints the losses.
fn read(
    file: &Values,
    wanted: Options,
    terminal: &mut Terminal<'_>,
) -> Result<BTreeMap<Place, Vec<u8>>, Failure> {
    let mut values = BTreeMap::new();
    let encoding = encoding(wanted);
    let is_alike = encoding == self::encoding(file.choice.options);
    let status = file.each(terminal, |value, terminal| {
        let mut read = Variant::from_document(&value.document)?;
        // Values of the same dialect are not converted, because a conversion would choose new widths of numbers.
        if !is_alike {
            let options = ConvertOptions::new(wanted.dialect).reals(wanted.reals);
            let (converted, report) =
                convert(&read, options).map_err(|error| Trouble::message(&error))?;
            for group in report.groups() {
                writeln!(terminal.err, "{}", neutral(&group.to_string()))?;
            }
            read = converted;
        }
        let bytes = encode(&read, encoding).map_err(|error| Trouble::message(&error))?;
        let place = Place::of(value.piece.number, value.piece.name);
        if values.insert(place, bytes).is_some() {
            return Err(Trouble::Message("two settings have this name".to_owned()));
        }
        Ok(Status::Fine)
    })?;
    match status {
        Status::Fine => Ok(values),
        status => Err(Failure::Told(status)),
    }
}

fn encoding(options: Options) -> EncodeOptions {
    EncodeOptions::new(options.dialect).reals(options.reals)
}
