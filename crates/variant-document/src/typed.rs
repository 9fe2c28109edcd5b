//! [`TypedFile`]: the values of a file as a type of the program.

use std::error::Error;
use std::fmt::{self, Display};
#[cfg(feature = "output")]
use std::io::Write as _;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use variant_io::{Opened, open};
use variant_owned::{EncodeOptions, Widths};
use variant_serde::{from_document, to_vec};

use crate::edit::{Draft, Graft};
#[cfg(feature = "output")]
use crate::output::Output;
use crate::plain::{Piece, Plain};
use crate::reading::Reading;
use crate::trouble::Trouble;

/// The values of a file as a type of the program, which reads and writes them by serde.
///
/// A written file differs from the old file only in changed values. Compression, encryption, frames, names of settings,
/// the bytes around the values, and the unchanged parts of values stay the same. `schema --rust` of the command
/// `variant-inspect` writes such types.
///
/// ```
/// use std::fs;
///
/// use serde::{Deserialize, Serialize};
/// use variant_document::Reading;
/// use variant_document::typed::TypedFile;
///
/// #[derive(Serialize, Deserialize)]
/// struct Save {
///     hp: i32,
/// }
///
/// // store_var({"hp": 7}), as Godot 4 writes it
/// let file = [
///     28, 0, 0, 0, 27, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, b'h', b'p', 0, 0, 2, 0, 0, 0, 7, 0, 0, 0,
/// ];
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("save.dat");
/// fs::write(&path, file)?;
/// let mut saves = TypedFile::<Save>::open(&path, &Reading::new())?;
/// saves.values[0].hp += 1;
/// let changed = saves.to_bytes()?;
/// assert_eq!(changed[..28], file[..28]);
/// assert_eq!(changed[28..], [8, 0, 0, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TypedFile<T> {
    /// The values, in the order of the file. When the file is written, their number must be that of the values in the
    /// file.
    pub values: Vec<T>,
    opened: Opened,
    /// The settings for reading the plain bytes, without the bytes themselves.
    reading: Plain<'static>,
}

impl<T: Serialize + DeserializeOwned> TypedFile<T> {
    /// Opens the file at `path`, and reads all its values. O(bytes).
    ///
    /// # Errors
    /// The file cannot be opened, or a value cannot be read as a `T`. The error has the frame, path and offset of that
    /// value.
    pub fn open(path: impl AsRef<Path>, reading: &Reading) -> Result<Self, TypedError> {
        let path = path.as_ref();
        let of_file = |error: &dyn Display| TypedError::of(path, error);
        // The file is not mapped: a mapped file must not become shorter, but this file may later be written in place.
        let layers = reading.layers.clone().map(false);
        let opened = open(path, &layers).map_err(|error| of_file(&error))?;
        let plain = reading.choose(&opened).map_err(|error| of_file(&error))?.plain;
        let mut values = Vec::new();
        for piece in plain.pieces() {
            let piece = piece.map_err(|error| of_file(&plain.cut(&error)))?;
            let value = from_document(&plain.document(piece.bytes));
            values.push(value.map_err(|error| of_file(&in_piece(&piece, &error)))?);
        }
        let Plain { skipped, tail, framing, options, .. } = plain;
        let reading = Plain { bytes: &[], skipped, tail, framing, options };
        Ok(Self { values, opened, reading })
    }

    /// The bytes of the file with the present values, in the same layers. O(bytes).
    ///
    /// Files with compression or encryption are compressed and encrypted again, so their bytes may differ even if no
    /// value has changed.
    ///
    /// # Errors
    /// A value that the dialect cannot hold; another number of values than the file has; the errors of
    /// [`Opened::rewrap`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, TypedError> {
        let file = self.reading.with_bytes(&self.opened);
        let count = file.pieces().count();
        if count != self.values.len() {
            let message = format!("{} values for a file of {count}", self.values.len());
            return Err(TypedError(message));
        }
        let rewrap =
            |bytes: &[u8]| self.opened.rewrap(bytes).map_err(|error| TypedError::new(&error));
        if count == 0 {
            return rewrap(&self.opened);
        }
        let options = EncodeOptions::new(file.options.dialect)
            .reals(file.options.reals)
            .widths(Widths::Canonical);
        let bytes = |value: &T| to_vec(value, options).map_err(|error| Trouble::message(&error));
        let mut values = self.values.iter();
        let mut draft = Draft::new(file);
        let grafted = draft.graft(|_, document| {
            let Some(new) = values.next() else { return Ok(None) };
            let old: T = from_document(&document).map_err(|error| Trouble::message(&error))?;
            Ok(Some(Graft { base: bytes(&old)?, new: bytes(new)?, is_merge: false }))
        });
        grafted.map_err(|error| TypedError::new(&error))?;
        rewrap(draft.bytes())
    }

    /// Writes the file to `path`: first to a temporary file beside it, which is then renamed. So the file is never half
    /// written. O(bytes).
    ///
    /// # Errors
    /// Those of [`TypedFile::to_bytes`], which occur before anything is written, and those of the system.
    #[cfg(feature = "output")]
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), TypedError> {
        let path = path.as_ref();
        let of_file = |error: &dyn Display| TypedError::of(path, error);
        let bytes = self.to_bytes().map_err(|error| of_file(&error))?;
        let mut notes = |_: &str| Ok(());
        let mut output = Output::create(path, &mut notes).map_err(|error| of_file(&error))?;
        output.write_all(&bytes).map_err(|error| of_file(&error))?;
        output.finish(&mut notes).map_err(|error| of_file(&error))
    }
}

fn in_piece(piece: &Piece<'_>, error: &variant_serde::Error) -> String {
    let start = piece.start;
    let from =
        if start > 0 { format!(" (from byte {start} of the file on)") } else { String::new() };
    piece.called().map_or_else(|| error.to_string(), |called| format!("{called}: {error}")) + &from
}

/// The reason why a [`TypedFile`] was not read or written, in one line: with the name of the file, the path and the
/// offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedError(String);

impl TypedError {
    fn new(error: &dyn Display) -> Self {
        Self(error.to_string())
    }

    fn of(path: &Path, error: &dyn Display) -> Self {
        Self(format!("{}: {error}", path.display()))
    }
}

impl Display for TypedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for TypedError {}
