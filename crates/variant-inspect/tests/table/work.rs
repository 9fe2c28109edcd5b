//! Saves, runs of the command, and tables read back.

use std::fs::{self, File};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::process::Output;

use arrow_array::{RecordBatch, RecordBatchReader};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;
use tempfile::TempDir;
use variant_owned::{Dictionary, encode};
use variant_testkit::saves::Saves;
use variant_view::Dialect;

use crate::common::{inspect, text};

/// A folder for files and tables.
pub(crate) struct Work(TempDir);

impl Work {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Saves such as games write, in a folder.
    pub(crate) fn saves(&self, count: u64, damaged: u64) -> Saves {
        let dialect = Dialect::Godot4;
        let saves = Saves { count, bytes: 20_000, dialect, damaged: NonZeroU64::new(damaged) };
        saves.write_into(&self.path("saves")).unwrap();
        saves
    }

    /// A save with this value.
    pub(crate) fn save(&self, name: &str, dialect: Dialect, value: Dictionary) -> PathBuf {
        self.file(name, &encode(&value.into(), dialect).unwrap())
    }

    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// The names in the folder.
    pub(crate) fn names(&self) -> Vec<String> {
        let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
        let mut names: Vec<_> =
            fs::read_dir(self.0.path()).unwrap().map(|entry| name(entry.unwrap())).collect();
        names.sort();
        names
    }
}

/// Runs `table` on files of this folder.
pub(crate) fn table(arguments: &[&str], files: &[&Path]) -> Output {
    inspect(&[&["table"], arguments].concat(), files)
}

/// Writes a Parquet file. Returns its rows, and the summary.
pub(crate) fn rows(work: &Work, arguments: &[&str], files: &[&Path]) -> (Vec<Value>, Value) {
    let output = work.path("out.parquet");
    let target = output.to_str().unwrap();
    let run = table(&[&["--json", "-o", target], arguments].concat(), files);
    let told = text(&run.stderr);
    assert!(run.status.code().is_some_and(|code| code < 2), "{told}");
    let summary: Value = serde_json::from_slice(&run.stdout).unwrap_or_else(|_| panic!("{told}"));
    let is_invalid = summary["errors"] != 0;
    assert_eq!(run.status.code(), Some(i32::from(is_invalid)), "{told}");
    let rows = json_rows(&parquet(&output));
    assert_eq!(count(&summary, "rows") + count(&summary, "errors"), rows.len(), "{summary}");
    (rows, summary)
}

/// A number of the summary.
pub(crate) fn count(summary: &Value, name: &str) -> usize {
    usize::try_from(summary[name].as_u64().unwrap()).unwrap()
}

pub(crate) fn parquet(path: &Path) -> Vec<RecordBatch> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    whole(reader.build().unwrap())
}

/// All batches; one without rows if there are none.
pub(crate) fn whole(reader: impl RecordBatchReader) -> Vec<RecordBatch> {
    let schema = reader.schema();
    let mut batches: Vec<_> = reader.map(Result::unwrap).collect();
    if batches.is_empty() {
        batches.push(RecordBatch::new_empty(schema));
    }
    batches
}

/// Each row as an object, without what is null.
pub(crate) fn json_rows(batches: &[RecordBatch]) -> Vec<Value> {
    let mut writer = arrow_json::LineDelimitedWriter::new(Vec::new());
    writer.write_batches(&batches.iter().collect::<Vec<_>>()).unwrap();
    writer.finish().unwrap();
    lines(&writer.into_inner())
}

pub(crate) fn lines(bytes: &[u8]) -> Vec<Value> {
    text(bytes).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
