//! [`path_text`], [`path_to`]: a path as readable text.

use std::fmt::Write as _;

use variant_view::{Dialect, Document, Error, Event, PathStep, Role, VariantView, write_path};

use crate::query::{MOST_STEPS, Query, ROOT, Step, key_of, select, written_step};

/// The longest path that is printed step by step, in bytes.
const LONGEST_PATH: usize = 512;

/// The longest name of a step, in bytes. A longer name becomes a position.
const LONGEST_NAME: usize = 200;

/// A step of a path, and the key of its pair if that key is neither text nor an integer. All paths are printed from
/// these steps.
#[derive(Clone, Copy, Debug)]
pub struct KeyedStep<'a> {
    /// The step: a position if `key` is needed to name the value.
    pub step: PathStep<'a>,
    /// The key, if it is neither text nor an integer.
    pub key: Option<VariantView<'a>>,
}

impl KeyedStep<'_> {
    /// Appends the step to a path, in the form that queries read: a short key becomes a literal in brackets. O(bytes of
    /// a name).
    pub fn push_to(&self, path: &mut String, dialect: Dialect) {
        if let Some(key) = self.key.and_then(|key| written_step(&key, dialect)) {
            path.push_str(&key);
            return;
        }
        // Writing to a string cannot fail. A name at the start of a path has no dot before it.
        let _ = if path.is_empty() {
            write_path(path, [self.step])
        } else {
            write!(path, "{}", self.step)
        };
    }

    /// The same step, or the position in the container if the name is long.
    #[must_use]
    pub const fn short(self, position: u32) -> Self {
        match self.step {
            PathStep::Name(name) | PathStep::StringName(name) if name.len() > LONGEST_NAME => {
                Self { step: PathStep::Position(position), key: None }
            }
            _ => self,
        }
    }
}

impl<'a> From<PathStep<'a>> for KeyedStep<'a> {
    fn from(step: PathStep<'a>) -> Self {
        Self { step, key: None }
    }
}

/// A path as text. `steps` has each step with its position, and `start` is the offset of the value in the document. If
/// the path would exceed the limit, the text is `@` and `start`. O(1).
pub fn path_text<'a>(
    steps: impl IntoIterator<Item = (KeyedStep<'a>, u32)>,
    start: usize,
    dialect: Dialect,
) -> String {
    let mut text = String::new();
    for (at, (step, position)) in (0..).zip(steps) {
        step.short(position).push_to(&mut text, dialect);
        if at == MOST_STEPS || text.len() > LONGEST_PATH {
            return format!("@{start}");
        }
    }
    if text.is_empty() { ROOT.to_owned() } else { text }
}

/// The path to the value that holds the byte at `offset`, in the form that [`select`] prints; empty for the root. For a
/// damaged value, the path is that of [`Document::path_to`], with keys instead of positions of pairs. Such a path may
/// have any length. O(bytes of the document).
///
/// # Errors
/// No value holds the byte.
pub fn path_to(document: &Document<'_>, offset: usize) -> Result<String, Error> {
    let path = document.path_to(offset)?.to_string();
    let start = document.at(&path).ok().and_then(|value| u32::try_from(value.offset()).ok());
    if path.is_empty() {
        return Ok(path);
    }
    let mut text = None;
    if let Some(start) = start {
        // An error of `select` is ignored, because damage in the rest of the document does not matter.
        let _ = select(document, &Query::of_step(Step::Byte(start)), |found| {
            text = Some(found.text());
            Err(())
        });
    }
    Ok(text.unwrap_or_else(|| with_keys(document, &path, offset)))
}

/// The path of [`Document::path_to`] with keys instead of positions of pairs. Reads only the bytes before `offset`.
fn with_keys(document: &Document<'_>, path: &str, offset: usize) -> String {
    // The last key of each open container.
    let mut keys: Vec<Option<VariantView<'_>>> = Vec::new();
    for event in document.walk().map_while(Result::ok) {
        let (Event::Enter(node) | Event::Leaf(node)) = event else { continue };
        if node.view.offset() > offset {
            break;
        }
        let is_key = matches!(node.role(), Role::Key(_));
        let level = usize::try_from(node.depth).unwrap_or(usize::MAX);
        keys.truncate(level);
        let missing = level.saturating_sub(keys.len());
        keys.extend(std::iter::repeat_n(None, missing));
        if let Some(key) = keys.last_mut().filter(|_| is_key) {
            *key = Some(node.view);
        }
    }
    let (mut text, mut keys) = (String::new(), keys.into_iter());
    for step in PathStep::parse(path) {
        let Ok(step) = step else { return path.to_owned() };
        let key = keys.next().flatten().filter(|key| key_of(key).is_none());
        let key = key.filter(|_| matches!(step, PathStep::Position(_)));
        KeyedStep { step, key }.push_to(&mut text, document.options().dialect);
    }
    text
}
