use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, Int32Array, LargeBinaryArray,
    RecordBatch,
};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::prelude::SessionContext;
use variant_owned::json::{self, Form};
use variant_view::Dialect;

use super::{ROWS, functions};

fn save() -> Vec<u8> {
    json::read(r#"{"hp": 7, "name": "Ann", "items": [1.5, true]}"#, Form::Plain, Dialect::Godot4)
        .unwrap()
}

fn context(save: ArrayRef) -> SessionContext {
    let context = SessionContext::new();
    for function in functions() {
        context.register_udf((*function).clone());
    }
    let batch = RecordBatch::try_from_iter([("save", save)]).unwrap();
    context.register_batch("t", batch).unwrap();
    context
}

/// The rows of one column as text; null as `None`.
async fn column(context: &SessionContext, expression: &str) -> Result<Vec<Option<String>>, String> {
    let sql = format!("SELECT {expression} FROM t");
    let frame = context.sql(&sql).await.map_err(|error| error.to_string())?;
    let mut rows = Vec::new();
    for batch in frame.collect().await.map_err(|error| error.to_string())? {
        let array = batch.column(0);
        let options = FormatOptions::default();
        let formatter = ArrayFormatter::try_new(array, &options).unwrap();
        let text = |row| array.is_valid(row).then(|| formatter.value(row).to_string());
        rows.extend((0..array.len()).map(text));
    }
    Ok(rows)
}

#[tokio::test]
async fn each_example_is_true() {
    let context = context(Arc::new(BinaryArray::from_vec(vec![&save()])));
    for row in &ROWS {
        let (expression, result) = row.example;
        assert!(expression.contains(row.name), "{expression}");
        let rows = column(&context, expression).await.unwrap();
        assert_eq!(rows, [Some(result.to_owned())], "{expression}");
    }
}
