//! [`path_text`], [`path_to`]: a path as text that is read back. Its length has a bound, whatever the file.

use std::fmt::{self, Write};

use variant_view::{Dialect, Document, Error, PathStep, VariantView, write_path};

use crate::query::{MOST_STEPS, ROOT, WrittenKey, key_of, written_step};

/// The longest path that is printed step by step, in bytes.
const LONGEST_PATH: usize = 512;

/// The longest name of a step, in bytes; a longer one is a position.
pub(crate) const LONGEST_NAME: usize = 200;

/// The text of steps, each with its position and with the key that it has no step for. A path that would be longer than
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

/// The path to the value that holds a byte of a document, as [`Document::path_to`] finds it, with keys as literals. Of a
/// damaged document it leads up to the damage. O(bytes of the document), for each level once more.
///
/// # Errors
/// No value holds the byte.
pub fn path_to(document: &Document<'_>, offset: usize) -> Result<String, Error> {
    let path = document.path_to(offset)?.to_string();
    if !path.contains('{') {
        return Ok(path);
    }
    let (mut text, mut here) = (String::new(), document.root().ok());
    for step in PathStep::parse(&path) {
        let step = step?;
        let key = here.as_ref().and_then(|here| literal_step(here, step));
        // Text takes all that is written.
        let _ = match key {
            Some(key) => text.write_str(&key),
            None if text.is_empty() => write_path(&mut text, [step]),
            None => write!(text, "{step}"),
        };
        here = here.and_then(|here| here.at(&step.to_string()).ok());
    }
    Ok(text)
}

/// The step to a pair by its key, which no later one equals; none for another step, and where the key is text.
fn literal_step(container: &VariantView<'_>, step: PathStep<'_>) -> Option<String> {
    let (VariantView::Dictionary(pairs), PathStep::Position(position)) = (container, step) else {
        return None;
    };
    let key = container.at(&PathStep::PositionKey(position).to_string()).ok()?;
    if key_of(&key).is_some() {
        return None;
    }
    let step = written_step(&key, pairs.dialect())?;
    let value = container.at(&PathStep::Position(position).to_string()).ok()?;
    let last = WrittenKey::of(&key)?.value_in(container).ok()??;
    (last.offset() == value.offset()).then_some(step)
}

/// A step, or the position of what has a long name.
pub(crate) const fn short_step(step: PathStep<'_>, position: u32) -> PathStep<'_> {
    match step {
        PathStep::Name(name) | PathStep::StringName(name) if name.len() > LONGEST_NAME => {
            PathStep::Position(position)
        }
        step => step,
    }
}

/// Text that takes no more than it may have.
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
