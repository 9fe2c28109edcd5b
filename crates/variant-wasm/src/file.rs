//! [`File`]: an open file in the module, for the class `Document` of `js/document.js`.

mod change;
mod diff;
mod merge;
mod open;
mod report;
mod rows;
mod save;
mod select;
mod shown;
mod text;

use variant_document::Plain;
use variant_document::edit::{Draft, History, Rivals};
use variant_document::tree::{Child, Store, Walk};
use variant_io::{Damage, Key, Wrapping};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::failure;
use crate::object::{Object, count, list};
use crate::reading::{given, reading, too_short};

/// An open file. A *way* (`&[usize]`) is the place of a value in the tree: first the number of a value of the file,
/// then the number of a row below that value, and so on.
#[wasm_bindgen]
#[derive(Debug)]
pub struct File {
    /// The plain bytes with the changes, and the framing and options to read them.
    draft: Draft<'static>,
    /// The layers around the plain bytes, and their key.
    wrapping: Wrapping,
    key: Option<Key>,
    damage: Vec<Damage>,
    notes: Vec<String>,
    /// Whether dialect and framing are certain: the bytes or the options determine them.
    is_certain: bool,
    /// The other engines that may have written the file. Empty if the caller named the dialect.
    rivals: Rivals,
    /// The cached places of values, until the next change.
    store: Store,
    history: History,
    /// The element that JavaScript reads now, as a document: the file has no such bytes.
    element: Vec<u8>,
}

#[wasm_bindgen]
impl File {
    /// Describes the settings for reading the file, and its layers.
    #[must_use]
    pub fn info(&self) -> JsValue {
        let file = self.draft.plain();
        let tail = file.tail_note(0).map(|note| {
            format!("{note}; they are kept, and a checksum has to be computed again after a change")
        });
        Object::new()
            .with("isLocked", false)
            .with("dialect", file.options.dialect.name())
            .with("framing", file.framing.name())
            .with("isCertain", self.is_certain)
            .with("layers", list(self.wrapping.layers().iter().map(ToString::to_string)))
            .with("size", file.bytes.len())
            .with("skipped", file.skipped)
            .with("notes", list(self.notes.iter().chain(&tail)))
            .with("step", count(self.history.state()))
            .with("isChanged", !self.history.is_empty())
            .with("canUndo", !self.history.is_empty())
            .with("canRedo", self.history.can_redo())
            .into()
    }

    /// Reads the bytes with other options. An empty string leaves the dialect or framing unchanged.
    ///
    /// # Errors
    /// An unknown name of a dialect or framing; more bytes to skip than the file has.
    pub fn reread(
        &mut self,
        dialect: &str,
        framing: &str,
        skipped: Option<usize>,
    ) -> Result<(), JsValue> {
        let now = self.draft.plain();
        let mut known = reading(dialect, framing, skipped.unwrap_or(now.skipped))?;
        known.dialect = known.dialect.or(Some(now.options.dialect));
        known.framing = known.framing.or(Some(now.framing));
        let chosen = known.with_reals_of(now.bytes).choose(now.bytes).map_err(too_short)?;
        let how = chosen.plain.with_bytes(&[]);
        if given(dialect).is_some() {
            self.rivals = Rivals::default();
        }
        let draft = std::mem::replace(&mut self.draft, Draft::owned(Vec::new(), how));
        self.draft = Draft::owned(draft.into_bytes(), how);
        self.store = Store::default();
        self.is_certain = self.rivals.is_empty();
        Ok(())
    }
}

/// The values from the outermost value down to the value that `way` leads to, each with its position among its
/// siblings. `way` has these positions, from the root on.
fn chain<'a>(
    file: Plain<'a>,
    way: &[usize],
    store: &mut Store,
) -> Result<Vec<(usize, Child<'a>)>, JsValue> {
    let mut walk = Walk::to_way(file, way, store).ok_or_else(nothing)?;
    let chain = walk.chain();
    walk.keep(store);
    Ok(chain)
}

fn child<'a>(file: Plain<'a>, way: &[usize], store: &mut Store) -> Result<Child<'a>, JsValue> {
    chain(file, way, store)?.pop().map(|(_, child)| child).ok_or_else(nothing)
}

fn nothing() -> JsValue {
    failure::plain("path", "no value is at this place; a change moves the values after it")
}
