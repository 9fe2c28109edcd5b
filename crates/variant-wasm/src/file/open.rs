//! Opens a file: removes its layers, chooses its framing and dialect.

use variant_document::edit::{Draft, Rivals};
use variant_document::tree::Store;
use variant_document::{Plain, magic};
use variant_io::{
    Dialects, Fit, Framing, GcpfHeader, Guess, Key, Layer, OpenError, OpenOptions, Verdict,
    open_bytes,
};
use variant_view::{Dialect, Limits, Options, Page, Reals};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::File;
use crate::failure;
use crate::object::{Object, list};

/// Bytes of the module that JavaScript fills, to open a file from.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Buffer {
    bytes: Vec<u8>,
}

#[wasm_bindgen]
impl Buffer {
    /// Room for `len` bytes.
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

    /// Where the bytes are.
    #[must_use]
    pub fn address(&self) -> usize {
        self.bytes.as_ptr().addr()
    }
}

/// The most bytes that are unpacked: half of the module's memory.
const MOST_UNPACKED: u64 = 1 << 31;

#[wasm_bindgen]
impl File {
    /// Opens a file. The key of an encrypted one is its password, or 32 bytes. An empty name means none.
    ///
    /// # Errors
    /// A `VariantError` of class `locked` if a key is missing, `layer` if one is wrong or a layer is damaged, `format`
    /// if the file is of another format.
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
        let given = Given {
            dialect: given(dialect_name).map(dialect).transpose()?,
            framing: given(framing_name).map(framing).transpose()?,
        };
        let key = key_of(password, key)?;
        let options = OpenOptions::new().max_len(MOST_UNPACKED).lenient(is_lenient);
        let options = match &key {
            Some(key) => options.key(key.clone()),
            None => options,
        };
        let opened = open_bytes(buffer.bytes, &options).map_err(|error| refused(&error))?;
        let body = opened
            .bytes()
            .get(skipped..)
            .ok_or_else(|| failure::plain("format", "the file has fewer bytes than are skipped"))?;
        given.check(body, opened.layers())?;
        let Choice { plain, is_certain, rivals, note } = given.choose(body);
        let how = plain.skip(skipped).with_bytes(opened.bytes()).find_tail().with_bytes(&[]);
        let behind = opened.behind();
        let behind = (behind > 0)
            .then(|| format!("{behind} bytes behind the end of a layer, which engines ignore"));
        let lost = opened.damage().iter().map(|damage| {
            format!("layer: {} bytes from {} on: {}", damage.len, damage.start, damage.reason)
        });
        let notes = lost.chain(note).chain(behind).collect();
        let (wrapping, damage) = (opened.wrapping().clone(), opened.damage().to_vec());
        let draft = Draft::owned(opened.into_bytes(), how);
        let store = Store::default();
        let (done, undone) = (Vec::new(), Vec::new());
        Ok(Self { draft, wrapping, key, damage, notes, is_certain, rivals, store, done, undone })
    }

    /// The candidates for framing and dialect, the likeliest first. O(bytes).
    #[must_use]
    pub fn detect(&self) -> JsValue {
        let detection = Framing::detect(self.draft.plain().body());
        list(detection.ranked().into_iter().flat_map(candidates))
    }
}

/// The options of how a file is read.
#[derive(Clone, Copy, Debug)]
struct Given {
    dialect: Option<Dialect>,
    framing: Option<Framing>,
}

impl Given {
    /// Refuses a file of another format, unless all is given.
    fn check(self, body: &[u8], layers: &[Layer]) -> Result<(), JsValue> {
        let is_resource = |layer: &Layer| {
            matches!(layer, Layer::Compressed(GcpfHeader { magic: [b'R', ..], .. }))
        };
        let what = if layers.iter().any(is_resource) {
            Some("a compressed resource of Godot (.res, .scn), which is another format")
        } else if self.dialect.is_some() && self.framing.is_some() {
            None
        } else {
            magic::recognise(body)
        };
        match what {
            None => Ok(()),
            Some(what) => Err(failure::plain("format", &format!("this is {what}"))),
        }
    }

    fn choose(self, body: &[u8]) -> Choice {
        if let (Some(dialect), Some(framing)) = (self.dialect, self.framing) {
            let framing = framing.of_dialect(dialect);
            return Choice::certain(framing, dialect, reals(&framing.examine(body), dialect));
        }
        let detection = Framing::detect(body);
        let guess = detection.best_of(self.framing, self.dialect);
        let framing = self.framing.unwrap_or(guess.framing());
        if let Some(dialect) = self.dialect {
            return Choice::certain(framing, dialect, reals(guess, dialect));
        }
        let verdict = guess.verdict();
        let dialects = guess.dialects();
        let fit = verdict.fit().or_else(|| dialects.best());
        let (dialect, reals) =
            fit.map_or((Dialect::Godot4, Reals::ByFlag), |fit| (fit.dialect(), fit.reals()));
        let note = match verdict {
            Verdict::Tied(fit) => Some(tied(dialects, fit)),
            _ => None,
        };
        let plain = plain(framing, dialect, reals);
        let is_certain =
            matches!(verdict, Verdict::Clear(_)) && framing.name() == guess.framing().name();
        Choice { plain, is_certain, rivals: Rivals::of(guess, plain.options), note }
    }
}

/// How to read a file.
struct Choice {
    plain: Plain<'static>,
    is_certain: bool,
    /// The other dialects, if none is named.
    rivals: Rivals,
    /// The alternative.
    note: Option<String>,
}

impl Choice {
    fn certain(framing: Framing, dialect: Dialect, reals: Reals) -> Self {
        let plain = plain(framing, dialect, reals);
        Self { plain, is_certain: true, rivals: Rivals::default(), note: None }
    }
}

/// Whether all reals have 64 bits, as in files of some custom builds, whose headers do not say so.
pub(super) fn reals(guess: &Guess, dialect: Dialect) -> Reals {
    guess.dialects().get(dialect).map_or(Reals::ByFlag, Fit::reals)
}

fn plain(framing: Framing, dialect: Dialect, reals: Reals) -> Plain<'static> {
    Plain::new(&[], framing, Options::new(dialect).reals(reals).limits(Limits::FILE))
}

fn tied(dialects: &Dialects, fit: &Fit) -> String {
    let rivals: Vec<_> = dialects.rivals(fit).map(|fit| fit.dialect().name()).collect();
    format!("{} is the likeliest dialect; as well fits {}", fit.dialect(), rivals.join(", "))
}

/// The dialects that a framing may have, the likeliest first.
fn candidates(guess: &Guess) -> Vec<Object> {
    let of_framing = guess.reason().to_string();
    let candidate = |fit: &Fit| {
        let why = fit.candidate().reasons().next().map(|why| format!("; {why}"));
        Object::new()
            .with("framing", guess.framing().name())
            .with("dialect", fit.dialect().name())
            .with("isWhole", fit.is_complete())
            .with("reason", format!("{of_framing}{}", why.unwrap_or_default()))
    };
    guess.dialects().iter().map(candidate).collect()
}

/// A name, unless it is empty.
pub(super) fn given(name: &str) -> Option<&str> {
    Some(name).filter(|name| !name.is_empty())
}

pub(super) fn dialect(name: &str) -> Result<Dialect, JsValue> {
    let name = name.to_ascii_lowercase();
    let page = || name.parse().ok().map(Page::dialect);
    let dialect = name.parse().ok().or_else(page);
    dialect.ok_or_else(|| failure::plain("option", &format!("dialect: there is no {name}")))
}

/// A framing by its name. Where it is used, a sequence takes the dialect of its values.
pub(super) fn framing(name: &str) -> Result<Framing, JsValue> {
    Framing::named(name, Dialect::Godot4).ok_or_else(|| {
        let names = Framing::NAMES.join(", ");
        failure::plain("option", &format!("framing: there is no {name}, but {names}"))
    })
}

/// The key in the options.
pub(super) fn key_of(
    password: Option<String>,
    key: Option<Box<[u8]>>,
) -> Result<Option<Key>, JsValue> {
    match (password, key) {
        (Some(password), _) => Ok(Some(Key::from_password(&password))),
        (None, None) => Ok(None),
        (None, Some(key)) => match key[..].try_into() {
            Ok(key) => Ok(Some(Key::from_bytes(key))),
            Err(_) => Err(failure::plain("option", "a key has 32 bytes")),
        },
    }
}

fn refused(error: &OpenError) -> JsValue {
    let class = if matches!(error, OpenError::NoKey(_)) { "locked" } else { "layer" };
    failure::plain(class, &error.to_string())
}
