//! [`Spot`]: the place of a value; [`Child`]: a value with its name in its container.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::rc::Rc;

use variant_view::{Elements, Error, Key, Options, PathStep, Reader, StrView, VariantView};

use crate::escape::escape;
use crate::literal;
use crate::nested::{MOST_NESTED, Nested};
use crate::packed;
use crate::plain::Piece;
use crate::query::{KeyedStep, Place, key_of};

/// The place of a value. The value is read when it is shown.
#[derive(Clone, Copy, Debug)]
pub struct Spot<'a> {
    /// The bytes from the value on, to the end of its document; for an element of a packed array, only its bytes.
    pub bytes: &'a [u8],
    /// The offset in the file.
    pub start: usize,
    /// The options for the value. Their depth limit is the depth that remains for the value.
    pub options: Options,
    /// The number of byte arrays around the value.
    pub nesting: usize,
    /// The value, if it is an element of a packed array: such an element has no header, so it is not read again.
    pub element: Option<VariantView<'a>>,
}

impl<'a> Spot<'a> {
    /// The value, and the number of its items if it is a container. O(1), except for texts.
    ///
    /// # Errors
    /// The value is damaged.
    pub fn head(&self) -> Result<(VariantView<'a>, Option<u32>), Error> {
        if let Some(element) = self.element {
            return Ok((element, None));
        }
        self.reader().next_value().map_err(|error| self.placed(error))
    }

    /// The value. O(1), except for texts.
    ///
    /// # Errors
    /// The value is damaged.
    pub fn view(&self) -> Result<VariantView<'a>, Error> {
        self.head().map(|(view, _)| view)
    }

    /// A reader before the value, which must not be an element of a packed array.
    pub fn reader(&self) -> Reader<'a> {
        Reader::new(self.bytes, self.options)
    }

    /// The number of bytes of the value. O(bytes) for a container.
    ///
    /// # Errors
    /// The value is damaged.
    pub fn size(&self) -> Result<usize, Error> {
        if self.element.is_some() {
            return Ok(self.bytes.len());
        }
        self.reader().skip().map(<[u8]>::len).map_err(|error| self.placed(error))
    }

    /// The number of bytes of the value. For a container, the number of bytes before its items. O(1), except for texts.
    pub fn head_len(&self) -> usize {
        if self.element.is_some() {
            return self.bytes.len();
        }
        let mut reader = self.reader();
        let read = reader.next_value();
        read.map_or(0, |_| reader.offset())
    }

    /// The value at an offset inside this value, a level deeper.
    #[must_use]
    pub fn inner(&self, offset: usize) -> Self {
        let depth = self.options.limits.depth.saturating_sub(1);
        Self {
            bytes: self.bytes.get(offset..).unwrap_or_default(),
            start: self.start.saturating_add(offset),
            options: self.options.limits(self.options.limits.depth(depth)),
            nesting: self.nesting,
            element: None,
        }
    }

    /// The elements of a packed array, if they are rows: a byte array with a value inside has the row of this value
    /// instead. O(1); O(bytes of the array) for bytes and texts.
    pub fn elements(&self) -> Option<Elements<'a>> {
        self.view().ok()?.elements().filter(|_| self.nested().is_none())
    }

    /// The value as the bytes of a document. Those of an element of a packed array are new, since an element has no
    /// header.
    pub fn document_bytes(&self) -> Cow<'a, [u8]> {
        if let Some(element) = self.element {
            return packed::document_bytes(&element, self.options).into();
        }
        let own = self.size().ok().and_then(|size| self.bytes.get(..size));
        own.unwrap_or(self.bytes).into()
    }

    /// The value inside a byte array, and its description. O(bytes of the array).
    pub fn nested(&self) -> Option<(Self, String)> {
        let view = self.view().ok()?;
        let nested = Nested::of(&view, self.options).filter(|_| self.nesting < MOST_NESTED)?;
        let spot = Self {
            bytes: nested.document.bytes(),
            start: self.start.saturating_add(nested.start),
            options: *nested.document.options(),
            nesting: self.nesting.saturating_add(1),
            element: None,
        };
        Some((spot, nested.describe()))
    }

    /// The error with its offset in the file.
    pub const fn placed(&self, error: Error) -> Error {
        error.in_buffer(self.start)
    }
}

/// The name of a value in its container.
#[derive(Clone, Debug)]
pub enum Label<'a> {
    /// A value of the file.
    Piece(Piece<'a>),
    /// The element of this position.
    Element(u32),
    /// The value of a pair.
    Pair {
        /// The place of the key.
        key: Spot<'a>,
        /// The position of the pair.
        position: u32,
    },
    /// A property of an object.
    Property {
        /// The name of the property.
        name: StrView<'a>,
        /// The position of the property.
        position: u32,
    },
    /// A key that is a container, shown as a separate child of its pair. The number is the position of the pair.
    Key(u32),
    /// The value of a pair whose key is a container.
    Value,
    /// The value inside a byte array.
    Inside,
    /// A value that a path selected.
    Match {
        /// The number of the frame or setting; 0 in a bare file.
        piece: u64,
        /// The path, from the root of the frame or setting, or of the bare file.
        path: Rc<str>,
    },
}

/// A value with its name.
#[derive(Clone, Debug)]
pub struct Child<'a> {
    /// The name in its container.
    pub label: Label<'a>,
    /// The place of the value.
    pub spot: Spot<'a>,
}

impl<'a> Child<'a> {
    /// The key of the pair, if the key is a container. Such a key is a separate row below the pair.
    pub fn wide_key(&self) -> Option<Spot<'a>> {
        match self.label {
            Label::Pair { key, .. } if key.head().is_ok_and(|(_, items)| items.is_some()) => {
                Some(key)
            }
            _ => None,
        }
    }

    /// The offset in the file of the first byte of the child, including its key or name.
    pub fn start(&self) -> usize {
        match &self.label {
            Label::Pair { key, .. } => key.start,
            Label::Property { name, .. } => {
                // The bytes of a name are its length, its text and the padding.
                let len = name.as_bytes().len().next_multiple_of(4).saturating_add(4);
                self.spot.start.saturating_sub(len)
            }
            _ => self.spot.start,
        }
    }

    /// Appends the step to this value to the path of its container. A name that is too long becomes a position. O(1),
    /// except for a key that is a container.
    pub fn extend_path(&self, path: &mut String) {
        let dialect = self.spot.options.dialect;
        let step = match &self.label {
            Label::Element(index) => PathStep::Number((*index).into()).into(),
            Label::Pair { key, position } => {
                let view = key.view().ok();
                let named = view.as_ref().and_then(key_of);
                let place = Place::Value { key: named, position: *position };
                let key = view.filter(|_| named.is_none());
                KeyedStep { step: place.step(), key }.short(*position)
            }
            Label::Property { name, position } => {
                let key = Some(Key::String(name.engine_bytes()));
                let place = Place::Value { key, position: *position };
                KeyedStep::from(place.step()).short(*position)
            }
            Label::Key(position) => {
                // The key is a child of its pair. Its step replaces the step to the pair.
                let key = self.spot.view().ok();
                let pair = PathStep::Position(*position);
                for pair in [KeyedStep::from(pair), KeyedStep { step: pair, key }] {
                    let mut step = String::new();
                    pair.push_to(&mut step, dialect);
                    if path.ends_with(&step) {
                        path.truncate(path.len().saturating_sub(step.len()));
                        break;
                    }
                }
                PathStep::PositionKey(*position).into()
            }
            Label::Piece(_) | Label::Value | Label::Inside | Label::Match { .. } => return,
        };
        step.push_to(path, dialect);
    }

    /// The displayed name, without control characters; empty for the value of a bare file.
    pub fn label(&self) -> String {
        let mut out = String::new();
        match &self.label {
            Label::Piece(piece) => out.extend(piece.called()),
            Label::Element(index) => drop(write!(out, "[{index}]")),
            Label::Pair { key, .. } => {
                if let Ok(key) = key.view() {
                    literal::write(&mut out, &key);
                }
            }
            Label::Property { name, .. } => drop(escape(&mut out, name.as_bytes(), 100)),
            Label::Key(_) => out.push_str("key"),
            Label::Value => out.push_str("value"),
            Label::Inside => out.push('='),
            Label::Match { piece: 0, path } => out.push_str(path),
            Label::Match { piece, path } => drop(write!(out, "{piece}: {path}")),
        }
        out
    }

    /// The name with its separator from the value.
    pub fn heading(&self) -> String {
        let label = self.label();
        match &self.label {
            Label::Piece(_) if label.is_empty() => label,
            Label::Piece(_) | Label::Pair { .. } | Label::Match { .. } => label + ": ",
            Label::Property { .. } => label + " = ",
            Label::Element(_) | Label::Key(_) | Label::Value | Label::Inside => label + " ",
        }
    }

    /// The bytes of the name if it is text, to search in.
    pub fn name(&self) -> Option<&[u8]> {
        match &self.label {
            Label::Piece(piece) => piece.name,
            Label::Pair { key, .. } => text_of(&key.view().ok()?),
            Label::Property { name, .. } => Some(name.as_bytes()),
            Label::Match { path, .. } => Some(path.as_bytes()),
            _ => None,
        }
    }
}

/// The bytes of a text.
pub fn text_of<'a>(view: &VariantView<'a>) -> Option<&'a [u8]> {
    match view {
        VariantView::String(text) | VariantView::StringName(text) => Some(text.as_bytes()),
        _ => None,
    }
}
