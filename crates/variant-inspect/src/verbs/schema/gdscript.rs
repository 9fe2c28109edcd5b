//! Prints a program as GDScript classes that read values and give them back.

mod check;

use std::fmt::Write as _;

use variant_document::shape::{Declared, Type};
use variant_owned::TextStyle;
use variant_view::{Dialect, Kind};

use super::names::Language;
use super::program::{Field, Form, Keeps, Of, Program, ROOT, Struct};

/// Names that a field cannot have: keywords, and the functions and members of every script.
const RESERVED: &str = "\
    abs acos and as asin assert atan await bool break breakpoint call ceil char clamp class class_name \
    connect const continue convert cos data elif else emit_signal enum exp export extends false fault float \
    floor for free func get hash if in int is item len lerp load log master match max min name not \
    notification null or ord pass path pow preload print puppet range reference remote round script seed self \
    set setget sign signal sin slave sqrt static step stepify str super sync tan to_dictionary to_string tool tr \
    trait true typeof unreference var void weakref while yield";

/// Returns the classes of a file, in the language of the engine that wrote it.
pub(super) fn classes(of: &Type, dialect: Dialect) -> String {
    let is_godot4 = dialect == Dialect::Godot4;
    let language = Language {
        keeps: Keeps::Values,
        taken: "",
        // A class cannot have the name of an engine class, such as `Camera` or `Timer`, so the names get a suffix.
        suffix: "Data",
        reserved: RESERVED,
        // Godot 3 and Pandemonium read only ASCII letters in names.
        is_ascii: !is_godot4,
    };
    let program = Program::new(of, language);
    let script = Script { program: &program, dialect, is_godot4 };
    let base = if is_godot4 { "RefCounted" } else { "Reference" };
    let mut text = format!("extends {base}\n{HEAD}");
    if let Of::Struct(_) = program.root.of {
        text.push_str(READ);
    } else {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "# The value is of the type {}.", script.of(&program.root));
    }
    for of in program.structs.iter().rev() {
        text.push('\n');
        text.push_str(&script.class(of));
    }
    if !program.structs.is_empty() {
        text.push('\n');
        text.push_str(&script.check());
    }
    text
}

const HEAD: &str = "# Written by `variant-inspect schema --gdscript`.\n";

const READ: &str = "# `read` takes the value that get_var returns. For a value of another shape it prints the fault, and
# returns null. `to_dictionary` of the result returns the value for store_var.

static func read(value):
\tvar found = Save.fault(value, \"\")
\tif found != \"\":
\t\tpush_error(found)
\t\treturn null
\treturn Save.new(value)
";

#[derive(Debug)]
struct Script<'p> {
    program: &'p Program,
    dialect: Dialect,
    is_godot4: bool,
}

/// The way in which a variable of a class holds the value of a field.
enum Held<'p> {
    /// As the value that was read.
    Value,
    /// As an object of a class.
    Object(&'p str),
    /// As an array of objects of a class.
    Objects(&'p str),
    /// As a dictionary of objects of a class.
    ObjectsByKey(&'p str),
}

impl<'p> Script<'p> {
    /// The type of a variable; empty if no type fits all values. In GDScript, only a variable of a class can be null.
    fn of(&self, form: &Form) -> String {
        if form.is_nullable && !matches!(form.of, Of::Struct(_)) {
            return String::new();
        }
        let is_object = |items: &Form| matches!(items.of, Of::Struct(_));
        match &form.of {
            Of::Any
            | Of::Null
            | Of::Union(_)
            | Of::Leaf {
                kind: Kind::Object | Kind::Nil | Kind::Image | Kind::InputEvent, ..
            } => String::new(),
            Of::Leaf { kind: Kind::TypedArray | Kind::PackedTypedArray, .. } => "Array".to_owned(),
            Of::Leaf { kind, .. } => self.name_of(*kind),
            // If the items become objects of a class, the container cannot declare the old type of the items.
            Of::Array { items, .. } if is_object(items) => "Array".to_owned(),
            Of::Map { items, .. } if is_object(items) => "Dictionary".to_owned(),
            Of::Array { declared, .. } => format!("Array{}", self.types(*declared, true)),
            Of::Map { declared, .. } => format!("Dictionary{}", self.types(*declared, false)),
            Of::Struct(number) => self.class_name(*number).to_owned(),
        }
    }

    fn class_name(&self, number: usize) -> &'p str {
        self.program.structs.get(number).map_or(ROOT, |of| &of.name)
    }

    fn held(&self, form: &Form) -> Held<'p> {
        let class_of = |items: &Form| match items {
            Form { is_nullable: false, of: Of::Struct(number) } => Some(self.class_name(*number)),
            _ => None,
        };
        match &form.of {
            Of::Struct(number) => Held::Object(self.class_name(*number)),
            Of::Array { items, .. } if !form.is_nullable => {
                class_of(items).map_or(Held::Value, Held::Objects)
            }
            Of::Map { items, .. } if !form.is_nullable => {
                class_of(items).map_or(Held::Value, Held::ObjectsByKey)
            }
            _ => Held::Value,
        }
    }

    /// The types that a container declares in Godot 4, such as `[int]`. Empty without declared types.
    fn types(&self, declared: Declared, is_array: bool) -> String {
        let name =
            |kind: Option<Kind>| kind.map_or("Variant".to_owned(), |kind| self.name_of(kind));
        match declared {
            _ if !self.is_godot4 => String::new(),
            Declared { items: None, keys: None } => String::new(),
            Declared { items, .. } if is_array => format!("[{}]", name(items)),
            Declared { items, keys } => format!("[{}, {}]", name(keys), name(items)),
        }
    }

    /// The name of a kind in the engine.
    fn name_of(&self, kind: Kind) -> String {
        let has_quat =
            matches!(self.dialect, Dialect::Godot2 | Dialect::Godot3 | Dialect::Pandemonium3);
        let name = kind.name();
        match kind {
            Kind::Rid => "RID".to_owned(),
            _ if self.is_godot4 => name.to_owned(),
            Kind::PackedInt32Array | Kind::PackedInt64Array => "PoolIntArray".to_owned(),
            Kind::PackedFloat32Array | Kind::PackedFloat64Array => "PoolRealArray".to_owned(),
            Kind::Transform3D => "Transform".to_owned(),
            Kind::Quaternion if has_quat => "Quat".to_owned(),
            _ => name.replacen("Packed", "Pool", 1),
        }
    }

    fn class(&self, of: &Struct) -> String {
        let each =
            |part: &dyn Fn(&Field) -> String| -> String { of.fields.iter().map(part).collect() };
        let keys: Vec<_> = of.fields.iter().map(|field| quoted(&field.key)).collect();
        format!(
            "class {}:\n{}\n\tfunc _init(data: Dictionary):\n{}\n\tfunc to_dictionary() -> Dictionary:\n\t\tvar data = {{}}\n\
             {}\t\treturn data\n\n\tstatic func fault(data, path: String) -> String:\n\t\tvar found = Check.only(data, \
             path, [{}])\n{}\t\treturn found\n",
            of.name,
            each(&|field| self.variable(field)),
            each(&|field| self.reading(field)),
            each(&|field| self.writing(field)),
            keys.join(", "),
            each(&|field| self.checking(field)),
        )
    }

    fn variable(&self, field: &Field) -> String {
        let Field { name, form, is_optional, .. } = field;
        let of = self.of(form);
        let typed = if of.is_empty() { String::new() } else { format!(": {of}") };
        let empty = match self.held(form) {
            Held::Objects(_) => " = []",
            Held::ObjectsByKey(_) => " = {}",
            Held::Value | Held::Object(_) => "",
        };
        let has = if *is_optional { format!("\tvar has_{name} = false\n") } else { String::new() };
        format!("\tvar {name}{typed}{empty}\n{has}")
    }

    /// The lines that fill a variable.
    fn reading(&self, field: &Field) -> String {
        let Field { key, name, form, is_optional } = field;
        let (value, mut lines) = (format!("data[{}]", quoted(key)), Lines::new(2));
        if *is_optional {
            lines.add(format_args!("if data.has({}):", quoted(key)));
            lines.deeper();
            lines.add(format_args!("has_{name} = true"));
        }
        match self.held(form) {
            Held::Value => lines.add(format_args!("{name} = {value}")),
            Held::Object(class) if form.is_nullable => {
                lines.add(format_args!("if {value} != null:"));
                lines.deeper();
                lines.add(format_args!("{name} = {class}.new({value})"));
            }
            Held::Object(class) => lines.add(format_args!("{name} = {class}.new({value})")),
            Held::Objects(class) => {
                lines.add(format_args!("for item in {value}:"));
                lines.deeper();
                lines.add(format_args!("{name}.append({class}.new(item))"));
            }
            Held::ObjectsByKey(class) => {
                lines.add(format_args!("for item in {value}:"));
                lines.deeper();
                lines.add(format_args!("{name}[item] = {class}.new({value}[item])"));
            }
        }
        lines.text
    }

    /// The lines that add a variable to the dictionary.
    fn writing(&self, field: &Field) -> String {
        let Field { key, name, form, is_optional } = field;
        let (value, mut lines) = (format!("data[{}]", quoted(key)), Lines::new(2));
        if *is_optional {
            lines.add(format_args!("if has_{name}:"));
            lines.deeper();
        }
        match self.held(form) {
            Held::Value => lines.add(format_args!("{value} = {name}")),
            Held::Object(_) if form.is_nullable => {
                lines.add(format_args!(
                    "{value} = null if {name} == null else {name}.to_dictionary()"
                ));
            }
            Held::Object(_) => lines.add(format_args!("{value} = {name}.to_dictionary()")),
            Held::Objects(_) => {
                lines.add(format_args!("{value} = {}", self.empty(&form.of)));
                lines.add(format_args!("for item in {name}:"));
                lines.deeper();
                lines.add(format_args!("{value}.append(item.to_dictionary())"));
            }
            Held::ObjectsByKey(_) => {
                lines.add(format_args!("{value} = {}", self.empty(&form.of)));
                lines.add(format_args!("for item in {name}:"));
                lines.deeper();
                lines.add(format_args!("{value}[item] = {name}[item].to_dictionary()"));
            }
        }
        lines.text
    }

    /// An empty container that declares the types of the container that was read.
    fn empty(&self, of: &Of) -> String {
        let number = |kind: Option<Kind>| {
            let id = kind.and_then(|kind| self.dialect.id(kind));
            id.unwrap_or_default()
        };
        match of {
            Of::Array { declared: Declared { items: items @ Some(_), .. }, .. }
                if self.is_godot4 =>
            {
                format!("Array([], {}, \"\", null)", number(*items))
            }
            Of::Map { declared, .. } if self.is_godot4 && *declared != Declared::default() => {
                let Declared { items, keys } = *declared;
                format!(
                    "Dictionary({{}}, {}, \"\", null, {}, \"\", null)",
                    number(keys),
                    number(items)
                )
            }
            Of::Map { .. } => "{}".to_owned(),
            _ => "[]".to_owned(),
        }
    }
}

/// Lines at a level of indentation.
struct Lines {
    level: usize,
    text: String,
}

impl Lines {
    const fn new(level: usize) -> Self {
        Self { level, text: String::new() }
    }

    const fn deeper(&mut self) {
        self.level = self.level.saturating_add(1);
    }

    fn add(&mut self, line: std::fmt::Arguments<'_>) {
        let indent = "\t".repeat(self.level);
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{indent}{line}");
    }
}

/// A text as a literal.
fn quoted(text: &str) -> String {
    let text = text.into();
    variant_owned::to_text(&text, &variant_owned::TextOptions::new(TextStyle::Godot4))
        .replace('\n', "\\n")
}
