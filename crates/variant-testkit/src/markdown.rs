//! The anchors of pages, their links, and their blocks of code.

use std::collections::{BTreeSet, HashMap};

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::corpus;

/// The anchors of a page: the anchors of headings, as code hosts make them, and the anchors that `id` sets.
pub fn anchors(page: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut seen: HashMap<String, u32> = HashMap::new();
    let mut heading: Option<String> = None;
    for event in Parser::new(page) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let anchor = slug(&heading.take().unwrap_or_default());
                let count = seen.entry(anchor.clone()).or_default();
                all.insert(if *count == 0 { anchor } else { format!("{anchor}-{count}") });
                *count = count.saturating_add(1);
            }
            Event::Html(html) | Event::InlineHtml(html) => {
                let ids = html.split(" id=\"").skip(1).filter_map(|part| part.split_once('"'));
                all.extend(ids.map(|(id, _)| id.to_owned()));
            }
            _ => {}
        }
    }
    all
}

/// The anchor of a heading's text: letters and digits in lower case, hyphens for spaces.
pub fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The targets of the links and pictures of a page.
pub fn links(page: &str) -> Vec<String> {
    let target = |event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            Some(dest_url.to_string())
        }
        _ => None,
    };
    Parser::new_ext(page, Options::ENABLE_TABLES).filter_map(target).collect()
}

/// The fenced blocks of a page: the words after the fence, and the text of the block.
pub fn blocks(page: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let mut is_open = false;
    for event in Parser::new(page) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                is_open = true;
                all.push((info.to_string(), String::new()));
            }
            Event::End(TagEnd::CodeBlock) => is_open = false,
            Event::Text(text) if is_open => {
                if let Some((_, block)) = all.last_mut() {
                    block.push_str(&text);
                }
            }
            _ => {}
        }
    }
    all
}

/// The lines of a block of annotated bytes. A line has pairs of lowercase hexadecimal digits, separated by a space,
/// then two or more spaces and a note. `None` if a line has another form.
pub fn noted(block: &str) -> Option<Vec<(Vec<u8>, String)>> {
    let line = |line: &str| {
        let (digits, note) = line.split_once("  ")?;
        let note = note.trim();
        let is_byte = |pair: &str| pair.len() == 2 && !pair.contains(|c: char| c.is_uppercase());
        let is_right = !note.is_empty() && digits.split(' ').all(is_byte);
        let bytes = corpus::from_hex(&digits.replace(' ', "")).filter(|_| is_right)?;
        Some((bytes, note.to_owned()))
    };
    block.lines().map(line).collect()
}

/// The pages of `docs` that a text names, as file and anchor. The anchor may be empty.
pub fn citations(text: &str) -> Vec<(String, String)> {
    let is_anchor = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let mut all = Vec::new();
    for (at, name) in text.match_indices("docs/") {
        let (before, rest) = text.split_at(at);
        // Excludes paths of other folders and other projects.
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
        let page = "[a](b.md#c) `[x](y)` ![p](q.svg \"title\")\n```\n[m](n)\n```\n[r]\n\n[r]: s.md\n| h |\n|--|\n| [t](u) |\n";
        assert_eq!(links(page), ["b.md#c", "q.svg", "s.md", "u"]);
    }

    #[test]
    fn blocks_have_their_info_and_text() {
        let page = "```a b\nc\n\nd\n```\n\n    e\n\n````\n```\n````\n";
        let expected = [("a b", "c\n\nd\n"), ("", "```\n")];
        let expected = expected.map(|(info, text)| (info.to_owned(), text.to_owned()));
        assert_eq!(blocks(page), expected);
    }

    #[test]
    fn bytes_with_notes() {
        let lines = Some(vec![(vec![1, 0xab], "one".to_owned()), (vec![2], "b  c".to_owned())]);
        assert_eq!(noted("01 ab   one\n02  b  c\n"), lines);
        for wrong in ["00 01", "00  ", "0  a", "0A  a", "x0  a", "0001  a"] {
            assert_eq!(noted(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn citations_in_comments() {
        // The word is split, since the search also includes the files of this crate.
        let d = ["do", "cs"].concat();
        let text = format!("({d}/spec/a.md#b-c). {d}/d.md, {d}/e.md#f: {d}/x y.md#z {d}/g.md#");
        let expected = [("spec/a.md", "b-c"), ("d.md", ""), ("e.md", "f"), ("g.md", "")];
        let expected = expected.map(|(page, anchor)| (format!("{d}/{page}"), anchor));
        let found = citations(&text);
        assert!(found.iter().map(|(a, b)| (a.clone(), b.as_str())).eq(expected), "{found:?}");
    }
}
