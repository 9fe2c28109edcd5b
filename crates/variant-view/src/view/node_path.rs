//! [`NodePathView`]: the names of a node path (docs/spec/format.md#nodepath).

use core::fmt;

use super::wire_texts::WireTexts;
use super::{Raw, StrView, raw_methods};
use crate::bytes::{Cursor, size};
use crate::dialect::{Dialect, PropertyFlag};
use crate::error::Part;
use crate::layout::{NODE_PATH_ABSOLUTE, NODE_PATH_PROPERTY, NodePathHead};

/// A path to a node or a property: names, then subnames.
///
/// ```
/// use variant_view::{Dialect, Document};
///
/// // NodePath("a:b"), as Godot 3 writes it
/// let bytes = [
///     15, 0, 0, 0, 1, 0, 0, 0x80, 1, 0, 0, 0, 0, 0, 0, 0,
///     1, 0, 0, 0, b'a', 0, 0, 0, 1, 0, 0, 0, b'b', 0, 0, 0,
/// ];
/// let path = Document::new(&bytes, Dialect::Godot3).root()?.as_node_path()?;
/// assert_eq!(path.to_string(), "a:b");
/// assert_eq!((path.names().len(), path.subnames().len()), (1, 1));
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct NodePathView<'a> {
    pub(super) raw: Raw<'a>,
    pub(super) dialect: Dialect,
}

raw_methods!([] NodePathView<'a>);

impl<'a> NodePathView<'a> {
    /// The names: `root`, `Main` in `/root/Main:position:x`. O(1), and O(1) each.
    ///
    /// ```
    /// use variant_view::{Dialect, Document};
    ///
    /// let bytes = b"\x16\0\0\0\x02\0\0\x80\x01\0\0\0\x01\0\0\0\x04\0\0\0root\x04\0\0\0Main\x01\0\0\0x\0\0\0";
    /// let path = Document::new(bytes, Dialect::Godot4).root()?.as_node_path()?; // /root/Main:x
    /// assert!(path.is_absolute());
    /// assert!(path.names().map(|name| name.as_bytes()).eq([b"root", b"Main"]));
    /// assert_eq!(path.subnames().next().unwrap().to_str()?, "x");
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    pub fn names(&self) -> impl ExactSizeIterator<Item = StrView<'a>> + Clone + use<'a> {
        self.wire_names()
    }

    pub(crate) fn wire_names(&self) -> WireTexts<'a> {
        match self.head() {
            Some((cursor, NodePathHead::Names { names, total, .. })) => {
                self.texts(cursor, names.min(total))
            }
            _ => self.texts(self.raw.cursor(), 0),
        }
    }

    /// The subnames: `position`, `x` in `/root/Main:position:x`. A legacy property, which the wire's count
    /// omits, comes last. O(bytes of the names).
    pub fn subnames(&self) -> impl ExactSizeIterator<Item = StrView<'a>> + Clone + use<'a> {
        self.wire_subnames()
    }

    pub(crate) fn wire_subnames(&self) -> WireTexts<'a> {
        match self.head() {
            Some((cursor, NodePathHead::Names { names, total, .. })) => {
                let mut all = self.texts(cursor, total);
                all.by_ref().take(size(names.min(total))).for_each(drop);
                all
            }
            _ => self.texts(self.raw.cursor(), 0),
        }
    }

    /// Whether the path starts at the root of the scene tree. O(1).
    pub fn is_absolute(&self) -> bool {
        match self.head() {
            Some((_, NodePathHead::Names { flags, .. })) => flags & NODE_PATH_ABSOLUTE != 0,
            _ => self.plain().is_some_and(|path| path.as_bytes().starts_with(b"/")),
        }
    }

    /// The dialect of the path.
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Whether the last subname is a legacy property, which the wire's count omits. Always false for pages
    /// of the documentation.
    pub fn has_property(&self) -> bool {
        let is_known = self.dialect.rules().property_flag != PropertyFlag::Ignored;
        let head = self.head();
        is_known
            && matches!(head, Some((_, NodePathHead::Names { flags, .. })) if flags & NODE_PATH_PROPERTY != 0)
    }

    /// The path, if it is one plain string: the old form, only of Godot 2 and the documentation.
    /// [`NodePathView::names`] is then empty.
    pub fn plain(&self) -> Option<StrView<'a>> {
        let (mut cursor, NodePathHead::Plain { length }) = self.head()? else { return None };
        let offset = cursor.offset();
        let text = cursor.take(size(length), Part::Text).ok()?;
        Some(StrView::of_name(text, offset, self.dialect))
    }

    fn head(&self) -> Option<(Cursor<'a>, NodePathHead)> {
        let mut cursor = self.raw.cursor();
        cursor.u32(Part::Header).ok()?;
        let head = NodePathHead::read(&mut cursor, self.dialect.rules()).ok()?;
        Some((cursor, head))
    }

    const fn texts(&self, cursor: Cursor<'a>, remaining: u32) -> WireTexts<'a> {
        WireTexts { cursor, remaining, dialect: self.dialect, has_nul: false }
    }
}

impl fmt::Display for NodePathView<'_> {
    /// Prints the path as the engine does: `/root/Main:position:x`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = self.plain() {
            return path.fmt(f);
        }
        if self.is_absolute() {
            f.write_str("/")?;
        }
        for (i, name) in self.names().enumerate() {
            if i > 0 {
                f.write_str("/")?;
            }
            name.fmt(f)?;
        }
        self.subnames().try_for_each(|name| write!(f, ":{name}"))
    }
}

impl fmt::Debug for NodePathView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NodePathView")
            .field("names", &Shown(self.wire_names()))
            .field("subnames", &Shown(self.wire_subnames()))
            .field("is_absolute", &self.is_absolute())
            .field("plain", &self.plain())
            .finish()
    }
}

/// Prints the texts of a path, for `Debug`.
struct Shown<'a>(WireTexts<'a>);

impl fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0).finish()
    }
}
