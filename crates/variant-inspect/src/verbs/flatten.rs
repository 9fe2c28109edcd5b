//! `flatten`: prints a line for each value.

use crate::cli::FlattenArgs;
use crate::failure::{Failure, Status};
use crate::flat;
use crate::terminal::Terminal;
use crate::values::Values;
use crate::verbs::get::address;

pub(crate) fn run(args: &FlattenArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let path = args.at.as_deref().unwrap_or_default();
    let address = address(path, args.frame.frame)?;
    let file = Values::open(&args.file, terminal)?;
    let mut count = 0_u64;
    let is_alone = file.is_one_frame();
    let status = file.each(terminal, |value, terminal| {
        let Some(part) = address.part(value.piece) else { return Ok(Status::Fine) };
        let all = part.query.with_all_below();
        let piece = Some(value.piece).filter(|_| !is_alone);
        count = count.saturating_add(flat::write(&value.document, &all, piece, terminal.out)?);
        Ok(Status::Fine)
    })?;
    if status == Status::Fine && count == 0 {
        return Err(Failure::invalid(format!(
            "{}: nothing is at the path {path}",
            file.input.name
        )));
    }
    Ok(status)
}
