//! Brings the changes of another file into a file.

use js_sys::Uint8Array;
use variant_document::edit::Draft;
use variant_document::merge::{Conflict, Conflicts, Merged, Side, merge};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::File;
use super::change::refused;
use crate::failure;
use crate::object::{self, Object, count, list};
use crate::reading::given;

#[wasm_bindgen]
impl File {
    /// The plain bytes of the file with the values of `other`, and the changes. With `has_base`, only the changes that
    /// lead from `base` to `other`. `undefined` if nothing changes. O(bytes of the files) expected.
    ///
    /// The base is not an `Option`, since JavaScript cannot lend the module an optional file.
    ///
    /// # Errors
    /// A `VariantError` of class `edit`: damage; a frame or setting that only one of the files has; without a side to
    /// prefer, values that both files changed in different ways. Of class `encode`: a value of `other` would lose something.
    pub fn merge(
        &self,
        other: &File,
        base: &File,
        has_base: bool,
        prefer: &str,
        is_lossy: bool,
    ) -> Result<JsValue, JsValue> {
        let side = side(given(prefer))?;
        let mut draft = Draft::new(self.draft.plain());
        let base = has_base.then(|| base.draft.plain());
        let merged = merge(&mut draft, other.draft.plain(), base, side.unwrap_or(Side::Ours));
        let refused = |error| self.damage().unwrap_or_else(|| refused(&error, None));
        let Merged { conflicts: Conflicts { first, count }, losses } = merged.map_err(refused)?;
        let lost = losses.first.iter().find(|loss| loss.has_lost && !is_lossy);
        if let Some(lost) = lost {
            let message = format!("{}; lossy: true accepts that", lost.message);
            return Err(failure::refused("encode", &message, None, Some(&lost.path)));
        }
        if let (Some(conflict), None) = (first.first(), side) {
            return Err(conflicting(conflict, &first, count));
        }
        if draft.bytes() == self.draft.bytes() {
            return Ok(JsValue::UNDEFINED);
        }
        let changes = list(draft.changes.first.iter().map(object::change));
        let bytes = Uint8Array::from(draft.bytes());
        Ok(Object::new().with("bytes", bytes).with("changes", changes).into())
    }
}

fn side(name: Option<&str>) -> Result<Option<Side>, JsValue> {
    match name {
        None => Ok(None),
        Some("ours") => Ok(Some(Side::Ours)),
        Some("theirs") => Ok(Some(Side::Theirs)),
        Some(other) => {
            let message = format!("prefer: {other}; there are ours, theirs");
            Err(failure::plain("option", &message))
        }
    }
}

fn conflicting(first: &Conflict, all: &[Conflict], number: u64) -> JsValue {
    let path = if first.path.is_empty() { "the root" } else { &first.path };
    let values = if number == 1 { "1 value".to_owned() } else { format!("{number} values") };
    let message = format!(
        "both files changed {values} in different ways, such as {path}; prefer: \"ours\" or \"theirs\" takes one of them"
    );
    let error = failure::refused("edit", &message, None, Some(&first.path));
    failure::set(&error, "frame", &count(first.frame));
    failure::set(&error, "conflicts", &list(all.iter().map(conflict)));
    error
}

fn conflict(conflict: &Conflict) -> Object {
    Object::new()
        .with("frame", count(conflict.frame))
        .with("path", &conflict.path)
        .with_some("base", conflict.base.as_ref())
        .with_some("ours", conflict.ours.as_ref())
        .with_some("theirs", conflict.theirs.as_ref())
}
