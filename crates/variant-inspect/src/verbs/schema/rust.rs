//! Converts a type to Rust types that derive `Deserialize`, for `variant-serde`.

use std::fmt::Write as _;

use variant_document::shape::{Facts, Type};
use variant_view::Kind;

use super::names::{Language, Names, singular};

const RUST: Language = Language { reserved: KEYWORDS, is_ascii: false };

const KEYWORDS: &str = "\
    abstract as async await become box break const continue crate do dyn else enum extern false final fn \
    for gen if impl in let loop macro match mod move mut override priv pub ref return self static struct \
    super trait true try type typeof unsafe unsized use virtual where while yield";

const TEXTS: [Kind; 2] = [Kind::String, Kind::StringName];

/// Names that already have a meaning in the generated code.
const TAKEN: [&str; 9] =
    ["Clone", "Debug", "Deserialize", "HashMap", "Option", "Self", "String", "Variant", "Vec"];

/// Returns the types of a file.
pub(super) fn types(of: &Type) -> String {
    let mut module = Module::default();
    for name in TAKEN {
        module.names.unique(name);
    }
    let root = module.of(of, "Save");
    // A struct for a nested value may already have the name `Save`.
    let save = if root == "Save" { root.clone() } else { module.names.unique("Save") };
    let mut text = format!(
        "// Read with variant_serde::from_slice::<{save}>(bytes, Options::engine(dialect)).\n\
         #![allow(missing_docs)]\n\n",
    );
    if module.has_maps {
        text.push_str("use std::collections::HashMap;\n\n");
    }
    text.push_str("use serde::Deserialize;\n");
    if module.has_variants {
        text.push_str("use variant_owned::Variant;\n");
    }
    if root != save {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n/// The whole value.\npub type {save} = {root};\n");
    }
    // The outermost type comes first.
    for item in module.items.iter().rev() {
        text.push('\n');
        text.push_str(item);
    }
    text
}

fn are(all: &[&Facts], kinds: [Kind; 2]) -> bool {
    all.iter().all(|facts| kinds.contains(&facts.kind))
}

#[derive(Debug, Default)]
struct Module {
    items: Vec<String>,
    names: Names,
    has_maps: bool,
    has_variants: bool,
}

impl Module {
    /// Returns the Rust type for a [`Type`]. `name` becomes the name of a struct if the type needs a struct. The
    /// recursion is bounded, because types have a bounded depth.
    fn of(&mut self, of: &Type, name: &str) -> String {
        let (is_nullable, kinds) = of.without_null();
        let text = match kinds.as_slice() {
            [] => "()".to_owned(),
            _ if of.is_open => self.variant(),
            [only] => self.one(only, name),
            several if are(several, [Kind::Int, Kind::Float]) => "f64".to_owned(),
            several if are(several, TEXTS) => "String".to_owned(),
            _ => self.variant(),
        };
        match (is_nullable, text.as_str()) {
            (true, "()") | (_, "Variant") | (false, _) => text,
            (true, _) => format!("Option<{text}>"),
        }
    }

    fn variant(&mut self) -> String {
        self.has_variants = true;
        "Variant".to_owned()
    }

    fn one(&mut self, facts: &Facts, name: &str) -> String {
        let text = match facts.kind {
            Kind::Bool => "bool",
            Kind::Int => "i64",
            Kind::Float => "f64",
            Kind::String | Kind::StringName => "String",
            Kind::Vector2 => "[f32; 2]",
            Kind::Vector3 => "[f32; 3]",
            Kind::Vector4 | Kind::Color => "[f32; 4]",
            Kind::Vector2i => "[i32; 2]",
            Kind::Vector3i => "[i32; 3]",
            Kind::Vector4i => "[i32; 4]",
            Kind::PackedByteArray => "Vec<u8>",
            Kind::PackedInt32Array => "Vec<i32>",
            Kind::PackedInt64Array => "Vec<i64>",
            Kind::PackedFloat32Array => "Vec<f32>",
            Kind::PackedFloat64Array => "Vec<f64>",
            Kind::PackedStringArray => "Vec<String>",
            Kind::PackedVector2Array => "Vec<[f32; 2]>",
            Kind::PackedVector3Array => "Vec<[f32; 3]>",
            Kind::PackedVector4Array | Kind::PackedColorArray => "Vec<[f32; 4]>",
            Kind::Array => return format!("Vec<{}>", self.items(facts, name)),
            Kind::Dictionary => return self.dictionary(facts, name),
            _ => return self.variant(),
        };
        text.to_owned()
    }

    fn items(&mut self, facts: &Facts, name: &str) -> String {
        match &facts.items {
            Some(items) => self.of(items, &RUST.type_name(&singular(name))),
            None => self.variant(),
        }
    }

    fn dictionary(&mut self, facts: &Facts, name: &str) -> String {
        if facts.fields.is_empty() || facts.items.is_some() {
            let key = match facts.keys.as_slice() {
                keys if keys.iter().all(|kind| TEXTS.contains(kind)) => "String",
                [Kind::Int] => "i64",
                _ => return self.variant(),
            };
            if !facts.fields.is_empty() && key != "String" {
                return self.variant();
            }
            self.has_maps = true;
            return format!("HashMap<{key}, {}>", self.items(facts, name));
        }
        let name = self.names.unique(&RUST.type_name(name));
        let mut fields = Names::default();
        let mut text = format!("#[derive(Clone, Debug, Deserialize)]\npub struct {name} {{\n");
        for (key, field) in &facts.fields {
            let own = fields.unique(&RUST.field_name(key));
            let of = self.of(field, key);
            if own != *key {
                let _ = writeln!(text, "    #[serde(rename = {key:?})]");
            }
            if facts.is_optional(field) {
                let of = if of.starts_with("Option<") { of } else { format!("Option<{of}>") };
                let _ = writeln!(text, "    #[serde(default)]\n    pub {own}: {of},");
            } else {
                let _ = writeln!(text, "    pub {own}: {of},");
            }
        }
        text.push_str("}\n");
        self.items.push(text);
        name
    }
}
