//! The body of `functions`.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array as _, ArrayRef, AsArray as _, BinaryArray, BinaryViewArray, LargeBinaryArray,
};
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::common::ScalarValue;
use datafusion::config::ConfigOptions;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF};
use variant_owned::json::{self, Form};
use variant_view::{Dialect, Document, Limits, Options};

use crate::functions;

/// Paths that values of the corpus have, and paths that no value has.
const PATHS: [&str; 10] =
    ["", "[0]", "[1][0]", "{0:key}", "{0}", "a", "hp", "player.position", "[0].x", "[4294967295]"];

/// The first byte picks the dialect, the second the path, and the third the type of the column of bytes. The remaining
/// bytes are a value. The checks: each function has a result for each row, and null for null. The verdict is that of
/// the decoder. An error is given exactly for invalid bytes. A value at a path is the same, whether a function
/// reads it there or from the bytes of `variant_get`. Exact JSON restores the bytes.
/// Returns whether the bytes are valid.
pub fn check_functions(data: &[u8]) -> bool {
    let Some((&[dialect, path, column], bytes)) = data.split_first_chunk() else {
        return false;
    };
    let pick = usize::from(dialect >> 3);
    let dialect = Dialect::ALL.iter().copied().cycle().nth(pick).unwrap_or(Dialect::Godot4);
    let path = PATHS.iter().cycle().nth(path.into()).copied().unwrap_or_default();
    let rows = [Some(bytes), None, Some(&[])];
    let array: ArrayRef = match column % 3 {
        0 => Arc::new(rows.into_iter().collect::<BinaryArray>()),
        1 => Arc::new(rows.into_iter().collect::<LargeBinaryArray>()),
        _ => Arc::new(rows.into_iter().collect::<BinaryViewArray>()),
    };
    let document = Document::new(bytes, Options::engine(dialect).limits(Limits::FILE));
    let summary = document.validate();
    let is_valid = summary.as_ref().is_ok_and(|summary| summary.consumed == bytes.len());

    let call = |name: &str, array: &ArrayRef, path: Option<&str>| {
        let texts = path.into_iter().chain([dialect.name()]).map(str::to_owned);
        let texts = texts.map(|text| ColumnarValue::Scalar(ScalarValue::Utf8(Some(text))));
        let array = ColumnarValue::Array(Arc::clone(array));
        call(name, std::iter::once(array).chain(texts).collect(), rows.len())
    };
    let verdicts = call("variant_valid", &array, None);
    assert_eq!(verdicts.as_boolean().value(0), is_valid, "the verdict of the decoder");
    let errors = call("variant_error", &array, None);
    assert_eq!(errors.is_null(0), is_valid, "an error for invalid bytes");
    let parts = call("variant_get", &array, Some(path));
    for name in [
        "variant_f64",
        "variant_i64",
        "variant_text",
        "variant_bool",
        "variant_kind",
        "variant_json",
        "variant_len",
    ] {
        let there = call(name, &array, Some(path));
        // Of a damaged value, a function may read the undamaged part, which has no bytes alone.
        if is_valid {
            let alone = call(name, &parts, Some(""));
            assert_eq!(there.slice(0, 1).as_ref(), alone.slice(0, 1).as_ref(), "{name} at {path}");
        }
    }
    let texts = call("variant_json", &array, Some(""));
    if is_valid {
        let parsed = json::documents(texts.as_string_view().value(0), Form::Exact).next();
        let parsed = parsed.expect("a document").expect("JSON");
        let options = parsed.envelope().expect("an envelope").options();
        assert_eq!(parsed.encode(options).expect("a value"), bytes, "exact JSON");
    }
    is_valid
}

/// The result of a function for the rows.
fn call(name: &str, args: Vec<ColumnarValue>, rows: usize) -> ArrayRef {
    let function = functions().into_iter().find(|function| function.name() == name).expect(name);
    let field = |of: DataType| Arc::new(Field::new("", of, true));
    let types: Vec<_> = args.iter().map(ColumnarValue::data_type).collect();
    let returns = ScalarUDF::return_type(&function, &types).expect(name);
    let args = ScalarFunctionArgs {
        arg_fields: types.into_iter().map(field).collect(),
        args,
        number_rows: rows,
        return_field: field(returns),
        config_options: Arc::new(ConfigOptions::new()),
    };
    let result = function.invoke_with_args(args).expect(name);
    let result = result.into_array(rows).expect(name);
    assert_eq!(result.len(), rows, "{name}: a result for each row");
    assert!(result.is_null(1), "{name}: null for null");
    result
}
