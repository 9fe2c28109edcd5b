//! [`read`]: values from the lines that [`write`](super::write) writes.

use std::collections::HashMap;

use variant_owned::{ParseOptions, Variant, from_text_at};
use variant_view::{Dialect, KeyRule, PathStep, short_path};

use super::Last;
use super::tree::{Name, Tree};
use variant_document::query::{Address, Query, ROOT};

/// Values, each with the number of its frame or setting, in order of their first lines.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    pub(crate) values: Vec<(u64, Variant)>,
    /// The number of array elements without a line. Such elements are left out, so later elements get lower indices.
    pub(crate) gaps: u64,
}

/// Reads lines of `path = literal`. `names` maps the names of the settings of a file to their numbers. With `names`,
/// each path starts with the name of a setting. O(bytes of the text) expected.
///
/// A container without a separate line becomes an untyped array if numbers name its items, otherwise a dictionary.
///
/// # Errors
/// The number of the first line that cannot be read, and why.
pub(crate) fn read(
    text: &str,
    dialect: Dialect,
    names: Option<&HashMap<String, u64>>,
) -> Result<Lines, String> {
    let options = ParseOptions::new().key_rule(KeyRule::of(dialect));
    let mut trees: Vec<(u64, Tree)> = Vec::new();
    let mut numbers = HashMap::new();
    for (number, line) in (1_u64..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let at = |why: String| format!("line {number}: {why}");
        let (of, path, literal) = parts(line, names).map_err(at)?;
        let tree = *numbers.entry(of).or_insert(trees.len());
        if tree == trees.len() {
            trees.push((of, Tree::new(KeyRule::of(dialect))));
        }
        let Some((_, tree)) = trees.get_mut(tree) else { continue };
        add(tree, path, literal, &options).map_err(at)?;
    }
    if trees.is_empty() {
        return Err(format!("there are no lines; {NO_LINE}"));
    }
    let mut lines = Lines::default();
    for (number, tree) in trees {
        let (value, gaps) = tree.finish()?;
        lines.gaps = lines.gaps.saturating_add(gaps);
        lines.values.push((number, value));
    }
    Ok(lines)
}

const NO_LINE: &str = "expected a path, ` = ` and a literal, as in: player.level = 10";

/// Splits a line into the number of the value, the path and the literal.
fn parts<'l>(
    line: &'l str,
    names: Option<&HashMap<String, u64>>,
) -> Result<(u64, &'l str, &'l str), String> {
    let (address, literal) = split(line).ok_or_else(|| NO_LINE.to_owned())?;
    let (frame, path) = Address::split(address);
    if frame.is_none() && is_numbered(path) {
        return Err(format!("the path {path}: a frame is written as in {NUMBERED}"));
    }
    let (number, path) = match (frame, names) {
        (Some(number), _) => (number, path),
        (None, None) => (1, path),
        (None, Some(names)) => of_setting(path, names)?,
    };
    Ok((number, if path == ROOT { "" } else { path }, literal))
}

/// Whether a path starts with the number of a frame in the old form: `#1hp`.
fn is_numbered(path: &str) -> bool {
    path.strip_prefix('#').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

const NUMBERED: &str = "frame 1: hp = 10; a key that starts with # is in quotes, [\"#1\"]";

/// Returns the number of the setting that a path starts with, and the path inside the setting.
fn of_setting<'l>(path: &'l str, names: &HashMap<String, u64>) -> Result<(u64, &'l str), String> {
    let (first, inner) = Query::split_first(path).unwrap_or((path, ""));
    let step = PathStep::parse(first).next().and_then(Result::ok);
    let number = match step {
        Some(PathStep::Name(name)) => names.get(name),
        _ => None,
    };
    let number = number.ok_or_else(|| format!("the path {path}: no such setting"))?;
    Ok((*number, inner))
}

/// Splits a line at the first equals sign outside a key. O(bytes).
fn split(line: &str) -> Option<(&str, &str)> {
    const EQUALS: &str = " = ";
    // For each kind of quote, the last offset at which a quoted key can end. A quoted key that starts after this offset
    // has no end, so its end is not searched for.
    let ends = [('"', line.rfind("\"]")), ('\'', line.rfind("']"))];
    let mut at = 0_usize;
    loop {
        let rest = line.get(at..)?;
        let next = rest.find(['[', '='])?;
        let step = rest.get(next..)?;
        let text = step.strip_prefix("[&").or_else(|| step.strip_prefix('['));
        let quote =
            ends.iter().find(|(quote, _)| text.is_some_and(|text| text.starts_with(*quote)));
        if quote.is_some_and(|(_, end)| end.is_none_or(|end| end < at.saturating_add(next))) {
            return None;
        }
        if step.starts_with('[') {
            let (first, _) = Query::split_first(step)?;
            at = at.checked_add(next)?.checked_add(first.len())?;
            continue;
        }
        let sign = at.checked_add(next)?;
        // Bytes are compared, since the byte before the sign may be part of a character.
        let parts = sign.checked_sub(1).and_then(|space| line.split_at_checked(space));
        if let Some((path, literal)) = parts
            && let Some(literal) = literal.strip_prefix(EQUALS)
        {
            return Some((path, literal));
        }
        at = sign.checked_add(1)?;
    }
}

/// Whether the first line of a text has the form `path = literal`.
pub(crate) fn begins_with_line(text: &str) -> bool {
    let line = text.lines().find(|line| !line.trim().is_empty());
    let address = line.and_then(split).map(|(address, _)| address);
    address.is_some_and(|address| Address::parse(address).is_ok())
}

/// Returns the value of a literal. Text after the literal is an error.
pub(super) fn literal(text: &str, options: &ParseOptions) -> Result<Variant, String> {
    let wrong = |error: String| format!("the literal {}: {error}", short_path(text));
    let (value, end) = from_text_at(text, 0, options).map_err(|error| wrong(error.to_string()))?;
    if text.get(end..).is_some_and(|rest| !rest.trim().is_empty()) {
        return Err(wrong(format!("more text after it, at byte {end}")));
    }
    Ok(value)
}

fn add(tree: &mut Tree, path: &str, text: &str, options: &ParseOptions) -> Result<(), String> {
    let value = literal(text, options)?;
    let mut node = Tree::ROOT;
    let in_path = |why: &str| format!("the path {path}: {why}");
    let mut rest = path;
    while !rest.is_empty() {
        let is_first = rest.len() == path.len();
        let step = take_step(&mut rest, is_first).ok_or_else(|| {
            let column = path.len().saturating_sub(rest.len());
            in_path(&format!("syntax error at column {column}"))
        })?;
        let child = match step {
            Last::Plain(PathStep::PositionKey(position)) if rest.is_empty() => {
                return tree.set_key(node, position, value);
            }
            Last::Plain(step) => {
                let name = Name::of(step).ok_or_else(|| in_path("a key has no lines inside"))?;
                tree.child(node, name)
            }
            Last::Key(key) => {
                let literal = Query::literal_key(&key);
                let literal = literal.ok_or_else(|| in_path(&format!("{key} is not a key")))?;
                tree.child_of(node, literal)
            }
        };
        node = child.map_err(|why| in_path(&why))?;
    }
    tree.set(node, value);
    Ok(())
}

/// Removes the first step from `path`. Only the first step of a whole path may be a name without a dot. O(bytes of the
/// step).
fn take_step<'p>(path: &mut &'p str, is_first: bool) -> Option<Last<'p>> {
    let mut plain = PathStep::parse_at(path);
    let (_, step) = plain.next().filter(|_| is_first || path.starts_with(['.', '[', '{']))?;
    if let Ok(step) = step {
        let end = plain.next().map_or(Some(path.len()), |(at, _)| usize::try_from(at).ok())?;
        *path = path.get(end..)?;
        return Some(Last::Plain(step));
    }
    let (first, rest) = Query::split_first(path).filter(|_| path.starts_with('['))?;
    *path = rest;
    Some(Last::Key(first.to_owned()))
}

#[cfg(test)]
mod tests {
    use variant_owned::{TextOptions, TextStyle, to_text};

    use super::*;

    fn value(text: &str) -> Result<String, String> {
        let lines = read(text, Dialect::Godot4, None)?;
        let options = TextOptions::new(TextStyle::Godot4);
        let one = |(number, value)| format!("{number}: {}", to_text(&value, &options));
        let all: Vec<_> = lines.values.into_iter().map(one).collect();
        Ok(all.join("; ").replace('\n', " "))
    }

    #[test]
    fn lines_become_values() {
        for (lines, expected) in [
            ("5 = 5", r#"1: { "5": 5 }"#),
            ("(root) = 5\n", "1: 5"),
            ("frame 2: (root) = 5\n\nframe 7: (root) = 6", "2: 5; 7: 6"),
            ("frame 2: [1] = 5\n[\"frame 2: x\"] = 6", r#"2: [5]; 1: { "frame 2: x": 6 }"#),
            ("a[\"b = c\"] = 1", r#"1: { "a": { "b = c": 1 } }"#),
            ("é=b = 1", r#"1: { "é=b": 1 }"#),
            ("['\"']['] = '] = 1", r#"1: { "\"": { "] = ": 1 } }"#),
            ("[0] = 1\n[9] = 3\n[4] = 2", "1: [1, 2, 3]"),
            ("(root) = Array[int]([])\n[0] = 7", "1: Array[int]([7])"),
            ("a = [1, 2]\na[1] = {}\na[1].b = 3", r#"1: { "a": [1, { "b": 3 }] }"#),
            ("a.b = 1\na = 2", r#"1: { "a": 2 }"#),
            ("{0:key} = Vector2(1, 2)\n{0}[0] = 3", "1: { Vector2(1, 2): [3] }"),
            ("[Vector2i(1, 0)].a = 1", r#"1: { Vector2i(1, 0): { "a": 1 } }"#),
            (
                "[Vector2i(1, 0)].a = 1\n[Vector2i( 1,0 )].b = 2",
                r#"1: { Vector2i(1, 0): { "a": 1, "b": 2 } }"#,
            ),
            (r#"m[NodePath("x = y")] = 3"#, r#"1: { "m": { NodePath("x = y"): 3 } }"#),
            (r#"[NodePath("\"] = ")] = 4"#, r#"1: { NodePath("\"] = "): 4 }"#),
            ("m[[1, [2]]][true] = 5", r#"1: { "m": { [1, [2]]: { true: 5 } } }"#),
            (
                "a = {Vector2(1, 2): [3]}\na[Vector2(1, 2)][0] = 4\na{0}[1] = 5",
                r#"1: { "a": { Vector2(1, 2): [4, 5] } }"#,
            ),
        ] {
            assert_eq!(value(lines).as_deref(), Ok(expected), "{lines}");
        }
        assert_eq!(read("[3] = 1\n[9] = 3", Dialect::Godot4, None).unwrap().gaps, 8);
    }

    #[test]
    fn errors_name_the_line() {
        for (text, why) in [
            ("", "there are no lines"),
            ("a = 1\nb", "line 2: expected a path"),
            ("a = ", "line 1: the literal"),
            ("#1hp = 5", "line 1: the path #1hp: a frame is written as in frame 1: hp"),
            ("a = 1 2", "line 1: the literal 1 2: more text"),
            ("a = 1\na.b = 2", "line 2: the path a.b: int is not a container"),
            ("{0} = 1", "a pair is named only by its position"),
            (
                "{0:key} = Vector2(1, 2)\n{0}[0] = 3\n[Vector2(1, 2)][1] = 4",
                "two lines name one pair",
            ),
            ("[0.0].a = 1\n[-0.0].b = 2", "two lines name one pair"),
            ("a..b = 1", "line 1: the path a..b: syntax error at column 1"),
            ("[0]b = 1", "line 1: the path [0]b: syntax error at column 3"),
            ("a[*] = 1", "line 1: the path a[*]: [*] is not a key"),
            ("[Vector2(1] = 1", "line 1: expected a path"),
            ("[0] = 1\nx = 1", "line 2: the path x: an element of an array has a number"),
        ] {
            let error = value(text).unwrap_err();
            assert!(error.starts_with(why), "{text}: {error}");
        }
    }

    /// Many unterminated texts take linear time.
    #[test]
    fn texts_without_an_end_take_no_time() {
        let line = format!("{} = 1", "[\"a\" ]".repeat(200_000));
        assert!(value(&line).unwrap_err().starts_with("line 1: expected a path"));
        let path = format!("a{}", "[\"a\" ]".repeat(200_000));
        assert!(Query::parse(&path).unwrap_err().contains("62 steps"));
    }
}
