//! [`infer`]: infers the columns of files.

use variant_document::query::Query;
use variant_document::shape::{Facts, Shapes, Type};
use variant_view::{Kind, PathStep, Width};

use crate::column::{Column, Meta, What, keys};
use crate::column_type::ColumnType;
use crate::columns::Columns;
use crate::error::TableError;
use crate::options::ReadOptions;
use crate::source::Source;

/// The maximum number of columns. To stay within it, deeper values become JSON.
const MOST_COLUMNS: usize = 256;

/// The contents of files, inferred from a sample.
///
/// ```
/// use variant_table::{Inferred, ReadOptions, Source};
///
/// # let bytes = [
/// #     18, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, b'h', b'p', 0, 0, 2, 0, 0, 0, 7, 0, 0, 0,
/// # ];
/// // {"hp": 7}, as Godot 3 writes it
/// let files = [Source::Bytes("a.sav".into(), bytes.into())];
/// let inferred = Inferred::of(&files, &ReadOptions::new(), 100)?;
/// assert_eq!(inferred.columns()?.iter().map(ToString::to_string).collect::<Vec<_>>(), ["hp:int"]);
/// # Ok::<(), variant_table::TableError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Inferred {
    /// The keys of the folders that all files are in.
    keys: Vec<String>,
    shape: Type,
    read: usize,
    first_error: Option<String>,
}

impl Inferred {
    /// Reads at most `sample` of the files, spread evenly, and at most `sample` values in all. O(bytes of the sample).
    ///
    /// # Errors
    /// There are no files, or all files of the sample are unreadable.
    pub fn of(files: &[Source], options: &ReadOptions, sample: usize) -> Result<Self, TableError> {
        let sample = sample.max(1);
        let keys = keys_of(files);
        let mut inferred = Self { keys, shape: Type::default(), read: 0, first_error: None };
        let step = files.len().div_ceil(sample).max(1);
        let values = sample.checked_div(files.len().div_ceil(step)).unwrap_or(1).max(1);
        let mut spare = Vec::new();
        for file in files.iter().step_by(step) {
            let opened = file.open(&options.reading.layers, &mut spare);
            let added = opened.map_err(|error| error.to_string()).and_then(|opened| {
                let added = inferred.add(opened.bytes(), options, values);
                if !opened.is_mapped() {
                    spare = opened.into_bytes();
                }
                added
            });
            if let Err(error) = added {
                let told = || format!("{}: {error}", file.name());
                inferred.first_error.get_or_insert_with(told);
            }
        }
        if inferred.read == 0 {
            let why = inferred.first_error.unwrap_or_else(|| "there are no files".to_owned());
            return Err(TableError::NothingToInfer(why));
        }
        inferred.shape.settle();
        Ok(inferred)
    }

    /// Adds the values of a file, up to the first damaged value.
    fn add(&mut self, bytes: &[u8], options: &ReadOptions, values: usize) -> Result<(), String> {
        let plain = options.plain(bytes)?;
        let mut shapes = Shapes::new();
        let mut read = 0_usize;
        let outcome = plain.pieces().take(values).try_for_each(|piece| {
            let piece = piece.map_err(|error| error.to_string())?;
            let document = plain.document(piece.bytes);
            document.validate().map_err(|error| error.to_string())?;
            shapes.add(document).map_err(|error| error.to_string())?;
            read = read.saturating_add(1);
            Ok(())
        });
        self.shape.merge(shapes.into_type());
        self.read = self.read.saturating_add(read);
        outcome
    }

    /// The number of values that were read.
    pub const fn values(&self) -> usize {
        self.read
    }

    /// The first unreadable file of the sample, and the reason.
    pub fn first_error(&self) -> Option<&str> {
        self.first_error.as_deref()
    }

    /// A column for each value that is not a dictionary. The name of the column is the path of the value. If the root
    /// is an array, its items make rows, and the columns are those of the items. Dictionaries whose keys are data
    /// become maps, and values of several types become JSON. Lists and maps that nest deeper than a column type allows
    /// also become JSON. If all files are in folders `KEY=VALUE`, there is a column for the key. A key has no column if
    /// it is empty, is the name of a [`Meta`], or cannot be written in the text of a column. O(paths).
    ///
    /// # Errors
    /// A column without a name.
    pub fn columns(&self) -> Result<Columns, TableError> {
        let mut columns = Vec::new();
        for (path, of) in self.leaves() {
            let text = match path.as_str() {
                "" => "value=".to_owned(),
                // The values have a key with this name. In brackets the name is read as a path, not as a `Meta`.
                name if Meta::ALL.iter().any(|meta| meta.name() == name) => format!("[\"{name}\"]"),
                _ => path,
            };
            columns.push(text.parse::<Column>()?.with_type(column_type(of)));
        }
        for key in &self.keys {
            let folder = Column::of_folder(key);
            if columns.iter().all(|column| column.name() != key) && can_be_read(&folder) {
                columns.push(folder);
            }
        }
        Columns::new(columns)
    }

    /// The same columns. Missing types are taken from the sample.
    #[must_use]
    pub fn complete(&self, columns: &Columns) -> Columns {
        let complete = |column: &Column| {
            let of = match column.what() {
                What::Value(path) if column.column_type().is_none() => self.type_of(&path.query),
                _ => None,
            };
            of.map_or_else(|| column.clone(), |of| column.clone().with_type(of))
        };
        Columns::of_distinct(columns.iter().map(complete).collect())
    }

    /// The paths that become columns, each with its shape, in the order of the values.
    fn leaves(&self) -> Vec<(String, &Type)> {
        let (start, root) = match fields(&self.shape) {
            None => items(&self.shape)
                .filter(|items| fields(items).is_some())
                .map_or(("", &self.shape), |items| ("[*]", items)),
            Some(_) => ("", &self.shape),
        };
        let mut leaves = vec![(start.to_owned(), root)];
        // Replaces dictionaries by their fields, level by level, as long as the number of columns allows it.
        loop {
            let mut next = Vec::new();
            for (path, of) in &leaves {
                match fields(of) {
                    Some(fields) => next.extend(fields.iter().filter_map(|(name, field)| {
                        let path = format!("{path}{}", PathStep::Name(name));
                        let path = path.strip_prefix('.').unwrap_or(&path).to_owned();
                        // A name that contains both kinds of quotes cannot be a step of a path.
                        Query::parse(&path).is_ok().then_some((path, field))
                    })),
                    None => next.push((path.clone(), *of)),
                }
            }
            if next.len() == leaves.len()
                && next.iter().zip(&leaves).all(|(new, old)| new.0 == old.0)
                || next.len() > MOST_COLUMNS && leaves.len() > 1
            {
                return leaves;
            }
            leaves = next;
        }
    }

    fn type_of(&self, query: &Query) -> Option<ColumnType> {
        let mut of = &self.shape;
        for step in query.names()? {
            let (_, facts) = of.without_null();
            of = facts.iter().find_map(|facts| facts.child(step))?;
        }
        Some(column_type(of))
    }
}

/// The keys of the folders `KEY=VALUE` that all files are in.
fn keys_of(files: &[Source]) -> Vec<String> {
    let mut files = files.iter().map(Source::name);
    let first = files.next().unwrap_or_default();
    let mut common: Vec<String> = Vec::new();
    for key in keys(&first) {
        if !common.iter().any(|other| *other == key) {
            common.push(key.into_owned());
        }
    }
    for file in files {
        if common.is_empty() {
            break;
        }
        common.retain(|key| keys(&file).any(|found| found == *key));
    }
    common
}

/// Whether a folder's column survives being written as text and parsed again. It must also not have the name of a
/// [`Meta`].
fn can_be_read(folder: &Column) -> bool {
    Meta::ALL.iter().all(|meta| meta.name() != folder.name())
        && folder.to_string().parse::<Column>().is_ok_and(|read| read == *folder)
}

/// The fields of dictionaries and objects whose keys are names; `None` if there are other values.
fn fields(of: &Type) -> Option<&[(String, Type)]> {
    let (_, facts) = of.without_null();
    match facts.as_slice() {
        [facts]
            if facts.items.is_none()
                && facts.keys.is_empty()
                && !facts.fields.is_empty()
                && !of.is_open =>
        {
            Some(&facts.fields)
        }
        _ => None,
    }
}

/// The items of arrays; `None` if there are other values.
fn items(of: &Type) -> Option<&Type> {
    let (_, facts) = of.without_null();
    match facts.as_slice() {
        [facts] if crate::cells::is_array(facts.kind) => facts.items.as_deref(),
        _ => None,
    }
}

fn column_type(of: &Type) -> ColumnType {
    let (_, facts) = of.without_null();
    let is = |kinds: &[Kind]| facts.iter().all(|facts| kinds.contains(&facts.kind));
    match facts.as_slice() {
        _ if of.is_open => ColumnType::Json,
        [] => ColumnType::Json,
        [one] => of_facts(one),
        _ if is(&[Kind::Int, Kind::Float]) => ColumnType::Float,
        _ if is(&[Kind::String, Kind::StringName, Kind::NodePath]) => ColumnType::Text,
        _ => ColumnType::Json,
    }
}

fn of_facts(facts: &Facts) -> ColumnType {
    let width = if facts.has_wide { Width::W64 } else { Width::W32 };
    let inner = || facts.items.as_deref().map(column_type).filter(|of| *of != ColumnType::Json);
    match facts.kind {
        kind if crate::cells::is_array(kind) => {
            inner().map_or(ColumnType::Json, |of| ColumnType::List(Box::new(of)).bounded())
        }
        Kind::Dictionary => {
            let are_text = facts
                .keys
                .iter()
                .all(|kind| matches!(kind, Kind::String | Kind::StringName | Kind::Int));
            let of = inner().filter(|_| are_text && facts.fields.is_empty());
            of.map_or(ColumnType::Json, |of| ColumnType::Map(Box::new(of)).bounded())
        }
        kind => ColumnType::of_kind(kind, width),
    }
}
