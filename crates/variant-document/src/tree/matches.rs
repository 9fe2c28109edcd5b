//! [`matches`]: the values that a path selects.

use std::rc::Rc;

use variant_io::Framing;
use variant_view::Document;

use super::spot::{Child, Label, Spot};
use crate::plain::Plain;
use crate::query::{Match, Query, Stop, select_elements};

/// The selected values, and a remark about them.
#[derive(Debug)]
pub struct Matches<'a> {
    /// The values, in the order of the file.
    pub found: Vec<Child<'a>>,
    /// The reason why there may be more selected values.
    pub remark: Option<String>,
}

/// The values that a path selects, also elements of packed arrays, at most `most`. O(bytes of the file).
pub fn matches<'a>(file: Plain<'a>, query: &Query, most: usize) -> Matches<'a> {
    let mut found: Vec<Child<'a>> = Vec::new();
    let mut remark = None;
    for piece in file.pieces() {
        let Ok(piece) = piece else {
            remark = Some("the file is cut short".to_owned());
            break;
        };
        let document = file.document(piece.bytes);
        let number = if file.framing == Framing::Bare { 0 } else { piece.number };
        let selected = select_elements(&document, query, |one| {
            if found.len() >= most {
                return Err(());
            }
            found.push(child(file, &document, piece.start, number, &one));
            Ok(())
        });
        match selected {
            Ok(()) => {}
            Err(Stop::Caller(())) => {
                remark = Some(format!("the first {most} are shown"));
                break;
            }
            Err(Stop::Data(error)) => {
                remark = Some(format!("damaged: {}", error.in_buffer(piece.start)));
            }
        }
    }
    Matches { found, remark }
}

fn child<'a>(
    file: Plain<'a>,
    document: &Document<'a>,
    start: usize,
    piece: u64,
    found: &Match<'_, 'a>,
) -> Child<'a> {
    let path = if found.path.is_empty() { String::new() } else { found.text() };
    let depth = u32::try_from(found.path.len()).unwrap_or(u32::MAX);
    let limits = file.options.limits;
    let element = found.array.map(|_| found.value);
    let rest = found.rest(document);
    let own = found.end().ok().map(|end| end.saturating_sub(found.start));
    let own = own.filter(|_| element.is_some()).and_then(|len| rest.get(..len));
    let spot = Spot {
        bytes: own.unwrap_or(rest),
        start: start.saturating_add(found.start),
        options: file.options.limits(limits.depth(limits.depth.saturating_sub(depth))),
        nesting: 0,
        element,
    };
    Child { label: Label::Match { piece, path: Rc::from(path) }, spot }
}
