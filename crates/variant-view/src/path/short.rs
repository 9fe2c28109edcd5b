//! [`short_path`]: paths in messages.

use alloc::borrow::Cow;
use alloc::format;

/// The longest path that is not shortened, in characters.
const LONGEST: usize = 200;

/// A path for a message. A long path is shown without its middle, so that the message stays readable. The path is cut
/// between steps if possible. O(bytes of the path).
///
/// ```
/// use variant_view::short_path;
///
/// assert_eq!(short_path("bag[7].name"), "bag[7].name");
/// assert!(short_path(&"[0]".repeat(1_000)).contains("[0] ... 2802 bytes ... [0]"));
/// ```
pub fn short_path(path: &str) -> Cow<'_, str> {
    const STEPS: [char; 3] = ['.', '[', '{'];
    if path.char_indices().nth(LONGEST).is_none() {
        return Cow::Borrowed(path);
    }
    let half = LONGEST / 2;
    let head = path.char_indices().nth(half).and_then(|(end, _)| path.get(..end));
    let tail = path.char_indices().rev().nth(half).and_then(|(start, _)| path.get(start..));
    let (Some(head), Some(tail)) = (head, tail) else { return Cow::Borrowed(path) };
    let head =
        head.rfind(STEPS).filter(|end| *end > 0).and_then(|end| head.get(..end)).unwrap_or(head);
    let tail = tail.find(STEPS).and_then(|start| tail.get(start..)).unwrap_or(tail);
    match path.len().checked_sub(head.len().saturating_add(tail.len())) {
        Some(left_out @ 1..) => Cow::Owned(format!("{head} ... {left_out} bytes ... {tail}")),
        _ => Cow::Borrowed(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_path_loses_its_middle() {
        let path = "[0]".repeat(1_000);
        let short = short_path(&path);
        assert!(short.len() < 250, "{short}");
        assert!(short.starts_with("[0][0]") && short.ends_with("[0][0]"), "{short}");
        let name = format!("a.{}", "x".repeat(148));
        for path in ["", "a", &"\u{e9}".repeat(200), &"x".repeat(201), &"[7]".repeat(66), &name] {
            assert_eq!(short_path(path), path);
        }
    }
}
