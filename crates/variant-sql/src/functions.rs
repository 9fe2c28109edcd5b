//! [`functions`]: the scalar functions on binary columns, as a table with a row for each function.

mod about;
mod rows;
mod values;

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, BooleanArray, Float64Array, Int64Array};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, ScalarValue, plan_err};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
    TypeSignature, Volatility,
};

use rows::Rows;

/// All functions. They must be registered where SQL is planned and where it is executed.
pub fn functions() -> Vec<Arc<ScalarUDF>> {
    ROWS.iter().map(|row| Arc::new(ScalarUDF::new_from_impl(VariantFunction::new(row)))).collect()
}

/// A function: its name, its arguments and its result.
#[derive(Debug)]
struct Row {
    name: &'static str,
    /// The argument between the bytes and the dialect, if any: a required or an optional path.
    path: PathArgument,
    returns: DataType,
    /// The result of the function, in one or two sentences.
    about: &'static str,
    /// An SQL expression and its result, which tests check. `save` has the bytes of
    /// `{"hp": 7, "name": "Ann", "items": [1.5, true]}`.
    example: (&'static str, &'static str),
    run: fn(&Rows) -> Result<ArrayRef>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PathArgument {
    Required,
    Optional,
    None,
}

/// All functions. They return null if the bytes are null or damaged, or have no value of the right kind at the path.
/// [`about`] has the common sentences of all descriptions.
static ROWS: [Row; 10] = [
    Row {
        name: "variant_get",
        path: PathArgument::Required,
        returns: DataType::BinaryView,
        about: "The bytes of the value at a path, unchanged.",
        example: ("variant_i64(variant_get(save, 'hp'))", "7"),
        run: |rows| rows.bytes(|view| view.raw_bytes().ok()),
    },
    Row {
        name: "variant_f64",
        path: PathArgument::Optional,
        returns: DataType::Float64,
        about: "A float, or an int as the nearest float.",
        example: ("variant_f64(save, 'items[0]')", "1.5"),
        run: |rows| {
            Ok(Arc::new(rows.map(|view| view.as_f64().ok()).collect::<Result<Float64Array>>()?))
        },
    },
    Row {
        name: "variant_i64",
        path: PathArgument::Optional,
        returns: DataType::Int64,
        about: "An int. A float is null, even a whole one: variant_f64 reads both.",
        example: ("variant_i64(save, 'hp')", "7"),
        run: |rows| {
            Ok(Arc::new(rows.map(|view| view.as_i64().ok()).collect::<Result<Int64Array>>()?))
        },
    },
    Row {
        name: "variant_text",
        path: PathArgument::Optional,
        returns: DataType::Utf8View,
        about: "A String, StringName or NodePath as text.",
        example: ("variant_text(save, 'name')", "Ann"),
        run: |rows| rows.texts(values::text),
    },
    Row {
        name: "variant_bool",
        path: PathArgument::Optional,
        returns: DataType::Boolean,
        about: "A bool.",
        example: ("variant_bool(save, 'items[1]')", "true"),
        run: |rows| {
            Ok(Arc::new(rows.map(|view| view.as_bool().ok()).collect::<Result<BooleanArray>>()?))
        },
    },
    Row {
        name: "variant_kind",
        path: PathArgument::Optional,
        returns: DataType::Utf8View,
        about: "The name of the value's type, such as Dictionary or PackedFloat32Array.",
        example: ("variant_kind(save, 'items')", "Array"),
        run: |rows| rows.texts(|view| Some(view.kind().name())),
    },
    Row {
        name: "variant_json",
        path: PathArgument::Optional,
        returns: DataType::Utf8View,
        about: "The value as exact JSON, which `from` turns back into the same bytes.",
        example: (
            "variant_json(save, 'items')",
            r#"{"dialect":"godot4","reals":"by-flag","value":[{"t":"float","v":"1.5"},true]}"#,
        ),
        run: |rows| rows.texts_of_parts(values::json),
    },
    Row {
        name: "variant_len",
        path: PathArgument::Optional,
        returns: DataType::Int64,
        about: "The number of elements of an array, of entries of a dictionary, or of characters of a text. Null for other values.",
        example: ("variant_len(save, 'items')", "2"),
        run: |rows| Ok(Arc::new(rows.map(values::len).collect::<Result<Int64Array>>()?)),
    },
    Row {
        name: "variant_valid",
        path: PathArgument::None,
        returns: DataType::Boolean,
        about: "Whether the bytes are exactly one valid value.",
        example: ("variant_valid(save)", "true"),
        run: |rows| {
            let verdicts = rows.documents(|document| Some(values::error(document).is_none()));
            Ok(Arc::new(verdicts.collect::<Result<BooleanArray>>()?))
        },
    },
    Row {
        name: "variant_error",
        path: PathArgument::None,
        returns: DataType::Utf8View,
        about: "The error in the bytes, with offset and path; null if the bytes are valid.",
        example: (
            "variant_error(X'1b00000001000000')",
            "value header needs 4 bytes, 0 are left at byte 8, path {0:key}",
        ),
        run: |rows| rows.write_texts(rows.documents(values::error)),
    },
];

/// A row of the table as a function of DataFusion.
#[derive(Debug)]
struct VariantFunction {
    row: &'static Row,
    signature: Signature,
    documentation: Documentation,
}

impl VariantFunction {
    fn new(row: &'static Row) -> Self {
        let signature = Signature::new(TypeSignature::UserDefined, Volatility::Immutable);
        Self { row, signature, documentation: about::documentation(row) }
    }
}

/// The name identifies the row of the table.
impl PartialEq for VariantFunction {
    fn eq(&self, other: &Self) -> bool {
        self.row.name == other.row.name
    }
}

impl Eq for VariantFunction {}

impl Hash for VariantFunction {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.row.name.hash(state);
    }
}

impl ScalarUDFImpl for VariantFunction {
    fn name(&self) -> &str {
        self.row.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.row.returns.clone())
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        let syntax = about::syntax(self.row);
        let counts = match self.row.path {
            PathArgument::Required => 2..=3,
            PathArgument::Optional => 1..=3,
            PathArgument::None => 1..=2,
        };
        let [bytes, texts @ ..] = given else { return plan_err!("{syntax} needs its bytes") };
        if !counts.contains(&given.len()) {
            return plan_err!("{syntax}: {} arguments are given", given.len());
        }
        let Some(bytes) = rows::bytes_type(bytes) else {
            return plan_err!("{syntax}: the bytes are {bytes}, expected binary; try _value");
        };
        let texts = texts.iter().map(|text| match text {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => {
                Ok(DataType::Utf8)
            }
            other => plan_err!("{syntax}: path and dialect are text, found {other}"),
        });
        std::iter::once(Ok(bytes)).chain(texts).collect()
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let is_scalar = args.args.iter().all(|arg| matches!(arg, ColumnarValue::Scalar(_)));
        let count = if is_scalar { 1 } else { args.number_rows };
        let rows = Rows::new(&args.args, self.row.path != PathArgument::None, count)?;
        let array = (self.row.run)(&rows)?;
        if is_scalar {
            return ScalarValue::try_from_array(&array, 0).map(ColumnarValue::Scalar);
        }
        Ok(ColumnarValue::Array(array))
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

#[cfg(test)]
mod tests;
