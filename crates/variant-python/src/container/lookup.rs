//! [`Lookup`]: finds values by their keys.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString};
use variant_view::{Document, Key, KeyRule, Kind, Leaf, Reader, VariantView};

use super::View;
use crate::classes::classes;
use crate::key::Digest;
use crate::place::Place;
use crate::text;

/// The number of look-ups that search the bytes of the container. The next look-up makes a table of all keys, which
/// later look-ups use.
const PASSES: u32 = 8;

/// The keys of a dictionary or object, by their digests.
#[derive(Default)]
pub(super) struct Lookup {
    asked: AtomicU32,
    table: PyOnceLock<HashMap<Digest, usize>>,
}

impl Lookup {
    /// The place of the value of a key. O(bytes of the container) for the first few keys, then O(1).
    pub(super) fn find(
        &self,
        py: Python<'_>,
        view: &View,
        key: &Bound<'_, PyAny>,
    ) -> PyResult<Option<Place>> {
        let rule = KeyRule::of(view.place.options.dialect);
        let is_first = self.asked.load(Ordering::Relaxed) < PASSES;
        if is_first {
            self.asked.fetch_add(1, Ordering::Relaxed);
            if let Found::Told(found) = in_one_pass(py, view, key)? {
                return Ok(found);
            }
        }
        let Ok(wanted) = Digest::of_value(key, Some(rule)) else { return Ok(None) };
        let table = self.table.get_or_try_init(py, || table(py, view, rule))?;
        Ok(table.get(&wanted).map(|value| view.place.inner(*value, 1)))
    }
}

/// The result of a pass over the bytes.
enum Found {
    Told(Option<Place>),
    NotAsked,
}

/// Finds the place of the value of a key by one pass over the bytes. `NotAsked` if the bytes cannot be searched for
/// keys of this type.
fn in_one_pass(py: Python<'_>, view: &View, key: &Bound<'_, PyAny>) -> PyResult<Found> {
    let head = view.head(py)?;
    let get = |key: Key<'_>| {
        let value = head.get(key).map_err(|error| view.place.failure(py, error))?;
        Ok(Found::Told(value.map(|value| view.place.inner(value.offset(), 1))))
    };
    if let Ok(string) = key.cast::<PyString>() {
        let Ok(text) = text::written(string) else { return Ok(Found::Told(None)) };
        let is_name = key.is_instance(classes(py)?.string_name.bind(py))?;
        return get(if is_name { Key::StringName(&text) } else { Key::String(&text) });
    }
    if key.is_none() {
        return get(Key::Nil);
    }
    if let Ok(key) = key.cast::<PyBool>() {
        return get(Key::Bool(key.is_true()));
    }
    if key.is_instance_of::<PyInt>() {
        return key.extract().map_or(Ok(Found::Told(None)), |key| get(Key::Int(key)));
    }
    key.cast::<PyFloat>().map_or(Ok(Found::NotAsked), |key| get(Key::Float(key.value())))
}

/// The table of all keys. The last of equal keys counts.
fn table(py: Python<'_>, view: &View, rule: KeyRule) -> PyResult<HashMap<Digest, usize>> {
    let index = view.index(py)?;
    let is_object = matches!(view.head(py)?, VariantView::Object(_));
    let mut table = HashMap::new();
    for (key, value) in index.keys.iter().zip(&index.values) {
        let place = view.place.inner(*key, 1);
        let digest = if is_object { name(py, &place, rule) } else { digest(py, &place, rule)? };
        table.extend(digest.map(|digest| (digest, *value)));
    }
    Ok(table)
}

/// The digest of the key at `place`.
fn digest(py: Python<'_>, place: &Place, rule: KeyRule) -> PyResult<Option<Digest>> {
    let document: Document<'_> = place.document(py);
    let kind = place.kind(py)?;
    if matches!(
        kind,
        Kind::Array | Kind::TypedArray | Kind::PackedTypedArray | Kind::Dictionary | Kind::Object
    ) {
        return Digest::of_value(&place.to_key(py)?, Some(rule)).map(Some);
    }
    Ok(Digest::of_leaf(document, rule))
}

/// The digest of the name of a property.
fn name(py: Python<'_>, place: &Place, rule: KeyRule) -> Option<Digest> {
    let name = Reader::new(place.bytes(py), place.options).name().ok()?;
    Some(Digest::of_text(Leaf::String(name.as_bytes()), rule))
}
