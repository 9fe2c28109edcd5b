//! `edit`: opens the values of a file in a text editor, and writes the changed values.

mod editor;
mod form;

use std::collections::HashMap;

use self::editor::{Editor, Ended};
use self::form::Form;
use crate::cli::{CommonArgs, EditArgs};
use crate::draft::Draft;
use crate::failure::{Failure, Status};
use crate::rewrite::rewrite;
use crate::terminal::Terminal;
use crate::verbs::from::Named;
use variant_document::edit::Graft;

/// The maximum number of times that the editor opens. The command may be a script that never corrects the error.
const MOST_TIMES: usize = 50;

pub(crate) fn run(args: &EditArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let form = if args.json { Form::Json } else { Form::Text };
    // The editor is kept until the file is written, so that its text is saved if writing fails.
    let mut editor = None;
    // The file is read and not mapped, because another program may truncate it while the editor is open.
    let common = CommonArgs { no_mmap: true, ..terminal.common.clone() };
    let terminal = &mut terminal.with(&common);
    let result = rewrite(&args.file, &args.change, terminal, |draft, terminal| {
        let text = form.print(draft.file)?;
        let editor = editor.insert(Editor::new(&text, form.extension())?);
        for _ in 0..MOST_TIMES {
            let edited = match editor.open()? {
                Ended::Same => return Ok(()),
                Ended::GivenUp => break,
                Ended::Changed(edited) => edited,
            };
            match apply(draft, form, &text, &edited) {
                Ok(()) => return Ok(()),
                Err(Failure::File { message, .. }) => {
                    terminal.note(&format!("{message}; the editor opens again"))?;
                    editor.complain(&message)?;
                }
                Err(failure) => return Err(failure),
            }
        }
        let message = "the text was given up; nothing is written".to_owned();
        Err(Failure::invalid(message))
    });
    result.map_err(|failure| match (failure, &mut editor) {
        (Failure::File { status, message }, Some(editor)) => {
            Failure::File { status, message: format!("{message}{}", editor.keep()) }
        }
        (failure, _) => failure,
    })
}

/// Applies an edited text to the draft.
fn apply(draft: &mut Draft<'_>, form: Form, text: &str, edited: &str) -> Result<(), Failure> {
    let options = draft.file.choice.options;
    let base = form.read(text, options).map_err(Failure::invalid)?;
    let new = form.read(edited, options).map_err(Failure::invalid)?;
    let names =
        |values: &[Named]| -> Vec<_> { values.iter().map(|(name, _)| name.clone()).collect() };
    if names(&base) != names(&new) {
        let why = "the text has other values or names than the file; edit changes values only";
        return Err(Failure::invalid(why));
    }
    let grafts =
        base.into_iter().zip(new).map(|((_, base), (_, new))| Graft { base, new, is_merge: false });
    let mut grafts: HashMap<_, _> = (1_u64..).zip(grafts).collect();
    draft.graft(|value, _| Ok(grafts.remove(&value.number)))
}
