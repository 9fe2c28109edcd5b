//! [`File`]: an open file in the module, used by the class `Document` of `js/document.js`.

mod change;
mod diff;
mod open;
mod report;
mod rows;
mod save;
mod text;

use variant_document::count::{counted, grouped};
use variant_document::edit::{Change, Draft, Rivals};
use variant_document::tree::{Child, Store, Walk};
use variant_document::{Patches, Plain};
use variant_io::{Damage, Key, Wrapping};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use self::open::given;
use crate::failure;
use crate::object::{Object, list};

/// An open file. Places of values are ways: the number of a value of the file, then that of a row below it, and so on.
#[wasm_bindgen]
#[derive(Debug)]
pub struct File {
    /// The plain bytes, with changes, and how they are read.
    draft: Draft<'static>,
    /// The layers around the plain bytes, and their key.
    wrapping: Wrapping,
    key: Option<Key>,
    damage: Vec<Damage>,
    notes: Vec<String>,
    /// Whether bytes or options determine how the file is read.
    is_certain: bool,
    /// The other engines that may have written the file; none if the reader named the dialect.
    rivals: Rivals,
    /// The cached places of values, until the next change.
    store: Store,
    done: Vec<Step>,
    undone: Vec<Step>,
}

/// A change with its inverse: to undo it, or to redo it if it was undone.
#[derive(Debug)]
struct Step {
    patches: Patches,
    changes: Vec<Change>,
}

#[wasm_bindgen]
impl File {
    /// How the file is read, and its layers.
    #[must_use]
    pub fn info(&self) -> JsValue {
        let file = self.draft.plain();
        let tail = (file.tail > 0).then(|| {
            let (bytes, from) = (counted(file.tail, "byte"), file.bytes.len().saturating_sub(file.tail));
            format!(
                "{bytes} from byte {} on belong to no value: not read, and kept; a checksum has to be made anew after a change",
                grouped(from)
            )
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
            .with("isChanged", !self.done.is_empty())
            .with("canUndo", !self.done.is_empty())
            .with("canRedo", !self.undone.is_empty())
            .into()
    }

    /// Reads the bytes in another way. Options not given stay; an empty name means none.
    ///
    /// # Errors
    /// No dialect or framing of that name; more bytes to skip than the file has.
    pub fn reread(
        &mut self,
        dialect: &str,
        framing: &str,
        skipped: Option<usize>,
    ) -> Result<(), JsValue> {
        let mut how = self.draft.plain();
        if let Some(name) = given(dialect) {
            how.options.dialect = open::dialect(name)?;
        }
        if let Some(name) = given(framing) {
            how.framing = open::framing(name)?;
        }
        how.skipped = skipped.unwrap_or(how.skipped);
        if how.skipped > self.draft.bytes().len() {
            return Err(failure::plain("format", "the file has fewer bytes than are skipped"));
        }
        let framing = how.framing.of_dialect(how.options.dialect);
        let guess = framing.examine(how.without_tail(0).body());
        let options = how.options.reals(open::reals(&guess, how.options.dialect));
        let how = Plain::new(how.bytes, framing, options).skip(how.skipped).find_tail();
        let how = how.with_bytes(&[]);
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

/// The values from that of the file to the one at a way, each with its number among its siblings.
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

/// The value at a way.
fn child<'a>(file: Plain<'a>, way: &[usize], store: &mut Store) -> Result<Child<'a>, JsValue> {
    chain(file, way, store)?.pop().map(|(_, child)| child).ok_or_else(nothing)
}

fn nothing() -> JsValue {
    failure::plain("path", "nothing is there; a change moves what is behind it")
}
