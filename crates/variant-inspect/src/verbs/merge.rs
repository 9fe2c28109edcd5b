//! `merge`: puts the values of one file over those of another.

use std::collections::BTreeMap;
use std::path::Path;

use variant_owned::{ConvertOptions, EncodeOptions, Variant, convert, encode};
use variant_view::{Document, Options};

use crate::cli::{CommonArgs, FramingArg, MergeArgs, TailArg};
use crate::failure::{Failure, Status};
use crate::output;
use crate::rewrite::rewrite;
use crate::terminal::Terminal;
use crate::values::{Trouble, Values};
use variant_document::edit::Graft;
use variant_document::escape::{escape, neutral};

pub(crate) fn run(
    args: &MergeArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let stream = Path::new("-");
    if args.file == stream && args.other == stream {
        let message = "standard input can be one of the files only".to_owned();
        return Err(Failure::file(Status::Usage, message));
    }
    if let Some(output) = &args.change.output {
        output::check(&args.other, output)?;
    }
    // The arguments about the file do not apply to the other one.
    let of_other = CommonArgs {
        dialect: args.other_dialect,
        as_documented: None,
        reals: None,
        framing: FramingArg::Auto,
        skip: 0,
        tail: TailArg::Keep,
        ..common.clone()
    };
    rewrite(&args.file, &args.change, common, terminal, |draft, terminal| {
        let options = draft.file().choice.options;
        let encoding = encoding(options);
        let other = Values::open(&args.other, &of_other, terminal)?;
        let mut values = read(&other, options, terminal)?;
        draft.graft(|value, document| {
            let place = place(value.number, value.name);
            let Some(new) = values.remove(&place) else { return Ok(None) };
            let base = again(&document, encoding)?;
            Ok(Some(Graft { base, new, is_merge: true }))
        })?;
        match values.into_keys().next() {
            None => Ok(()),
            Some(Place::Number(number)) => {
                let why = format!("the other file has a value {number}, and this one has not");
                Err(invalid(&other, &why))
            }
            Some(Place::Name(name)) => {
                let mut shown = String::new();
                escape(&mut shown, &name, 100);
                let why = format!("the other file has a setting {shown}, and this one has not");
                Err(invalid(&other, &why))
            }
        }
    })
}

fn invalid(file: &Values, why: &str) -> Failure {
    Failure::file(Status::Invalid, format!("{}: {why}", file.input.name))
}

/// Pairs a value of one file with one of the other.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Number(u64),
    Name(Vec<u8>),
}

fn place(number: u64, name: Option<&[u8]>) -> Place {
    name.map_or(Place::Number(number), |name| Place::Name(name.to_vec()))
}

/// The values of a file, in the dialect of the other; prints what is lost.
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
        // A conversion to the same dialect would choose the widths of numbers anew.
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
        let place = place(value.piece.number, value.piece.name);
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

/// The options to write values for a file that is read with `options`.
fn encoding(options: Options) -> EncodeOptions {
    EncodeOptions::new(options.dialect).reals(options.reals)
}

/// The value as its engine writes it.
fn again(
    document: &Document<'_>,
    encoding: EncodeOptions,
) -> Result<Vec<u8>, variant_document::Trouble> {
    let value = Variant::from_document(document)?;
    encode(&value, encoding).map_err(|error| variant_document::Trouble::message(&error))
}
