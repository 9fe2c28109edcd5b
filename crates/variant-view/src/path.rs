//! Paths: finds the value at a path, and the path of the value at an offset.

#[cfg(feature = "alloc")]
mod short;
mod step;
mod way;

#[cfg(feature = "alloc")]
pub use short::short_path;
pub use step::{PathStep, write_path};

use core::fmt;

use crate::bytes::Cursor;
use crate::error::{Error, ErrorKind, Result};
use crate::kind::Kind;
use crate::options::Mode;
use crate::scan::Scanner;
use crate::view::{Key, VariantView};
use step::Parser;
use way::Way;

/// A value that a path can be resolved against.
pub(crate) trait Navigate: Sized {
    fn kind(&self) -> Kind;
    fn offset(&self) -> usize;
    fn get(&self, key: Key<'_>) -> Result<Option<Self>>;
    fn index(&self, index: usize) -> Result<Option<Self>>;
    /// Item `slot`; in a dictionary keys and values both count.
    fn child(&self, slot: u32) -> Result<Option<Self>>;
    fn child_count(&self) -> u32;
}

impl VariantView<'_> {
    /// The value at `path`, relative to this one. [`Document::at`](crate::Document::at) describes paths.
    /// O(bytes of the containers on the path), no allocation.
    ///
    /// ```
    /// use variant_view::{Dialect, Document};
    ///
    /// let bytes = b"\x1c\0\0\0\x02\0\0\0\x1c\0\0\0\x01\0\0\0\x02\0\0\0\x05\0\0\0\x02\0\0\0\x07\0\0\0";
    /// let root = Document::new(bytes, Dialect::Godot4).root()?; // [[5], 7]
    /// assert_eq!(root.at("[0][0]")?.as_i64()?, 5);
    /// assert_eq!(root.at("[-1]")?.as_i64()?, 7);
    /// assert!(root.at("[2]").is_err());
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Document::at`](crate::Document::at).
    pub fn at(&self, path: &str) -> Result<Self> {
        resolve(*self, path)
    }
}

impl Navigate for VariantView<'_> {
    fn kind(&self) -> Kind {
        self.kind()
    }

    fn offset(&self) -> usize {
        self.offset()
    }

    fn get(&self, key: Key<'_>) -> Result<Option<Self>> {
        self.get(key)
    }

    fn index(&self, index: usize) -> Result<Option<Self>> {
        self.index(index)
    }

    fn child(&self, slot: u32) -> Result<Option<Self>> {
        self.child(slot)
    }

    fn child_count(&self) -> u32 {
        self.child_count()
    }
}

pub(crate) fn resolve<V: Navigate>(root: V, path: &str) -> Result<V> {
    let mut parser = Parser { path, rest: path };
    let mut value = root;
    while !parser.rest.is_empty() {
        let column = parser.column();
        let syntax = Error::new(ErrorKind::PathSyntax { column }, value.offset());
        let step = parser.step().ok_or(syntax)?;
        value = step.follow(&value, column)?;
    }
    Ok(value)
}

impl PathStep<'_> {
    fn follow<V: Navigate>(self, value: &V, column: u32) -> Result<V> {
        let found = match (self, value.kind()) {
            (Self::Name(name), _) => value.get(name.into())?,
            (Self::StringName(name), _) => value.get(Key::StringName(name.as_bytes()))?,
            (Self::Number(key), Kind::Dictionary) => value.get(key.into())?,
            (Self::Number(index), _) => return element(value, index, column),
            (Self::Position(at), Kind::Dictionary) => {
                value.child(at.saturating_mul(2).saturating_add(1))?
            }
            (Self::Position(at), _) => value.child(at)?,
            (Self::PositionKey(at), Kind::Dictionary) => value.child(at.saturating_mul(2))?,
            (Self::PositionKey(_), _) => {
                let kind = ErrorKind::NotAContainer { found: value.kind() };
                return Err(Error::new(kind, value.offset()));
            }
        };
        found.ok_or(Error::new(ErrorKind::KeyNotFound { column }, value.offset()))
    }
}

fn element<V: Navigate>(array: &V, index: i64, column: u32) -> Result<V> {
    if !matches!(array.kind(), Kind::Array | Kind::TypedArray | Kind::PackedTypedArray) {
        let kind = ErrorKind::NotAContainer { found: array.kind() };
        return Err(Error::new(kind, array.offset()));
    }
    let len = array.child_count();
    let found = match from_start(index, len) {
        Some(index) => array.index(index)?,
        None => None,
    };
    found.ok_or(Error::new(ErrorKind::IndexOutOfRange { column, len }, array.offset()))
}

/// Converts a number of a path to an index; a negative number counts from the end.
fn from_start(number: i64, len: u32) -> Option<usize> {
    let index = if number < 0 { number.checked_add(len.into())? } else { number };
    usize::try_from(index).ok()
}

/// The path from the root to a value, displayed as text.
#[derive(Clone, Copy)]
pub(crate) struct Path<'a> {
    /// The whole document.
    bytes: &'a [u8],
    mode: Mode,
    offset: usize,
    /// The number of steps.
    depth: u32,
}

impl<'a> Path<'a> {
    pub(crate) fn find(bytes: &'a [u8], mode: Mode, offset: usize) -> Result<Self> {
        let mut way = Way::new(bytes, mode);
        if !way.read_to(offset, &mut scanner_of(bytes, mode)) {
            return Err(Error::new(ErrorKind::OutsideDocument, offset));
        }
        Ok(Self { bytes, mode, offset, depth: way.depth() })
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut way = Way::new(self.bytes, self.mode);
        let mut scanner = scanner_of(self.bytes, self.mode);
        way.read_to(self.offset, &mut scanner);
        way.find_hidden(&mut scanner);
        write_path(f, way.steps())
    }
}

impl fmt::Debug for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Path").field("offset", &self.offset).field("depth", &self.depth).finish()
    }
}

fn scanner_of(bytes: &[u8], mode: Mode) -> Scanner<'_, false> {
    Scanner::new(Cursor::new(bytes, 0), mode)
}
