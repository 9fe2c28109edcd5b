//! `insert`: inserts a value into a container.

use super::set::value;
use crate::cli::{CommonArgs, InsertArgs};
use crate::failure::{Failure, Status};
use crate::rewrite::rewrite;
use crate::terminal::Terminal;
use variant_document::edit::{Action, Edit};

pub(crate) fn run(
    args: &InsertArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    rewrite(&args.file, &args.change, common, terminal, |draft, _| {
        draft.of_each_frame(args.frame.all_frames);
        let action = Action::Insert(value(&args.literal, args.string, draft)?);
        draft.make(&Edit { frame: args.frame.frame, path: args.path.clone(), action })
    })
}
