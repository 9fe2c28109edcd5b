//! Converts a type to GDScript classes that read values of this type.

use std::fmt::Write as _;

use variant_document::shape::{Declared, Facts, Type};
use variant_owned::TextStyle;
use variant_view::{Dialect, Kind};

use super::names::{Language, Names, singular};

/// Names that a field cannot have: keywords, and the functions and members of every script.
const RESERVED: &str = "\
    abs acos and as asin assert atan await bool break breakpoint call ceil char clamp class class_name \
    connect const continue convert cos data elif else emit_signal enum exp export extends false float \
    floor for free func get hash if in int is item len lerp load log master match max min name not \
    notification null or ord pass pow preload print puppet range reference remote round script seed self \
    set setget sign signal sin slave sqrt static step stepify str super sync tan to_string tool tr trait \
    true typeof unreference var void weakref while yield";

/// Returns the classes of a file, in the language of the engine that wrote it.
pub(super) fn classes(of: &Type, dialect: Dialect) -> String {
    let mut script = Script {
        is_godot4: dialect == Dialect::Godot4,
        // Godot 3 and Pandemonium read only ASCII letters in names.
        language: Language { reserved: RESERVED, is_ascii: dialect != Dialect::Godot4 },
        has_quat: matches!(dialect, Dialect::Godot2 | Dialect::Godot3 | Dialect::Pandemonium3),
        ..Script::default()
    };
    let root = script.of(of, "Save");
    let mut text = String::from(
        "extends Reference\n# Save.new(value), with the value that get_var returns.\n",
    );
    if script.is_godot4 {
        text = text.replace("Reference", "RefCounted");
    }
    if root.class.is_none() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "# The value is of the type {}.", root.name);
    }
    for class in script.classes.iter().rev() {
        text.push('\n');
        text.push_str(class);
    }
    text
}

#[derive(Debug, Default)]
struct Script {
    is_godot4: bool,
    language: Language,
    /// Whether the engine calls a quaternion `Quat`.
    has_quat: bool,
    classes: Vec<String>,
    names: Names,
}

/// The GDScript type for a [`Type`].
#[derive(Clone, Debug, Default)]
struct Of {
    /// The type in GDScript; empty if no type fits all values.
    name: String,
    /// The class for a dictionary.
    class: Option<String>,
    /// The class for each item, and whether the items are elements of an array.
    each: Option<(String, bool)>,
}

impl Script {
    /// Returns the GDScript type for a [`Type`]. `name` becomes the name of a class if the type needs a class. The
    /// recursion is bounded, because types have a bounded depth.
    fn of(&mut self, of: &Type, name: &str) -> Of {
        let (is_nullable, kinds) = of.without_null();
        let [only] = kinds.as_slice() else { return Of::default() };
        let mut found = self.one(only, name);
        // In GDScript, only a variable of a class can be null, so other nullable variables get no type.
        if is_nullable && found.class.is_none() {
            found.name.clear();
        }
        found
    }

    fn one(&mut self, facts: &Facts, name: &str) -> Of {
        let plain = |name: &str| Of { name: name.to_owned(), ..Of::default() };
        match facts.kind {
            Kind::Dictionary if !facts.fields.is_empty() && facts.items.is_none() => {
                let class = self.class(facts, name);
                Of { name: class.clone(), class: Some(class), each: None }
            }
            Kind::Dictionary | Kind::Array | Kind::TypedArray => {
                let is_array = facts.kind != Kind::Dictionary;
                let items = facts.items.as_ref();
                let item_name = self.language.type_name(&singular(name));
                let each = items.and_then(|items| self.of(items, &item_name).class);
                let name = if is_array { "Array" } else { "Dictionary" };
                // If the items become objects of a class, the container cannot declare the old type of the items.
                let declared = facts.declared;
                let types =
                    if each.is_none() { self.types(declared, is_array) } else { String::new() };
                Of { each: each.map(|class| (class, is_array)), ..plain(&format!("{name}{types}")) }
            }
            Kind::Object | Kind::Nil | Kind::Image | Kind::InputEvent => Of::default(),
            kind => plain(&self.name_of(kind)),
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
        let name = kind.name();
        if self.is_godot4 {
            return match kind {
                Kind::Rid => "RID".to_owned(),
                _ => name.to_owned(),
            };
        }
        match kind {
            Kind::PackedInt32Array | Kind::PackedInt64Array => "PoolIntArray".to_owned(),
            Kind::PackedFloat32Array | Kind::PackedFloat64Array => "PoolRealArray".to_owned(),
            Kind::Transform3D => "Transform".to_owned(),
            Kind::Quaternion if self.has_quat => "Quat".to_owned(),
            Kind::Rid => "RID".to_owned(),
            _ => name.replacen("Packed", "Pool", 1),
        }
    }

    fn class(&mut self, facts: &Facts, name: &str) -> String {
        // A class cannot have the name of an engine class, such as `Camera` or `Timer`.
        let class = match name {
            "Save" => name.to_owned(),
            name => format!("{}Data", self.language.type_name(name)),
        };
        let class = self.names.unique(&class);
        let mut fields = Names::default();
        let (mut variables, mut reading) = (String::new(), String::new());
        for (key, field) in &facts.fields {
            let own = fields.unique(&self.language.field_name(key));
            let of = self.of(field, key);
            let (is_nullable, _) = field.without_null();
            let typed = if of.name.is_empty() { String::new() } else { format!(": {}", of.name) };
            let _ = writeln!(variables, "\tvar {own}{typed}");
            let key = quoted(key);
            let mut indent = "\t\t".to_owned();
            if facts.is_optional(field) {
                let _ = writeln!(reading, "{indent}if data.has({key}):");
                indent.push('\t');
            }
            let _ = match (&of.class, &of.each) {
                (Some(class), _) if is_nullable => writeln!(
                    reading,
                    "{indent}{own} = null if data[{key}] == null else {class}.new(data[{key}])"
                ),
                (Some(class), _) => writeln!(reading, "{indent}{own} = {class}.new(data[{key}])"),
                (None, Some((class, true))) if !is_nullable => writeln!(
                    reading,
                    "{indent}for item in data[{key}]:\n{indent}\t{own}.append({class}.new(item))"
                ),
                (None, Some((class, false))) if !is_nullable => writeln!(
                    reading,
                    "{indent}for name in data[{key}]:\n{indent}\t{own}[name] = {class}.new(data[{key}][name])"
                ),
                _ => writeln!(reading, "{indent}{own} = data[{key}]"),
            };
        }
        let text =
            format!("class {class}:\n{variables}\n\tfunc _init(data: Dictionary):\n{reading}");
        self.classes.push(text);
        class
    }
}

/// A text as a literal.
fn quoted(text: &str) -> String {
    let text = text.into();
    variant_owned::to_text(&text, &variant_owned::TextOptions::new(TextStyle::Godot4))
        .replace('\n', "\\n")
}
