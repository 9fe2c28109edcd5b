//! [`How`]: how a file was opened.

use pyo3::prelude::*;
use variant_document::Plain;
use variant_document::edit::Rivals;
use variant_io::{Damage, Framing, Wrapping};
use variant_view::Options;

use crate::failure;
use crate::origin::Origin;

/// The framing and options to read the bytes of a file, and the layers around the bytes.
#[derive(Debug)]
pub(crate) struct How {
    /// The framing and the options, without the bytes of the file.
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
    pub(crate) fn packet(options: Options) -> Self {
        Self {
            plain: bare(&[], options),
            is_certain: true,
            rivals: Rivals::default(),
            is_mapped: false,
            wrapping: Wrapping::default(),
            damage: Vec::new(),
            notes: Vec::new(),
            origin: None,
        }
    }

    /// Refuses a file with damaged layers, since a file written from what is left would look sound.
    pub(crate) fn check_whole(&self, py: Python<'_>) -> PyResult<()> {
        if self.damage.is_empty() {
            return Ok(());
        }
        let message = "the layers are damaged; write what is left with salvage";
        Err(failure::layer(py, message, "layer", None))
    }
}

/// The bytes of one value as a file. They are read with `options`: `Plain::new` would also accept objects that the caller
/// refuses.
pub(crate) fn bare(bytes: &[u8], options: Options) -> Plain<'_> {
    Plain { options, ..Plain::new(bytes, Framing::Bare, options) }
}
