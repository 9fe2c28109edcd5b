//! Values by path: read, change, insert, remove.

use std::{fmt, mem};

use variant_view::{ErrorKind, Key, Kind, PathStep};

use crate::variant::Variant;

/// Why a path cannot be resolved.
///
/// ```
/// use variant_owned::{Variant, array, dictionary};
/// use variant_view::ErrorKind;
///
/// let save = Variant::from(dictionary! { "items" => array!["axe"] });
/// let error = save.at("items[3]").unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::IndexOutOfRange { len: 1, .. }));
/// assert_eq!(&"items[3]"[error.column() as usize..], "[3]"); // the failing step
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathError {
    kind: ErrorKind,
    column: u32,
}

impl PathError {
    /// The kind of the error: [`ErrorKind::PathSyntax`], [`ErrorKind::KeyNotFound`], [`ErrorKind::IndexOutOfRange`] or
    /// [`ErrorKind::NotAContainer`].
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The byte of the path text at which the failing step starts.
    pub const fn column(&self) -> u32 {
        self.column
    }
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = self.column;
        match self.kind {
            ErrorKind::KeyNotFound { .. } => write!(f, "no such key at path column {column}"),
            ErrorKind::IndexOutOfRange { len, .. } => {
                write!(f, "no such index in an array of length {len} at path column {column}")
            }
            ErrorKind::PathSyntax { .. } => {
                write!(
                    f,
                    "invalid path from column {column} on; a path looks like `items[3][\"odd key\"]`"
                )
            }
            kind => write!(f, "{kind} at path column {column}"),
        }
    }
}

impl std::error::Error for PathError {}

impl Variant {
    /// The value at `path`; [`Document::at`](variant_view::Document::at) describes paths. O(bytes of the path)
    /// expected; for each object on the path also O(bytes of its property names).
    ///
    /// ```
    /// use variant_owned::{Variant, array, dictionary};
    ///
    /// let mut save = Variant::from(dictionary! { "items" => array![dictionary! { "hp" => 7 }] });
    /// *save.at_mut("items[0].hp")? = 8.into();
    /// assert_eq!(save.at("items[0].hp")?.as_i64(), Some(8));
    /// assert_eq!(save.at("items[1]").unwrap_err().to_string(), "no such index in an array of length 1 at path column 5");
    /// # Ok::<(), variant_owned::PathError>(())
    /// ```
    ///
    /// # Errors
    /// [`PathError`], with the reason and the position in the path.
    pub fn at(&self, path: &str) -> Result<&Self, PathError> {
        steps(path).try_fold(self, |value, step| {
            let (step, column) = step?;
            value.at_step(step).ok_or_else(|| value.lacks(step, column))
        })
    }

    /// The mutable value at `path`. Keys cannot be changed: for a path to or through a key, the error is
    /// [`ErrorKind::NotAContainer`]. O(bytes of the path).
    ///
    /// # Errors
    /// Those of [`Variant::at`].
    pub fn at_mut(&mut self, path: &str) -> Result<&mut Self, PathError> {
        steps(path).try_fold(self, |value, step| {
            let (step, column) = step?;
            value.follow_mut(step, column)
        })
    }

    /// Inserts a value at `path`. All steps except the last must exist. The last step is one of:
    ///
    /// * a key of a dictionary or a property name: sets the value and returns the old one; a new pair or
    ///   property is appended;
    /// * a position in a dictionary or object, as `{2}`: sets the existing value there;
    /// * an index of an array: inserts before that element, or appends if the index equals the length. To
    ///   replace an element use [`Variant::at_mut`].
    ///
    /// The empty path replaces the whole value. O(bytes of the path) expected; for an array also O(elements) moves; for
    /// each object on the path also O(bytes of its property names).
    ///
    /// ```
    /// use variant_owned::{Variant, array, dictionary};
    ///
    /// let mut save = Variant::from(dictionary! { "items" => array!["axe"] });
    /// save.insert("items[1]", "bow")?;
    /// save.insert("items[0]", "key")?;
    /// assert_eq!(save.insert("hp", 7)?, None);
    /// assert_eq!(save.insert("hp", 8)?, Some(7.into()));
    /// let wanted = dictionary! { "items" => array!["key", "axe", "bow"], "hp" => 8 };
    /// assert_eq!(save, Variant::from(wanted));
    /// # Ok::<(), variant_owned::PathError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Variant::at_mut`], and [`ErrorKind::NotAContainer`] for an object that is null or only an id: it
    /// cannot have properties. On an error, the value is unchanged.
    pub fn insert(
        &mut self,
        path: &str,
        value: impl Into<Self>,
    ) -> Result<Option<Self>, PathError> {
        let value = value.into();
        let Some((container, step, column)) = self.last_step(path)? else {
            return Ok(Some(mem::replace(self, value)));
        };
        let lacks = container.lacks(step, column);
        match (&mut *container, step) {
            (Self::Object(object), _) if object.properties().is_none() => {
                Err(PathError { kind: ErrorKind::NotAContainer { found: Kind::Object }, column })
            }
            (Self::Dictionary(all), PathStep::Name(name)) => Ok(all.insert(name, value)),
            (Self::Dictionary(all), PathStep::StringName(name)) => {
                Ok(all.insert(Self::StringName(name.into()), value))
            }
            (Self::Dictionary(all), PathStep::Number(key)) => Ok(all.insert(key, value)),
            (Self::Object(object), PathStep::Name(name) | PathStep::StringName(name))
                if object.place_of(name.as_bytes()).is_none() =>
            {
                object.properties_mut().ok_or(lacks)?.push(name, value);
                Ok(None)
            }
            (Self::Dictionary(_) | Self::Object(_), _) => {
                container.follow_mut(step, column).map(|old| Some(mem::replace(old, value)))
            }
            (other, PathStep::Number(_) | PathStep::Position(_)) => {
                let elements = other.as_array_mut().ok_or(lacks)?.as_mut_vec();
                let index = index_of(step, elements.len());
                let index = index.filter(|&index| index <= elements.len()).ok_or(lacks)?;
                elements.insert(index, value);
                Ok(None)
            }
            _ => Err(lacks),
        }
    }

    /// Removes the value at `path` and returns it. Its key or property name is also removed, and later items move up.
    /// The empty path takes the whole value and leaves null.
    ///
    /// O(bytes of the path) expected, and O(items) moves in the container; for each object on the path also
    /// O(bytes of its property names).
    ///
    /// ```
    /// use variant_owned::{Variant, array, dictionary};
    ///
    /// let mut save = Variant::from(dictionary! { "items" => array!["axe", "bow"], "hp" => 7 });
    /// assert_eq!(save.remove("items[0]")?, "axe");
    /// assert_eq!(save.remove("hp")?, 7);
    /// assert_eq!(save, Variant::from(dictionary! { "items" => array!["bow"] }));
    /// # Ok::<(), variant_owned::PathError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Variant::at_mut`]; the value is unchanged.
    pub fn remove(&mut self, path: &str) -> Result<Self, PathError> {
        let Some((container, step, column)) = self.last_step(path)? else {
            return Ok(mem::take(self));
        };
        container.check_value(step, column)?;
        let lacks = container.lacks(step, column);
        container.place(step).and_then(|at| container.remove_value(at)).ok_or(lacks)
    }

    /// The container that the last step applies to, and the last step; `None` for the empty path.
    fn last_step<'p>(
        &mut self,
        path: &'p str,
    ) -> Result<Option<(&mut Self, PathStep<'p>, u32)>, PathError> {
        let mut value = self;
        let mut steps = steps(path);
        let Some(mut last) = steps.next() else { return Ok(None) };
        for next in steps {
            let (step, column) = last?;
            value = value.follow_mut(step, column)?;
            last = next;
        }
        last.map(|(step, column)| Some((value, step, column)))
    }

    fn follow_mut(&mut self, step: PathStep<'_>, column: u32) -> Result<&mut Self, PathError> {
        self.check_value(step, column)?;
        let lacks = self.lacks(step, column);
        self.place(step).and_then(|at| self.value_mut(at)).ok_or(lacks)
    }

    /// Refuses a step to a key, since keys cannot be changed.
    fn check_value(&self, step: PathStep<'_>, column: u32) -> Result<(), PathError> {
        match step {
            PathStep::PositionKey(_) if self.at_step(step).is_some() => {
                Err(PathError { kind: ErrorKind::NotAContainer { found: self.kind() }, column })
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn at_step(&self, step: PathStep<'_>) -> Option<&Self> {
        if let PathStep::PositionKey(at) = step {
            let pairs = self.as_dictionary()?.as_slice();
            return pairs.get(usize::try_from(at).ok()?).map(|(key, _)| key);
        }
        let at = self.place(step)?;
        match self {
            Self::Dictionary(all) => all.as_slice().get(at).map(|(_, value)| value),
            Self::Object(all) => all.properties()?.as_slice().get(at).map(|(_, value)| value),
            other => other.as_array()?.get(at),
        }
    }

    /// The index of the element, pair or property to which a step leads from this value.
    fn place(&self, step: PathStep<'_>) -> Option<usize> {
        let key = match step {
            PathStep::Name(name) => Key::from(name),
            PathStep::StringName(name) => Key::StringName(name.as_bytes()),
            PathStep::Number(key) if self.as_dictionary().is_some() => key.into(),
            PathStep::Number(_) => return index_of(step, self.as_array()?.len()),
            PathStep::Position(_) => return index_of(step, 0),
            PathStep::PositionKey(_) => return None,
        };
        match (self, key) {
            (Self::Dictionary(dictionary), key) => dictionary.place_of_key(&key),
            (Self::Object(object), Key::String(name) | Key::StringName(name)) => {
                object.place_of(name)
            }
            _ => None,
        }
    }

    fn value_mut(&mut self, at: usize) -> Option<&mut Self> {
        match self {
            Self::Dictionary(all) => all.value_mut(at),
            Self::Object(all) => all.properties_mut()?.as_mut_vec().get_mut(at).map(|(_, v)| v),
            other => other.as_array_mut()?.get_mut(at),
        }
    }

    fn remove_value(&mut self, at: usize) -> Option<Self> {
        match self {
            Self::Dictionary(all) => all.remove_at(at).map(|(_, value)| value),
            Self::Object(all) => remove(all.properties_mut()?.as_mut_vec(), at).map(|(_, v)| v),
            other => remove(other.as_array_mut()?.as_mut_vec(), at),
        }
    }

    /// The error for a step that does not exist, as [`Document::at`](variant_view::Document::at) reports it.
    fn lacks(&self, step: PathStep<'_>, column: u32) -> PathError {
        let kind = match (step, self, self.as_array()) {
            (PathStep::Number(_), _, Some(array)) => {
                let len = u32::try_from(array.len()).unwrap_or(u32::MAX);
                ErrorKind::IndexOutOfRange { column, len }
            }
            (PathStep::Position(_), _, Some(_))
            | (_, Self::Dictionary(_), _)
            | (
                PathStep::Name(_) | PathStep::StringName(_) | PathStep::Position(_),
                Self::Object(_),
                _,
            ) => ErrorKind::KeyNotFound { column },
            _ => ErrorKind::NotAContainer { found: self.kind() },
        };
        PathError { kind, column }
    }
}

/// The steps of a path with their columns.
fn steps(path: &str) -> impl Iterator<Item = Result<(PathStep<'_>, u32), PathError>> {
    PathStep::parse_at(path).map(|(column, step)| match step {
        Ok(step) => Ok((step, column)),
        Err(_) => Err(PathError { kind: ErrorKind::PathSyntax { column }, column }),
    })
}

/// The array index of a step; a negative number counts from the end of the `len` elements.
fn index_of(step: PathStep<'_>, len: usize) -> Option<usize> {
    match step {
        PathStep::Number(index @ ..0) => {
            len.checked_sub(usize::try_from(index.unsigned_abs()).ok()?)
        }
        PathStep::Number(index) => index.try_into().ok(),
        PathStep::Position(index) => index.try_into().ok(),
        _ => None,
    }
}

fn remove<T>(all: &mut Vec<T>, at: usize) -> Option<T> {
    (at < all.len()).then(|| all.remove(at))
}
