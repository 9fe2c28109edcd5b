//! [`Migration`]: steps that bring old saves to the newest version of a game, for `js/migration.js`.

use js_sys::Uint8Array;
use variant_document::edit::Draft;
use variant_document::migration::{self, MigrationError, Version};
use variant_owned::{EncodeOptions, Variant, encode};
use variant_view::{Document, Limits, Options};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::object::{self, Object, list};
use crate::reading::{reading, too_short};
use crate::{failure, options};

/// A file of steps.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Migration {
    steps: migration::Migration,
}

#[wasm_bindgen]
impl Migration {
    /// Reads a file of steps. `name` is its name in messages.
    ///
    /// # Errors
    /// A `VariantError` of class `migration`, with the line and the column of the fault.
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str, name: &str) -> Result<Self, JsValue> {
        let steps = migration::Migration::parse(text, name);
        Ok(Self { steps: steps.map_err(|error| refused(&error))? })
    }

    /// The version that all migrations lead to.
    #[must_use]
    pub fn newest(&self) -> JsValue {
        version(self.steps.newest())
    }

    /// The versions that can be migrated, and the newest.
    #[must_use]
    pub fn versions(&self) -> JsValue {
        list(self.steps.versions().map(version))
    }

    /// Migrates the value of a packet to the newest version. Returns the new packet. O(steps × bytes).
    ///
    /// # Errors
    /// A `VariantError` of class `migration`.
    pub fn apply(&self, packet: &[u8], dialect: u32) -> Result<Vec<u8>, JsValue> {
        let dialect = options::dialect(dialect)?;
        let options = Options::engine(dialect).limits(Limits::FILE);
        let old = Document::new(packet, options);
        let value = Variant::from_document(&old);
        let mut value = value.map_err(|error| failure::read(&old, &error))?;
        let applied = self.steps.apply(&mut value, dialect);
        applied.map_err(|error| refused(&error))?;
        encode(&value, EncodeOptions::new(dialect)).map_err(|error| failure::write(&error))
    }

    /// Migrates the values in `bytes`, the plain bytes of a file, to the newest version. Returns the new bytes and the
    /// changes, or `undefined` if all values have the newest version. Parts that no step changes keep their bytes.
    /// O(steps × bytes).
    ///
    /// # Errors
    /// A `VariantError` of class `migration`; an unknown name of a dialect or framing; fewer bytes than `skipped`.
    pub fn migrate(
        &self,
        bytes: &[u8],
        dialect: &str,
        framing: &str,
        skipped: usize,
    ) -> Result<JsValue, JsValue> {
        let known = reading(dialect, framing, skipped)?;
        let chosen = known.with_reals_of(bytes).choose(bytes).map_err(too_short)?;
        let mut draft = Draft::new(chosen.plain);
        self.steps.migrate(&mut draft).map_err(|error| {
            failure::refused("migration", &error.to_string(), error.offset(), None)
        })?;
        if draft.bytes() == bytes {
            return Ok(JsValue::UNDEFINED);
        }
        let changes = list(draft.changes.first.iter().map(object::change));
        let bytes = Uint8Array::from(draft.bytes());
        Ok(Object::new().with("bytes", bytes).with("changes", changes).into())
    }
}

/// The exception for an error in a file of steps, or in a value, whose path it has.
fn refused(error: &MigrationError) -> JsValue {
    let path = Some(error.path()).filter(|path| !path.is_empty());
    failure::refused("migration", &error.to_string(), None, path)
}

/// A number becomes a Number or, beyond 32 bits, a `BigInt`.
fn version(version: &Version) -> JsValue {
    match version {
        Version::Number(number) => {
            i32::try_from(*number).map_or_else(|_| (*number).into(), Into::into)
        }
        Version::Text(text) => text.into(),
    }
}
