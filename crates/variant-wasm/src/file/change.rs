//! Changes of a file, and undo.

use js_sys::Array;
use variant_document::edit::{Action, Change, Edit, kind_after, literal};
use variant_document::tree::{Child, Label, Store};
use variant_document::{EditError, Patches};
use variant_owned::Variant;
use variant_view::{Dialect, PathStep, write_path};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::rows::address;
use super::{File, chain, child};
use crate::codec::Codec;
use crate::failure;
use crate::object::{self, Object, count, list};

/// Changes that [`File::edit`] makes as one step.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Edits {
    list: Vec<Edit>,
    dialect: Dialect,
}

#[wasm_bindgen]
impl Edits {
    /// Adds a change of the values at a path: `set`, `insert`, `delete` or `rename`. The path is in value number `frame` of
    /// the file, counted from 1; without a number, in each value of the file. The new value is that of the literal `text`
    /// or, without one, the given value ([`Codec::given`]). The new key is `text`.
    ///
    /// # Errors
    /// A `VariantError` of class `literal`.
    pub fn add(
        &mut self,
        action: &str,
        frame: Option<u32>,
        path: String,
        text: Option<String>,
        len: usize,
    ) -> Result<(), JsValue> {
        let action = match action {
            "delete" => Action::Delete,
            "rename" => Action::RenameKey(text.unwrap_or_default()),
            "insert" => Action::Insert(value_of(text, len, self.dialect)?),
            "set" => Action::Set(value_of(text, len, self.dialect)?),
            other => return Err(failure::plain("option", other)),
        };
        self.list.push(Edit { frame: frame.map(u64::from), path, action });
        Ok(())
    }
}

#[wasm_bindgen]
impl File {
    /// An empty list of changes.
    #[must_use]
    pub fn edits(&self) -> Edits {
        Edits { list: Vec::new(), dialect: self.draft.dialect() }
    }

    /// Makes changes as one step. Returns the first changes of values.
    ///
    /// # Errors
    /// A `VariantError` of class `path` or `edit`. The file is then unchanged.
    pub fn edit(&mut self, edits: &Edits) -> Result<JsValue, JsValue> {
        self.draft.is_of_each = true;
        let made = self.history.make(&mut self.draft, &self.rivals, &edits.list);
        let path = match edits.list.as_slice() {
            [edit] => Some(edit.path.as_str()),
            _ => None,
        };
        let made = made.map(told).map_err(|error| refused(&error, path));
        self.store = Store::default();
        made
    }

    /// The kind that a value would have instead of the value that `way` leads to.
    ///
    /// # Errors
    /// `way` leads to no value; a `VariantError` of class `literal`.
    #[wasm_bindgen(js_name = kindOf)]
    pub fn kind_of(
        &mut self,
        way: &[usize],
        text: Option<String>,
        len: usize,
    ) -> Result<String, JsValue> {
        let value = value_of(text, len, self.draft.dialect())?;
        let child = child(self.draft.plain(), way, &mut self.store)?;
        let old = child.spot.view().map_err(|error| failure::plain("path", &error.to_string()))?;
        Ok(kind_after(value, &old).name().to_owned())
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
        let made = self.history.apply(&mut self.draft, patches, changes);
        let made = made.map(told).map_err(|error| refused(&error, None));
        self.store = Store::default();
        made
    }

    /// Undoes the last step. Returns an empty list if there is no step.
    ///
    /// # Errors
    /// Never, for the changes of this file.
    pub fn undo(&mut self) -> Result<JsValue, JsValue> {
        self.store = Store::default();
        step(self.history.undo(&mut self.draft))
    }

    /// Redoes the last undone step. Returns an empty list if no step was undone.
    ///
    /// # Errors
    /// Never, for the changes of this file.
    pub fn redo(&mut self) -> Result<JsValue, JsValue> {
        self.store = Store::default();
        step(self.history.redo(&mut self.draft))
    }

    /// The changes that were not undone, in order.
    #[must_use]
    pub fn changes(&self) -> JsValue {
        list(self.history.changes().map(object::change))
    }
}

/// The value of a literal or, without one, the given value.
fn value_of(text: Option<String>, len: usize, dialect: Dialect) -> Result<Variant, JsValue> {
    match text {
        None => Codec::given(len, dialect),
        Some(text) => literal(&text, dialect).map_err(|error| failure::plain("literal", &error)),
    }
}

/// The changes of a step that was undone or redone.
fn step(step: Result<Option<&[Change]>, EditError>) -> Result<JsValue, JsValue> {
    step.map(|changes| told(changes.unwrap_or_default())).map_err(|error| refused(&error, None))
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
            Label::Element(position)
            | Label::Pair { position, .. }
            | Label::Property { position, .. } => steps.push(PathStep::Position(position)),
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
