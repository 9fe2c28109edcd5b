//! Paths: from text to a value, and from an offset to text.

mod step;
mod way;

pub use step::{PathStep, PathSteps, write_path};

use core::fmt;

use crate::bytes::Cursor;
use crate::error::{Error, ErrorKind, Result};
use crate::kind::Kind;
use crate::options::Mode;
use crate::scan::Scanner;
use crate::view::{Key, VariantView};
use step::Parser;
use way::Way;

/// A value that a path may lead through.
pub(crate) trait Navigate: Sized {
    fn kind(&self) -> Kind;
    fn offset(&self) -> usize;
    fn get(&self, key: Key<'_>) -> Result<Option<Self>>;
    fn index(&self, index: usize) -> Result<Option<Self>>;
    /// Item `slot`; of a dictionary, keys and values count both.
    fn child(&self, slot: u32) -> Result<Option<Self>>;
    fn child_count(&self) -> u32;
}

impl VariantView<'_> {
    /// The value at `path`, from this one on; see [`Document::at`](crate::Document::at) for what paths look like.
    /// O(bytes in front of it, and of the dictionaries on the way), nothing allocated.
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

/// Follows `path` from `root`.
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
    let found = match usize::try_from(index) {
        Ok(index) => array.index(index)?,
        Err(_) => None,
    };
    let len = array.child_count();
    found.ok_or(Error::new(ErrorKind::IndexOutOfRange { column, len }, array.offset()))
}

/// The way from the root to a value, as text; see [`Document::path_to`](crate::Document::path_to).
///
/// [`Document::at`](crate::Document::at) reads it back. The root's own path is the empty text. O(bytes of the
/// document) to display, however deep the value stands.
#[derive(Clone, Copy)]
pub struct Path<'a> {
    /// Of the whole document.
    bytes: &'a [u8],
    mode: Mode,
    offset: usize,
    /// How many steps it has.
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

    /// Whether it is the root's.
    pub const fn is_root(&self) -> bool {
        self.depth == 0
    }

    /// The number of its steps.
    pub const fn depth(&self) -> u32 {
        self.depth
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
