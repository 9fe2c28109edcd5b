//! [`Cells`]: the values of one column, as Arrow stores them.

mod list;
mod map;
mod math;
mod number;
mod packed;

use arrow_array::ArrayRef;
use arrow_array::builder::{
    ArrayBuilder as _, BinaryBuilder, BooleanBuilder, Float64Builder, Int64Builder, StringBuilder,
    UInt64Builder,
};
use variant_owned::Variant;
use variant_owned::json::{Form, write};
use variant_view::{Kind, VariantView};

use self::list::ListCells;
use self::map::MapCells;
use self::math::MathCells;
use self::packed::PackedCells;
use crate::column_type::ColumnType;
use crate::misfit::{Misfit, MisfitPolicy};

/// A value for a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<'v, 'a> {
    View(&'v VariantView<'a>),
    Int(i64),
    Float(f64),
    Text(&'v str),
}

/// The maximum size of a text or of bytes in a cell.
pub(crate) const MOST_BYTES: usize = 1 << 30;
/// The maximum size of all texts of a column in a batch: Arrow's offsets have 31 bits.
const MOST_IN_BATCH: usize = (1 << 31) - 1;

/// What the caller learns of a cell.
#[derive(Debug, Default)]
pub(crate) struct Appended {
    /// The number of bytes of texts and items that were read for the cell, also of those that do not fit.
    pub(crate) bytes: usize,
    /// The first value that does not fit.
    pub(crate) misfit: Option<Misfit>,
}

impl Appended {
    pub(crate) const fn bytes(bytes: usize) -> Self {
        Self { bytes, misfit: None }
    }

    /// Counts the bytes of a value in the cell, and one for the value itself.
    pub(crate) const fn count(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes).saturating_add(1);
    }

    /// Records a value that does not fit. Only the first is kept.
    pub(crate) fn note(&mut self, misfit: Misfit) {
        self.misfit.get_or_insert(misfit);
    }

    /// Adds a value in the cell.
    pub(crate) fn add(&mut self, value: Self) {
        self.count(value.bytes);
        self.misfit = self.misfit.take().or(value.misfit);
    }
}

impl From<Misfit> for Appended {
    fn from(misfit: Misfit) -> Self {
        Self { bytes: 0, misfit: Some(misfit) }
    }
}

/// The outcome of a value: `Ok` if a cell is appended, perhaps with nulls for values inside that do not fit. `Err` if
/// the value itself does not fit, and its cell is not appended yet.
pub(crate) type Outcome = Result<Appended, Appended>;

#[derive(Debug)]
pub(crate) enum Cells {
    Bool(BooleanBuilder),
    Int(Int64Builder),
    Float(Float64Builder, MisfitPolicy),
    Rid(UInt64Builder),
    Text(StringBuilder),
    Bytes(BinaryBuilder),
    Json(StringBuilder, Form, Vec<u8>),
    Math(MathCells),
    Packed(PackedCells),
    List(Box<ListCells>),
    Map(Box<MapCells>),
}

impl Cells {
    pub(crate) fn new(of: &ColumnType, policy: MisfitPolicy) -> Self {
        match of {
            ColumnType::Bool => Self::Bool(BooleanBuilder::new()),
            ColumnType::Int => Self::Int(Int64Builder::new()),
            ColumnType::Float => Self::Float(Float64Builder::new(), policy),
            ColumnType::Rid => Self::Rid(UInt64Builder::new()),
            ColumnType::Text => Self::Text(StringBuilder::new()),
            ColumnType::Bytes => Self::Bytes(BinaryBuilder::new()),
            ColumnType::Json => Self::Json(StringBuilder::new(), Form::Exact, Vec::new()),
            ColumnType::PlainJson => Self::Json(StringBuilder::new(), Form::Plain, Vec::new()),
            ColumnType::Math(kind, width) => Self::Math(MathCells::new(*kind, *width)),
            ColumnType::Packed(kind, width) => Self::Packed(PackedCells::new(*kind, *width)),
            ColumnType::List(items) => Self::List(Box::new(ListCells::new(items, policy))),
            ColumnType::Map(values) => Self::Map(Box::new(MapCells::new(values, policy))),
        }
    }

    /// Appends one cell: the value, or null if it is missing or does not fit. O(bytes of the value). The depth of the
    /// recursion is at most that of the column's type.
    pub(crate) fn append(&mut self, value: Option<Value<'_, '_>>) -> Appended {
        let outcome = match value {
            None | Some(Value::View(VariantView::Nil(_))) => Err(Appended::default()),
            Some(Value::View(view)) => self.append_view(view),
            Some(Value::Int(int)) => self.append_int(int),
            Some(Value::Float(float)) => self.append_float(float),
            Some(Value::Text(text)) => self.append_text(text),
        };
        outcome.unwrap_or_else(|unfit| {
            self.append_null();
            unfit
        })
    }

    fn append_view(&mut self, view: &VariantView<'_>) -> Outcome {
        use VariantView as V;
        match (self, view) {
            (Self::Bool(cells), V::Bool(value)) => cells.append_value(value.value()),
            (Self::Int(cells), V::Int(value)) => cells.append_value(value.value()),
            (Self::Rid(cells), V::Rid(value)) => cells.append_value(value.value()),
            (Self::Float(cells, _), V::Float(value)) => cells.append_value(value.value()),
            (Self::Float(cells, policy), V::Int(value)) if *policy == MisfitPolicy::Widen => {
                let float = exact_float(value.value());
                cells.append_value(float.ok_or_else(|| Misfit::value(view, "float without loss"))?);
            }
            (Self::Text(cells), V::String(text) | V::StringName(text)) => {
                let read = text.as_bytes().len();
                let text = text.engine_text().map_err(|error| Appended {
                    bytes: read,
                    misfit: Some(Misfit::damage(view, &error)),
                })?;
                return append_text(cells, text).ok_or_else(|| Misfit::too_long(view).into());
            }
            (Self::Text(cells), V::NodePath(path)) => {
                let text = path.to_string();
                return append_text(cells, &text).ok_or_else(|| Misfit::too_long(view).into());
            }
            (Self::Bytes(cells), V::PackedByteArray(bytes)) => {
                let bytes = bytes.as_bytes();
                if !has_room(cells.values_slice().len(), bytes.len()) {
                    return Err(Misfit::too_long(view).into());
                }
                cells.append_value(bytes);
                return Ok(Appended::bytes(bytes.len()));
            }
            (Self::Json(cells, form, text), view) => {
                text.clear();
                let outcome = write(view, *form, &mut *text, false);
                let read = text.len();
                outcome.map_err(|error| Appended {
                    bytes: read,
                    misfit: Some(Misfit::damage(view, &error)),
                })?;
                return append_json(cells, text).ok_or_else(|| Misfit::too_long(view).into());
            }
            (Self::Math(cells), view) => cells.append(view)?,
            (Self::Packed(cells), view) => return cells.append(view),
            (Self::List(cells), view) => return cells.append(view),
            (Self::Map(cells), view) => return cells.append(view),
            (cells, view) => return Err(Misfit::kind(view, cells.expected()).into()),
        }
        Ok(Appended::default())
    }

    fn append_int(&mut self, int: i64) -> Outcome {
        match self {
            Self::Int(cells) => cells.append_value(int),
            Self::Float(cells, _) => {
                let float = exact_float(int);
                cells
                    .append_value(float.ok_or_else(|| Misfit::number(&int, "float without loss"))?);
            }
            Self::Json(..) => return self.append_owned(&int.into()),
            cells => return Err(Misfit::number(&int, cells.expected()).into()),
        }
        Ok(Appended::default())
    }

    fn append_float(&mut self, float: f64) -> Outcome {
        match self {
            Self::Float(cells, _) => cells.append_value(float),
            Self::Json(..) => return self.append_owned(&float.into()),
            cells => return Err(Misfit::number(&float, cells.expected()).into()),
        }
        Ok(Appended::default())
    }

    fn append_text(&mut self, text: &str) -> Outcome {
        match self {
            Self::Text(cells) => append_text(cells, text)
                .ok_or_else(|| Misfit::number(&"a text", "a shorter text").into()),
            Self::Json(..) => self.append_owned(&text.into()),
            cells => Err(Misfit::number(&"a text", cells.expected()).into()),
        }
    }

    /// Appends a value that has no view, to cells of JSON.
    fn append_owned(&mut self, value: &Variant) -> Outcome {
        let Self::Json(cells, form, text) = self else { return Err(Appended::default()) };
        let unfit = |expected: &str| Misfit::number(&value.kind(), expected);
        text.clear();
        write(value, *form, &mut *text, false).map_err(|error| unfit(&error.to_string()))?;
        append_json(cells, text).ok_or_else(|| unfit("a shorter text").into())
    }

    pub(crate) fn append_null(&mut self) {
        match self {
            Self::Bool(cells) => cells.append_null(),
            Self::Int(cells) => cells.append_null(),
            Self::Float(cells, _) => cells.append_null(),
            Self::Rid(cells) => cells.append_null(),
            Self::Text(cells) | Self::Json(cells, ..) => cells.append_null(),
            Self::Bytes(cells) => cells.append_null(),
            Self::Math(cells) => cells.append_null(),
            Self::Packed(cells) => cells.append_null(),
            Self::List(cells) => cells.append_null(),
            Self::Map(cells) => cells.append_null(),
        }
    }

    /// The name of the expected value in messages.
    const fn expected(&self) -> &'static str {
        match self {
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Float(..) => "float",
            Self::Rid(_) => "RID",
            Self::Text(_) => "text",
            Self::Bytes(_) => "bytes",
            Self::Json(..) => "json",
            Self::Math(cells) => cells.kind().name(),
            Self::Packed(cells) => cells.kind().name(),
            Self::List(_) => "an array",
            Self::Map(_) => "a dictionary",
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Bool(cells) => cells.len(),
            Self::Int(cells) => cells.len(),
            Self::Float(cells, _) => cells.len(),
            Self::Rid(cells) => cells.len(),
            Self::Text(cells) | Self::Json(cells, ..) => cells.len(),
            Self::Bytes(cells) => cells.len(),
            Self::Math(cells) => cells.len(),
            Self::Packed(cells) => cells.len(),
            Self::List(cells) => cells.len(),
            Self::Map(cells) => cells.len(),
        }
    }

    /// Returns all cells as an array, and removes them.
    pub(crate) fn finish(&mut self) -> Result<ArrayRef, arrow_schema::ArrowError> {
        Ok(match self {
            Self::Bool(cells) => std::sync::Arc::new(cells.finish()),
            Self::Int(cells) => std::sync::Arc::new(cells.finish()),
            Self::Float(cells, _) => std::sync::Arc::new(cells.finish()),
            Self::Rid(cells) => std::sync::Arc::new(cells.finish()),
            Self::Text(cells) | Self::Json(cells, ..) => std::sync::Arc::new(cells.finish()),
            Self::Bytes(cells) => std::sync::Arc::new(cells.finish()),
            Self::Math(cells) => cells.finish()?,
            Self::Packed(cells) => cells.finish()?,
            Self::List(cells) => cells.finish()?,
            Self::Map(cells) => cells.finish()?,
        })
    }
}

/// Whether a column with `used` bytes of texts holds a further text of `len` bytes.
const fn has_room(used: usize, len: usize) -> bool {
    len <= MOST_BYTES && used.saturating_add(len) <= MOST_IN_BATCH
}

/// Appends a text; `None` if it is too long.
fn append_text(cells: &mut StringBuilder, text: &str) -> Option<Appended> {
    has_room(cells.values_slice().len(), text.len()).then(|| {
        cells.append_value(text);
        Appended::bytes(text.len())
    })
}

/// Appends JSON; `None` if it is too long.
pub(crate) fn append_json(cells: &mut StringBuilder, text: &[u8]) -> Option<Appended> {
    append_text(cells, str::from_utf8(text).ok()?)
}

/// An integer as a float; `None` if digits would be lost.
#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "all integers in this range are exact floats"
)]
pub(crate) fn exact_float(int: i64) -> Option<f64> {
    const MOST: u64 = 1 << f64::MANTISSA_DIGITS;
    (int.unsigned_abs() <= MOST).then_some(int as f64)
}

pub(crate) const fn is_array(kind: Kind) -> bool {
    matches!(kind, Kind::Array | Kind::TypedArray | Kind::PackedTypedArray)
}
