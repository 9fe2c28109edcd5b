//! [`Column`]: a name, a source of values, and a type.

mod text;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use variant_document::query::Query;

pub(crate) use self::text::outside;
use crate::column_type::ColumnType;

/// One column of a table.
///
/// Written `NAME=WHAT:TYPE`; the name and the type are optional.
///
/// | what | the column has |
/// |---|---|
/// | `player.level` | the value at the path; null if there is none |
/// | `items[*].id`, `players.*.hp` | the value of each item, which makes a row |
/// | `key(players.*)` | the key of each item, or its index |
/// | `list(..gold)`, `..gold` | all values that the path selects, as a list |
/// | `sum(..gold)`, `min(..gold)`, `max(..gold)` | one number of the numbers among them |
/// | `count(items[*])` | how many there are |
/// | `first(..name)`, `last(..name)` | one of them |
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
    /// The value at a path, which may make rows of items.
    Value(PathText),
    /// One value, folded from all that a path selects.
    Fold(Fold, PathText),
}

/// A path, and its written form.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PathText {
    pub(crate) text: String,
    pub(crate) query: Query,
}

/// Facts about a row besides its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Meta {
    /// `_file`: the name of the file, `Utf8`.
    File,
    /// `_frame`: the position of the value among those of the file, from 1, `Int64`.
    Frame,
    /// `_offset`: the offset of the value in the file, in bytes, `Int64`.
    Offset,
    /// `_error`: the fault, `Struct` of `offset`, `path` and `text`; null without one.
    Error,
    /// `_value`: the bytes of the value, `Binary`.
    Value,
}

/// The way in which many values become one.
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
    /// All of them.
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
    /// All of them.
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
    /// The column of a [`Meta`], under its name.
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

    /// The same column with another type. A [`Meta`] keeps its type.
    #[must_use]
    pub fn with_type(mut self, of: ColumnType) -> Self {
        if !matches!(self.what, What::Meta(_)) {
            self.of = Some(of);
        }
        self
    }

    /// The path of its values; `None` for a [`Meta`].
    pub fn path(&self) -> Option<&str> {
        match &self.what {
            What::Meta(_) => None,
            What::Value(path) | What::Fold(_, path) => Some(&path.text),
        }
    }

    /// The [`Meta`] that the column holds, if it holds one.
    pub const fn meta(&self) -> Option<Meta> {
        match self.what {
            What::Meta(meta) => Some(meta),
            What::Value(_) | What::Fold(..) => None,
        }
    }

    /// The fold of its values, if it has one.
    pub const fn fold(&self) -> Option<Fold> {
        match self.what {
            What::Fold(fold, _) => Some(fold),
            What::Meta(_) | What::Value(_) => None,
        }
    }

    /// Whether its items make rows.
    pub fn makes_rows(&self) -> bool {
        self.levels() > 0
    }

    /// The number of steps of its path that make rows of items. In a table, the column with the most decides the number
    /// of rows.
    pub fn levels(&self) -> usize {
        match &self.what {
            What::Value(path) | What::Fold(Fold::Key, path) => path.query.levels(),
            What::Meta(_) | What::Fold(..) => 0,
        }
    }

    /// Whether its path is among the paths of rows.
    pub(crate) const fn reads_rows(&self) -> bool {
        matches!(self.what, What::Value(_) | What::Fold(Fold::Key, _))
    }

    pub(crate) const fn what(&self) -> &What {
        &self.what
    }

    /// The type of its values.
    pub(crate) fn resolved_type(&self) -> ColumnType {
        let default = || self.fold().map_or(ColumnType::Json, Fold::default_type);
        self.of.clone().unwrap_or_else(default)
    }
}

impl fmt::Display for Column {
    /// The form that `parse` reads; leaves the name out if it is the path.
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
