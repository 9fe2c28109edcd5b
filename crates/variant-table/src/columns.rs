//! [`Columns`]: the columns of a table.

use std::collections::HashSet;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use serde::{Deserialize, Serialize};

use crate::column::{Column, Meta};
use crate::column_type::ColumnType;
use crate::error::TableError;

/// The columns of a table, with distinct names.
///
/// ```
/// use variant_table::Columns;
///
/// let columns = Columns::parse(["_file", "level=player.level:int"])?;
/// assert_eq!(columns.schema().field(1).name(), "level");
/// assert_eq!(Columns::from_json(&columns.to_json())?, columns);
/// # Ok::<(), variant_table::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<Column>", into = "Vec<Column>")]
pub struct Columns(Vec<Column>);

/// The contents of a file of columns, as [`Columns::to_json`] writes it.
#[derive(Serialize, Deserialize)]
struct SchemaFile {
    columns: Columns,
}

impl Columns {
    /// These columns, in their order. O(columns).
    ///
    /// # Errors
    /// Two columns have the same name.
    pub fn new(columns: Vec<Column>) -> Result<Self, TableError> {
        let mut names = HashSet::new();
        if let Some(column) = columns.iter().find(|column| !names.insert(column.name())) {
            let why =
                "another column has this name; write NAME=PATH to name it otherwise".to_owned();
            return Err(TableError::Column { column: column.name().to_owned(), why });
        }
        Ok(Self(columns))
    }

    /// Columns whose names are already distinct.
    pub(crate) const fn of_distinct(columns: Vec<Column>) -> Self {
        Self(columns)
    }

    /// Reads each column.
    ///
    /// # Errors
    /// A column is invalid, or two columns have the same name.
    pub fn parse<T: AsRef<str>>(all: impl IntoIterator<Item = T>) -> Result<Self, TableError> {
        let columns = all.into_iter().map(|column| column.as_ref().parse());
        Self::new(columns.collect::<Result<_, _>>()?)
    }

    /// Reads columns with commas between them: `level=player.level:int, meta.slot`. Commas in brackets and quotes do
    /// not separate columns. O(bytes).
    ///
    /// # Errors
    /// Those of [`Columns::parse`].
    pub fn parse_list(text: &str) -> Result<Self, TableError> {
        let mut starts: Vec<_> = crate::column::outside(text, ',');
        starts.push(text.len());
        let mut start = 0;
        let mut parts = Vec::new();
        for end in starts {
            parts.push(text.get(start..end).unwrap_or_default().trim());
            start = end.saturating_add(1);
        }
        Self::parse(parts.into_iter().filter(|part| !part.is_empty()))
    }

    /// The columns as a JSON file that people can edit.
    pub fn to_json(&self) -> String {
        let file = SchemaFile { columns: self.clone() };
        let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Reads the output of [`Columns::to_json`].
    ///
    /// # Errors
    /// The text is not such a file.
    pub fn from_json(text: &str) -> Result<Self, TableError> {
        let file = serde_json::from_str::<SchemaFile>(text);
        file.map(|file| file.columns).map_err(|error| TableError::SchemaFile(error.to_string()))
    }

    /// Adds columns about each row: `_file`, `_frame` and `_offset` before the existing columns, `_error` and `_value`
    /// after them. A column that already exists stays where it is.
    ///
    /// # Errors
    /// Another column has the name of one of the added columns.
    ///
    /// ```
    /// use variant_table::{Columns, Meta};
    ///
    /// let columns = Columns::parse(["hp:int"])?.with(&[Meta::File, Meta::Error])?;
    /// assert_eq!(columns, Columns::parse(["_file", "hp:int", "_error"])?);
    /// # Ok::<(), variant_table::TableError>(())
    /// ```
    pub fn with(self, metas: &[Meta]) -> Result<Self, TableError> {
        let is_new = |meta: &Meta| !self.0.iter().any(|column| column.meta() == Some(*meta));
        let is_first = |meta: &Meta| matches!(meta, Meta::File | Meta::Frame | Meta::Offset);
        let new = metas.iter().copied().filter(is_new);
        let (first, last): (Vec<_>, Vec<_>) = new.partition(is_first);
        let first = first.into_iter().map(Column::of_meta);
        Self::new(first.chain(self.0).chain(last.into_iter().map(Column::of_meta)).collect())
    }

    /// All columns.
    pub fn iter(&self) -> std::slice::Iter<'_, Column> {
        self.0.iter()
    }

    /// The number of columns.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no columns.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The columns at these positions, in the order of the positions. Skips positions without a column.
    #[must_use]
    pub fn project(&self, positions: &[usize]) -> Self {
        Self(positions.iter().filter_map(|at| self.0.get(*at)).cloned().collect())
    }

    /// The position of a column of this name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|column| column.name() == name)
    }

    /// The same columns, but nested values become plain JSON. For files that cannot express nested values.
    #[must_use]
    pub fn flat(&self) -> Self {
        let flat = |column: &Column| {
            let is_nested = column.resolved_type().is_nested();
            if is_nested { column.clone().with_type(ColumnType::PlainJson) } else { column.clone() }
        };
        Self(self.0.iter().map(flat).collect())
    }

    /// The columns of a schema that [`Columns::schema`] has made.
    ///
    /// # Errors
    /// The metadata of a field has no column, or an invalid one.
    pub fn of_schema(schema: &Schema) -> Result<Self, TableError> {
        let column = |field: &Arc<Field>| {
            let text = field.metadata().get("variant").ok_or_else(|| TableError::Column {
                column: field.name().clone(),
                why: "the field has no column in its metadata".to_owned(),
            })?;
            text.parse()
        };
        Self::new(schema.fields().iter().map(column).collect::<Result<_, _>>()?)
    }

    /// The schema in Arrow. The metadata of a field has the column as text, under `variant`.
    pub fn schema(&self) -> SchemaRef {
        let field = |column: &Column| {
            let (of, is_nullable) = match column.meta() {
                None if column.is_of_file() => (DataType::Utf8, true),
                Some(Meta::File) => (DataType::Utf8, false),
                Some(Meta::Frame | Meta::Offset) => (DataType::Int64, true),
                Some(Meta::Error) => (DataType::Struct(error_fields()), true),
                Some(Meta::Value) => (DataType::Binary, true),
                None => (column.resolved_type().data_type(), true),
            };
            let text = [("variant".to_owned(), column.to_string())];
            Field::new(column.name(), of, is_nullable).with_metadata(text.into())
        };
        Arc::new(Schema::new(self.0.iter().map(field).collect::<Fields>()))
    }
}

pub(crate) fn error_fields() -> Fields {
    Fields::from_iter([
        Field::new("offset", DataType::Int64, true),
        Field::new("path", DataType::Utf8, true),
        Field::new("text", DataType::Utf8, false),
    ])
}

impl TryFrom<Vec<Column>> for Columns {
    type Error = TableError;

    fn try_from(columns: Vec<Column>) -> Result<Self, TableError> {
        Self::new(columns)
    }
}

impl From<Columns> for Vec<Column> {
    fn from(columns: Columns) -> Self {
        columns.0
    }
}

impl<'c> IntoIterator for &'c Columns {
    type Item = &'c Column;
    type IntoIter = std::slice::Iter<'c, Column>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
