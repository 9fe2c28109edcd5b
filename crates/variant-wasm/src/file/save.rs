//! Saves a file with its layers, in another dialect, or salvaged.

use js_sys::Uint8Array;
use variant_document::salvage::{Salvaged, salvage, with_lost_frames};
use variant_document::{Piece, names};
use variant_io::{
    Compression, Encryption, GcpfHeader, GcpfOptions, Layer, ValuesWriter, compress, encrypt,
};
use variant_owned::{ConvertOptions, EncodeOptions, Report, Variant, Widths, convert};
use variant_view::{Dialect, Error, Options, Reals};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::File;
use super::open::key_of;
use super::rows::number_of;
use crate::failure;
use crate::object::{Object, count, list};
use crate::reading::{given, unknown};

/// The maximum number of reported losses.
const MOST_LOSSES: usize = 1_000;

#[wasm_bindgen]
impl File {
    /// The file with its changes, compressed and encrypted as before.
    ///
    /// # Errors
    /// The file is compressed with brotli, which cannot be written.
    pub fn save(&self) -> Result<Uint8Array, JsValue> {
        self.seal(None, &[])
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
        let to = To::new(names::dialect(to).map_err(unknown)?, file.options);
        let mut values = file.framing.values(file.body()).writer(to.dialect);
        let mut losses = Losses::default();
        for piece in file.pieces() {
            let piece = piece.map_err(|error| failure::plain("truncated", &file.cut(&error)))?;
            let report = to.add(file.document(piece.bytes), &piece, &mut values)?;
            losses.add(&piece, &report);
        }
        let is_written = is_lossy || losses.is_lossless;
        let bytes =
            is_written.then(|| self.seal(Some(values.finish()), file.after())).transpose()?;
        let converted = Object::new().with_some("bytes", bytes);
        Ok(converted.with("losses", list(losses.told)).with("count", count(losses.count)).into())
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
        Ok(Object::new()
            .with("bytes", self.seal(Some(values.finish()), tail)?)
            .with("values", count(number))
            .with("size", size)
            .with("holes", list(all))
            .with("count", count(holes.count))
            .with("lost", holes.bytes)
            .into())
    }
}

impl File {
    /// The file with the given values; `None` keeps the values of the file. The layers and the bytes before the values
    /// are unchanged. `tail` comes after the values.
    fn seal(&self, values: Option<Vec<u8>>, tail: &[u8]) -> Result<Uint8Array, JsValue> {
        let plain = values.map(|values| {
            let head = self.draft.plain().head();
            let is_alone = head.is_empty() && tail.is_empty();
            if is_alone { values } else { [head, &values, tail].concat() }
        });
        let plain = plain.as_deref().unwrap_or(self.draft.bytes());
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

/// The target of a conversion.
#[derive(Clone, Copy, Debug)]
struct To {
    dialect: Dialect,
    reals: Reals,
}

impl To {
    /// If all reals of a file have 64 bits, a custom build of the engine wrote the file, and also reads this width. So
    /// the width is kept if the dialect stays the same, or is that of a page of the documentation.
    fn new(dialect: Dialect, from: Options) -> Self {
        let is_kept = dialect == from.dialect || dialect.page().is_some();
        Self { dialect, reals: if is_kept { from.reals } else { Reals::ByFlag } }
    }

    fn add(
        self,
        document: variant_view::Document<'_>,
        piece: &Piece<'_>,
        values: &mut ValuesWriter,
    ) -> Result<Report, JsValue> {
        let damaged = |error: Error| {
            failure::damaged(&document, &error, error.offset(), piece.start, number_of(piece))
        };
        let read = Variant::from_document(&document).map_err(damaged)?;
        let options = ConvertOptions::new(self.dialect).reals(self.reals);
        let (converted, report) = convert(&read, options)
            .map_err(|error| failure::plain("encode", &error.to_string()))?;
        let encoding = EncodeOptions::new(self.dialect).reals(self.reals);
        let added = values.value(piece.name, &converted, encoding.widths(Widths::Canonical));
        added.map_err(|error| failure::plain("encode", &error.to_string()))?;
        Ok(report)
    }
}

/// The losses of a conversion.
#[derive(Debug)]
struct Losses {
    told: Vec<Object>,
    count: u64,
    is_lossless: bool,
}

impl Default for Losses {
    fn default() -> Self {
        Self { told: Vec::new(), count: 0, is_lossless: true }
    }
}

impl Losses {
    fn add(&mut self, piece: &Piece<'_>, report: &Report) {
        self.count = self.count.saturating_add(report.count());
        self.is_lossless &= report.is_lossless();
        let left = MOST_LOSSES.saturating_sub(self.told.len());
        self.told.extend(report.groups().iter().take(left).map(|group| {
            let first = group.first.as_ref().unwrap_or(&group.path);
            Object::new()
                .with("frame", count(number_of(piece)))
                .with("path", first)
                .with("message", group.to_string())
        }));
    }
}
