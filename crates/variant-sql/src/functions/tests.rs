use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, LargeBinaryArray, RecordBatch,
};
use datafusion::arrow::datatypes::Int32Type;
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

/// One column as text; `None` for null.
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

#[tokio::test]
async fn bytes_are_of_any_type() {
    let (save, damaged) = (save(), vec![27, 0, 0, 0, 1]);
    let rows = || [Some(save.as_slice()), None, Some(damaged.as_slice()), Some(&[])];
    let keys = [Some(0), None, Some(1), Some(2)].into_iter().collect();
    let values = Arc::new(BinaryArray::from_vec(vec![&save, &damaged, &[]]));
    let arrays: [ArrayRef; 4] = [
        Arc::new(rows().into_iter().collect::<BinaryArray>()),
        Arc::new(rows().into_iter().collect::<LargeBinaryArray>()),
        Arc::new(rows().into_iter().collect::<BinaryViewArray>()),
        Arc::new(DictionaryArray::<Int32Type>::new(keys, values)),
    ];
    for array in arrays {
        let of = array.data_type().clone();
        let context = context(array);
        let column = async |expression| column(&context, expression).await.unwrap();
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(column("variant_i64(save, 'hp')").await, [text("7"), None, None, None], "{of}");
        assert_eq!(
            column("variant_valid(save)").await,
            [text("true"), None, text("false"), text("false")],
            "{of}"
        );
        let errors = column("variant_error(save)").await;
        assert_eq!((&errors[0], &errors[1]), (&None, &None), "{of}");
        assert!(errors[2].as_ref().unwrap().ends_with("at byte 4, path (root)"), "{errors:?}");
        assert!(errors[3].as_ref().unwrap().contains("at byte 0"), "{errors:?}");
        // The kind of the damaged row is not checked: its header, which has the kind, may be intact.
        let kinds = column("variant_kind(save)").await;
        assert_eq!((&kinds[0], &kinds[1], &kinds[3]), (&text("Dictionary"), &None, &None), "{of}");
    }
}

#[tokio::test]
async fn arguments_are_constants_or_columns() {
    let bytes = save();
    let hex = bytes.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
    let context = context(Arc::new(BinaryArray::from_vec(vec![&bytes, &bytes])));
    let column = async |expression: &str| column(&context, expression).await;
    let seven = Some("7".to_owned());
    assert_eq!(
        column(&format!("variant_i64(X'{hex}', 'hp')")).await.unwrap(),
        [seven.clone(), seven.clone()]
    );
    let paths = "CASE WHEN random() < 2 THEN 'hp' ELSE 'name' END";
    assert_eq!(
        column(&format!("variant_i64(save, {paths})")).await.unwrap(),
        [seven.clone(), seven.clone()]
    );
    assert_eq!(
        column(&format!("variant_i64(X'{hex}', {paths})")).await.unwrap(),
        [seven.clone(), seven]
    );
    for null in
        ["variant_i64(save, NULL)", "variant_i64(NULL, 'hp')", "variant_i64(save, 'hp', NULL)"]
    {
        assert_eq!(column(null).await.unwrap(), [None, None], "{null}");
    }
    // The value is missing or has another kind.
    for null in [
        "variant_i64(save, 'mp')",
        "variant_i64(save, 'items[2]')",
        "variant_i64(save, 'hp.x')",
        "variant_text(save, 'hp')",
        "variant_i64(save, 'items[0]')",
        "variant_len(save, 'hp')",
    ] {
        assert_eq!(column(null).await.unwrap(), [None, None], "{null}");
    }
    // A float is also read from an int.
    assert_eq!(column("variant_f64(save, 'hp')").await.unwrap()[0].as_deref(), Some("7.0"));
    // The first bytes are an empty dictionary of Godot 3. The save is of Godot 4, and its first word is not a type of
    // Godot 3.
    let kind = async |arguments: &str| column(&format!("variant_kind({arguments})")).await.unwrap();
    assert_eq!(kind("X'1200000000000000', '', 'godot3'").await[0].as_deref(), Some("Dictionary"));
    assert_eq!(kind("save, '', 'godot3'").await, [None, None]);
}

#[tokio::test]
async fn exact_json_restores_bytes_that_readers_ignore() {
    // A text whose padding is not zero, an int, and both in an array.
    let text = [4, 0, 0, 0, 2, 0, 0, 0, b'h', b'i', 7, 7];
    let int = [2, 0, 0, 0, 7, 0, 0, 0];
    let array = [&[28, 0, 0, 0, 2, 0, 0, 0][..], &text, &int].concat();
    let context = context(Arc::new(BinaryArray::from_vec(vec![&text, &int, &array])));
    let texts = column(&context, "variant_json(save)").await.unwrap();
    let texts =
        texts.into_iter().chain(column(&context, "variant_json(save, '[0]')").await.unwrap());
    for (json, bytes) in texts.zip([&text[..], &int, &array, &[], &[], &text]) {
        let Some(json) = json else {
            assert!(bytes.is_empty());
            continue;
        };
        let parsed = json::documents(&json, Form::Exact).next().unwrap().unwrap();
        let options = parsed.envelope().unwrap().options();
        assert_eq!(parsed.encode(options).unwrap(), bytes, "{json}");
    }
}

#[tokio::test]
async fn wrong_calls_are_refused_with_what_is_expected() {
    let context = context(Arc::new(BinaryArray::from_vec(vec![&save()])));
    for (expression, why) in [
        ("variant_i64()", "variant_i64"),
        ("variant_get(save)", "variant_get(bytes, path[, dialect]): 1 arguments"),
        ("variant_valid(save, 'godot4', 'x')", "variant_valid(bytes[, dialect])"),
        ("variant_i64('text')", "the bytes are Utf8, expected binary"),
        ("variant_i64(save, 7)", "path and dialect are text, found Int64"),
        ("variant_i64(save, 'items[')", "path 'items['"),
        (
            "variant_i64(save, 'hp', 'godot5')",
            "dialect 'godot5' is unknown, expected one of godot2, godot3, godot4",
        ),
    ] {
        let error = column(&context, expression).await.unwrap_err();
        assert!(error.contains(why), "{expression}: {error}");
    }
}

#[test]
fn each_function_is_documented() {
    for function in functions() {
        let documentation = function.documentation().unwrap();
        assert!(documentation.syntax_example.starts_with(function.name()));
        assert!(
            documentation.arguments.as_ref().unwrap().iter().any(|(name, _)| name == "dialect")
        );
    }
}
