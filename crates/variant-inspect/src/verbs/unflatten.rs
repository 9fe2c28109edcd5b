//! `unflatten`: writes a file from the lines of `flatten`.

use std::collections::{BTreeMap, HashMap};

use variant_io::Framing;
use variant_owned::{EncodeOptions, Variant, encode};

use crate::cli::{CommonArgs, UnflattenArgs};
use crate::draft::Draft;
use crate::failure::{Failure, Status};
use crate::flat;
use crate::open::name as name_of;
use crate::output;
use crate::read;
use crate::rewrite::{Writing, seal};
use crate::target::{Target, framing_of};
use crate::terminal::Terminal;
use crate::values::Values;
use variant_document::count::counted;
use variant_document::edit::Graft;
use variant_document::{Piece, Trouble};

pub(crate) fn run(
    args: &UnflattenArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let target = Target::new(&args.target, &args.file, common, terminal)?;
    let encoding = target.encoding()?;
    let (name, text) = read::text(&args.file, common.max_input)?;
    let invalid = |message: &str| Failure::file(Status::Invalid, format!("{name}: {message}"));
    let names = target.like().and_then(names_of);
    let lines = flat::read(&text, encoding.dialect, names.as_ref()).map_err(|why| invalid(&why))?;
    if lines.gaps > 0 {
        let gaps = counted(lines.gaps, "element");
        terminal.note(&format!("{gaps} without a line; those behind moved up"))?;
    }
    if let Some(like) = target.like().filter(|_| args.target.to_framing.given().is_none()) {
        let draft = grafted(Draft::new(like, common), lines.values, encoding, &invalid)?;
        let writing = Writing { is_plain: args.target.plain, tail: common.tail };
        let file = seal(like, &draft, writing)?;
        output::write(&args.target.output, &file, terminal)?;
        let changes = counted(draft.changes().count, "change");
        terminal.note(&format!("{changes}, written to {}", name_of(&args.target.output)))?;
        writing.note(like, terminal)?;
        return Ok(Status::Fine);
    }
    let envelope = target.envelope(|| Ok(framing_of(false, lines.values.len() > 1)), terminal)?;
    let mut values = envelope.writer(encoding.dialect);
    for (number, value) in &lines.values {
        values
            .value(None, value, encoding)
            .map_err(|error| invalid(&format!("value {number}: {error}")))?;
    }
    target.write(values, envelope, false, terminal)?;
    Ok(Status::Fine)
}

/// The numbers of the settings of a file by their names; none for a file of other values.
fn names_of(like: &Values) -> Option<HashMap<String, u64>> {
    let name =
        |piece: Piece<'_>| Some((str::from_utf8(piece.name?).ok()?.to_owned(), piece.number));
    let is_of_settings = like.choice.framing == Framing::Settings;
    is_of_settings.then(|| like.plain().pieces().flatten().filter_map(name).collect())
}

/// Returns the file with the values of the lines. Values whose lines are as `flatten` writes them keep their bytes.
fn grafted<'f>(
    mut draft: Draft<'f>,
    values: Vec<(u64, Variant)>,
    encoding: EncodeOptions,
    invalid: &dyn Fn(&str) -> Failure,
) -> Result<Draft<'f>, Failure> {
    let mut values: BTreeMap<_, _> = values.into_iter().collect();
    draft.graft(|value, document| {
        let number = value.number;
        let none = || Trouble::Message(format!("value {number} has no lines"));
        let new = values.remove(&number).ok_or_else(none)?;
        let new = encode(&new, encoding).map_err(|error| Trouble::message(&error))?;
        let base = flat::again(&document)?;
        let base = encode(&base, encoding).map_err(|error| Trouble::message(&error))?;
        Ok(Some(Graft { base, new, is_merge: false }))
    })?;
    match values.first_key_value() {
        None => Ok(draft),
        Some((number, _)) => {
            let how = "--like needs a file with as many values";
            Err(invalid(&format!("there is a value {number}; {how}")))
        }
    }
}
