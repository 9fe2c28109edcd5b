//! [`Cells`]: the values of one column, as Arrow stores them.

mod list;
mod map;
mod math;
mod number;
mod packed;

use std::fmt::Write as _;

use arrow_array::ArrayRef;
use arrow_array::builder::{
    ArrayBuilder as _, BinaryBuilder, BooleanBuilder, Float64Builder, Int64Builder, StringBuilder,
    UInt64Builder,
};
use variant_owned::json::{Form, write};
use variant_view::{FeedError, Kind, VariantView};

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

/// The maximum size of a text or of bytes in a cell: Arrow's offsets within a batch have 31 bits.
pub(crate) const MOST_BYTES: usize = 1 << 30;

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

    /// Appends one cell: the value, or null if it is missing or does not fit. Returns the number of bytes of texts and
    /// items. O(bytes of the value). The depth of the recursion is at most that of the column's type.
    pub(crate) fn append(&mut self, value: Option<Value<'_, '_>>) -> Result<usize, Misfit> {
        let outcome = match value {
            None | Some(Value::View(VariantView::Nil(_))) => {
                self.append_null();
                return Ok(0);
            }
            Some(Value::View(view)) => self.append_view(view),
            Some(Value::Int(int)) => self.append_int(int),
            Some(Value::Float(float)) => self.append_float(float),
            Some(Value::Text(text)) => self.append_text(text),
        };
        outcome.map_err(|problem| match problem {
            // The cell has been appended, with a null for the inner value.
            Problem::Inside(misfit) => misfit,
            Problem::Here(misfit) => {
                self.append_null();
                misfit
            }
        })
    }

    fn append_view(&mut self, view: &VariantView<'_>) -> Result<usize, Problem> {
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
                let text = text.engine_text().map_err(|error| Misfit::damage(view, &error))?;
                return append_text(cells, text).map_err(|()| Misfit::too_long(view).into());
            }
            (Self::Text(cells), V::NodePath(path)) => {
                let text = path.to_string();
                return append_text(cells, &text).map_err(|()| Misfit::too_long(view).into());
            }
            (Self::Bytes(cells), V::PackedByteArray(bytes)) => {
                let bytes = bytes.as_bytes();
                if bytes.len() > MOST_BYTES {
                    return Err(Misfit::too_long(view).into());
                }
                cells.append_value(bytes);
                return Ok(bytes.len());
            }
            (Self::Json(cells, form, text), view) => {
                text.clear();
                write(view, *form, &mut *text, false).map_err(|error| match error {
                    FeedError::Producer(error) => Misfit::damage(view, &error),
                    FeedError::Consumer(error) => Misfit::value(view, &error.to_string()),
                })?;
                let text =
                    str::from_utf8(text).map_err(|_| Misfit::value(view, "JSON in UTF-8"))?;
                return append_text(cells, text).map_err(|()| Misfit::too_long(view).into());
            }
            (Self::Math(cells), view) => return cells.append(view).map_err(Problem::Here),
            (Self::Packed(cells), view) => return cells.append(view).map_err(Problem::Here),
            (Self::List(cells), view) => return cells.append(view),
            (Self::Map(cells), view) => return cells.append(view),
            (cells, view) => return Err(Misfit::kind(view, cells.expected()).into()),
        }
        Ok(0)
    }

    fn append_int(&mut self, int: i64) -> Result<usize, Problem> {
        match self {
            Self::Int(cells) => cells.append_value(int),
            Self::Float(cells, _) => {
                let float = exact_float(int);
                cells
                    .append_value(float.ok_or_else(|| Misfit::number(&int, "float without loss"))?);
            }
            Self::Text(cells) | Self::Json(cells, ..) => return Ok(append_number(cells, int)),
            cells => return Err(Misfit::number(&int, cells.expected()).into()),
        }
        Ok(0)
    }

    fn append_float(&mut self, float: f64) -> Result<usize, Problem> {
        match self {
            Self::Float(cells, _) => cells.append_value(float),
            Self::Json(cells, ..) if float.is_finite() => return Ok(append_number(cells, float)),
            cells => return Err(Misfit::number(&float, cells.expected()).into()),
        }
        Ok(0)
    }

    fn append_text(&mut self, text: &str) -> Result<usize, Problem> {
        match self {
            Self::Text(cells) => append_text(cells, text)
                .map_err(|()| Misfit::number(&"a text", "a shorter text").into()),
            Self::Int(cells) => {
                let int = text.parse().map_err(|_| Misfit::number(&"a text", "int"))?;
                cells.append_value(int);
                Ok(0)
            }
            cells => Err(Misfit::number(&"a text", cells.expected()).into()),
        }
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

/// The place at which a value does not fit.
#[derive(Debug)]
pub(crate) enum Problem {
    /// The cell itself does not fit, and is not appended yet.
    Here(Misfit),
    /// A value in the cell does not fit. The cell is already appended.
    Inside(Misfit),
}

impl From<Misfit> for Problem {
    fn from(misfit: Misfit) -> Self {
        Self::Here(misfit)
    }
}

fn append_text(cells: &mut StringBuilder, text: &str) -> Result<usize, ()> {
    if text.len() > MOST_BYTES {
        return Err(());
    }
    cells.append_value(text);
    Ok(text.len())
}

fn append_number(cells: &mut StringBuilder, number: impl std::fmt::Display) -> usize {
    let before = cells.values_slice().len();
    // Writing to a string cannot fail.
    let _ = write!(cells, "{number}");
    cells.append_value("");
    cells.values_slice().len().saturating_sub(before)
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
