//! Opens a file: removes its layers, and chooses its framing and dialect.

use variant_document::edit::{Draft, History};
use variant_document::tree::Store;
use variant_document::{Chosen, layer_notes};
use variant_io::{Fit, Framing, Guess, Key, OpenError, OpenOptions, Verdict, open_bytes};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::File;
use crate::failure;
use crate::object::{Object, list};
use crate::reading::{reading, too_short};

/// A buffer of the module. JavaScript fills it with the bytes of a file to open.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Buffer {
    bytes: Vec<u8>,
}

#[wasm_bindgen]
impl Buffer {
    /// A buffer of `len` bytes.
    ///
    /// # Errors
    /// The module's memory has 4 GiB at most.
    #[wasm_bindgen(constructor)]
    pub fn new(len: usize) -> Result<Self, JsValue> {
        let mut bytes = Vec::new();
        let is_too_large = bytes.try_reserve_exact(len).is_err();
        if is_too_large {
            return Err(failure::plain("limit", "the file is too large for the module's memory"));
        }
        bytes.resize(len, 0);
        Ok(Self { bytes })
    }

    /// The address of the bytes.
    #[must_use]
    pub fn address(&self) -> usize {
        self.bytes.as_ptr().addr()
    }
}

/// The maximum number of unpacked bytes: half of the module's memory.
const MOST_UNPACKED: u64 = 1 << 31;

#[wasm_bindgen]
impl File {
    /// Opens a file. The key of an encrypted file is its password, or 32 bytes. An empty string for the dialect or
    /// framing means that the option is omitted.
    ///
    /// # Errors
    /// A `VariantError` of class `locked` if the key is missing, `layer` if the key is wrong or a layer is damaged, `format`
    /// if the file has another format.
    #[wasm_bindgen(constructor)]
    pub fn open(
        buffer: Buffer,
        dialect_name: &str,
        framing_name: &str,
        password: Option<String>,
        key: Option<Box<[u8]>>,
        skipped: usize,
        is_lenient: bool,
    ) -> Result<Self, JsValue> {
        let key = key_of(password, key)?;
        let layers = OpenOptions::new().max_len(MOST_UNPACKED).lenient(is_lenient);
        let layers = key.iter().fold(layers, |layers, key| layers.key(key.clone()));
        let reading = reading(dialect_name, framing_name, skipped)?;
        let opened = open_bytes(buffer.bytes, &layers).map_err(|error| refused(&error))?;
        let (skipped, _) = reading.ends(opened.len()).map_err(too_short)?;
        let body = opened.get(skipped..).unwrap_or_default();
        if let Some(what) = reading.other_format(opened.layers(), body) {
            return Err(failure::plain("format", &format!("this is {what}")));
        }
        let chosen = reading.with_reals_of(&opened).choose(&opened).map_err(too_short)?;
        let (is_certain, rivals) = (chosen.is_certain(), chosen.rivals());
        let mut notes = layer_notes(&opened);
        notes.extend(tied(&chosen));
        let how = chosen.plain.with_bytes(&[]);
        let (wrapping, damage) = (opened.wrapping().clone(), opened.damage().to_vec());
        let draft = Draft::owned(opened.into_bytes(), how);
        let store = Store::default();
        let history = History::default();
        let element = Vec::new();
        Ok(Self {
            draft,
            wrapping,
            key,
            damage,
            notes,
            is_certain,
            rivals,
            store,
            history,
            element,
        })
    }

    /// The candidates for framing and dialect, the likeliest first. O(bytes).
    #[must_use]
    pub fn detect(&self) -> JsValue {
        let detection = Framing::detect(self.draft.plain().body());
        list(detection.ranked().into_iter().flat_map(candidates))
    }
}

/// The names of the other dialects that fit as well as the chosen dialect.
fn tied(chosen: &Chosen<'_>) -> Option<String> {
    let (guess, Verdict::Tied(fit)) = (chosen.guess()?, chosen.verdict()?) else { return None };
    let rivals: Vec<_> = guess.dialects().rivals(fit).map(|fit| fit.dialect().name()).collect();
    Some(format!(
        "{} is the likeliest dialect; these also fit: {}",
        fit.dialect(),
        rivals.join(", ")
    ))
}

/// The candidates for the dialect of a file with this framing, the likeliest first.
fn candidates(guess: &Guess) -> Vec<Object> {
    let of_framing = guess.reason().to_string();
    let candidate = |fit: &Fit| {
        let why = fit.reasons().next().map(|why| format!("; {why}"));
        Object::new()
            .with("framing", guess.framing().name())
            .with("dialect", fit.dialect().name())
            .with("isWhole", fit.is_complete())
            .with("reason", format!("{of_framing}{}", why.unwrap_or_default()))
    };
    guess.dialects().iter().map(candidate).collect()
}

/// The key in the options.
#[expect(clippy::needless_pass_by_value, reason = "JavaScript passes owned values")]
pub(super) fn key_of(
    password: Option<String>,
    key: Option<Box<[u8]>>,
) -> Result<Option<Key>, JsValue> {
    let key = Key::given(password.as_deref(), key.as_deref());
    key.map_err(|why| failure::plain("option", why))
}

fn refused(error: &OpenError) -> JsValue {
    let class = if matches!(error, OpenError::NoKey(_)) { "locked" } else { "layer" };
    failure::plain(class, &error.to_string())
}
