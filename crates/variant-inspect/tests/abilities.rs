//! The table in `docs/abilities.md` has a row for each ability, and a column for each surface: command, Rust, Python,
//! JavaScript, web page and C. A cell names the functions of the surface with this ability. The test compares the names
//! with the signatures of the surfaces. With `WRITE_ABILITIES=1` it writes the names into the table.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::good;

/// The rows of the table: an ability, and the names of functions that have it. A name after `page:` is a label of
/// the web page.
const ABILITIES: [(&str, &[&str]); 15] = [
    ("get", &["get", "at", "page:search-this-save"]),
    ("select", &["select", "page:search-this-save"]),
    ("set", &["set", "page:edit", "page:set-all-like-this…"]),
    ("insert", &["insert", "page:add-below", "page:add-inside", "page:duplicate", "page:paste"]),
    ("delete", &["delete"]),
    ("rename a key", &["rename-key"]),
    ("undo and redo", &["undo", "redo"]),
    ("convert", &["convert"]),
    ("diff", &["diff", "page:compare"]),
    ("merge", &["merge"]),
    ("salvage", &["salvage", "page:salvage…"]),
    ("check", &["check", "validate", "page:check-the-whole-save"]),
    ("migrate", &["migrate"]),
    ("wrap and unwrap", &["wrap", "unwrap", "page:download-wrapped", "page:download-plain-bytes"]),
    ("schema and rows", &["schema", "rows", "table"]),
];

/// A surface: the title of its column, and its functions. A function has the name from [`word`], and the name in the
/// table.
struct Surface {
    column: &'static str,
    functions: Vec<(String, String)>,
}

#[test]
fn the_page_of_abilities_names_what_the_surfaces_have() {
    let page = root().join("docs/abilities.md");
    let text = fs::read_to_string(&page).unwrap();
    let surfaces = [command(), rust(), python(), javascript(), web_page(), c()];
    let written: Vec<String> = text.lines().map(|line| row(line, &surfaces)).collect();
    let written = format!("{}\n", written.join("\n"));
    if std::env::var_os("WRITE_ABILITIES").is_some() {
        fs::write(&page, &written).unwrap();
    }
    assert_eq!(text, written, "WRITE_ABILITIES=1 writes the names into the page");
    for (ability, _) in ABILITIES {
        let cells: Vec<_> = cells(&text, ability);
        assert_eq!(cells.len(), surfaces.len(), "{ability}");
        for (cell, surface) in cells.iter().zip(&surfaces) {
            let is_reason = cell.split_whitespace().count() >= 3;
            assert!(
                cell.starts_with('`') || is_reason,
                "{ability}, {}: no function has this ability, and the cell has no reason",
                surface.column
            );
        }
    }
}

/// A row of the table with the names of functions. If a surface lacks such a function, its cell keeps the reason.
fn row(line: &str, surfaces: &[Surface; 6]) -> String {
    let Some((_, words)) = ABILITIES.iter().find(|(ability, _)| is_of(line, ability)) else {
        return line.to_owned();
    };
    let mut cells: Vec<String> =
        line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    cells.resize(surfaces.len() + 1, String::new());
    for (cell, surface) in cells.iter_mut().skip(1).zip(surfaces) {
        let mut names: Vec<_> = surface
            .functions
            .iter()
            .filter(|(word, _)| words.iter().any(|known| is_word(known, word, surface.column)))
            .map(|(_, shown)| format!("`{shown}`"))
            .collect();
        names.dedup();
        if !names.is_empty() {
            *cell = names.join(", ");
        } else if cell.starts_with('`') {
            cell.clear();
        }
    }
    format!("| {} |", cells.join(" | "))
}

fn is_word(known: &str, word: &str, column: &str) -> bool {
    match known.strip_prefix("page:") {
        Some(known) => column == "page" && known == word,
        None => known == word,
    }
}

fn is_of(line: &str, ability: &str) -> bool {
    line.strip_prefix("| ").is_some_and(|rest| rest.split('|').next().unwrap().trim() == ability)
}

fn cells(text: &str, ability: &str) -> Vec<String> {
    let line = text.lines().find(|line| is_of(line, ability));
    let line = line.unwrap_or_else(|| panic!("the page has no row: {ability}"));
    line.trim_matches('|').split('|').skip(1).map(|cell| cell.trim().to_owned()).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A name in the form of a verb: `renameKey` and `rename_key` become `rename-key`.
fn word(name: &str) -> String {
    let mut word = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !word.is_empty() && !word.ends_with('-') {
            word.push('-');
        }
        word.push(if letter == '_' || letter == ' ' { '-' } else { letter.to_ascii_lowercase() });
    }
    word
}

/// The verbs of `--help`.
fn command() -> Surface {
    let help = good(&["--help"], &[]).out;
    let verbs = help.lines().filter_map(|line| {
        let verb = line.strip_prefix("  ")?.split_whitespace().next()?;
        let is_verb = line.starts_with("  ") && !line.starts_with("   ") && !verb.starts_with('-');
        is_verb.then(|| (verb.to_owned(), verb.to_owned()))
    });
    Surface { column: "command", functions: verbs.collect() }
}

/// The functions of the libraries. The compiler checks that they exist.
fn rust() -> Surface {
    macro_rules! functions {
        ($($word:literal $($path:ident)::+;)*) => {{
            $({
                #[allow(unused_imports, reason = "the compiler checks only that the path exists")]
                use $($path)::+ as _;
            })*
            vec![$(($word.to_owned(), stringify!($($path)::+).replace(' ', ""))),*]
        }};
    }
    let mut functions = functions! {
        "select" variant_document::query::select;
        "set" variant_document::edit::Edit;
        "insert" variant_document::edit::Edit;
        "delete" variant_document::edit::Edit;
        "rename-key" variant_document::edit::Edit;
        "convert" variant_document::convert::convert;
        "diff" variant_document::diff::files;
        "merge" variant_document::merge::merge;
        "salvage" variant_document::salvage::salvage;
        "check" variant_document::schema::Schema;
        "migrate" variant_document::migration::Migration;
        "schema" variant_document::shape::Shapes;
        "rows" variant_document::rows::Rows;
    };
    let methods = [
        ("get", "variant_view::Document::at"),
        ("undo", "variant_document::edit::Draft::apply"),
        ("check", "variant_view::Document::validate"),
        ("wrap", "variant_io::Wrapping::wrap"),
        ("unwrap", "variant_io::open_bytes"),
    ];
    let _ = (variant_view::Document::at, variant_view::Document::validate);
    let _ =
        (variant_document::edit::Draft::apply, variant_io::Wrapping::wrap, variant_io::open_bytes);
    functions.extend(methods.map(|(word, path)| (word.to_owned(), path.to_owned())));
    for (_, path) in &mut functions {
        // The cells of the table are narrow, so only the last two parts of a path are shown.
        let parts: Vec<_> = path.rsplitn(3, "::").take(2).map(str::to_owned).collect();
        *path = format!("{}::{}", parts[1], parts[0]);
    }
    Surface { column: "Rust", functions }
}

/// The methods of classes in a file of declarations. `class` and `method` return the names that a line declares.
fn methods(
    text: &str,
    owners: &[&str],
    class: impl Fn(&str) -> Option<String>,
    method: impl Fn(&str) -> Option<String>,
) -> Vec<(String, String)> {
    let (mut all, mut owner) = (Vec::new(), String::new());
    for line in text.lines() {
        if let Some(name) = class(line) {
            owner = name;
        } else if let Some(name) = method(line)
            && owners.contains(&owner.as_str())
        {
            all.push((word(&name), format!("{owner}.{name}")));
        }
    }
    // Several classes may have a method of the same name, such as `File.select` and `Document.select`. Only the method
    // of the class that is first in `owners` is kept.
    all.sort_by_key(|(_, shown)| {
        owners.iter().position(|owner| shown.starts_with(&format!("{owner}.")))
    });
    let mut seen = Vec::new();
    all.retain(|(word, _)| {
        let is_new = !seen.contains(word);
        seen.push(word.clone());
        is_new
    });
    all
}

fn name_before(text: &str, ends: &[char]) -> Option<String> {
    let name = text.split(ends).next()?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then(|| name.to_owned())
}

/// The methods and functions in the stubs of the Python package.
fn python() -> Surface {
    let stubs = read("crates/variant-python/python/variant_view/_native.pyi");
    let owners = ["File", "Edit", "Migration", "Document"];
    let mut functions = methods(
        &stubs,
        &owners,
        |line| name_before(line.strip_prefix("class ")?, &['(', ':']),
        |line| name_before(line.strip_prefix("    def ")?, &['(']),
    );
    let of_module =
        stubs.lines().filter_map(|line| name_before(line.strip_prefix("def ")?, &['(']));
    functions.extend(of_module.filter(|name| name == "table").map(|name| (word(&name), name)));
    Surface { column: "Python", functions }
}

/// The methods in the type declarations of the JavaScript package.
fn javascript() -> Surface {
    let class = |line: &str| name_before(line.strip_prefix("export class ")?, &[' ', '{', '<']);
    let method = |line: &str| {
        let rest = line.strip_prefix("  ").filter(|rest| !rest.starts_with(' '))?;
        name_before(rest, &['(', '<'])
    };
    let functions = ["document", "migration"].iter().flat_map(|file| {
        let text = read(&format!("crates/variant-wasm/js/{file}.d.ts"));
        methods(&text, &["Document", "Migration"], class, method)
    });
    Surface { column: "JavaScript", functions: functions.collect() }
}

/// The labels of the web page: those of its buttons and fields, and of the menu of a row.
fn web_page() -> Surface {
    let page = read("crates/variant-wasm/page/index.html");
    let texts = read("crates/variant-wasm/page/texts.js");
    let labels = texts.lines().filter_map(|line| {
        let (key, rest) = line.strip_prefix("  \"")?.split_once("\": [\"")?;
        let is_shown = key.starts_with("row.") || page.contains(&format!("=\"{key}\""));
        let label = rest.split('"').next()?;
        is_shown.then(|| (word(label), label.to_owned()))
    });
    let mut functions: Vec<_> = labels.collect();
    functions.sort();
    functions.dedup();
    Surface { column: "page", functions }
}

/// The functions of the C header.
fn c() -> Surface {
    let header = read("crates/variant-c/include/variant.h");
    let functions =
        header.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter_map(|name| {
            let rest = name.strip_prefix("variant_")?;
            let rest =
                ["file_", "edit_"].iter().find_map(|part| rest.strip_prefix(part)).unwrap_or(rest);
            header.contains(&format!("{name}(")).then(|| (word(rest), name.to_owned()))
        });
    let mut functions: Vec<_> = functions.collect();
    functions.sort();
    functions.dedup();
    Surface { column: "C", functions }
}
