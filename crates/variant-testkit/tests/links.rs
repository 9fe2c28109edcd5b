//! The targets of links in pages and of citations in comments exist.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use variant_testkit::{corpus, markdown};

fn root() -> PathBuf {
    corpus::root().join("..")
}

/// The files that git tracks, and untracked files that git does not ignore. Without git, all files except build output.
fn files() -> Vec<PathBuf> {
    let mut git = Command::new("git");
    let listed = git
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output();
    let Some(output) = listed.ok().filter(|output| output.status.success()) else {
        let all = corpus::files_in(&root()).unwrap();
        let relative = all.iter().map(|path| path.strip_prefix(root()).unwrap().to_path_buf());
        return relative.filter(|path| !path.iter().any(|part| part == "target")).collect();
    };
    let names = String::from_utf8(output.stdout).unwrap();
    let paths = names.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from);
    paths.filter(|path| root().join(path).is_file()).collect()
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

/// `path` relative to the root, without `..`. `None` outside of the repository.
fn resolved(path: &Path) -> Option<PathBuf> {
    let mut parts = Vec::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(parts.pop()?),
            Component::CurDir => {}
            part => parts.push(part),
        }
    }
    Some(parts.iter().collect())
}

/// The pages of the repository, with their anchors.
struct Pages {
    files: BTreeSet<PathBuf>,
    anchors: HashMap<PathBuf, BTreeSet<String>>,
}

impl Pages {
    fn new() -> Self {
        let files: BTreeSet<_> = files().into_iter().collect();
        let pages = files.iter().filter(|path| has_extension(path, "md"));
        let anchors = pages.map(|path| {
            (path.clone(), markdown::anchors(&fs::read_to_string(root().join(path)).unwrap()))
        });
        Self { anchors: anchors.collect(), files }
    }

    /// Describes the fault of a link of `page`.
    fn fault(&self, page: &Path, target: &str) -> Option<String> {
        if target.contains("://") || target.starts_with("mailto:") {
            return None;
        }
        let (file, anchor) = target.split_once('#').map_or((target, None), |(f, a)| (f, Some(a)));
        let path = if file.is_empty() {
            page.to_path_buf()
        } else {
            let joined = page.parent().unwrap_or(Path::new("")).join(file);
            let Some(path) = resolved(&joined) else {
                return Some(format!("{}: {target} is outside", page.display()));
            };
            path
        };
        let is_folder = self.files.iter().any(|known| known.starts_with(&path));
        if !self.files.contains(&path) && !is_folder {
            return Some(format!("{}: no file {target}", page.display()));
        }
        let anchor = anchor?;
        match self.anchors.get(&path) {
            Some(anchors) if anchors.contains(anchor) => None,
            _ => Some(format!("{}: no anchor {target}", page.display())),
        }
    }
}

#[test]
fn links_lead_somewhere() {
    let pages = Pages::new();
    let mut faults = Vec::new();
    for path in pages.anchors.keys() {
        for target in markdown::links(&fs::read_to_string(root().join(path)).unwrap()) {
            faults.extend(pages.fault(path, &target));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Checks citations such as `docs/spec/format.md#text` and `docs/json.md` in comments, messages, tables and pages.
#[test]
fn citations_lead_somewhere() {
    let pages = Pages::new();
    let mut faults = BTreeSet::new();
    let is_text =
        |path: &&PathBuf| ["rs", "md", "json", "trycmd"].iter().any(|end| has_extension(path, end));
    for path in pages.files.iter().filter(is_text) {
        for (page, anchor) in markdown::citations(&fs::read_to_string(root().join(path)).unwrap()) {
            let target = if anchor.is_empty() { page } else { format!("{page}#{anchor}") };
            faults.extend(
                pages
                    .fault(Path::new("README.md"), &target)
                    .map(|fault| format!("{}: {fault}", path.display())),
            );
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Tests the check with a wrong file, a wrong anchor, and right links.
#[test]
fn wrong_links_are_seen() {
    let pages = Pages::new();
    let page = Path::new("docs/command.md");
    for right in ["../CONTRIBUTING.md", "json.md#detect", "#", "https://example.org/x", "../crates"]
    {
        let fault = pages.fault(page, right);
        assert_eq!(fault.is_some(), right == "#", "{right}: {fault:?}");
    }
    for wrong in
        ["jsons.md", "json.md#detects", "#nowhere", "CONTRIBUTING.md", "../Cargo.toml#x", "../../x"]
    {
        assert!(pages.fault(page, wrong).is_some(), "{wrong}");
    }
}

/// Readers would not find a page outside the book.
#[test]
fn the_book_has_every_page() {
    let pages = Pages::new();
    let summary = Path::new("docs/SUMMARY.md");
    let text = fs::read_to_string(root().join(summary)).unwrap();
    let chapters: BTreeSet<_> = markdown::links(&text).into_iter().map(PathBuf::from).collect();
    for path in pages.anchors.keys().filter(|path| *path != summary) {
        if let Ok(page) = path.strip_prefix("docs") {
            assert!(chapters.contains(page), "docs/SUMMARY.md lacks {}", page.display());
        }
    }
}
