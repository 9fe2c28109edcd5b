//! [`Key`]: a key to look up.

use crate::dialect::DialectRules;
use crate::error::Result;
use crate::key::{KeyBody, KeyPart, KeyPlace, is_same_text};
use crate::kind::Kind;
use crate::options::Mode;
use crate::text::before_nul;

/// A key to look up. Text is given as the engine reads it, and ends at its first NUL.
///
/// Keys are equal by kind and value, as in the engines: `1`, `1.0` and `"1"` are three keys. All NaNs are one key, and
/// so are 0.0 and -0.0 (docs/spec/format.md#key-identity).
///
/// ```
/// use variant_view::{Dialect, Document, Key};
///
/// let bytes = [27, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0]; // {3: null}
/// let document = Document::new(&bytes, Dialect::Godot4);
/// assert!(document.get(3)?.is_some()); // the same as `Key::Int(3)`
/// assert!(document.get("3")?.is_none());
/// assert!(document.get(Key::Float(3.0))?.is_none());
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Key<'k> {
    /// The key `null`.
    Nil,
    /// A `bool`.
    Bool(bool),
    /// An `int` of either width.
    Int(i64),
    /// A `float` of either width.
    Float(f64),
    /// A `String`; in Godot 4 also a `StringName` of the same text.
    String(&'k [u8]),
    /// A `StringName`; in Godot 4 also a `String` of the same text.
    StringName(&'k [u8]),
}

impl<'k> Key<'k> {
    /// The key with its text cut at the first NUL. O(bytes).
    #[inline]
    pub(crate) fn cut(self) -> Self {
        match self {
            Self::String(text) => Self::String(before_nul(text)),
            Self::StringName(text) => Self::StringName(before_nul(text)),
            other => other,
        }
    }

    /// The key as a [`KeyPart`]. A [`Key`] has only one part. O(1).
    ///
    /// ```
    /// use variant_view::{Key, Kind};
    ///
    /// assert_eq!(Key::from("hp").part().kind, Kind::String);
    /// assert_eq!(Key::from("hp").part().text(), Some(&b"hp"[..]));
    /// ```
    #[doc(hidden)]
    pub const fn part(&self) -> KeyPart<'k> {
        let (kind, body) = match *self {
            Self::Nil => (Kind::Nil, KeyBody::Empty),
            #[expect(clippy::as_conversions, reason = "a bool is 0 or 1")]
            Self::Bool(value) => (Kind::Bool, KeyBody::Int(value as i64)),
            Self::Int(value) => (Kind::Int, KeyBody::Int(value)),
            Self::Float(value) => (Kind::Float, KeyBody::Float(value)),
            Self::String(text) => (Kind::String, KeyBody::Held(text)),
            Self::StringName(text) => (Kind::StringName, KeyBody::Held(text)),
        };
        KeyPart { kind, body }
    }

    /// Whether the value at the start of `bytes`, which has this kind, equals `self`. Values of kinds that never equal
    /// a [`Key`] are not read; for text, use [`Key::is_text`].
    pub(crate) fn is_scalar(&self, kind: Kind, bytes: &[u8], mode: Mode) -> bool {
        matches!(kind, Kind::Bool | Kind::Float | Kind::Int | Kind::Nil)
            && self.is(bytes, mode).unwrap_or_default()
    }

    /// Whether a key with this kind and this text equals `self`, which must be [cut](Key::cut).
    #[cfg_attr(not(variant_small), inline(always))]
    pub(super) fn is_text(&self, kind: Kind, text: &[u8], rules: &DialectRules) -> bool {
        let (wanted, fits) = match *self {
            Self::String(wanted) => (wanted, kind == Kind::String),
            Self::StringName(wanted) => (wanted, kind == Kind::StringName),
            _ => return false,
        };
        (fits || rules.keys.one_text_key) && is_same_text(text, wanted, rules.text)
    }

    /// Whether the value at the start of `bytes` is this key.
    ///
    /// # Errors
    /// The first error of that value.
    pub(crate) fn is(&self, bytes: &[u8], mode: Mode) -> Result<bool> {
        let own = KeyPart::read(bytes, mode)?;
        Ok(own.is_same(&self.part(), mode.dialect.rules().keys, KeyPlace::Key))
    }
}

impl<'k> From<&'k str> for Key<'k> {
    fn from(text: &'k str) -> Self {
        Self::String(text.as_bytes())
    }
}

#[cfg(feature = "alloc")]
impl<'k> From<&'k alloc::string::String> for Key<'k> {
    fn from(text: &'k alloc::string::String) -> Self {
        Self::String(text.as_bytes())
    }
}

impl<'k> From<&'k [u8]> for Key<'k> {
    /// A `String` of these bytes.
    fn from(text: &'k [u8]) -> Self {
        Self::String(text)
    }
}

impl From<u32> for Key<'_> {
    fn from(value: u32) -> Self {
        Self::Int(value.into())
    }
}

impl From<i64> for Key<'_> {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<i32> for Key<'_> {
    fn from(value: i32) -> Self {
        Self::Int(value.into())
    }
}

impl From<f64> for Key<'_> {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

impl From<bool> for Key<'_> {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}
