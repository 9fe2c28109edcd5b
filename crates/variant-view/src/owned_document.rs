//! [`OwnedDocument`]: a validated document that owns its bytes.

use alloc::sync::Arc;
use core::fmt;

#[cfg(feature = "bytes")]
use ::bytes::Bytes;

use crate::document::Document;
use crate::error::Result;
use crate::options::Options;
use crate::tape::{Tape, TapeValue};
use crate::validate::Summary;
use crate::view::VariantView;

/// A validated document with its bytes and its [`Tape`]. A server can store a message as an owned document.
///
/// A [`Document`] borrows its bytes. An [`OwnedDocument`] owns them, so it can be stored, and sent to other tasks and
/// threads. A clone copies nothing: both parts are reference-counted.
///
/// | to keep | use |
/// |---|---|
/// | nothing: a few values are read, and the bytes are dropped | [`Document`], `Lookup` |
/// | all of a message, to read and forward it | [`OwnedDocument`] |
/// | the fields of a known type | a struct, with crate `variant-serde` |
/// | values that change | `Variant` of crate `variant-owned` |
///
/// ```
/// use variant_view::{Dialect, Options, OwnedDocument};
///
/// # let packet = [27, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, b'h', b'p', 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
/// // {"hp": 7}
/// let message = OwnedDocument::new(packet, Options::server(Dialect::Godot4))?;
/// let kept = message.clone();
/// let hp = std::thread::spawn(move || kept.at("hp")?.as_i64()).join().unwrap();
/// assert_eq!(hp, Ok(7));
/// assert_eq!(message.root().get("hp")?.unwrap().raw_bytes(), [2, 0, 0, 0, 7, 0, 0, 0]);
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone)]
pub struct OwnedDocument {
    bytes: Shared,
    tape: Arc<Tape>,
}

/// Reference-counted bytes.
#[derive(Clone)]
enum Shared {
    Slice(Arc<[u8]>),
    #[cfg(feature = "bytes")]
    Bytes(Bytes),
}

impl Shared {
    fn as_slice(&self) -> &[u8] {
        match self {
            Self::Slice(bytes) => bytes,
            #[cfg(feature = "bytes")]
            Self::Bytes(bytes) => bytes,
        }
    }
}

impl OwnedDocument {
    /// Validates `bytes` and records their values. O(bytes).
    ///
    /// Takes an `Arc<[u8]>` without a copy; copies a `Vec` or an array once. Allocates 16 bytes for each value. The
    /// first allocation assumes one value for every 11 bytes; later ones follow as more values are found.
    ///
    /// # Errors
    /// Those of [`Tape::read`].
    pub fn new(bytes: impl Into<Arc<[u8]>>, options: impl Into<Options>) -> Result<Self> {
        Self::read(Shared::Slice(bytes.into()), options.into())
    }

    /// [`OwnedDocument::new`] for bytes that are already shared, such as those of a socket. Copies nothing.
    ///
    /// The document keeps the whole buffer of which `bytes` are a part. To keep a document for longer than
    /// the next message, call [`OwnedDocument::detach`], which copies its bytes.
    ///
    /// ```
    /// use bytes::Bytes;
    /// use variant_view::{Dialect, OwnedDocument};
    ///
    /// let datagram = Bytes::from_static(&[2, 0, 0, 0, 7, 0, 0, 0]);
    /// let message = OwnedDocument::from_bytes(datagram.clone(), Dialect::Godot4)?;
    /// assert_eq!(message.bytes().as_ptr(), datagram.as_ptr());
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`OwnedDocument::new`].
    #[cfg(feature = "bytes")]
    pub fn from_bytes(bytes: Bytes, options: impl Into<Options>) -> Result<Self> {
        Self::read(Shared::Bytes(bytes), options.into())
    }

    fn read(bytes: Shared, options: Options) -> Result<Self> {
        let document = Document::new(bytes.as_slice(), options);
        let mut tape = Tape::for_document(&document);
        tape.read(document)?;
        Ok(Self { bytes, tape: Arc::new(tape) })
    }

    /// The root on the tape. A look-up costs O(1) for each skipped value.
    pub fn root(&self) -> TapeValue<'_, '_> {
        TapeValue::root(&self.tape, self.bytes())
    }

    /// The root as a view.
    pub fn view(&self) -> VariantView<'_> {
        self.root().view()
    }

    /// The value at a path, as [`Document::at`] finds it, in O(items of the containers on the path).
    ///
    /// # Errors
    /// Those of [`Document::at`], except errors of damaged bytes.
    pub fn at(&self, path: &str) -> Result<VariantView<'_>> {
        Ok(self.root().at(path)?.view())
    }

    /// The bytes and the options, for functions that take a document.
    pub fn document(&self) -> Document<'_> {
        self.root().document()
    }

    /// All bytes, including those after the value.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_slice()
    }

    /// The bytes, shared and not copied.
    #[cfg(feature = "bytes")]
    pub fn to_bytes(&self) -> Bytes {
        match &self.bytes {
            Shared::Slice(bytes) => Bytes::from_owner(Arc::clone(bytes)),
            Shared::Bytes(bytes) => bytes.clone(),
        }
    }

    /// The bytes of a value of this document, shared and not copied. The result outlives the document, and keeps all
    /// bytes of the document allocated. O(1).
    ///
    /// ```
    /// use variant_view::{Dialect, OwnedDocument};
    ///
    /// // [null, 7]
    /// let bytes = [28, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
    /// let message = OwnedDocument::new(bytes, Dialect::Godot4)?;
    /// let seven = message.part(&message.root().index(1)?.unwrap()).unwrap();
    /// drop(message);
    /// assert_eq!(seven, &[2, 0, 0, 0, 7, 0, 0, 0][..]);
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// `None` if `value` is from another document.
    #[cfg(feature = "bytes")]
    pub fn part(&self, value: &TapeValue<'_, '_>) -> Option<Bytes> {
        let part = value.raw_bytes();
        let range = value.offset()..value.offset().checked_add(part.len())?;
        let own = self.bytes().get(range.clone())?;
        (own.as_ptr() == part.as_ptr()).then(|| self.to_bytes().slice(range))
    }

    /// The document with a separate copy of its bytes. O(bytes).
    #[must_use]
    pub fn detach(self) -> Self {
        Self { bytes: Shared::Slice(self.bytes().into()), ..self }
    }

    /// The options of the validation.
    pub fn options(&self) -> &Options {
        self.tape.options()
    }

    /// The result of the validation.
    pub fn summary(&self) -> Summary {
        self.root().summary()
    }

    /// The allocated memory of the tape in bytes. [`OwnedDocument::bytes`] are not included.
    pub fn memory(&self) -> usize {
        self.tape.memory()
    }
}

impl AsRef<[u8]> for OwnedDocument {
    fn as_ref(&self) -> &[u8] {
        self.bytes()
    }
}

impl fmt::Debug for OwnedDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnedDocument")
            .field("bytes", &self.bytes().len())
            .field("values", &self.summary().values)
            .finish_non_exhaustive()
    }
}

const _: () = {
    const fn is_shared<T: Send + Sync + 'static>() {}
    is_shared::<OwnedDocument>();
};
