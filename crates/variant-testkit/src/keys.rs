//! Compares look-ups with records of dictionaries whose keys are the same, or nearly: by a view, a tape, the
//! canonical profile, and an owned dictionary.

use serde_json::Value;
use variant_owned::Variant;
use variant_view::{
    Dialect, Document, ErrorKind, Kind, NotCanonical, Profile, Result, Tape, VariantView,
};

use crate::corpus::{Case, Expected};
use crate::tape::key_of;

/// The values that the engine has kept, as far as it finds them again; `None` if the record does not have them.
fn kept(dialect: Dialect, case: &Case) -> Option<Vec<Option<i64>>> {
    if let Expected::Tagged(value) = &case.value {
        let pairs = value.get("v")?.as_array()?;
        return Some(
            pairs.iter().map(|pair| pair.get(1)?.get("v").and_then(Value::as_i64)).collect(),
        );
    }
    let written = Document::new(case.rewritten.as_deref()?, dialect);
    let pairs = written.root().ok()?.as_dictionary().ok()?;
    pairs.iter().map(|pair| Some(pair.ok()?.1.as_i64().ok())).collect()
}

/// Describes the difference from the record.
///
/// # Errors
/// Any error in the bytes.
pub(crate) fn compare(
    dialect: Dialect,
    case: &Case,
    document: &Document<'_>,
) -> Result<Option<String>> {
    let Some(kept) = kept(dialect, case) else { return Ok(Some("no record of pairs".to_owned())) };
    let root = document.root()?;
    let dictionary = root.as_dictionary()?;
    let owned = Variant::from_document(document)?;
    let pairs: Vec<_> = owned.as_dictionary().into_iter().flatten().collect();
    let are_kept = kept.len() == pairs.len()
        && kept
            .iter()
            .zip(&pairs)
            .all(|(kept, (_, own))| kept.is_none_or(|_| own.as_i64() == *kept));
    if !are_kept {
        return Ok(Some(format!("owned: {owned:?}")));
    }
    let mut tape = Tape::new();
    let on_tape = tape.read(*document)?;
    let is_one = pairs.len() < dictionary.len();
    // The value of the later key, if the keys are one.
    let last = kept.last().copied().flatten();
    for (pair, place) in dictionary.iter().zip(0..) {
        let (name, value) = pair?;
        let wanted = if is_one { last } else { value.as_i64().ok() };
        let by_value = owned.as_dictionary().and_then(|all| all.get_variant(&owned_key(&name)?));
        if by_value.is_some_and(|found| found.as_i64() != wanted) {
            return Ok(Some(format!("key {place} by its value: {by_value:?}")));
        }
        let Some(key) = key_of(&name) else { continue };
        let found = [
            ("view", dictionary.get(key)?.and_then(|found| found.as_i64().ok())),
            ("tape", on_tape.get(key)?.and_then(|found| found.as_i64().ok())),
            ("owned", owned.get(key).and_then(Variant::as_i64)),
        ];
        if let Some((who, found)) = found.into_iter().find(|(_, found)| *found != wanted) {
            return Ok(Some(format!("key {place} by {who}: {found:?}")));
        }
    }
    Ok(canonical(document, is_one))
}

fn owned_key(view: &VariantView<'_>) -> Option<Variant> {
    Variant::from_view(view).ok()
}

/// The result of the canonical profile, if it gets as far as the keys.
fn canonical(document: &Document<'_>, is_one: bool) -> Option<String> {
    let options = document.options().profile(Profile::Canonical);
    let verdict = Document::new(document.bytes(), options).validate();
    let may_be_many = || {
        let root = document.root().ok().and_then(|root| root.as_dictionary().ok());
        let mut keys = root.into_iter().flatten().filter_map(|pair| pair.ok().map(|(key, _)| key));
        keys.all(|key| match key.kind() {
            Kind::Callable => true,
            Kind::Rid => !document.options().dialect.writes_rids(),
            _ => false,
        })
    };
    match verdict.map_err(|error| error.kind()) {
        Ok(_) if is_one && !may_be_many() => Some("canonical: two keys".to_owned()),
        Err(ErrorKind::NotCanonical(NotCanonical::DuplicateKey)) if !is_one => {
            Some("canonical: one key".to_owned())
        }
        _ => None,
    }
}
