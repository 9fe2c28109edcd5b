//! `set`: sets the values at paths.

use variant_owned::Variant;

use crate::cli::{CommonArgs, SetArgs};
use crate::draft::Draft;
use crate::failure::{Failure, Status};
use crate::rewrite::rewrite;
use crate::terminal::Terminal;
use variant_document::edit::{self, Action, Edit};

pub(crate) fn run(
    args: &SetArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let (pairs, []) = args.pairs.as_chunks::<2>() else {
        let message = "each PATH needs a LITERAL".to_owned();
        return Err(Failure::file(Status::Usage, message));
    };
    rewrite(&args.file, &args.change, common, terminal, |draft, _| {
        draft.of_each_frame(args.frame.all_frames);
        for [path, text] in pairs {
            let value = value(text, args.string, draft)?;
            let action = Action::Set(value);
            draft.make(&Edit { frame: args.frame.frame, path: path.clone(), action })?;
        }
        Ok(())
    })
}

/// The value of an argument: a literal, or the text itself.
pub(super) fn value(text: &str, is_string: bool, draft: &Draft<'_>) -> Result<Variant, Failure> {
    if is_string {
        return Ok(Variant::from(text));
    }
    edit::literal(text, draft.dialect()).map_err(|error| {
        let how = "text needs quotes, '\"like this\"', or --string";
        Failure::file(Status::Usage, format!("the literal {text}: {error}; {how}"))
    })
}
