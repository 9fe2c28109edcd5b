//! Prints a program as Rust types that derive `Serialize` and `Deserialize`, for `variant-serde`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use variant_document::Plain;
use variant_document::shape::{Declared, Type};
use variant_io::{ByteOrder, Framing};
use variant_view::{Kind, NumberType, Reals};

use super::names::Language;
use super::program::{Field, Form, Keeps, Of, Program, ROOT, Struct};

const RUST: Language =
    Language { keeps: Keeps::Bytes, taken: TAKEN, suffix: "", reserved: KEYWORDS, is_ascii: false };

const KEYWORDS: &str = "\
    abstract as async await become box break const continue crate do dyn else enum extern false final fn \
    for gen if impl in let loop macro match mod move mut override priv pub ref return self static struct \
    super trait true try type typeof unsafe unsized use virtual where while yield";

/// Names that already have a meaning in the written code.
const TAKEN: &str = "\
    AABB AABBDouble AsMut AsRef Basis BasisDouble Box ByteOrder Clone Color ColorDouble Copy Debug Default \
    Deserialize Deserializer Dialect DoubleEndedIterator Drop EncodeOptions Eq Err Error ExactSizeIterator \
    Extend Fn FnMut FnOnce Framing From FromIterator IndexMap Into IntoIterator Iterator Kind Limits NodePath \
    None Objects Ok OpenOptions Option Options Ord PackedArray PackedItem PartialEq PartialOrd Path Plane \
    PlaneDouble Projection ProjectionDouble Quaternion QuaternionDouble Reading Reals Rect2 Rect2Double Rect2i \
    Result Self Send Serialize Sized Some String StringName Sync ToOwned ToString Transform2D Transform2DDouble \
    Transform3D Transform3DDouble TryFrom TryInto TypedArray TypedError TypedFile TypedItem Unpin Variant Vec \
    Vector2 Vector2Double Vector2i Vector3 Vector3Double Vector3i Vector4 Vector4Double Vector4i Widths";

/// Returns a module with the types of files that are read as `file`.
pub(super) fn module(of: &Type, file: Plain<'_>) -> String {
    let program = Program::new(of, RUST);
    let mut module = Module { program: &program, math: BTreeMap::new(), impls: BTreeMap::new() };
    let root = module.form(&program.root);
    // The outermost struct comes first.
    let structs: Vec<_> = program.structs.iter().rev().map(|of| module.structure(of)).collect();
    let mut items = String::new();
    if root != ROOT {
        let _ = write!(items, "\n/// The whole value.\npub type {ROOT} = {root};\n");
    }
    for item in structs.iter().chain(module.math.values()).chain(module.impls.values()) {
        items.push('\n');
        items.push_str(item);
    }
    items.push_str(&functions(file, &program));
    format!("{HEAD}\n{}{items}", uses(&items))
}

const HEAD: &str = "\
// Written by `variant-inspect schema --rust`. Needs serde (derive), indexmap (serde), variant-document (output, serde),
// variant-io, variant-owned, variant-serde and variant-view. `load` opens a file, and the file's `save` writes it. Values
// of other kinds and unknown keys are refused, since they could not be written back.
#![allow(dead_code, missing_docs, unreachable_pub)]
";

/// The imports of these items, in the order of rustfmt.
fn uses(items: &str) -> String {
    const ALL: [(&str, &[&str]); 8] = [
        ("std::path", &["Path"]),
        ("indexmap", &["IndexMap"]),
        ("serde", &["Deserialize", "Deserializer", "Serialize"]),
        ("variant_document", &["Reading"]),
        ("variant_document::typed", &["TypedError", "TypedFile"]),
        ("variant_io", &["ByteOrder", "Framing", "OpenOptions"]),
        ("variant_owned", &["EncodeOptions", "Variant", "Widths"]),
        ("variant_view", &["Dialect", "Kind", "Limits", "Objects", "Options", "Reals"]),
    ];
    const SERDE: [&str; 6] =
        ["NodePath", "PackedArray", "PackedItem", "StringName", "TypedArray", "TypedItem"];
    let words: Vec<_> = items.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let used = |names: &[&str]| -> Vec<String> {
        names.iter().filter(|name| words.contains(*name)).map(|name| (*name).to_owned()).collect()
    };
    let mut text = String::new();
    for (path, names) in ALL {
        if path == "variant_view" {
            let mut names = used(&SERDE);
            let mut modules: Vec<_> = words.iter().filter(|word| word.starts_with("as_")).collect();
            modules.sort_unstable();
            modules.dedup();
            names.extend(modules.into_iter().map(|module| (*module).to_owned()));
            names.extend(["from_slice", "to_vec"].map(str::to_owned));
            line(&mut text, "variant_serde", &names);
        }
        line(&mut text, path, &used(names));
        if path == "std::path" {
            text.push('\n');
        }
    }
    text
}

fn line(text: &mut String, path: &str, names: &[String]) {
    // Writing to a string cannot fail.
    let _ = match names {
        [] => Ok(()),
        [only] => writeln!(text, "use {path}::{only};"),
        several => writeln!(text, "use {path}::{{{}}};", several.join(", ")),
    };
}

struct Module<'p> {
    program: &'p Program,
    /// The newtypes of mathematical values, by their names.
    math: BTreeMap<String, String>,
    /// The types that are elements of packed and typed arrays, and their implementations of a trait.
    impls: BTreeMap<(String, &'static str), String>,
}

impl Module<'_> {
    fn form(&mut self, form: &Form) -> String {
        let text = self.of(&form.of);
        if form.is_nullable && text != VARIANT { format!("Option<{text}>") } else { text }
    }

    fn of(&mut self, of: &Of) -> String {
        match of {
            Of::Any | Of::Union(_) => VARIANT.to_owned(),
            Of::Null => "()".to_owned(),
            Of::Leaf { kind, is_wide } => self.leaf(*kind, *is_wide),
            Of::Array { kind, items, declared } => self.array(*kind, items, *declared),
            Of::Map { key, items, declared } => self.map(*key, items, *declared),
            Of::Struct(number) => self.name(*number).to_owned(),
        }
    }

    fn name(&self, number: usize) -> &str {
        self.program.structs.get(number).map_or(VARIANT, |of| &of.name)
    }

    fn leaf(&mut self, kind: Kind, is_wide: bool) -> String {
        match kind {
            Kind::Bool => "bool",
            Kind::Int => "i64",
            Kind::Float => "f64",
            Kind::String => "String",
            Kind::StringName => "StringName",
            Kind::NodePath => "NodePath",
            Kind::PackedStringArray => "PackedArray<Vec<String>>",
            Kind::PackedColorArray => {
                let color = self.newtype(Kind::Color, false);
                self.implement(&color, "PackedItem", kind);
                "PackedArray<Vec<Color>>"
            }
            _ => match numbers(kind, is_wide) {
                Some(_) if !kind.shape().is_some_and(|shape| shape.is_packed) => {
                    return self.newtype(kind, is_wide);
                }
                Some(element) => return format!("PackedArray<Vec<{element}>>"),
                None => VARIANT,
            },
        }
        .to_owned()
    }

    /// A newtype for a mathematical value that is not a field.
    fn newtype(&mut self, kind: Kind, is_wide: bool) -> String {
        let name = format!("{}{}", kind.name(), if is_wide { "Double" } else { "" });
        let numbers = numbers(kind, is_wide).unwrap_or_default();
        self.math.entry(name.clone()).or_insert_with(|| {
            format!(
                "{DERIVE_COPY}\n#[serde(transparent)]\npub struct {name}(#[serde(with = \"{}\")] pub {numbers});\n",
                module_of(kind)
            )
        });
        name
    }

    fn implement(&mut self, name: &str, of: &'static str, kind: Kind) {
        let text = format!("impl {of} for {name} {{\n    const KIND: Kind = Kind::{kind:?};\n}}\n");
        self.impls.insert((name.to_owned(), of), text);
    }

    fn array(&mut self, kind: Kind, items: &Form, declared: Declared) -> String {
        let Some(element) = declared.items else {
            return match kind {
                Kind::Array => format!("Vec<{}>", self.form(items)),
                _ => VARIANT.to_owned(),
            };
        };
        if items.is_nullable || kind == Kind::PackedTypedArray {
            return VARIANT.to_owned();
        }
        match &items.of {
            Of::Leaf { kind, is_wide } if *kind == element => self.typed(*kind, *is_wide),
            Of::Struct(number) if element == Kind::Dictionary => {
                let name = self.name(*number).to_owned();
                self.implement(&name, "TypedItem", element);
                format!("TypedArray<Vec<{name}>>")
            }
            Of::Array { declared: Declared { items: None, .. }, kind: Kind::Array, .. }
                if element == Kind::Array =>
            {
                format!("TypedArray<Vec<{}>>", self.form(items))
            }
            _ => VARIANT.to_owned(),
        }
    }

    /// The type of an array whose elements have a declared kind.
    fn typed(&mut self, kind: Kind, is_wide: bool) -> String {
        let text = self.leaf(kind, is_wide);
        let is_math = kind.shape().is_some_and(|shape| !shape.is_packed);
        if is_math {
            self.implement(&text, "TypedItem", kind);
        }
        let is_scalar = matches!(
            kind,
            Kind::Bool | Kind::Int | Kind::Float | Kind::String | Kind::StringName | Kind::NodePath
        );
        if is_math || is_scalar { format!("TypedArray<Vec<{text}>>") } else { VARIANT.to_owned() }
    }

    fn map(&mut self, key: Option<Kind>, items: &Form, declared: Declared) -> String {
        let key = match key {
            _ if declared != Declared::default() => return VARIANT.to_owned(),
            Some(Kind::String) => "String",
            Some(Kind::StringName) => "StringName",
            Some(Kind::Int) => "i64",
            _ => return VARIANT.to_owned(),
        };
        format!("IndexMap<{key}, {}>", self.form(items))
    }

    fn structure(&mut self, of: &Struct) -> String {
        let name = &of.name;
        let mut text = format!("{DERIVE}\n#[serde(deny_unknown_fields)]\npub struct {name} {{\n");
        for field in &of.fields {
            text.push_str(&self.field(field));
        }
        text.push_str("}\n");
        text
    }

    fn field(&mut self, field: &Field) -> String {
        let Field { key, name, form, is_optional } = field;
        let mut attributes = Vec::new();
        if name != key {
            attributes.push(format!("rename = {key:?}"));
        }
        let mut text = match form {
            // A field that always has a value needs no newtype. Other places of a mathematical value need one.
            Form { is_nullable: false, of: Of::Leaf { kind, is_wide } }
                if !is_optional && kind.shape().is_some_and(|shape| !shape.is_packed) =>
            {
                attributes.push(format!("with = \"{}\"", module_of(*kind)));
                numbers(*kind, *is_wide).unwrap_or_default()
            }
            form => self.form(form),
        };
        if *is_optional {
            text = format!("Option<{text}>");
            attributes.push(OPTIONAL.to_owned());
        }
        let attributes = match attributes.as_slice() {
            [] => String::new(),
            all => format!("    #[serde({})]\n", all.join(", ")),
        };
        format!("{attributes}    pub {name}: {text},\n")
    }
}

/// The type of values for which no other type would write the same bytes.
const VARIANT: &str = "Variant";

const DERIVE: &str = "#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]";
const DERIVE_COPY: &str = "#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]";
const OPTIONAL: &str =
    "default, deserialize_with = \"present\", skip_serializing_if = \"Option::is_none\"";

/// The type of the numbers of a mathematical value, or of an element of a packed array.
fn numbers(kind: Kind, is_wide: bool) -> Option<String> {
    let shape = kind.shape()?;
    let number = match shape.number {
        NumberType::Byte => "u8",
        NumberType::Int32 => "i32",
        NumberType::Int64 => "i64",
        NumberType::Float32 => "f32",
        NumberType::Float64 => "f64",
        NumberType::Real => {
            if is_wide {
                "f64"
            } else {
                "f32"
            }
        }
    };
    let is_one = shape.count == 1;
    Some(if is_one { number.to_owned() } else { format!("[{number}; {}]", shape.count) })
}

/// The module of `variant-serde` that writes a mathematical value.
fn module_of(kind: Kind) -> String {
    format!("as_{}", kind.name().to_lowercase())
}

/// The functions that read and write.
fn functions(file: Plain<'_>, program: &Program) -> String {
    let options = file.options;
    let dialect = format!("Dialect::{:?}", options.dialect);
    let (reals, of_reading) = match options.reals {
        Reals::ByFlag => ("", ""),
        Reals::Always64 => (".reals(Reals::Always64)", "\n        reals: Some(Reals::Always64),"),
    };
    let skip = match file.skipped {
        0 => String::new(),
        skipped => format!("\n        skip: {skipped},"),
    };
    let widths = if program.has_usual_widths { ".widths(Widths::Canonical)" } else { "" };
    let framing = framing(file.framing, &dialect);
    let present = if program.structs.iter().flat_map(|of| &of.fields).any(|field| field.is_optional)
    {
        PRESENT
    } else {
        ""
    };
    format!(
        "
/// Opens a file of saves. `layers` has the key of an encrypted file.
pub fn load(path: impl AsRef<Path>, layers: OpenOptions) -> Result<TypedFile<{ROOT}>, TypedError> {{
    let reading = Reading {{
        dialect: Some({dialect}),
        framing: Some({framing}),{of_reading}{skip}
        layers,
        ..Reading::new()
    }};
    TypedFile::open(path, &reading)
}}

/// Reads the bytes of one value.
pub fn from_bytes(bytes: &[u8]) -> Result<{ROOT}, variant_serde::Error> {{
    let options = Options::engine({dialect}){reals};
    from_slice(bytes, options.objects(Objects::Accept).limits(Limits::FILE))
}}

/// The bytes of one value, as the engine writes it.
pub fn to_bytes(save: &{ROOT}) -> Result<Vec<u8>, variant_serde::Error> {{
    to_vec(save, EncodeOptions::new({dialect}){reals}{widths})
}}
{present}"
    )
}

/// A key that exists has a value, even if the value is null.
const PRESENT: &str = "
/// Reads a key that a dictionary may lack. Null is a value.
fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}
";

fn framing(framing: Framing, dialect: &str) -> String {
    match framing {
        Framing::Bare => "Framing::Bare".to_owned(),
        Framing::Frames(ByteOrder::Little) => "Framing::Frames(ByteOrder::Little)".to_owned(),
        Framing::Frames(ByteOrder::Big) => "Framing::Frames(ByteOrder::Big)".to_owned(),
        Framing::Settings => "Framing::Settings".to_owned(),
        Framing::Sequence(_) => format!("Framing::Sequence({dialect})"),
    }
}
