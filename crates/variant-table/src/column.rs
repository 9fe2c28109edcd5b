//! [`Column`]: a name, a source of values, and a type.

mod folder;
mod text;

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use variant_document::query::Query;

pub(crate) use self::folder::{folder, keys};
pub(crate) use self::text::outside;
use crate::column_type::ColumnType;

/// One column of a table.
///
/// The text form is `NAME=WHAT:TYPE`. The name and the type are optional.
///
/// | what | the column has |
/// |---|---|
/// | `player.level` | the value at the path; null if there is none |
/// | `items[*].id`, `players.*.hp` | the value of each item, which makes a row |
/// | `key(players.*)` | the key of each item, or its index |
/// | `list(..gold)`, `..gold` | all values that the path selects, as a list |
/// | `sum(..gold)`, `min(..gold)`, `max(..gold)` | the sum, minimum or maximum of the numbers among the selected values |
/// | `count(items[*])` | the number of selected values |
/// | `first(..name)`, `last(..name)` | the first or the last selected value |
/// | `folder(day)` | `VALUE` of the folder `day=VALUE` in the name of the file, as text; null if there is none. Keys that are not names are in quotes: `folder("a (b)")` |
/// | `_file`, `_frame`, `_offset`, `_error`, `_value` | a [`Meta`] |
///
/// ```
/// use variant_table::Column;
///
/// let column: Column = "level=player.level:int".parse()?;
/// assert_eq!(column.name(), "level");
/// assert_eq!(column.to_string(), "level=player.level:int");
/// # Ok::<(), variant_table::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Column {
    name: String,
    what: What,
    of: Option<ColumnType>,
}

/// The content of a column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    Meta(Meta),
    /// The value of the folder `KEY=VALUE`.
    Folder(String),
    /// The value at a path, which may make rows of items.
    Value(PathText),
    /// One value, made of all values that a path selects.
    Fold(Fold, PathText),
}

/// A path as a query, and its text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PathText {
    pub(crate) text: String,
    pub(crate) query: Query,
}

/// A property of a row that is not one of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Meta {
    /// `_file`: the name of the file, `Utf8`.
    File,
    /// `_frame`: the position of the value among those of the file, from 1, `Int64`.
    Frame,
    /// `_offset`: the offset of the value in the file, in bytes, `Int64`.
    Offset,
    /// `_error`: the fault, `Struct` of `offset`, `path` and `text`; null without a fault.
    Error,
    /// `_value`: the bytes of the value, `Binary`.
    Value,
}

/// The function that makes one value of many values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fold {
    /// The sum of the numbers.
    Sum,
    /// The least number.
    Min,
    /// The greatest number.
    Max,
    /// The number of values.
    Count,
    /// The first value.
    First,
    /// The last value.
    Last,
    /// All values.
    List,
    /// The key or the index of an item that makes a row.
    Key,
}

impl Meta {
    /// All of these columns.
    pub const ALL: [Self; 5] = [Self::File, Self::Frame, Self::Offset, Self::Error, Self::Value];

    /// The name, such as `_file`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::File => "_file",
            Self::Frame => "_frame",
            Self::Offset => "_offset",
            Self::Error => "_error",
            Self::Value => "_value",
        }
    }
}

impl Fold {
    /// All folds.
    pub const ALL: [Self; 8] = [
        Self::Sum,
        Self::Min,
        Self::Max,
        Self::Count,
        Self::First,
        Self::Last,
        Self::List,
        Self::Key,
    ];

    /// The name, such as `sum`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Min => "min",
            Self::Max => "max",
            Self::Count => "count",
            Self::First => "first",
            Self::Last => "last",
            Self::List => "list",
            Self::Key => "key",
        }
    }

    /// The type if none is given or inferred.
    pub(crate) fn default_type(self) -> ColumnType {
        match self {
            Self::Sum | Self::Min | Self::Max => ColumnType::Float,
            Self::Count => ColumnType::Int,
            Self::First | Self::Last => ColumnType::Json,
            Self::List => ColumnType::List(Box::new(ColumnType::Json)),
            Self::Key => ColumnType::Text,
        }
    }
}

impl Column {
    /// The column of a [`Meta`]. It has the name of the `Meta`.
    pub fn of_meta(meta: Meta) -> Self {
        Self { name: meta.name().to_owned(), what: What::Meta(meta), of: None }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The type, if it is given. The type of a [`Meta`] is fixed.
    pub const fn column_type(&self) -> Option<&ColumnType> {
        self.of.as_ref()
    }

    /// The column of the folders `KEY=VALUE`. It has the name of the key.
    pub fn of_folder(key: &str) -> Self {
        Self { name: key.to_owned(), what: What::Folder(key.to_owned()), of: None }
    }

    /// The same column with another type. A [`Meta`] and a folder keep their type.
    #[must_use]
    pub fn with_type(mut self, of: ColumnType) -> Self {
        if !matches!(self.what, What::Meta(_) | What::Folder(_)) {
            self.of = Some(of);
        }
        self
    }

    /// The path of the values; `None` for a [`Meta`] and a folder.
    pub fn path(&self) -> Option<&str> {
        match &self.what {
            What::Meta(_) | What::Folder(_) => None,
            What::Value(path) | What::Fold(_, path) => Some(&path.text),
        }
    }

    /// The [`Meta`] in the column; `None` for other columns.
    pub const fn meta(&self) -> Option<Meta> {
        match self.what {
            What::Meta(meta) => Some(meta),
            What::Folder(_) | What::Value(_) | What::Fold(..) => None,
        }
    }

    /// Whether the column depends only on the name of the file, so that it is the same in all rows of a file.
    pub const fn is_of_file(&self) -> bool {
        matches!(self.what, What::Meta(Meta::File) | What::Folder(_))
    }

    /// The text of the column for a file of this name. `None` for null, and for a column that depends on more than the
    /// name.
    pub fn text_of_file<'f>(&self, file: &'f str) -> Option<Cow<'f, str>> {
        match &self.what {
            What::Meta(Meta::File) => Some(file.into()),
            What::Folder(key) => folder(file, key),
            _ => None,
        }
    }

    /// How the values of the path are combined, such as by `sum`; `None` if they are not.
    pub const fn fold(&self) -> Option<Fold> {
        match self.what {
            What::Fold(fold, _) => Some(fold),
            What::Meta(_) | What::Folder(_) | What::Value(_) => None,
        }
    }

    /// Whether the items that the path selects make rows.
    pub fn makes_rows(&self) -> bool {
        self.levels() > 0
    }

    /// The number of steps of the path that make rows of items. In a table, the column with the most such steps
    /// determines the number of rows.
    pub fn levels(&self) -> usize {
        match &self.what {
            What::Value(path) | What::Fold(Fold::Key, path) => path.query.levels(),
            What::Meta(_) | What::Folder(_) | What::Fold(..) => 0,
        }
    }

    /// Whether the path of the column makes rows or is read in each row.
    pub(crate) const fn reads_rows(&self) -> bool {
        matches!(self.what, What::Value(_) | What::Fold(Fold::Key, _))
    }

    pub(crate) const fn what(&self) -> &What {
        &self.what
    }

    /// The type of the values, given or default.
    pub(crate) fn resolved_type(&self) -> ColumnType {
        let default = || self.fold().map_or(ColumnType::Json, Fold::default_type);
        self.of.clone().unwrap_or_else(default)
    }
}

impl fmt::Display for Column {
    /// Prints the form that `parse` reads. The name is left out if it equals the path.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = self.what.to_string();
        if self.name != what {
            text::write_name(f, &self.name)?;
            f.write_str("=")?;
        }
        f.write_str(&what)?;
        self.of.as_ref().map_or(Ok(()), |of| write!(f, ":{of}"))
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Meta(meta) => f.write_str(meta.name()),
            Self::Folder(key) => {
                f.write_str("folder(")?;
                text::write_name(f, key)?;
                f.write_str(")")
            }
            Self::Value(path) => f.write_str(&path.text),
            Self::Fold(fold, path) => write!(f, "{}({})", fold.name(), path.text),
        }
    }
}

impl From<Column> for String {
    fn from(column: Column) -> Self {
        column.to_string()
    }
}

impl TryFrom<String> for Column {
    type Error = crate::TableError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::from_str(&text)
    }
}
