//! `rename-key`: renames the key of a value.

use crate::cli::{CommonArgs, RenameKeyArgs};
use crate::failure::{Failure, Status};
use crate::rewrite::rewrite;
use crate::terminal::Terminal;
use variant_document::edit::{Action, Edit};

pub(crate) fn run(
    args: &RenameKeyArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    rewrite(&args.file, &args.change, common, terminal, |draft, _| {
        draft.of_each_frame(args.frame.all_frames);
        let action = Action::RenameKey(args.key.clone());
        draft.make(&Edit { frame: args.frame.frame, path: args.path.clone(), action })
    })
}
