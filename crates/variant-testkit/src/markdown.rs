//! What pages can be linked by, and what they link to.

use std::collections::{BTreeSet, HashMap};

/// The anchors of a page: of its headings, as code hosts make them, and those that it sets by `id`.
pub fn anchors(page: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut seen: HashMap<String, u32> = HashMap::new();
    for line in prose(page) {
        let text = line.trim_start_matches('#');
        let level = line.len().saturating_sub(text.len());
        if (1..=6).contains(&level) && text.starts_with(' ') {
            let anchor = slug(text);
            let count = seen.entry(anchor.clone()).or_default();
            all.insert(if *count == 0 { anchor } else { format!("{anchor}-{count}") });
            *count = count.saturating_add(1);
        }
        for part in line.split(" id=\"").skip(1) {
            all.extend(part.split_once('"').map(|(id, _)| id.to_owned()));
        }
    }
    all
}

/// The anchor of a heading: letters and digits in lower case, hyphens for spaces, and nothing of a link but its text.
pub fn slug(heading: &str) -> String {
    let mut text = String::new();
    let mut rest = heading.trim();
    while let Some((before, target)) = rest.split_once("](") {
        text.push_str(before);
        rest = target.split_once(')').map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    let kept = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The targets of the links of a page, pictures included.
pub fn links(page: &str) -> Vec<String> {
    let mut all = Vec::new();
    for line in prose(page) {
        let text = without_code(line);
        for part in text.split("](").skip(1) {
            let target = part.split(')').next().unwrap_or_default();
            all.extend(target.split(' ').next().map(str::to_owned));
        }
        // [name]: target
        if let Some((name, target)) = text.split_once("]: ")
            && name.starts_with('[')
        {
            all.extend(target.split_whitespace().next().map(str::to_owned));
        }
    }
    all
}

/// The pages of `docs` that a text names, as file and anchor; the anchor is empty where there is none.
pub fn citations(text: &str) -> Vec<(String, String)> {
    let is_anchor = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let mut all = Vec::new();
    for (at, name) in text.match_indices("docs/") {
        let (before, rest) = text.split_at(at);
        // Not in another folder, and of no other project.
        let before = before.strip_suffix('/').unwrap_or(before);
        let is_path = !before.ends_with(is_anchor);
        let page = rest.strip_prefix(name).and_then(|rest| rest.split_once(".md"));
        let Some((page, rest)) = page.filter(|_| is_path) else { continue };
        if page.chars().all(|c| is_anchor(c) || c == '/') {
            let anchor = rest.strip_prefix('#').unwrap_or_default();
            let end = anchor.find(|c| !is_anchor(c)).unwrap_or(anchor.len());
            let anchor = anchor.get(..end).unwrap_or_default();
            all.push((format!("docs/{page}.md"), anchor.to_owned()));
        }
    }
    all
}

/// The lines outside fences.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut fence: Option<&str> = None;
    page.lines().filter(move |line| {
        let start = line.trim_start();
        let mark = ["````", "```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, None) => return true,
            _ => {}
        }
        false
    })
}

/// A line without what stands in backquotes.
fn without_code(line: &str) -> String {
    let is_balanced = line.matches('`').count().is_multiple_of(2);
    if is_balanced { line.split('`').step_by(2).collect() } else { line.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_those_of_code_hosts() {
        let page =
            "# A `b`: c_d (e)\n## x\n```\n# no\n```\n## x\n<a id=\"y-z\"></a>\n#no\n## [t](u) v";
        let expected = ["a-b-c_d-e", "t-v", "x", "x-1", "y-z"];
        assert!(anchors(page).iter().eq(&expected), "{:?}", anchors(page));
    }

    #[test]
    fn links_outside_code() {
        let page = "[a](b.md#c) `[x](y)` ![p](q.svg \"title\")\n```\n[m](n)\n```\n[r]: s.md\n";
        assert_eq!(links(page), ["b.md#c", "q.svg", "s.md"]);
    }

    #[test]
    fn citations_in_comments() {
        // In pieces, since the files of this crate are looked through as well.
        let d = ["do", "cs"].concat();
        let text = format!("({d}/spec/a.md#b-c). {d}/d.md, {d}/e.md#f: {d}/x y.md#z {d}/g.md#");
        let expected = [("spec/a.md", "b-c"), ("d.md", ""), ("e.md", "f"), ("g.md", "")];
        let expected = expected.map(|(page, anchor)| (format!("{d}/{page}"), anchor));
        let found = citations(&text);
        assert!(found.iter().map(|(a, b)| (a.clone(), b.as_str())).eq(expected), "{found:?}");
    }
}
