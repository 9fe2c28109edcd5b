//! Changes pairs of a dictionary, and keeps the order of the other pairs.

use std::mem;

use variant_owned::{Dictionary, Entry, Text, Variant};
use variant_view::{Dialect, Kind};

use super::error::Fault;
use super::tree::Refused;
use crate::edit::literal;

/// The pairs that replace a pair.
type Pairs = Vec<(Variant, Variant)>;

/// Gives a pair a new key. The new key has the kind of the old key.
pub(super) fn rename(
    dictionary: &mut Dictionary,
    position: u32,
    to: &str,
    dialect: Dialect,
) -> Result<(), Refused> {
    rebuild(dictionary, |at, key, value| {
        if at != position {
            return Ok(vec![(key, value)]);
        }
        let key = match key {
            Variant::String(_) | Variant::StringName(_) => text_like(&key, to),
            _ => literal(to, dialect)?,
        };
        Ok(vec![(key, value)])
    })
}

/// Splits the text of each pair at these positions in the dictionary. Each part of a text becomes a separate pair.
pub(super) fn split(
    dictionary: &mut Dictionary,
    positions: &[u32],
    by: &str,
    into: &[String],
) -> Result<(), Refused> {
    rebuild(dictionary, |at, key, value| {
        if positions.binary_search(&at).is_err() {
            return Ok(vec![(key, value)]);
        }
        let text = text_of(&value)?;
        let parts: Vec<_> = text.splitn(into.len(), by).collect();
        if parts.len() < into.len() {
            let (found, wanted) = (parts.len(), into.len());
            return Err(format!("{value} has {found} of {wanted} parts, split by {by:?}"));
        }
        let pair = |(name, part): (&String, &str)| (text_like(&key, name), text_like(&value, part));
        Ok(into.iter().zip(parts).map(pair).collect())
    })
}

/// Joins the texts of `keys` to one text with the key `new`. The new pair takes the position of the first of these
/// pairs. Returns false if the dictionary has none of the keys.
pub(super) fn join(
    dictionary: &mut Dictionary,
    new: &Variant,
    by: &str,
    keys: &[String],
) -> Result<bool, Fault> {
    let mut parts = Vec::new();
    for key in keys {
        parts.extend(dictionary.get(key.as_str()).map(text_of).transpose()?);
    }
    if parts.is_empty() {
        return Ok(false);
    }
    if parts.len() < keys.len() {
        let lacks = |key: &&String| !dictionary.contains_key(key.as_str());
        let missing = keys.iter().find(lacks).map_or("", String::as_str);
        return Err(format!("the dictionary has no key {missing:?} to join").into());
    }
    let mut joined = Some(Variant::from(parts.join(by)));
    // A name is another key than the text, unless the dialect does not distinguish them.
    let has_one_text_key = dictionary.rule().has_one_text_key();
    let rebuilt = rebuild(dictionary, |_, key, value| {
        let is_text = has_one_text_key || key.kind() == Kind::String;
        let text = key.as_str().filter(|_| is_text);
        let is_part = text.is_some_and(|text| keys.iter().any(|part| part == text));
        Ok(match (is_part, joined.take_if(|_| is_part)) {
            (false, _) => vec![(key, value)],
            (true, Some(joined)) => vec![(new.clone(), joined)],
            (true, None) => Vec::new(),
        })
    });
    rebuilt.map(|()| true).map_err(|(_, fault)| fault)
}

/// Replaces each pair by the pairs that `change` returns. Refuses the change if the result would have equal keys.
/// O(pairs) expected.
fn rebuild(
    dictionary: &mut Dictionary,
    mut change: impl FnMut(u32, Variant, Variant) -> Result<Pairs, String>,
) -> Result<(), Refused> {
    let mut changed = Dictionary::with_rule(dictionary.rule());
    changed.set_types(dictionary.key_type().clone(), dictionary.value_type().clone());
    changed.set_shared(dictionary.is_shared());
    for (at, (key, value)) in (0..).zip(mem::take(dictionary)) {
        let refused = |why: String| (Some(at), why.into());
        for (key, value) in change(at, key, value).map_err(refused)? {
            match changed.entry(key) {
                Entry::Vacant(place) => drop(place.insert(value)),
                Entry::Occupied(old) => {
                    return Err(refused(format!("the key {} exists already", old.key())));
                }
            }
        }
    }
    *dictionary = changed;
    Ok(())
}

/// A text as a `String` or a `StringName`, as `old` is.
fn text_like(old: &Variant, text: &str) -> Variant {
    let text = Text::from(text);
    if matches!(old, Variant::StringName(_)) { Variant::StringName(text) } else { text.into() }
}

fn text_of(value: &Variant) -> Result<&str, String> {
    value.as_str().ok_or_else(|| format!("{} is not a text; retype it first", value.kind()))
}
