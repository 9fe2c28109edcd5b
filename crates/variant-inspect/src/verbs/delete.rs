//! `delete`: deletes the values at paths.

use crate::cli::{CommonArgs, DeleteArgs};
use crate::failure::{Failure, Status};
use crate::rewrite::rewrite;
use crate::terminal::Terminal;
use variant_document::edit::{Action, Edit};

pub(crate) fn run(
    args: &DeleteArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    rewrite(&args.file, &args.change, common, terminal, |draft, _| {
        draft.of_each_frame(args.frame.all_frames);
        args.paths.iter().try_for_each(|path| {
            let action = Action::Delete;
            draft.make(&Edit { frame: args.frame.frame, path: path.clone(), action })
        })
    })
}
