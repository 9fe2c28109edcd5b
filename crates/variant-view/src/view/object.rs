//! [`ObjectView`]: objects as inert data (docs/spec/format.md#object).

use core::fmt;

use super::items::ItemCursor;
use super::{Dialect, Items, Raw, Source, StrView, VariantView, source_methods};
use crate::bytes::size;
use crate::error::{Part, Result};
use crate::header::Header;
use crate::layout;
use crate::text;

/// An object: null, an instance id, or class and properties. Inert data; nothing is instantiated.
///
/// ```
/// use variant_view::{Dialect, Document, Options};
///
/// // A Node with hp = 7, as Godot 3 writes it
/// let bytes = [
///     17, 0, 0, 0, 4, 0, 0, 0, b'N', b'o', b'd', b'e', 1, 0, 0, 0,
///     2, 0, 0, 0, b'h', b'p', 0, 0, 2, 0, 0, 0, 7, 0, 0, 0,
/// ];
/// let options = Options::engine(Dialect::Godot3); // options made from only a dialect refuse full objects
/// let object = Document::new(&bytes, options).root()?.as_object()?;
/// assert_eq!(object.class().unwrap().to_str()?, "Node");
/// assert_eq!(object.get("hp")?.unwrap().as_i64()?, 7);
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct ObjectView<'a> {
    pub(super) source: Source<'a>,
}

source_methods!(ObjectView);

/// The wire form of an object (docs/spec/format.md#object).
///
/// ```
/// use variant_view::{Dialect, Document, ObjectForm};
///
/// let bytes = [24, 0, 1, 0, 42, 0, 0, 0, 0, 0, 0, 0]; // by id, as Godot 4 writes it
/// let object = Document::new(&bytes, Dialect::Godot4).root()?.as_object()?;
/// assert!(matches!(object.form(), ObjectForm::Id(42)));
/// assert!(object.class().is_none());
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum ObjectForm<'a> {
    /// Null.
    Null,
    /// An instance id, valid only inside the process that wrote it; 0 is null.
    Id(u64),
    /// A full object: its class name; properties follow.
    Full(StrView<'a>),
}

impl<'a> ObjectView<'a> {
    /// The wire form. O(1).
    pub fn form(&self) -> ObjectForm<'a> {
        let dialect = self.source.mode.dialect;
        let rules = dialect.rules();
        let mut cursor = self.source.raw.cursor();
        match Header::read(&mut cursor, rules) {
            Ok(header) if !rules.object_payload || header.kind != crate::Kind::Object => {
                ObjectForm::Null
            }
            Ok(header) if header.flag() => {
                ObjectForm::Id(cursor.u64(Part::Payload(header.kind)).unwrap_or(0))
            }
            Ok(_) => {
                let offset = cursor.offset().saturating_add(4);
                match layout::string::<false, _>(&mut cursor, rules) {
                    Ok(class) if !text::reads_empty(class) => {
                        ObjectForm::Full(StrView::of_name(class, offset, dialect))
                    }
                    _ => ObjectForm::Null,
                }
            }
            Err(_) => ObjectForm::Null,
        }
    }

    /// The class name of a full object. O(1).
    pub fn class(&self) -> Option<StrView<'a>> {
        match self.form() {
            ObjectForm::Full(class) => Some(class),
            ObjectForm::Null | ObjectForm::Id(_) => None,
        }
    }

    /// The instance id of an object by id. O(1).
    pub fn id(&self) -> Option<u64> {
        match self.form() {
            ObjectForm::Id(id) => Some(id),
            ObjectForm::Null | ObjectForm::Full(_) => None,
        }
    }

    /// The count of properties on the wire; 0 if negative. The count is not verified: do not reserve memory for it.
    /// O(1).
    pub fn len(&self) -> usize {
        size(ItemCursor::new(self.source).remaining())
    }

    /// Whether the count of properties on the wire is 0.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The properties in wire order, duplicates included.
    pub fn properties(&self) -> Items<'a, (StrView<'a>, VariantView<'a>)> {
        Items::of(self.source)
    }

    /// The value of property `name`. If the property occurs twice, the last value wins, since the engine sets the
    /// values in order. O(bytes of the object), no allocation.
    ///
    /// # Errors
    /// The first error inside the object.
    pub fn get(&self, name: impl AsRef<[u8]>) -> Result<Option<VariantView<'a>>> {
        let name = text::before_nul(name.as_ref());
        let mut items = ItemCursor::new(self.source);
        let mut found = None;
        while let Some((own, value)) = items.skip_named().transpose()? {
            if own.reads_as(name) {
                found = Some(value);
            }
        }
        found.map(|cursor| items.read_at(cursor)).transpose()
    }
}

impl fmt::Debug for ObjectView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObjectView")
            .field("offset", &self.offset())
            .field("form", &self.form())
            .field("len", &self.len())
            .finish()
    }
}
