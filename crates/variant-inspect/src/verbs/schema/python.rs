//! Prints a program as Python types of the values that the package `variant_view` decodes.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use variant_document::Plain;
use variant_document::shape::Type;
use variant_view::Kind;

use super::names::Language;
use super::program::{Field, Form, Keeps, Of, Program, ROOT, Struct};

const PYTHON: Language = Language {
    keeps: Keeps::Nothing,
    taken: TAKEN,
    suffix: "",
    reserved: KEYWORDS,
    is_ascii: false,
};

const KEYWORDS: &str = "\
    False None True and as assert async await break class continue def del elif else except finally for from \
    global if import in is lambda nonlocal not or pass raise return try while with yield";

/// Names that already have a meaning in the written code.
const TAKEN: &str = "\
    AABB Any Basis Callable Color False Image InputEvent NodePath None NotRequired NullObject Object ObjectId \
    PackedArray PackedStringArray Plane Projection Quaternion RID Rect2 Rect2i Signal StringName Transform2D \
    Transform3D True TypedDict Vector2 Vector2i Vector3 Vector3i Vector4 Vector4i";

/// The built-in types of Python that the written code uses.
const BUILT_IN: &str = "bool dict float int list str";

/// Returns a module with the types of files that are read as `file`.
pub(super) fn module(of: &Type, file: Plain<'_>) -> String {
    let program = Program::new(of, PYTHON);
    let mut module = Module { program: &program, imports: BTreeSet::new() };
    // Each class comes after the classes that it names.
    let structs: Vec<_> = program.structs.iter().map(|of| module.structure(of)).collect();
    let root = module.form(&program.root);
    let imports = ["typing", "variant_view", "variant_view.math", "variant_view.values"];
    let [typing, view, math, values] = imports.map(|from| module.imports_of(from));
    let mut text = format!(
        "{HEAD}\nfrom __future__ import annotations\n\n{typing}\nimport variant_view\n{view}{math}{values}"
    );
    for item in structs {
        text.push_str("\n\n");
        text.push_str(&item);
    }
    if root != ROOT {
        let _ = write!(text, "\n\n{ROOT} = {root}\n");
    }
    let framing = file.framing.name();
    let dialect = file.options.dialect;
    let skip = if file.skipped > 0 { format!(", skip={}", file.skipped) } else { String::new() };
    let _ = write!(
        text,
        "\n\ndef load(path: str) -> list[{ROOT}]:\n    \
         \"\"\"Reads the values of a file. Their kinds are not checked.\"\"\"\n    \
         with variant_view.open(path, dialect=\"{dialect}\", framing=\"{framing}\"{skip}) as file:\n        \
         return [document.to_python() for document in file]\n",
    );
    text
}

const HEAD: &str = "\
# Written by `variant-inspect schema --python`: the types of values that `to_python` of the package variant_view returns.\n";

struct Module<'p> {
    program: &'p Program,
    /// The imported names. Each pair is a module and a name in this module.
    imports: BTreeSet<(&'static str, &'static str)>,
}

impl Module<'_> {
    fn form(&mut self, form: &Form) -> String {
        let text = self.of(&form.of);
        if form.is_nullable && text != "Any" { format!("{text} | None") } else { text }
    }

    fn of(&mut self, of: &Of) -> String {
        match of {
            Of::Any => self.import("typing", "Any").to_owned(),
            Of::Null => "None".to_owned(),
            Of::Leaf { kind, .. } => self.leaf(*kind),
            Of::Array { items, .. } => format!("list[{}]", self.form(items)),
            Of::Map { key, items, .. } => {
                // The package wraps a key that is a container, so its type is not that of the container.
                let key = match key {
                    None | Some(Kind::Array | Kind::Dictionary | Kind::Object) => {
                        self.import("typing", "Any").to_owned()
                    }
                    Some(key) => self.leaf(*key),
                };
                format!("dict[{key}, {}]", self.form(items))
            }
            Of::Struct(number) => {
                self.program.structs.get(*number).map_or_else(String::new, |of| of.name.clone())
            }
            Of::Union(forms) => {
                let forms: Vec<_> = forms.iter().map(|form| self.form(form)).collect();
                forms.join(" | ")
            }
        }
    }

    /// The line that imports the used names of a module.
    fn imports_of(&self, module: &str) -> String {
        let names = self.imports.iter().filter(|(of, _)| *of == module).map(|(_, name)| *name);
        let names: Vec<_> = names.collect();
        match names.as_slice() {
            [] => String::new(),
            names => format!("from {module} import {}\n", names.join(", ")),
        }
    }

    fn import(&mut self, module: &'static str, name: &'static str) -> &'static str {
        self.imports.insert((module, name));
        name
    }

    fn leaf(&mut self, kind: Kind) -> String {
        let name = match kind {
            Kind::Nil => "None",
            Kind::Bool => "bool",
            Kind::Int => "int",
            Kind::Float => "float",
            Kind::String => "str",
            Kind::Array | Kind::TypedArray | Kind::PackedTypedArray => {
                return format!("list[{}]", self.import("typing", "Any"));
            }
            Kind::Dictionary => {
                let any = self.import("typing", "Any");
                return format!("dict[{any}, {any}]");
            }
            Kind::Object => {
                let names = ["NullObject", "Object", "ObjectId"];
                return names.map(|name| self.import("variant_view.values", name)).join(" | ");
            }
            Kind::PackedStringArray => self.import("variant_view.values", kind.name()),
            kind => match kind.shape() {
                Some(shape) if shape.is_packed => self.import("variant_view", "PackedArray"),
                Some(_) => self.import("variant_view.math", kind.name()),
                None => self.import("variant_view.values", kind.name()),
            },
        };
        name.to_owned()
    }

    fn structure(&mut self, of: &Struct) -> String {
        self.import("typing", "TypedDict");
        let is_class = of.fields.iter().all(|field| self.is_attribute(&field.key));
        let Struct { name, fields } = of;
        let mut text = if is_class {
            format!("class {name}(TypedDict):\n")
        } else {
            format!("{name} = TypedDict(\"{name}\", {{\n")
        };
        for field in fields {
            let of = self.field(field);
            let key = serde_json::Value::from(field.key.as_str());
            // Writing to a string cannot fail.
            let _ = if is_class {
                writeln!(text, "    {}: {of}", field.key)
            } else {
                writeln!(text, "    {key}: {of},")
            };
        }
        if !is_class {
            text.push_str("})\n");
        }
        text
    }

    /// Whether a key can be an attribute of a class: it must be an identifier that no type has as its name.
    fn is_attribute(&self, key: &str) -> bool {
        let is_taken = [KEYWORDS, BUILT_IN, TAKEN]
            .iter()
            .any(|names| names.split_whitespace().any(|name| name == key));
        !is_taken
            && !self.program.structs.iter().any(|of| of.name == key)
            // In a class, Python changes names that begin with two underscores.
            && !key.starts_with("__")
            && key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    }

    fn field(&mut self, field: &Field) -> String {
        let text = self.form(&field.form);
        if !field.is_optional {
            return text;
        }
        format!("{}[{text}]", self.import("typing", "NotRequired"))
    }
}
