//! Writes files as one Parquet file. The arguments are the columns, the output file, and files or folders to read.
//!
//! cargo run --release -p variant-table --example parquet -- "hp=player.hp:int, meta.slot" saves.parquet saves/

use std::fs::File;
use std::io::BufWriter;
use std::time::Instant;

use variant_table::{Columns, Files, Format, ReadOptions, Table, TableWriter};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(columns), Some(output)) = (args.next(), args.next()) else {
        return Err("usage: parquet COLUMNS OUTPUT FILES...".into());
    };
    let files = Files::find(args, 1 << 30)?;
    let table = Table::new(Columns::parse_list(&columns)?, ReadOptions::new())?;
    let out = BufWriter::new(File::create(output)?);
    let mut writer = TableWriter::new(Format::Parquet, &table.schema(), out)?;
    let start = Instant::now();
    let mut scan = table.scan(files.sources, 0);
    for batch in scan.by_ref() {
        writer.write(&batch?)?;
    }
    writer.finish()?.into_inner()?.sync_all()?;
    let (summary, seconds) = (scan.summary(), start.elapsed().as_secs_f64());
    println!("{summary}; {} bytes in {seconds:.3} s", summary.bytes);
    Ok(())
}
