//! [`hidden`]: finds values that a path of names does not reach, since a later key of the container equals their key.

use std::collections::HashMap;

use variant_owned::{Dictionary, KeyRule, Variant};
use variant_view::{Document, Error, Key, Kind, Reader, VariantView};

use super::key_of;

/// The form in which keys are compared.
#[derive(PartialEq, Eq, Hash)]
enum Identity<'a> {
    Int(i64),
    String(&'a [u8]),
    StringName(&'a [u8]),
    /// The number of a key of any other kind. Keys that the engine treats as equal have one number.
    Other(i64),
}

struct Level<'a> {
    kind: Kind,
    items: u32,
    begun: u32,
    /// The offset of the value of each key.
    values: HashMap<Identity<'a>, usize>,
    /// The numbers of keys that are neither integers nor text.
    others: Dictionary,
    key: Option<Identity<'a>>,
}

/// The offsets of the hidden values of a document, sorted. In a damaged document, these are only the values before the
/// damage. O(bytes) expected.
pub(super) fn hidden(document: &Document<'_>) -> Vec<usize> {
    let mut found = Vec::new();
    // Damage is not reported here: the caller finds the same damage.
    let _ = collect(document, &mut found);
    found.sort_unstable();
    found
}

fn collect(document: &Document<'_>, found: &mut Vec<usize>) -> Result<(), Error> {
    let mut reader = Reader::new(document.bytes(), *document.options());
    let mut levels: Vec<Level<'_>> = Vec::new();
    let rule = KeyRule::of(document.options().dialect);
    levels.extend(value(&mut reader, rule)?.1);
    while let Some(level) = levels.last_mut() {
        if level.begun == level.items {
            reader.exit();
            levels.pop();
            continue;
        }
        let is_key = level.kind == Kind::Dictionary && level.begun.is_multiple_of(2);
        level.begun = level.begun.saturating_add(1);
        if level.kind == Kind::Object {
            level.key = Some(Identity::String(reader.name()?.engine_bytes()));
        }
        let start = reader.offset();
        if let Some(key) = level.key.take().filter(|_| !is_key)
            && let Some(before) = level.values.insert(key, start)
        {
            found.push(before);
        }
        let (view, inner) = value(&mut reader, rule)?;
        if is_key {
            level.key = identity(&view, &mut level.others);
        }
        levels.extend(inner);
    }
    Ok(())
}

/// Reads the next value. If it is a container, also returns its level.
fn value<'a>(
    reader: &mut Reader<'a>,
    rule: KeyRule,
) -> Result<(VariantView<'a>, Option<Level<'a>>), Error> {
    let (view, items) = reader.next_value()?;
    let kind = view.kind();
    let open = |items| {
        let others = Dictionary::with_rule(rule);
        Level { kind, items, begun: 0, values: HashMap::new(), others, key: None }
    };
    Ok((view, items.map(open)))
}

fn identity<'a>(key: &VariantView<'a>, others: &mut Dictionary) -> Option<Identity<'a>> {
    Some(match key_of(key) {
        Some(Key::Int(key)) => Identity::Int(key),
        Some(Key::String(key)) => Identity::String(key),
        Some(Key::StringName(key)) => Identity::StringName(key),
        _ => {
            let value = Variant::from_producer(*key).ok()?;
            let known = others.get_variant(&value).and_then(Variant::as_i64);
            let number = known.or_else(|| i64::try_from(others.len()).ok())?;
            others.insert(value, Variant::from(number));
            Identity::Other(number)
        }
    })
}
