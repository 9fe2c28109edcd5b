//! Files as a table: rows do not depend on the columns that a query names, and only these columns are read.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::concat_batches;
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::physical_plan::{collect, displayable, execute_stream};
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion_proto::bytes::{
    physical_plan_from_bytes_with_extension_codec, physical_plan_to_bytes_with_extension_codec,
};
use datafusion_proto::physical_plan::DefaultPhysicalExtensionCodec;
use futures_util::StreamExt as _;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use variant_owned::json::{self, Form};
use variant_sql::{PhysicalCodec, VariantFormat, VariantSource, VariantTable, register};
use variant_table::{Columns, Summary};
use variant_view::Dialect;

/// Makes a file of each text: the bytes of the value if the text is native JSON, otherwise the text itself.
fn saves(texts: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (number, text) in texts.iter().enumerate() {
        let bytes = json::read(text, Form::Native, Dialect::Godot4)
            .unwrap_or_else(|_| text.as_bytes().to_vec());
        fs::write(folder.path().join(format!("{number:02}.sav")), bytes).unwrap();
    }
    folder
}

fn some_saves() -> TempDir {
    saves(&[
        r#"{"type":"Dictionary","args":["s:hp","i:7","s:speed","f:1.5","s:name","s:Ann","s:alive",true,"s:items",[{"type":"Dictionary","args":["s:id","i:1"]},{"type":"Dictionary","args":["s:id","i:2"]}]]}"#,
        r#"{"type":"Dictionary","args":["s:hp","i:-3","s:speed","i:2","s:name","s:Bo","s:alive",false,"s:items",[]]}"#,
        r#"{"type":"Dictionary","args":["s:name","s:","s:items",[{"type":"Dictionary","args":["s:id","i:3"]}]]}"#,
        r#"{"type":"Dictionary","args":["s:hp","s:many","s:speed","f:nan","s:alive",null]}"#,
        "damaged",
        "",
    ])
}

const COLUMNS: &str = "hp:int, speed:float, name:text, alive:bool";

fn context() -> SessionContext {
    let config = SessionConfig::new().with_target_partitions(2).with_information_schema(true);
    let context = SessionContext::new_with_config(config);
    register(&context).unwrap();
    context
}

/// A call of `variants` for the saves of a folder.
fn variants(folder: &Path, columns: &str) -> String {
    let columns =
        if columns.is_empty() { String::new() } else { format!(", columns => '{columns}'") };
    format!("variants('{}/*.sav', dialect => 'godot4'{columns})", folder.display())
}

async fn batch(context: &SessionContext, sql: &str) -> Result<RecordBatch, String> {
    let frame = context.sql(sql).await.map_err(|error| error.to_string())?;
    let schema = Arc::clone(frame.schema().inner());
    let batches = frame.collect().await.map_err(|error| error.to_string())?;
    Ok(concat_batches(&schema, &batches).unwrap())
}

async fn rows(context: &SessionContext, sql: &str) -> Vec<String> {
    let batch = batch(context, sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    let options = FormatOptions::default().with_null("null");
    let columns: Vec<_> = batch
        .columns()
        .iter()
        .map(|column| ArrayFormatter::try_new(column, &options).unwrap())
        .collect();
    let row = |row| {
        columns.iter().map(|column| column.value(row).to_string()).collect::<Vec<_>>().join(" ")
    };
    (0..batch.num_rows()).map(row).collect()
}

/// Runs a query. Returns the counts of the values that were read, and the plan.
async fn read(context: &SessionContext, sql: &str) -> (Summary, String) {
    let frame = context.sql(sql).await.unwrap();
    let task = Arc::new(frame.task_ctx());
    let plan = frame.create_physical_plan().await.unwrap();
    collect(Arc::clone(&plan), task).await.unwrap();
    let shown = displayable(plan.as_ref()).indent(false).to_string();
    (VariantSource::summaries(&plan)[0], shown)
}

#[tokio::test]
async fn columns_are_given() {
    let (folder, context) = (some_saves(), context());
    let table = variants(folder.path(), COLUMNS);
    assert_eq!(
        rows(&context, &format!("SELECT hp, speed, name, alive FROM {table} ORDER BY _file")).await,
        [
            "7 1.5 Ann true",
            "-3 2.0 Bo false",
            "null null  null",
            "null NaN null null",
            "null null null null",
            "null null null null"
        ]
    );
    let sql = format!(
        "SELECT _error.offset, _error.path, _error.text FROM {table} WHERE _error IS NOT NULL ORDER BY _file"
    );
    let errors = rows(&context, &sql).await;
    assert_eq!(
        errors,
        [
            "20 hp found String, expected int",
            "0  header 0x616d6164 names no type of this dialect at byte 0",
            "null null the file is empty",
        ]
    );
    let misfits = rows(
        &context,
        &format!("SELECT hp, _error.path, _error.text FROM {table} WHERE _file LIKE '%/03.sav'"),
    )
    .await;
    assert_eq!(misfits, ["null hp found String, expected int"]);
}

#[tokio::test]
async fn columns_are_inferred() {
    let folder = saves(&[
        r#"{"type":"Dictionary","args":["s:player",{"type":"Dictionary","args":["s:hp","i:7"]},"s:slot","i:1"]}"#,
        r#"{"type":"Dictionary","args":["s:player",{"type":"Dictionary","args":["s:hp","f:0.5"]},"s:slot","i:2"]}"#,
    ]);
    let (table, context) = (variants(folder.path(), ""), context());
    let described = rows(&context, &format!("DESCRIBE SELECT * FROM {table}")).await;
    assert_eq!(
        described,
        [
            "player.hp Float64 YES",
            "slot Int64 YES",
            "_file Utf8 NO",
            "_frame Int64 YES",
            "_offset Int64 YES",
            "_error Struct(\"offset\": Int64, \"path\": Utf8, \"text\": non-null Utf8) YES",
            "_value Binary YES",
        ]
    );
    let sql = format!(
        r#"SELECT "player.hp", slot, variant_f64(_value, 'player.hp'), variant_valid(_value) FROM {table} ORDER BY slot"#
    );
    assert_eq!(rows(&context, &sql).await, ["7.0 1 7.0 true", "0.5 2 0.5 true"]);
    // Missing types are inferred from the sample.
    let typed = variants(folder.path(), "hp = player.hp, slot:text");
    assert_eq!(
        rows(&context, &format!("SELECT hp, slot FROM {typed} ORDER BY hp")).await,
        ["0.5 null", "7.0 null"]
    );
}

/// A query on a folder reads the files that it has at that time.
#[tokio::test]
async fn a_file_that_was_added_is_in_the_next_query() {
    let folder = some_saves();
    let names = vec![format!("{}/*.sav", folder.path().display())];
    let columns = Some(Columns::parse_list("hp:int").unwrap());
    let context = context();
    let format = VariantFormat { columns, ..VariantFormat::default() };
    let table = VariantTable::new(names, format, &context.runtime_env()).unwrap();
    context.register_table("saves", Arc::new(table)).unwrap();
    let count = "SELECT count(*) FROM saves WHERE _error IS NULL";
    let before = rows(&context, count).await;
    fs::copy(folder.path().join("00.sav"), folder.path().join("new.sav")).unwrap();
    let after = rows(&context, count).await;
    fs::remove_file(folder.path().join("new.sav")).unwrap();
    assert_ne!(before, after);
    assert_eq!(rows(&context, count).await, before);
}

/// A filter selects the same rows, whether it is pushed down to the files or applied to a table in memory.
#[tokio::test]
async fn filters_mean_the_same_wherever_they_are_asked() {
    let folder = some_saves();
    let context = context();
    for columns in [COLUMNS, "hp:int, speed:float, name:text, alive:bool, id = items[*].id:int"] {
        let table = variants(folder.path(), columns);
        let everything = batch(&context, &format!("SELECT * FROM {table}")).await.unwrap();
        context.deregister_table("memory").unwrap();
        context.register_batch("memory", everything).unwrap();
        let mut pushed = 0;
        for filter in [
            "hp = 7",
            "hp <> 7",
            "hp < 0",
            "hp <= 7",
            "hp > -3",
            "hp >= 7",
            "7 < hp",
            "hp IN (7, 8)",
            "hp NOT IN (7, 8)",
            "hp IS NULL",
            "hp IS NOT NULL",
            "hp BETWEEN -3 AND 6",
            "speed > 1",
            "speed = 'NaN'",
            "speed <> 1.5",
            "speed < 'NaN'",
            "name = ''",
            "name > 'Ann'",
            "name IN ('Ann', 'Bo')",
            "alive",
            "NOT alive",
            "alive = true",
            "alive IS NOT TRUE",
            "alive IS FALSE",
            "hp > 0 AND name = 'Ann'",
            "hp > 0 OR name = 'Bo'",
            "NOT (hp > 0)",
            "hp > speed",
            "abs(hp) = 3",
            "_error IS NULL",
            "_file LIKE '%/01.sav'",
            "_file LIKE '%/01.sav' AND hp < 0",
            "_frame = 1",
            "hp IN (7, NULL)",
            "hp NOT IN (7, NULL)",
            "hp = NULL",
            "hp > 2.5",
            "name LIKE 'A%'",
        ] {
            for wanted in ["count(*)", "name", "speed, hp", "_error.text"] {
                let sql =
                    |from: &str| format!("SELECT {wanted} FROM {from} WHERE {filter} ORDER BY 1");
                let rows_of_files = rows(&context, &sql(&table)).await;
                let of_memory = rows(&context, &sql("memory")).await;
                assert_eq!(rows_of_files, of_memory, "{wanted}: {filter}");
            }
            let explained =
                rows(&context, &format!("EXPLAIN SELECT name FROM {table} WHERE {filter}"))
                    .await
                    .join("\n");
            pushed += usize::from(!explained.contains("FilterExec"));
        }
        assert!(pushed > 25, "{pushed} filters are pushed down");
    }
}

#[tokio::test]
async fn only_what_a_query_names_is_decoded() {
    let text =
        r#"{"type":"Dictionary","args":["s:a","i:1","s:b","i:2","s:c","i:3","s:d",["i:4","i:5"]]}"#;
    let (folder, context) = (saves(&[text; 20]), context());
    let table = variants(folder.path(), "a:int, b:int, c:int, n = count(d[*])");
    for (sql, decoded, rows) in [
        ("SELECT count(*) FROM t", 0, 20),
        ("SELECT a FROM t", 20, 20),
        ("SELECT a, c FROM t", 40, 20),
        ("SELECT n FROM t", 40, 20),
        ("SELECT _file FROM t", 0, 20),
        ("SELECT a FROM t WHERE b = 2", 40, 20),
        ("SELECT n FROM t WHERE b = 3", 20, 0),
        // `_error` reports misfits of all columns.
        ("SELECT _error FROM t", 100, 20),
    ] {
        let (summary, shown) =
            read(&context, &sql.replace("FROM t", &format!("FROM {table}"))).await;
        assert_eq!((summary.decoded, summary.rows), (decoded, rows), "{sql}: {shown}");
        assert_eq!((summary.files, summary.values, summary.errors), (20, 20, 0), "{sql}");
        assert!(!shown.contains("FilterExec"), "{shown}");
    }
    let explained =
        rows(&context, &format!("EXPLAIN ANALYZE SELECT a FROM {table} WHERE b >= 2 LIMIT 30"))
            .await
            .join("\n");
    for part in [
        "DataSourceExec: file_groups={2 groups: ",
        "projection=[a], limit=30, file_type=variant, conditions=b >= 2",
        "decoded=40",
        "values=20",
    ] {
        assert!(explained.contains(part), "{part}: {explained}");
    }
}

#[tokio::test]
async fn rows_do_not_depend_on_what_is_named() {
    let (folder, context) = (some_saves(), context());
    for (columns, all) in
        [(COLUMNS, 6), ("hp:int, id = items[*].id:int, at = key(items[*]):int", 7)]
    {
        let table = variants(folder.path(), columns);
        for wanted in ["*", "hp", "_file", "_error"] {
            let rows = rows(&context, &format!("SELECT {wanted} FROM {table}")).await;
            assert_eq!(rows.len(), all, "{wanted} of {columns}: {rows:?}");
        }
        assert_eq!(
            rows(&context, &format!("SELECT count(*) FROM {table}")).await,
            [all.to_string()]
        );
    }
    let table = variants(folder.path(), "hp:int, id = items[*].id:int, at = key(items[*]):int");
    let sql = format!("SELECT hp, id, at FROM {table} WHERE id IS NOT NULL ORDER BY id");
    assert_eq!(rows(&context, &sql).await, ["7 1 0", "7 2 1", "null 3 0"]);
}

#[tokio::test]
async fn names_choose_files_before_they_are_read() {
    let (folder, context) = (some_saves(), context());
    let table = variants(folder.path(), COLUMNS);
    let (summary, _) = read(
        &context,
        &format!(
            "SELECT hp FROM {table} AS t WHERE t._file LIKE '%/00.sav' OR t._file LIKE '%/01.sav'"
        ),
    )
    .await;
    assert_eq!((summary.files, summary.rows), (2, 2));
    let (summary, _) =
        read(&context, &format!("SELECT hp FROM {table} WHERE _file = 'none'")).await;
    assert_eq!(summary.files, 0);
}

/// Files that are opened together have one name in DataFusion. `input_file_name()` still returns the file of each row.
#[tokio::test]
async fn the_input_file_is_that_of_the_row() {
    let folder = saves(&[r#"{"type":"Dictionary","args":["s:a","i:1"]}"#; 8]);
    let context = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(1));
    register(&context).unwrap();
    let table = variants(folder.path(), "a:int");
    let sql = format!("SELECT input_file_name(), _file FROM {table}");
    let names = rows(&context, &sql).await;
    assert_eq!(names.len(), 8);
    for (number, names) in names.iter().enumerate() {
        let file = folder.path().join(format!("{number:02}.sav"));
        assert_eq!(*names, format!("{0} {0}", file.display()));
    }
    let sql = format!("SELECT count(DISTINCT concat('at ', input_file_name())) FROM {table}");
    assert_eq!(rows(&context, &sql).await, ["8"]);
}

/// DataFusion adds the columns of the folders. They must not be among the inferred columns too.
#[tokio::test]
async fn inferred_columns_of_a_listing_are_distinct() {
    let folder = saves(&[r#"{"type":"Dictionary","args":["s:a","i:1"]}"#]);
    fs::create_dir(folder.path().join("day=1")).unwrap();
    fs::rename(folder.path().join("00.sav"), folder.path().join("day=1/00.sav")).unwrap();
    let context = context();
    let options = ListingOptions::new(Arc::new(VariantFormat::default()))
        .with_file_extension(".sav")
        .with_table_partition_cols(vec![("day".to_owned(), DataType::Utf8)]);
    let url = ListingTableUrl::parse(format!("{}/", folder.path().display())).unwrap();
    let schema = options.infer_schema(&context.state(), &url).await.unwrap();
    let config = ListingTableConfig::new(url).with_listing_options(options).with_schema(schema);
    context.register_table("listed", Arc::new(ListingTable::try_new(config).unwrap())).unwrap();
    assert_eq!(rows(&context, "SELECT day, a FROM listed").await, ["1 1"]);
}

/// Another process finds files by their names, including names that `LocalFileSystem` refuses.
#[tokio::test]
async fn another_process_finds_files_with_any_names() {
    let folder = saves(&[r#"{"type":"Dictionary","args":["s:a","i:7"]}"#]);
    let names = ["slot#1", "per%20cent", "two words", "Größe"];
    for name in names {
        fs::copy(folder.path().join("00.sav"), folder.path().join(format!("{name}.sav"))).unwrap();
        fs::copy(folder.path().join("00.sav"), folder.path().join(name)).unwrap();
    }
    fs::remove_file(folder.path().join("00.sav")).unwrap();
    let context = context();
    let sql = format!(
        "SELECT _file, a, _error FROM variants('{}', dialect => 'godot4', columns => 'a:int')",
        folder.path().display()
    );
    let frame = context.sql(&sql).await.unwrap();
    let task = Arc::new(frame.task_ctx());
    let plan = frame.create_physical_plan().await.unwrap();
    let codec = PhysicalCodec(Arc::new(DefaultPhysicalExtensionCodec {}));
    let sent = physical_plan_to_bytes_with_extension_codec(plan, &codec).unwrap();
    let there = physical_plan_from_bytes_with_extension_codec(&sent, &task, &codec).unwrap();
    let batches = collect(there, task).await.unwrap();
    context
        .register_batch("there", concat_batches(&batches[0].schema(), &batches).unwrap())
        .unwrap();
    let all = rows(&context, "SELECT _file, a FROM there WHERE _error IS NULL").await;
    assert_eq!(all.len(), 2 * names.len(), "{all:?}");
    for name in names {
        let file = folder.path().join(name);
        assert!(all.contains(&format!("{} 7", file.display())), "{name}: {all:?}");
    }
}

#[tokio::test]
async fn a_limit_is_kept() {
    let text = r#"{"type":"Dictionary","args":["s:a","i:1"]}"#;
    let (folder, context) = (saves(&[text; 50]), context());
    let table = variants(folder.path(), "a:int");
    for (limit, expected) in [(0, 0), (1, 1), (7, 7), (49, 49), (60, 50)] {
        let sql = format!("SELECT a FROM {table} LIMIT {limit}");
        assert_eq!(rows(&context, &sql).await.len(), expected, "{limit}");
    }
    assert_eq!(rows(&context, &format!("SELECT a FROM {table} LIMIT 5 OFFSET 47")).await.len(), 3);
}

#[tokio::test]
async fn tables_are_joined() {
    let (folder, context) = (some_saves(), context());
    let table = variants(folder.path(), COLUMNS);
    let sql =
        format!("SELECT a.name, b.hp FROM {table} a JOIN {table} b ON a.hp = b.hp WHERE a.hp > 0");
    assert_eq!(rows(&context, &sql).await, ["Ann 7"]);
}

#[tokio::test]
async fn several_names_are_one_table() {
    let (one, other, context) = (some_saves(), some_saves(), context());
    let files = format!("'{}/*.sav', '{}/00.sav'", one.path().display(), other.path().display());
    let sql = format!(
        "SELECT count(hp), count(*) FROM variants({files}, columns => 'hp:int', dialect => 'godot4')"
    );
    assert_eq!(rows(&context, &sql).await, ["3 7"]);
    // A file that is named twice counts once. A folder means all files in it.
    let sql = format!(
        "SELECT count(*) FROM variants('{0}', '{0}/00.sav', columns => 'hp:int', dialect => 'godot4')",
        one.path().display()
    );
    assert_eq!(rows(&context, &sql).await, ["6"]);
}

#[tokio::test]
async fn values_without_lengths_are_rows_of_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let value = |hp| {
        let text = format!(r#"{{"type":"Dictionary","args":["s:hp","i:{hp}"]}}"#);
        json::read(&text, Form::Native, Dialect::Godot3).unwrap()
    };
    fs::write(folder.path().join("all.sav"), [value(7), value(8), value(9)].concat()).unwrap();
    for how in ["", ", framing => 'sequence'", ", framing => 'sequence', dialect => 'godot3'"] {
        let files = folder.path().display();
        let sql =
            format!("SELECT _frame, hp FROM variants('{files}/*.sav', columns => 'hp:int'{how})");
        assert_eq!(rows(&context(), &sql).await, ["1 7", "2 8", "3 9"], "{how}");
    }
}

#[tokio::test]
async fn wrong_calls_are_refused_with_what_is_expected() {
    let (folder, context) = (some_saves(), context());
    let all = format!("'{}/*.sav'", folder.path().display());
    for (arguments, why) in [
        (String::new(), "variants needs files"),
        ("'nothing/*.sav'".to_owned(), "'nothing/*.sav' matches no file"),
        ("7".to_owned(), "a file is 7, expected a text"),
        (
            format!("{all}, engine => 'godot4'"),
            "argument of variants 'engine' is unknown, expected one of columns",
        ),
        (format!("{all}, dialect => 'godot5', columns => 'hp:int'"), "dialect 'godot5' is unknown"),
        (
            format!("{all}, framing => 'big', columns => 'hp:int'"),
            "framing 'big' is unknown, expected one of bare",
        ),
        (format!("{all}, sample => 'all'"), "sample is all, expected a number"),
        (format!("{all}, columns => 'hp:integer'"), "no type of a column: `integer`"),
        (format!("{all}, columns => 'a[*].x:int, b[*].y:int'"), "column `"),
        (format!("{all}, dialect := 'godot4'"), "an argument is named by =>"),
        (format!("{all}, columns => concat('h', hp)"), "hp"),
        (format!("{all}, named_struct('validate', 1)"), "validate is 1, expected true or false"),
    ] {
        let error =
            batch(&context, &format!("SELECT * FROM variants({arguments})")).await.unwrap_err();
        assert!(error.contains(why), "{arguments}: {error}");
    }
    // The message does not contain the name of the variable, because the name may be the password by mistake.
    let sql = format!("SELECT * FROM variants({all}, password_env => 'hunter2')");
    let error = batch(&context, &sql).await.unwrap_err();
    assert!(error.contains("this one is not set") && !error.contains("hunter2"), "{error}");
}

#[test]
fn reading_ends_with_the_stream() {
    const FILES: u64 = 5_000;
    let folder = tempfile::tempdir().unwrap();
    for number in 0..FILES {
        fs::write(folder.path().join(format!("{number:04}.sav")), [2, 0, 0, 0, 7, 0, 0, 0])
            .unwrap();
    }
    let runtime = Runtime::new().unwrap();
    let plan = runtime.block_on(async {
        let config = SessionConfig::new().with_target_partitions(1).with_batch_size(500);
        let context = SessionContext::new_with_config(config);
        register(&context).unwrap();
        let sql = format!("SELECT value FROM {}", variants(folder.path(), "value=:int"));
        let frame = context.sql(&sql).await.unwrap();
        let task = Arc::new(frame.task_ctx());
        let plan = frame.create_physical_plan().await.unwrap();
        let mut stream = execute_stream(Arc::clone(&plan), task).unwrap();
        assert!(stream.next().await.unwrap().unwrap().num_rows() > 0);
        plan
    });
    // Dropping the runtime waits until the files that are being opened are open.
    drop(runtime);
    let read = VariantSource::summaries(&plan)[0].files;
    assert!((1..FILES).contains(&read), "{read}");
}
