//! Objects and arrays of JavaScript.

use js_sys::{Array, Object as JsObject, Reflect};
use variant_document::edit::Change;
use wasm_bindgen::JsValue;

/// A plain object that is being filled.
#[derive(Debug)]
pub(crate) struct Object(JsObject);

impl Object {
    pub(crate) fn new() -> Self {
        Self(JsObject::new())
    }

    /// Sets a property. This cannot fail, since a new object accepts every property.
    pub(crate) fn with(self, name: &str, value: impl Into<JsValue>) -> Self {
        let _ = Reflect::set(&self.0, &JsValue::from_str(name), &value.into());
        self
    }

    /// Sets a property, if there is a value.
    pub(crate) fn with_some(self, name: &str, value: Option<impl Into<JsValue>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }
}

impl From<Object> for JsValue {
    fn from(object: Object) -> Self {
        object.0.into()
    }
}

/// An array of the converted items.
pub(crate) fn list<T: Into<JsValue>>(items: impl IntoIterator<Item = T>) -> JsValue {
    items.into_iter().map(Into::into).collect::<Array>().into()
}

/// A count as a Number. Addresses of the module's memory have 32 bits, so counts fit into 32 bits.
#[cfg(feature = "files")]
pub(crate) fn count(count: u64) -> JsValue {
    u32::try_from(count).unwrap_or(u32::MAX).into()
}

/// The object for a change of a file.
pub(crate) fn change(change: &Change) -> Object {
    Object::new()
        .with_some("called", change.called.as_ref())
        .with("path", &change.path)
        .with_some("before", change.before.as_ref())
        .with_some("after", change.after.as_ref())
}

/// Reads a change from an object that [`change`] made.
#[cfg(feature = "files")]
pub(crate) fn read_change(object: &JsValue) -> Option<Change> {
    let text = |name| Reflect::get(object, &JsValue::from_str(name)).ok()?.as_string();
    let (called, before, after) = (text("called"), text("before"), text("after"));
    Some(Change { called, path: text("path")?, before, after })
}
