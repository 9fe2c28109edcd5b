//! [`ColumnType`]: the type of a column's values, and its Arrow type.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields};
use variant_view::{Kind, NumberType, Shape, Width};

/// The type of a column's values.
///
/// | type | written | Arrow |
/// |---|---|---|
/// | [`Bool`](Self::Bool) | `bool` | `Boolean` |
/// | [`Int`](Self::Int) | `int` | `Int64` |
/// | [`Float`](Self::Float) | `float` | `Float64` |
/// | [`Text`](Self::Text): `String`, `StringName`, `NodePath` | `text` | `Utf8` |
/// | [`Bytes`](Self::Bytes): `PackedByteArray` | `bytes` | `Binary` |
/// | [`Rid`](Self::Rid) | `RID` | `UInt64` |
/// | [`Json`](Self::Json): any value, exactly | `json` | `Utf8` |
/// | [`PlainJson`](Self::PlainJson): any value, as people write JSON | `plain-json` | `Utf8` |
/// | [`Math`](Self::Math) | `Vector2`, `Color`; with reals of 64 bits `Vector2(double)` | `Struct` of its parts, as the engine names them: matrices are `row0`, `row1`, `row2` |
/// | [`Packed`](Self::Packed) | `PackedFloat32Array`, `PackedVector3Array(double)` | `List` of numbers, or of `FixedSizeList`s |
/// | [`List`](Self::List): arrays | `list<int>` | `List` |
/// | [`Map`](Self::Map): dictionaries | `map<float>` | `Map` from `Utf8` |
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ColumnType {
    /// Truth values.
    Bool,
    /// Integers of 64 bits.
    Int,
    /// Floats of 64 bits.
    Float,
    /// Text, as the engine reads it.
    Text,
    /// Bytes.
    Bytes,
    /// Resource handles.
    Rid,
    /// Any value as JSON, without loss.
    Json,
    /// Any value as plain JSON.
    PlainJson,
    /// Vectors, colours and matrices, with the width of their reals.
    Math(Kind, Width),
    /// Packed arrays of numbers other than bytes, with the width of their reals.
    Packed(Kind, Width),
    /// Arrays of one type.
    List(Box<Self>),
    /// Dictionaries whose values have one type. Their keys become text: integers are written in decimal.
    Map(Box<Self>),
}

/// The deepest nesting of lists and maps.
const MOST_LEVELS: usize = 8;

/// The suffix for reals of 64 bits.
const DOUBLE: &str = "(double)";

impl ColumnType {
    /// The type for values of one kind. `width` is the width of their reals.
    pub fn of_kind(kind: Kind, width: Width) -> Self {
        match kind {
            Kind::Bool => Self::Bool,
            Kind::Int => Self::Int,
            Kind::Float => Self::Float,
            Kind::String | Kind::StringName | Kind::NodePath => Self::Text,
            Kind::PackedByteArray => Self::Bytes,
            Kind::PackedStringArray => Self::List(Box::new(Self::Text)),
            Kind::Rid => Self::Rid,
            kind => match kind.shape() {
                Some(shape) if shape.is_packed => Self::Packed(kind, real(shape, width)),
                Some(shape) => Self::Math(kind, real(shape, width)),
                None => Self::Json,
            },
        }
    }

    /// The type in Arrow.
    pub fn data_type(&self) -> DataType {
        match self {
            Self::Bool => DataType::Boolean,
            Self::Int => DataType::Int64,
            Self::Float => DataType::Float64,
            Self::Rid => DataType::UInt64,
            Self::Text | Self::Json | Self::PlainJson => DataType::Utf8,
            Self::Bytes => DataType::Binary,
            Self::Math(kind, width) => {
                kind.shape().map_or(DataType::Null, |shape| DataType::Struct(parts(shape, *width)))
            }
            Self::Packed(kind, width) => kind.shape().map_or(DataType::Null, |shape| {
                DataType::List(Arc::new(Field::new("item", element(shape, *width), false)))
            }),
            Self::List(items) => {
                DataType::List(Arc::new(Field::new("item", items.data_type(), true)))
            }
            Self::Map(values) => DataType::Map(Arc::new(entries(values)), false),
        }
    }

    /// The same type; [`Json`](Self::Json) if its lists and maps nest deeper than the text form allows. O(levels).
    pub(crate) fn bounded(self) -> Self {
        let (mut of, mut levels) = (&self, 0_usize);
        while let Self::List(inner) | Self::Map(inner) = of {
            (of, levels) = (inner.as_ref(), levels.saturating_add(1));
        }
        if levels > MOST_LEVELS { Self::Json } else { self }
    }

    /// Whether a value is more than one number or text. CSV files cannot express such values.
    pub const fn is_nested(&self) -> bool {
        matches!(
            self,
            Self::Math(..) | Self::Packed(..) | Self::List(_) | Self::Map(_) | Self::Bytes
        )
    }
}

/// The pairs of a map.
pub(crate) fn entries(values: &ColumnType) -> Field {
    let fields =
        [Field::new("keys", DataType::Utf8, false), Field::new("values", values.data_type(), true)];
    Field::new("entries", DataType::Struct(Fields::from_iter(fields)), false)
}

/// The width of the numbers. It is `width` only for reals, since other numbers have one width.
fn real(shape: Shape, width: Width) -> Width {
    if shape.number == NumberType::Real { width } else { Width::W32 }
}

/// The type of a number in Arrow.
pub(crate) const fn number(of: NumberType, width: Width) -> DataType {
    match of.with_reals(width) {
        NumberType::Byte => DataType::UInt8,
        NumberType::Int32 => DataType::Int32,
        NumberType::Int64 => DataType::Int64,
        NumberType::Float32 | NumberType::Real => DataType::Float32,
        NumberType::Float64 => DataType::Float64,
    }
}

/// The type of an element of a packed array: a number, or a list of numbers.
pub(crate) fn element(shape: Shape, width: Width) -> DataType {
    let number = number(shape.number, width);
    match shape.count {
        1 => number,
        count => DataType::FixedSizeList(Arc::new(Field::new("item", number, false)), count.into()),
    }
}

/// The fields of a mathematical type. Each part is a number or a struct of numbers.
pub(crate) fn parts(shape: Shape, width: Width) -> Fields {
    let number = || number(shape.number, width);
    let part = |(part, fields): &(&str, &[&str])| match fields {
        [] => Field::new(*part, number(), false),
        fields => {
            let fields = fields.iter().map(|name| Field::new(*name, number(), false));
            Field::new(*part, DataType::Struct(fields.collect()), false)
        }
    };
    shape.parts.iter().map(part).collect()
}

impl fmt::Display for ColumnType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("bool"),
            Self::Int => f.write_str("int"),
            Self::Float => f.write_str("float"),
            Self::Text => f.write_str("text"),
            Self::Bytes => f.write_str("bytes"),
            Self::Rid => f.write_str("RID"),
            Self::Json => f.write_str("json"),
            Self::PlainJson => f.write_str("plain-json"),
            Self::Math(kind, width) | Self::Packed(kind, width) => {
                f.write_str(kind.name())?;
                f.write_str(if *width == Width::W64 { DOUBLE } else { "" })
            }
            Self::List(items) => write!(f, "list<{items}>"),
            Self::Map(values) => write!(f, "map<{values}>"),
        }
    }
}

/// The error for a text that is not the name of a column type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownType(String);

impl fmt::Display for UnknownType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "no type of a column: `{}`; expected bool, int, float, text, bytes, json, plain-json, RID, list<TYPE>, map<TYPE>, \
             or a type of the engine such as Vector2, Color or PackedFloat32Array, with {DOUBLE} for reals of 64 bits",
            self.0
        )
    }
}

impl std::error::Error for UnknownType {}

impl FromStr for ColumnType {
    type Err = UnknownType;

    /// Reads the output of [`Display`](fmt::Display). The case of the engine's names does not matter. O(bytes).
    fn from_str(text: &str) -> Result<Self, UnknownType> {
        let unknown = || UnknownType(text.to_owned());
        // Lists and maps are read from the outside to the inside.
        let (mut rest, mut around) = (text.trim(), Vec::new());
        while let Some(inner) = rest.strip_suffix('>') {
            let (name, inner) = inner.split_once('<').ok_or_else(unknown)?;
            around.push(match name.trim() {
                "list" => Self::List,
                "map" => Self::Map,
                _ => return Err(unknown()),
            });
            rest = inner.trim();
        }
        if around.len() > MOST_LEVELS {
            return Err(unknown());
        }
        let innermost = simple(rest).ok_or_else(unknown)?;
        Ok(around
            .into_iter()
            .rfold(innermost, |of, wrap: fn(Box<Self>) -> Self| wrap(Box::new(of))))
    }
}

/// A type without other types in it.
fn simple(text: &str) -> Option<ColumnType> {
    let (name, width) = match text.strip_suffix(DOUBLE) {
        Some(name) => (name.trim(), Width::W64),
        None => (text, Width::W32),
    };
    let named = match name {
        "json" => Some(ColumnType::Json),
        "plain-json" => Some(ColumnType::PlainJson),
        "text" => Some(ColumnType::Text),
        "bytes" => Some(ColumnType::Bytes),
        _ => {
            let mut kinds = Kind::ALL.iter().copied();
            let kind = kinds.find(|kind| kind.name().eq_ignore_ascii_case(name))?;
            let of = ColumnType::of_kind(kind, width);
            // The values of some kinds become JSON. The names of these kinds are not names of types.
            (of != ColumnType::Json).then_some(of)
        }
    }?;
    let is_wide =
        matches!(named, ColumnType::Math(_, Width::W64) | ColumnType::Packed(_, Width::W64));
    (width == Width::W32 || is_wide).then_some(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_as_they_are_written() {
        let mut all = vec![ColumnType::Json, ColumnType::PlainJson];
        for kind in Kind::ALL {
            all.extend([Width::W32, Width::W64].map(|width| ColumnType::of_kind(*kind, width)));
        }
        for of in all.clone() {
            all.push(ColumnType::List(Box::new(ColumnType::Map(Box::new(of)))));
        }
        for of in all {
            assert_eq!(of.to_string().parse(), Ok(of));
        }
    }

    #[test]
    fn what_is_no_type_is_refused() {
        for text in [
            "",
            "integer",
            "int(double)",
            "list<>",
            "list<int",
            "set<int>",
            "Color(double)",
            "Dictionary",
        ] {
            assert!(text.parse::<ColumnType>().is_err(), "{text}");
        }
        let deep = format!("{}int{}", "list<".repeat(9), ">".repeat(9));
        assert!(deep.parse::<ColumnType>().is_err());
        let less = format!("{}int{}", "list<".repeat(8), ">".repeat(8));
        assert!(less.parse::<ColumnType>().is_ok());
    }
}
