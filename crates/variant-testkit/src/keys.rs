//! Compares look-ups with the records of dictionaries that have equal or nearly equal keys. The look-ups are by a view,
//! a tape, the canonical profile, and an owned dictionary.

use serde_json::Value;
use variant_owned::Variant;
use variant_view::{
    Dialect, Document, ErrorKind, Kind, NotCanonical, Options, Profile, Result, Tape,
};

use crate::corpus::{Case, Expected};
use crate::tape::key_of;

/// The values that the engine has kept. A value is `None` if the engine does not find it again. The result is `None` if
/// the record lacks the values.
fn kept(dialect: Dialect, case: &Case) -> Option<Vec<Option<i64>>> {
    if let Expected::Tagged(value) = &case.value {
        let pairs = value.get("v")?.as_array()?;
        return Some(
            pairs.iter().map(|pair| pair.get(1)?.get("v").and_then(Value::as_i64)).collect(),
        );
    }
    let written = Document::new(case.rewritten.as_deref()?, Options::engine(dialect));
    let pairs = written.root().ok()?.as_dictionary().ok()?;
    pairs.iter().map(|pair| Some(pair.ok()?.1.as_i64().ok())).collect()
}

/// The difference between the look-ups and the record, if any.
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
    // If the keys are equal, the value of the later key remains.
    let last = kept.last().copied().flatten();
    for (pair, place) in dictionary.iter().zip(0..) {
        let (name, value) = pair?;
        let wanted = if is_one { last } else { value.as_i64().ok() };
        let own = Variant::from_view(&name)?;
        let by_value = owned.as_dictionary().and_then(|all| all.get_variant(&own));
        if by_value.is_some_and(|found| found.as_i64() != wanted) {
            return Ok(Some(format!("key {place} by its value: {by_value:?}")));
        }
        let Some(key) = key_of(&name) else { continue };
        let found = [
            ("view", dictionary.get(key)?.and_then(|found| found.as_i64().ok())),
            ("tape", on_tape.get(key)?.and_then(|found| found.view().as_i64().ok())),
            ("owned", owned.get(key).and_then(Variant::as_i64)),
        ];
        if let Some((who, found)) = found.into_iter().find(|(_, found)| *found != wanted) {
            return Ok(Some(format!("key {place} by {who}: {found:?}")));
        }
    }
    Ok(canonical(document, is_one))
}

/// The difference between the canonical profile and the record. `None` if there is no difference, or if validation ends
/// before the keys.
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
