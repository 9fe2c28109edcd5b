//! [`Listing`]: the functions and fields of a crate's types, as `docs/api` lists them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use variant_testkit::corpus;

/// The public functions and fields of a crate's types. `.ci/interface` keeps the listing current.
#[derive(Default)]
pub(crate) struct Listing {
    names: BTreeMap<String, BTreeSet<String>>,
    lengths: Vec<(String, String)>,
}

impl Listing {
    pub(crate) fn of_crate(package: &str) -> Self {
        let path = corpus::root().join(format!("../docs/api/{package}.txt"));
        let text = fs::read_to_string(path).unwrap();
        let mut listing = Self::default();
        // The functions of `impl TRAIT for TYPE` belong to the trait, so they are left out.
        let mut is_inherent = true;
        for line in text.lines() {
            if let Some(head) = line.strip_prefix("impl") {
                is_inherent = !head.contains(" for ");
            } else if is_inherent {
                listing.read(line);
            } else {
                is_inherent = line.starts_with("pub struct ") || line.starts_with("pub enum ");
            }
        }
        listing
    }

    /// The names of a type's functions and fields.
    pub(crate) fn of(&self, name: &str) -> BTreeSet<String> {
        let names = self.names.get(name).unwrap_or_else(|| panic!("nothing of {name}"));
        names.clone()
    }

    /// The types that have a `len`, and its return type.
    pub(crate) fn lengths(&self) -> &[(String, String)] {
        &self.lengths
    }

    /// `pub fn krate::Type<'a>::name(&self) -> Result`, or a field: `pub krate::Type::name: Type`.
    fn read(&mut self, line: &str) {
        let Some(rest) = line.strip_prefix("pub ") else { return };
        let rest = rest.strip_prefix("const ").unwrap_or(rest);
        let (rest, is_function) =
            rest.strip_prefix("fn ").map_or((rest, false), |rest| (rest, true));
        let rest = without_generics(rest);
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
        let (path, rest) = rest.split_at(end.unwrap_or(rest.len()));
        let mut parts = path.trim_end_matches(':').rsplit("::");
        let (Some(name), Some(of)) = (parts.next(), parts.next()) else { return };
        // Only the functions and fields of types are wanted. A name in upper case is an enum's variant or a type, and a
        // parent in lower case is a module.
        if name.starts_with(char::is_uppercase) || !of.starts_with(char::is_uppercase) {
            return;
        }
        self.names.entry(of.to_owned()).or_default().insert(name.to_owned());
        if let ("len", true, Some((_, result))) = (name, is_function, rest.split_once("-> ")) {
            self.lengths.push((of.to_owned(), result.to_owned()));
        }
    }
}

/// The path at the start without the parts between `<` and `>`, and the text after the path.
fn without_generics(line: &str) -> String {
    let mut depth = 0_u32;
    let mut path = String::new();
    for (at, c) in line.char_indices() {
        match c {
            '<' => depth = depth.saturating_add(1),
            '>' => depth = depth.saturating_sub(1),
            '(' | ' ' if depth == 0 => return path + line.get(at..).unwrap_or_default(),
            _ if depth == 0 => path.push(c),
            _ => {}
        }
    }
    path
}
