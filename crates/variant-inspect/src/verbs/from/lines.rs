//! Writes a file from the lines of `flatten`.

use std::collections::{BTreeMap, HashMap};

use variant_io::Framing;
use variant_owned::{EncodeOptions, Variant, encode};

use super::Job;
use crate::draft::Draft;
use crate::failure::Failure;
use crate::flat;
use crate::rewrite::write_draft;
use crate::target::framing_of;
use crate::terminal::Terminal;
use crate::values::Values;
use variant_document::count::counted;
use variant_document::edit::Graft;
use variant_document::{Piece, Trouble};

/// Writes the values of the lines.
pub(super) fn write(job: &Job<'_>, terminal: &mut Terminal<'_>) -> Result<(), Failure> {
    let Job { args, target, text, .. } = job;
    let encoding = target.encoding()?;
    let names = target.like().and_then(names_of);
    let lines = flat::read(text, encoding.dialect, names.as_ref());
    let lines = lines.map_err(|why| job.invalid(&why))?;
    if lines.gaps > 0 {
        let gaps = counted(lines.gaps, "element");
        terminal.note(&format!("{gaps} without a line; the elements after them moved up"))?;
    }
    if let Some(like) = target.like().filter(|_| args.target.to_framing.given().is_none()) {
        let draft = Draft::new(like, terminal.common);
        let draft = grafted(draft, lines.values, encoding, job)?;
        return write_draft(&draft, args.target.plain, &args.target.output, false, terminal);
    }
    let envelope = target.envelope(|| Ok(framing_of(false, lines.values.len() > 1)), terminal)?;
    let mut values = envelope.writer(encoding.dialect);
    for (number, value) in &lines.values {
        values
            .value(None, value, encoding)
            .map_err(|error| job.invalid(&format!("value {number}: {error}")))?;
    }
    target.write(values, envelope, false, terminal)
}

/// The numbers of the settings of a file by their names. `None` if the file has no settings.
fn names_of(like: &Values) -> Option<HashMap<String, u64>> {
    let name =
        |piece: Piece<'_>| Some((str::from_utf8(piece.name?).ok()?.to_owned(), piece.number));
    let is_of_settings = like.choice.framing == Framing::Settings;
    is_of_settings.then(|| like.plain().pieces().flatten().filter_map(name).collect())
}

/// Returns the file of `--like` with the values of the lines. A value keeps its bytes if `flatten` writes the same
/// lines for it.
fn grafted<'f>(
    mut draft: Draft<'f>,
    values: Vec<(u64, Variant)>,
    encoding: EncodeOptions,
    job: &Job<'_>,
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
            Err(job.invalid(&format!("there is a value {number}; {how}")))
        }
    }
}
