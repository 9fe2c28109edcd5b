//! `set`, `insert`, `delete` and `rename-key`: change values at paths.

use std::path::Path;

use variant_owned::Variant;

use crate::cli::{ChangeArgs, DeleteArgs, FrameArgs, InsertArgs, RenameKeyArgs, SetArgs};
use crate::draft::Draft;
use crate::failure::{Failure, Status};
use crate::rewrite::rewrite;
use crate::terminal::Terminal;
use variant_document::edit::{self, Action, Edit};

pub(crate) fn set(args: &SetArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let (pairs, []) = args.pairs.as_chunks::<2>() else {
        return Err(Failure::usage("each PATH needs a LITERAL"));
    };
    let set = |text: &String, draft: &Draft<'_>| value(text, args.string, draft).map(Action::Set);
    let changes =
        pairs.iter().map(|[path, text]| (path, move |draft: &Draft<'_>| set(text, draft)));
    apply((&args.file, &args.frame, &args.change), terminal, changes)
}

pub(crate) fn insert(args: &InsertArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let insert = |draft: &Draft<'_>| value(&args.literal, args.string, draft).map(Action::Insert);
    apply((&args.file, &args.frame, &args.change), terminal, [(&args.path, insert)])
}

pub(crate) fn delete(args: &DeleteArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let changes = args.paths.iter().map(|path| (path, |_: &Draft<'_>| Ok(Action::Delete)));
    apply((&args.file, &args.frame, &args.change), terminal, changes)
}

pub(crate) fn rename_key(
    args: &RenameKeyArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let rename = |_: &Draft<'_>| Ok(Action::RenameKey(args.key.clone()));
    apply((&args.file, &args.frame, &args.change), terminal, [(&args.path, rename)])
}

/// Makes changes at paths, one after the other.
fn apply<'p, A: FnOnce(&Draft<'_>) -> Result<Action, Failure>>(
    (file, frame, change): (&Path, &FrameArgs, &ChangeArgs),
    terminal: &mut Terminal<'_>,
    changes: impl IntoIterator<Item = (&'p String, A)>,
) -> Result<Status, Failure> {
    rewrite(file, change, terminal, |draft, _| {
        draft.of_each_frame(frame.all_frames);
        changes.into_iter().try_for_each(|(path, action)| {
            let action = action(draft)?;
            draft.make(&Edit { frame: frame.frame, path: path.clone(), action })
        })
    })
}

/// The value of an argument: a literal, or the text of the argument.
pub(super) fn value(text: &str, is_string: bool, draft: &Draft<'_>) -> Result<Variant, Failure> {
    if is_string {
        return Ok(Variant::from(text));
    }
    edit::literal(text, draft.dialect()).map_err(|error| {
        let how = "text needs quotes, '\"like this\"', or --string";
        Failure::usage(format!("the literal {text}: {error}; {how}"))
    })
}
