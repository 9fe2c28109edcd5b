//! [`Rows`]: the arguments of a call, row by row.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray as _, BinaryArray, BinaryViewArray, BinaryViewBuilder,
    LargeBinaryArray, StringArray, StringViewBuilder,
};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::ColumnarValue;
use variant_document::names::dialect;
use variant_view::{Dialect, Document, ErrorKind, Limits, Options, VariantView};

use crate::format::external;

/// The dialect if it is not given. It is not detected, because a few bytes are too little evidence.
const DEFAULT: Dialect = Dialect::Godot4;

/// The type to which an argument of bytes is converted; `None` if the argument is not bytes.
pub(super) fn bytes_type(given: &DataType) -> Option<DataType> {
    let values = if let DataType::Dictionary(_, values) = given { values } else { given };
    match values {
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => Some(values.clone()),
        DataType::Null | DataType::FixedSizeBinary(_) => Some(DataType::Binary),
        _ => None,
    }
}

/// The arguments of a call.
pub(super) struct Rows {
    bytes: Column<Bytes>,
    path: Option<Column<StringArray>>,
    dialect: Option<Column<StringArray>>,
    count: usize,
}

/// An argument: an array with one value per row, or one value for all rows.
struct Column<A> {
    array: A,
    is_scalar: bool,
}

impl<A> Column<A> {
    fn new(value: &ColumnarValue, read: impl Fn(&ArrayRef) -> Option<A>) -> Result<Self> {
        let (array, is_scalar) = match value {
            ColumnarValue::Array(array) => (Arc::clone(array), false),
            ColumnarValue::Scalar(scalar) => (scalar.to_array_of_size(1)?, true),
        };
        let Some(read) = read(&array) else {
            return exec_err!(
                "an argument of type {}, which should have been coerced",
                array.data_type()
            );
        };
        Ok(Self { array: read, is_scalar })
    }

    const fn index(&self, row: usize) -> usize {
        if self.is_scalar { 0 } else { row }
    }
}

impl Column<StringArray> {
    fn get(&self, row: usize) -> Option<&str> {
        let row = self.index(row);
        self.array.is_valid(row).then(|| self.array.value(row))
    }
}

impl Column<Bytes> {
    fn get(&self, row: usize) -> Option<&[u8]> {
        self.array.get(self.index(row))
    }
}

enum Bytes {
    Small(BinaryArray),
    Large(LargeBinaryArray),
    View(BinaryViewArray),
}

impl Bytes {
    fn read(array: &ArrayRef) -> Option<Self> {
        match array.data_type() {
            DataType::Binary => array.as_binary_opt().cloned().map(Self::Small),
            DataType::LargeBinary => array.as_binary_opt().cloned().map(Self::Large),
            DataType::BinaryView => array.as_binary_view_opt().cloned().map(Self::View),
            _ => None,
        }
    }

    fn get(&self, row: usize) -> Option<&[u8]> {
        match self {
            Self::Small(array) => array.is_valid(row).then(|| array.value(row)),
            Self::Large(array) => array.is_valid(row).then(|| array.value(row)),
            Self::View(array) => array.is_valid(row).then(|| array.value(row)),
        }
    }
}

impl Rows {
    /// The rows of a call. Its arguments are bytes, a path if the function has one, and perhaps a
    /// dialect.
    pub(super) fn new(args: &[ColumnarValue], has_path: bool, count: usize) -> Result<Self> {
        let [bytes, texts @ ..] = args else { return exec_err!("the bytes are missing") };
        let text = |value| Column::new(value, |array| array.as_string_opt().cloned());
        let mut texts = texts.iter().map(text);
        let path = if has_path { texts.next().transpose()? } else { None };
        let dialect = texts.next().transpose()?;
        Ok(Self { bytes: Column::new(bytes, Bytes::read)?, path, dialect, count })
    }

    /// The result of `take` for the bytes of each row; null if an argument is null.
    pub(super) fn documents<'a, T>(
        &'a self,
        take: impl Fn(&Document<'a>) -> Option<T> + 'a,
    ) -> impl Iterator<Item = Result<Option<T>>> + 'a {
        (0..self.count).map(move |row| Ok(self.document(row)?.and_then(|document| take(&document))))
    }

    /// The result of `take` for the value at the path in each row; null if there is no value.
    pub(super) fn map<'a, T>(
        &'a self,
        take: impl Fn(&VariantView<'a>) -> Option<T> + 'a,
    ) -> impl Iterator<Item = Result<Option<T>>> + 'a {
        (0..self.count).map(move |row| Ok(self.value(row)?.and_then(|view| take(&view))))
    }

    pub(super) fn bytes<'a>(
        &'a self,
        take: impl Fn(&VariantView<'a>) -> Option<&'a [u8]> + 'a,
    ) -> Result<ArrayRef> {
        let mut array = BinaryViewBuilder::with_capacity(self.count);
        for value in self.map(take) {
            match value? {
                Some(value) => array.try_append_value(value)?,
                None => array.append_null(),
            }
        }
        Ok(Arc::new(array.finish()))
    }

    pub(super) fn texts<'a, T: AsRef<str> + 'a>(
        &'a self,
        take: impl Fn(&VariantView<'a>) -> Option<T> + 'a,
    ) -> Result<ArrayRef> {
        self.write_texts(self.map(take))
    }

    /// The texts of `take` for the value at the path in each row. `take` gets the bytes of the value as a document.
    pub(super) fn texts_of_parts<T: AsRef<str>>(
        &self,
        take: impl Fn(&Document<'_>) -> Option<T>,
    ) -> Result<ArrayRef> {
        self.write_texts((0..self.count).map(|row| {
            let Some((document, view)) = self.document(row)?.zip(self.value(row)?) else {
                return Ok(None);
            };
            let part = view.raw_bytes().ok().map(|bytes| Document::new(bytes, *document.options()));
            Ok(part.and_then(|part| take(&part)))
        }))
    }

    pub(super) fn write_texts<T: AsRef<str>>(
        &self,
        texts: impl Iterator<Item = Result<Option<T>>>,
    ) -> Result<ArrayRef> {
        let mut array = StringViewBuilder::with_capacity(self.count);
        for text in texts {
            match text? {
                Some(text) => array.try_append_value(text)?,
                None => array.append_null(),
            }
        }
        Ok(Arc::new(array.finish()))
    }

    fn document(&self, row: usize) -> Result<Option<Document<'_>>> {
        let dialect = match &self.dialect {
            None => Some(DEFAULT),
            Some(names) => names.get(row).map(dialect).transpose().map_err(external)?,
        };
        let Some((bytes, dialect)) = self.bytes.get(row).zip(dialect) else { return Ok(None) };
        Ok(Some(Document::new(bytes, Options::engine(dialect).limits(Limits::FILE))))
    }

    fn value(&self, row: usize) -> Result<Option<VariantView<'_>>> {
        let path = match &self.path {
            None => Some(""),
            Some(paths) => paths.get(row),
        };
        let Some((document, path)) = self.document(row)?.zip(path) else { return Ok(None) };
        match document.at(path) {
            Ok(view) => Ok(Some(view)),
            Err(error) => match error.kind() {
                ErrorKind::PathSyntax { .. } => exec_err!("path '{path}': {}", error.kind()),
                _ => Ok(None),
            },
        }
    }
}
