//! [`Lookup`]: the same keys in many documents of one type.

mod item;
mod layout;
mod learnt;
mod lessons;
mod shape;
mod shapes;

use core::fmt;

use self::shapes::Shapes;
use crate::document::Document;
use crate::error::{ErrorKind, Result};
use crate::options::Options;
use crate::view::{self, Key, VariantView, Wanted};

/// Reads the same keys from a stream of documents of one type: the packets of a connection, the calls to one method,
/// the frames of a file.
///
/// A lookup remembers the layout of the documents that it has read. It compares a document with the known layouts, 32
/// bytes at a time, and reads the values at known offsets. A document of another layout costs as much as with
/// [`Document::validated_get_many`]. For every input, the results are those of that method.
///
/// Memory: 4 layouts, each of a document of at most 4 KiB; [`Lookup::memory`] returns the bytes. Use one lookup for
/// each type of document: a lookup for alternating types saves little.
///
/// ```
/// use variant_view::{Dialect, Lookup, Options};
///
/// # let packet = [27, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, b'h', b'p', 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
/// let mut lookup = Lookup::new(["hp", "mp"], Options::server(Dialect::Godot4));
/// for _ in 0..3 {
///     let [hp, mp] = lookup.validated(&packet)?; // {"hp": 7}
///     assert_eq!((hp.unwrap().as_i64()?, mp.is_none()), (7, true));
/// }
/// # Ok::<(), variant_view::Error>(())
/// ```
pub struct Lookup<'k, const N: usize> {
    targets: Targets<'k, N>,
    options: Options,
    shapes: Shapes,
}

/// The values to read from each document.
enum Targets<'k, const N: usize> {
    /// The values of keys of the root.
    Keys([Wanted<'k>; N]),
    Paths([&'k str; N]),
}

impl<'k, const N: usize> Lookup<'k, N> {
    /// A lookup of keys in the root, which must be a dictionary or an object. A text is a key, not a path. O(N); a
    /// lookup allocates when it stores a new layout.
    pub fn new<K: Into<Key<'k>>>(keys: [K; N], options: impl Into<Options>) -> Self {
        Self::of(Targets::Keys(keys.map(|key| Wanted::new(key.into()))), options.into())
    }

    /// A lookup of paths, in the language of [`Document::at`]. A path without a value gives `None`.
    ///
    /// ```
    /// use variant_view::{Dialect, Lookup};
    ///
    /// # let packet = [28, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
    /// let mut lookup = Lookup::paths(["[1]", "[2]"], Dialect::Godot4);
    /// let [last, none] = lookup.validated(&packet)?; // [5, 7]
    /// assert_eq!((last.unwrap().as_i64()?, none.is_none()), (7, true));
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    pub fn paths(paths: [&'k str; N], options: impl Into<Options>) -> Self {
        Self::of(Targets::Paths(paths), options.into())
    }

    fn of(targets: Targets<'k, N>, options: Options) -> Self {
        Self { targets, options, shapes: Shapes::new(options) }
    }

    /// Validates a document, and returns the wanted values. A value that the document does not have is `None`.
    ///
    /// O(bytes) for a known layout, otherwise the cost of [`Document::validated_get_many`]. The lookup learns some of
    /// the unknown layouts: it stores them, to recognise later documents. To learn one costs O(4 KiB) and an
    /// allocation. It learns at most one layout for every 64 recognised documents, or for every 2,048 unrecognised
    /// documents.
    ///
    /// # Errors
    /// Those of [`Document::validated_get_many`]. A lookup of paths also returns [`ErrorKind::PathSyntax`].
    #[inline]
    pub fn validated<'a>(&mut self, bytes: &'a [u8]) -> Result<[Option<VariantView<'a>>; N]> {
        view::in_place(|values| {
            if self.shapes.find(bytes, values) { Ok(()) } else { self.read(bytes, values) }
        })
    }

    /// Validates a document like [`Document::validate`].
    ///
    /// # Errors
    /// Those of [`Document::validate`].
    #[inline]
    pub fn validate(&mut self, bytes: &[u8]) -> Result<()> {
        if self.shapes.find(bytes, &mut []) || self.read(bytes, &mut [None; N]).is_ok() {
            return Ok(());
        }
        // A failed look-up does not prove damage: the root may have no keys. So the validation decides.
        Document::new(bytes, self.options).validate().map(drop)
    }

    /// The allocated memory in bytes. O(1).
    pub fn memory(&self) -> usize {
        self.shapes.memory()
    }

    /// Reads a document of an unknown layout.
    #[inline(never)]
    fn read<'a>(&mut self, bytes: &'a [u8], values: &mut [Option<VariantView<'a>>]) -> Result<()> {
        let document = Document::new(bytes, self.options);
        match &self.targets {
            Targets::Keys(keys) => document.look_up_validated(&mut { *keys }, values)?,
            Targets::Paths(paths) => at_paths(&document, paths, values)?,
        }
        self.shapes.missed(&document, values);
        Ok(())
    }
}

/// Sets the values at paths, in a document that is validated first.
fn at_paths<'a>(
    document: &Document<'a>,
    paths: &[&str],
    values: &mut [Option<VariantView<'a>>],
) -> Result<()> {
    document.validate()?;
    for (value, path) in values.iter_mut().zip(paths) {
        match document.at(path) {
            Ok(found) => *value = Some(found),
            Err(error) => match error.kind() {
                ErrorKind::KeyNotFound { .. }
                | ErrorKind::IndexOutOfRange { .. }
                | ErrorKind::NotAContainer { .. } => {}
                _ => return Err(error),
            },
        }
    }
    Ok(())
}

impl<const N: usize> fmt::Debug for Lookup<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lookup").field("shapes", &self.shapes.len()).finish_non_exhaustive()
    }
}
