//! Saves, runs of the command, and tables read back.

use std::fs::{self, File};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use arrow_array::{RecordBatch, RecordBatchReader};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;
use variant_owned::{Dictionary, encode};
use variant_testkit::saves::Saves;
use variant_view::Dialect;

use crate::common::{Folder, Run, name, run, text};

impl Folder {
    /// Writes saves like those of games into a folder.
    pub(crate) fn saves(&self, count: u64, damaged: u64) -> Saves {
        let dialect = Dialect::Godot4;
        let saves = Saves { count, bytes: 20_000, dialect, damaged: NonZeroU64::new(damaged) };
        saves.write_into(&self.path("saves")).unwrap();
        saves
    }

    pub(crate) fn save(&self, name: &str, dialect: Dialect, value: Dictionary) -> PathBuf {
        self.file(name, &encode(&value.into(), dialect).unwrap())
    }

    /// The names in the folder.
    pub(crate) fn names(&self) -> Vec<String> {
        let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
        let mut names: Vec<_> =
            fs::read_dir(self.path("")).unwrap().map(|entry| name(entry.unwrap())).collect();
        names.sort();
        names
    }
}

pub(crate) fn table(arguments: &[&str], files: &[&Path]) -> Run {
    run(&[&["table"], arguments].concat(), files)
}

/// Writes a Parquet file. Returns its rows, and the summary.
pub(crate) fn rows(work: &Folder, arguments: &[&str], files: &[&Path]) -> (Vec<Value>, Value) {
    let output = work.path("out.parquet");
    let run = table(&[&["--json", "-o", name(&output)], arguments].concat(), files);
    let told = run.err;
    let summary: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{told}"));
    let is_invalid = summary["errors"] != 0;
    assert_eq!(run.code, Some(i32::from(is_invalid)), "{told}");
    let rows = json_rows(&parquet(&output));
    assert_eq!(count(&summary, "rows") + count(&summary, "errors"), rows.len(), "{summary}");
    (rows, summary)
}

pub(crate) fn count(summary: &Value, name: &str) -> usize {
    usize::try_from(summary[name].as_u64().unwrap()).unwrap()
}

pub(crate) fn parquet(path: &Path) -> Vec<RecordBatch> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    whole(reader.build().unwrap())
}

/// All batches, or one batch without rows if there are none.
pub(crate) fn whole(reader: impl RecordBatchReader) -> Vec<RecordBatch> {
    let schema = reader.schema();
    let mut batches: Vec<_> = reader.map(Result::unwrap).collect();
    if batches.is_empty() {
        batches.push(RecordBatch::new_empty(schema));
    }
    batches
}

/// Each row as an object, without null fields.
pub(crate) fn json_rows(batches: &[RecordBatch]) -> Vec<Value> {
    let mut writer = arrow_json::LineDelimitedWriter::new(Vec::new());
    writer.write_batches(&batches.iter().collect::<Vec<_>>()).unwrap();
    writer.finish().unwrap();
    lines(&writer.into_inner())
}

pub(crate) fn lines(bytes: &[u8]) -> Vec<Value> {
    text(bytes).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
