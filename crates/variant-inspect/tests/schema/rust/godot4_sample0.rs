// Written by `variant-inspect schema --rust`. Needs serde (derive), indexmap (serde), variant-document (output, serde),
// variant-io, variant-owned, variant-serde and variant-view. `load` opens a file, and the file's `save` writes it. Values
// of other kinds and unknown keys are refused, since they could not be written back.
#![allow(dead_code, missing_docs, unreachable_pub)]

use std::path::Path;

use serde::{Deserialize, Serialize};
use variant_document::Reading;
use variant_document::typed::{TypedError, TypedFile};
use variant_io::{Framing, OpenOptions};
use variant_owned::{EncodeOptions, Variant, Widths};
use variant_serde::{TypedArray, as_vector3, from_slice, to_vec};
use variant_view::{Dialect, Limits, Objects, Options};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Save {
    pub version: i64,
    pub name: String,
    #[serde(with = "as_vector3")]
    pub pos: [f32; 3],
    pub entities: Vec<Variant>,
    pub typed: TypedArray<Vec<i64>>,
}

/// Opens a file of saves. `layers` has the key of an encrypted file.
pub fn load(path: impl AsRef<Path>, layers: OpenOptions) -> Result<TypedFile<Save>, TypedError> {
    let reading = Reading {
        dialect: Some(Dialect::Godot4),
        framing: Some(Framing::Bare),
        layers,
        ..Reading::new()
    };
    TypedFile::open(path, &reading)
}

/// Reads the bytes of one value.
pub fn from_bytes(bytes: &[u8]) -> Result<Save, variant_serde::Error> {
    let options = Options::engine(Dialect::Godot4);
    from_slice(bytes, options.objects(Objects::Accept).limits(Limits::FILE))
}

/// The bytes of one value, as the engine writes it.
pub fn to_bytes(save: &Save) -> Result<Vec<u8>, variant_serde::Error> {
    to_vec(save, EncodeOptions::new(Dialect::Godot4).widths(Widths::Canonical))
}
