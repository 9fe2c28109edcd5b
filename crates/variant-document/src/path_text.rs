//! [`path_text`], [`path_to`]: a path as readable text of bounded length, whatever the file.

use std::fmt::{self, Write};

use variant_view::{Dialect, Document, Error, PathStep, VariantView, write_path};

use crate::query::{MOST_STEPS, Query, ROOT, Step, select, written_step};

/// The longest path that is printed step by step, in bytes.
const LONGEST_PATH: usize = 512;

/// The longest name of a step, in bytes; a longer one becomes a position.
pub(crate) const LONGEST_NAME: usize = 200;

/// The text of steps, each with its position, and with its key if a step cannot express that. A path that would exceed
/// the bound is the byte `start` of the document at which its value starts. O(1) but for the keys.
pub(crate) fn path_text<'s, 'a: 's>(
    steps: impl IntoIterator<Item = (PathStep<'a>, u32, Option<&'s VariantView<'a>>)>,
    start: usize,
    dialect: Dialect,
) -> String {
    let mut text = Bounded(String::new());
    let is_whole = (0..).zip(steps).try_for_each(|(at, (step, position, key))| {
        if at == MOST_STEPS {
            return Err(fmt::Error);
        }
        match key.and_then(|key| written_step(key, dialect)) {
            Some(key) => text.write_str(&key),
            None if text.0.is_empty() => write_path(&mut text, [short_step(step, position)]),
            None => write!(text, "{}", short_step(step, position)),
        }
    });
    match is_whole {
        Ok(()) if text.0.is_empty() => ROOT.to_owned(),
        Ok(()) => text.0,
        Err(_) => format!("@{start}"),
    }
}

/// The path to the value that holds a byte of a document, as [`select`] prints it; empty for the root. For a damaged
/// value the path of [`Document::path_to`]. O(bytes of the document).
///
/// # Errors
/// No value holds the byte.
pub fn path_to(document: &Document<'_>, offset: usize) -> Result<String, Error> {
    let path = document.path_to(offset)?.to_string();
    let start = document.at(&path).ok().and_then(|value| u32::try_from(value.offset()).ok());
    let Some(start) = start.filter(|_| !path.is_empty()) else { return Ok(path) };
    let mut text = None;
    // Bytes after the value may be damaged.
    let _ = select(document, &Query::of_step(Step::Byte(start)), |found| {
        text = Some(found.text());
        Err(())
    });
    Ok(text.unwrap_or(path))
}

/// The step, or its position if the name is long.
pub(crate) const fn short_step(step: PathStep<'_>, position: u32) -> PathStep<'_> {
    match step {
        PathStep::Name(name) | PathStep::StringName(name) if name.len() > LONGEST_NAME => {
            PathStep::Position(position)
        }
        step => step,
    }
}

/// Text up to a maximum length.
struct Bounded(String);

impl Write for Bounded {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        if self.0.len().saturating_add(more.len()) > LONGEST_PATH {
            return Err(fmt::Error);
        }
        self.0.push_str(more);
        Ok(())
    }
}
