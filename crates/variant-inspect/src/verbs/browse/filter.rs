//! The values that a path selects, as rows of their own.

use std::rc::Rc;

use variant_io::Framing;
use variant_view::{Document, write_path};

use super::File;
use variant_document::query::{Query, Stop, select};
use variant_document::tree::Children;
use variant_document::tree::{Child, Label, Spot};

/// The most values that are listed.
const MOST_MATCHES: usize = 100_000;

/// The values that were selected, and what is to be said about them.
pub(super) struct Matches<'a> {
    pub(super) children: Children<'a>,
    pub(super) count: usize,
    /// Why there may be more.
    pub(super) remark: Option<String>,
}

/// The values that a path selects. O(bytes of the file).
///
/// # Errors
/// What is wrong with the path.
pub(super) fn filter<'a>(file: &File<'a>, path: &str) -> Result<Matches<'a>, String> {
    let query = Query::parse(path)?;
    let mut found: Vec<Child<'a>> = Vec::new();
    let mut remark = None;
    for value in file.plain.framing.values(file.plain.body()) {
        let Ok(value) = value else {
            remark = Some("the file is cut short".to_owned());
            break;
        };
        let document = Document::new(value.bytes, file.plain.options);
        let start = file.plain.absolute(value.start);
        let number = if file.plain.framing == Framing::Bare { 0 } else { value.number };
        let selected = select(&document, &query, |found_one| {
            if found.len() == MOST_MATCHES {
                return Err(());
            }
            let mut path = String::new();
            let _ = write_path(&mut path, found_one.path.iter().copied());
            let depth = u32::try_from(found_one.path.len()).unwrap_or(u32::MAX);
            let limits = file.plain.options.limits;
            let spot = Spot {
                bytes: found_one.rest(&document),
                start: start.saturating_add(found_one.value.offset()),
                options: file
                    .plain
                    .options
                    .limits(limits.depth(limits.depth.saturating_sub(depth))),
                nesting: 0,
            };
            let label = Label::Match { piece: number, path: Rc::from(path) };
            found.push(Child { label, spot });
            Ok(())
        });
        match selected {
            Ok(()) => {}
            Err(Stop::Caller(())) => {
                remark = Some(format!("the first {MOST_MATCHES} are shown"));
                break;
            }
            Err(Stop::Data(error)) => {
                remark = Some(format!("damaged: {}", error.in_buffer(start)));
            }
        }
    }
    let count = found.len();
    Ok(Matches { children: Children::known(found), count, remark })
}
