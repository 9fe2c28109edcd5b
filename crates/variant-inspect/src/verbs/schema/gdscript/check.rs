//! Prints the functions that find the first fault of a value.

use variant_document::shape::Declared;
use variant_view::Kind;

use super::super::program::{Field, Form, Of};
use super::{Lines, Script, quoted};

impl Script<'_> {
    /// The lines that find a fault of a field.
    pub(super) fn checking(&self, field: &Field) -> String {
        let Field { key, form, is_optional, .. } = field;
        let (key, mut lines) = (quoted(key), Lines::new(2));
        lines.add(format_args!("if found == \"\":"));
        lines.level = 3;
        let kinds = self.kinds(form);
        lines.add(format_args!("found = Check.field(data, path, {key}, {kinds}, {is_optional})"));
        let place = format!("Check.inside(path, {key})");
        let inside = self.checking_inside(form, &format!("data[{key}]"), &place);
        if !inside.is_empty() {
            lines.level = 2;
            let has = if *is_optional { format!(" and data.has({key})") } else { String::new() };
            let has_value =
                if form.is_nullable { format!(" and data[{key}] != null") } else { String::new() };
            lines.add(format_args!("if found == \"\"{has}{has_value}:"));
            lines.level = 3;
            for line in inside {
                lines.add(format_args!("{line}"));
            }
        }
        lines.text
    }

    /// The lines that find a fault in a value. `place` is the expression of its path.
    fn checking_inside(&self, form: &Form, value: &str, place: &str) -> Vec<String> {
        let (items, declared) = match &form.of {
            Of::Struct(number) => {
                let class = self.class_name(*number);
                return vec![format!("found = {class}.fault({value}, {place})")];
            }
            Of::Array { items, declared, .. } => (items, *declared),
            Of::Map { items, .. } => (items, Declared::default()),
            _ => return Vec::new(),
        };
        let mut lines = Vec::new();
        if let (true, Some(kind)) = (self.is_godot4, declared.items) {
            let kind = self.name_of(kind);
            lines.push(format!("found = Check.typed({value}, {place}, \"{kind}\")"));
        }
        // If an array declares the kind of its elements, and the elements have no fields, the elements need no check.
        if !lines.is_empty() && !matches!(items.of, Of::Struct(_)) {
            return lines;
        }
        let each = match form.of {
            Of::Map { .. } => value.to_owned(),
            _ => format!("range({value}.size())"),
        };
        let (item, place) = (format!("{value}[item]"), format!("Check.inside({place}, item)"));
        let check = match &items.of {
            Of::Struct(number) if !items.is_nullable => {
                format!("{}.fault({item}, {place})", self.class_name(*number))
            }
            _ => match self.kinds(items).as_str() {
                "[]" => return lines,
                kinds => format!("Check.kind({item}, {place}, {kinds})"),
            },
        };
        lines.push(format!("for item in {each}:"));
        lines.push("\tif found == \"\":".to_owned());
        lines.push(format!("\t\tfound = {check}"));
        lines
    }

    /// The names of the kinds of values, as an array. Empty for values of any kind.
    fn kinds(&self, form: &Form) -> String {
        let kind = match &form.of {
            Of::Any | Of::Union(_) => return "[]".to_owned(),
            Of::Null => return "[\"Nil\"]".to_owned(),
            Of::Leaf { kind, .. } | Of::Array { kind, .. } => *kind,
            Of::Map { .. } | Of::Struct(_) => Kind::Dictionary,
        };
        let nil = if form.is_nullable { "\"Nil\", " } else { "" };
        format!("[{nil}\"{}\"]", self.name_of(kind))
    }

    /// The class with the functions that all classes use.
    pub(super) fn check(&self) -> String {
        let mut names: Vec<_> = Kind::ALL
            .iter()
            .filter_map(|kind| Some((self.dialect.id(*kind)?, quoted(&self.name_of(*kind)))))
            .collect();
        names.sort();
        let names: Vec<_> = names.into_iter().map(|(_, name)| name).collect();
        let typed = if self.is_godot4 { TYPED } else { "" };
        let is_empty = if self.is_godot4 { "kinds.is_empty()" } else { "kinds.empty()" };
        CHECK.replace("NAMES", &names.join(", ")).replace("EMPTY", is_empty) + typed
    }
}

/// The functions return a fault as text, or an empty text. `kinds` without a name allows every kind.
const CHECK: &str = "class Check:
\tconst KINDS = [NAMES]

\tstatic func inside(path: String, key) -> String:
\t\tif typeof(key) != TYPE_STRING:
\t\t\treturn path + \"[\" + str(key) + \"]\"
\t\treturn key if path == \"\" else path + \".\" + key

\tstatic func kind(value, path: String, kinds: Array) -> String:
\t\tvar found = KINDS[typeof(value)]
\t\tif EMPTY or found in kinds:
\t\t\treturn \"\"
\t\treturn path + \": expected \" + str(kinds) + \", found \" + found

\tstatic func field(data, path: String, key: String, kinds: Array, is_optional: bool) -> String:
\t\tif data.has(key):
\t\t\treturn kind(data[key], inside(path, key), kinds)
\t\treturn \"\" if is_optional else inside(path, key) + \": the key is missing\"

\tstatic func only(data, path: String, known: Array) -> String:
\t\tvar found = kind(data, path, [\"Dictionary\"])
\t\tif found != \"\":
\t\t\treturn found
\t\tfor key in data:
\t\t\tif not key in known:
\t\t\t\treturn inside(path, key) + \": the key is unknown\"
\t\treturn \"\"
";

const TYPED: &str = "
\tstatic func typed(value, path: String, expected: String) -> String:
\t\tvar found = KINDS[value.get_typed_builtin()]
\t\treturn \"\" if found == expected else path + \": expected an array of \" + expected + \", found one of \" + found
";
