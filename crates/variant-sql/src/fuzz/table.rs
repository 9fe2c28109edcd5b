//! The body of `table`.

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::concat_batches;
use variant_table::{
    Columns, Comparison, Condition, Format, Inferred, MisfitPolicy, ReadOptions, Reading, Source,
    Summary, Table, TableWriter,
};
use variant_view::Dialect;

/// Lists of columns: of every type, of every fold, and with a row for each item.
const LISTS: [&str; 8] = [
    "_file, _frame, _offset, _value, _error, save=:json",
    "_error, b=:bool, i=:int, f=:float, t=:text, y=:bytes, r=:RID, v=:Vector3, c=:Color, p=:plain-json",
    "_error, f=:PackedFloat32Array, v=:PackedVector2Array(double), l=:list<int>, n=:list<list<json>>, m=:map<text>, mm=:map<map<float>>",
    "_error, hp=player.hp:int, name=player.name:text, at=player.position:Vector3, items=inventory:list<json>, quests:map<text>",
    "_error, n=count(..*), s=sum(..*):float, least=min(..*):int, most=max(..*):float, first=first(..name):text, last=last(..*):json, all=list(..*):list<json>",
    "_offset, _error, item=[*]:json, key=key([*]), id=[*].id:int",
    "_error, id=inventory[*].id:int, key=key(inventory[*]), item=inventory[*]:json, hp=player.hp:float",
    "_frame, _error, pair=*:plain-json, key=key(*), x=*.x:float",
];

/// Columns for conditions.
const ASKED: [&str; 4] = ["x=:int", "x=player.hp:int", "x=player.name:text", "x=hp:float"];

/// The first byte picks the columns, and the second the options. The remaining bytes are a file. The checks: a scan on a
/// thread and a scan without threads give the same rows. Each value becomes a row or an error. Each row is either null
/// or not null in the column of a condition. Each format can be written, also with inferred columns.
/// Returns whether the rows of a condition were compared.
pub fn check_table(data: &[u8]) -> bool {
    let Some((&[columns, choice], file)) = data.split_first_chunk() else { return false };
    let file = Source::Bytes("fuzzed".into(), file.into());
    let options = options_of(choice);
    let listed = LISTS.iter().cycle().nth(columns.into()).copied().unwrap_or_default();
    let listed = Columns::parse_list(listed).expect("a list of columns");
    let asked = ASKED.iter().cycle().nth(usize::from(columns >> 3)).copied().unwrap_or_default();
    let asked = Columns::parse_list(asked).expect("a column");
    let mut has_compared = false;
    let inferred = Inferred::of(std::slice::from_ref(&file), &options, 16);
    let inferred = inferred.and_then(|inferred| inferred.columns()).ok();
    for columns in inferred.into_iter().chain([listed]) {
        let table = Table::new(columns, options.clone()).expect("columns of one table");
        let (rows, summary) = scanned(&table, &file);
        assert_eq!(rows, unthreaded(&table, &file), "the same rows without threads");
        assert!(summary.rows.saturating_add(summary.errors) >= summary.values, "{summary}");
        let has_errors = table.columns().position("_error").is_some();
        let with_errors = summary.rows.saturating_add(if has_errors { summary.errors } else { 0 });
        assert_eq!(u64::try_from(rows.num_rows()).ok(), Some(with_errors), "{summary}");
        write(&table, &rows, choice);
        has_compared |= conditions(table.columns(), &options, &file, &summary, &asked);
    }
    has_compared
}

fn options_of(choice: u8) -> ReadOptions {
    let dialect = Dialect::ALL.iter().copied().nth(usize::from(choice >> 3 & 7));
    let reading = Reading { dialect, ..Reading::new() };
    let policy = if choice & 1 == 0 { MisfitPolicy::Widen } else { MisfitPolicy::Strict };
    let options = ReadOptions::new().reading(reading).misfits(policy).validate(choice & 2 != 0);
    if choice & 4 == 0 { options } else { options.batch_rows(3) }
}

fn scanned(table: &Table, file: &Source) -> (RecordBatch, Summary) {
    let mut scan = table.scan(vec![file.clone()], 1);
    let batches: Vec<_> = scan.by_ref().map(|batch| batch.expect("a batch")).collect();
    (concat_batches(&table.schema(), &batches).expect("one schema"), scan.summary())
}

fn unthreaded(table: &Table, file: &Source) -> RecordBatch {
    let file = table.open(file);
    let mut reader = table.batches();
    let mut batches: Vec<_> = reader.of(&file).collect();
    batches.extend(reader.finish());
    let batches: Vec<_> = batches.into_iter().map(|batch| batch.expect("a batch")).collect();
    concat_batches(&table.schema(), &batches).expect("one schema")
}

/// Writes the rows in a format. CSV has columns without nested types.
fn write(table: &Table, rows: &RecordBatch, choice: u8) {
    let format = Format::ALL.into_iter().nth(usize::from(choice >> 6)).unwrap_or(Format::Arrow);
    let is_flat = table.columns().flat() == *table.columns();
    if !format.is_nested() && !is_flat {
        return;
    }
    let mut out = TableWriter::new(format, &table.schema(), Vec::new()).expect("a writer");
    out.write(rows).expect("rows");
    let written = out.finish().expect("a file");
    if format == Format::JsonLines {
        let lines: Vec<_> =
            written.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
        for line in &lines {
            serde_json::from_slice::<serde::de::IgnoredAny>(line).expect("JSON");
        }
        assert_eq!(lines.len(), rows.num_rows(), "a line for each row");
    }
}

/// Returns whether there were rows to compare.
fn conditions(
    columns: &Columns,
    options: &ReadOptions,
    file: &Source,
    all: &Summary,
    asked: &Columns,
) -> bool {
    let parts = [Comparison::IsNull, Comparison::IsNotNull].map(|comparison| {
        let condition = Condition { column: "x".to_owned(), comparison, literals: Vec::new() };
        let table =
            Table::with_conditions(columns.clone(), options.clone(), asked, vec![condition]);
        // The column of the condition and the items of the rows may not fit together.
        table.ok().map(|table| scanned(&table, file).1)
    });
    let [Some(null), Some(not_null)] = parts else { return false };
    assert_eq!(null.rows.saturating_add(not_null.rows), all.rows, "each row is null, or not null");
    assert_eq!(null.filtered, not_null.rows, "a row that is left out");
    assert_eq!(not_null.filtered, null.rows, "a row that is left out");
    all.rows > 0
}
