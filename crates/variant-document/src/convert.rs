//! [`convert`]: a file in another dialect, with its frames and the bytes around them.

use variant_io::{Framing, ValuesWriter};
use variant_owned::{
    ConvertOptions, EncodeOptions, Report, Variant, Widths, convert as to_dialect,
};
use variant_view::{Dialect, Document, Options, Reals};

use crate::plain::{Piece, Plain};
use crate::trouble::{EditError, Trouble};

/// A file in another dialect.
#[derive(Clone, Debug)]
pub struct Converted {
    /// The plain bytes: the bytes around the values are those of the old file.
    pub bytes: Vec<u8>,
    /// What the values lost.
    pub losses: Losses,
}

/// The changes of a conversion.
#[derive(Clone, Debug, Default)]
pub struct Losses {
    /// The first changes, in groups.
    pub first: Vec<Loss>,
    /// The number of all groups.
    pub groups: u64,
    /// The number of all changes.
    pub count: u64,
    /// Whether a value lost more than its kind, so that a conversion back does not restore it.
    pub has_lost: bool,
}

/// The equal changes at one path, or at all paths that match a pattern such as `[*]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The number of the frame or setting, from 1.
    pub frame: u64,
    /// The name of the frame or setting ([`Piece::called`]); `None` in a bare file.
    pub called: Option<String>,
    /// The path of the first of these changes.
    pub path: String,
    /// The path or the pattern, and the change, such as `[*] x2: Vector2i became Vector2`.
    pub message: String,
    /// Whether the values lost more than their kind.
    pub has_lost: bool,
}

/// The maximum number of groups in [`Losses::first`].
const MOST: usize = 1_000;

/// Writes the values of a file in another dialect. [`reals`] chooses the width of reals. O(bytes). One value at a time
/// is in memory as an owned value.
///
/// ```
/// use variant_document::Plain;
/// use variant_document::convert::convert;
/// use variant_io::Framing;
/// use variant_owned::{array, encode};
/// use variant_view::{Dialect, Options};
///
/// let file = encode(&array![(1, 2)].into(), Dialect::Godot4)?;
/// let file = Plain::new(&file, Framing::Bare, Options::engine(Dialect::Godot4));
/// let converted = convert(file, Dialect::Godot3)?;
/// assert_eq!(converted.losses.first[0].message, "[0]: Vector2i became Vector2");
/// assert!(!converted.losses.has_lost); // Vector2 holds these integers
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Damage; a value that the other dialect cannot hold.
pub fn convert(file: Plain<'_>, to: Dialect) -> Result<Converted, EditError> {
    let reals = reals(file.options, to);
    let mut values = file.framing.values(file.body()).writer(to);
    let mut losses = Losses::default();
    for piece in file.pieces() {
        let piece = piece.map_err(|error| EditError::new(file.cut(&error)))?;
        let how = ConvertOptions::new(to).reals(reals);
        let added = add(file.document(piece.bytes), &piece, how, &mut values);
        losses.add(&piece, &added.map_err(|trouble| EditError::of(trouble, piece.start))?);
    }
    let bytes = [file.head(), &values.finish(), file.after()].concat();
    Ok(Converted { bytes, losses })
}

/// The width of reals in another dialect. If all reals of a file have 64 bits, a custom build or a program that follows
/// the documentation wrote the file. Such programs also read this width, so it is kept if the target is the same
/// dialect, or a dialect that a page of the engine's documentation describes.
pub fn reals(was: Options, to: Dialect) -> Reals {
    let is_kept = to == was.dialect || to.page().is_some();
    if is_kept { was.reals } else { Reals::ByFlag }
}

/// Converts the value `document` of a piece, and adds it to `values`. Returns the changes. O(bytes of the value).
///
/// # Errors
/// Damage; a value that the other dialect cannot hold.
pub fn add(
    document: Document<'_>,
    piece: &Piece<'_>,
    how: ConvertOptions,
    values: &mut ValuesWriter,
) -> Result<Report, Trouble> {
    let read = Variant::from_document(&document)?;
    let (converted, report) = to_dialect(&read, how).map_err(|error| Trouble::message(&error))?;
    let encoding = EncodeOptions::new(how.to).reals(how.reals).widths(Widths::Canonical);
    let mut bytes =
        variant_owned::encode(&converted, encoding).map_err(|error| Trouble::message(&error))?;
    // The bytes after a value in a frame belong to the frame, so they are copied here. The bytes after a bare value
    // belong to the file, and the caller copies them.
    if piece.framing != Framing::Bare {
        let len = document.root()?.raw_bytes()?.len();
        bytes.extend_from_slice(piece.bytes.get(len..).unwrap_or_default());
    }
    values.bytes(piece.name, &bytes).map_err(|error| Trouble::message(&error))?;
    Ok(report)
}

impl Losses {
    pub(crate) fn add(&mut self, piece: &Piece<'_>, report: &Report) {
        let groups = u64::try_from(report.groups().len()).unwrap_or(u64::MAX);
        self.groups = self.groups.saturating_add(groups);
        self.count = self.count.saturating_add(report.count());
        self.has_lost |= !report.is_lossless();
        let left = MOST.saturating_sub(self.first.len());
        self.first.extend(report.groups().iter().take(left).map(|group| Loss {
            frame: piece.number,
            called: piece.called(),
            path: group.first.as_ref().unwrap_or(&group.path).clone(),
            message: group.to_string(),
            has_lost: group.loss != variant_owned::Loss::Kind,
        }));
    }
}
