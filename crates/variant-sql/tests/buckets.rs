//! Stores of objects as tables: a bucket on the loopback, in one process and in a cluster; a store in memory.

#[path = "../../variant-table/tests/moto/mod.rs"]
mod moto;

use std::process::{Command, Output};
use std::sync::Arc;

use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::datasource::object_store::ObjectStoreRegistry as _;
use datafusion::prelude::SessionContext;
use object_store::ObjectStoreExt as _;
use object_store::memory::InMemory;
use variant_owned::json::{self, Form};
use variant_sql::{Stores, VariantFormat, VariantSource, register};
use variant_table::Columns;
use variant_view::Dialect;

use crate::programs::Cluster;
use moto::Moto;

fn save(hp: u32) -> Vec<u8> {
    json::read(&format!(r#"{{"hp": {hp}}}"#), Form::Plain, Dialect::Godot4).unwrap()
}

/// Saves of two days, and a damaged save.
fn objects() -> [(&'static str, Vec<u8>); 5] {
    [
        ("of/day=1/a.sav", save(7)),
        ("of/day=1/b.sav", save(8)),
        ("of/day=2/c.sav", save(9)),
        ("of/day=2/d.sav", b"damaged".to_vec()),
        ("of/day=2/notes.txt", b"no save".to_vec()),
    ]
}

fn run(moto: &Moto, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_variant-sql"));
    command.args(["--format=csv", "--dialect=godot4"]).args(arguments).envs(moto.settings());
    command.output().unwrap()
}

#[test]
fn a_bucket_is_a_table() {
    let Some(moto) = Moto::start() else { return };
    for (name, bytes) in objects() {
        moto.put(&format!("saves/{name}"), &bytes);
    }
    let columns = "--columns=hp:int, day=folder(day)";
    let count = "SELECT count(hp) AS n, count(*) AS m FROM saves";
    for (arguments, expected, summary) in [
        (
            &[count, "s3://saves/of/*/*.sav"][..],
            "n,m\n3,4\n",
            "4 files, 4 values: 3 rows + 1 error",
        ),
        (&[count, columns, "s3://saves/of"], "n,m\n3,5\n", "5 files, 5 values: 3 rows + 2 errors"),
        (&[count, columns, "s3://saves/of/day=1/a.sav"], "n,m\n1,1\n", "1 file, 1 value"),
        // The folders are columns. Files in folders that a query does not ask for are not read.
        (
            &[
                "SELECT day, max(hp) AS hp FROM saves GROUP BY day ORDER BY day",
                "s3://saves/of/**/*.sav",
            ],
            "day,hp\n1,8\n2,9\n",
            "4 files",
        ),
        (
            &["SELECT hp FROM saves WHERE day = '1' AND hp > 7", "s3://saves/of/**/*.sav"],
            "hp\n8\n",
            "2 files, 2 values: 1 row",
        ),
        (
            &["SELECT _file, hp FROM saves WHERE _file LIKE '%/c.sav'", columns, "s3://saves/of"],
            "_file,hp\ns3://saves/of/day=2/c.sav,9\n",
            "1 file",
        ),
        (
            &[
                "SELECT _error.text FROM saves",
                columns,
                "--max-unpacked=9",
                "s3://saves/of/day=1/a.sav",
            ],
            "saves._error[text]\nlonger than 9 bytes\n",
            "1 file, 1 value: 0 rows + 1 error",
        ),
        (
            &["SELECT count(*) AS n FROM variants('s3://saves/of/day=1', columns => 'hp:int')"],
            "n\n2\n",
            "2 files",
        ),
    ] {
        let output = run(&moto, arguments);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected, "{arguments:?}: {told}");
        assert!(told.contains(summary), "{arguments:?}: {told}");
    }
    for (url, status) in [("s3://saves/none/*", 2), ("s3://nowhere/of/*", 3), ("ftp://saves/of", 3)]
    {
        let output = run(&moto, &[count, columns, url]);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{url}: {told}");
    }
    // The scheduler and the executor also get the settings of the bucket's server.
    let cluster = Cluster::start(1, &moto.settings(), &moto.settings());
    let url = format!("--cluster={}", cluster.url);
    let sql = "SELECT _file, hp FROM saves WHERE day = '1' AND hp > 7";
    let output = run(&moto, &[&url, sql, columns, "s3://saves/of"]);
    let told = String::from_utf8(output.stderr).unwrap();
    let there = String::from_utf8(output.stdout).unwrap();
    assert_eq!(there, "_file,hp\ns3://saves/of/day=1/b.sav,8\n", "{told}");
}

async fn context() -> SessionContext {
    let (context, store) = (SessionContext::new(), InMemory::new());
    for (name, bytes) in objects() {
        store.put(&name.into(), bytes.into()).await.unwrap();
    }
    context.register_object_store(&"mem://saves".parse().unwrap(), Arc::new(store));
    register(&context).unwrap();
    context
}

async fn rows(context: &SessionContext, sql: &str) -> (String, u64) {
    let frame = context.sql(sql).await.unwrap();
    let (task, plan) = (Arc::new(frame.task_ctx()), frame.create_physical_plan().await.unwrap());
    let batches = datafusion::physical_plan::collect(Arc::clone(&plan), task).await.unwrap();
    let text = datafusion::arrow::util::pretty::pretty_format_batches(&batches).unwrap();
    let files = VariantSource::summaries(&plan).iter().map(|summary| summary.files).sum();
    (text.to_string(), files)
}

/// Files in a store that a program registers can be read by a statement and by a `ListingTable`.
#[tokio::test]
async fn a_registered_store_is_a_table() {
    let context = context().await;
    let sql = "CREATE EXTERNAL TABLE saves STORED AS VARIANT PARTITIONED BY (day) LOCATION 'mem://saves/of/**/*.sav' \
               OPTIONS (columns 'hp:int', dialect 'godot4')";
    context.sql(sql).await.unwrap().collect().await.unwrap();
    let format = VariantFormat {
        columns: Some(Columns::parse(["hp:int"]).unwrap()),
        ..VariantFormat::default()
    };
    let options = ListingOptions::new(Arc::new(format))
        .with_file_extension(".sav")
        .with_table_partition_cols(vec![(
            "day".to_owned(),
            datafusion::arrow::datatypes::DataType::Utf8,
        )]);
    let url = ListingTableUrl::parse("mem://saves/of/").unwrap();
    let schema = options.infer_schema(&context.state(), &url).await.unwrap();
    let config = ListingTableConfig::new(url).with_listing_options(options).with_schema(schema);
    context.register_table("listed", Arc::new(ListingTable::try_new(config).unwrap())).unwrap();
    for table in ["saves", "listed"] {
        let sql = format!("SELECT day, hp, _file FROM {table} WHERE day = '2' AND hp >= 9");
        let (text, files) = rows(&context, &sql).await;
        assert!(text.contains("| 2   | 9  | mem://saves/of/day=2/c.sav |"), "{text}");
        assert_eq!((text.lines().count(), files), (5, 2), "{table}: {text}");
        let (text, _) =
            rows(&context, &format!("SELECT count(*), count(_error) FROM {table}")).await;
        assert!(text.contains("| 4        | 1"), "{table}: {text}");
    }
    let declared =
        "CREATE EXTERNAL TABLE t (hp BIGINT) STORED AS VARIANT LOCATION 'mem://saves/of'";
    let error = context.sql(declared).await.unwrap_err().to_string();
    assert!(error.contains("OPTIONS (columns"), "{error}");
}

/// In URLs of Azure, the user is the container.
#[test]
fn stores_differ_by_the_user_of_the_url() {
    let stores = Stores::default();
    let get = |url: &str| stores.get_store(&url.parse().unwrap());
    if cfg!(feature = "object-store") {
        let [one, again, other] = ["one", "one", "other"].map(|container| {
            get(&format!("abfss://{container}@saves.dfs.core.windows.net/")).unwrap()
        });
        assert!(Arc::ptr_eq(&one, &again));
        assert_ne!(one.to_string(), other.to_string());
    }
    let store = || Arc::new(InMemory::new());
    for url in ["mem://one@saves", "mem://other@saves", "mem://saves"] {
        assert!(stores.register_store(&url.parse().unwrap(), store()).is_none(), "{url}");
    }
    let kept = get("mem://one@saves/of/a.sav").unwrap();
    assert!(!Arc::ptr_eq(&kept, &get("mem://other@saves/").unwrap()));
    assert!(stores.deregister_store(&"mem://one@saves".parse().unwrap()).is_ok());
    assert!(stores.deregister_store(&"mem://one@saves".parse().unwrap()).is_err());
    assert!(get("mem://saves/").is_ok() && get("file:///").is_ok());
}
