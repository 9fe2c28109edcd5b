//! [`again`]: the round trip of a value through its lines.

use variant_owned::{ParseOptions, Variant};
use variant_view::{Document, KeyRule, PathStep};

use super::read::literal;
use super::tree::{Name, Tree};
use super::{Last, Line, lines};
use crate::values::Trouble;
use variant_document::query::Query;

/// Returns the value that [`read`](super::read) would read from the lines of [`write`](super::write). The paths are not
/// written, because the paths of a deep value are much longer than the value. O(bytes) expected.
pub(crate) fn again(document: &Document<'_>) -> Result<Variant, Trouble> {
    let rule = KeyRule::of(document.options().dialect);
    let options = ParseOptions::new().key_rule(rule);
    let mut tree = Tree::new(rule);
    // The root, and the containers around the value of the current line.
    let mut open = vec![Tree::ROOT];
    lines(document, &Query::everything(), |line| {
        add(&mut tree, &mut open, line, &options).map_err(Trouble::Message)
    })?;
    let (value, _) = tree.finish().map_err(Trouble::Message)?;
    Ok(value)
}

/// Adds a line. The line of its container must come before it.
fn add(
    tree: &mut Tree,
    open: &mut Vec<usize>,
    line: &Line<'_, '_>,
    options: &ParseOptions,
) -> Result<(), String> {
    let text = str::from_utf8(line.literal).map_err(|error| error.to_string())?;
    let value = literal(text, options)?;
    let around = line.around.len();
    let container = open.get(around).copied().unwrap_or(Tree::ROOT);
    let node = match line.last {
        None => Tree::ROOT,
        Some(Last::Plain(PathStep::PositionKey(position))) => {
            return tree.set_key(container, *position, value);
        }
        Some(Last::Plain(step)) => {
            tree.child(container, Name::of(*step).ok_or("a key has no lines inside")?)?
        }
        Some(Last::Key(key)) => {
            tree.child_of(container, Query::literal_key(key).ok_or("a key that is not a literal")?)?
        }
    };
    if line.last.is_some() {
        open.truncate(around.saturating_add(1));
        open.push(node);
    }
    tree.set(node, value);
    Ok(())
}
