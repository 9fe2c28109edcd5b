//! [`Listing`]: what the sources of a crate say its types offer.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The public functions and fields of a crate's types, read from its sources.
///
/// Knows no more of Rust than these sources need: an `impl` at the margin names the type of what follows, macros that
/// make functions of `name = Kind -> Type` are those of accessors, and `math_types!` stands for the rows of its list.
#[derive(Default)]
pub(crate) struct Listing {
    names: BTreeMap<String, BTreeSet<String>>,
    lengths: Vec<(String, String)>,
}

impl Listing {
    pub(crate) fn of_crate(package: &str) -> Self {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(package).join("src");
        let mut listing = Self::default();
        let mut files = Vec::new();
        files_in(&sources, &mut files);
        assert!(!files.is_empty(), "sources of {package}");
        for file in files {
            listing.read(&fs::read_to_string(file).unwrap());
        }
        listing
    }

    /// The names of what a type offers.
    pub(crate) fn of(&self, name: &str) -> BTreeSet<String> {
        let names = self.names.get(name).unwrap_or_else(|| panic!("nothing of {name}"));
        names.clone()
    }

    /// The types that have a `len`, and what it returns.
    pub(crate) fn lengths(&self) -> &[(String, String)] {
        &self.lengths
    }

    fn read(&mut self, source: &str) {
        let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let mut of = Vec::new();
        // `macro_rules!` up to its last line; what it makes of a name that it is given belongs to the type of its `impl`.
        let mut is_struct = false;
        for line in source.lines() {
            let trimmed = line.trim();
            if line == "}" {
                is_struct = false;
                if !trimmed.is_empty() && !of.is_empty() {
                    of.clear();
                }
            }
            if let Some(opened) = opened(line) {
                is_struct = line.starts_with("pub struct ");
                of = opened;
            } else if let Some(call) = line.strip_suffix(");").or(line.strip_suffix("!("))
                && let Some(made) = made_by_macro(call)
            {
                for name in ["offset", "raw_bytes"] {
                    self.add(&made, name);
                }
                if call.starts_with("source_methods") {
                    self.add(&made, "dialect");
                }
            } else if line == "math_types!(math_accessors);" {
                let is_view = source.contains("impl<'a> VariantView<'a> {");
                for name in math_accessors() {
                    self.add(if is_view { "VariantView" } else { "Variant" }, &name);
                }
            }
            if let Some(name) = function(trimmed).or_else(|| accessor(line)) {
                for of in &of {
                    self.add(of, name);
                    if name == "len"
                        && let Some((_, result)) = trimmed.split_once("-> ")
                    {
                        self.lengths.push((of.clone(), result.trim_end_matches(" {").to_owned()));
                    }
                }
            } else if is_struct && let Some(name) = field(trimmed) {
                for of in &of {
                    self.add(of, name);
                }
            }
        }
    }

    fn add(&mut self, of: &str, name: &str) {
        self.names.entry(of.to_owned()).or_default().insert(name.to_owned());
    }
}

/// The accessors that the list of mathematical types names.
fn math_accessors() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let source = fs::read_to_string(root.join("variant-view/src/view/math.rs")).unwrap();
    let (_, list) = source.split_once("$make! {").unwrap();
    let (list, _) = list.split_once("\n    };").unwrap();
    list.split_whitespace().filter(|word| word.starts_with("as_")).map(str::to_owned).collect()
}

fn files_in(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_in(&path, files);
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
}

/// The type of an `impl` that is no trait's, or of a `struct`; in a macro, too.
fn opened(line: &str) -> Option<Vec<String>> {
    let trimmed = line.trim();
    let rest = trimmed.strip_prefix("pub struct ").or_else(|| {
        let rest = trimmed.strip_prefix("impl")?;
        let rest = if rest.starts_with('<') { past_generics(rest)? } else { rest };
        (!rest.contains(" for ")).then(|| rest.trim_start())
    })?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    let name = rest.get(..end).filter(|name| name.starts_with(char::is_uppercase))?;
    Some(vec![name.to_owned()])
}

/// What follows `<..>`.
fn past_generics(text: &str) -> Option<&str> {
    let mut depth = 0_i32;
    let end = text.find(|c| {
        depth = match c {
            '<' => depth.saturating_add(1),
            '>' => depth.saturating_sub(1),
            _ => depth,
        };
        depth == 0
    })?;
    text.get(end..)?.strip_prefix('>')
}

/// Of `raw_methods!([T] MathView<'a, T>` and `source_methods!(ArrayView`, the type.
fn made_by_macro(call: &str) -> Option<String> {
    let inside = call.strip_prefix("raw_methods!(").or(call.strip_prefix("source_methods!("))?;
    let name = inside.split(']').next_back()?.trim();
    Some(name.split('<').next()?.to_owned())
}

fn function(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("pub ")?;
    let rest = rest.strip_prefix("const ").unwrap_or(rest).strip_prefix("fn ")?;
    word(rest).filter(|name| !name.is_empty())
}

/// `as_bool = Bool -> bool { .. }`.
fn accessor(line: &str) -> Option<&str> {
    let (name, rest) = line.trim().split_once(" = ")?;
    (name.starts_with("as_") && rest.contains(" -> ") && word(name) == Some(name)).then_some(name)
}

fn field(line: &str) -> Option<&str> {
    let (name, _) = line.strip_prefix("pub ")?.split_once(": ")?;
    word(name).filter(|word| *word == name)
}

/// The identifier at the start.
fn word(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    text.get(..end)
}
