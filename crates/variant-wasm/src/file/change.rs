//! Changes of a file, and undo.

use js_sys::Array;
use variant_document::edit::{Action, Change, Changes, Edit, literal};
use variant_document::tree::{Child, Label, Store};
use variant_document::{EditError, Patches};
use variant_owned::Variant;
use variant_view::{PathStep, write_path};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::rows::address;
use super::{File, Step, chain};
use crate::codec::Codec;
use crate::failure;
use crate::object::{self, Object, count, list};

#[wasm_bindgen]
impl File {
    /// Replaces the values at a path by the value of a literal or, without one, by the given value ([`Codec::given`]). The
    /// path is in value number `frame` of the file, counted from 1.
    ///
    /// # Errors
    /// A `VariantError` of class `literal`, `path` or `edit`. The file is then unchanged.
    pub fn set(
        &mut self,
        frame: u32,
        path: String,
        text: Option<String>,
        len: usize,
    ) -> Result<JsValue, JsValue> {
        let value = self.value_of(text, len)?;
        self.make(frame, path, Action::Set(value))
    }

    /// Adds a value, like [`File::set`]. The last step of the path is the key or the index of the new value, or `[+]`.
    ///
    /// # Errors
    /// Those of [`File::set`].
    pub fn insert(
        &mut self,
        frame: u32,
        path: String,
        text: Option<String>,
        len: usize,
    ) -> Result<JsValue, JsValue> {
        let value = self.value_of(text, len)?;
        self.make(frame, path, Action::Insert(value))
    }

    /// Removes the values at a path.
    ///
    /// # Errors
    /// Those of [`File::set`].
    pub fn delete(&mut self, frame: u32, path: String) -> Result<JsValue, JsValue> {
        self.make(frame, path, Action::Delete)
    }

    /// Replaces the keys of the values at a path.
    ///
    /// # Errors
    /// Those of [`File::set`].
    #[wasm_bindgen(js_name = renameKey)]
    pub fn rename_key(
        &mut self,
        frame: u32,
        path: String,
        key: String,
    ) -> Result<JsValue, JsValue> {
        self.make(frame, path, Action::RenameKey(key))
    }

    /// Returns the frame (from 1) and the path of the value that `way` leads to. The path has positions instead of
    /// keys, since two keys may be equal. So a change at the path affects only this value.
    ///
    /// # Errors
    /// `way` leads to no value, or the value is inside a byte array.
    pub fn address(&mut self, way: &[usize]) -> Result<JsValue, JsValue> {
        let chain = chain(self.draft.plain(), way, &mut self.store)?;
        let (frame, path) = address(&chain);
        if matches!(chain.last(), Some((_, Child { label: Label::Inside, .. }))) {
            return Err(failure::refused("edit", IS_INSIDE, None, Some(&path)));
        }
        let path = positions(&chain);
        Ok(Object::new().with("frame", count(frame.max(1))).with("path", path).into())
    }

    /// Replaces the plain bytes, as one change. `changes` are the changes that the new bytes have, as objects.
    ///
    /// # Errors
    /// The dialect is uncertain, and the candidates write the new bytes differently. The file is then unchanged.
    pub fn replace(&mut self, bytes: Vec<u8>, changes: &Array) -> Result<JsValue, JsValue> {
        let before = self.draft.plain();
        let rivals = self.rivals.check_changed(before, before.with_bytes(&bytes));
        rivals.map_err(|error| refused(&error, None))?;
        let changes = changes.iter().filter_map(|change| object::read_change(&change)).collect();
        let mut patches = Patches::default();
        patches.replace(0..before.bytes.len(), bytes);
        let step = self.apply(Step { patches, changes })?;
        Ok(self.did(step))
    }

    /// Undoes the last change. Returns an empty list if there is no change.
    ///
    /// # Errors
    /// Never, for the changes of this file.
    pub fn undo(&mut self) -> Result<JsValue, JsValue> {
        let Some(step) = self.done.pop() else { return Ok(told(&[])) };
        let step = self.apply(step)?;
        let answer = told(&step.changes);
        self.undone.push(step);
        Ok(answer)
    }

    /// Redoes the last undone change. Returns an empty list if no change was undone.
    ///
    /// # Errors
    /// Never, for the changes of this file.
    pub fn redo(&mut self) -> Result<JsValue, JsValue> {
        let Some(step) = self.undone.pop() else { return Ok(told(&[])) };
        let step = self.apply(step)?;
        let answer = told(&step.changes);
        self.done.push(step);
        Ok(answer)
    }

    /// The changes that were not undone, in order.
    #[must_use]
    pub fn changes(&self) -> JsValue {
        list(self.done.iter().flat_map(|step| &step.changes).map(object::change))
    }
}

impl File {
    fn value_of(&self, text: Option<String>, len: usize) -> Result<Variant, JsValue> {
        let dialect = self.draft.dialect();
        match text {
            None => Codec::given(len, dialect),
            Some(text) => {
                literal(&text, dialect).map_err(|error| failure::plain("literal", &error))
            }
        }
    }

    fn make(&mut self, frame: u32, path: String, action: Action) -> Result<JsValue, JsValue> {
        let edit = Edit { frame: Some(frame.into()), path, action };
        self.draft.changes = Changes::default();
        let patches = self.rivals.make(&mut self.draft, &edit);
        let patches = patches.map_err(|error| refused(&error, Some(&edit.path)))?;
        let changes = std::mem::take(&mut self.draft.changes).first;
        Ok(self.did(Step { patches, changes }))
    }

    /// Keeps the step that undoes a change. Returns the changes.
    fn did(&mut self, step: Step) -> JsValue {
        let answer = told(&step.changes);
        self.done.push(step);
        self.undone.clear();
        self.store = Store::default();
        answer
    }

    /// Applies a step. Returns the inverse step.
    fn apply(&mut self, step: Step) -> Result<Step, JsValue> {
        let Step { patches, changes } = step;
        let back = self.draft.apply(patches);
        let patches = back.map_err(|error| failure::plain("edit", &error.to_string()))?;
        self.store = Store::default();
        Ok(Step { patches, changes })
    }
}

const IS_INSIDE: &str =
    "the value is all that a byte array holds: change a value in it, or the array";

/// The error for a refused change.
pub(super) fn refused(error: &EditError, path: Option<&str>) -> JsValue {
    let mut message = error.to_string();
    if !error.candidates().is_empty() {
        message.push_str("; name the dialect that the file is to be read as");
    }
    failure::refused("edit", &message, error.offset(), path)
}

/// The path of the last value of a chain, with positions instead of keys.
fn positions(chain: &[(usize, Child<'_>)]) -> String {
    let mut steps = Vec::new();
    for (_, child) in chain {
        match child.label {
            Label::Element(index) => steps.push(PathStep::Number(index.into())),
            Label::Pair { position, .. } | Label::Property { position, .. } => {
                steps.push(PathStep::Position(position));
            }
            Label::Key(position) => {
                // The step to a key replaces the step to its pair.
                steps.pop();
                steps.push(PathStep::PositionKey(position));
            }
            Label::Piece(_) | Label::Value | Label::Inside | Label::Match { .. } => {}
        }
    }
    let mut path = String::new();
    // Writing to a string cannot fail.
    let _ = write_path(&mut path, steps);
    path
}

fn told(changes: &[Change]) -> JsValue {
    list(changes.iter().map(object::change))
}
