//! `flatten`: prints a line for each value.

use crate::cli::{CommonArgs, FlattenArgs};
use crate::failure::{Failure, Status};
use crate::flat;
use crate::terminal::Terminal;
use crate::values::Values;
use variant_document::query::Query;

pub(crate) fn run(
    args: &FlattenArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let path = args.at.as_deref().unwrap_or_default();
    let query = Query::parse(path)
        .map_err(|why| Failure::file(Status::Usage, format!("invalid path {path}: {why}")))?;
    let all = query.with_all_below();
    let file = Values::open(&args.file, common, terminal)?;
    let mut count = 0_u64;
    let is_alone = file.is_one();
    let status = file.each(terminal, |value, terminal| {
        let prefix = if is_alone { String::new() } else { format!("#{}", value.piece.number) };
        count = count.saturating_add(flat::write(&value.document, &all, &prefix, terminal.out)?);
        Ok(Status::Fine)
    })?;
    if status == Status::Fine && count == 0 {
        let message = format!("{}: nothing is at the path {path}", file.input.name);
        return Err(Failure::file(Status::Invalid, message));
    }
    Ok(status)
}
