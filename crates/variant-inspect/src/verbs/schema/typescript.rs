//! Prints a program as TypeScript types of the values that the npm package decodes to plain objects.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use variant_document::shape::Type;
use variant_view::{Dialect, Kind};

use super::names::Language;
use super::program::{Form, Keeps, Of, Program, ROOT, Struct};

const TYPESCRIPT: Language =
    Language { keeps: Keeps::Nothing, taken: TAKEN, suffix: "", reserved: "", is_ascii: false };

/// Names that already have a meaning in the written code.
const TAKEN: &str = "\
    AABB Array Basis BigInt64Array Callable Color Float32Array Float64Array GodotObject Image InputEvent Int32Array \
    NodePath ObjectId PackedArray PackedColorArray PackedStringArray PackedVector2Array PackedVector2iArray \
    PackedVector3Array PackedVector3iArray PackedVector4Array PackedVector4iArray Plane Projection Quaternion RID Record \
    Rect2 Rect2i Signal Transform2D Transform3D Uint8Array Value Vector2 Vector2i Vector3 Vector3i Vector4 Vector4i";

/// Returns a module with the types of a file.
pub(super) fn module(of: &Type, dialect: Dialect) -> String {
    let program = Program::new(of, TYPESCRIPT);
    let mut module = Module { program: &program, imports: BTreeSet::new() };
    let root = module.form(&program.root);
    let structs: Vec<_> = program.structs.iter().rev().map(|of| module.structure(of)).collect();
    let mut text = format!("{HEAD}import {{ decode }} from \"@variant-view/wasm\";\n");
    if !module.imports.is_empty() {
        let names: Vec<_> = module.imports.iter().copied().collect();
        let _ =
            writeln!(text, "import type {{ {} }} from \"@variant-view/wasm\";", names.join(", "));
    }
    if root != ROOT {
        let _ = write!(text, "\nexport type {ROOT} = {root};\n");
    }
    for item in structs {
        text.push('\n');
        text.push_str(&item);
    }
    let _ = write!(
        text,
        "\n/** Reads the bytes of one value. The kinds are not checked. */\n\
         export function read(bytes: Uint8Array): {ROOT} {{\n  \
         return decode(bytes, {{ dialect: \"{dialect}\", dictionaries: \"object\" }}) as unknown as {ROOT};\n}}\n",
    );
    text
}

const HEAD: &str = "\
// Written by `variant-inspect schema --typescript`: the types of values that `decode` of @variant-view/wasm returns with\n\
// `dictionaries: \"object\"`. An integer beyond 53 bits is a bigint.\n";

struct Module<'p> {
    program: &'p Program,
    imports: BTreeSet<&'static str>,
}

impl Module<'_> {
    fn form(&mut self, form: &Form) -> String {
        let text = self.of(&form.of);
        if form.is_nullable { format!("{text} | null") } else { text }
    }

    fn of(&mut self, of: &Of) -> String {
        match of {
            Of::Any => self.import("Value").to_owned(),
            Of::Null => "null".to_owned(),
            Of::Leaf { kind, is_wide } => self.leaf(*kind, *is_wide),
            Of::Array { items, .. } => format!("Array<{}>", self.form(items)),
            // The keys of plain objects are strings.
            Of::Map { items, .. } => format!("Record<string, {}>", self.form(items)),
            Of::Struct(number) => {
                self.program.structs.get(*number).map_or_else(String::new, |of| of.name.clone())
            }
            Of::Union(forms) => {
                let forms: Vec<_> = forms.iter().map(|form| self.form(form)).collect();
                forms.join(" | ")
            }
        }
    }

    fn import(&mut self, name: &'static str) -> &'static str {
        self.imports.insert(name);
        name
    }

    fn leaf(&mut self, kind: Kind, is_wide: bool) -> String {
        let name = match kind {
            Kind::Bool => "boolean",
            Kind::Int if is_wide => "number | bigint",
            Kind::Int | Kind::Float => "number",
            Kind::String | Kind::StringName => "string",
            Kind::PackedByteArray => "Uint8Array",
            Kind::PackedInt32Array => "Int32Array",
            Kind::PackedInt64Array => "BigInt64Array",
            Kind::PackedFloat32Array => "Float32Array",
            Kind::PackedFloat64Array => "Float64Array",
            Kind::Array | Kind::TypedArray | Kind::PackedTypedArray => {
                return format!("Array<{}>", self.import("Value"));
            }
            Kind::Dictionary => return format!("Record<string, {}>", self.import("Value")),
            Kind::Object => {
                let names = ["GodotObject", "ObjectId"].map(|name| self.import(name));
                return format!("{} | null", names.join(" | "));
            }
            kind => self.import(kind.name()),
        };
        name.to_owned()
    }

    fn structure(&mut self, of: &Struct) -> String {
        let mut text = format!("export type {} = {{\n", of.name);
        for field in &of.fields {
            let key = property(&field.key);
            let optional = if field.is_optional { "?" } else { "" };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  {key}{optional}: {};", self.form(&field.form));
        }
        text.push_str("};\n");
        text
    }
}

/// A key as the name of a property.
fn property(key: &str) -> String {
    let is_plain = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_plain { key.to_owned() } else { serde_json::Value::from(key).to_string() }
}
