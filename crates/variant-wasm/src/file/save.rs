//! Saves a file with its layers, in another dialect, or salvaged.

use js_sys::Uint8Array;
use variant_document::convert::{Converted, convert};
use variant_document::salvage::{Salvaged, salvage, with_lost_frames};
use variant_document::{EditError, names};
use variant_io::{
    Compression, Encryption, Framing, GcpfHeader, GcpfOptions, Layer, compress, encrypt,
};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::File;
use super::open::key_of;
use super::rows::number_of;
use crate::failure;
use crate::object::{Object, count, list};
use crate::reading::{given, unknown};

#[wasm_bindgen]
impl File {
    /// The file with its changes, compressed and encrypted as before.
    ///
    /// # Errors
    /// The file is compressed with brotli, which cannot be written.
    pub fn save(&self) -> Result<Uint8Array, JsValue> {
        self.seal(self.draft.bytes())
    }

    /// The plain bytes with their changes.
    #[must_use]
    pub fn unwrap(&self) -> Uint8Array {
        Uint8Array::from(self.draft.bytes())
    }

    /// The file with its changes, with another compression and encryption. An empty name keeps the compression or
    /// encryption of the file.
    ///
    /// # Errors
    /// An unknown name of a compression or encryption; a missing key.
    pub fn wrap(
        &self,
        compression: &str,
        encryption: &str,
        password: Option<String>,
        key: Option<Box<[u8]>>,
    ) -> Result<Uint8Array, JsValue> {
        let key = key_of(password, key)?;
        let encryption = self.encryption(given(encryption), key.is_some())?;
        let compressed = match self.compression(given(compression))? {
            None => None,
            Some(options) => Some(compress(self.draft.bytes(), &options).map_err(layer)?),
        };
        let bytes = compressed.as_deref().unwrap_or(self.draft.bytes());
        let Some(encryption) = encryption else {
            return Ok(Uint8Array::from(bytes));
        };
        let key = key.as_ref().or(self.key.as_ref());
        let key = key.ok_or_else(|| failure::plain("option", "encryption needs a password"))?;
        Ok(Uint8Array::from(&*encrypt(bytes, key, encryption)))
    }

    /// The file in another dialect, and the losses. O(bytes). One frame at a time is in memory as owned values.
    ///
    /// # Errors
    /// The file is damaged, or the other dialect cannot hold a value.
    pub fn convert(&self, to: &str, is_lossy: bool) -> Result<JsValue, JsValue> {
        let file = self.draft.plain();
        let converted = convert(file, names::dialect(to).map_err(unknown)?);
        let refused = |error: EditError| {
            self.damage().unwrap_or_else(|| failure::plain("encode", &error.to_string()))
        };
        let Converted { bytes, losses } = converted.map_err(refused)?;
        let is_written = is_lossy || !losses.has_lost;
        let bytes = is_written.then(|| self.seal(&bytes)).transpose()?;
        let told = losses.first.iter().map(|loss| {
            let frame = if file.framing == Framing::Bare { 0 } else { loss.frame };
            let told = Object::new().with("frame", count(frame)).with("path", &loss.path);
            told.with("message", &loss.message)
        });
        let converted = Object::new().with_some("bytes", bytes);
        Ok(converted.with("losses", list(told)).with("count", count(losses.count)).into())
    }

    /// The valid parts of a damaged file, and the losses. O(bytes).
    ///
    /// # Errors
    /// The file is compressed with brotli, which cannot be written.
    pub fn salvage(&self) -> Result<JsValue, JsValue> {
        let file = with_lost_frames(self.draft.plain(), 0);
        let values = file.framing.values(file.body()).writer(file.options.dialect);
        let salvaged = salvage(file, &self.damage, values);
        let salvaged = salvaged.map_err(|error| failure::plain("edit", &error.to_string()))?;
        // `after()` is not used: for a bare value and for settings, it includes salvaged bytes.
        let tail = file.bytes.get(file.bytes.len().saturating_sub(file.tail)..).unwrap_or_default();
        let Salvaged { values, count: number, bytes: size, holes } = salvaged;
        let all = holes.kept.iter().map(|hole| {
            Object::new()
                .with("start", hole.start)
                .with("end", hole.end)
                .with("path", &hole.path)
                .with("reason", &hole.reason)
        });
        let plain = [file.head(), &values.finish(), tail].concat();
        Ok(Object::new()
            .with("bytes", self.seal(&plain)?)
            .with("values", count(number))
            .with("size", size)
            .with("holes", list(all))
            .with("count", count(holes.count))
            .with("lost", holes.bytes)
            .into())
    }
}

impl File {
    /// The error for the first damage of the file.
    pub(super) fn damage(&self) -> Option<JsValue> {
        let file = self.draft.plain();
        file.pieces().find_map(|piece| match piece {
            Err(error) => Some(failure::plain("truncated", &file.cut(&error))),
            Ok(piece) => {
                let (document, frame) = (file.document(piece.bytes), number_of(&piece));
                let error = document.validate().err()?;
                Some(failure::damaged(&document, &error, error.offset(), piece.start, frame))
            }
        })
    }

    /// Plain bytes with the layers of the file.
    fn seal(&self, plain: &[u8]) -> Result<Uint8Array, JsValue> {
        if self.wrapping.is_empty() {
            return Ok(Uint8Array::from(plain));
        }
        self.wrapping.wrap(plain).map(|bytes| Uint8Array::from(&*bytes)).map_err(layer)
    }

    /// The compression that `name` means. Without a name, the compression of the file.
    fn compression(&self, name: Option<&str>) -> Result<Option<GcpfOptions>, JsValue> {
        Ok(Some(GcpfOptions::new(match name {
            None => {
                let layers = self.wrapping.layers().iter();
                return Ok(layers.rev().find_map(|layer| match layer {
                    Layer::Compressed(GcpfHeader { compression, block_size, magic, .. }) => {
                        let options = GcpfOptions::new(*compression);
                        Some(options.block_size(*block_size).magic(*magic))
                    }
                    _ => None,
                }));
            }
            Some("none") => return Ok(None),
            Some("fastlz") => Compression::FastLz,
            Some("deflate") => Compression::Deflate,
            Some("zstd") => Compression::Zstd,
            Some("gzip") => Compression::Gzip,
            Some(other) => {
                return Err(failure::plain(
                    "option",
                    &format!("compression: {other}; there are none, fastlz, deflate, zstd, gzip"),
                ));
            }
        })))
    }

    /// The encryption that `name` means, with a new initialisation vector. Without a name, the encryption of the file.
    /// A key without encryption is an error, since everyone could read the file.
    fn encryption(&self, name: Option<&str>, has_key: bool) -> Result<Option<Encryption>, JsValue> {
        let cfb = || Encryption::cfb().map(Some).map_err(layer);
        match name {
            None => {
                let layers = self.wrapping.layers().iter();
                let own = layers.into_iter().find_map(|layer| match layer {
                    Layer::Encrypted(header) => Some(header.encryption),
                    _ => None,
                });
                match own {
                    Some(Encryption::Cfb(_)) => cfb(),
                    None if has_key => Err(failure::plain(
                        "option",
                        "a password is given, and no encryption; there are ecb, cfb",
                    )),
                    own => Ok(own),
                }
            }
            Some("none") => Ok(None),
            Some("ecb") => Ok(Some(Encryption::Ecb)),
            Some("cfb") => cfb(),
            Some(other) => {
                let message = format!("encryption: {other}; there are none, ecb, cfb");
                Err(failure::plain("option", &message))
            }
        }
    }
}

fn layer(error: impl std::error::Error) -> JsValue {
    failure::plain("layer", &error.to_string())
}
