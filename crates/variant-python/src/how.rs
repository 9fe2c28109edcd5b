//! [`How`]: how a file was opened.

use pyo3::prelude::*;
use variant_document::Plain;
use variant_document::edit::Rivals;
use variant_io::{Damage, Framing, OpenOptions, Wrapping, open_bytes};
use variant_view::Options;

use crate::failure;
use crate::origin::Origin;

/// The framing and options to read the bytes of a file, and the layers around the bytes.
#[derive(Debug)]
pub(crate) struct How {
    /// The framing and options, without the bytes.
    pub(crate) plain: Plain<'static>,
    pub(crate) is_certain: bool,
    /// The other engines that may have written the file.
    pub(crate) rivals: Rivals,
    pub(crate) is_mapped: bool,
    pub(crate) wrapping: Wrapping,
    /// The bytes that are missing in damaged layers.
    pub(crate) damage: Vec<Damage>,
    pub(crate) notes: Vec<String>,
    /// The file of the system; `None` for bytes in memory.
    pub(crate) origin: Option<Origin>,
}

impl How {
    /// How a packet is read: one value without layers.
    pub(crate) fn packet(py: Python<'_>, options: Options) -> PyResult<Self> {
        let opened = open_bytes(Vec::new(), &OpenOptions::new());
        let opened = opened.map_err(|error| failure::open(py, &error, None))?;
        // `Plain::new` would accept objects that the caller refuses.
        let plain = Plain { options, ..Plain::new(&[], Framing::Bare, options) };
        Ok(Self {
            plain,
            is_certain: true,
            rivals: Rivals::default(),
            is_mapped: false,
            wrapping: opened.wrapping().clone(),
            damage: Vec::new(),
            notes: Vec::new(),
            origin: None,
        })
    }
}
